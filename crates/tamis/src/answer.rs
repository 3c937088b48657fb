//! An answer, and why there may be none.

use std::fmt;

use tamis_json::{Note, Repair};
use tamis_schema::Violation;
use tamis_wire::{Completion, Failure, Usage};

/// A value that parsed and conforms, and how it came to be.
#[derive(Clone)]
#[non_exhaustive]
pub struct Answer<T> {
    /// The value.
    pub value: T,
    /// The model's text that it was read from.
    pub text: String,
    /// What was mended in the text before it could be read; none where it was JSON as it came.
    pub repairs: Vec<Repair>,
    /// What the value cannot show: numbers kept as text, keys that came twice, lone surrogates.
    pub notes: Vec<Note>,
    /// The provider that served it, where the server says.
    pub provider: Option<String>,
    /// The model that answered, which may not be the one that was asked.
    pub model: Option<String>,
    /// Tokens and cost.
    pub usage: Option<Usage>,
    /// The generation id, to look the call up.
    pub generation_id: Option<String>,
    /// How many requests it took.
    pub attempts: u32,
    /// The whole completion.
    pub completion: Completion,
}

impl<T> Answer<T> {
    /// USD charged to the account, where the server says.
    pub fn cost(&self) -> Option<f64> {
        self.completion.cost()
    }

    pub(crate) fn map<U>(self, value: U) -> Answer<U> {
        Answer {
            value,
            text: self.text,
            repairs: self.repairs,
            notes: self.notes,
            provider: self.provider,
            model: self.model,
            usage: self.usage,
            generation_id: self.generation_id,
            attempts: self.attempts,
            completion: self.completion,
        }
    }
}

/// Without value and text.
impl<T> fmt::Debug for Answer<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Answer")
            .field("provider", &self.provider)
            .field("model", &self.model)
            .field("usage", &self.usage)
            .field("generation_id", &self.generation_id)
            .field("attempts", &self.attempts)
            .field("repairs", &self.repairs)
            .finish_non_exhaustive()
    }
}

/// Where an answer breaks its schema; the source of such a failure.
#[derive(Clone)]
pub struct Violations(pub(crate) Vec<Violation>);

impl Violations {
    /// Each of them.
    pub fn as_slice(&self) -> &[Violation] {
        &self.0
    }
}

/// Where, not what: a violation's message may quote the value.
impl fmt::Display for Violations {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, violation) in self.0.iter().take(5).enumerate() {
            let separator = if place == 0 { "" } else { "; " };
            let instance = if violation.instance.is_empty() {
                "the value"
            } else {
                &violation.instance
            };
            write!(
                formatter,
                "{separator}{instance} breaks {}",
                violation.keyword
            )?;
        }
        match self.0.len().saturating_sub(5) {
            0 => Ok(()),
            more => write!(formatter, "; and {more} more"),
        }
    }
}

impl fmt::Debug for Violations {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Violations({self})")
    }
}

impl std::error::Error for Violations {}

/// The violations of an answer that broke its schema; none for a failure of another cause.
pub fn violations(failure: &Failure) -> &[Violation] {
    std::error::Error::source(failure)
        .and_then(|source| source.downcast_ref::<Violations>())
        .map_or(&[], Violations::as_slice)
}
