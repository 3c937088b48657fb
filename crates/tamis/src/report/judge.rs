//! From what came to a report.

use tamis_wire::{ApiError, Completion, Failure, FailureKind, Outcome};

use super::check::Check;
use super::exit::Exit;
use super::model::{Parsed, Report, ReportOutcome, ReportedFailure};
use crate::rejected::{aborted, violations};

/// A completion, and what it is.
pub(super) fn completion(
    check: &Check,
    completion: &Completion,
    outcome: &Result<Outcome, Failure>,
) -> Report {
    let (outcome, exit) = match outcome {
        Ok(Outcome::Text(_)) => (ReportOutcome::Text, Exit::Conforms),
        Ok(Outcome::Refusal(_)) => (ReportOutcome::Refusal, Exit::NotTrustworthy),
        Ok(Outcome::ToolCalls(_)) => (ReportOutcome::ToolCalls, Exit::Conforms),
        Ok(Outcome::Incomplete(_)) => (ReportOutcome::Incomplete, Exit::NotTrustworthy),
        // An outcome that is new to this is none to trust.
        Ok(_) => (ReportOutcome::Failure, Exit::NotTrustworthy),
        Err(failure) => return not_an_answer(check, completion, failure),
    };
    let mut report = Report::new(outcome, exit);
    report.describe(completion);
    if outcome == ReportOutcome::ToolCalls
        && report
            .tool_calls
            .iter()
            .any(|call| call.arguments_error.is_some())
    {
        report.exit = Exit::NotTrustworthy;
    }
    if check.asks_for_json() {
        parse(check, completion, &mut report);
    }
    if let (ReportOutcome::Incomplete, Some(error)) = (outcome, completion.error.as_deref()) {
        report.failure = Some(cut_off(error));
    }
    report
}

/// An error that explains why the answer was cut off: the kind is that of every such answer, the
/// words are the server's.
fn cut_off(error: &ApiError) -> ReportedFailure {
    let kind = FailureKind::ContextLength;
    ReportedFailure {
        kind: kind.as_str(),
        transient: kind.is_transient(),
        ..ReportedFailure::from(&Failure::from_inline(error.clone()))
    }
}

/// Reads the text as JSON; a report of something else than text says why it is none.
fn parse(check: &Check, completion: &Completion, report: &mut Report) {
    let parsed = report.parsed.insert(Parsed::default());
    report.has_schema = check.how().has_schema();
    let may_be_json = matches!(
        report.outcome,
        ReportOutcome::Text | ReportOutcome::ToolCalls
    );
    match check.how().completion(completion) {
        Ok(read) if may_be_json => {
            report
                .notes
                .extend(read.notes.iter().map(ToString::to_string));
            report.outcome = ReportOutcome::Json;
            report.exit = if read.conforms() {
                Exit::Conforms
            } else {
                Exit::NotTrustworthy
            };
            *parsed = Parsed {
                value: Some(read.value),
                violations: read.violations,
                repairs: read.repairs,
                lifts: read.lifts,
                coercions: read.coercions,
            };
        }
        Ok(_) => report.exit = Exit::NotTrustworthy,
        Err(failure) => {
            report.failure = Some(ReportedFailure::from(&failure));
            report.exit = Exit::NotTrustworthy;
            if report.outcome == ReportOutcome::Text {
                report.outcome = ReportOutcome::Failure;
            }
        }
    }
}

/// A completion came, and there is no answer in it.
fn not_an_answer(check: &Check, completion: &Completion, failure: &Failure) -> Report {
    // Where the service explains it, it failed; where it does not, the answer is no good.
    let exit = if failure.kind() == FailureKind::Malformed && failure.details().is_none() {
        Exit::NotTrustworthy
    } else {
        Exit::of_failure(failure)
    };
    let mut report = Report::new(ReportOutcome::Failure, exit);
    report.describe(completion);
    add_failure(check, &mut report, failure);
    report
}

/// A failure, with what did come.
pub(super) fn failure(check: &Check, failure: &Failure) -> Report {
    // A stream that was ended because it broke the schema came back, and is not trustworthy.
    let exit = if violations(failure).is_empty() {
        Exit::of_failure(failure)
    } else {
        Exit::NotTrustworthy
    };
    let mut report = Report::new(ReportOutcome::Failure, exit);
    if let Some(completion) = failure.completion() {
        report.describe(completion);
    }
    add_failure(check, &mut report, failure);
    // An error beside an answer that was cut off changes nothing about what that is.
    let truncated = failure
        .completion()
        .and_then(Completion::choice)
        .is_some_and(|choice| choice.error.is_none() && choice.is_truncated());
    if let (true, Some(error)) = (truncated, failure.details()) {
        report.outcome = ReportOutcome::Incomplete;
        report.exit = Exit::NotTrustworthy;
        report.failure = Some(cut_off(error));
    }
    report.with_attempts(failure.attempts())
}

fn add_failure(check: &Check, report: &mut Report, failure: &Failure) {
    if report.id.is_none() {
        report.id = failure.generation_id().map(str::to_owned);
    }
    if report.provider.is_none() {
        report.provider = failure
            .details()
            .and_then(|error| error.metadata().provider_name())
            .map(str::to_owned);
    }
    report.parsed = check.asks_for_json().then(|| Parsed {
        violations: violations(failure).to_vec(),
        ..Parsed::default()
    });
    report.aborted = aborted(failure).cloned();
    report.failure = Some(ReportedFailure::from(failure));
}
