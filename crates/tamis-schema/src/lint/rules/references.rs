//! References: that they lead somewhere, and as the upstream takes them.

use serde_json::Value;

use super::super::Context;
use super::super::finding::{Findings, Severity};
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
    for way in context.document.cycles() {
        let nodes: Vec<&Node<'_>> = way
            .iter()
            .filter_map(|index| context.document.node(*index))
            .collect();
        let Some(first) = nodes.first() else { continue };
        let names: Vec<&str> = nodes
            .iter()
            .filter_map(|node| node.get("$ref").and_then(Value::as_str))
            .collect();
        let around = names.join(" → ");
        if is_endless(context, &way) {
            findings.error(
                "recursion",
                first.at("$ref"),
                format!("the references lead in a circle, and to no schema: {around}"),
            );
            continue;
        }
        let severity = match rule {
            Recursion::Allowed => Severity::Info,
            Recursion::Optional if within_optional(context, &way) => Severity::Info,
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

/// Whether nothing but references is on the way: no value could ever conform.
fn is_endless(context: &Context<'_, '_>, way: &[usize]) -> bool {
    way.iter().enumerate().all(|(place, index)| {
        let next = way.get(place + 1).or(way.first());
        match (context.document.target(*index), next) {
            (Target::Node(target), Some(next)) => target == next,
            _ => false,
        }
    })
}

/// Whether the way goes through a property that is not required.
fn within_optional(context: &Context<'_, '_>, way: &[usize]) -> bool {
    way.iter().any(|index| {
        let mut at = Some(*index);
        while let Some(node) = at.and_then(|index| context.document.node(index)) {
            let parent = node.parent.and_then(|parent| context.document.node(parent));
            if let (Place::Property(name), Some(parent)) = (node.place, parent)
                && !super::super::schema::required(parent).any(|required| required == name)
            {
                return true;
            }
            if matches!(node.place, Place::Definition(_)) {
                return false;
            }
            at = node.parent;
        }
        false
    })
}
