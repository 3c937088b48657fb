//! Ending a stream at its first violation.

use std::fmt;

use serde::Serialize;
use tamis_json::Parser;
use tamis_schema::{StreamValidator, Violation};

use super::billing::stops_billing;

/// A stream that was ended because what came can no longer become an answer.
///
/// What came until then is in the failure's completion; see [`Completion::partial_json`](crate::Completion::partial_json).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Aborted {
    /// How many bytes of the text had come when the violation was sure.
    pub offset: usize,
    /// Whether the provider ends the generation, and so the bill, when the connection is closed, as far as
    /// OpenRouter documents it.
    pub billing_stops: Option<bool>,
    /// Where it does, and the request has a token limit: how many tokens were at most not generated. An
    /// upper bound: the limit, less the chunks of text that came, each of which is at least one token.
    pub saved_tokens_at_most: Option<u64>,
}

/// Judges a text while it comes.
///
/// Only text that is JSON as it comes is judged: what stands in a fence or after prose, or needs a mend,
/// may still turn out to be another document, and is left to the end.
pub(crate) struct EarlyCheck {
    parser: Parser,
    /// None once nothing can be said before the end.
    validator: Option<StreamValidator>,
    bytes: usize,
    /// Whether anything but space came.
    begun: bool,
    chunks: u64,
    token_limit: Option<u64>,
}

impl EarlyCheck {
    pub(crate) fn new(validator: StreamValidator, token_limit: Option<u64>) -> Self {
        Self {
            parser: Parser::new(),
            validator: Some(validator),
            bytes: 0,
            begun: false,
            chunks: 0,
            token_limit,
        }
    }

    /// Takes more text; a violation, once no continuation can conform.
    pub(crate) fn push(&mut self, text: &str) -> Option<Violation> {
        let begins = !self.begun && !text.trim_start().is_empty();
        self.begun |= begins;
        self.bytes += text.len();
        self.chunks += 1;
        if begins && text.trim_start().starts_with('"') {
            // The text of a string may turn out to be the document.
            self.validator = None;
        }
        let validator = self.validator.as_mut()?;
        let mut found = None;
        let pushed = self.parser.push_with(text.as_bytes(), |at, event| {
            if found.is_none() {
                found = validator.event(at, event).cloned();
            }
        });
        if found.is_some() || pushed.is_err() {
            self.validator = None;
        }
        found
    }

    /// How many bytes came.
    pub(crate) fn offset(&self) -> usize {
        self.bytes
    }

    /// What ending the stream here means.
    pub(crate) fn aborted(&self, provider: Option<&str>) -> Aborted {
        let billing_stops = provider.and_then(stops_billing);
        Aborted {
            offset: self.bytes,
            billing_stops,
            saved_tokens_at_most: (billing_stops == Some(true))
                .then_some(self.token_limit)
                .flatten()
                .map(|limit| limit.saturating_sub(self.chunks)),
        }
    }
}

impl fmt::Debug for EarlyCheck {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("EarlyCheck")
            .field("judging", &self.validator.is_some())
            .finish_non_exhaustive()
    }
}
