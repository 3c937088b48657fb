//! Unions: how their branches may look.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::Context;
use super::super::finding::{Findings, Severity, short};
use super::super::schema::properties;
use crate::dialect::{Dialect, Support};
use crate::refs::{Node, Target};

pub(super) fn check(context: &Context<'_, '_>, findings: &mut Findings) {
    for node in context.document.nodes() {
        empty(node, findings);
        if !context.dialect.table().same_first_key {
            first_keys(context, node, findings);
        }
        merged(context, node, findings);
        beside_properties(context, node, findings);
        if context.dialect == Dialect::GEMINI || context.dialect == Dialect::XAI {
            exclusive(node, findings);
        }
    }
}

fn empty(node: &Node<'_>, findings: &mut Findings) {
    for keyword in ["anyOf", "oneOf", "allOf"] {
        if matches!(node.get(keyword), Some(Value::Array(branches)) if branches.is_empty()) {
            findings.error(
                "union",
                node.at(keyword),
                format!("{keyword} has no branches"),
            );
        }
    }
}

/// Two branches of an `anyOf` that begin with the same property, which cannot be told apart in time.
fn first_keys(context: &Context<'_, '_>, node: &Node<'_>, findings: &mut Findings) {
    let document = context.document;
    let Some(Value::Array(branches)) = node.get("anyOf") else {
        return;
    };
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for (number, schema) in branches.iter().enumerate() {
        let found = document.index_of(schema);
        let Some((mut at, mut branch)) = found.and_then(|at| Some((at, document.node(at)?))) else {
            continue;
        };
        let pointer = &*branch.pointer;
        // References are followed, but not for ever.
        for _ in 0..16 {
            match document.target(at) {
                Target::Node(target) => match document.node(*target) {
                    Some(node) => (at, branch) = (*target, node),
                    None => break,
                },
                _ => break,
            }
        }
        let Some(first) = properties(branch).next() else {
            continue;
        };
        if let Some(other) = seen.get(first) {
            if !told_apart(branch, first) {
                findings
                    .error(
                        "same-first-key",
                        pointer,
                        format!(
                            "the branch begins with {:?}, as the branch {other} does",
                            short(first)
                        ),
                    )
                    .with_help("let each branch begin with a property of its own");
            }
        } else {
            seen.insert(first, number);
        }
    }
}

/// Whether the first property is a constant, by which the branches can be told apart.
fn told_apart(branch: &Node<'_>, first: &str) -> bool {
    let property = branch
        .get("properties")
        .and_then(|properties| properties.get(first));
    property
        .is_some_and(|property| property.get("const").is_some() || property.get("enum").is_some())
}

/// `allOf`, where it is restricted.
fn merged(context: &Context<'_, '_>, node: &Node<'_>, findings: &mut Findings) {
    let Some(Value::Array(branches)) = node.get("allOf") else {
        return;
    };
    let restricted = context
        .dialect
        .table()
        .keyword("allOf")
        .is_some_and(|fact| fact.support == Support::Restricted);
    if !restricted {
        return;
    }
    if context.dialect == Dialect::ANTHROPIC {
        let refers = |schema: &Value| schema.get("$ref").is_some();
        if refers(node.schema) || branches.iter().any(refers) {
            findings.error("union", node.at("allOf"), "allOf stands together with $ref");
        }
    } else if branches.len() > 1 {
        findings.add(
            "union",
            Severity::Warning,
            node.at("allOf"),
            "allOf with several branches is not enforced",
        );
    }
}

/// llama.cpp makes a grammar of the one or of the other.
fn beside_properties(context: &Context<'_, '_>, node: &Node<'_>, findings: &mut Findings) {
    if context.dialect != Dialect::LLAMA_CPP || node.get("properties").is_none() {
        return;
    }
    for keyword in ["anyOf", "oneOf"] {
        if node.get(keyword).is_some() {
            findings.add(
                "union",
                Severity::Warning,
                node.at(keyword),
                format!("{keyword} beside properties: one of them is left out of account"),
            );
        }
    }
}

/// `oneOf` that is read as `anyOf`.
fn exclusive(node: &Node<'_>, findings: &mut Findings) {
    if node.get("oneOf").is_some() {
        findings.add(
            "union",
            Severity::Warning,
            node.at("oneOf"),
            "oneOf is read as anyOf: a value that fits two branches passes",
        );
    }
}
