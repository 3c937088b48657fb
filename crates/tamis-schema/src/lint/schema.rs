//! Looking at one schema.

use serde_json::Value;

use crate::refs::{Node, is_object};

/// The types that a schema names.
pub(super) fn types(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(kind)) => vec![kind.as_str()],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// The properties that a schema names.
pub(super) fn properties<'s>(node: &Node<'s>) -> impl Iterator<Item = &'s str> + use<'s> {
    node.get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flat_map(|properties| properties.keys().map(String::as_str))
}

/// The properties that a schema requires.
pub(super) fn required<'s>(node: &Node<'s>) -> impl Iterator<Item = &'s str> + use<'s> {
    node.get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flat_map(|names| names.iter().filter_map(Value::as_str))
}

/// Whether a schema is about objects, and says what they are, rather than being a branch's supplement.
pub(super) fn describes_object(node: &Node<'_>) -> bool {
    is_object(node.schema)
}
