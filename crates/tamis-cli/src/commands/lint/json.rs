//! Findings for programs.

use serde_json::{Value, json};

use super::found::{Found, Linted};

/// One object: `results`, one for each file and dialect, with `file`, `dialect`, `errors`, `warnings` and
/// `findings` (`rule`, `severity`, `pointer`, `line`, `column`, `message`, `help`).
pub(super) fn report(linted: &[Linted<'_>]) -> Value {
    let results: Vec<Value> = linted
        .iter()
        .map(|linted| {
            json!({
                "file": linted.source.name,
                "dialect": linted.dialect.name(),
                "errors": linted.errors,
                "warnings": linted.warnings,
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
