//! How much the model thinks.

use super::macros::words;
use crate::record::record;

words! {
    /// How much the model thinks.
    pub enum Effort {
        /// As much as it can.
        Max = "max",
        /// Very much.
        Xhigh = "xhigh",
        /// Much.
        High = "high",
        /// Some.
        Medium = "medium",
        /// Little.
        Low = "low",
        /// As little as it can.
        Minimal = "minimal",
        /// Not at all; some models refuse.
        None = "none",
    }
}

words! {
    /// How what the model thought is summed up.
    pub enum ReasoningSummary {
        /// As the model sees fit.
        Auto = "auto",
        /// Shortly.
        Concise = "concise",
        /// At length.
        Detailed = "detailed",
    }
}

record! {
    /// OpenRouter: how much the model thinks, by an effort or by a number of tokens, not by both.
    ///
    /// ```
    /// use tamis_wire::request::{Effort, Reasoning};
    ///
    /// let little: Reasoning = Effort::Low.into();
    /// assert_eq!(serde_json::to_string(&little).unwrap(), r#"{"effort":"low"}"#);
    /// ```
    pub struct Reasoning {
        /// How much.
        effort: Option<Effort>,
        /// How many tokens it may think; at least 1.
        max_tokens: Option<u64>,
        /// Whether its thoughts are left out of the answer; they cost the same.
        exclude: Option<bool>,
        /// Whether it thinks at all.
        enabled: Option<bool>,
        /// How its thoughts are summed up.
        summary: Option<ReasoningSummary>,
    }
}

impl Reasoning {
    /// At most so many tokens of thought.
    pub fn tokens(max_tokens: u64) -> Self {
        Self {
            max_tokens: Some(max_tokens),
            ..Self::default()
        }
    }
}

impl From<Effort> for Reasoning {
    fn from(effort: Effort) -> Self {
        Self {
            effort: Some(effort),
            ..Self::default()
        }
    }
}
