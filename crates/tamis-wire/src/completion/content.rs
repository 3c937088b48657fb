//! A message's content: text, or an array of parts.

use std::borrow::Cow;
use std::fmt;

use serde::de::SeqAccess;
use serde::de::value::SeqAccessDeserializer;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::lenient::Tolerant;
use crate::lossless::{Came, Written};

/// What a message holds.
#[derive(Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Content {
    /// Text.
    Text(String),
    /// Parts, as Mistral's thinking models send them.
    Parts(Vec<ContentPart>),
}

impl Content {
    /// The text; of parts, the text parts joined, and none where there is no text part.
    pub fn text(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Text(text) => Some(Cow::Borrowed(text)),
            Self::Parts(parts) => join(parts.iter().filter_map(ContentPart::text)),
        }
    }

    /// The thinking parts' text, joined.
    pub fn thinking(&self) -> Option<String> {
        let Self::Parts(parts) = self else {
            return None;
        };
        let thinking: String = parts.iter().filter_map(ContentPart::thinking).collect();
        (!thinking.is_empty()).then_some(thinking)
    }

    fn from_values(values: Vec<Value>) -> Self {
        let parts = values.into_iter().filter_map(|part| match part {
            Value::Object(fields) => Some(ContentPart(fields)),
            Value::String(text) => Some(ContentPart::from_text(&text)),
            _ => None,
        });
        Self::Parts(parts.collect())
    }

    /// Appends what a later chunk brought.
    pub(crate) fn merge(&mut self, more: &Self) {
        match (&mut *self, more) {
            (Self::Text(text), Self::Text(more)) => text.push_str(more),
            (Self::Text(text), Self::Parts(more)) => {
                let mut parts = Vec::new();
                if !text.is_empty() {
                    parts.push(ContentPart::from_text(text));
                }
                *self = Self::Parts(parts);
                self.merge(&Self::Parts(more.clone()));
            }
            (Self::Parts(parts), Self::Text(more)) => {
                if !more.is_empty() {
                    ContentPart::merge_into(parts, &ContentPart::from_text(more));
                }
            }
            (Self::Parts(parts), Self::Parts(more)) => {
                for part in more {
                    ContentPart::merge_into(parts, part);
                }
            }
        }
    }
}

/// The length only.
impl fmt::Debug for Content {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(formatter, "<{} bytes of text>", text.len()),
            Self::Parts(parts) => write!(formatter, "<{} parts>", parts.len()),
        }
    }
}

impl<'de> Tolerant<'de> for Option<Content> {
    fn from_text(text: Cow<'de, str>) -> Self {
        Some(Content::Text(text.into_owned()))
    }

    fn from_number(number: serde_json::Number) -> Self {
        Some(Content::Text(number.to_string()))
    }

    fn from_seq<A: SeqAccess<'de>>(seq: A) -> Result<Self, A::Error> {
        let values = Vec::<Value>::deserialize(SeqAccessDeserializer::new(seq))?;
        Ok(Some(Content::from_values(values)))
    }

    /// Some servers send a lone part in place of an array of one.
    fn from_map<A: serde::de::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let value = <Option<Value> as Tolerant>::from_map(map)?;
        Ok(match value {
            Some(Value::Object(fields)) => Some(Content::Parts(vec![ContentPart(fields)])),
            _ => None,
        })
    }
}

impl<'de> Written<'de> for Option<Content> {
    const TEXT: bool = true;
    const SEQ: bool = true;

    /// Parts that are no objects are kept beside what they are read as.
    fn read_seq<A: SeqAccess<'de>>(&mut self, seq: A) -> Result<Came, A::Error> {
        let values = Vec::<Value>::deserialize(SeqAccessDeserializer::new(seq))?;
        let came = if values.iter().all(Value::is_object) {
            Came::Fits
        } else {
            Came::Other(Box::new(values.clone().into()))
        };
        *self = Some(Content::from_values(values));
        Ok(came)
    }
}

/// One part of a message's content: its fields, with views of those that are known.
#[derive(Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct ContentPart(Map<String, Value>);

impl ContentPart {
    fn from_text(text: &str) -> Self {
        let mut fields = Map::new();
        fields.insert("type".to_owned(), "text".into());
        fields.insert("text".to_owned(), text.into());
        Self(fields)
    }

    /// Its `type`: `text`, `thinking`, `image_url`, …; empty where it has none.
    pub fn kind(&self) -> &str {
        self.0
            .get("type")
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// The text of a text part.
    pub fn text(&self) -> Option<&str> {
        matches!(self.kind(), "text" | "output_text" | "")
            .then(|| self.0.get("text").and_then(Value::as_str))?
    }

    /// The text of a thinking part.
    pub fn thinking(&self) -> Option<Cow<'_, str>> {
        if self.kind() != "thinking" {
            return None;
        }
        match self.0.get("thinking")? {
            Value::String(text) => Some(Cow::Borrowed(text)),
            Value::Array(parts) => join(parts.iter().filter_map(|part| part.get("text")?.as_str())),
            _ => None,
        }
    }

    /// All its fields.
    pub fn fields(&self) -> &Map<String, Value> {
        &self.0
    }

    /// Appends a part, or extends the last one where both are text, or both thinking.
    fn merge_into(parts: &mut Vec<Self>, more: &Self) {
        match parts.last_mut() {
            Some(last)
                if last.kind() == more.kind() && matches!(more.kind(), "text" | "thinking") =>
            {
                last.extend(more);
            }
            _ => parts.push(more.clone()),
        }
    }

    fn extend(&mut self, more: &Self) {
        for (name, value) in &more.0 {
            match (self.0.get_mut(name), value) {
                (Some(Value::String(text)), Value::String(more))
                    if name == "text" || name == "thinking" =>
                {
                    text.push_str(more);
                }
                (Some(Value::Array(items)), Value::Array(more)) => extend_texts(items, more),
                (_, Value::Null) => {}
                _ => {
                    self.0.insert(name.clone(), value.clone());
                }
            }
        }
    }
}

/// The type only.
impl fmt::Debug for ContentPart {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "<{} part>", self.kind())
    }
}

/// Appends text parts; neighbours that are both text become one.
fn extend_texts(items: &mut Vec<Value>, more: &[Value]) {
    for value in more {
        let text = value.get("text").and_then(Value::as_str);
        let last = items.last_mut().and_then(|last| last.get_mut("text"));
        match (last, text) {
            (Some(Value::String(last)), Some(text)) => last.push_str(text),
            _ => items.push(value.clone()),
        }
    }
}

fn join<'a>(texts: impl Iterator<Item = &'a str>) -> Option<Cow<'a, str>> {
    texts.fold(None, |joined, text| {
        Some(match joined {
            None => Cow::Borrowed(text),
            Some(joined) => joined + text,
        })
    })
}
