//! Types of values, as sets.

use serde_json::Value;
use tamis_json::Scalar;

/// What a value that began is, as far as its first byte tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Null,
    Boolean(bool),
    /// A number, or text in place of one that no JSON number type holds.
    Number,
    String,
    Array,
    Object,
}

impl From<Scalar> for Kind {
    fn from(scalar: Scalar) -> Self {
        match scalar {
            Scalar::String => Self::String,
            Scalar::Number => Self::Number,
            Scalar::True => Self::Boolean(true),
            Scalar::False => Self::Boolean(false),
            Scalar::Null => Self::Null,
        }
    }
}

impl Kind {
    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(is) => Self::Boolean(*is),
            Value::Number(_) => Self::Number,
            Value::String(_) => Self::String,
            Value::Array(_) => Self::Array,
            Value::Object(_) => Self::Object,
        }
    }
}

/// A set of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Types(u8);

impl Types {
    const NULL: u8 = 1;
    const BOOLEAN: u8 = 2;
    const NUMBER: u8 = 4;
    const STRING: u8 = 8;
    const ARRAY: u8 = 16;
    const OBJECT: u8 = 32;

    pub(super) const NONE: Self = Self(0);

    /// Adds a type by its name; an unknown one is none that a value could have.
    pub(super) fn add(&mut self, name: &str) {
        self.0 |= match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "number" | "integer" => Self::NUMBER,
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => 0,
        };
    }

    /// Adds the type of a value.
    pub(super) fn add_kind(&mut self, kind: Kind) {
        self.0 |= Self::bits(kind);
    }

    /// Whether a value of this kind may turn out to be of one of the types.
    pub(super) fn may_be(self, kind: Kind) -> bool {
        let bits = match kind {
            // It may grow until it is kept as text.
            Kind::Number => Self::NUMBER | Self::STRING,
            kind => Self::bits(kind),
        };
        self.0 & bits != 0
    }

    fn bits(kind: Kind) -> u8 {
        match kind {
            Kind::Null => Self::NULL,
            Kind::Boolean(_) => Self::BOOLEAN,
            Kind::Number => Self::NUMBER,
            Kind::String => Self::STRING,
            Kind::Array => Self::ARRAY,
            Kind::Object => Self::OBJECT,
        }
    }
}
