//! Vectors, and how they came to be.

use std::fmt;

use tamis_wire::Extra;
use tamis_wire::embedding::{EmbeddingUsage, Embeddings};

/// Vectors, one for each input and in their order, and how they came to be.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Embedded {
    /// The vectors, all of one length.
    pub vectors: Vec<Vec<f32>>,
    /// The model that made them, which may not be the one that was asked.
    pub model: Option<String>,
    /// The provider that served it, where the server says.
    pub provider: Option<String>,
    /// Tokens and cost.
    pub usage: Option<EmbeddingUsage>,
    /// The generation id, to look the call up.
    pub generation_id: Option<String>,
    /// How many requests it took.
    pub attempts: u32,
    /// Everything else that the server said.
    pub extra: Extra,
}

impl Embedded {
    pub(super) fn new(embeddings: Embeddings, id: Option<String>, attempts: u32) -> Self {
        Self {
            vectors: embeddings.vectors,
            model: embeddings.model,
            provider: embeddings.provider,
            usage: embeddings.usage,
            generation_id: embeddings.id.or(id),
            attempts,
            extra: embeddings.extra,
        }
    }

    /// How long the vectors are.
    pub fn dimensions(&self) -> usize {
        self.vectors.first().map_or(0, Vec::len)
    }
}

/// How many vectors, not which.
impl fmt::Debug for Embedded {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Embedded")
            .field("vectors", &self.vectors.len())
            .field("dimensions", &self.dimensions())
            .field("model", &self.model)
            .field("provider", &self.provider)
            .field("usage", &self.usage)
            .field("generation_id", &self.generation_id)
            .field("attempts", &self.attempts)
            .finish_non_exhaustive()
    }
}
