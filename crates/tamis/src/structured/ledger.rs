//! What each request of an answer came to.

use std::fmt;

use serde::Serialize;
use tamis_schema::Violation;
use tamis_wire::{Completion, Failure, Usage};

/// One completion that was asked for on the way to an answer, and what it came to.
///
/// Requests that were sent again because none came are not in here; [`LedgerEntry::attempts`] counts
/// them.
#[derive(Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct LedgerEntry {
    /// The provider that served it, where the server says.
    pub provider: Option<String>,
    /// The model that answered.
    pub model: Option<String>,
    /// The generation id, to look the call up.
    pub generation_id: Option<String>,
    /// How many requests it took until it came.
    pub attempts: u32,
    /// Tokens.
    pub usage: Option<Usage>,
    /// USD, where the server says.
    pub cost: Option<f64>,
    /// Why it is no answer; none for the one that was taken. Nothing of its content.
    pub problem: Option<String>,
    /// Where it breaks the schema.
    pub violations: Vec<Violation>,
}

impl LedgerEntry {
    pub(crate) fn of(completion: &Completion, attempts: u32) -> Self {
        Self {
            provider: completion.provider.clone(),
            model: completion.model.clone(),
            generation_id: completion.id.clone(),
            attempts,
            usage: completion.usage.clone(),
            cost: completion.cost(),
            problem: None,
            violations: Vec::new(),
        }
    }

    pub(crate) fn rejected(mut self, failure: &Failure, violations: &[Violation]) -> Self {
        self.problem = Some(failure.message().to_owned());
        self.violations = violations.to_vec();
        self
    }

    /// Whether this is the answer.
    pub fn is_answer(&self) -> bool {
        self.problem.is_none()
    }
}

/// Without the violations' words, which may quote the answer.
impl fmt::Debug for LedgerEntry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("LedgerEntry")
            .field("provider", &self.provider)
            .field("model", &self.model)
            .field("generation_id", &self.generation_id)
            .field("attempts", &self.attempts)
            .field("usage", &self.usage)
            .field("problem", &self.problem)
            .field("violations", &self.violations.len())
            .finish_non_exhaustive()
    }
}
