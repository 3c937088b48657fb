//! Cutting a completion into the chunks and the bytes of a stream, in the ways that servers do.

use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write as _;

use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// A server's habits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    /// Role and an empty content in each delta, the finish reason repeated beside the usage.
    openrouter: bool,
    /// The finish reason comes in a chunk of its own.
    finish_apart: bool,
    /// Usage in every chunk, of which the last counts.
    usage_grows: bool,
    /// Id, type and name in every fragment of a tool call.
    names_repeat: bool,
    /// Text beyond ASCII as escapes.
    escapes: bool,
    /// The end marker.
    pub(crate) done: bool,
}

impl Style {
    pub(crate) fn any() -> impl Strategy<Value = Self> {
        any::<[bool; 6]>().prop_map(
            |[
                openrouter,
                finish_apart,
                usage_grows,
                names_repeat,
                escapes,
                done,
            ]| Self {
                openrouter,
                finish_apart,
                usage_grows,
                names_repeat,
                escapes,
                done,
            },
        )
    }
}

/// Where to cut: a small random number generator.
pub(crate) struct Cuts(u64);

impl Cuts {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % limit as u64).unwrap()
    }

    /// A text in pieces, at least one of them; some are empty.
    fn pieces(&mut self, text: &str) -> Vec<String> {
        let mut pieces = vec![String::new()];
        for character in text.chars() {
            if self.below(4) == 0 {
                pieces.push(String::new());
            }
            pieces.last_mut().unwrap().push(character);
        }
        pieces
    }

    /// Deltas that each hold the one before are what a server with cumulative deltas sends, and are
    /// read so; a text cut that way is sent whole.
    fn text_pieces(&mut self, text: &str) -> Vec<String> {
        let pieces = self.pieces(text);
        let said: Vec<&String> = pieces.iter().filter(|piece| !piece.is_empty()).collect();
        let cumulative = said.len() >= 3
            && said
                .windows(2)
                .take(7)
                .all(|pair| pair[1].starts_with(pair[0].as_str()));
        if cumulative {
            vec![text.to_owned()]
        } else {
            pieces
        }
    }

    /// Bytes in fragments.
    pub(crate) fn fragments<'a>(&mut self, bytes: &'a [u8]) -> Vec<&'a [u8]> {
        let longest = [1, 2, 7, 64, 1500][self.below(5)];
        let mut rest = bytes;
        let mut fragments = Vec::new();
        while !rest.is_empty() {
            let (fragment, after) = rest.split_at(rest.len().min(1 + self.below(longest)));
            fragments.push(fragment);
            rest = after;
        }
        fragments
    }
}

type Queue = VecDeque<Map<String, Value>>;

fn delta(name: &str, value: impl Into<Value>) -> Map<String, Value> {
    Map::from_iter([(name.to_owned(), value.into())])
}

/// The deltas of a message, field by field; each field's own are in order.
fn deltas(message: &Value, style: Style, cuts: &mut Cuts) -> Vec<Queue> {
    let mut queues: Vec<Queue> = Vec::new();
    for name in ["refusal", "reasoning", "reasoning_content"] {
        if let Some(text) = message[name].as_str() {
            queues.push(
                cuts.pieces(text)
                    .into_iter()
                    .map(|piece| delta(name, piece))
                    .collect(),
            );
        }
    }
    queues.push(match &message["content"] {
        Value::String(text) => {
            let pieces = cuts.text_pieces(text);
            pieces
                .into_iter()
                .map(|piece| delta("content", piece))
                .collect()
        }
        Value::Array(parts) => parts
            .iter()
            .flat_map(|part| part_pieces(part, cuts))
            .map(|part| delta("content", vec![part]))
            .collect(),
        _ => Queue::new(),
    });
    queues.push(
        list(&message["reasoning_details"])
            .iter()
            .flat_map(|detail| detail_pieces(detail, cuts))
            .map(|detail| delta("reasoning_details", vec![detail]))
            .collect(),
    );
    let calls = list(&message["tool_calls"]).iter().enumerate();
    queues.push(
        calls
            .flat_map(|(index, call)| call_pieces(index, call, style, cuts))
            .map(|fragment| delta("tool_calls", vec![fragment]))
            .collect(),
    );
    for name in ["annotations", "images"] {
        let values = list(&message[name]).iter();
        queues.push(
            values
                .map(|value| delta(name, vec![value.clone()]))
                .collect(),
        );
    }
    queues.push(
        audio_pieces(&message["audio"], cuts)
            .map(|audio| delta("audio", audio))
            .collect(),
    );
    if let Some(value) = message.get("x_message") {
        queues.push([delta("x_message", value.clone())].into());
    }
    queues
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn part_pieces(part: &Value, cuts: &mut Cuts) -> Vec<Value> {
    match part["type"].as_str() {
        Some("text") => {
            let pieces = cuts.pieces(part["text"].as_str().unwrap());
            pieces
                .into_iter()
                .map(|piece| json!({"type": "text", "text": piece}))
                .collect()
        }
        Some("thinking") => {
            let pieces = cuts.pieces(part["thinking"][0]["text"].as_str().unwrap());
            let piece =
                |piece| json!({"type": "thinking", "thinking": [{"type": "text", "text": piece}]});
            pieces.into_iter().map(piece).collect()
        }
        _ => vec![part.clone()],
    }
}

/// Type and index in every fragment, the text in pieces, the rest in the first or the last.
fn detail_pieces(detail: &Value, cuts: &mut Cuts) -> Vec<Value> {
    let streamed = match detail["type"].as_str().unwrap() {
        "reasoning.text" => "text",
        "reasoning.summary" => "summary",
        "reasoning.encrypted" => "data",
        "reasoning.server_tool_call" => "result",
        _ => return vec![detail.clone()],
    };
    let pieces = cuts.pieces(detail[streamed].as_str().unwrap());
    let last = pieces.len() - 1;
    let fragment = |(place, piece): (usize, String)| {
        let mut fragment = json!({"type": detail["type"], "index": detail["index"]});
        fragment[streamed] = piece.into();
        for (name, value) in detail.as_object().unwrap() {
            let due = if name == "signature" {
                place == last
            } else {
                place == 0
            };
            if due && name != streamed {
                fragment[name.as_str()] = value.clone();
            }
        }
        fragment
    };
    pieces.into_iter().enumerate().map(fragment).collect()
}

fn call_pieces(index: usize, call: &Value, style: Style, cuts: &mut Cuts) -> Vec<Value> {
    let name = call["function"]["name"].as_str().unwrap();
    let arguments = call["function"]["arguments"].as_str();
    let mut first = call.clone();
    first["index"] = index.into();
    first["function"] = json!({});
    let mut fragments = Vec::new();
    if style.names_repeat {
        for piece in arguments.map_or(vec![None], |text| {
            cuts.pieces(text).into_iter().map(Some).collect()
        }) {
            let mut fragment = first.clone();
            fragment["function"]["name"] = name.into();
            if let Some(piece) = piece {
                fragment["function"]["arguments"] = piece.into();
            }
            fragments.push(fragment);
        }
        return fragments;
    }
    for piece in cuts
        .pieces(name)
        .into_iter()
        .filter(|piece| !piece.is_empty())
    {
        let mut fragment = if fragments.is_empty() {
            first.clone()
        } else {
            json!({"index": index, "function": {}})
        };
        fragment["function"]["name"] = piece.into();
        fragments.push(fragment);
    }
    for piece in arguments.map(|text| cuts.pieces(text)).unwrap_or_default() {
        // Continuations may say again what kind of call it is, or spell out what they leave out.
        fragments.push(match cuts.below(3) {
            0 => json!({"index": index, "id": null, "type": "function", "function": {"name": null, "arguments": piece}}),
            1 => json!({"index": index, "id": "", "function": {"name": "", "arguments": piece}}),
            _ => json!({"index": index, "function": {"arguments": piece}}),
        });
    }
    fragments
}

fn audio_pieces(audio: &Value, cuts: &mut Cuts) -> impl Iterator<Item = Value> {
    let mut pieces = Vec::new();
    if let Some(audio) = audio.as_object() {
        pieces.push(json!({"id": audio["id"]}));
        for name in ["data", "transcript"] {
            if let Some(Value::String(text)) = audio.get(name) {
                pieces.extend(
                    cuts.pieces(text)
                        .into_iter()
                        .map(|piece| json!({name: piece})),
                );
            }
        }
        pieces.push(json!({"expires_at": audio["expires_at"]}));
    }
    pieces.into_iter()
}

/// The chunks of a choice: deltas of every field between each other, and its log probabilities.
fn choice_chunks(choice: &Value, style: Style, cuts: &mut Cuts) -> Queue {
    // A server that sends an empty content with every delta has no null content.
    let style = Style {
        openrouter: style.openrouter && !choice["message"]["content"].is_null(),
        ..style
    };
    let mut queues = deltas(&choice["message"], style, cuts);
    let mut chunks = Queue::new();
    let wrap = |mut delta: Map<String, Value>| {
        if style.openrouter {
            delta.insert("role".into(), "assistant".into());
            delta.entry("content").or_insert_with(|| "".into());
        }
        let mut wrapped = Map::new();
        wrapped.insert("index".into(), choice["index"].clone());
        wrapped.insert("delta".into(), delta.into());
        wrapped.insert("finish_reason".into(), Value::Null);
        wrapped
    };
    chunks.push_back(wrap(delta("role", "assistant")));
    loop {
        queues.retain(|queue| !queue.is_empty());
        if queues.is_empty() {
            break;
        }
        let from = cuts.below(queues.len());
        chunks.push_back(wrap(queues[from].pop_front().unwrap()));
    }
    for (list, tokens) in choice["logprobs"].as_object().into_iter().flatten() {
        for token in tokens.as_array().unwrap() {
            let mut chunk = wrap(Map::new());
            chunk.insert("logprobs".into(), json!({list: [token]}));
            chunks.push_back(chunk);
        }
    }
    if let Some(extra) = choice.get("x_choice") {
        chunks
            .back_mut()
            .unwrap()
            .insert("x_choice".into(), extra.clone());
    }
    if style.finish_apart {
        chunks.push_back(wrap(Map::new()));
    }
    say_finished(chunks.back_mut().unwrap(), choice);
    chunks
}

fn say_finished(chunk: &mut Map<String, Value>, choice: &Value) {
    for name in ["finish_reason", "native_finish_reason"] {
        if let Some(reason) = choice.get(name) {
            chunk.insert(name.to_owned(), reason.clone());
        }
    }
}

/// The chunks of a completion. The first ones name every choice, as servers do.
pub(crate) fn chunks(body: &Value, style: Style, cuts: &mut Cuts) -> Vec<Value> {
    let choices = list(&body["choices"]);
    let mut queues: Vec<Queue> = choices
        .iter()
        .map(|choice| choice_chunks(choice, style, cuts))
        .collect();
    let mut order: Vec<Vec<Value>> = Vec::new();
    for queue in &mut queues {
        if queue.len() > 1 {
            order.push(vec![queue.pop_front().unwrap().into()]);
        }
    }
    // A choice without anything but its end must not come after another's end.
    let alone = queues
        .iter()
        .position(|queue| queue.len() == 1 && order.len() < queues.len());
    if let Some(alone) = alone {
        order.insert(0, vec![queues[alone].pop_front().unwrap().into()]);
    }
    while queues.iter().any(|queue| !queue.is_empty()) {
        let from = cuts.below(queues.len());
        let Some(choice) = queues[from].pop_front() else {
            continue;
        };
        order.push(vec![choice.into()]);
    }
    let last = order.len() - 1;
    let mut chunks: Vec<Value> = order
        .into_iter()
        .enumerate()
        .map(|(place, choices)| {
            let mut chunk = header(body);
            chunk["choices"] = choices.into();
            if style.usage_grows && body.get("usage").is_some() && place < last {
                chunk["usage"] = json!({"prompt_tokens": 1, "total_tokens": place});
            }
            if place == 0
                && let Some(extra) = body.get("x_body")
            {
                chunk["x_body"] = extra.clone();
            }
            chunk
        })
        .collect();
    let mut end = header(body);
    end["choices"] = json!([]);
    if style.openrouter {
        let mut choice = json!({"index": 0, "delta": {"role": "assistant"}});
        if !choices[0]["message"]["content"].is_null() {
            choice["delta"]["content"] = "".into();
        }
        say_finished(choice.as_object_mut().unwrap(), &choices[0]);
        end["choices"] = json!([choice]);
    }
    for name in ["usage", "openrouter_metadata"] {
        if let Some(value) = body.get(name) {
            end[name] = value.clone();
        }
    }
    chunks.push(end);
    if style.escapes {
        chunks.push(json!({"choices": [], "obfuscation": "xxxx"}));
    }
    chunks
}

fn header(body: &Value) -> Value {
    let mut header = json!({"object": "chat.completion.chunk"});
    for name in [
        "id",
        "created",
        "model",
        "provider",
        "system_fingerprint",
        "service_tier",
    ] {
        if let Some(value) = body.get(name) {
            header[name] = value.clone();
        }
    }
    header
}

/// The choices that some of the chunks gave a finish reason.
pub(crate) fn finished_choices(chunks: &[Value]) -> BTreeSet<u64> {
    let choices = chunks.iter().flat_map(|chunk| list(&chunk["choices"]));
    choices
        .filter(|choice| !choice["finish_reason"].is_null())
        .map(|choice| choice["index"].as_u64().unwrap())
        .collect()
}

/// How many chunks it takes until every choice has said why it ended.
pub(crate) fn finished_after(chunks: &[Value], body: &Value) -> usize {
    let all = list(&body["choices"]).len();
    (1..=chunks.len())
        .find(|&length| finished_choices(&chunks[..length]).len() == all)
        .unwrap()
}

/// The bytes of a stream, with what may stand between events.
pub(crate) fn bytes(chunks: &[Value], done: bool, cuts: &mut Cuts) -> Vec<u8> {
    let end = ["\n", "\r\n"][cuts.below(2)];
    let space = ["", " "][cuts.below(2)];
    let escapes = cuts.below(2) == 0;
    let mut text = String::new();
    for chunk in chunks {
        if cuts.below(6) == 0 {
            write!(text, ": OPENROUTER PROCESSING{end}{end}").unwrap();
        }
        let json = chunk.to_string();
        let json = if escapes { escaped(&json) } else { json };
        write!(text, "data:{space}{json}{end}{end}").unwrap();
    }
    if done {
        write!(text, "data:{space}[DONE]{end}{end}").unwrap();
    }
    text.into_bytes()
}

/// JSON in ASCII: everything beyond it as escapes of UTF-16 units.
fn escaped(json: &str) -> String {
    let mut ascii = String::new();
    for character in json.chars() {
        if character.is_ascii() {
            ascii.push(character);
        } else {
            for unit in character.encode_utf16(&mut [0; 2]) {
                write!(ascii, "\\u{unit:04x}").unwrap();
            }
        }
    }
    ascii
}
