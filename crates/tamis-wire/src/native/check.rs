//! What is checked before a request of another protocol is sent.

use serde_json::{Value, json};

use super::{Fields, Object};
use crate::failure::{Failure, FailureKind};
use crate::protocol::Protocol;
use crate::request::check_json;

/// Fields that mean the same as in chat completions, and are checked as there.
const SHARED: [&str; 11] = [
    "model",
    "models",
    "temperature",
    "top_p",
    "top_k",
    "top_logprobs",
    "presence_penalty",
    "frequency_penalty",
    "session_id",
    "provider",
    "metadata",
];

/// Checks a request of a protocol, given as the JSON that is sent; see
/// [`check_json`](crate::request::check_json) for chat completions.
///
/// ```
/// use tamis_wire::{Protocol, check_json_as};
///
/// let request = serde_json::json!({"model": "a/b", "input": ""});
/// let failure = check_json_as(Protocol::Responses, request.as_object().unwrap()).unwrap_err();
/// assert_eq!(failure.message(), "input: empty; a text or at least one item is needed");
/// ```
///
/// # Errors
///
/// `Validation`, naming the field and what it allows.
pub fn check_json_as(protocol: Protocol, request: &Fields) -> Result<(), Failure> {
    if protocol == Protocol::ChatCompletions {
        return check_json(request);
    }
    let mut shared = Fields::new();
    for name in SHARED {
        if let Some(value) = request.get(name) {
            shared.insert(name.to_owned(), value.clone());
        }
    }
    // Responses asks for log probabilities elsewhere.
    shared.insert("logprobs".to_owned(), true.into());
    shared.insert(
        "messages".to_owned(),
        json!([{"role": "user", "content": "-"}]),
    );
    check_json(&shared)?;
    if request
        .get("tools")
        .is_some_and(|tools| !tools.is_array() && !tools.is_null())
    {
        return refuse("tools: not a list");
    }
    match protocol {
        Protocol::Messages => check_messages(request),
        _ => check_response(request),
    }
}

fn check_response(request: &Fields) -> Result<(), Failure> {
    if !matches!(
        request.get("input"),
        Some(Value::String(_) | Value::Array(_))
    ) {
        return refuse("input: missing; a text or at least one item is needed");
    }
    if !request.says("input") {
        return refuse("input: empty; a text or at least one item is needed");
    }
    whole(request, "max_output_tokens", 1, u64::MAX)?;
    whole(request, "max_tool_calls", 1, 30)
}

fn check_messages(request: &Fields) -> Result<(), Failure> {
    if request.array("messages").is_empty() {
        return refuse("messages: empty; at least one is needed");
    }
    for (place, message) in request.array("messages").iter().enumerate() {
        let role = message.get("role").and_then(Value::as_str);
        if !matches!(role, Some("user" | "assistant" | "system")) {
            return refuse(format!("messages[{place}].role: user or assistant"));
        }
        if !message.get("content").is_some_and(super::says) {
            return refuse(format!("messages[{place}].content: empty"));
        }
    }
    if request.says("models") && request.says("fallbacks") {
        return refuse("fallbacks: cannot stand beside models");
    }
    whole(request, "max_tokens", 1, u64::MAX)
}

fn whole(request: &Fields, name: &str, least: u64, most: u64) -> Result<(), Failure> {
    let Some(value) = request.get(name).filter(|value| !value.is_null()) else {
        return Ok(());
    };
    if value
        .as_u64()
        .is_some_and(|value| (least..=most).contains(&value))
    {
        return Ok(());
    }
    refuse(if most == u64::MAX {
        format!("{name}: a whole number of at least {least}")
    } else {
        format!("{name}: a whole number from {least} to {most}")
    })
}

fn refuse<T>(message: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::new(FailureKind::Validation, message))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::check_json_as;
    use crate::protocol::Protocol;

    fn problem(protocol: Protocol, field: &str, value: Value) -> String {
        let mut request = match protocol {
            Protocol::Messages => {
                json!({"model": "a/b", "messages": [{"role": "user", "content": "hi"}]})
            }
            _ => json!({"model": "a/b", "input": "hi"}),
        };
        let request = request.as_object_mut().unwrap();
        check_json_as(protocol, request).unwrap();
        request.insert(field.to_owned(), value);
        check_json_as(protocol, request).unwrap_err().to_string()
    }

    #[test]
    fn each_problem_names_its_field() {
        use Protocol::{Messages, Responses};
        for (protocol, field, value) in [
            (Responses, "model", json!("")),
            (Responses, "input", json!([])),
            (Responses, "input", json!("")),
            (Responses, "input", Value::Null),
            (Responses, "temperature", json!(3)),
            (Responses, "max_output_tokens", json!(0)),
            (Responses, "max_tool_calls", json!(31)),
            (Responses, "session_id", json!("x".repeat(257))),
            (Responses, "tools", json!("none")),
            (Messages, "model", json!(" ")),
            (Messages, "messages", json!([])),
            (
                Messages,
                "messages",
                json!([{"role": "tool", "content": "x"}]),
            ),
            (
                Messages,
                "messages",
                json!([{"role": "user", "content": []}]),
            ),
            (Messages, "max_tokens", json!(0)),
            (Messages, "top_k", json!(-1)),
        ] {
            let problem = problem(protocol, field, value);
            assert!(problem.starts_with(field), "{field}: {problem}");
        }
    }
}
