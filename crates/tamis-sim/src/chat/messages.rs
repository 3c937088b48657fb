//! The answer in the Messages protocol.

use serde_json::{Map, Value, json};

use super::render::{Telling, fragments};
use crate::fault::{Piece, Place, Said};
use crate::object::set;
use crate::protocol::Protocol;
use crate::rng::Rng;

impl Telling<'_> {
    /// The one piece of a plain answer.
    pub(super) fn plain_message(&self) -> Vec<Piece> {
        let error = self.choices.first().and_then(|said| said.error.as_ref());
        let body = match error {
            Some(error) => Protocol::Messages.event_of_error(error, &self.facts.id, true),
            None => self.message(),
        };
        vec![Piece::event(Place::Delta, body)]
    }

    /// Comments, the beginning, the blocks bit by bit, the reason for the end, the end.
    pub(super) fn stream_message(&self, rng: &mut Rng) -> Vec<Piece> {
        let mut pieces = vec![
            Piece::text(Place::Comment, ": OPENROUTER PROCESSING\n\n"),
            Piece::text(Place::Comment, ": OPENROUTER PROCESSING\n\n"),
        ];
        let message = self.message();
        let usage = message.get("usage").cloned().unwrap_or_default();
        let mut begun = message.clone();
        let input = usage.get("input_tokens");
        for (name, value) in [
            ("content", json!([])),
            ("stop_reason", Value::Null),
            ("usage", json!({"input_tokens": input, "output_tokens": 0})),
        ] {
            set(&mut begun, name, value);
        }
        let mut events = vec![
            json!({"type": "message_start", "message": begun}),
            json!({"type": "ping"}),
        ];
        let blocks = message.get("content").and_then(Value::as_array);
        for (index, block) in blocks.into_iter().flatten().enumerate() {
            block_events(index, block, rng, &mut events);
        }
        pieces.extend(
            events
                .into_iter()
                .map(|event| Piece::event(Place::Delta, event)),
        );
        if let Some(error) = self.choices.first().and_then(|said| said.error.as_ref()) {
            let event = Protocol::Messages.event_of_error(error, &self.facts.id, true);
            pieces.push(Piece::event(Place::Finish, event));
            return pieces;
        }
        let reason = message.get("stop_reason");
        let end = json!({"type": "message_delta",
            "delta": {"stop_reason": reason, "stop_sequence": null}, "usage": usage});
        pieces.push(Piece::event(Place::Finish, end));
        pieces.push(Piece::event(Place::Done, json!({"type": "message_stop"})));
        pieces
    }

    fn message(&self) -> Value {
        let Some(said) = self.choices.first() else {
            return json!({});
        };
        let reason = match (said.finish.as_str(), said.native.as_str()) {
            ("length", _) | (_, "max_tokens" | "max_output_tokens") => json!("max_tokens"),
            _ if said.refusal.is_some() => json!("refusal"),
            ("content_filter", _) => json!("refusal"),
            ("stop", _) => json!("end_turn"),
            ("tool_calls", _) => json!("tool_use"),
            ("", _) => Value::Null,
            (other, _) => json!(other),
        };
        let usage = self.usage();
        let of = |name: &str| usage.get(name).cloned().unwrap_or_default();
        let mut body = Map::new();
        for (name, value) in [
            ("id", json!(self.facts.id)),
            ("type", json!("message")),
            ("role", json!("assistant")),
            ("model", json!(self.facts.model)),
            ("provider", json!(self.facts.provider)),
            ("content", content(said)),
            ("stop_reason", reason),
            ("stop_sequence", Value::Null),
            (
                "usage",
                json!({
                    "input_tokens": of("prompt_tokens"),
                    "cache_creation_input_tokens": 0,
                    "cache_read_input_tokens": 0,
                    "output_tokens": of("completion_tokens"),
                    "cost": of("cost"),
                    "is_byok": false,
                }),
            ),
        ] {
            body.insert(name.to_owned(), value);
        }
        if self.metadata {
            body.insert("openrouter_metadata".to_owned(), self.routing());
        }
        Value::Object(body)
    }
}

/// Thoughts, then what is said, then calls.
fn content(said: &Said) -> Value {
    let mut blocks = Vec::new();
    if let Some(thinking) = &said.reasoning {
        blocks.push(json!({"type": "thinking", "thinking": thinking, "signature": "c2ltdWxhdGVk"}));
    }
    for text in [&said.content, &said.refusal].into_iter().flatten() {
        blocks.push(json!({"type": "text", "text": text}));
    }
    for call in &said.calls {
        // What is cut off is none yet.
        let input: Value =
            serde_json::from_str(&call.arguments).unwrap_or_else(|_| json!(call.arguments));
        blocks.push(json!({"type": "tool_use", "id": call.id, "name": call.name, "input": input}));
    }
    json!(blocks)
}

fn block_events(index: usize, block: &Value, rng: &mut Rng, events: &mut Vec<Value>) {
    let text = |name: &str| block.get(name).and_then(Value::as_str).unwrap_or_default();
    let mut begun = block.clone();
    let mut deltas = Vec::new();
    match text("type") {
        "thinking" => {
            set(&mut begun, "thinking", "");
            set(&mut begun, "signature", "");
            for fragment in fragments(text("thinking"), rng) {
                deltas.push(json!({"type": "thinking_delta", "thinking": fragment}));
            }
            deltas.push(json!({"type": "signature_delta", "signature": text("signature")}));
        }
        "tool_use" => {
            set(&mut begun, "input", json!({}));
            let input = match block.get("input") {
                Some(Value::String(cut)) => cut.clone(),
                Some(input) => input.to_string(),
                None => String::new(),
            };
            for fragment in fragments(&input, rng) {
                deltas.push(json!({"type": "input_json_delta", "partial_json": fragment}));
            }
        }
        _ => {
            set(&mut begun, "text", "");
            for fragment in fragments(text("text"), rng) {
                deltas.push(json!({"type": "text_delta", "text": fragment}));
            }
        }
    }
    events.push(json!({"type": "content_block_start", "index": index, "content_block": begun}));
    for delta in deltas {
        events.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
    }
    events.push(json!({"type": "content_block_stop", "index": index}));
}
