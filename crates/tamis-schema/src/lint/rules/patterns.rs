//! Patterns.

use serde_json::Value;

use super::super::Context;
use super::super::finding::{Findings, Severity};
use crate::dialect::{Dialect, PatternRule};

/// What a regular language has not.
const IRREGULAR: &[(&str, &str)] = &[
    ("(?=", "look-ahead"),
    ("(?!", "look-ahead"),
    ("(?<=", "look-behind"),
    ("(?<!", "look-behind"),
    ("\\b", "a word boundary"),
    ("\\B", "a word boundary"),
];

pub(super) fn check(context: &Context<'_, '_>, findings: &mut Findings) {
    let table = context.dialect.table();
    if table
        .keyword("pattern")
        .is_none_or(|fact| !fact.support.is_enforced())
    {
        return;
    }
    for node in context.document.nodes() {
        let Some(pattern) = node.get("pattern").and_then(Value::as_str) else {
            continue;
        };
        if table.patterns != PatternRule::Any
            && let Some(what) = irregular(pattern)
        {
            let severity = match table.unsupported {
                crate::dialect::Unsupported::Ignored => Severity::Warning,
                _ => Severity::Error,
            };
            findings.add(
                "pattern",
                severity,
                node.at("pattern"),
                format!("the pattern has {what}"),
            );
        }
        if table.patterns == PatternRule::Anchored
            && !(pattern.starts_with('^') && pattern.ends_with('$'))
        {
            findings
                .add(
                    "pattern",
                    Severity::Warning,
                    node.at("pattern"),
                    "a pattern is enforced only if it begins with ^ and ends with $",
                )
                .with_help("write ^.*(…).*$");
        }
        if context.dialect == Dialect::VLLM {
            for keyword in ["minLength", "maxLength"] {
                if node.get(keyword).is_some() {
                    findings.error(
                        "pattern",
                        node.at(keyword),
                        format!("{keyword} stands together with pattern"),
                    );
                }
            }
        }
    }
}

/// What of a pattern is not regular.
fn irregular(pattern: &str) -> Option<&'static str> {
    // An escaped backslash escapes nothing after it.
    let plain = pattern.replace("\\\\", "  ");
    if let Some((_, what)) = IRREGULAR.iter().find(|(mark, _)| plain.contains(mark)) {
        return Some(what);
    }
    let refers = plain
        .as_bytes()
        .windows(2)
        .any(|pair| matches!(pair, [b'\\', b'1'..=b'9']));
    (refers || plain.contains("\\k<")).then_some("a back-reference")
}
