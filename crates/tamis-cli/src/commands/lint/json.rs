//! Findings for programs.

use serde_json::{Value, json};
use tamis::schema::Severity;

use super::found::{Found, Linted};

/// One object: `results`, one for each file and dialect, with `file`, `dialect`, `errors`, `warnings` and
/// `findings` (`rule`, `severity`, `pointer`, `line`, `column`, `message`, `help`).
pub(super) fn report(linted: &[Linted]) -> Value {
    let results: Vec<Value> = linted
        .iter()
        .map(|linted| {
            json!({
                "file": linted.file,
                "dialect": linted.dialect.name(),
                "errors": linted.count(Severity::Error),
                "warnings": linted.count(Severity::Warning),
                "findings": linted.found.iter().map(finding).collect::<Vec<Value>>(),
            })
        })
        .collect();
    json!({ "results": results })
}

fn finding(found: &Found) -> Value {
    let finding = &found.finding;
    json!({
        "rule": finding.rule(),
        "severity": finding.severity().name(),
        "pointer": finding.pointer(),
        "line": found.line,
        "column": found.column,
        "message": finding.message(),
        "help": finding.help(),
    })
}
