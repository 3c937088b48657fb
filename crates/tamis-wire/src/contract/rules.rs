//! The rules about the body, in their order.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::error::ContractErrorKind as Broken;
use super::outcome::{IncompleteReason, Outcome, ToolCall};

type Object = Map<String, Value>;

pub(super) fn outcome(body: &Value) -> Result<Outcome, Broken> {
    let completion = body
        .as_object()
        .filter(|body| text(body, "object") == Some("chat.completion"))
        .ok_or(Broken::WrongProtocol)?;
    let Some([choice]) = completion
        .get("choices")
        .and_then(Value::as_array)
        .map(Vec::as_slice)
    else {
        return Err(Broken::ExpectedOneChoice);
    };
    let choice = choice
        .as_object()
        .filter(|choice| choice.get("index").and_then(Value::as_u64) == Some(0))
        .ok_or(Broken::InvalidChoice)?;
    let message = choice
        .get("message")
        .and_then(Value::as_object)
        .filter(|message| text(message, "role") == Some("assistant"))
        .ok_or(Broken::InvalidMessage)?;
    let reason = text(choice, "finish_reason").ok_or(Broken::InvalidFinishReason)?;

    match reason {
        "length" => return Ok(Outcome::Incomplete(IncompleteReason::Length)),
        "content_filter" => return Ok(Outcome::Incomplete(IncompleteReason::ContentFilter)),
        _ => {}
    }
    if let Some(refusal) = present(message, "refusal") {
        return refused(refusal, message, reason);
    }
    match reason {
        "tool_calls" => tool_calls(message).map(Outcome::ToolCalls),
        "stop" if !has_tool_calls(message) => text(message, "content")
            .filter(|content| !is_blank(content))
            .map(|content| Outcome::Text(content.to_owned()))
            .ok_or(Broken::MissingText),
        _ => Err(Broken::UnsupportedFinishReason),
    }
}

fn refused(refusal: &Value, message: &Object, reason: &str) -> Result<Outcome, Broken> {
    let refusal = refusal
        .as_str()
        .filter(|refusal| !is_blank(refusal) && !has_tool_calls(message))
        .ok_or(Broken::InvalidRefusal)?;
    if reason != "stop" {
        return Err(Broken::InvalidFinishReason);
    }
    Ok(Outcome::Refusal(refusal.to_owned()))
}

fn tool_calls(message: &Object) -> Result<Vec<ToolCall>, Broken> {
    let calls = message
        .get("tool_calls")
        .and_then(Value::as_array)
        .filter(|calls| !calls.is_empty())
        .ok_or(Broken::InvalidToolCalls)?;
    let mut ids = BTreeSet::new();
    calls
        .iter()
        .map(|call| {
            let call = call
                .as_object()
                .filter(|call| text(call, "type") == Some("function"))
                .ok_or(Broken::UnsupportedTool)?;
            let read = function_call(call).ok_or(Broken::InvalidFunctionCall)?;
            if !ids.insert(read.id.clone()) {
                return Err(Broken::InvalidFunctionCall);
            }
            Ok(read)
        })
        .collect()
}

fn function_call(call: &Object) -> Option<ToolCall> {
    let function = call.get("function")?.as_object()?;
    Some(ToolCall {
        id: text(call, "id").filter(|id| !id.is_empty())?.to_owned(),
        name: text(function, "name")
            .filter(|name| !name.is_empty())?
            .to_owned(),
        arguments: text(function, "arguments")?.to_owned(),
    })
}

/// Anything but nothing counts, so that a shape that is not understood is never overlooked.
fn has_tool_calls(message: &Object) -> bool {
    match present(message, "tool_calls") {
        None => false,
        Some(Value::Array(calls)) => !calls.is_empty(),
        Some(_) => true,
    }
}

fn present<'a>(object: &'a Object, key: &str) -> Option<&'a Value> {
    object.get(key).filter(|value| !value.is_null())
}

fn text<'a>(object: &'a Object, key: &str) -> Option<&'a str> {
    object.get(key)?.as_str()
}

fn is_blank(text: &str) -> bool {
    text.chars().all(char::is_whitespace)
}
