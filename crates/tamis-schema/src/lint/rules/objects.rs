//! Objects: that they are closed, and what they require.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::Context;
use super::super::finding::{Findings, Severity, short};
use super::super::schema::{describes_object, properties, required};
use crate::dialect::{Closed, Required};
use crate::refs::Node;

pub(super) fn check(context: &Context<'_, '_>, findings: &mut Findings) {
    let table = context.dialect.table();
    for node in context.document.nodes() {
        if describes_object(node) {
            closed(node, table.closed, findings);
        }
        if table.required == Required::All {
            if describes_object(node) {
                all_required(node, findings);
            }
        } else {
            possible(node, findings);
        }
    }
}

fn closed(node: &Node<'_>, rule: Closed, findings: &mut Findings) {
    let extra = node.get("additionalProperties");
    let is_map = node.get("properties").is_none_or(|properties| {
        properties
            .as_object()
            .is_some_and(serde_json::Map::is_empty)
    });
    match (rule, extra) {
        (Closed::Must, Some(Value::Bool(false))) | (Closed::May, _) => {}
        (Closed::Must, None) if is_map => {
            findings
                .error(
                    "closed-objects",
                    &*node.pointer,
                    "an object with any properties cannot be strict, and additionalProperties is not false",
                )
                .with_help(
                    "describe its properties, or make it an array of {\"key\", \"value\"} objects or a string of JSON",
                );
        }
        (Closed::Must, None) => {
            findings
                .error(
                    "closed-objects",
                    &*node.pointer,
                    "the object does not say additionalProperties: false",
                )
                .with_help("add \"additionalProperties\": false");
        }
        (Closed::Must, Some(_)) => {
            findings
                .error(
                    "closed-objects",
                    node.at("additionalProperties"),
                    "additionalProperties has to be false",
                )
                .with_help("make a map an array of {\"key\", \"value\"} objects");
        }
        (Closed::Assumed, None) if is_map => {
            findings
                .add(
                    "closed-objects",
                    Severity::Warning,
                    &*node.pointer,
                    "objects are taken as closed, so that this one can be {} only",
                )
                .with_help("say additionalProperties, or describe its properties");
        }
        (Closed::Assumed, _) => {}
    }
}

fn all_required(node: &Node<'_>, findings: &mut Findings) {
    let own: BTreeSet<&str> = properties(node).collect();
    let named: BTreeSet<&str> = required(node).collect();
    let missing: Vec<&str> = own.difference(&named).copied().collect();
    if !missing.is_empty() {
        let list = quoted(&missing);
        findings
            .error(
                "required-properties",
                &*node.pointer,
                format!(
                    "every property has to be required, and {list} {} not",
                    are(&missing)
                ),
            )
            .with_help("require it, and let it be null: {\"type\": [\"string\", \"null\"]}");
    }
    let unknown: Vec<&str> = named.difference(&own).copied().collect();
    if !unknown.is_empty() {
        let list = quoted(&unknown);
        findings.error(
            "required-properties",
            node.at("required"),
            format!(
                "{list} {} required, and not among the properties",
                are(&unknown)
            ),
        );
    }
}

/// What a closed object requires, it has to allow. Where every property is required, that says so too.
fn possible(node: &Node<'_>, findings: &mut Findings) {
    let closed = node.get("additionalProperties") == Some(&Value::Bool(false))
        && node.get("patternProperties").is_none();
    if !closed {
        return;
    }
    let own: BTreeSet<&str> = properties(node).collect();
    let unknown: Vec<&str> = required(node).filter(|name| !own.contains(name)).collect();
    if !unknown.is_empty() {
        findings
            .add(
                "impossible-object",
                Severity::Warning,
                node.at("required"),
                format!(
                    "no object conforms: {} {} required, and no such property is allowed",
                    quoted(&unknown),
                    are(&unknown)
                ),
            )
            .with_help("describe it in properties, or do not require it");
    }
}

fn are(names: &[&str]) -> &'static str {
    if names.len() == 1 { "is" } else { "are" }
}

/// The names, the first few of many.
fn quoted(names: &[&str]) -> String {
    const MOST: usize = 8;
    let mut list = names
        .iter()
        .take(MOST)
        .map(|name| format!("{:?}", short(name)))
        .collect::<Vec<_>>()
        .join(", ");
    if names.len() > MOST {
        list.push_str(", …");
    }
    list
}
