//! Log probabilities.

use serde::Serialize;
use serde_json::{Number, Value};

use crate::extra::Extra;
use crate::lenient::tolerant_object;

/// The log probabilities of a choice's tokens.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Logprobs {
    /// Of the content's tokens.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub content: Vec<TokenLogprob>,
    /// Of the refusal's tokens.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refusal: Vec<TokenLogprob>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

tolerant_object!(<'de> Logprobs { "content" => content, "refusal" => refusal; extra });

impl Logprobs {
    pub(crate) fn merge(&mut self, more: &Self) {
        self.content.extend_from_slice(&more.content);
        self.refusal.extend_from_slice(&more.refusal);
        self.extra.merge(&more.extra);
    }
}

/// A token and its log probability.
#[derive(Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TokenLogprob {
    /// The token's text; empty for a part of a character, see `bytes`.
    pub token: String,
    /// Its natural logarithm; none where the server sent minus infinity.
    pub logprob: Option<Number>,
    /// The token's UTF-8 bytes, as numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<Value>,
    /// The likeliest tokens at this place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub top_logprobs: Vec<TokenLogprob>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

tolerant_object!(<'de> TokenLogprob {
    "token" => token,
    "logprob" => logprob,
    "bytes" => bytes,
    "top_logprobs" => top_logprobs;
    extra
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
