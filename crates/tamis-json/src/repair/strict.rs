//! The strict reading that comes first: `serde_json`'s own, where its value says all there is to
//! say.

use std::cell::Cell;
use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// `serde_json` reads documents less deep than this.
pub(crate) const DEPTH: usize = 128;

/// Reads a document that leaves nothing to note. `None` when it is no JSON, or when the mending
/// machine has to look at it.
pub(crate) fn read(text: &str) -> Option<Value> {
    if may_hold_long_number(text.as_bytes()) {
        return None;
    }
    let zero = Cell::new(false);
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = Plain { zero: &zero }.deserialize(&mut deserializer).ok()?;
    deserializer.end().ok()?;
    // A zero may be a number too small for a float.
    let tiny = zero.get() && memchr::memmem::find(text.as_bytes(), b"e-").is_some()
        || zero.get() && memchr::memmem::find(text.as_bytes(), b"E-").is_some();
    (!tiny).then_some(value)
}

/// Whether the first bytes and the last fit each other, so that a text that is broken at a glance,
/// or was cut, is not read twice.
pub(crate) fn ends_as_it_begins(text: &str) -> bool {
    let text = text.trim_ascii();
    let mut bytes = text.bytes();
    let (Some(first), last) = (bytes.next(), bytes.next_back()) else {
        return false;
    };
    let comma = || {
        text.as_bytes()
            .iter()
            .rev()
            .skip(1)
            .find(|b| !b.is_ascii_whitespace())
            == Some(&b',')
    };
    match first {
        b'{' => {
            let second = text
                .as_bytes()
                .iter()
                .skip(1)
                .find(|b| !b.is_ascii_whitespace());
            last == Some(b'}') && matches!(second, Some(b'"' | b'}')) && !comma()
        }
        b'[' => last == Some(b']') && !comma(),
        b'"' => last == Some(b'"'),
        first => matches!(first, b'-' | b'0'..=b'9' | b't' | b'f' | b'n'),
    }
}

/// In a text no longer than this, the error of a vain reading would cost more than a first look.
pub(crate) const SHORT: usize = 256;

/// Builds a value, and fails where there is something to note.
#[derive(Clone, Copy)]
struct Plain<'c> {
    zero: &'c Cell<bool>,
}

impl<'de> DeserializeSeed<'de> for Plain<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Plain<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        if value == 0.0 {
            self.zero.set(true);
        } else if value.abs() < 1e-300 {
            // Few digits are left in a float this small.
            return Err(E::custom("small"));
        }
        Number::from_f64(value)
            .map(Value::Number)
            .ok_or_else(|| E::custom("not a number"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element_seed(self)? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = access.next_key::<String>()? {
            let value = access.next_value_seed(self)?;
            if map.insert(key, value).is_some() {
                return Err(A::Error::custom("duplicate"));
            }
        }
        Ok(Value::Object(map))
    }
}

/// Whether a text may hold a number that a float would round: sixteen digits in a row.
///
/// Looks at one byte in sixteen, because such a run cannot hide between two of them.
fn may_hold_long_number(text: &[u8]) -> bool {
    const STRIDE: usize = 16;
    let digit = |b: &u8| b.is_ascii_digit() || *b == b'.';
    text.iter()
        .enumerate()
        .skip(STRIDE - 1)
        .step_by(STRIDE)
        .any(|(at, byte)| {
            digit(byte) && {
                let (before, after) = text.split_at(at);
                let before = before
                    .iter()
                    .rev()
                    .take(STRIDE)
                    .take_while(|b| digit(b))
                    .count();
                let after = after.iter().take(STRIDE).take_while(|b| digit(b)).count();
                before + after >= STRIDE
            }
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_has_something_to_note_is_left_to_the_parser() {
        for text in [
            r#"{"a": 1, "a": 2}"#,
            "[1e-400]",
            "[1e-310]",
            "[1E-400]",
            "2512292042121000001",
            "0.1234567890123456789",
            r#"["\ud800"]"#,
            "[1,]",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(
            read(r#"{"a": [0.0, -1.5e3, null]}"#),
            serde_json::from_str(r#"{"a": [0.0, -1.5e3, null]}"#).ok()
        );
    }

    #[test]
    fn short_runs_do_not_alarm() {
        let text = "12:30 2024-11-30 123456789012345 ".repeat(9);
        assert!(!may_hold_long_number(text.as_bytes()));
    }

    proptest! {
        #[test]
        fn long_runs_are_never_missed(before in "[a-z ]{0,40}", run in "[0-9]{16,40}", after in "[a-z ]{0,40}") {
            let text = format!("{before}{run}{after}");
            prop_assert!(may_hold_long_number(text.as_bytes()));
        }
    }
}
