//! Failures that are told more than once.

use tamis_wire::Failure;

/// What a failure says, without its completion and its source, which stay with the original.
pub(crate) fn copy(failure: &Failure) -> Failure {
    let copy = Failure::new(failure.kind(), failure.message())
        .with_attempts(failure.attempts())
        .with_generation_id(failure.generation_id().map(str::to_owned))
        .with_retry_after(failure.retry_after());
    let copy = match failure.details() {
        Some(details) => copy.with_details(details.clone()),
        None => copy,
    };
    match failure.status() {
        Some(status) => copy.with_status(status),
        None => copy,
    }
}
