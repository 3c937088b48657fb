//! What kind of document a schema asks for.

use serde_json::Value;
use tamis_json::Wanted;

/// An object or an array where the schema's root says so, so that a JSON string which holds one is
/// taken for it.
pub(crate) fn wanted(schema: &Value) -> Wanted {
    match schema.get("type").and_then(Value::as_str) {
        Some("object") => Wanted::Object,
        Some("array") => Wanted::Array,
        _ => Wanted::Any,
    }
}
