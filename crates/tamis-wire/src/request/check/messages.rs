//! Messages and their parts.

use serde_json::{Map, Value};

use super::options::check_cache_control;
use super::values::{Checked, Kind, check_all, get, list, needs_text, object, refuse};

pub(super) fn check(request: &Map<String, Value>) -> Checked {
    let messages = match get(request, "messages") {
        None => &[],
        Some(messages) => list("messages", messages)?,
    };
    if messages.is_empty() {
        return refuse("messages: empty; at least one is needed");
    }
    messages
        .iter()
        .enumerate()
        .try_for_each(|(place, message)| check_message(&format!("messages[{place}]"), message))
}

fn check_message(path: &str, message: &Value) -> Checked {
    const FIELDS: &[(&str, Kind)] = &[
        ("name", Kind::Text),
        ("model", Kind::Text),
        ("tool_calls", Kind::List),
        ("refusal", Kind::Text),
        ("reasoning", Kind::Text),
        ("reasoning_content", Kind::Text),
        ("reasoning_details", Kind::List),
        ("images", Kind::List),
        ("audio", Kind::Object),
        ("annotations", Kind::List),
    ];
    let message = object(path, message)?;
    let role = get(message, "role")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if role.is_empty() {
        return refuse(format!("{path}.role: missing"));
    }
    let empty = match get(message, "content") {
        None => true,
        Some(Value::String(text)) => text.is_empty(),
        Some(Value::Array(parts)) => {
            for (place, part) in parts.iter().enumerate() {
                check_part(&format!("{path}.content[{place}]"), part)?;
            }
            parts.is_empty()
        }
        Some(_) => return refuse(format!("{path}.content: neither text nor a list of parts")),
    };
    let asks_for_tools = get(message, "tool_calls")
        .and_then(Value::as_array)
        .is_some_and(|calls| !calls.is_empty());
    // A tool may have nothing to say, and so may a turn that asked for tools, or was declined.
    let may_be_empty = role == "tool"
        || (role == "assistant"
            && (asks_for_tools
                || ["refusal", "audio", "images", "reasoning_details"]
                    .iter()
                    .any(|field| get(message, field).is_some())));
    if empty && !may_be_empty {
        return refuse(format!("{path}.content: empty"));
    }
    if role == "tool" && get(message, "tool_call_id").is_none() {
        return refuse(format!(
            "{path}.tool_call_id: missing; a tool's result names its call"
        ));
    }
    check_all(path, message, FIELDS)
}

/// A part of a type that is not known is let through.
fn check_part(path: &str, part: &Value) -> Checked {
    let part = object(path, part)?;
    let inner = |name: &str| match get(part, name) {
        Some(value) => object(&format!("{path}.{name}"), value),
        None => refuse(format!("{path}.{name}: missing")),
    };
    let kind = get(part, "type").and_then(Value::as_str);
    match kind.unwrap_or_default() {
        "" => refuse(format!("{path}.type: missing")),
        "text" => {
            if !get(part, "text").is_some_and(Value::is_string) {
                return refuse(format!("{path}.text: missing, or not a text"));
            }
            match get(part, "cache_control") {
                Some(cache) => check_cache_control(&format!("{path}.cache_control"), cache),
                None => Ok(()),
            }
        }
        name @ ("image_url" | "video_url") => {
            needs_text(&format!("{path}.{name}"), inner(name)?, "url")
        }
        "input_audio" => {
            let audio = inner("input_audio")?;
            let path = format!("{path}.input_audio");
            needs_text(&path, audio, "data")?;
            needs_text(&path, audio, "format")
        }
        "file" => {
            let file = inner("file")?;
            let path = format!("{path}.file");
            let texts = ["file_data", "file_id", "filename"].map(|name| (name, Kind::Text));
            check_all(&path, file, &texts)?;
            if get(file, "file_data").or(get(file, "file_id")).is_none() {
                return refuse(format!("{path}: neither file_data nor file_id"));
            }
            Ok(())
        }
        _ => Ok(()),
    }
}
