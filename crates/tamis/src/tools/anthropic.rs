//! What Anthropic needs to keep to a tool's schema.

use serde_json::{Map, Value};

/// Without this header OpenRouter takes `strict` off the tools that it sends to Anthropic, and says
/// nothing. Source: OpenRouter's documentation of structured outputs, 2026.
const HEADER: (&str, &str) = ("x-anthropic-beta", "structured-outputs-2025-11-13");

/// The header that a request with strict tools needs where Anthropic may serve it.
pub(crate) fn strict_tools_header(
    request: &Map<String, Value>,
) -> Option<(&'static str, &'static str)> {
    let is_strict = |tool: &Value| {
        // Other protocols than chat completions have no object around the function's fields.
        let strict = tool.get("function").unwrap_or(tool).get("strict");
        strict.and_then(Value::as_bool) == Some(true)
    };
    let tools = request.get("tools").and_then(Value::as_array)?;
    let fallbacks = request.get("models").and_then(Value::as_array);
    let mut models = request
        .get("model")
        .into_iter()
        .chain(fallbacks.into_iter().flatten());
    let is_anthropic = |model: &Value| {
        model
            .as_str()
            .is_some_and(|model| model.trim_start_matches('~').starts_with("anthropic/"))
    };
    (tools.iter().any(is_strict) && models.any(is_anthropic)).then_some(HEADER)
}
