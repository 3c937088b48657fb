//! Whatever comes, reading ends, in time linear in its length, and gives the same however it was cut.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::{Value, json};
use tamis_wire::{Completion, FailureKind, Protocol, StreamReader, read_response_as};

use super::{Streamed, bytes, cut, stream};

const NAMES: &[&str] = &[
    "response.created",
    "response.in_progress",
    "response.completed",
    "response.incomplete",
    "response.failed",
    "response.output_item.added",
    "response.output_item.done",
    "response.content_part.added",
    "response.content_part.done",
    "response.output_text.delta",
    "response.output_text.done",
    "response.refusal.delta",
    "response.function_call_arguments.delta",
    "response.function_call_arguments.done",
    "response.reasoning_summary_text.delta",
    "response.novel",
    "error",
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
    "ping",
    "",
];

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        Just(json!("text")),
        Just(json!("message")),
        Just(json!("function_call")),
        Just(json!("tool_use")),
        Just(json!("output_text")),
        Just(json!("refusal")),
        Just(json!("incomplete")),
        Just(json!("end_turn")),
        Just(json!("")),
        any::<bool>().prop_map(Value::from),
        (0..3_u64).prop_map(Value::from),
        Just(json!(u64::MAX)),
        Just(json!(-1)),
        Just(json!(1.5)),
        "[a-z{\":}\\[é]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let names = prop::sample::select(vec![
            "type",
            "id",
            "text",
            "refusal",
            "content",
            "summary",
            "arguments",
            "input",
            "name",
            "call_id",
            "output",
            "status",
            "error",
            "usage",
            "message",
            "stop_reason",
            "incomplete_details",
            "reason",
            "input_tokens",
            "citations",
            "thinking",
        ]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((names, inner), 0..5).prop_map(|fields| fields
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect()),
        ]
    })
}

fn event() -> impl Strategy<Value = Value> {
    let names = prop::sample::select(vec![
        "output_index",
        "content_index",
        "summary_index",
        "item_id",
        "index",
        "delta",
        "text",
        "refusal",
        "arguments",
        "item",
        "part",
        "response",
        "message",
        "content_block",
        "usage",
        "error",
        "code",
        "error_type",
    ]);
    let fields = prop::collection::vec((names, value()), 0..6);
    (prop::sample::select(NAMES), fields).prop_map(|(name, fields)| {
        let mut event = json!({"type": name});
        for (name, value) in fields {
            event[name] = value;
        }
        event
    })
}

const TOKENS: &[&str] = &[
    "response.output_text.delta",
    "response.refusal.delta",
    "response.function_call_arguments.delta",
    "content_block_delta",
];

/// An event that brings a token, near enough to what servers send.
fn token() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        Just(json!("to")),
        Just(json!("é\"\\")),
        Just(Value::Null),
        Just(json!(7))
    ];
    let number = prop_oneof![
        (0..2_u64).prop_map(Value::from),
        Just(Value::Null),
        Just(json!("0"))
    ];
    (
        prop::sample::select(TOKENS),
        text,
        number.clone(),
        number,
        any::<(bool, bool)>(),
    )
        .prop_map(|(name, text, item, part, (id, typed))| {
            if name.starts_with("content") {
                return json!({"type": name, "index": item,
                    "delta": {"type": if typed { "text_delta" } else { "input_json_delta" },
                        "text": text, "partial_json": text}});
            }
            let mut event = json!({"type": name, "output_index": item, "content_index": part,
                "delta": text, "logprobs": []});
            if id {
                event["item_id"] = json!("i");
            }
            event
        })
}

fn whole(completion: &Completion) -> String {
    let native = match completion.response() {
        Some(response) => serde_json::to_string(response),
        None => serde_json::to_string(&completion.native_message()),
    };
    format!(
        "{} {}",
        serde_json::to_string(completion).unwrap(),
        native.unwrap()
    )
}

fn debugged(streamed: &Streamed) -> String {
    let Streamed {
        text,
        arguments,
        result,
    } = streamed;
    match result {
        Ok(completion) => {
            let outcome = completion.outcome();
            format!("{text} {arguments} {} {outcome:?}", whole(completion))
        }
        Err(failure) => {
            let partial = failure.completion().map(whole);
            format!("{text} {arguments} {failure:?} {partial:?}")
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_events_are_read_the_same_however_they_are_cut(
        events in prop::collection::vec(event(), 0..8), places: [usize; 4],
    ) {
        let bytes = bytes(&events);
        for protocol in [Protocol::Responses, Protocol::Messages] {
            let whole = stream(protocol, &[bytes.as_bytes()]);
            let cut = stream(protocol, &cut(bytes.as_bytes(), &places));
            prop_assert_eq!(debugged(&whole), debugged(&cut));
            if let Err(failure) = whole.result {
                prop_assert!(failure.completion().is_none_or(|partial| !partial.is_finished()));
            }
        }
    }

    /// Events that bring a token are read in a shorter way, which their names tell.
    #[test]
    fn a_token_is_read_as_any_other_event(
        events in prop::collection::vec(prop_oneof![1 => event(), 4 => token()], 0..12),
    ) {
        let named = bytes(&events);
        let mut bare = String::new();
        for event in &events {
            bare.push_str(&format!("data: {event}\n\n"));
        }
        let other = bare.replace("data: ", "event: x\ndata: ");
        for protocol in [Protocol::Responses, Protocol::Messages] {
            let expected = debugged(&stream(protocol, &[other.as_bytes()]));
            for bytes in [&named, &bare] {
                prop_assert_eq!(&debugged(&stream(protocol, &[bytes.as_bytes()])), &expected);
            }
        }
    }

    #[test]
    fn any_body_is_read(body in value(), holder in prop::sample::select(vec!["output", "content"])) {
        for protocol in [Protocol::Responses, Protocol::Messages] {
            for body in [body.clone(), json!({holder: body}), json!({holder: [body], "status": body})] {
                let read = read_response_as(protocol, 200, body.to_string().as_bytes());
                if let Ok(read) = read {
                    let _ = (read.completion.outcome(), read.completion.parse_json());
                }
            }
        }
    }
}

/// Far above what linear time takes without optimisation, far below what quadratic time does.
const LIMIT: Duration = Duration::from_secs(10);
const MANY: usize = 20_000;

fn in_time(protocol: Protocol, events: &[Value]) {
    let bytes = bytes(events);
    let started = Instant::now();
    let fragments: Vec<&[u8]> = bytes.as_bytes().chunks(1 << 16).collect();
    let _ = stream(protocol, &fragments);
    assert!(started.elapsed() < LIMIT, "{:?}", started.elapsed());
}

#[test]
fn long_streams_are_read_in_linear_time() {
    let many = |event: &dyn Fn(usize) -> Value| (0..MANY).map(event).collect::<Vec<_>>();
    let big = "x".repeat(4 << 20);
    let begun = json!({"type": "response.output_text.delta", "output_index": 0, "delta": big});
    let after = |event: &dyn Fn(usize) -> Value| {
        let mut events = vec![begun.clone()];
        events.extend(many(event));
        events
    };
    let responses = [
        many(
            &|_| json!({"type": "response.output_text.delta", "output_index": 0, "delta": "word"}),
        ),
        many(
            &|n| json!({"type": "response.output_text.delta", "output_index": n, "delta": "word"}),
        ),
        many(
            &|n| json!({"type": "response.output_text.delta", "item_id": format!("i{n}"), "content_index": n, "delta": "w"}),
        ),
        many(
            &|n| json!({"type": "response.output_text.delta", "output_index": 0, "content_index": n, "delta": "w"}),
        ),
        many(&|n| {
            json!({"type": "response.output_item.added", "output_index": n,
            "item": {"type": "function_call", "name": "f", "arguments": "{}"}})
        }),
        after(&|_| {
            json!({"type": "response.output_item.done", "output_index": 0,
            "item": {"type": "message", "summary": ["x"]}})
        }),
        after(&|_| json!({"type": "response.output_text.done", "output_index": 0, "text": "x"})),
        after(&|_| {
            json!({"type": "response.content_part.done", "output_index": 0,
            "part": {"type": "output_text", "text": ""}})
        }),
        after(&|_| {
            json!({"type": "response.output_item.added", "output_index": 0,
            "item": {"type": "message", "content": []}})
        }),
        after(&|_| json!({"type": "response.in_progress", "response": {"id": "r"}})),
    ];
    for events in responses {
        in_time(Protocol::Responses, &events);
    }
    let block = json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": big}});
    let messages = [
        many(
            &|_| json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "w"}}),
        ),
        many(
            &|n| json!({"type": "content_block_delta", "index": n, "delta": {"type": "input_json_delta", "partial_json": "1"}}),
        ),
        many(
            &|_| json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 1}}),
        ),
        std::iter::once(block)
            .chain(many(&|_| json!({"type": "content_block_stop", "index": 0})))
            .collect(),
    ];
    for events in messages {
        in_time(Protocol::Messages, &events);
    }
}

#[test]
fn an_answer_that_is_too_large_ends_the_stream() {
    let word = "x".repeat(1000);
    for (protocol, event) in [
        (
            Protocol::Responses,
            json!({"type": "response.output_text.delta", "delta": word}),
        ),
        (
            Protocol::Responses,
            json!({"type": "response.output_item.done", "item": {"type": "novel", "x": word}}),
        ),
        (
            Protocol::Messages,
            json!({"type": "content_block_delta", "delta": {"type": "text_delta", "text": word}}),
        ),
        (
            Protocol::Messages,
            json!({"type": "content_block_delta", "delta": {"type": "input_json_delta", "partial_json": word}}),
        ),
    ] {
        let mut reader = StreamReader::new()
            .protocol(protocol)
            .max_answer_bytes(10_000);
        let bytes = bytes(&[event]);
        for _ in 0..20 {
            reader.feed(bytes.as_bytes(), |_| {});
        }
        let failure = reader.finish(|_| {}).unwrap_err();
        assert_eq!(failure.kind(), FailureKind::Malformed);
        assert!(failure.message().contains("larger"), "{failure}");
    }
}
