//! The smaller fields.

use serde_json::{Map, Value};

use super::values::{Checked, Kind, check_all, get, list, needs_text, object, refuse, whole};

/// `structured_outputs` is not here: servers that are not OpenRouter have an object by that name.
const FIELDS: &[(&str, Kind)] = &[
    ("model", Kind::Text),
    ("stream", Kind::Truth),
    ("stream_options", Kind::Object),
    ("usage", Kind::Object),
    ("parallel_tool_calls", Kind::Truth),
    ("reasoning_effort", Kind::Text),
    ("include_reasoning", Kind::Truth),
    ("verbosity", Kind::Text),
    ("modalities", Kind::Texts),
    ("image_config", Kind::Object),
    ("audio", Kind::Object),
    ("route", Kind::Text),
    ("transforms", Kind::Texts),
    ("preset", Kind::Text),
    ("web_search_options", Kind::Object),
    ("service_tier", Kind::Text),
    ("user", Kind::Text),
    ("prompt_cache_key", Kind::Text),
    ("debug", Kind::Object),
];

pub(super) fn check(request: &Map<String, Value>) -> Checked {
    type Check = fn(&str, &Value) -> Checked;
    check_all("", request, FIELDS)?;
    check_session(request)?;
    check_reasoning(request)?;
    let checks: [(&str, Check); 6] = [
        ("metadata", check_metadata),
        ("trace", check_trace),
        ("cache_control", check_cache_control),
        ("prompt_cache_options", check_cache_options),
        ("prediction", check_prediction),
        ("response_format", check_format),
    ];
    for (name, check) in checks {
        if let Some(value) = get(request, name) {
            check(name, value)?;
        }
    }
    let insides = [
        ("stream_options", "include_usage", Kind::Truth),
        ("usage", "include", Kind::Truth),
        ("debug", "echo_upstream_body", Kind::Truth),
        ("audio", "voice", Kind::Text),
        ("audio", "format", Kind::Text),
    ];
    for (name, inside, kind) in insides {
        if let Some(Value::Object(fields)) = get(request, name) {
            check_all(name, fields, &[(inside, kind)])?;
        }
    }
    Ok(())
}

fn check_session(request: &Map<String, Value>) -> Checked {
    match get(request, "session_id") {
        None => Ok(()),
        Some(Value::String(id)) if id.chars().count() <= 256 => Ok(()),
        Some(Value::String(id)) => refuse(format!(
            "session_id: {} characters; at most 256",
            id.chars().count()
        )),
        Some(_) => refuse("session_id: not a text"),
    }
}

fn check_reasoning(request: &Map<String, Value>) -> Checked {
    const FIELDS: &[(&str, Kind)] = &[
        ("effort", Kind::Text),
        ("exclude", Kind::Truth),
        ("enabled", Kind::Truth),
        ("summary", Kind::Text),
    ];
    let Some(reasoning) = get(request, "reasoning") else {
        return Ok(());
    };
    let reasoning = object("reasoning", reasoning)?;
    check_all("reasoning", reasoning, FIELDS)?;
    let effort = get(reasoning, "effort");
    if let Some(tokens) = get(reasoning, "max_tokens") {
        whole("reasoning.max_tokens", tokens, 1..=u64::MAX)?;
        if effort.is_some() {
            return refuse("reasoning: effort and max_tokens; only one of both");
        }
    }
    match (effort, get(request, "reasoning_effort")) {
        (Some(effort), Some(other)) if effort != other => {
            refuse("reasoning_effort: another one than in reasoning.effort")
        }
        _ => Ok(()),
    }
}

fn check_metadata(_: &str, metadata: &Value) -> Checked {
    let metadata = object("metadata", metadata)?;
    if metadata.len() > 16 {
        return refuse(format!("metadata: {} pairs; at most 16", metadata.len()));
    }
    for (key, value) in metadata {
        if key.chars().count() > 64 {
            return refuse("metadata: a key of more than 64 characters");
        }
        let Some(text) = value.as_str() else {
            return refuse(format!("metadata[{key:?}]: not a text"));
        };
        if text.chars().count() > 512 {
            return refuse(format!("metadata[{key:?}]: more than 512 characters"));
        }
    }
    Ok(())
}

fn check_trace(path: &str, trace: &Value) -> Checked {
    let names = [
        "trace_id",
        "trace_name",
        "span_name",
        "generation_name",
        "parent_span_id",
    ];
    check_all(
        path,
        object(path, trace)?,
        &names.map(|name| (name, Kind::Text)),
    )
}

/// A type or a time that is not known is let through.
pub(super) fn check_cache_control(path: &str, cache: &Value) -> Checked {
    let cache = object(path, cache)?;
    needs_text(path, cache, "type")?;
    check_all(path, cache, &[("ttl", Kind::Text)])
}

fn check_cache_options(path: &str, options: &Value) -> Checked {
    let options = object(path, options)?;
    needs_text(path, options, "mode")?;
    check_all(path, options, &[("ttl", Kind::Text)])
}

fn check_prediction(path: &str, prediction: &Value) -> Checked {
    let prediction = object(path, prediction)?;
    needs_text(path, prediction, "type")?;
    match get(prediction, "content") {
        Some(Value::String(_)) => Ok(()),
        Some(parts @ Value::Array(_)) => {
            let is_text = |part: &Value| part.get("text").is_some_and(Value::is_string);
            if list(path, parts)?.iter().all(is_text) {
                return Ok(());
            }
            refuse("prediction.content: a part that is no text")
        }
        Some(_) => refuse("prediction.content: neither text nor a list of parts"),
        None => refuse("prediction.content: missing"),
    }
}

fn check_format(path: &str, format: &Value) -> Checked {
    let format = object(path, format)?;
    needs_text(path, format, "type")?;
    match get(format, "type").and_then(Value::as_str) {
        Some("grammar") => needs_text(path, format, "grammar"),
        _ => Ok(()),
    }
}
