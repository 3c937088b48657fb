//! JSON whose meaning is plain: `serde_json`'s values, but no key twice in one object.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Parses a whole text. Why it failed is not told, since the reason may quote the text.
pub(super) fn parse(text: &[u8]) -> Option<Value> {
    serde_json::from_slice::<Plain>(text)
        .ok()
        .map(|plain| plain.0)
}

/// A value without duplicate keys. Of two, one reader takes the first and another the last, so what
/// the server meant would be a guess.
struct Plain(Value);

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PlainVisitor).map(Self)
    }
}

struct PlainVisitor;

impl<'de> Visitor<'de> for PlainVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        let number = Number::from_f64(value).ok_or_else(|| E::custom("number out of range"))?;
        Ok(number.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(Plain(item)) = items.next_element()? {
            array.push(item);
        }
        Ok(array.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some((key, Plain(value))) = members.next_entry::<String, Plain>()? {
            if object.insert(key, value).is_some() {
                return Err(A::Error::custom("duplicate key"));
            }
        }
        Ok(object.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_json_reads_as_serde_json_reads_it() {
        for text in [
            "null",
            " [true, false, 0, -1, 18446744073709551615, 1.5, \"\\u00e9\", {}, []] ",
            r#"{"a":{"a":1},"b":[{"a":1},{"a":2}]}"#,
        ] {
            assert_eq!(
                parse(text.as_bytes()),
                Some(serde_json::from_str(text).unwrap())
            );
        }
    }

    #[test]
    fn what_has_no_plain_meaning_does_not_parse() {
        let deep = format!("{}{}", "[".repeat(129), "]".repeat(129));
        for text in [
            "",
            "{} {}",
            "[1,]",
            "NaN",
            "1e999",
            r#""\ud800""#,
            "\u{feff}{}",
            r#"{"a":1,"a":1}"#,
            r#"[{"b":{"a":1,"c":2,"\u0061":1}}]"#,
            &deep,
        ] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
        assert_eq!(parse(b"\"\xff\""), None);
    }
}
