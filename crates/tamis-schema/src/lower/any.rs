//! A value of any kind, in dialects that want each type spelled out.

use serde_json::{Map, Value, json};

use super::change::{ChangeKind, Effect};
use super::work::{Definition, Out, Work};
use crate::lift::plan::{ANY_ENTRIES, PAIR_KEY, PAIR_VALUE, Step, StepId};
use crate::lift::shape::{Shape, Types};

impl Work<'_> {
    /// `schema` holds what is said about the value besides.
    pub(super) fn any(&mut self, schema: Map<String, Value>, at: &str) -> Out {
        if self.rules.takes_untyped() {
            let mut written = Map::new();
            self.finish(&mut written, schema, StepId::SAME, Types::ALL, at);
            return Out {
                schema: Value::Object(written),
                step: StepId::SAME,
                original: Shape::anything(),
            };
        }
        if !self.rules.takes_recursion() || !self.rules.takes_references() {
            let text = "a value of any kind is asked for as a string that holds its JSON text";
            self.change(ChangeKind::AnyEncoded, at, Effect::Widening, text);
            let mut written = Map::new();
            self.finish(&mut written, schema, StepId::SAME, Types::ALL, at);
            return self.text(written, "The JSON text of any value.");
        }
        let text = "a value of any kind was spelled out, with its objects as key-value pairs, in which a key may come twice";
        self.change(ChangeKind::AnyEncoded, at, Effect::Widening, text);
        let index = match self.any {
            Some(index) => index,
            None => self.define_any(),
        };
        let mut out = self.refer(index);
        let mut words = Map::new();
        self.finish(&mut words, schema, out.step, Types::ALL, at);
        words.retain(|key, _| key == "description");
        if !words.is_empty() {
            if !self.rules.takes_beside_reference(&words) {
                words.insert("anyOf".to_owned(), json!([out.schema]));
                out.schema = Value::Object(words);
            } else if let Value::Object(written) = &mut out.schema {
                written.extend(words);
            }
        }
        out
    }

    fn define_any(&mut self) -> usize {
        let name = self.fresh_name("any_json");
        let again = json!({"$ref": format!("#/$defs/{name}")});
        let pair = pair(&json!({"type": "string"}), &again);
        let schema = json!({"anyOf": [
            {"type": "string"},
            {"type": "number"},
            {"type": "boolean"},
            {"type": "null"},
            {"type": "array", "items": again},
            {
                "type": "object",
                "properties": {ANY_ENTRIES: {"type": "array", "items": pair}},
                "required": [ANY_ENTRIES],
                "additionalProperties": false,
            },
        ]});
        let step = self.step(Step::Any);
        let index = self.definitions.len();
        self.definitions.push(Definition {
            name,
            step,
            written: Some((schema, Shape::anything())),
        });
        self.any = Some(index);
        self.unions += 1;
        index
    }
}

/// The schema of one key-value pair.
pub(super) fn pair(key: &Value, value: &Value) -> Value {
    json!({
        "type": "object",
        "properties": {PAIR_KEY: key, PAIR_VALUE: value},
        "required": [PAIR_KEY, PAIR_VALUE],
        "additionalProperties": false,
    })
}
