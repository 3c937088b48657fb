//! A request for embeddings.

use std::fmt;

use serde_json::{Map, Value};

use super::EmbeddingInput;
use crate::failure::{Failure, FailureKind};
use crate::request::ProviderPreferences;

/// How vectors come over the wire. Both are read into the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EncodingFormat {
    /// A list of numbers.
    Float,
    /// Base64 of little-endian floats of four bytes each: about half the bytes.
    Base64,
}

impl EncodingFormat {
    /// Its name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Float => "float",
            Self::Base64 => "base64",
        }
    }
}

/// A request for embeddings.
///
/// What is `None` is not sent, so that the provider's own default applies.
#[derive(Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct EmbeddingRequest {
    /// The model, as `author/slug` on OpenRouter.
    pub model: String,
    /// What is embedded; at least one.
    pub input: EmbeddingInput,
    /// How long the vectors are to be, for models that can shorten them; at least 1.
    pub dimensions: Option<u64>,
    /// How the vectors come.
    pub encoding_format: Option<EncodingFormat>,
    /// OpenRouter: what the vectors are for, in the model's own words, such as `search_query`.
    pub input_type: Option<String>,
    /// Your end user's id.
    pub user: Option<String>,
    /// OpenRouter: which providers may serve it.
    pub provider: Option<ProviderPreferences>,
    /// Anything else.
    pub extra: Map<String, Value>,
}

impl EmbeddingRequest {
    /// A request for the vectors of an input.
    pub fn new(model: impl Into<String>, input: impl Into<EmbeddingInput>) -> Self {
        Self {
            model: model.into(),
            input: input.into(),
            ..Self::default()
        }
    }

    /// Leaves out the fields that only OpenRouter knows, which strict servers refuse.
    pub fn strip_openrouter_fields(&mut self) {
        self.provider = None;
        self.input_type = None;
    }

    /// The request as the JSON that is sent; what is in `extra` comes before a field of its name.
    ///
    /// # Errors
    ///
    /// `Validation` where the preferences of `provider` cannot be written as JSON.
    pub fn to_json(&self) -> Result<Map<String, Value>, Failure> {
        let mut body = Map::new();
        body.insert("model".to_owned(), self.model.clone().into());
        body.insert("input".to_owned(), self.input.to_json());
        if let Some(dimensions) = self.dimensions {
            body.insert("dimensions".to_owned(), dimensions.into());
        }
        if let Some(format) = self.encoding_format {
            body.insert("encoding_format".to_owned(), format.as_str().into());
        }
        for (name, value) in [("input_type", &self.input_type), ("user", &self.user)] {
            if let Some(value) = value {
                body.insert(name.to_owned(), value.clone().into());
            }
        }
        if let Some(provider) = &self.provider {
            let provider = serde_json::to_value(provider).map_err(|error| {
                Failure::new(
                    FailureKind::Validation,
                    "provider: cannot be written as JSON",
                )
                .with_source(error)
            })?;
            body.insert("provider".to_owned(), provider);
        }
        for (name, value) in &self.extra {
            body.insert(name.clone(), value.clone());
        }
        Ok(body)
    }
}

/// What kind of request it is, not what it says.
impl fmt::Debug for EmbeddingRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("EmbeddingRequest")
            .field("model", &self.model)
            .field("input", &self.input)
            .field("dimensions", &self.dimensions)
            .field("encoding_format", &self.encoding_format)
            .field("provider", &self.provider)
            .finish_non_exhaustive()
    }
}
