//! The answer as JSON: a completion, or chunks with OpenRouter's habits.

use serde_json::{Map, Value, json};

use super::request::Request;
use crate::catalogue::Endpoint;
use crate::fault::{Call, Facts, Piece, Place, Said};
use crate::object::set;
use crate::protocol::Protocol;
use crate::rng::Rng;

/// All that goes into an answer.
#[derive(Debug)]
pub(super) struct Telling<'a> {
    pub(super) request: &'a Request,
    pub(super) endpoint: &'a Endpoint,
    pub(super) facts: &'a Facts,
    pub(super) choices: &'a [Said],
    /// Whether `openrouter_metadata` was asked for.
    pub(super) metadata: bool,
    pub(super) available: &'a [Endpoint],
}

impl Telling<'_> {
    /// The one piece of a plain answer.
    pub(super) fn plain(&self) -> Vec<Piece> {
        match self.facts.protocol {
            Protocol::Chat => {}
            Protocol::Responses => return self.plain_response(),
            Protocol::Messages => return self.plain_message(),
        }
        let choices: Vec<Value> = self
            .choices
            .iter()
            .enumerate()
            .map(|(index, said)| plain_choice(index, said))
            .collect();
        let mut body = self.envelope("chat.completion");
        body.insert("choices".to_owned(), json!(choices));
        body.insert("usage".to_owned(), self.usage());
        if self.metadata {
            body.insert("openrouter_metadata".to_owned(), self.routing());
        }
        vec![Piece::event(Place::Delta, Value::Object(body))]
    }

    /// Comments, deltas, the finish reasons, the usage chunk that repeats one, `[DONE]`.
    pub(super) fn stream(&self, rng: &mut Rng) -> Vec<Piece> {
        match self.facts.protocol {
            Protocol::Chat => {}
            Protocol::Responses => return self.stream_response(rng),
            Protocol::Messages => return self.stream_message(rng),
        }
        let mut pieces = vec![
            Piece::text(Place::Comment, ": OPENROUTER PROCESSING\n\n"),
            Piece::text(Place::Comment, ": OPENROUTER PROCESSING\n\n"),
        ];
        let mut rows: Vec<_> = self
            .choices
            .iter()
            .enumerate()
            .map(|(index, said)| {
                deltas(said, rng)
                    .into_iter()
                    .map(move |delta| (index, said, delta))
            })
            .collect();
        // Several choices come interleaved.
        loop {
            let round: Vec<_> = rows.iter_mut().filter_map(Iterator::next).collect();
            if round.is_empty() {
                break;
            }
            for (index, said, delta) in round {
                // A server that says "" for "not finished" says it in every chunk.
                let finish = if said.finish.is_empty() {
                    json!("")
                } else {
                    Value::Null
                };
                let choice = chunk_choice(index, &delta, &finish, &finish);
                pieces.push(Piece::event(Place::Delta, self.chunk(&choice)));
            }
        }
        for (index, said) in self.choices.iter().enumerate() {
            let choice = chunk_choice(
                index,
                &empty_delta(),
                &json!(said.finish),
                &json!(said.native),
            );
            let mut chunk = self.chunk(&choice);
            if let Some(error) = &said.error {
                set(&mut chunk, "error", error.clone());
            }
            pieces.push(Piece::event(Place::Finish, chunk));
        }
        if let Some(said) = self.choices.first() {
            let choice = chunk_choice(0, &empty_delta(), &json!(said.finish), &json!(said.native));
            let mut chunk = self.chunk(&choice);
            set(&mut chunk, "usage", self.usage());
            if self.metadata {
                set(&mut chunk, "openrouter_metadata", self.routing());
            }
            pieces.push(Piece::event(Place::Usage, chunk));
        }
        pieces.push(Piece::text(Place::Done, "data: [DONE]\n\n"));
        pieces
    }

    /// Token counts and cost.
    pub(super) fn usage(&self) -> Value {
        let prompt = self.request.prompt_tokens();
        let completion: usize = self.choices.iter().map(Said::tokens).sum();
        let price = |count: usize, million: f64| {
            // Whole tokens at a price per million: more than twelve decimals are rounding dust.
            (f64::from(u32::try_from(count).unwrap_or(u32::MAX)) * million * 1e6).round() / 1e12
        };
        let prompt_cost = price(prompt, self.endpoint.prompt_price);
        let completion_cost = price(completion, self.endpoint.completion_price);
        let reasoning: usize = self
            .choices
            .iter()
            .filter_map(|said| said.reasoning.as_deref())
            .map(crate::fault::tokens)
            .sum();
        json!({
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt.saturating_add(completion),
            "cost": ((prompt_cost + completion_cost) * 1e12).round() / 1e12,
            "is_byok": false,
            "prompt_tokens_details": {"cached_tokens": 0},
            "cost_details": {
                "upstream_inference_cost": null,
                "upstream_inference_prompt_cost": prompt_cost,
                "upstream_inference_completions_cost": completion_cost,
            },
            "completion_tokens_details": {"reasoning_tokens": reasoning},
        })
    }

    fn envelope(&self, object: &str) -> Map<String, Value> {
        let mut envelope = Map::new();
        envelope.insert("id".to_owned(), json!(self.facts.id));
        envelope.insert("object".to_owned(), json!(object));
        envelope.insert("created".to_owned(), json!(self.facts.created));
        envelope.insert("model".to_owned(), json!(self.facts.model));
        envelope.insert("provider".to_owned(), json!(self.facts.provider));
        envelope.insert("system_fingerprint".to_owned(), Value::Null);
        envelope
    }

    fn chunk(&self, choice: &Value) -> Value {
        let mut chunk = self.envelope("chat.completion.chunk");
        chunk.insert("choices".to_owned(), json!([choice]));
        Value::Object(chunk)
    }

    pub(super) fn routing(&self) -> Value {
        let model = &self.facts.model;
        let available: Vec<Value> = self
            .available
            .iter()
            .map(|endpoint| {
                json!({
                    "provider": endpoint.provider,
                    "model": model,
                    "selected": endpoint.slug == self.endpoint.slug,
                })
            })
            .collect();
        json!({
            "requested": model,
            "strategy": "direct",
            "region": null,
            "summary": format!("{model} served by {}", self.endpoint.provider),
            "attempt": 1,
            "is_byok": false,
            "endpoints": {"total": available.len(), "available": available},
            "attempts": [{"provider": self.endpoint.provider, "model": model, "status": 200}],
        })
    }
}

fn plain_choice(index: usize, said: &Said) -> Value {
    let mut message = Map::new();
    message.insert("role".to_owned(), json!("assistant"));
    message.insert("content".to_owned(), json!(said.content));
    message.insert("refusal".to_owned(), json!(said.refusal));
    message.insert("reasoning".to_owned(), json!(said.reasoning));
    if let Some(reasoning) = &said.reasoning {
        message.insert(
            "reasoning_details".to_owned(),
            json!([reasoning_detail(reasoning)]),
        );
    }
    if !said.calls.is_empty() {
        let calls: Vec<Value> = said.calls.iter().map(plain_call).collect();
        message.insert("tool_calls".to_owned(), json!(calls));
    }
    let mut choice = json!({
        "index": index,
        "finish_reason": said.finish,
        "native_finish_reason": said.native,
        "logprobs": null,
        "message": message,
    });
    if let Some(error) = &said.error {
        set(&mut choice, "error", error.clone());
    }
    choice
}

fn plain_call(call: &Call) -> Value {
    json!({
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": call.arguments},
    })
}

fn reasoning_detail(text: &str) -> Value {
    json!({"type": "reasoning.text", "text": text, "format": "unknown", "index": 0})
}

fn chunk_choice(index: usize, delta: &Value, finish: &Value, native: &Value) -> Value {
    json!({
        "index": index,
        "delta": delta,
        "finish_reason": finish,
        "native_finish_reason": native,
        "logprobs": null,
    })
}

fn empty_delta() -> Value {
    json!({"role": "assistant", "content": ""})
}

/// The deltas of one choice: thoughts, then text, then refusal, then tool calls.
fn deltas(said: &Said, rng: &mut Rng) -> Vec<Value> {
    let mut deltas = Vec::new();
    for fragment in fragments(said.reasoning.as_deref().unwrap_or_default(), rng) {
        let mut delta = empty_delta();
        set(
            &mut delta,
            "reasoning_details",
            json!([reasoning_detail(&fragment)]),
        );
        set(&mut delta, "reasoning", json!(fragment));
        deltas.push(delta);
    }
    for fragment in fragments(said.content.as_deref().unwrap_or_default(), rng) {
        deltas.push(json!({"role": "assistant", "content": fragment}));
    }
    for fragment in fragments(said.refusal.as_deref().unwrap_or_default(), rng) {
        let mut delta = empty_delta();
        set(&mut delta, "refusal", json!(fragment));
        deltas.push(delta);
    }
    for (index, call) in said.calls.iter().enumerate() {
        deltas.push(call_delta(&json!({
            "index": index,
            "id": call.id,
            "type": "function",
            "function": {"name": call.name, "arguments": ""},
        })));
        for fragment in fragments(&call.arguments, rng) {
            deltas.push(call_delta(
                &json!({"index": index, "function": {"arguments": fragment}}),
            ));
        }
    }
    if deltas.is_empty() {
        deltas.push(empty_delta());
    }
    deltas
}

fn call_delta(fragment: &Value) -> Value {
    json!({"role": "assistant", "content": null, "tool_calls": [fragment]})
}

/// Cuts a text into tokens of one to eight characters.
pub(super) fn fragments(text: &str, rng: &mut Rng) -> Vec<String> {
    let mut fragments = Vec::new();
    let mut rest = text.chars().peekable();
    while rest.peek().is_some() {
        let len = rng.between(1, 8);
        fragments.push(rest.by_ref().take(len).collect());
    }
    fragments
}
