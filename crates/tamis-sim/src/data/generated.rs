//! What calls that a model answers have in common.

use serde_json::{Map, Value, json};

use super::answer::Asked;
use crate::catalogue::{self, Gives, Model};
use crate::chat::unknown_model;
use crate::error_body::ErrorBody;
use crate::fault::Facts;
use crate::protocol::Protocol;
use crate::rng::Rng;
use crate::state::Generation;

/// A request's body; null counts as missing.
pub(super) struct Body(Map<String, Value>);

impl Body {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, ErrorBody> {
        match serde_json::from_slice(bytes) {
            Ok(Value::Object(fields)) => Ok(Self(fields)),
            _ => Err(invalid("Invalid request parameters")),
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// Refuses texts of more than 256 characters, and what is no text.
    pub(super) fn check_names(&self, names: &[&str]) -> Result<(), ErrorBody> {
        let is_name = |value: &Value| {
            let text = value.as_str();
            text.is_some_and(|text| text.chars().count() <= 256)
        };
        match names
            .iter()
            .find(|name| !self.get(name).is_none_or(is_name))
        {
            Some(name) => Err(invalid(&format!("Invalid request parameters: {name}"))),
            None => Ok(()),
        }
    }

    /// The model, unless it gives something else.
    pub(super) fn model(&self, wanted: Gives, endpoint: &str) -> Result<Model, ErrorBody> {
        let id = self.get("model").and_then(Value::as_str);
        let id = id.ok_or_else(|| invalid("Invalid request parameters: model"))?;
        let model = catalogue::resolve(id).ok_or_else(|| unknown_model(id))?;
        let is_strange = wanted == Gives::Embeddings
            && model.gives == Gives::Text
            && !model.id.starts_with("sim/");
        if model.gives == wanted || is_strange {
            return Ok(model);
        }
        let message = format!("{id} cannot be used with the {endpoint} endpoint.");
        Err(ErrorBody::new(400, &message)
            .with_type("invalid_request")
            .with_availability(json!({
                "code": "wrong_endpoint",
                "retryable": false,
                "requested_models": [id],
                "docs_url": "https://openrouter.ai/docs/errors",
            })))
    }
}

pub(super) fn invalid(message: &str) -> ErrorBody {
    ErrorBody::new(400, message)
}

/// An answer that is a generation: its facts, and what is random in it.
pub(super) struct Answering {
    pub(super) facts: Facts,
    seed: u64,
    key: String,
}

impl Answering {
    /// By the seed, the model and the number of the request for it.
    pub(super) fn new(asked: &Asked, model: &Model, api: &str) -> Self {
        let number = asked.state.next_number(&format!("{api} {}", model.id));
        let seed = asked.state.seed();
        let key = format!("{api} {number}");
        let created = catalogue::CREATED.saturating_add(number);
        let id = Rng::new(seed, &[&model.id, &key, "id"]).token(20);
        let drawn = Rng::new(seed, &[&model.id, &key, "route"]).pick(model.endpoints);
        let facts = Facts {
            protocol: Protocol::Chat,
            id: format!("gen-{api}-{created}-{id}"),
            created,
            model: model.id.clone(),
            provider: drawn.map_or_else(String::new, |endpoint| endpoint.provider.to_owned()),
            retry_after: asked.state.retry_after(),
        };
        Self { facts, seed, key }
    }

    pub(super) fn rng(&self, purpose: &str) -> Rng {
        Rng::new(self.seed, &[&self.facts.model, &self.key, purpose])
    }

    /// Remembers it; the usage is in the terms of a completion.
    pub(super) fn remember(&self, asked: &Asked, api_type: &'static str, usage: Value) {
        asked.state.remember(Generation {
            id: self.facts.id.clone(),
            api_type,
            model: self.facts.model.clone(),
            provider: self.facts.provider.clone(),
            created: self.facts.created,
            streamed: false,
            finish: None,
            usage,
        });
    }
}
