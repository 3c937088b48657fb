//! How much of everything.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::Context;
use super::super::finding::Findings;
use super::super::schema::{describes_object, properties, required, types};
use crate::refs::Place;

pub(super) fn check(context: &Context<'_, '_>, findings: &mut Findings) {
    let limits = context.dialect.table().limits;
    let counts = Counts::of(context);
    for (what, count, limit) in [
        ("properties", counts.properties, limits.properties),
        ("enum values", counts.enum_values, limits.enum_values),
        (
            "characters in names, enum values and constants",
            counts.characters,
            limits.characters,
        ),
        ("unions", counts.unions, limits.unions),
        (
            "properties that are not required",
            counts.optionals,
            limits.optionals,
        ),
        (
            "characters as JSON",
            counts.schema_characters,
            limits.schema_characters,
        ),
    ] {
        if let Some(most) = limit.filter(|most| count > *most) {
            findings.error(
                "limit",
                "",
                format!("the schema has {count} {what}, and {most} are taken"),
            );
        }
    }
    for node in context.document.nodes() {
        if let Some(most) = limits
            .depth
            .filter(|most| node.depth == most + 1 && describes_object(node))
        {
            findings.error(
                "limit",
                &*node.pointer,
                format!("objects are nested deeper than {most} levels"),
            );
        }
        if let (Some(Value::Array(branches)), Some(most)) = (node.get("anyOf"), limits.branches)
            && branches.len() > most
        {
            findings.error(
                "limit",
                node.at("anyOf"),
                format!(
                    "the anyOf has {} branches, and {most} are taken",
                    branches.len()
                ),
            );
        }
    }
}

#[derive(Default)]
struct Counts {
    properties: usize,
    enum_values: usize,
    characters: usize,
    unions: usize,
    optionals: usize,
    schema_characters: usize,
}

impl Counts {
    fn of(context: &Context<'_, '_>) -> Self {
        let mut counts = Self::default();
        for node in context.document.nodes() {
            let needed: BTreeSet<&str> = required(node).collect();
            for name in properties(node) {
                counts.properties += 1;
                counts.characters += name.chars().count();
                counts.optionals += usize::from(!needed.contains(name));
            }
            if let Place::Definition(name) = node.place {
                counts.characters += name.chars().count();
            }
            if let Some(Value::Array(values)) = node.get("enum") {
                counts.enum_values += values.len();
                counts.characters += values.iter().map(characters).sum::<usize>();
            }
            counts.characters += node.get("const").map_or(0, characters);
            counts.unions +=
                usize::from(node.get("anyOf").is_some() || types(node.schema).len() > 1);
        }
        if let Some(root) = context.document.node(0) {
            counts.schema_characters = root.schema.to_string().chars().count();
        }
        counts
    }
}

/// The characters of a value, as upstreams count them.
fn characters(value: &Value) -> usize {
    match value {
        Value::String(text) => text.chars().count(),
        value => value.to_string().chars().count(),
    }
}
