//! Absence, in dialects in which every property is there; and null, where unions are few.

use serde_json::{Map, Value, json};

use super::change::{ChangeKind, Effect};
use super::work::Work;
use crate::lift::plan::{Absence, BOX_VALUE};
use crate::lift::shape::Types;

impl Work<'_> {
    /// A schema that can say too that the value is not there, and how it says so.
    pub(super) fn with_absence(&mut self, schema: Value, at: &str) -> (Value, Absence) {
        let types = self.sent_shape(&schema).types();
        let text = "the optional property became required";
        self.unions += 1;
        if !types.meets(Types::NULL) {
            let text = format!("{text}, and null where it was absent");
            self.change(ChangeKind::OptionalToRequired, at, Effect::Exact, text);
            return (
                self.or(schema, json!({"type": "null"})),
                Absence::Marker(Value::Null),
            );
        }
        // Its own null stays what it is, so that absence needs another sign.
        let sign = if types.meets(Types::BOOLEAN) {
            (!types.meets(Types::STRING)).then(|| json!("absent"))
        } else {
            Some(Value::Bool(false))
        };
        if let Some(sign) = sign {
            let text = format!("{text}, and {sign} where it was absent, as its null has a meaning");
            self.change(ChangeKind::OptionalToRequired, at, Effect::Exact, text);
            let words = format!("{sign}: not present.");
            let mut marker = Map::new();
            let name = if sign.is_boolean() {
                "boolean"
            } else {
                "string"
            };
            marker.insert("type".to_owned(), json!(name));
            let values = json!([sign]);
            let mut is_enforced = false;
            if self.rules.takes("enum", &values) {
                marker.insert("enum".to_owned(), values);
                is_enforced = true;
            } else if self.rules.takes("const", &sign) {
                marker.insert("const".to_owned(), sign.clone());
                is_enforced = true;
            }
            if !is_enforced {
                let text = "the sign for its absence could not be enforced";
                self.change(ChangeKind::EnumDescribed, at, Effect::Widening, text);
            }
            self.say(&mut marker, &[words]);
            return (
                self.or(schema, Value::Object(marker)),
                Absence::Marker(sign),
            );
        }
        let text = format!("{text}, and null where it was absent, else in an object");
        self.change(ChangeKind::OptionalToRequired, at, Effect::Exact, text);
        let boxed = json!({
            "type": "object",
            "properties": {BOX_VALUE: schema},
            "required": [BOX_VALUE],
            "additionalProperties": false,
        });
        (self.or(boxed, json!({"type": "null"})), Absence::Boxed)
    }

    /// One schema or the other.
    fn or(&self, schema: Value, other: Value) -> Value {
        let is_null = other == json!({"type": "null"});
        match schema {
            Value::Object(mut schema)
                if is_null
                    && !schema.contains_key("enum")
                    && !schema.contains_key("const")
                    && matches!(schema.get("type"), Some(Value::String(_))) =>
            {
                if let Some(kind) = schema.get_mut("type") {
                    *kind = json!([kind.clone(), "null"]);
                }
                Value::Object(schema)
            }
            Value::Object(mut schema)
                if schema
                    .get("anyOf")
                    .and_then(Value::as_array)
                    .is_some_and(|branches| self.rules.takes_branches(branches.len() + 1)) =>
            {
                if let Some(Value::Array(branches)) = schema.get_mut("anyOf") {
                    branches.push(other);
                }
                Value::Object(schema)
            }
            Value::Object(mut schema) => {
                // What is said about the whole stays above.
                let mut union = Map::new();
                if !schema.contains_key("$ref")
                    && let Some(description) = schema.shift_remove("description")
                {
                    union.insert("description".to_owned(), description);
                }
                union.insert("anyOf".to_owned(), json!([schema, other]));
                Value::Object(union)
            }
            schema => json!({"anyOf": [schema, other]}),
        }
    }
}

/// A nullable schema without its null; `None` where it is none, or not plainly.
pub(super) fn without_null(schema: &Value) -> Option<Value> {
    let mut schema = schema.as_object()?.clone();
    if let Some(Value::Array(types)) = schema.get("type") {
        if schema.contains_key("enum") || schema.contains_key("const") {
            return None;
        }
        let left: Vec<Value> = types
            .iter()
            .filter(|name| *name != "null")
            .cloned()
            .collect();
        if left.len() == types.len() || left.is_empty() {
            return None;
        }
        let left = match left.as_slice() {
            [name] => name.clone(),
            _ => Value::Array(left),
        };
        schema.insert("type".to_owned(), left);
        return Some(Value::Object(schema));
    }
    let branches = schema.get("anyOf")?.as_array()?;
    let null = json!({"type": "null"});
    let mut left: Vec<Value> = branches
        .iter()
        .filter(|branch| **branch != null)
        .cloned()
        .collect();
    if left.len() == branches.len() {
        return None;
    }
    if left.len() == 1 && schema.len() == 1 {
        return left.pop();
    }
    schema.insert("anyOf".to_owned(), Value::Array(left));
    Some(Value::Object(schema))
}
