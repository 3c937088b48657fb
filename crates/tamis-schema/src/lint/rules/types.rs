//! Types: that every schema says one.

use serde_json::Value;

use super::super::Context;
use super::super::finding::{Findings, Severity};
use super::super::schema::types;
use crate::dialect::Dialect;
use crate::refs::{Document, Node, Place};

pub(super) fn check(context: &Context<'_, '_>, findings: &mut Findings) {
    let items_needed = context.dialect.table().items_needed;
    for node in context.document.nodes() {
        if items_needed && node.get("items").is_none() && types(node.schema).contains(&"array") {
            findings
                .error("items", &*node.pointer, "the array does not say its items")
                .with_help("add \"items\": what each of them is");
        }
        if !describes_a_value(context.document, node) {
            continue;
        }
        if node.schema.is_boolean() {
            boolean(context, node, findings);
        } else if context.dialect.table().typed && !says_what_it_is(node) {
            findings
                .error("type", &*node.pointer, "the schema does not say a type")
                .with_help("add \"type\", or an anyOf of the types that it may have");
        }
        array_items(context, node, findings);
    }
}

/// Whether a schema is one for a value of its own, rather than a test of one.
fn describes_a_value(document: &Document<'_>, node: &Node<'_>) -> bool {
    match node.place {
        Place::Property(_) | Place::Branch(_) | Place::Definition(_) | Place::Referenced => true,
        Place::Applied => {
            // Whether objects are closed is another rule's.
            let parent = node.parent.and_then(|parent| document.node(parent));
            parent.is_none_or(|parent| {
                let is = |keyword| {
                    parent
                        .get(keyword)
                        .is_some_and(|schema| std::ptr::eq(schema, node.schema))
                };
                !node.schema.is_boolean() || !is("additionalProperties") && !is("items")
            })
        }
        Place::Root | Place::SameValue => false,
    }
}

fn says_what_it_is(node: &Node<'_>) -> bool {
    let has = |keyword: &str| node.get(keyword).is_some();
    !types(node.schema).is_empty()
        || ["$ref", "anyOf", "oneOf", "allOf", "enum", "const"].iter().any(|keyword| has(keyword))
        // A branch may add to what stands beside it.
        || (matches!(node.place, Place::Branch(_)) && ["properties", "required"].iter().any(|keyword| has(keyword)))
}

fn boolean(context: &Context<'_, '_>, node: &Node<'_>, findings: &mut Findings) {
    let table = context.dialect.table();
    let severity = if table.typed || context.dialect == Dialect::XAI {
        Severity::Error
    } else {
        return;
    };
    findings
        .add(
            "type",
            severity,
            &*node.pointer,
            "true and false are no schemas here",
        )
        .with_help("say the types that it may have");
}

/// `items` as a list, which became `prefixItems` in the draft 2020-12.
fn array_items(context: &Context<'_, '_>, node: &Node<'_>, findings: &mut Findings) {
    let table = context.dialect.table();
    if !matches!(node.get("items"), Some(Value::Array(_))) {
        return;
    }
    let known = table
        .keyword("prefixItems")
        .is_some_and(|fact| fact.support.is_enforced());
    let severity = match (table.unsupported, known) {
        (crate::dialect::Unsupported::Refused, _) | (_, true) => Severity::Error,
        _ => Severity::Warning,
    };
    findings
        .add(
            "items-list",
            severity,
            node.at("items"),
            "items as a list is of older drafts",
        )
        .with_help("write prefixItems");
}
