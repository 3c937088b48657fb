//! Faults of calls for embeddings: vectors that are not those of the inputs.

use serde_json::{Map, Value, json};

use super::op::VectorSlip;
use super::{Fault, Op, Tampering};
use crate::object::set;

macro_rules! slip {
    ($name:literal, $slip:ident, $summary:literal) => {
        Fault::embeddings(
            $name,
            $summary,
            &[Op::Tamper(Tampering::Vectors(VectorSlip::$slip))],
        )
    };
}

pub(super) const TABLE: &[Fault] = &[
    slip!("vector-missing", Missing, "The last vector is missing"),
    slip!("vector-doubled", Doubled, "The last vector comes twice"),
    slip!(
        "vectors-reordered",
        Reordered,
        "The last vector comes first; each says its place"
    ),
    slip!("vector-empty", Empty, "The last vector is empty"),
    slip!(
        "vector-too-short",
        Short,
        "The last vector has half as many dimensions as the others"
    ),
    slip!(
        "vector-not-finite",
        NotFinite,
        "The last vector holds a number beyond all floats"
    ),
];

impl VectorSlip {
    pub(super) fn spoil(self, body: &mut Map<String, Value>) {
        let Some(data) = body.get_mut("data").and_then(Value::as_array_mut) else {
            return;
        };
        match self {
            Self::Missing => {
                data.pop();
            }
            Self::Doubled => {
                if let Some(last) = data.last().cloned() {
                    data.push(last);
                }
            }
            Self::Reordered => {
                if let Some(last) = data.pop() {
                    data.insert(0, last);
                }
            }
            Self::Empty | Self::Short | Self::NotFinite => {
                if let Some(last) = data.last_mut() {
                    let vector = last.get("embedding").cloned().unwrap_or_default();
                    set(last, "embedding", self.spoiled(vector));
                }
            }
        }
    }

    fn spoiled(self, vector: Value) -> Value {
        match (self, vector) {
            (Self::Short, Value::Array(numbers)) => {
                let half = numbers.len() / 2;
                numbers.into_iter().take(half).collect()
            }
            // One number, in base64.
            (Self::Short, Value::String(_)) => json!("AACAPw=="),
            (Self::NotFinite, Value::Array(mut numbers)) => {
                if let Some(last) = numbers.last_mut() {
                    *last = json!(1e300);
                }
                numbers.into()
            }
            // What is not a number, in base64.
            (Self::NotFinite, Value::String(_)) => json!("AADAfw=="),
            (_, Value::String(_)) => json!(""),
            _ => json!([]),
        }
    }
}
