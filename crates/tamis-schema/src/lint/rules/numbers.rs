//! Bounds: of lengths, counts and numbers, where they are restricted.

use serde_json::Value;

use super::super::Context;
use super::super::finding::{Findings, Severity};
use super::super::schema::types;
use crate::dialect::Dialect;
use crate::refs::Node;

pub(super) fn check(context: &Context<'_, '_>, findings: &mut Findings) {
    let limits = context.dialect.table().limits;
    for node in context.document.nodes() {
        if let Some(most) = limits.min_items {
            over(node, "minItems", most, Severity::Error, findings);
        }
        for (keywords, most) in [
            (["minItems", "maxItems"], limits.max_items),
            (["minLength", "maxLength"], limits.max_length),
            (["minProperties", "maxProperties"], limits.max_properties),
        ] {
            for keyword in keywords {
                if let Some(most) = most {
                    over(node, keyword, most, Severity::Warning, findings);
                }
            }
        }
        if context.dialect == Dialect::LLAMA_CPP && types(node.schema).contains(&"number") {
            for keyword in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] {
                if node.get(keyword).is_some() {
                    findings.add(
                        "bounds",
                        Severity::Warning,
                        node.at(keyword),
                        format!("{keyword} is enforced for integers only"),
                    );
                }
            }
        }
        if context.dialect == Dialect::VLLM && node.get("properties").is_some() {
            for keyword in ["propertyNames", "patternProperties"] {
                if node.get(keyword).is_some() {
                    findings.error(
                        "bounds",
                        node.at(keyword),
                        format!("{keyword} stands together with properties"),
                    );
                }
            }
        }
        items(context, node, findings);
    }
}

fn over(node: &Node<'_>, keyword: &str, most: u64, severity: Severity, findings: &mut Findings) {
    if let Some(bound) = node
        .get(keyword)
        .and_then(Value::as_u64)
        .filter(|bound| *bound > most)
    {
        let what = match severity {
            Severity::Error => format!("{keyword} may be {most} at most, and is {bound}"),
            _ => format!("{keyword} is enforced up to {most}, and is {bound}"),
        };
        findings.add("bounds", severity, node.at(keyword), what);
    }
}

/// Cerebras: a list's rest is closed, and nothing else.
fn items(context: &Context<'_, '_>, node: &Node<'_>, findings: &mut Findings) {
    if context.dialect != Dialect::CEREBRAS {
        return;
    }
    let prefix = node.get("prefixItems").is_some();
    match node.get("items") {
        Some(Value::Bool(true)) => {
            findings.error("items-list", node.at("items"), "items may not be true");
        }
        Some(Value::Bool(false)) if !prefix => {
            findings.error(
                "items-list",
                node.at("items"),
                "items may be false beside prefixItems only",
            );
        }
        rest if prefix && rest != Some(&Value::Bool(false)) => {
            findings.error(
                "items-list",
                node.at("prefixItems"),
                "prefixItems needs items: false beside it",
            );
        }
        _ => {}
    }
}
