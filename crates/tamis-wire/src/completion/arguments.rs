//! A tool call's arguments, in each of the forms in which servers send them.

use std::borrow::Cow;
use std::fmt;

use serde::de::{IgnoredAny, MapAccess};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::lossless::{Came, Field};
use crate::stream_reader::Problem;

/// A tool call's arguments: JSON text by the protocol, in practice also an object, null or absent.
///
/// What came is written back as it came, to the digit.
#[derive(Clone, Default)]
pub enum Arguments {
    /// No arguments, or null.
    #[default]
    Missing,
    /// JSON text, as the protocol has it; what it holds was not looked at.
    Text(String),
    /// A JSON value in place of text.
    Json(Box<RawValue>),
}

impl Arguments {
    /// The JSON text; empty where none came.
    pub fn text(&self) -> &str {
        match self {
            Self::Missing => "",
            Self::Text(text) => text,
            Self::Json(raw) => raw.get(),
        }
    }

    /// The JSON text, with `{}` for a call without arguments.
    pub fn text_or_empty_object(&self) -> &str {
        let text = self.text();
        if text.trim().is_empty() { "{}" } else { text }
    }

    /// Why the text is not JSON, and where; none where it is, or where no arguments came.
    ///
    /// ```
    /// let arguments = tamis_wire::Arguments::from(r#"{"city":"Oslo"}{"city":"Rome"}"#);
    /// assert_eq!(arguments.problem().unwrap(), "more text follows the JSON (line 1, column 16)");
    /// ```
    pub fn problem(&self) -> Option<String> {
        let parsed = serde_json::from_str::<IgnoredAny>(self.text_or_empty_object());
        parsed.err().map(|error| Problem(&error).to_string())
    }

    pub(crate) fn is_missing(&self) -> bool {
        matches!(self, Self::Missing)
    }

    /// Appends a fragment of a stream.
    pub(crate) fn push(&mut self, fragment: &Arguments) {
        match (&mut *self, fragment) {
            (_, Self::Missing) => {}
            (Self::Text(text), fragment) => text.push_str(fragment.text()),
            (Self::Missing, fragment) => *self = fragment.clone(),
            (Self::Json(raw), fragment) => {
                *self = Self::Text(format!("{}{}", raw.get(), fragment.text()));
            }
        }
    }
}

impl PartialEq for Arguments {
    fn eq(&self, other: &Self) -> bool {
        self.is_missing() == other.is_missing() && self.text() == other.text()
    }
}

/// The length only: arguments are an answer's content.
impl fmt::Debug for Arguments {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "<{} bytes>", self.text().len())
    }
}

impl Serialize for Arguments {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Missing => serializer.serialize_none(),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Json(raw) => raw.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Arguments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        match raw.get().as_bytes().first() {
            Some(b'"') => serde_json::from_str::<Cow<'_, str>>(raw.get())
                .map(|text| Self::Text(text.into_owned()))
                .map_err(serde::de::Error::custom),
            Some(b'n') => Ok(Self::Missing),
            _ => Ok(Self::Json(raw)),
        }
    }
}

// By hand, because they are read as raw JSON to keep every digit of an object.
impl Field for Arguments {
    fn read<'de, A: MapAccess<'de>>(&mut self, map: &mut A) -> Result<Came, A::Error> {
        *self = map.next_value()?;
        Ok(if self.is_missing() {
            Came::Null
        } else {
            Came::Fits
        })
    }

    fn is_read_from(&self, value: &Value) -> bool {
        Self::deserialize(value).is_ok_and(|read| read == *self)
    }
}

impl From<&str> for Arguments {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::Arguments;

    #[test]
    fn every_form_reads_and_writes_back() {
        for (json, text) in [
            (r#""{\"a\":1}""#, r#"{"a":1}"#),
            (
                r#"{"id": 123456789012345678901234567890}"#,
                r#"{"id": 123456789012345678901234567890}"#,
            ),
            ("null", ""),
            (r#""""#, ""),
        ] {
            let arguments: Arguments = serde_json::from_str(json).unwrap();
            assert_eq!(arguments.text(), text);
            assert_eq!(serde_json::to_string(&arguments).unwrap(), json);
        }
    }

    #[test]
    fn no_arguments_mean_an_empty_object() {
        assert_eq!(Arguments::Missing.text_or_empty_object(), "{}");
        assert_eq!(Arguments::from(" ").text_or_empty_object(), "{}");
        assert_eq!(
            Arguments::from("{\"a\":1}").text_or_empty_object(),
            "{\"a\":1}"
        );
    }
}
