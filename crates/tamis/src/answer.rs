//! An answer.

use std::fmt;

use serde_json::Value;
use tamis_json::{Note, Repair};
use tamis_schema::{Coercion, Dialect, LiftNote};
use tamis_wire::{Completion, Usage};

use crate::structured::{LedgerEntry, Read, Reading, SchemaMode};

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
    /// What was undone of the schema's lowering, such as a null that stood for an absent property.
    pub lifts: Vec<LiftNote>,
    /// What was changed for the schema's sake; only where [allowed](crate::Chat::coerce).
    pub coercions: Vec<Coercion>,
    /// The dialect that the schema was lowered into; none where it was sent as it is.
    pub dialect: Option<Dialect>,
    /// By which means the model was told of the schema.
    pub mode: SchemaMode,
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
    /// Every completion on the way to it, the answer's own last. [`Answer::usage`] and
    /// [`Answer::cost`] are those of the last one.
    pub ledger: Vec<LedgerEntry>,
    /// The whole completion.
    pub completion: Completion,
}

impl Answer<Value> {
    pub(crate) fn new(
        read: Read,
        reading: &Reading,
        completion: Completion,
        attempts: u32,
        ledger: Vec<LedgerEntry>,
    ) -> Self {
        Self {
            value: read.value,
            text: read.text,
            repairs: read.repairs,
            notes: read.notes,
            lifts: read.lifts,
            coercions: read.coercions,
            dialect: reading.dialect(),
            mode: reading.mode(),
            provider: completion.provider.clone(),
            model: completion.model.clone(),
            usage: completion.usage.clone(),
            generation_id: completion.id.clone(),
            attempts,
            ledger,
            completion,
        }
    }
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
            lifts: self.lifts,
            coercions: self.coercions,
            dialect: self.dialect,
            mode: self.mode,
            provider: self.provider,
            model: self.model,
            usage: self.usage,
            generation_id: self.generation_id,
            attempts: self.attempts,
            ledger: self.ledger,
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
            .field("lifts", &self.lifts.len())
            .field("coercions", &self.coercions.len())
            .field("dialect", &self.dialect)
            .finish_non_exhaustive()
    }
}
