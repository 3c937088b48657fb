//! Reports under the strict contract.

use tamis_wire::contract::{self, ContractError, ContractErrorKind, Limits, Outcome};
use tamis_wire::{
    ApiError, Completion, Failure, FailureKind, FinishReason, Outcome as Came, Scalar,
};

use super::check::Check;
use super::exit::Exit;
use super::judge;
use super::model::{Parsed, Report, ReportOutcome, ReportedFailure};

pub(super) fn report(check: &Check, status: u16, body: &[u8], limits: &Limits) -> Report {
    let outcome = match contract::classify(status, body, limits) {
        Ok(outcome) => outcome,
        Err(error) => return broken(check, status, &error),
    };
    // Whatever keeps the contract is a completion for the tolerant reader too; what stands beside it
    // is nothing that the contract looks at.
    let Ok(completion) = serde_json::from_slice::<Completion>(body) else {
        let failure = Failure::new(FailureKind::Malformed, "the body is not a completion");
        return judge::failure(check, &failure);
    };
    let came = match outcome {
        Outcome::Text(text) => Ok(Came::Text(text)),
        Outcome::Refusal(refusal) => Ok(Came::Refusal(refusal)),
        Outcome::ToolCalls(_) => Ok(Came::ToolCalls(Vec::new())),
        Outcome::Incomplete(reason) => Ok(Came::Incomplete(FinishReason::from(reason.as_str()))),
        _ => completion.outcome(),
    };
    judge::completion(check, &completion, &came)
}

/// A broken rule, with nothing of the body.
fn broken(check: &Check, status: u16, error: &ContractError) -> Report {
    let failure = if error.kind() == ContractErrorKind::HttpStatus {
        Failure::from_status(status, ApiError::default())
    } else {
        Failure::new(FailureKind::Malformed, error.to_string())
    };
    let exit = match error.kind() {
        ContractErrorKind::HttpStatus
        | ContractErrorKind::BodyLimit
        | ContractErrorKind::InvalidJson
        | ContractErrorKind::WrongProtocol
        | ContractErrorKind::ExpectedOneChoice => Exit::of_failure(&failure),
        _ => Exit::NotTrustworthy,
    };
    let mut report = Report::new(ReportOutcome::Failure, exit);
    report.parsed = check.asks_for_json().then(Parsed::default);
    report.failure = Some(ReportedFailure {
        code: Some(Scalar::from(error.code())),
        message: error.to_string(),
        ..ReportedFailure::from(&failure)
    });
    report
}
