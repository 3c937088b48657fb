//! Tokens and cost.

use serde_json::Number;

use crate::extra::Extra;
use crate::lossless::{Kept, lossless_object};

/// What a call used, in tokens of the model's own tokenizer, and what it cost.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Usage {
    /// Tokens in.
    pub prompt_tokens: Option<u64>,
    /// Tokens out, reasoning included.
    pub completion_tokens: Option<u64>,
    /// Both.
    pub total_tokens: Option<u64>,
    /// OpenRouter: USD charged to the account.
    pub cost: Option<Number>,
    /// OpenRouter: whether the account's own provider key was used.
    pub is_byok: Option<bool>,
    /// Of the tokens in.
    pub prompt_tokens_details: Option<Box<PromptTokensDetails>>,
    /// Of the tokens out.
    pub completion_tokens_details: Option<Box<CompletionTokensDetails>>,
    /// OpenRouter: of the cost.
    pub cost_details: Option<Box<CostDetails>>,
    /// Everything else.
    pub extra: Extra,
    /// How what is missing came; not on the wire.
    pub(crate) kept: Kept,
}

lossless_object!(Usage {
    "prompt_tokens" => prompt_tokens,
    "completion_tokens" => completion_tokens,
    "total_tokens" => total_tokens,
    "cost" => cost,
    "is_byok" => is_byok,
    "prompt_tokens_details" => prompt_tokens_details,
    "completion_tokens_details" => completion_tokens_details,
    "cost_details" => cost_details
});

impl Usage {
    /// The cost in USD: `cost`, or the total where `cost` is an object of its parts, as Perplexity's is.
    pub fn total_cost(&self) -> Option<f64> {
        match &self.cost {
            Some(cost) => cost.as_f64(),
            None => self.extra.get("cost")?.get("total_cost")?.as_f64(),
        }
    }
}

/// Where the tokens in came from.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PromptTokensDetails {
    /// Read from a cache.
    pub cached_tokens: Option<u64>,
    /// Written to a cache.
    pub cache_write_tokens: Option<u64>,
    /// Of sound.
    pub audio_tokens: Option<u64>,
    /// Of video.
    pub video_tokens: Option<u64>,
    /// Everything else.
    pub extra: Extra,
    /// How what is missing came; not on the wire.
    pub(crate) kept: Kept,
}

lossless_object!(PromptTokensDetails {
    "cached_tokens" => cached_tokens,
    "cache_write_tokens" => cache_write_tokens,
    "audio_tokens" => audio_tokens,
    "video_tokens" => video_tokens
});

/// What the tokens out were spent on.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct CompletionTokensDetails {
    /// On reasoning.
    pub reasoning_tokens: Option<u64>,
    /// On sound.
    pub audio_tokens: Option<u64>,
    /// On images.
    pub image_tokens: Option<u64>,
    /// Predicted, and right.
    pub accepted_prediction_tokens: Option<u64>,
    /// Predicted, and wrong.
    pub rejected_prediction_tokens: Option<u64>,
    /// Everything else.
    pub extra: Extra,
    /// How what is missing came; not on the wire.
    pub(crate) kept: Kept,
}

lossless_object!(CompletionTokensDetails {
    "reasoning_tokens" => reasoning_tokens,
    "audio_tokens" => audio_tokens,
    "image_tokens" => image_tokens,
    "accepted_prediction_tokens" => accepted_prediction_tokens,
    "rejected_prediction_tokens" => rejected_prediction_tokens
});

/// What the cost is made of, in USD.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct CostDetails {
    /// What the provider charged.
    pub upstream_inference_cost: Option<Number>,
    /// Of it, for the tokens in.
    pub upstream_inference_prompt_cost: Option<Number>,
    /// Of it, for the tokens out.
    pub upstream_inference_completions_cost: Option<Number>,
    /// Everything else.
    pub extra: Extra,
    /// How what is missing came; not on the wire.
    pub(crate) kept: Kept,
}

lossless_object!(CostDetails {
    "upstream_inference_cost" => upstream_inference_cost,
    "upstream_inference_prompt_cost" => upstream_inference_prompt_cost,
    "upstream_inference_completions_cost" => upstream_inference_completions_cost
});
