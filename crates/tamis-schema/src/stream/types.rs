//! Types of values, as sets.

use serde_json::{Number, Value};
use tamis_json::Scalar;

/// What a value that began is, as far as its first byte tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Null,
    Boolean,
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
            Scalar::True | Scalar::False => Self::Boolean,
            Scalar::Null => Self::Null,
        }
    }
}

impl Kind {
    pub(super) fn of(value: &Value) -> Self {
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

/// A set of kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Kinds(u8);

impl Kinds {
    const ALL: [Kind; 6] = [
        Kind::Null,
        Kind::Boolean,
        Kind::Number,
        Kind::String,
        Kind::Array,
        Kind::Object,
    ];

    /// Those of which this holds.
    pub(super) fn that(holds: impl Fn(Kind) -> bool) -> Self {
        let kinds = Self::ALL.iter().filter(|kind| holds(**kind));
        Self(kinds.fold(0, |bits, kind| bits | 1 << *kind as u8))
    }

    pub(super) const fn has(self, kind: Kind) -> bool {
        self.0 >> kind as u8 & 1 == 1
    }
}

/// A set of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Types {
    bits: u8,
    /// 1.0 is an integer, as since the draft 6.
    fractions_of_zero: bool,
}

impl Types {
    const NULL: u8 = 1;
    const BOOLEAN: u8 = 2;
    const NUMBER: u8 = 4;
    const STRING: u8 = 8;
    const ARRAY: u8 = 16;
    const OBJECT: u8 = 32;
    const INTEGER: u8 = 64;

    pub(super) const fn none(fractions_of_zero: bool) -> Self {
        Self {
            bits: 0,
            fractions_of_zero,
        }
    }

    /// Adds a type by its name; an unknown one is none that a value could have.
    pub(super) fn add(&mut self, name: &str) {
        self.bits |= match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "number" => Self::NUMBER,
            "integer" => Self::INTEGER,
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => 0,
        };
    }

    /// Adds the type of a value.
    pub(super) fn add_kind(&mut self, kind: Kind) {
        self.bits |= Self::bits(kind);
    }

    /// Whether a value of this kind may turn out to be of one of the types.
    pub(super) fn may_be(self, kind: Kind) -> bool {
        let bits = match kind {
            // It may grow until it is kept as text.
            Kind::Number => Self::NUMBER | Self::INTEGER | Self::STRING,
            kind => Self::bits(kind),
        };
        self.bits & bits != 0
    }

    /// Whether a value is of one of the types.
    pub(super) fn has(self, value: &Value) -> bool {
        match value {
            Value::Number(number) => {
                self.bits & Self::NUMBER != 0
                    || (self.bits & Self::INTEGER != 0 && self.is_integer(number))
            }
            value => self.bits & Self::bits(Kind::of(value)) != 0,
        }
    }

    fn is_integer(self, number: &Number) -> bool {
        if number.is_i64() || number.is_u64() {
            return true;
        }
        self.fractions_of_zero && number.as_f64().is_some_and(|float| float.fract() == 0.0)
    }

    const fn bits(kind: Kind) -> u8 {
        match kind {
            Kind::Null => Self::NULL,
            Kind::Boolean => Self::BOOLEAN,
            Kind::Number => Self::NUMBER,
            Kind::String => Self::STRING,
            Kind::Array => Self::ARRAY,
            Kind::Object => Self::OBJECT,
        }
    }
}
