//! Strings, numbers, booleans and null; enums and constants.

use serde_json::{Map, Value, json};

use super::change::{ChangeKind, Effect};
use super::merge::types_of;
use super::node::split_annotations;
use super::words::{list, sentence};
use super::work::{Out, Work, Written};
use crate::lift::plan::StepId;
use crate::lift::shape::{Types, same};

impl Work<'_> {
    pub(super) fn scalar(&mut self, mut schema: Map<String, Value>, at: &str) -> Out {
        let original = self.original_shape(&schema);
        let types = types_of(&schema);
        let mut written = Map::new();
        if let Some(kind) = schema.shift_remove("type") {
            written.insert("type".to_owned(), kind);
        }
        self.finish(&mut written, schema, StepId::SAME, types, at);
        Out {
            schema: Value::Object(written),
            step: StepId::SAME,
            original,
        }
    }

    /// A schema that counts its values.
    pub(super) fn values(
        &mut self,
        mut schema: Map<String, Value>,
        at: &str,
        depth: usize,
    ) -> Written {
        let types = types_of(&schema);
        let constant = schema.shift_remove("const");
        let listed = match schema.shift_remove("enum") {
            Some(Value::Array(values)) => Some(values),
            _ => None,
        };
        let is_constant = constant.is_some() && listed.is_none();
        let mut values = match (constant, listed) {
            (Some(one), Some(listed)) => {
                if !listed.iter().any(|value| same(value, &one)) {
                    return Ok(None);
                }
                vec![one]
            }
            (Some(one), None) => vec![one],
            (None, listed) => listed.unwrap_or_default(),
        };
        values.retain(|value| types.has(Types::of(value)));
        let mut once: Vec<Value> = Vec::new();
        if values.len() < 300 {
            for value in values {
                if !once.iter().any(|other| same(other, &value)) {
                    once.push(value);
                }
            }
        } else {
            once = values;
        }
        let values = once;
        if values.is_empty() {
            return Ok(None);
        }
        schema.shift_remove("type");
        let annotations = split_annotations(&mut schema);
        // What else is said, each value says by itself, or does not conform.
        let values: Vec<Value> = if schema.is_empty() {
            values
        } else {
            let inner = crate::validate::Validator::new(&Value::Object(without_references(schema)));
            match inner {
                Ok(rules) => values
                    .into_iter()
                    .filter(|value| rules.is_valid(value))
                    .collect(),
                Err(_) => values,
            }
        };
        if values.is_empty() {
            return Ok(None);
        }
        self.value_groups(values, is_constant, annotations, at, depth)
    }

    fn value_groups(
        &mut self,
        values: Vec<Value>,
        is_constant: bool,
        annotations: Map<String, Value>,
        at: &str,
        depth: usize,
    ) -> Written {
        let mut groups: Vec<(Types, Vec<Value>)> = Vec::new();
        let mut branches: Vec<Value> = Vec::new();
        for value in values {
            if value.is_array() || value.is_object() {
                branches.push(spelled_out(&value));
                continue;
            }
            let kind = match Types::of(&value) {
                Types::FRACTION => Types::INTEGER,
                kind => kind,
            };
            match groups.iter_mut().find(|(other, _)| *other == kind) {
                Some((_, group)) => group.push(value),
                None => groups.push((kind, vec![value])),
            }
        }
        if branches.is_empty()
            && groups.len() == 1
            && let Some((_, group)) = groups.pop()
        {
            return Ok(Some(self.group(&group, is_constant, annotations, at)));
        }
        let mut all: Vec<Value> = groups
            .into_iter()
            .map(|(_, group)| json!({"enum": group}))
            .collect();
        all.extend(branches);
        let text = "the values were sorted by their types";
        self.change(ChangeKind::UnionRewritten, at, Effect::Exact, text);
        if all.len() == 1
            && let Some(Value::Object(mut one)) = all.pop()
        {
            one.extend(annotations);
            return self.flat(one, at, depth);
        }
        let mut union = annotations;
        union.insert("anyOf".to_owned(), Value::Array(all));
        self.union(union, at, depth)
    }

    /// Scalars of one type.
    fn group(
        &mut self,
        values: &[Value],
        is_constant: bool,
        annotations: Map<String, Value>,
        at: &str,
    ) -> Out {
        let kind = match values.first() {
            Some(Value::String(_)) => "string",
            Some(Value::Bool(_)) => "boolean",
            Some(Value::Null) | None => "null",
            Some(_) if values.iter().all(|value| value.is_i64() || value.is_u64()) => "integer",
            Some(_) => "number",
        };
        let mut written = Map::new();
        written.insert("type".to_owned(), json!(kind));
        let listed = Value::Array(values.to_vec());
        let original = self.original_shape(&Map::from_iter([
            ("type".to_owned(), json!(kind)),
            ("enum".to_owned(), listed.clone()),
        ]));
        let fits = self.rules.takes_enum_of(values, self.enum_values);
        let is_whole = kind == "null" || (kind == "boolean" && values.len() == 2);
        let mut words = Vec::new();
        let single = values.first().filter(|_| values.len() == 1);
        let takes_enum = fits && self.rules.takes("enum", &listed);
        let takes_const = single.is_some_and(|value| self.rules.takes("const", value));
        if is_whole {
            if kind == "boolean" || !is_constant {
                let text = "the values are all of the type's";
                self.change(ChangeKind::ConstRewritten, at, Effect::Exact, text);
            }
        } else if takes_const && (is_constant || !takes_enum) {
            if !is_constant {
                let text = "the enum of one value became 'const'";
                self.change(ChangeKind::ConstRewritten, at, Effect::Exact, text);
            }
            written.insert(
                "const".to_owned(),
                values.first().cloned().unwrap_or_default(),
            );
        } else if takes_enum {
            if is_constant {
                let text = "'const' became an enum of one value";
                self.change(ChangeKind::ConstRewritten, at, Effect::Exact, text);
            }
            self.enum_values += values.len();
            written.insert("enum".to_owned(), listed);
        } else {
            let text = "the values were put into the description";
            self.change(ChangeKind::EnumDescribed, at, Effect::Widening, text);
            words.push(match single {
                Some(value) => sentence("const", value).unwrap_or_default(),
                None => format!("One of: {}.", list(values)),
            });
        }
        self.finish(&mut written, annotations, StepId::SAME, Types::ALL, at);
        self.say(&mut written, &words);
        Out {
            schema: Value::Object(written),
            step: StepId::SAME,
            original,
        }
    }
}

fn without_references(mut schema: Map<String, Value>) -> Map<String, Value> {
    // Their definitions are elsewhere; what they would rule out is left to the last check.
    schema.retain(|_, value| !value.to_string().contains("\"$ref\""));
    schema
}

/// A schema to which nothing but the array or object conforms.
fn spelled_out(value: &Value) -> Value {
    match value {
        Value::Array(items) => {
            let each: Vec<Value> = items.iter().map(|item| json!({"const": item})).collect();
            if each.is_empty() {
                return json!({"type": "array", "maxItems": 0, "items": {"type": "string"}});
            }
            json!({
                "type": "array",
                "prefixItems": each,
                "items": false,
                "minItems": items.len(),
                "maxItems": items.len(),
            })
        }
        Value::Object(members) => {
            let properties: Map<String, Value> = members
                .iter()
                .map(|(key, value)| (key.clone(), json!({"const": value})))
                .collect();
            let required: Vec<&String> = members.keys().collect();
            json!({
                "type": "object",
                "properties": properties,
                "required": required,
                "additionalProperties": false,
            })
        }
        scalar => json!({"const": scalar}),
    }
}
