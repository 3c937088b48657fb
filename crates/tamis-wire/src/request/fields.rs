//! Which fields a request has, and who knows them.

/// Who knows a field of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// The chat-completions protocol: OpenAI's own fields, and those that the common local servers
    /// (vLLM, llama.cpp) take by the same name.
    Protocol,
    /// OpenRouter alone, or it means something else by the name than others do.
    OpenRouter,
}

use Whose::{OpenRouter, Protocol};

/// Every field of a [`ChatRequest`](super::ChatRequest) by its name, and who knows it.
///
/// From OpenRouter's API document and its pages on parameters, as of autumn 2026. On a server that is
/// not OpenRouter its own fields are left out, unless they are set by hand in `extra`.
pub const FIELDS: &[(&str, Whose)] = &[
    ("model", Protocol),
    ("models", OpenRouter),
    ("messages", Protocol),
    ("stream", Protocol),
    ("stream_options", Protocol),
    ("usage", OpenRouter),
    ("max_completion_tokens", Protocol),
    ("max_tokens", Protocol),
    ("temperature", Protocol),
    ("top_p", Protocol),
    ("top_k", Protocol),
    ("top_a", OpenRouter),
    ("min_p", Protocol),
    ("frequency_penalty", Protocol),
    ("presence_penalty", Protocol),
    ("repetition_penalty", Protocol),
    ("seed", Protocol),
    ("stop", Protocol),
    ("logit_bias", Protocol),
    ("logprobs", Protocol),
    ("top_logprobs", Protocol),
    ("tools", Protocol),
    ("tool_choice", Protocol),
    ("parallel_tool_calls", Protocol),
    ("stop_server_tools_when", OpenRouter),
    ("response_format", Protocol),
    ("structured_outputs", OpenRouter),
    ("reasoning", OpenRouter),
    ("reasoning_effort", Protocol),
    ("include_reasoning", OpenRouter),
    ("verbosity", Protocol),
    ("modalities", Protocol),
    ("image_config", OpenRouter),
    ("audio", Protocol),
    ("prediction", Protocol),
    ("provider", OpenRouter),
    ("route", OpenRouter),
    ("plugins", OpenRouter),
    ("transforms", OpenRouter),
    ("preset", OpenRouter),
    ("web_search_options", Protocol),
    ("service_tier", Protocol),
    ("session_id", OpenRouter),
    ("user", Protocol),
    ("metadata", Protocol),
    ("trace", OpenRouter),
    ("cache_control", OpenRouter),
    ("prompt_cache_key", Protocol),
    ("prompt_cache_options", Protocol),
    ("debug", OpenRouter),
];
