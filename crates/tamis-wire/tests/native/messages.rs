//! Folding a stream of the Messages protocol is the inverse of streaming.

use proptest::prelude::*;
use serde_json::{Value, json};
use tamis_wire::{FailureKind, FinishReason, Outcome, Protocol, read_response_as};

use super::{arguments, assert_no_answer, bytes, cut, pieces, plain, stream, stream_of, texts};

fn block() -> impl Strategy<Value = Value> {
    let text = texts().prop_map(|text| json!({"type": "text", "text": text}));
    let cited = texts().prop_map(
        |text| json!({"type": "text", "text": text, "citations": [{"type": "char_location", "n": 1}]}),
    );
    let thinking =
        texts().prop_map(|text| json!({"type": "thinking", "thinking": text, "signature": "c2ln"}));
    let call = arguments().prop_map(|input| {
        let input: Value = serde_json::from_str(&input).unwrap();
        json!({"type": "tool_use", "id": "toolu_1", "name": "look_up", "input": input})
    });
    let novel = Just(json!({"type": "hologram", "frames": [1, null]}));
    prop_oneof![4 => text, 1 => cited, 2 => thinking, 2 => call, 1 => novel]
}

fn body() -> impl Strategy<Value = Value> {
    let reasons = prop_oneof![
        Just("end_turn"),
        Just("max_tokens"),
        Just("stop_sequence"),
        Just("tool_use"),
        Just("refusal"),
        Just("pause_turn"),
    ];
    (proptest::collection::vec(block(), 1..4), reasons).prop_map(|(blocks, reason)| {
        json!({"id": "gen-1", "type": "message", "role": "assistant", "model": "m",
            "content": blocks, "stop_reason": reason, "stop_sequence": null,
            "usage": {"input_tokens": 9, "cache_read_input_tokens": 2, "output_tokens": 4, "cost": 0.25},
            "novel": {"deep": null}})
    })
}

/// A message as events.
fn events(body: &Value, size: usize, indices: bool) -> Vec<Value> {
    let mut begun = body.clone();
    (
        begun["content"],
        begun["stop_reason"],
        begun["usage"]["output_tokens"],
    ) = (json!([]), Value::Null, json!(0));
    let mut events = vec![
        json!({"type": "message_start", "message": begun}),
        json!({"type": "ping"}),
    ];
    for (number, block) in body["content"].as_array().unwrap().iter().enumerate() {
        let at = |mut event: Value| {
            if indices {
                event["index"] = json!(number);
            }
            event
        };
        let mut start = block.clone();
        let mut deltas = Vec::new();
        match block["type"].as_str().unwrap() {
            "text" => {
                start["text"] = json!("");
                deltas.extend(
                    pieces(block["text"].as_str().unwrap(), size)
                        .into_iter()
                        .map(|text| json!({"type": "text_delta", "text": text})),
                );
                if let Some(citations) = block.get("citations") {
                    start["citations"] = json!([]);
                    deltas.extend(
                        citations.as_array().unwrap().iter().map(
                            |citation| json!({"type": "citations_delta", "citation": citation}),
                        ),
                    );
                }
            }
            "thinking" => {
                (start["thinking"], start["signature"]) = (json!(""), json!(""));
                deltas.extend(
                    pieces(block["thinking"].as_str().unwrap(), size)
                        .into_iter()
                        .map(|text| json!({"type": "thinking_delta", "thinking": text})),
                );
                deltas.push(json!({"type": "signature_delta", "signature": block["signature"]}));
            }
            "tool_use" => {
                start["input"] = json!({});
                deltas.extend(
                    pieces(&block["input"].to_string(), size)
                        .into_iter()
                        .map(|text| json!({"type": "input_json_delta", "partial_json": text})),
                );
            }
            _ => {}
        }
        events.push(at(
            json!({"type": "content_block_start", "content_block": start}),
        ));
        events.extend(
            deltas
                .into_iter()
                .map(|delta| at(json!({"type": "content_block_delta", "delta": delta}))),
        );
        events.push(at(json!({"type": "content_block_stop"})));
    }
    events.push(json!({"type": "message_delta",
        "delta": {"stop_reason": body["stop_reason"], "stop_sequence": null},
        "usage": {"output_tokens": body["usage"]["output_tokens"]}}));
    events.push(json!({"type": "message_stop"}));
    events
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn the_fold_gives_the_body_back(
        body in body(), size in 1..9_usize, indices: bool, places: [usize; 5],
    ) {
        let expected = plain(Protocol::Messages, &body).unwrap();
        let bytes = bytes(&events(&body, size, indices));
        let streamed = stream(Protocol::Messages, &cut(bytes.as_bytes(), &places));
        let folded = streamed.result.unwrap();
        prop_assert_eq!(&folded, &expected);
        prop_assert_eq!(serde_json::to_value(folded.native_message().unwrap()).unwrap(), body);
        prop_assert_eq!(streamed.text, expected.text().unwrap_or_default());
        let arguments: String = expected.message().unwrap().tool_calls.iter()
            .map(|call| call.function.arguments.text()).collect();
        prop_assert_eq!(streamed.arguments, arguments);
    }

    #[test]
    fn nothing_is_finished_before_it_says_so(body in body(), size in 1..9_usize, at: usize, done: bool) {
        let mut events = events(&body, size, true);
        events.truncate(1 + at % (events.len() - 1));
        let mut bytes = bytes(&events);
        if done {
            bytes.push_str("data: [DONE]\n\n");
        }
        assert_no_answer(stream(Protocol::Messages, &[bytes.as_bytes()]).result);
    }

    #[test]
    fn a_cut_stream_is_never_an_answer(body in body(), size in 1..9_usize, at: usize) {
        let bytes = bytes(&events(&body, size, true));
        let cut = &bytes.as_bytes()[..at % bytes.trim_end().len()];
        prop_assert!(stream(Protocol::Messages, &[cut]).result.is_err());
    }
}

#[test]
fn a_stop_without_a_reason_finishes_nothing() {
    let streamed = stream_of(
        Protocol::Messages,
        &[
            json!({"type": "message_start", "message": {"id": "m", "content": []}}),
            json!({"type": "content_block_start", "index": 0,
                "content_block": {"type": "tool_use", "id": "t", "name": "f", "input": {}}}),
            json!({"type": "content_block_delta", "index": 0,
                "delta": {"type": "input_json_delta", "partial_json": "{\"a\":1}"}}),
            json!({"type": "content_block_stop", "index": 0}),
            json!({"type": "message_stop"}),
        ],
    );
    assert_no_answer(streamed.result);
}

#[test]
fn an_ending_means_the_same_as_in_chat_completions() {
    let text = json!([{"type": "text", "text": "{\"a\":1}"}]);
    let call = json!([{"type": "tool_use", "id": "t", "name": "f", "input": {"a": 1}}]);
    let rows = [
        (
            json!({"content": text, "stop_reason": "end_turn"}),
            "Ok(Text(<7 bytes>))",
            None,
        ),
        (
            json!({"content": text, "stop_reason": "stop_sequence"}),
            "Ok(Text(<7 bytes>))",
            None,
        ),
        (
            json!({"content": text, "stop_reason": "max_tokens"}),
            "Ok(Incomplete(Length))",
            Some(FailureKind::ContextLength),
        ),
        (
            json!({"content": text, "stop_reason": "model_context_window_exceeded"}),
            "Ok(Incomplete(Length))",
            Some(FailureKind::ContextLength),
        ),
        (
            json!({"content": text, "stop_reason": "pause_turn"}),
            "Ok(Incomplete(Other(\"pause_turn\")))",
            Some(FailureKind::Malformed),
        ),
        (
            json!({"content": [], "stop_reason": "refusal"}),
            "Ok(Refusal(<7 bytes>))",
            Some(FailureKind::ContentPolicy),
        ),
        (
            json!({"content": text, "stop_reason": "refusal", "stop_details": {"explanation": "no"}}),
            "Ok(Refusal(<2 bytes>))",
            Some(FailureKind::ContentPolicy),
        ),
    ];
    for (body, outcome, kind) in rows {
        let completion = plain(Protocol::Messages, &body).unwrap();
        assert_eq!(format!("{:?}", completion.outcome()), outcome, "{body}");
        assert_eq!(
            completion.parse_json().err().map(|failure| failure.kind()),
            kind,
            "{body}"
        );
    }
    let body = json!({"content": call, "stop_reason": "tool_use"});
    let Ok(Outcome::ToolCalls(calls)) = plain(Protocol::Messages, &body).unwrap().outcome() else {
        panic!("no calls");
    };
    assert_eq!(calls[0].function.arguments.text(), r#"{"a":1}"#);
}

#[test]
fn a_call_that_was_cut_off_keeps_the_text_that_came() {
    let streamed = stream_of(
        Protocol::Messages,
        &[
            json!({"type": "message_start", "message": {"id": "m", "content": []}}),
            json!({"type": "content_block_start", "index": 0,
                "content_block": {"type": "tool_use", "id": "t", "name": "f", "input": {}}}),
            json!({"type": "content_block_delta", "index": 0,
                "delta": {"type": "input_json_delta", "partial_json": "{\"a\":[1,"}}),
            json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}),
            json!({"type": "message_stop"}),
        ],
    );
    let completion = streamed.result.unwrap();
    assert_eq!(
        completion.outcome().unwrap(),
        Outcome::Incomplete(FinishReason::Length)
    );
    let call = &completion.message().unwrap().tool_calls[0];
    assert_eq!(call.function.arguments.text(), "{\"a\":[1,");
}

#[test]
fn tokens_from_and_into_a_cache_count_as_prompt_tokens() {
    let body = json!({"content": [], "usage": {"input_tokens": 1, "cache_read_input_tokens": 32,
        "cache_creation_input_tokens": 3, "output_tokens": 15}});
    let usage = plain(Protocol::Messages, &body).unwrap().usage.unwrap();
    assert_eq!(
        (usage.prompt_tokens, usage.total_tokens),
        (Some(36), Some(51))
    );
    let details = usage.prompt_tokens_details.unwrap();
    assert_eq!(
        (details.cached_tokens, details.cache_write_tokens),
        (Some(32), Some(3))
    );
}

#[test]
fn a_call_keeps_every_digit() {
    let input = r#"{"id":123456789012345678901234567890,"n":1.10}"#;
    let body = format!(
        r#"{{"content":[{{"type":"text","text":""}},{{"type":"tool_use","id":"t","name":"f","input":{input}}}],"stop_reason":"tool_use"}}"#
    );
    let read = read_response_as(Protocol::Messages, 200, body.as_bytes()).unwrap();
    let streamed = stream_of(
        Protocol::Messages,
        &[
            json!({"type": "content_block_start", "index": 1,
                "content_block": {"type": "tool_use", "id": "t", "name": "f", "input": {}}}),
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
            json!({"type": "content_block_delta", "index": 1,
                "delta": {"type": "input_json_delta", "partial_json": input}}),
            json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}),
            json!({"type": "message_stop"}),
        ],
    );
    for completion in [read.completion, streamed.result.unwrap()] {
        let call = &completion.message().unwrap().tool_calls[0];
        assert_eq!(call.function.arguments.text(), input);
    }
}
