//! Folding a stream of the Responses protocol is the inverse of streaming.

use proptest::prelude::*;
use serde_json::{Value, json};
use tamis_wire::{FinishReason, FoldNote, Outcome, Protocol};

use super::{arguments, assert_no_answer, bytes, cut, pieces, plain, stream, stream_of, texts};

fn item() -> impl Strategy<Value = Value> {
    let message = (texts(), texts()).prop_map(|(one, two)| {
        json!({"type": "message", "role": "assistant", "status": "completed", "content": [
            {"type": "output_text", "text": one, "annotations": [{"type": "url_citation", "url": "u"}], "logprobs": []},
            {"type": "output_text", "text": two, "annotations": [], "logprobs": []}]})
    });
    let refusal = texts().prop_map(|text| {
        json!({"type": "message", "role": "assistant", "status": "completed",
            "content": [{"type": "refusal", "refusal": text}]})
    });
    let call = arguments().prop_map(|arguments| {
        json!({"type": "function_call", "call_id": "call_9", "name": "look_up", "arguments": arguments,
            "status": "completed"})
    });
    let reasoning = (texts(), texts()).prop_map(|(summary, text)| {
        json!({"type": "reasoning", "encrypted_content": "xyz",
            "summary": [{"type": "summary_text", "text": summary}],
            "content": [{"type": "reasoning_text", "text": text}]})
    });
    let novel = Just(json!({"type": "hologram_call", "status": "completed", "frames": [1, null]}));
    prop_oneof![4 => message, 1 => refusal, 2 => call, 2 => reasoning, 1 => novel]
}

pub(super) fn body() -> impl Strategy<Value = Value> {
    let endings = prop_oneof![
        Just(("completed", Value::Null)),
        Just(("incomplete", json!({"reason": "max_output_tokens"}))),
        Just(("incomplete", json!({"reason": "content_filter"}))),
    ];
    (proptest::collection::vec(item(), 1..4), endings).prop_map(|(mut items, (status, why))| {
        for (number, item) in items.iter_mut().enumerate() {
            item["id"] = json!(format!("it_{number}"));
        }
        json!({"id": "gen-1", "object": "response", "created_at": 1_744_857_525, "model": "m",
            "status": status, "incomplete_details": why, "error": null, "output": items,
            "usage": {"input_tokens": 9, "output_tokens": 4, "total_tokens": 13, "cost": 0.25,
                "input_tokens_details": {"cached_tokens": 2},
                "output_tokens_details": {"reasoning_tokens": 1}},
            "novel": {"deep": null}})
    })
}

/// How a server writes a stream down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    numbers: bool,
    ids: bool,
    /// Whether texts are repeated whole at their end.
    done: bool,
    /// Whether texts come piece by piece at all.
    deltas: bool,
    /// Whether the last event has the output.
    output: bool,
    size: usize,
}

pub(super) fn style() -> impl Strategy<Value = Style> {
    (any::<(bool, bool, bool, bool, bool)>(), 1..9_usize).prop_map(
        |((numbers, ids, done, deltas, output), size)| Style {
            // Without either nothing tells the items of interleaved events apart.
            numbers: numbers || !ids,
            ids,
            done: done || !deltas,
            deltas,
            output,
            size,
        },
    )
}

/// A response as events.
pub(super) fn events(body: &Value, style: Style) -> Vec<Value> {
    let mut events = Vec::new();
    let mut begun = body.clone();
    (
        begun["output"],
        begun["usage"],
        begun["status"],
        begun["incomplete_details"],
    ) = (json!([]), Value::Null, json!("in_progress"), Value::Null);
    events.push(json!({"type": "response.created", "response": begun}));
    events.push(json!({"type": "response.in_progress", "response": begun}));
    for (number, item) in body["output"].as_array().unwrap().iter().enumerate() {
        let place = |mut event: Value| {
            if style.numbers {
                event["output_index"] = json!(number);
            }
            if style.ids && event.get("item").is_none() {
                event["item_id"] = item["id"].clone();
            }
            event
        };
        let mut added = item.clone();
        for (list, value) in [
            ("content", json!([])),
            ("summary", json!([])),
            ("arguments", json!("")),
        ] {
            if added.get(list).is_some() {
                added[list] = value;
            }
        }
        events.push(place(
            json!({"type": "response.output_item.added", "item": added}),
        ));
        for (list, index) in [("summary", "summary_index"), ("content", "content_index")] {
            for (part_number, part) in item[list].as_array().into_iter().flatten().enumerate() {
                let kind = part["type"].as_str().unwrap();
                let field = if kind == "refusal" { "refusal" } else { "text" };
                let (name, part_name) = match kind {
                    "output_text" => ("output_text", "content_part"),
                    "refusal" => ("refusal", "content_part"),
                    "reasoning_text" => ("reasoning_text", "content_part"),
                    _ => ("reasoning_summary_text", "reasoning_summary_part"),
                };
                let at = |mut event: Value| {
                    event[index] = json!(part_number);
                    place(event)
                };
                let mut empty = json!({"type": kind});
                empty[field] = json!("");
                events.push(at(
                    json!({"type": format!("response.{part_name}.added"), "part": empty}),
                ));
                let text = part[field].as_str().unwrap();
                if style.deltas {
                    for piece in pieces(text, style.size) {
                        events.push(at(
                            json!({"type": format!("response.{name}.delta"), "delta": piece}),
                        ));
                    }
                }
                if style.done {
                    let mut done = json!({"type": format!("response.{name}.done")});
                    done[field] = json!(text);
                    events.push(at(done));
                    events.push(at(
                        json!({"type": format!("response.{part_name}.done"), "part": part}),
                    ));
                }
            }
        }
        if let Some(text) = item["arguments"].as_str() {
            if style.deltas {
                for piece in pieces(text, style.size) {
                    events.push(place(
                        json!({"type": "response.function_call_arguments.delta", "delta": piece}),
                    ));
                }
            }
            if style.done {
                events.push(place(
                    json!({"type": "response.function_call_arguments.done", "arguments": text}),
                ));
            }
        }
        if item["type"] == "hologram_call" {
            events.push(place(
                json!({"type": "response.hologram_call.rendering", "frame": 1}),
            ));
        }
        events.push(place(
            json!({"type": "response.output_item.done", "item": item}),
        ));
    }
    let mut ended = body.clone();
    if !style.output {
        ended["output"] = json!([]);
    }
    let name = format!("response.{}", body["status"].as_str().unwrap());
    events.push(json!({"type": name, "response": ended}));
    events
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn the_fold_gives_the_body_back(body in body(), style in style(), places: [usize; 5]) {
        let expected = plain(Protocol::Responses, &body).unwrap();
        let bytes = bytes(&events(&body, style));
        let streamed = stream(Protocol::Responses, &cut(bytes.as_bytes(), &places));
        let folded = streamed.result.unwrap();
        prop_assert_eq!(&folded, &expected);
        prop_assert!(folded.fold_notes().is_empty());
        let response = folded.response().unwrap();
        prop_assert_eq!(serde_json::to_value(response).unwrap(), body);
        prop_assert_eq!(streamed.text, expected.text().unwrap_or_default());
        let arguments: String = expected.message().unwrap().tool_calls.iter()
            .map(|call| call.function.arguments.text()).collect();
        prop_assert_eq!(streamed.arguments, arguments);
    }

    #[test]
    fn nothing_is_finished_before_it_says_so(body in body(), style in style(), at: usize, done: bool) {
        let mut events = events(&body, style);
        events.truncate(1 + at % (events.len() - 1));
        let mut bytes = bytes(&events);
        if done {
            bytes.push_str("data: [DONE]\n\n");
        }
        assert_no_answer(stream(Protocol::Responses, &[bytes.as_bytes()]).result);
    }

    #[test]
    fn a_cut_stream_is_never_an_answer(body in body(), style in style(), at: usize) {
        let bytes = bytes(&events(&body, style));
        // The last event may lack its blank line, and no more than that.
        let whole = bytes.trim_end().len();
        let cut = &bytes.as_bytes()[..at % whole];
        let streamed = stream(Protocol::Responses, &[cut]);
        prop_assert!(streamed.result.is_err());
    }
}

#[test]
fn an_ending_means_the_same_as_in_chat_completions() {
    let text =
        json!([{"type": "message", "content": [{"type": "output_text", "text": "{\"a\":1}"}]}]);
    let call = json!([{"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}]);
    let outcome =
        |body: Value| format!("{:?}", plain(Protocol::Responses, &body).unwrap().outcome());
    let rows = [
        (
            json!({"status": "completed", "output": text}),
            "Ok(Text(<7 bytes>))",
        ),
        (json!({"output": text}), "Ok(Text(<7 bytes>))"),
        (
            json!({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}, "output": text}),
            "Ok(Incomplete(Length))",
        ),
        (
            json!({"status": "incomplete", "output": text}),
            "Ok(Incomplete(Length))",
        ),
        (
            json!({"status": "incomplete", "incomplete_details": {"reason": "novel"}, "output": text}),
            "Ok(Incomplete(Length))",
        ),
        (
            json!({"status": "incomplete", "incomplete_details": {"reason": "content_filter"}, "output": []}),
            "Ok(Incomplete(ContentFilter))",
        ),
        (
            json!({"status": "completed", "incomplete_details": {"reason": "max_output_tokens"}, "output": text}),
            "Ok(Incomplete(Length))",
        ),
        (
            json!({"status": "completed", "output": [{"type": "message", "status": "incomplete",
                "content": [{"type": "output_text", "text": "x"}]}]}),
            "Ok(Incomplete(Length))",
        ),
        (
            json!({"status": "completed", "output": [{"type": "message",
                "content": [{"type": "refusal", "refusal": "no"}]}]}),
            "Ok(Refusal(<2 bytes>))",
        ),
    ];
    for (body, expected) in rows {
        assert_eq!(outcome(body.clone()), expected, "{body}");
    }
    let calls = plain(
        Protocol::Responses,
        &json!({"status": "completed", "output": call}),
    )
    .unwrap();
    assert_eq!(calls.finish_reason(), Some(&FinishReason::ToolCalls));
    let Ok(Outcome::ToolCalls(calls)) = calls.outcome() else {
        panic!("no calls");
    };
    assert_eq!(
        (calls[0].id.as_deref(), calls[0].function.name.as_str()),
        (Some("c"), "f")
    );
}

#[test]
fn an_answer_that_comes_at_the_end_alone_is_one() {
    let body = json!({"id": "r", "status": "completed", "output": [{"type": "message",
        "content": [{"type": "output_text", "text": "all at once"}]}]});
    let streamed = stream_of(
        Protocol::Responses,
        &[json!({"type": "response.completed", "response": body})],
    );
    assert_eq!(streamed.text, "all at once");
    assert_eq!(
        streamed.result.unwrap(),
        plain(Protocol::Responses, &body).unwrap()
    );
}

#[test]
fn what_comes_at_the_end_counts_and_a_difference_is_noted() {
    let body = json!({"status": "completed", "output": [{"type": "message",
        "content": [{"type": "output_text", "text": "right"}]}]});
    let streamed = stream_of(
        Protocol::Responses,
        &[
            json!({"type": "response.output_text.delta", "output_index": 0, "delta": "wrong"}),
            json!({"type": "response.completed", "response": body}),
        ],
    );
    let completion = streamed.result.unwrap();
    assert_eq!(completion.text().as_deref(), Some("right"));
    assert_eq!(completion.fold_notes(), [FoldNote::CorrectedAtEnd]);
}

#[test]
fn a_completed_event_whose_response_is_incomplete_is_incomplete() {
    let streamed = stream_of(
        Protocol::Responses,
        &[
            json!({"type": "response.completed", "response": {"status": "incomplete",
            "incomplete_details": {"reason": "max_output_tokens"}, "output": [{"type": "message",
            "content": [{"type": "output_text", "text": "Be"}]}]}}),
        ],
    );
    let outcome = streamed.result.unwrap().outcome().unwrap();
    assert_eq!(outcome, Outcome::Incomplete(FinishReason::Length));
}
