//! References: that they lead somewhere, and as the upstream takes them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::super::Context;
use super::super::finding::{Findings, Severity, short};
use super::super::schema::required;
use crate::dialect::{Recursion, Siblings, Unsupported};
use crate::refs::{Node, Place, Target};

pub(super) fn check(context: &Context<'_, '_>, findings: &mut Findings) {
    let document = context.document;
    for (index, node) in document.nodes().iter().enumerate() {
        match document.target(index) {
            Target::None => continue,
            Target::Missing => {
                findings.error(
                    "reference",
                    node.at("$ref"),
                    "the reference leads to nothing",
                );
            }
            Target::External => {
                findings
                    .error(
                        "reference",
                        node.at("$ref"),
                        "the reference leads out of the schema",
                    )
                    .with_help("put what it refers to under $defs");
            }
            Target::Node(target) => place(context, node, *target, findings),
        }
        siblings(context, node, findings);
    }
    recursion(context, findings);
}

/// Where definitions may stand.
fn place(context: &Context<'_, '_>, node: &Node<'_>, target: usize, findings: &mut Findings) {
    let rule = context.dialect.table().references;
    let allowed = match context
        .document
        .node(target)
        .map(|node| (node.place, node.pointer.as_str()))
    {
        Some((Place::Definition(_), pointer)) => rule.definitions.iter().any(|keyword| {
            pointer
                .strip_prefix('/')
                .and_then(|rest| rest.strip_prefix(keyword))
                .is_some_and(|rest| rest.starts_with('/'))
        }),
        Some((Place::Root, _)) => rule.recursion != Recursion::Refused,
        _ => false,
    };
    if allowed {
        return;
    }
    let words = rule
        .definitions
        .iter()
        .map(|word| format!("#/{word}/…"))
        .collect::<Vec<_>>();
    let severity = match context.dialect.table().unsupported {
        Unsupported::Refused => Severity::Error,
        _ if rule.definitions.len() == 1 => Severity::Error,
        _ => Severity::Warning,
    };
    findings
        .add(
            "reference",
            severity,
            node.at("$ref"),
            "the reference leads to no definition",
        )
        .with_help(format!("references may lead to {}", words.join(" and ")));
}

fn siblings(context: &Context<'_, '_>, node: &Node<'_>, findings: &mut Findings) {
    let rule = context.dialect.table().references.siblings;
    // Definitions stand beside the root's reference because there is no other place for them.
    let organises = |keyword: &str| {
        node.place == Place::Root && matches!(keyword, "$defs" | "definitions" | "$schema" | "$id")
    };
    let beside = node
        .keywords()
        .into_iter()
        .flat_map(|keywords| keywords.keys())
        .find(|keyword| {
            *keyword != "$ref"
                && !organises(keyword)
                && match rule {
                    Siblings::Any => false,
                    Siblings::None => true,
                    Siblings::Dollar => !keyword.starts_with('$'),
                }
        });
    if let Some(keyword) = beside {
        findings
            .error(
                "reference-siblings",
                node.at(keyword),
                format!("{keyword} stands beside a $ref"),
            )
            .with_help("put what the reference leads to in its place");
    }
}

fn recursion(context: &Context<'_, '_>, findings: &mut Findings) {
    let rule = context.dialect.table().references.recursion;
    for way in context.document.cycles(&within_optional(context)) {
        let on_way = way
            .first
            .iter()
            .filter_map(|index| context.document.node(*index));
        let Some(first) = on_way.clone().next() else {
            continue;
        };
        let names: Vec<_> = on_way
            .filter_map(|node| node.get("$ref").and_then(Value::as_str))
            .map(short)
            .collect();
        let mut around = names.join(" → ");
        if way.length > names.len() {
            around = format!("{around} → … ({} references in all)", way.length);
        }
        if way.endless {
            findings.error(
                "recursion",
                first.at("$ref"),
                format!("the references lead in a circle, and to no schema: {around}"),
            );
            continue;
        }
        let severity = match rule {
            Recursion::Allowed => Severity::Info,
            Recursion::Optional if way.marked => Severity::Info,
            Recursion::Optional | Recursion::Refused => Severity::Error,
        };
        let what = match rule {
            Recursion::Optional if severity == Severity::Error => {
                "the schema is recursive outside of optional properties"
            }
            _ => "the schema is recursive",
        };
        let finding = findings.add(
            "recursion",
            severity,
            first.at("$ref"),
            format!("{what}: {around}"),
        );
        if severity == Severity::Error {
            finding.with_help("unroll it to a fixed depth");
        }
    }
}

/// Whether each schema stands in a property that is not required, at any height up to its definition.
fn within_optional(context: &Context<'_, '_>) -> Vec<bool> {
    let mut within: Vec<bool> = Vec::new();
    // What the schemas with properties require, each gone through once.
    let mut needed: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    for node in context.document.nodes() {
        let above = node
            .parent
            .and_then(|parent| Some((parent, context.document.node(parent)?)));
        let optional = match (node.place, above) {
            (Place::Property(name), Some((index, parent))) => !needed
                .entry(index)
                .or_insert_with(|| required(parent).collect())
                .contains(name),
            _ => false,
        };
        let inherited = !matches!(node.place, Place::Definition(_))
            && above.is_some_and(|(index, _)| within.get(index).copied().unwrap_or_default());
        within.push(optional || inherited);
    }
    within
}
