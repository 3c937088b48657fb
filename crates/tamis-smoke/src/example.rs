//! The built-in example: a medium schema, and a prompt that fits it.

use serde_json::{Value, json};

/// The example schema's name.
pub(crate) const NAME: &str = "work_order";

/// Text with everything in it that the schema asks for.
pub(crate) const PROMPT: &str = "\
Turn this message into a work order.

\"Hello, this is Ines Duarte from Harbour Bakery, unit 14 on Quay Street. The walk-in freezer has \
been beeping since five this morning and now shows minus nine instead of minus twenty. We open at \
eleven, so please send somebody before that. The compressor was replaced in March by your \
colleague. We will need a new door seal as well, two of them if you have any, and somebody should \
look at the drain, it freezes over. Ring me on 555 0142, the office line is dead.\"

Answer with the work order only.";

/// A work order: nested objects, a list, enums, numbers, and values that may be null. It stays
/// within what every strict mode takes.
pub(crate) fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "equipment": {"type": "string", "enum": ["freezer", "oven", "dishwasher", "other"]},
            "customer": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "company": {"type": ["string", "null"]},
                    "phone": {"type": ["string", "null"]}
                },
                "required": ["name", "company", "phone"],
                "additionalProperties": false
            },
            "urgency": {"type": "string", "enum": ["today", "this_week", "whenever"]},
            "under_warranty": {"type": ["boolean", "null"]},
            "measured_celsius": {"type": ["number", "null"]},
            "tasks": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "action": {"type": "string", "enum": ["inspect", "repair", "replace"]},
                        "part": {"type": "string"},
                        "quantity": {"type": "integer"}
                    },
                    "required": ["action", "part", "quantity"],
                    "additionalProperties": false
                }
            },
            "summary": {"type": "string"}
        },
        "required": ["equipment", "customer", "urgency", "under_warranty", "measured_celsius",
            "tasks", "summary"],
        "additionalProperties": false
    })
}
