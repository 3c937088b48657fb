//! The Responses and the Messages protocol: bodies, streams, and what goes wrong with them.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::too_many_lines,
    clippy::format_push_string,
    reason = "a test may fail loudly"
)]

mod captures;
mod failures;
mod hostile;
mod messages;
mod responses;

use proptest::prelude::*;
use serde_json::{Value, json};
use tamis_wire::{
    Completion, Failure, FailureKind, Item, Protocol, StreamReader, read_response_as,
};

fn plain(protocol: Protocol, body: &Value) -> Result<Completion, Failure> {
    read_response_as(protocol, 200, body.to_string().as_bytes()).map(|read| read.completion)
}

/// What streams: the texts that the chunks brought, and what it came to.
struct Streamed {
    text: String,
    arguments: String,
    result: Result<Completion, Failure>,
}

fn stream(protocol: Protocol, fragments: &[&[u8]]) -> Streamed {
    let (mut text, mut arguments) = (String::new(), String::new());
    let mut reader = StreamReader::new().protocol(protocol);
    let mut sink = |item: Item<'_>| {
        if let Item::Chunk(chunk) = item {
            text.push_str(chunk.text().unwrap_or_default());
            for call in chunk
                .choices
                .iter()
                .flat_map(|choice| &choice.delta.tool_calls)
            {
                arguments.push_str(call.function.arguments.text());
            }
        }
    };
    for fragment in fragments {
        reader.feed(fragment, &mut sink);
    }
    reader.end(&mut sink);
    Streamed {
        text,
        arguments,
        result: reader.into_completion(),
    }
}

fn stream_of(protocol: Protocol, events: &[Value]) -> Streamed {
    stream(protocol, &[bytes(events).as_bytes()])
}

/// Events as a server writes them.
fn bytes(events: &[Value]) -> String {
    let mut bytes = String::new();
    for event in events {
        let name = event["type"].as_str().unwrap_or("x");
        bytes.push_str(&format!("event: {name}\ndata: {event}\n\n"));
    }
    bytes
}

/// Bytes cut at the places that the numbers come to.
fn cut<'a>(bytes: &'a [u8], places: &[usize]) -> Vec<&'a [u8]> {
    let mut places: Vec<usize> = places
        .iter()
        .map(|place| place % (bytes.len() + 1))
        .collect();
    places.sort_unstable();
    places.push(bytes.len());
    let mut from = 0;
    places
        .into_iter()
        .map(|to| &bytes[std::mem::replace(&mut from, to)..to])
        .collect()
}

/// A text in pieces.
fn pieces(text: &str, size: usize) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters
        .chunks(size)
        .map(|piece| piece.iter().collect())
        .collect()
}

fn texts() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), "[a-zé🪨 \"\\\\{}\n]{0,40}"]
}

fn assert_no_answer(result: Result<Completion, Failure>) {
    let failure = result.unwrap_err();
    assert_eq!(failure.kind(), FailureKind::Interrupted);
    let partial = failure.completion().unwrap();
    assert!(!partial.is_finished());
    assert!(partial.outcome().is_err() && partial.parse_json().is_err());
}

fn arguments() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("{}".to_owned()),
        "[a-zé ]{0,12}".prop_map(|text| json!({"city": text, "n": 7}).to_string()),
    ]
}
