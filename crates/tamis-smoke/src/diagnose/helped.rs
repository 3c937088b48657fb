//! Answers that conform, and needed more than repair for it.

use serde_json::Value;
use tamis::LedgerEntry;

use super::shape;
use crate::finding::{Finding, MOST_VIOLATIONS, Place};
use crate::problem::Problem;

/// Names what had to be coerced: these violations, of this schema.
pub(crate) fn coerced(
    value: &Value,
    text: &str,
    schema: &Value,
    violations: Vec<Place>,
) -> Finding {
    let mut finding = shape::value(value, text, schema, violations);
    finding.detail.push_str("; it passes after coercion");
    finding
}

/// Names what was wrong with the first answer, before it was asked for again.
pub(crate) fn asked_again(rejected: &LedgerEntry) -> Finding {
    let problem = if rejected.violations.is_empty() {
        Problem::BrokenJson
    } else {
        Problem::Violation
    };
    let why = rejected.problem.as_deref().unwrap_or("it was no answer");
    let mut finding = Finding::new(problem, format!("{why}; it passes after asking again"));
    finding.violations = rejected
        .violations
        .iter()
        .take(MOST_VIOLATIONS)
        .map(Place::from)
        .collect();
    finding
}
