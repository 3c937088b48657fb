//! Findings in the Static Analysis Results Interchange Format, 2.1.0.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tamis::schema::Severity;

use super::found::{Found, Linted};

pub(super) fn log(linted: &[Linted]) -> Value {
    let all = || {
        linted
            .iter()
            .flat_map(|linted| linted.found.iter().map(move |found| (linted, found)))
    };
    let rules: BTreeSet<&str> = all().map(|(_, found)| found.finding.rule()).collect();
    let rules: Vec<Value> = rules.into_iter().map(|rule| json!({"id": rule})).collect();
    let results: Vec<Value> = all().map(|(linted, found)| result(linted, found)).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "tamis lint",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn result(linted: &Linted, found: &Found) -> Value {
    let finding = &found.finding;
    let level = match finding.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
        _ => "note",
    };
    let mut words = format!("{}: {}", linted.dialect, finding.message());
    if let Some(help) = finding.help() {
        words.push_str(". Help: ");
        words.push_str(help);
    }
    json!({
        "ruleId": finding.rule(),
        "level": level,
        "message": {"text": words},
        "locations": [{
            "physicalLocation": {
                "artifactLocation": {"uri": linted.file},
                "region": {"startLine": found.line, "startColumn": found.column},
            },
            "logicalLocations": [{"fullyQualifiedName": finding.pointer()}],
        }],
    })
}
