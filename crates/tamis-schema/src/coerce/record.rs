//! What was done to a value: [`Coercion`].

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::Value;
use tamis_json::Pointer;

/// One schema-guided change to a value. It holds nothing of the value but the keys on the way there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Coercion {
    /// What was done.
    pub kind: CoercionKind,
    /// Where, in the value as it came out.
    pub pointer: Pointer,
    /// What stood there before.
    pub from: JsonKind,
    /// What stands there now.
    pub to: JsonKind,
}

impl Coercion {
    pub(super) fn new(kind: CoercionKind, from: JsonKind, to: JsonKind) -> Self {
        Self {
            kind,
            pointer: Pointer::root(),
            from,
            to,
        }
    }

    /// The same one level further down.
    pub(super) fn below(&self, at: &Pointer) -> Self {
        let mut pointer = at.clone();
        for segment in self.pointer.segments() {
            pointer.push_key(&segment);
        }
        Self {
            pointer,
            ..self.clone()
        }
    }
}

impl fmt::Display for Coercion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.message())?;
        if self.pointer.is_root() {
            Ok(())
        } else {
            write!(f, " at {}", self.pointer)
        }
    }
}

/// The kinds of [`Coercion`], the cheapest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum CoercionKind {
    /// A text that is a JSON number became that number: `"5"` to `5`.
    TextToNumber,
    /// An integer became its digits: `5` to `"5"`.
    NumberToText,
    /// A text that is a truth value, in any case, became one: `"true"` to `true`.
    TextToBoolean,
    /// A single value became an array of it: `"a"` to `["a"]`.
    SingleToArray,
    /// A text became the one of the schema's `enum` or `const` that it is in another case.
    Case,
    /// White space around a text was taken off.
    WhiteSpace,
    /// An object with one key that the schema does not know gave way to what it held.
    Wrapper,
    /// A text that is a JSON object or array became that: `"{}"` to `{}`.
    Stringified,
}

impl CoercionKind {
    /// Every kind, the cheapest first.
    pub const ALL: [Self; 8] = [
        Self::TextToNumber,
        Self::NumberToText,
        Self::TextToBoolean,
        Self::SingleToArray,
        Self::Case,
        Self::WhiteSpace,
        Self::Wrapper,
        Self::Stringified,
    ];

    /// What one of this kind costs: 1 for the first kind to 8 for the last. A set costs their sum.
    pub const fn cost(self) -> u32 {
        match self {
            Self::TextToNumber => 1,
            Self::NumberToText => 2,
            Self::TextToBoolean => 3,
            Self::SingleToArray => 4,
            Self::Case => 5,
            Self::WhiteSpace => 6,
            Self::Wrapper => 7,
            Self::Stringified => 8,
        }
    }

    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TextToNumber => "text_to_number",
            Self::NumberToText => "number_to_text",
            Self::TextToBoolean => "text_to_boolean",
            Self::SingleToArray => "single_to_array",
            Self::Case => "case",
            Self::WhiteSpace => "white_space",
            Self::Wrapper => "wrapper",
            Self::Stringified => "stringified",
        }
    }

    /// A sentence's beginning about it.
    pub const fn message(self) -> &'static str {
        match self {
            Self::TextToNumber => "a text was taken as the number that it is",
            Self::NumberToText => "an integer was taken as text",
            Self::TextToBoolean => "a text was taken as the truth value that it is",
            Self::SingleToArray => "a single value was put into an array",
            Self::Case => "a text was taken as the same one in another case",
            Self::WhiteSpace => "white space around a text was taken off",
            Self::Wrapper => "an object around a value was taken off",
            Self::Stringified => "a text was taken as the JSON that it is",
        }
    }
}

impl fmt::Display for CoercionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for CoercionKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// What a JSON value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum JsonKind {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl From<&Value> for JsonKind {
    fn from(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Boolean,
            Value::Number(_) => Self::Number,
            Value::String(_) => Self::String,
            Value::Array(_) => Self::Array,
            Value::Object(_) => Self::Object,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_follow_the_order() {
        let costs: Vec<u32> = CoercionKind::ALL.iter().map(|kind| kind.cost()).collect();
        assert_eq!(costs, [1, 2, 3, 4, 5, 6, 7, 8]);
        assert!(CoercionKind::ALL.is_sorted());
    }

    #[test]
    fn a_coercion_is_written_without_the_value() {
        let mut coercion = Coercion::new(
            CoercionKind::TextToNumber,
            JsonKind::String,
            JsonKind::Number,
        );
        coercion.pointer.push_key("a/b");
        let json = serde_json::to_value(&coercion).unwrap();
        assert_eq!(
            json,
            serde_json::json!({"kind": "text_to_number", "pointer": "/a~1b", "from": "string", "to": "number"})
        );
        assert_eq!(
            coercion.to_string(),
            "a text was taken as the number that it is at /a~1b"
        );
    }
}
