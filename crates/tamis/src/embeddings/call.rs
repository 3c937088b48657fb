//! A request for embeddings, put together and sent.

use std::fmt;
use std::future::{Future, IntoFuture};
use std::pin::Pin;

use serde_json::Value;
use tamis_wire::Failure;
use tamis_wire::embedding::{EmbeddingInput, EmbeddingPart, EmbeddingRequest, EncodingFormat};
use tamis_wire::request::ProviderPreferences;

use super::Embedded;
use crate::chat::deadline;
use crate::client::Client;
use crate::data::{CallOptions, DataCall, call_options};

/// A request for embeddings; see [`Client::embeddings`].
#[must_use = "a request does nothing until it is sent"]
pub struct Embed {
    client: Client,
    request: EmbeddingRequest,
    options: CallOptions,
}

impl Client {
    /// A request for embeddings to a model, as `author/slug` on OpenRouter. Any server that speaks the
    /// protocol has them.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sim = tamis_sim::Sim::builder().start().await?;
    /// # let client = tamis::Client::builder().base_url(sim.base_url()).openrouter(true).build()?;
    /// let embedded = client.embeddings("sim/embedder").input("a red mug").await?;
    /// assert_eq!(embedded.vectors.len(), 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn embeddings(&self, model: impl Into<String>) -> Embed {
        let mut request = EmbeddingRequest::default();
        request.model = model.into();
        self.embed(request)
    }

    /// A request for embeddings that was put together elsewhere.
    pub fn embed(&self, request: EmbeddingRequest) -> Embed {
        Embed {
            client: self.clone(),
            options: CallOptions::of(self),
            request,
        }
    }
}

impl Embed {
    /// What is embedded: a text, texts, lists of tokens or parts.
    pub fn input(mut self, input: impl Into<EmbeddingInput>) -> Self {
        self.request.input = input.into();
        self
    }

    /// One text, as tokens of the model's own tokenizer.
    pub fn tokens(self, tokens: impl Into<Vec<u64>>) -> Self {
        self.input(EmbeddingInput::Tokens(tokens.into()))
    }

    /// One more input of parts such as text and images, for models that take those; in place of inputs of
    /// another kind.
    pub fn parts(mut self, parts: impl IntoIterator<Item = EmbeddingPart>) -> Self {
        let parts: Vec<EmbeddingPart> = parts.into_iter().collect();
        match &mut self.request.input {
            EmbeddingInput::Parts(inputs) => inputs.push(parts),
            input => *input = EmbeddingInput::Parts(vec![parts]),
        }
        self
    }

    /// How long the vectors are to be, at least 1. Vectors of another length are none.
    pub fn dimensions(mut self, dimensions: u64) -> Self {
        self.request.dimensions = Some(dimensions);
        self
    }

    /// How the vectors come over the wire.
    pub fn encoding_format(mut self, format: EncodingFormat) -> Self {
        self.request.encoding_format = Some(format);
        self
    }

    /// OpenRouter: what the vectors are for, in the model's own words, such as `search_query`.
    pub fn input_type(mut self, input_type: impl Into<String>) -> Self {
        self.request.input_type = Some(input_type.into());
        self
    }

    /// Your end user's id.
    pub fn user(mut self, user: impl Into<String>) -> Self {
        self.request.user = Some(user.into());
        self
    }

    /// OpenRouter: which providers may serve it.
    pub fn provider(mut self, preferences: ProviderPreferences) -> Self {
        self.request.provider = Some(preferences);
        self
    }

    /// Any other field.
    pub fn extra(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.request.extra.insert(name.into(), value.into());
        self
    }

    call_options!();

    /// Sends the request. Awaiting it does the same.
    ///
    /// # Errors
    ///
    /// `Validation` where it is refused before it is sent; those of
    /// [`EmbeddingRequest::read`]; whatever else went wrong.
    pub async fn send(self) -> Result<Embedded, Failure> {
        let Self {
            client,
            mut request,
            options,
        } = self;
        request.check()?;
        if !client.shared.speaks_openrouter {
            request.strip_openrouter_fields();
        }
        let body = request.to_json()?;
        let until = deadline(options.timeout);
        let (embeddings, id, attempts) = client
            .infer(DataCall::Embeddings, &body, &options, until, |body| {
                request.read(body)
            })
            .await?;
        Ok(Embedded::new(embeddings, id, attempts))
    }
}

impl IntoFuture for Embed {
    type Output = Result<Embedded, Failure>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}

impl fmt::Debug for Embed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Embed")
            .field("request", &self.request)
            .finish_non_exhaustive()
    }
}
