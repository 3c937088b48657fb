//! Changes to the JSON of chunks and completions.

use serde_json::{Map, Value, json};

use crate::object::set;

use super::{Piece, Place, Tampering, ToolIndex};

pub(super) fn tamper(pieces: &mut Vec<Piece>, tampering: Tampering) {
    match tampering {
        Tampering::NoUsage => {
            pieces.retain(|piece| piece.place != Place::Usage);
            each(pieces, |event| {
                event.shift_remove("usage");
                for holder in ["response", "message"] {
                    if let Some(Value::Object(holder)) = event.get_mut(holder) {
                        holder.shift_remove("usage");
                    }
                }
            });
        }
        Tampering::UsageWithoutChoices => each(pieces, |event| {
            if event.contains_key("usage") {
                event.insert("choices".to_owned(), json!([]));
            }
        }),
        Tampering::UsageEverywhere => usage_everywhere(pieces),
        Tampering::RoleOnce => role_once(pieces),
        Tampering::Anonymous => each(pieces, |event| {
            for key in ["id", "object", "created", "model"] {
                event.shift_remove(key);
            }
        }),
        Tampering::NoFinish => each(pieces, |event| {
            no_native_finish(event);
            for choice in objects(event.get_mut("choices")) {
                choice.insert("finish_reason".to_owned(), Value::Null);
                choice.insert("native_finish_reason".to_owned(), Value::Null);
            }
        }),
        Tampering::ToolIndex(kind) => tool_index(pieces, kind),
        Tampering::ObjectArguments => each(pieces, |event| {
            for choice in objects(event.get_mut("choices")) {
                let message = choice.get_mut("message");
                let calls = message.and_then(|message| message.get_mut("tool_calls"));
                for function in objects(calls).filter_map(|call| call.get_mut("function")) {
                    let text = function.get("arguments").and_then(Value::as_str);
                    let parsed = serde_json::from_str(text.unwrap_or_default());
                    set(function, "arguments", parsed.unwrap_or(Value::Null));
                }
            }
        }),
        Tampering::UnknownEvents => {
            let event = json!({"type": "response.novelty", "output_index": 7, "novel": [1, null]});
            let known = std::mem::take(pieces);
            for piece in known {
                if piece.place == Place::Delta {
                    pieces.push(Piece::event(Place::Delta, event.clone()));
                }
                pieces.push(piece);
            }
        }
        Tampering::NoPlaces => each(pieces, |event| {
            for key in ["output_index", "content_index", "summary_index", "index"] {
                event.shift_remove(key);
            }
        }),
        Tampering::NoOutputAtEnd => each(pieces, |event| {
            let kind = event.get("type").and_then(Value::as_str);
            if kind == Some("response.completed")
                && let Some(response) = event.get_mut("response")
            {
                set(response, "output", json!([]));
            }
        }),
        Tampering::StringNumbers => each(pieces, |event| {
            for key in ["created", "created_at"] {
                spell(event.get_mut(key));
            }
            for key in [
                "prompt_tokens",
                "completion_tokens",
                "total_tokens",
                "input_tokens",
                "output_tokens",
            ] {
                spell(event.get_mut("usage").and_then(|usage| usage.get_mut(key)));
            }
        }),
        Tampering::Decisions(slip) => each(pieces, |event| slip.spoil(event)),
        Tampering::Vectors(slip) => each(pieces, |event| slip.spoil(event)),
    }
}

/// The other protocols' last events, without what they are for.
fn no_native_finish(event: &mut Map<String, Value>) {
    let kind = event
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if kind == "message_delta" {
        event.shift_remove("delta");
    } else if matches!(kind, "response.completed" | "response.incomplete") {
        event.insert("type".to_owned(), json!("response.in_progress"));
        if let Some(response) = event.get_mut("response") {
            set(response, "status", "in_progress");
        }
    }
}

fn each(pieces: &mut [Piece], mut change: impl FnMut(&mut Map<String, Value>)) {
    for event in pieces.iter_mut().filter_map(Piece::event_mut) {
        if let Some(event) = event.as_object_mut() {
            change(event);
        }
    }
}

/// The objects in an array.
fn objects(array: Option<&mut Value>) -> impl Iterator<Item = &mut Map<String, Value>> {
    array
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
        .filter_map(Value::as_object_mut)
}

fn spell(number: Option<&mut Value>) {
    if let Some(number) = number {
        *number = json!(number.to_string());
    }
}

fn usage_everywhere(pieces: &mut [Piece]) {
    let mut so_far = 0_u64;
    for piece in pieces
        .iter_mut()
        .filter(|piece| piece.place == Place::Delta)
    {
        so_far = so_far.saturating_add(1);
        if let Some(event) = piece.event_mut() {
            set(
                event,
                "usage",
                json!({
                    "prompt_tokens": 12,
                    "completion_tokens": so_far,
                    "total_tokens": so_far.saturating_add(12),
                }),
            );
        }
    }
}

fn role_once(pieces: &mut [Piece]) {
    let mut seen = Vec::new();
    each(pieces, |event| {
        for choice in objects(event.get_mut("choices")) {
            let index = choice.get("index").cloned();
            let Some(delta) = choice.get_mut("delta").and_then(Value::as_object_mut) else {
                continue;
            };
            if seen.contains(&index) {
                delta.shift_remove("role");
                if delta.get("content").and_then(Value::as_str) == Some("") {
                    delta.shift_remove("content");
                }
            } else {
                seen.push(index);
            }
        }
    });
}

fn tool_index(pieces: &mut [Piece], kind: ToolIndex) {
    let (mut id, mut drift) = (Value::Null, 0_u64);
    each(pieces, |event| {
        for choice in objects(event.get_mut("choices")) {
            let delta = choice.get_mut("delta");
            for call in objects(delta.and_then(|delta| delta.get_mut("tool_calls"))) {
                let first = call.get("id").cloned();
                match kind {
                    ToolIndex::Zero => {
                        call.insert("index".to_owned(), json!(0));
                    }
                    ToolIndex::Null => {
                        call.insert("index".to_owned(), Value::Null);
                    }
                    ToolIndex::Missing => {
                        call.shift_remove("index");
                    }
                    ToolIndex::FirstOnly if first.is_none() => {
                        call.shift_remove("index");
                    }
                    ToolIndex::FirstOnly => {}
                    ToolIndex::Drifting => {
                        id = first.unwrap_or_else(|| std::mem::take(&mut id));
                        call.insert("id".to_owned(), id.clone());
                        call.insert("index".to_owned(), json!(drift));
                        drift = drift.saturating_add(1);
                    }
                }
            }
        }
    });
}
