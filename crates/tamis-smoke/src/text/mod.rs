//! The report for people.

mod figures;
mod plain;
mod table;

use std::fmt;

use figures::{count, share};
use plain::{indent, plain};

use crate::decision::Decision;
use crate::report::{Distinct, ModelReport, Report, Run};

/// A report for people: what was tested, a table for each run, the problems with the JSON that
/// shows them, and the decision. Whatever came from a server is printed without control
/// characters.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    report: &'a Report,
    width: Option<u16>,
}

/// Of a long list of problems, so many are shown; the JSON report has all.
const MOST_PROBLEMS: usize = 12;

impl<'a> Text<'a> {
    /// Of this report, in tables as wide as they need.
    pub fn new(report: &'a Report) -> Self {
        Self {
            report,
            width: None,
        }
    }

    /// In tables of at most so many columns.
    pub fn width(mut self, columns: u16) -> Self {
        self.width = Some(columns);
        self
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        header(out, self.report)?;
        for model in &self.report.models {
            for run in &model.runs {
                writeln!(out)?;
                writeln!(out, "{}", title(model, run))?;
                writeln!(out, "{}", table::table(run, self.width))?;
                legend(out, run)?;
                problems(out, run)?;
            }
            writeln!(out)?;
            decision(out, model, &model.decision)?;
        }
        if self.report.interrupted {
            writeln!(out)?;
            writeln!(out, "Interrupted: this is what was measured until then.")?;
        }
        Ok(())
    }
}

fn header(out: &mut fmt::Formatter<'_>, report: &Report) -> fmt::Result {
    let setup = &report.setup;
    if report.simulated {
        writeln!(
            out,
            "SIMULATED: the built-in simulator answered, so this says nothing of a real endpoint."
        )?;
    }
    let models = match report.models.as_slice() {
        [one] => plain(&one.model),
        several => format!("{} models", several.len()),
    };
    let each = if report.models.len() > 1 { " each" } else { "" };
    writeln!(
        out,
        "Smoke test of {models} at {}: {}{each}, {} at a time{}",
        plain(&report.server),
        count(setup.requests, "identical request"),
        setup
            .concurrency
            .min(usize::try_from(setup.requests).unwrap_or(usize::MAX)),
        if setup.stream { ", streamed" } else { "" },
    )?;
    let required = match setup.require_parameters {
        Some(true) => ", require_parameters, fallbacks on",
        Some(false) => ", without require_parameters",
        None => "",
    };
    let third = match setup.third_bar {
        Some("expect") => "parses, conforms, is right (contains what was expected)",
        Some("judge") => "parses, conforms, is right (the judge says so)",
        _ => "parses, conforms",
    };
    writeln!(
        out,
        "Schema \"{}\", strict{required}. Bars: {third}. Threshold: {}.",
        plain(&setup.schema),
        share(setup.threshold),
    )
}

fn title(model: &ModelReport, run: &Run) -> String {
    let name = plain(&model.model);
    match &run.pinned {
        Some(pinned) => format!("{name}, pinned to {}", plain(pinned)),
        None => name,
    }
}

/// What the pluses in the table mean.
fn legend(out: &mut fmt::Formatter<'_>, run: &Run) -> fmt::Result {
    let total = &run.total;
    let repaired = total.parses.saturating_sub(total.parses_as_sent);
    if repaired > 0 {
        writeln!(
            out,
            "parses {}: {} as sent, {repaired} more after repair",
            table::parses(total),
            total.parses_as_sent,
        )?;
    }
    let repaired = total.conforms_after_repair - total.conforms_as_sent;
    let coerced = total.conforms_after_coercion - total.conforms_after_repair;
    let asked_again = total.conforms_after_reask - total.conforms_after_coercion;
    if coerced + asked_again > 0 {
        write!(
            out,
            "conforms {}/{}: {} as sent",
            total.conforms, total.requests, total.conforms_as_sent
        )?;
        for (more, how) in [
            (repaired, "repair"),
            (coerced, "coercion"),
            (asked_again, "asking again"),
        ] {
            if more > 0 {
                write!(out, ", {more} more after {how}")?;
            }
        }
        writeln!(out)?;
    }
    if let Some(early) = total.first_violation_share {
        writeln!(
            out,
            "answers that break the schema do so first after {} of their text (mean)",
            share(early)
        )?;
    }
    Ok(())
}

fn problems(out: &mut fmt::Formatter<'_>, run: &Run) -> fmt::Result {
    if run.problems.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    writeln!(out, "Problems")?;
    for problem in run.problems.iter().take(MOST_PROBLEMS) {
        self::problem(out, problem)?;
    }
    match run.problems.len().saturating_sub(MOST_PROBLEMS) {
        0 => Ok(()),
        more => writeln!(out, "  and {more} more; --format json has them all"),
    }
}

fn problem(out: &mut fmt::Formatter<'_>, problem: &Distinct) -> fmt::Result {
    let finding = &problem.finding;
    let providers: Vec<String> = problem.providers.iter().map(|name| plain(name)).collect();
    let at = if providers.is_empty() {
        String::new()
    } else {
        format!(" at {}", providers.join(", "))
    };
    writeln!(
        out,
        "  {} ×{}{at} ({}): {}",
        finding.problem,
        problem.count,
        requests(&problem.requests),
        plain(&finding.detail),
    )?;
    if let Some(place) = finding.violations.first() {
        writeln!(out, "    schema: {}", plain(&place.schema))?;
    }
    if let Some(offending) = &finding.offending {
        write!(out, "{}", indent(&plain::lines(&offending.text)))?;
        if offending.is_shortened() {
            writeln!(out, "    … ({} characters in all)", offending.characters)?;
        }
    }
    Ok(())
}

/// `request 3`, `requests 3, 9`.
fn requests(numbers: &[u32]) -> String {
    const MOST: usize = 8;
    let noun = if numbers.len() == 1 {
        "request"
    } else {
        "requests"
    };
    let listed: Vec<String> = numbers.iter().take(MOST).map(u32::to_string).collect();
    let more = if numbers.len() > MOST { ", …" } else { "" };
    format!("{noun} {}{more}", listed.join(", "))
}

fn decision(out: &mut fmt::Formatter<'_>, model: &ModelReport, decision: &Decision) -> fmt::Result {
    let target = match &decision.provider {
        Some(provider) if decision.verdict.as_str() == "pin" => format!(" {}", plain(provider)),
        _ => String::new(),
    };
    writeln!(
        out,
        "{}: {}{target}",
        plain(&model.model),
        decision.verdict.as_str().to_uppercase(),
    )?;
    for reason in &decision.reasons {
        writeln!(out, "  {}", plain(reason))?;
    }
    if let Some(block) = &decision.provider_block {
        writeln!(out, "  Put this into the request:")?;
        writeln!(out, "    \"provider\": {}", plain(&block.to_string()))?;
    }
    Ok(())
}
