//! What kind of failure a transport error is.

use std::error::Error;
use std::io::ErrorKind;

use tamis_wire::{Failure, FailureKind};

/// The failure of a request that got no response, or whose response broke off.
pub(crate) fn transport(error: reqwest::Error) -> Failure {
    // An address may hold a secret, and is known to the caller.
    let error = error.without_url();
    let (kind, message) = if error.is_timeout() {
        let what = if error.is_connect() {
            "no connection in time"
        } else {
            "no response in time"
        };
        (FailureKind::Timeout, what.to_owned())
    } else if error.is_connect() {
        (
            FailureKind::Network,
            format!("no connection: {}", root_cause(&error)),
        )
    } else if error.is_decode() && !broke_off(&error) {
        (
            FailureKind::Malformed,
            "the body's compression is broken".to_owned(),
        )
    } else if error.is_builder() {
        (
            FailureKind::Validation,
            "the request could not be put together".to_owned(),
        )
    } else if error.is_body() || error.is_decode() {
        (
            FailureKind::Network,
            "the connection broke while the body came".to_owned(),
        )
    } else {
        (
            FailureKind::Network,
            format!("the connection broke: {}", root_cause(&error)),
        )
    };
    Failure::new(kind, message).with_source(error)
}

/// Whether the connection was closed or reset before anything of a response came, as happens to a
/// request that goes out on a pooled connection which the server has just closed.
pub(crate) fn closed_without_response(error: &reqwest::Error) -> bool {
    if error.is_timeout() || error.is_connect() || error.is_builder() || error.is_body() {
        return false;
    }
    causes(error).any(|cause| {
        if let Some(io) = cause.downcast_ref::<std::io::Error>() {
            return matches!(
                io.kind(),
                ErrorKind::ConnectionReset
                    | ErrorKind::ConnectionAborted
                    | ErrorKind::BrokenPipe
                    | ErrorKind::UnexpectedEof
            );
        }
        // hyper's own words for it; its error type is not part of reqwest's API.
        let text = cause.to_string();
        text.contains("connection closed before message completed")
            || text.contains("connection closed")
    })
}

/// Whether the body ended before its time. A body that is decompressed reports that as an error of
/// the decompression, so only the causes tell.
fn broke_off(error: &reqwest::Error) -> bool {
    causes(error).any(|cause| {
        let io = cause.downcast_ref::<std::io::Error>();
        io.is_some_and(|io| {
            io.kind() != ErrorKind::InvalidData
                && io.kind() != ErrorKind::InvalidInput
                && io.kind() != ErrorKind::Other
        }) || cause
            .to_string()
            .contains("end of file before message length reached")
            || cause
                .to_string()
                .contains("error reading a body from connection")
    })
}

fn causes(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(error.source(), |cause| (*cause).source())
}

fn root_cause(error: &reqwest::Error) -> String {
    causes(error)
        .last()
        .map_or_else(|| error.to_string(), ToString::to_string)
}
