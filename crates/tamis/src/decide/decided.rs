//! What was decided, and how it came to be.

use std::fmt;

use serde_json::Value;
use tamis_wire::Usd;
use tamis_wire::decision::{Chosen, Decision, DecisionResponse, Located, Scored, YesNo};

use super::{KnownBy, Via};
use crate::answer::Answer;

/// What was decided, and how it came to be.
#[derive(Clone)]
#[non_exhaustive]
pub struct Decided {
    /// A decision for each question, by its id, in the order in which they were asked.
    pub decisions: Vec<(String, Decision)>,
    /// By which of the two means, with all that came.
    pub origin: Origin,
    /// How it was known by which means to ask.
    pub known_by: KnownBy,
    /// The model that decided, which may not be the one that was asked.
    pub model: Option<String>,
    /// The provider that served it, where the server says.
    pub provider: Option<String>,
    /// Tokens in.
    pub input_tokens: Option<u64>,
    /// Tokens out.
    pub output_tokens: Option<u64>,
    /// Charged, in US dollars; of a completion that was asked for again, the last one.
    pub cost: Option<Usd>,
    /// The generation id, to look the call up.
    pub generation_id: Option<String>,
    /// How many requests it took, those of the catalogue not counted.
    pub attempts: u32,
}

/// By which means something was decided, with all that came.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Origin {
    /// By the Decisions API: its response.
    Decisions(Box<DecisionResponse>),
    /// By a structured completion: its answer, with what was mended in it. There are no probabilities.
    Completion(Box<Answer<Value>>),
}

impl Origin {
    /// By which of the two means.
    pub fn via(&self) -> Via {
        match self {
            Self::Decisions(_) => Via::Decisions,
            Self::Completion(_) => Via::Completion,
        }
    }
}

impl Decided {
    pub(super) fn by_response(
        decisions: Vec<(String, Decision)>,
        response: DecisionResponse,
        id: Option<String>,
        attempts: u32,
    ) -> Self {
        let usage = response.usage.as_ref();
        Self {
            decisions,
            known_by: KnownBy::Caller,
            model: response.model.clone(),
            provider: response.provider.clone(),
            input_tokens: usage.and_then(|usage| usage.input_tokens),
            output_tokens: usage.and_then(|usage| usage.output_tokens),
            cost: usage.and_then(|usage| usage.cost.clone()),
            generation_id: response.id.clone().or(id),
            attempts,
            origin: Origin::Decisions(Box::new(response)),
        }
    }

    pub(super) fn by_answer(decisions: Vec<(String, Decision)>, answer: Answer<Value>) -> Self {
        let usage = answer.usage.as_ref();
        let cost = usage.and_then(|usage| usage.cost.clone());
        Self {
            decisions,
            known_by: KnownBy::Caller,
            model: answer.model.clone(),
            provider: answer.provider.clone(),
            input_tokens: usage.and_then(|usage| usage.prompt_tokens),
            output_tokens: usage.and_then(|usage| usage.completion_tokens),
            cost: cost.and_then(|cost| serde_json::from_value(Value::Number(cost)).ok()),
            generation_id: answer.generation_id.clone(),
            attempts: answer.attempts,
            origin: Origin::Completion(Box::new(answer)),
        }
    }

    /// By which of the two means it was decided.
    pub fn via(&self) -> Via {
        self.origin.via()
    }

    /// The decision of a question.
    pub fn get(&self, id: &str) -> Option<&Decision> {
        let mut all = self.decisions.iter();
        all.find(|(own, _)| own == id).map(|(_, decision)| decision)
    }

    /// The decision of a question that was asked with [`yes_no`](super::Decide::yes_no).
    pub fn yes_no(&self, id: &str) -> Option<&YesNo> {
        self.get(id)?.as_yes_no()
    }

    /// The decision of a question that was asked with [`choice`](super::Decide::choice).
    pub fn choice(&self, id: &str) -> Option<&Chosen> {
        self.get(id)?.as_choice()
    }

    /// The decision of a question that was asked with [`score`](super::Decide::score).
    pub fn score(&self, id: &str) -> Option<&Scored> {
        self.get(id)?.as_score()
    }

    /// The decision of a question that was asked with [`locate`](super::Decide::locate).
    pub fn location(&self, id: &str) -> Option<&Located> {
        self.get(id)?.as_location()
    }
}

/// Without what was decided.
impl fmt::Debug for Decided {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Decided")
            .field("decisions", &self.decisions.len())
            .field("via", &self.via())
            .field("known_by", &self.known_by)
            .field("model", &self.model)
            .field("provider", &self.provider)
            .field("cost", &self.cost)
            .field("generation_id", &self.generation_id)
            .field("attempts", &self.attempts)
            .finish_non_exhaustive()
    }
}
