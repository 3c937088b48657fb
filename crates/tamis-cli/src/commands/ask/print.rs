//! An answer, or why there is none, in words.

use tamis::Reading;
use tamis::report::{Exit, Report, ReportOutcome};

use crate::console::{Console, Tone};
use crate::error::Error;

/// Of violations, the first so many are shown.
const VIOLATIONS: usize = 10;

/// The answer on stdout, everything else on stderr. What is not trustworthy is no answer: with a
/// schema nothing of it is printed, and without one what came of the text is.
pub(super) fn text(
    report: &Report,
    with_schema: bool,
    printed: bool,
    console: &mut Console,
) -> Result<(), Error> {
    match report.outcome {
        ReportOutcome::Json if report.exit() == Exit::Conforms => {
            if let Some(value) = report.value() {
                console.line(serde_json::to_string_pretty(value)?)?;
            }
        }
        ReportOutcome::ToolCalls if !with_schema => {
            console.line(serde_json::to_string_pretty(&report.tool_calls)?)?;
        }
        _ => {
            let content = report.content.as_deref().filter(|text| !text.is_empty());
            if let Some(content) = content.filter(|_| !with_schema && !printed) {
                console.content(content.strip_suffix('\n').unwrap_or(content))?;
                console.line("")?;
            }
        }
    }
    for note in &report.notes {
        console.note(note);
    }
    console.repairs("", report.repairs());
    // The last one was the end of it, good or bad.
    let asked_again = report.ledger.split_last().map(|(_, earlier)| earlier);
    for entry in asked_again.unwrap_or_default() {
        if let Some(problem) = &entry.problem {
            let by = entry.provider.as_deref().unwrap_or("the model");
            console.note(format!("{by} was asked again: {problem}"));
        }
    }
    for coercion in report.coercions() {
        console.tell(Tone::Quiet, "coercion", coercion);
    }
    if report.exit() != Exit::Conforms {
        complain(report, console);
    }
    Ok(())
}

/// What was done to the schema for the upstream's sake.
pub(super) fn lowering(reading: &Reading, console: &mut Console) {
    let Some(dialect) = reading.dialect() else {
        return;
    };
    match reading.changes() {
        [] => {}
        [change] => console.note(format!("lowered into {dialect}: {change}")),
        changes => {
            console.note(format!("lowered into {dialect}, {} changes", changes.len()));
            for change in changes {
                console.tell(Tone::Quiet, "lowered", change);
            }
        }
    }
}

fn complain(report: &Report, console: &mut Console) {
    let Some(failure) = report
        .failure
        .as_ref()
        .filter(|_| report.outcome == ReportOutcome::Failure)
    else {
        console.tell(Tone::Warning, "not trustworthy", &report.headline());
        for violation in report.violations().iter().skip(1).take(VIOLATIONS) {
            console.tell(Tone::Warning, "violation", violation);
        }
        return;
    };
    console.tell(Tone::Bad, "error", &failure.message);
    let mut words = failure.kind_in_words();
    if let Some(provider) = &report.provider {
        words = format!("{words}, from {provider}");
    }
    if let Some(attempts) = report.attempts.filter(|attempts| *attempts > 1) {
        words = format!("{words}, after {attempts} attempts");
    }
    console.tell(Tone::Quiet, "kind", &words);
    console.tell(
        Tone::Quiet,
        "help",
        &if report.exit() == Exit::Refused {
            "the request was not sent; change it"
        } else if failure.transient {
            "trying again can help"
        } else {
            "trying again cannot help"
        },
    );
}
