//! What comes back: a vector for each input, and none in the place of another.

use std::fmt;

use serde_json::{Map, Value};

use super::EmbeddingRequest;
use super::body::{Body, Item};
use crate::error::ApiError;
use crate::extra::Extra;
use crate::failure::{Failure, FailureKind};
use crate::record::record;
use crate::usd::Usd;

/// Vectors, one for each input, in the order of the inputs.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Embeddings {
    /// The vectors, all of one length, as single floats: base64 carries no others.
    pub vectors: Vec<Vec<f32>>,
    /// The model that made them.
    pub model: Option<String>,
    /// The generation's id.
    pub id: Option<String>,
    /// The provider that served it, where the server says.
    pub provider: Option<String>,
    /// Tokens and cost.
    pub usage: Option<EmbeddingUsage>,
    /// Everything else.
    pub extra: Extra,
}

record! {
    /// What a request for embeddings used.
    pub struct EmbeddingUsage {
        /// Tokens in.
        prompt_tokens: Option<u64>,
        /// The same.
        total_tokens: Option<u64>,
        /// Charged, in US dollars.
        cost: Option<Usd>,
    }
}

impl Embeddings {
    /// How long the vectors are.
    pub fn dimensions(&self) -> usize {
        self.vectors.first().map_or(0, Vec::len)
    }
}

/// How many, not which.
impl fmt::Debug for Embeddings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Embeddings")
            .field("vectors", &self.vectors.len())
            .field("dimensions", &self.dimensions())
            .field("model", &self.model)
            .field("id", &self.id)
            .field("usage", &self.usage)
            .finish_non_exhaustive()
    }
}

impl EmbeddingRequest {
    /// Reads the body of a 2xx response to this request.
    ///
    /// # Errors
    ///
    /// The error inside it; `Malformed` where it is no JSON, holds no list of vectors, where a vector is
    /// missing, comes twice, out of its order or unasked, where it is empty, not of finite numbers, or of
    /// another length than the others or than was asked for. A vector is never taken for that of another
    /// input.
    pub fn read(&self, body: &[u8]) -> Result<Embeddings, Failure> {
        let Ok(Body { data, mut rest }) = serde_json::from_slice(body) else {
            return Err(unreadable(body));
        };
        let has_data = data.is_some();
        let mut value = Value::Object(std::mem::take(&mut rest));
        if let Some(error) = ApiError::from_value(&value) {
            return Err(Failure::from_inline(error));
        }
        if let Some(fields) = value.as_object_mut() {
            rest = std::mem::take(fields);
        }
        let id = text(&rest, "id");
        if !has_data {
            return Err(malformed("the body holds no vectors").with_generation_id(id));
        }
        let vectors = self
            .vectors(data.unwrap_or_default())
            .map_err(|message| malformed(message).with_generation_id(id.clone()))?;
        let usage = rest
            .get("usage")
            .filter(|usage| usage.is_object())
            .and_then(|usage| serde_json::from_value(usage.clone()).ok());
        Ok(Embeddings {
            vectors,
            model: text(&rest, "model"),
            provider: text(&rest, "provider"),
            usage,
            id,
            extra: rest
                .into_iter()
                .filter(|(name, value)| {
                    !["id", "model", "provider", "usage", "object"].contains(&name.as_str())
                        && !value.is_null()
                })
                .collect(),
        })
    }

    fn vectors(&self, items: Vec<Item>) -> Result<Vec<Vec<f32>>, String> {
        let asked = self.input.len();
        if items.len() != asked {
            return Err(format!(
                "{asked} vectors were asked for, and {} came",
                items.len()
            ));
        }
        let mut length = self.dimensions;
        let mut vectors = Vec::with_capacity(asked);
        for (place, Item { vector, index }) in items.into_iter().enumerate() {
            // Without an index the place has to do; one that says another place is believed, and so is none.
            if !index.is_null() && index.as_u64() != u64::try_from(place).ok() {
                return Err(format!(
                    "the vector at place {place} says it belongs to another"
                ));
            }
            let vector = vector.filter(|vector| !vector.is_empty());
            let vector = vector.ok_or_else(|| format!("the vector at place {place} is missing"))?;
            if !vector.iter().all(|float| float.is_finite()) {
                return Err(format!(
                    "the vector at place {place} holds what is not a finite number"
                ));
            }
            let own = u64::try_from(vector.len()).unwrap_or(u64::MAX);
            let expected = *length.get_or_insert(own);
            if own != expected {
                return Err(format!(
                    "the vector at place {place} has {own} dimensions, and not {expected}"
                ));
            }
            vectors.push(vector);
        }
        Ok(vectors)
    }
}

/// A body that is no object.
fn unreadable(body: &[u8]) -> Failure {
    let value: Option<Value> = serde_json::from_slice(body).ok();
    match value.as_ref().and_then(ApiError::from_value) {
        Some(error) => Failure::from_inline(error),
        None if value.is_some() => malformed("the body holds no vectors"),
        None => malformed("the body is not JSON"),
    }
}

fn text(fields: &Map<String, Value>, name: &str) -> Option<String> {
    fields.get(name)?.as_str().map(str::to_owned)
}

fn malformed(message: impl Into<String>) -> Failure {
    Failure::new(FailureKind::Malformed, message)
}
