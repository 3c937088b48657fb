//! The request, as far as the simulator minds it.

use serde_json::{Map, Value};

use super::check;
use crate::error_body::ErrorBody;

/// More choices than this are not given.
const MOST_CHOICES: u64 = 16;

/// A request that passed the checks.
#[derive(Debug)]
pub(super) struct Request {
    body: Map<String, Value>,
    pub(super) model: String,
    pub(super) stream: bool,
    pub(super) choices: u64,
    pub(super) max_tokens: Option<usize>,
}

/// What `tool_choice` comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ToolChoice<'a> {
    /// The model may answer as it likes.
    Free,
    /// Some tool has to be called.
    Any,
    /// This tool has to be called.
    Named(&'a str),
}

impl Request {
    /// Reads and checks a body.
    pub(super) fn read(body: &[u8]) -> Result<Self, ErrorBody> {
        let body = check::body(body)?;
        let model = body.get("model").and_then(Value::as_str);
        let fallback = body.get("models").and_then(Value::as_array);
        let fallback = fallback.and_then(|models| models.first()?.as_str());
        let model = model.or(fallback).unwrap_or("sim/steady").to_owned();
        let max_tokens = ["max_completion_tokens", "max_tokens"]
            .iter()
            .find_map(|key| body.get(*key)?.as_u64())
            .and_then(|limit| usize::try_from(limit).ok());
        Ok(Self {
            stream: body.get("stream") == Some(&Value::Bool(true)),
            choices: body
                .get("n")
                .and_then(Value::as_u64)
                .unwrap_or(1)
                .clamp(1, MOST_CHOICES),
            model,
            max_tokens,
            body,
        })
    }

    /// The schema that the answer has to conform to; `true` where `json_schema` came without one.
    pub(super) fn schema(&self) -> Option<Value> {
        let format = self.format()?;
        (format.get("type")?.as_str()? == "json_schema").then(|| {
            let schema = format
                .get("json_schema")
                .and_then(|spec| spec.get("schema"));
            schema.cloned().unwrap_or(Value::Bool(true))
        })
    }

    /// Whether the answer is to be JSON.
    pub(super) fn wants_json(&self) -> bool {
        self.wants_json_object() || self.schema().is_some()
    }

    /// Whether JSON of any shape was asked for.
    pub(super) fn wants_json_object(&self) -> bool {
        let kind = self.format().and_then(|format| format.get("type"));
        kind.and_then(Value::as_str) == Some("json_object")
    }

    fn format(&self) -> Option<&Value> {
        self.body.get("response_format")
    }

    /// The functions offered, as name and parameters.
    pub(super) fn tools(&self) -> Vec<(&str, Value)> {
        let tools = self.body.get("tools").and_then(Value::as_array);
        tools
            .into_iter()
            .flatten()
            .filter_map(|tool| {
                let function = tool.get("function")?;
                let parameters = function.get("parameters").filter(|value| !value.is_null());
                let name = function.get("name")?.as_str()?;
                Some((
                    name,
                    parameters
                        .cloned()
                        .unwrap_or_else(|| serde_json::json!({"type": "object"})),
                ))
            })
            .collect()
    }

    pub(super) fn tool_choice(&self) -> ToolChoice<'_> {
        match self.body.get("tool_choice") {
            Some(Value::String(word)) if word == "required" => ToolChoice::Any,
            Some(choice @ Value::Object(_)) => choice
                .get("function")
                .and_then(|function| function.get("name")?.as_str())
                .map_or(ToolChoice::Free, ToolChoice::Named),
            _ => ToolChoice::Free,
        }
    }

    /// Whether thoughts are to come with the answer.
    pub(super) fn wants_reasoning(&self) -> bool {
        let effort = self.body.get("reasoning_effort").and_then(Value::as_str);
        let Some(reasoning) = self.body.get("reasoning").and_then(Value::as_object) else {
            return effort.is_some_and(|effort| effort != "none");
        };
        reasoning.get("exclude") != Some(&Value::Bool(true))
            && reasoning.get("enabled") != Some(&Value::Bool(false))
            && reasoning.get("effort").and_then(Value::as_str) != Some("none")
    }

    /// `provider`, empty if there is none.
    pub(super) fn provider(&self) -> Option<&Map<String, Value>> {
        self.body.get("provider")?.as_object()
    }

    /// The capability names that the request uses.
    pub(super) fn parameters(&self) -> Vec<&str> {
        let used = |value: &Value| !value.is_null();
        let mut names: Vec<&str> = self
            .body
            .iter()
            .filter(|(key, value)| !NO_CAPABILITY.contains(&key.as_str()) && used(value))
            .map(|(key, _)| key.as_str())
            .collect();
        if self.schema().is_some() {
            names.push("structured_outputs");
        }
        names
    }

    /// The prompt's length in tokens, roughly.
    pub(super) fn prompt_tokens(&self) -> usize {
        self.body
            .get("messages")
            .map_or(0, |messages| messages.to_string().len() / 4)
    }
}

/// Keys that every endpoint takes, or that are not the endpoint's business.
const NO_CAPABILITY: &[&str] = &[
    "model",
    "models",
    "messages",
    "prompt",
    "stream",
    "stream_options",
    "usage",
    "n",
    "provider",
    "plugins",
    "route",
    "transforms",
    "preset",
    "user",
    "metadata",
    "trace",
    "session_id",
    "service_tier",
    "cache_control",
    "prompt_cache_key",
    "prompt_cache_options",
    "debug",
    "modalities",
    "image_config",
    "audio",
    "stop_server_tools_when",
];
