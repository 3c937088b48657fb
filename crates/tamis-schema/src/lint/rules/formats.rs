//! Formats.

use serde_json::Value;

use super::super::Context;
use super::super::finding::{Findings, Severity, short};
use crate::dialect::Support;

pub(super) fn check(context: &Context<'_, '_>, findings: &mut Findings) {
    let table = context.dialect.table();
    let Some(known) = table.formats else { return };
    if table
        .keyword("format")
        .is_none_or(|fact| !fact.support.is_enforced())
    {
        return;
    }
    for node in context.document.nodes() {
        let Some(format) = node.get("format").and_then(Value::as_str) else {
            continue;
        };
        if known.contains(&format) {
            continue;
        }
        let (severity, what) = match table.other_formats {
            Support::Rejected => (Severity::Error, "is not permitted"),
            Support::Unknown => (Severity::Info, "is not documented"),
            _ => (Severity::Warning, "is not enforced"),
        };
        findings
            .add(
                "format",
                severity,
                node.at("format"),
                format!("the format {:?} {what}", short(format)),
            )
            .with_help(format!("the formats are {}", known.join(", ")));
    }
}
