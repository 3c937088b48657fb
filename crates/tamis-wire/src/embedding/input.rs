//! What is embedded.

use std::fmt;

use serde_json::{Value, json};

/// What is embedded, one vector for each.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum EmbeddingInput {
    /// One text.
    Text(String),
    /// Several texts.
    Texts(Vec<String>),
    /// One text, as tokens of the model's own tokenizer.
    Tokens(Vec<u64>),
    /// Several texts as tokens.
    TokenLists(Vec<Vec<u64>>),
    /// Several inputs, each of parts such as text and images, for models that take those.
    Parts(Vec<Vec<EmbeddingPart>>),
}

/// A part of an input.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum EmbeddingPart {
    /// Text.
    Text(String),
    /// An image, by its address or as a data URL.
    ImageUrl(String),
    /// Any other content part, as JSON.
    Other(Value),
}

impl EmbeddingPart {
    fn to_json(&self) -> Value {
        match self {
            Self::Text(text) => json!({"type": "text", "text": text}),
            Self::ImageUrl(url) => json!({"type": "image_url", "image_url": {"url": url}}),
            Self::Other(part) => part.clone(),
        }
    }
}

impl EmbeddingInput {
    /// How many vectors are asked for.
    pub fn len(&self) -> usize {
        match self {
            Self::Text(_) | Self::Tokens(_) => 1,
            Self::Texts(texts) => texts.len(),
            Self::TokenLists(lists) => lists.len(),
            Self::Parts(inputs) => inputs.len(),
        }
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The input as it is sent.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Text(text) => text.clone().into(),
            Self::Texts(texts) => texts.clone().into(),
            Self::Tokens(tokens) => tokens.clone().into(),
            Self::TokenLists(lists) => lists.clone().into(),
            Self::Parts(inputs) => inputs
                .iter()
                .map(|parts| {
                    let parts: Vec<Value> = parts.iter().map(EmbeddingPart::to_json).collect();
                    json!({"content": parts})
                })
                .collect(),
        }
    }
}

impl Default for EmbeddingInput {
    fn default() -> Self {
        Self::Texts(Vec::new())
    }
}

impl From<&str> for EmbeddingInput {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for EmbeddingInput {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Vec<String>> for EmbeddingInput {
    fn from(texts: Vec<String>) -> Self {
        Self::Texts(texts)
    }
}

impl From<&[&str]> for EmbeddingInput {
    fn from(texts: &[&str]) -> Self {
        Self::Texts(texts.iter().map(|text| (*text).to_owned()).collect())
    }
}

impl<const N: usize> From<[&str; N]> for EmbeddingInput {
    fn from(texts: [&str; N]) -> Self {
        Self::from(&texts[..])
    }
}

impl From<Vec<&str>> for EmbeddingInput {
    fn from(texts: Vec<&str>) -> Self {
        Self::from(texts.as_slice())
    }
}

impl From<Vec<Vec<u64>>> for EmbeddingInput {
    fn from(lists: Vec<Vec<u64>>) -> Self {
        Self::TokenLists(lists)
    }
}

impl From<Vec<Vec<EmbeddingPart>>> for EmbeddingInput {
    fn from(inputs: Vec<Vec<EmbeddingPart>>) -> Self {
        Self::Parts(inputs)
    }
}

/// How many: what is embedded is not printed.
impl fmt::Debug for EmbeddingInput {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self {
            Self::Text(_) => "text",
            Self::Texts(_) => "texts",
            Self::Tokens(_) => "list of tokens",
            Self::TokenLists(_) => "lists of tokens",
            Self::Parts(_) => "inputs of parts",
        };
        write!(formatter, "<{} {what}>", self.len())
    }
}

/// Of which kind it is.
impl fmt::Debug for EmbeddingPart {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Text(_) => "Text",
            Self::ImageUrl(_) => "ImageUrl",
            Self::Other(_) => "Other",
        })
    }
}
