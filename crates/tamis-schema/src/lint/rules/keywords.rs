//! Keywords: what the upstream does with each.

use serde_json::Value;

use super::super::Context;
use super::super::finding::{Findings, Severity, short};
use crate::dialect::{KEYWORDS, Support, Unsupported};
use crate::refs::Node;

/// Keywords that inform or organise. That nobody enforces them is no news.
const SAYS_NOTHING_OF_VALUES: &[&str] = &[
    "$anchor",
    "$comment",
    "$defs",
    "$dynamicAnchor",
    "$id",
    "$recursiveAnchor",
    "$schema",
    "$vocabulary",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "default",
    "definitions",
    "deprecated",
    "description",
    "examples",
    "id",
    "readOnly",
    "title",
    "writeOnly",
];

pub(super) fn check(context: &Context<'_, '_>, findings: &mut Findings) {
    let table = context.dialect.table();
    for node in context.document.nodes() {
        let Some(keywords) = node.keywords() else {
            continue;
        };
        for (keyword, value) in keywords {
            let Some(fact) = table.keyword(keyword) else {
                foreign(context, node, keyword, findings);
                continue;
            };
            // A default reads as if it were filled in, and nobody does.
            if keyword == "default" && fact.support == Support::Ignored {
                let finding = findings.add(
                    "keyword",
                    Severity::Info,
                    node.at(keyword),
                    "default has no effect here",
                );
                if !fact.note.is_empty() {
                    finding.with_help(fact.note);
                }
                continue;
            }
            let annotates = SAYS_NOTHING_OF_VALUES.contains(&keyword.as_str());
            // The root's own definitions are where references lead; that is another rule's.
            let severity = match fact.support {
                Support::Rejected => Severity::Error,
                Support::Ignored | Support::Unknown if annotates || allows_all(keyword, value) => {
                    continue;
                }
                Support::Ignored => Severity::Warning,
                Support::Unknown => Severity::Info,
                Support::Supported | Support::Restricted => continue,
            };
            let what = match severity {
                Severity::Error => format!("{keyword} is not permitted"),
                Severity::Warning => format!("{keyword} is not enforced"),
                Severity::Info => format!("nothing is known of {keyword} here"),
            };
            let source = table.source(fact.source).filter(|_| !fact.note.is_empty());
            let finding = findings.add("keyword", severity, node.at(keyword), what);
            if let Some(source) = source {
                finding.with_help(format!("{} ({}, {})", fact.note, source.title, source.date));
            }
        }
    }
}

/// Whether the keyword says nothing, such as `uniqueItems: false`.
fn allows_all(keyword: &str, value: &Value) -> bool {
    match keyword {
        "uniqueItems" => *value == Value::Bool(false),
        "minLength" | "minItems" | "minProperties" => value.as_u64() == Some(0),
        "additionalItems" | "unevaluatedItems" | "unevaluatedProperties" => {
            *value == Value::Bool(true)
        }
        _ => false,
    }
}

/// A word that is not JSON Schema's: a generator's, or a typing error.
fn foreign(context: &Context<'_, '_>, node: &Node<'_>, keyword: &str, findings: &mut Findings) {
    let finding = findings.add(
        "unknown-keyword",
        Severity::Info,
        node.at(keyword),
        format!("{:?} is no keyword of JSON Schema", short(keyword)),
    );
    if let Some(meant) = near(keyword) {
        finding.with_help(format!("{meant:?} may be meant"));
    } else if context.dialect.table().unsupported == Unsupported::Refused {
        finding.with_help("the upstream may refuse words that it does not know");
    }
}

/// The keyword that differs in its case, or in one letter.
fn near(word: &str) -> Option<&'static str> {
    KEYWORDS.iter().copied().find(|keyword| {
        keyword.eq_ignore_ascii_case(word)
            || (word.len() > 3 && one_edit(word.as_bytes(), keyword.as_bytes()))
    })
}

/// Whether one letter more, less or other makes one of the other.
fn one_edit(a: &[u8], b: &[u8]) -> bool {
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (rest_a, rest_b) = (
        a.get(same..).unwrap_or_default(),
        b.get(same..).unwrap_or_default(),
    );
    let without_first = |rest: &[u8]| rest.get(1..).unwrap_or_default().to_vec();
    match (rest_a.len(), rest_b.len()) {
        (a, b) if a == b => a > 0 && without_first(rest_a) == without_first(rest_b),
        (a, b) if a == b + 1 => without_first(rest_a) == rest_b,
        (a, b) if a + 1 == b => rest_a == without_first(rest_b),
        _ => false,
    }
}
