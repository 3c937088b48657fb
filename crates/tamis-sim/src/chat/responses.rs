//! The answer in the Responses protocol.

use serde_json::{Map, Value, json};

use super::render::{Telling, fragments};
use crate::fault::{Piece, Place, Said};
use crate::object::set;
use crate::protocol::failed;
use crate::rng::Rng;

impl Telling<'_> {
    /// The one piece of a plain answer.
    pub(super) fn plain_response(&self) -> Vec<Piece> {
        vec![Piece::event(Place::Delta, self.response())]
    }

    /// Comments, the beginning, the items bit by bit, the whole response, `[DONE]`.
    pub(super) fn stream_response(&self, rng: &mut Rng) -> Vec<Piece> {
        let mut pieces = vec![
            Piece::text(Place::Comment, ": OPENROUTER PROCESSING\n\n"),
            Piece::text(Place::Comment, ": OPENROUTER PROCESSING\n\n"),
        ];
        let response = self.response();
        let mut begun = response.clone();
        for (name, value) in [
            ("status", json!("in_progress")),
            ("output", json!([])),
            ("usage", Value::Null),
            ("error", Value::Null),
            ("incomplete_details", Value::Null),
        ] {
            set(&mut begun, name, value);
        }
        let mut events = vec![
            json!({"type": "response.created", "response": begun}),
            json!({"type": "response.in_progress", "response": begun}),
        ];
        let items = response.get("output").and_then(Value::as_array);
        for (number, item) in items.into_iter().flatten().enumerate() {
            item_events(number, item, rng, &mut events);
        }
        let status = response.get("status").and_then(Value::as_str);
        // A server that does not say why it ended still says that it did.
        let name = format!("response.{}", status.unwrap_or("completed"));
        events.push(json!({"type": name, "response": response}));
        let last = events.len().saturating_sub(1);
        for (number, mut event) in events.into_iter().enumerate() {
            set(&mut event, "sequence_number", number);
            let place = if number == last {
                Place::Finish
            } else {
                Place::Delta
            };
            pieces.push(Piece::event(place, event));
        }
        pieces.push(Piece::text(Place::Done, "data: [DONE]\n\n"));
        pieces
    }

    fn response(&self) -> Value {
        let Some(said) = self.choices.first() else {
            return json!({});
        };
        if let Some(error) = &said.error {
            let mut failed = failed(error, &self.facts.id);
            set(&mut failed, "output", output(said, self.facts.created));
            return failed;
        }
        let (status, why) = match (said.finish.as_str(), said.native.as_str()) {
            ("content_filter", _) => (json!("incomplete"), json!({"reason": "content_filter"})),
            ("length", _) | (_, "max_tokens" | "max_output_tokens") => {
                (json!("incomplete"), json!({"reason": "max_output_tokens"}))
            }
            ("stop" | "tool_calls", _) => (json!("completed"), Value::Null),
            ("", _) => (Value::Null, Value::Null),
            (other, _) => (json!("incomplete"), json!({"reason": other})),
        };
        let usage = self.usage();
        let of = |name: &str| usage.get(name).cloned().unwrap_or_default();
        let details = |name: &str| of("cost_details").get(name).cloned();
        let mut body = Map::new();
        for (name, value) in [
            ("id", json!(self.facts.id)),
            ("object", json!("response")),
            ("created_at", json!(self.facts.created)),
            ("status", status),
            ("error", Value::Null),
            ("incomplete_details", why),
            ("model", json!(self.facts.model)),
            ("provider", json!(self.facts.provider)),
            ("output", output(said, self.facts.created)),
            ("parallel_tool_calls", json!(true)),
            ("store", json!(false)),
            (
                "usage",
                json!({
                    "input_tokens": of("prompt_tokens"),
                    "input_tokens_details": of("prompt_tokens_details"),
                    "output_tokens": of("completion_tokens"),
                    "output_tokens_details": of("completion_tokens_details"),
                    "total_tokens": of("total_tokens"),
                    "cost": of("cost"),
                    "is_byok": false,
                    "cost_details": {
                        "upstream_inference_cost": null,
                        "upstream_inference_input_cost": details("upstream_inference_prompt_cost"),
                        "upstream_inference_output_cost": details("upstream_inference_completions_cost"),
                    },
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
fn output(said: &Said, tag: u64) -> Value {
    let mut items = Vec::new();
    if let Some(reasoning) = &said.reasoning {
        items.push(json!({"type": "reasoning", "id": format!("rs_{tag}"),
            "summary": [{"type": "summary_text", "text": reasoning}]}));
    }
    let mut parts = Vec::new();
    if let Some(text) = &said.content {
        parts.push(json!({"type": "output_text", "text": text, "annotations": [], "logprobs": []}));
    }
    if let Some(refusal) = &said.refusal {
        parts.push(json!({"type": "refusal", "refusal": refusal}));
    }
    if !parts.is_empty() {
        items.push(
            json!({"type": "message", "id": format!("msg_{tag}"), "role": "assistant",
            "status": "completed", "content": parts}),
        );
    }
    for (number, call) in said.calls.iter().enumerate() {
        items.push(json!({"type": "function_call", "id": format!("fc_{tag}_{number}"),
            "call_id": call.id, "name": call.name, "arguments": call.arguments, "status": "completed"}));
    }
    json!(items)
}

fn item_events(number: usize, item: &Value, rng: &mut Rng, events: &mut Vec<Value>) {
    let id = item.get("id").cloned().unwrap_or_default();
    let mut begun = item.clone();
    set(&mut begun, "status", "in_progress");
    for (list, empty) in [
        ("content", json!([])),
        ("summary", json!([])),
        ("arguments", json!("")),
    ] {
        if begun.get(list).is_some() {
            set(&mut begun, list, empty);
        }
    }
    let mut push = |kind: &str, fields: Value| {
        let mut event = json!({"type": format!("response.{kind}"), "output_index": number});
        if !kind.starts_with("output_item") {
            set(&mut event, "item_id", id.clone());
        }
        if let (Some(event), Value::Object(fields)) = (event.as_object_mut(), fields) {
            event.extend(fields);
        }
        events.push(event);
    };
    push("output_item.added", json!({"item": begun}));
    for (list, index) in [("summary", "summary_index"), ("content", "content_index")] {
        let parts = item.get(list).and_then(Value::as_array);
        for (place, part) in parts.into_iter().flatten().enumerate() {
            let kind = part.get("type").and_then(Value::as_str).unwrap_or_default();
            let (text, field, part_name) = match kind {
                "refusal" => ("refusal", "refusal", "content_part"),
                "summary_text" => ("reasoning_summary_text", "text", "reasoning_summary_part"),
                _ => ("output_text", "text", "content_part"),
            };
            let at = |mut fields: Value| {
                set(&mut fields, index, place);
                fields
            };
            let mut empty = part.clone();
            set(&mut empty, field, "");
            push(&format!("{part_name}.added"), at(json!({"part": empty})));
            let whole = part.get(field).and_then(Value::as_str).unwrap_or_default();
            for fragment in fragments(whole, rng) {
                push(&format!("{text}.delta"), at(json!({"delta": fragment})));
            }
            let mut done = at(json!({}));
            set(&mut done, field, whole);
            push(&format!("{text}.done"), done);
            push(&format!("{part_name}.done"), at(json!({"part": part})));
        }
    }
    if let Some(arguments) = item.get("arguments").and_then(Value::as_str) {
        for fragment in fragments(arguments, rng) {
            push("function_call_arguments.delta", json!({"delta": fragment}));
        }
        push(
            "function_call_arguments.done",
            json!({"arguments": arguments}),
        );
    }
    push("output_item.done", json!({"item": item}));
}
