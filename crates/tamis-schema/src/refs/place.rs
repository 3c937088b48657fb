//! As what a schema stands in another.

use serde_json::Value;

/// As what a schema stands in another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place<'s> {
    Root,
    /// A definition, of this name.
    Definition(&'s str),
    Property(&'s str),
    /// What a keyword applies to some part of the value: `items`, `additionalProperties`.
    Applied,
    /// A branch, by its number.
    Branch(usize),
    /// What a keyword applies to the same value: `not`, `if`.
    SameValue,
    /// Somewhere that no keyword makes a schema, and a reference leads to.
    Referenced,
}

/// How a keyword holds schemas.
#[derive(Clone, Copy)]
pub(super) enum Holds {
    One,
    /// One, or an array of them.
    OneOrMany,
    Many,
    /// An object of them.
    Named,
    /// An object of them, or of lists of names.
    NamedOrLists,
}

/// What a keyword holds, and as what.
pub(super) fn holds(keyword: &str) -> Option<Holds> {
    Some(match keyword {
        "additionalItems"
        | "additionalProperties"
        | "contains"
        | "contentSchema"
        | "else"
        | "if"
        | "not"
        | "propertyNames"
        | "then"
        | "unevaluatedItems"
        | "unevaluatedProperties" => Holds::One,
        "items" => Holds::OneOrMany,
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => Holds::Many,
        "$defs" | "definitions" | "dependentSchemas" | "patternProperties" | "properties" => {
            Holds::Named
        }
        "dependencies" => Holds::NamedOrLists,
        _ => return None,
    })
}

pub(super) fn place<'s>(keyword: &str, key: Option<&'s str>, index: Option<usize>) -> Place<'s> {
    match (keyword, key, index) {
        ("$defs" | "definitions", Some(name), _) => Place::Definition(name),
        ("properties", Some(name), _) => Place::Property(name),
        ("allOf" | "anyOf" | "oneOf", _, Some(index)) => Place::Branch(index),
        ("not" | "if" | "then" | "else" | "dependentSchemas" | "dependencies", _, _) => {
            Place::SameValue
        }
        _ => Place::Applied,
    }
}

/// Whether a schema is about objects.
pub(crate) fn is_object(schema: &Value) -> bool {
    match schema.get("type") {
        Some(Value::String(kind)) => kind == "object",
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "object"),
        Some(_) => false,
        None => schema.get("properties").is_some(),
    }
}
