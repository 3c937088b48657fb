//! What the model says when nothing goes wrong.

use serde_json::{Value, json};

use super::request::{Request, ToolChoice};
use crate::catalogue::{Endpoint, Enforcement};
use crate::fault::{Call, Said, tokens};
use crate::generate;
use crate::rng::Rng;

/// Sentences for plain text. Some of their characters are longer than a byte, on purpose.
const SENTENCES: &[&str] = &[
    "A sieve keeps what is coarse and lets the fine through — that is all it does.",
    "The façade is granite up to the first floor, and limestone above it.",
    "Überall liegt feiner Staub, sagt der Müller.",
    "Rocks are sorted by size, then by colour, and never by name. 🪨",
    "Nothing here was thought by a model; it is a simulated answer.",
    "Measure twice, sieve once: the second pass is always the slower one.",
];

/// One choice of an answer.
pub(super) fn say(request: &Request, endpoint: &Endpoint, rng: &mut Rng) -> Said {
    let mut said = Said {
        content: None,
        reasoning: None,
        refusal: None,
        calls: Vec::new(),
        finish: "stop".to_owned(),
        native: "stop".to_owned(),
        error: None,
    };
    if request.wants_reasoning() {
        said.reasoning = Some("First what is asked for, then how to say it — briefly.".to_owned());
    }
    if request.tool_choice() != ToolChoice::Free {
        said.calls.push(call(request, rng));
        "tool_calls".clone_into(&mut said.finish);
        "tool_calls".clone_into(&mut said.native);
        return said;
    }
    let schema = request
        .schema()
        .filter(|_| endpoint.enforcement != Enforcement::None);
    let text = match schema {
        Some(schema) => {
            let value = generate::value(&schema, rng);
            match endpoint.enforcement {
                Enforcement::Translated => format!("{:#}", sorted(value)),
                _ => value.to_string(),
            }
        }
        None if request.wants_json_object() => {
            json!({"answer": sentence(rng), "sure": rng.chance(0.5)}).to_string()
        }
        None => format!("{} {}", sentence(rng), sentence(rng)),
    };
    said.content = Some(text);
    if let Some(limit) = request.max_tokens {
        shorten(&mut said, limit);
    }
    said
}

/// A tool call: the tool that the request insists on, else one of its tools, else an invented one.
pub(super) fn call(request: &Request, rng: &mut Rng) -> Call {
    let tools = request.tools();
    let wanted = match request.tool_choice() {
        ToolChoice::Named(name) => tools.iter().find(|(tool, _)| *tool == name),
        ToolChoice::Any | ToolChoice::Free => rng.pick(&tools),
    };
    let invented = (
        "look_up",
        json!({
            "type": "object",
            "properties": {"term": {"type": "string"}, "limit": {"type": "integer", "minimum": 1, "maximum": 9}},
            "required": ["term", "limit"],
        }),
    );
    let (name, parameters) = wanted.unwrap_or(&invented);
    Call {
        id: format!("call_{}", rng.token(16)),
        name: (*name).to_owned(),
        arguments: generate::value(parameters, rng).to_string(),
    }
}

/// Stops at the limit, as a provider would.
fn shorten(said: &mut Said, limit: usize) {
    let thoughts = said.reasoning.as_ref().map_or(0, |text| tokens(text));
    let left = limit.saturating_sub(thoughts);
    let Some(text) = said.content.as_mut() else {
        return;
    };
    if tokens(text) > left {
        *text = text.chars().take(left.saturating_mul(4)).collect();
        "length".clone_into(&mut said.finish);
        "length".clone_into(&mut said.native);
    }
}

fn sentence(rng: &mut Rng) -> &'static str {
    rng.pick(SENTENCES).copied().unwrap_or_default()
}

/// The value with every object's keys in alphabetical order.
fn sorted(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(sorted).collect(),
        Value::Object(object) => {
            let mut members: Vec<_> = object.into_iter().collect();
            members.sort_by(|a, b| a.0.cmp(&b.0));
            members
                .into_iter()
                .map(|(key, value)| (key, sorted(value)))
                .collect()
        }
        other => other,
    }
}
