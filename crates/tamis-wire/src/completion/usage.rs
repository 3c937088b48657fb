//! Tokens and cost.

use serde::Serialize;
use serde_json::{Number, Value};

use crate::extra::Extra;
use crate::lenient::tolerant_object;

/// What a call used, in tokens of the model's own tokenizer, and what it cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Usage {
    /// Tokens in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_tokens: Option<u64>,
    /// Tokens out, reasoning included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completion_tokens: Option<u64>,
    /// Both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_tokens: Option<u64>,
    /// OpenRouter: USD charged to the account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Number>,
    /// OpenRouter: whether the account's own provider key was used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_byok: Option<bool>,
    /// Of the tokens in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_tokens_details: Option<Box<PromptTokensDetails>>,
    /// Of the tokens out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completion_tokens_details: Option<Box<CompletionTokensDetails>>,
    /// OpenRouter: of the cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_details: Option<Box<CostDetails>>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

tolerant_object!(<'de> Usage {
    "prompt_tokens" => prompt_tokens,
    "completion_tokens" => completion_tokens,
    "total_tokens" => total_tokens,
    "is_byok" => is_byok,
    "prompt_tokens_details" => prompt_tokens_details,
    "completion_tokens_details" => completion_tokens_details,
    "cost_details" => cost_details;
    extra;
    other read_cost
});

impl Usage {
    /// Perplexity has an object where `OpenRouter` has a number; it stays in `extra`.
    fn read_cost(&mut self, name: &str, value: Option<Value>) {
        match value {
            Some(Value::Number(cost)) if name == "cost" => self.cost = Some(cost),
            value => self.extra.insert_known(name, value),
        }
    }

    /// The cost in USD: `cost`, or the total where `cost` is an object of its parts.
    pub fn total_cost(&self) -> Option<f64> {
        match &self.cost {
            Some(cost) => cost.as_f64(),
            None => self.extra.get("cost")?.get("total_cost")?.as_f64(),
        }
    }
}

/// Where the tokens in came from.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PromptTokensDetails {
    /// Read from a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached_tokens: Option<u64>,
    /// Written to a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_write_tokens: Option<u64>,
    /// Of sound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audio_tokens: Option<u64>,
    /// Of video.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub video_tokens: Option<u64>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

tolerant_object!(<'de> PromptTokensDetails {
    "cached_tokens" => cached_tokens,
    "cache_write_tokens" => cache_write_tokens,
    "audio_tokens" => audio_tokens,
    "video_tokens" => video_tokens;
    extra
});

/// What the tokens out were spent on.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CompletionTokensDetails {
    /// On reasoning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_tokens: Option<u64>,
    /// On sound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audio_tokens: Option<u64>,
    /// On images.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image_tokens: Option<u64>,
    /// Predicted, and right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted_prediction_tokens: Option<u64>,
    /// Predicted, and wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rejected_prediction_tokens: Option<u64>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

tolerant_object!(<'de> CompletionTokensDetails {
    "reasoning_tokens" => reasoning_tokens,
    "audio_tokens" => audio_tokens,
    "image_tokens" => image_tokens,
    "accepted_prediction_tokens" => accepted_prediction_tokens,
    "rejected_prediction_tokens" => rejected_prediction_tokens;
    extra
});

/// What the cost is made of, in USD.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CostDetails {
    /// What the provider charged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_inference_cost: Option<Number>,
    /// Of it, for the tokens in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_inference_prompt_cost: Option<Number>,
    /// Of it, for the tokens out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_inference_completions_cost: Option<Number>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

tolerant_object!(<'de> CostDetails {
    "upstream_inference_cost" => upstream_inference_cost,
    "upstream_inference_prompt_cost" => upstream_inference_prompt_cost,
    "upstream_inference_completions_cost" => upstream_inference_completions_cost;
    extra
});
