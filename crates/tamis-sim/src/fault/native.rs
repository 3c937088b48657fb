//! What faults send in the words of chat completions, in those of another protocol.

use serde_json::{Value, json};

use crate::protocol::{Protocol, failed};

/// One event as text, or a comment, which is the same in all of them.
pub(super) fn event(text: String, protocol: Protocol, id: &str) -> String {
    let Some(data) = text.strip_prefix("data: ").map(str::trim_end) else {
        return text;
    };
    if protocol == Protocol::Chat {
        return text;
    }
    if data == "[DONE]" {
        return match protocol {
            Protocol::Messages => write(&json!({"type": "message_stop"})),
            _ => text,
        };
    }
    let Ok(chunk) = serde_json::from_str::<Value>(data) else {
        return text;
    };
    let event = match chunk.get("error") {
        Some(error) => protocol.event_of_error(error, id, chunk.get("choices").is_none()),
        None if protocol == Protocol::Messages => json!({"type": "content_block_delta", "index": 0,
            "delta": {"type": "text_delta", "text": ""}}),
        None => json!({"type": "response.output_text.delta", "output_index": 0, "content_index": 0,
            "delta": ""}),
    };
    write(&event)
}

/// A body that comes in an answer's place.
pub(super) fn body(text: String, status: u16, protocol: Protocol, id: &str) -> String {
    let Ok(body) = serde_json::from_str::<Value>(&text) else {
        return text;
    };
    let nothing = |body: &Value| body.get("choices").is_some_and(Value::is_null);
    let empty = |body: &Value| body.get("choices").is_some_and(Value::is_array);
    let body = match (protocol, body.get("error")) {
        (Protocol::Chat, _) => return text,
        (Protocol::Responses, Some(error)) if status == 200 => failed(error, id),
        (Protocol::Responses, None) if nothing(&body) => {
            json!({"id": null, "object": null, "status": null, "output": null, "usage": null})
        }
        (Protocol::Responses, None) if empty(&body) => {
            json!({"id": id, "object": "response", "status": "completed", "output": []})
        }
        (Protocol::Messages, None) if nothing(&body) => {
            json!({"id": null, "type": null, "content": null, "stop_reason": null, "usage": null})
        }
        (Protocol::Messages, None) if empty(&body) => {
            json!({"id": id, "type": "message", "role": "assistant", "content": [],
                "stop_reason": "end_turn"})
        }
        _ => protocol.error(body),
    };
    body.to_string()
}

/// The bytes of an event, with its name where it has one.
pub(super) fn write(event: &Value) -> String {
    match name(event) {
        Some(name) => format!("event: {name}\ndata: {event}\n\n"),
        None => format!("data: {event}\n\n"),
    }
}

/// The name of an event, which chunks do not have.
pub(super) fn name(event: &Value) -> Option<&str> {
    event.get("type").and_then(Value::as_str)
}
