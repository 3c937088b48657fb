//! A request for decisions.

use std::fmt;

use serde_json::{Map, Value};

use super::Question;
use crate::failure::{Failure, FailureKind};
use crate::request::ProviderPreferences;

/// A request for decisions: a state, and the questions about it.
///
/// Each question is decided by itself; none sees the answers to the others. What is `None` or empty is
/// not sent.
#[derive(Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct DecisionRequest {
    /// The model, as `author/slug`.
    pub model: String,
    /// What is decided about: text, an object, or a list, of which items may be
    /// [images](super::image).
    pub state: Value,
    /// The questions, by ids that are the caller's own; at least one, and no id twice.
    pub questions: Vec<(String, Question)>,
    /// Which providers may serve it.
    pub provider: Option<ProviderPreferences>,
    /// Groups requests for observation; at most 256 characters.
    pub session_id: Option<String>,
    /// `trace_id`, `trace_name`, `span_name`, `generation_name`, `parent_span_id`, and what else is to
    /// be kept with them.
    pub trace: Map<String, Value>,
    /// Your end user's id; at most 256 characters.
    pub user: Option<String>,
    /// Whether images may be given by `http` and `https` addresses. OpenRouter fetches none; some
    /// models say that they do.
    pub remote_images: bool,
    /// Anything else.
    pub extra: Map<String, Value>,
}

impl DecisionRequest {
    /// A request about a state, without questions yet.
    pub fn new(model: impl Into<String>, state: impl Into<Value>) -> Self {
        Self {
            model: model.into(),
            state: state.into(),
            ..Self::default()
        }
    }

    /// With one more question.
    #[must_use]
    pub fn question(mut self, id: impl Into<String>, question: Question) -> Self {
        self.questions.push((id.into(), question));
        self
    }

    /// The request as the JSON that is sent; what is in `extra` comes before a field of its name.
    ///
    /// # Errors
    ///
    /// `Validation` where the preferences of `provider` cannot be written as JSON.
    pub fn to_json(&self) -> Result<Map<String, Value>, Failure> {
        let mut body = Map::new();
        body.insert("model".to_owned(), self.model.clone().into());
        body.insert("state".to_owned(), self.state.clone());
        let questions: Map<String, Value> = self
            .questions
            .iter()
            .map(|(id, question)| (id.clone(), question.to_json()))
            .collect();
        body.insert("questions".to_owned(), questions.into());
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
        if let Some(session) = &self.session_id {
            body.insert("session_id".to_owned(), session.clone().into());
        }
        if !self.trace.is_empty() {
            body.insert("trace".to_owned(), self.trace.clone().into());
        }
        if let Some(user) = &self.user {
            body.insert("user".to_owned(), user.clone().into());
        }
        for (name, value) in &self.extra {
            body.insert(name.clone(), value.clone());
        }
        Ok(body)
    }
}

/// What kind of request it is, not what it says.
impl fmt::Debug for DecisionRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("DecisionRequest")
            .field("model", &self.model)
            .field("questions", &self.questions.len())
            .field("provider", &self.provider)
            .finish_non_exhaustive()
    }
}
