//! A document, and its schema, as answers have them.
#![expect(
    clippy::cast_precision_loss,
    clippy::indexing_slicing,
    reason = "small numbers, and a list of three"
)]

use serde_json::{Value, json};

/// An order of so many lines.
pub fn order(lines: usize) -> Value {
    let lines: Vec<Value> = (0..lines)
        .map(|n| {
            json!({
                "id": format!("line-{n:05}"),
                "name": format!("Sourdough loaf, whole grain, number {n}"),
                "kind": (["bread", "cake", "drink"][n % 3]),
                "quantity": n % 7 + 1,
                "price": 3.5 + n as f64 / 10.0,
                "note": if n % 4 == 0 { Value::Null } else { json!("Sliced, please, and packed twice.") },
                "tags": ["fresh", "organic", "no nuts"],
                "shape": {"type": "box", "width": n % 30, "height": 12},
            })
        })
        .collect();
    json!({"customer": "Ada Lovelace", "city": "London", "lines": lines})
}

/// What such an order conforms to.
pub fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "customer": {"type": "string", "minLength": 1},
            "city": {"type": "string", "maxLength": 80},
            "lines": {"type": "array", "items": {"$ref": "#/$defs/line"}},
        },
        "required": ["customer", "city", "lines"],
        "additionalProperties": false,
        "$defs": {"line": {
            "type": "object",
            "properties": {
                "id": {"type": "string", "maxLength": 40},
                "name": {"type": "string"},
                "kind": {"type": "string", "enum": ["bread", "cake", "drink"]},
                "quantity": {"type": "integer", "minimum": 1, "maximum": 100},
                "price": {"type": "number", "minimum": 0},
                "note": {"type": ["string", "null"]},
                "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 8},
                "shape": {"anyOf": [
                    {"type": "object", "properties": {"type": {"const": "box"}, "width": {"type": "integer"}, "height": {"type": "integer"}},
                        "required": ["type", "width", "height"], "additionalProperties": false},
                    {"type": "object", "properties": {"type": {"const": "disc"}, "radius": {"type": "integer"}},
                        "required": ["type", "radius"], "additionalProperties": false},
                ]},
            },
            "required": ["id", "name", "kind", "quantity", "price", "note", "tags", "shape"],
            "additionalProperties": false,
        }},
    })
}
