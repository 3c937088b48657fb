//! Log probabilities.

use serde_json::{Number, Value};

use crate::extra::Extra;
use crate::lossless::{Kept, lossless_object};

/// The log probabilities of a choice's tokens.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Logprobs {
    /// Of the content's tokens.
    pub content: Vec<TokenLogprob>,
    /// Of the refusal's tokens.
    pub refusal: Vec<TokenLogprob>,
    /// Everything else.
    pub extra: Extra,
    /// How what is missing came; not on the wire.
    pub(crate) kept: Kept,
}

lossless_object!(Logprobs { "content" => content, "refusal" => refusal });

impl Logprobs {
    pub(crate) fn merge(&mut self, more: &Self) {
        self.content.extend_from_slice(&more.content);
        self.refusal.extend_from_slice(&more.refusal);
        self.extra.merge(&more.extra);
    }
}

/// A token and its log probability.
#[derive(Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct TokenLogprob {
    /// The token's text; empty for a part of a character, see `bytes`.
    pub token: String,
    /// Its natural logarithm; none where the server sent minus infinity.
    pub logprob: Option<Number>,
    /// The token's UTF-8 bytes, as numbers.
    pub bytes: Option<Value>,
    /// The likeliest tokens at this place.
    pub top_logprobs: Vec<TokenLogprob>,
    /// Everything else.
    pub extra: Extra,
    /// How what is missing came; not on the wire.
    pub(crate) kept: Kept,
}

lossless_object!(TokenLogprob {
    "token" => token always,
    "logprob" => logprob always,
    "bytes" => bytes,
    "top_logprobs" => top_logprobs
});

/// Without the token, which is an answer's text.
impl std::fmt::Debug for TokenLogprob {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("TokenLogprob")
            .field("logprob", &self.logprob)
            .finish_non_exhaustive()
    }
}
