//! Completions with every field that the protocol has, as the JSON that they are read from and
//! written as.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Text as models write it: JSON, prose, and anything else.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        Just(r#"{"a": [1, 2.50], "b": "\"}{"}"#.to_owned()),
        "[ab \"\\\\{}:,\n]{0,24}",
        vec(any::<char>(), 0..24).prop_map(|characters| characters.into_iter().collect()),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1e9..1e9_f64).prop_map(Value::from),
        text().prop_map(Value::from),
        vec(text(), 0..3).prop_map(Value::from),
        text().prop_map(|text| json!({"nested": {"text": text, "nothing": null}})),
    ]
}

fn put(object: &mut Map<String, Value>, name: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        object.insert(name.to_owned(), value.into());
    }
}

fn put_list(object: &mut Map<String, Value>, name: &str, list: Vec<Value>) {
    if !list.is_empty() {
        object.insert(name.to_owned(), list.into());
    }
}

/// The four types and an unknown one; the index tells blocks apart.
fn reasoning_detail() -> impl Strategy<Value = Value> {
    let fields = prop_oneof![
        (text(), option::of(text())).prop_map(|(text, signature)| {
            let mut fields = Map::new();
            fields.insert("type".into(), "reasoning.text".into());
            fields.insert("text".into(), text.into());
            put(&mut fields, "signature", signature);
            fields
        }),
        text().prop_map(|text| fields(&json!({"type": "reasoning.summary", "summary": text}))),
        text().prop_map(|text| fields(&json!({"type": "reasoning.encrypted", "data": text}))),
        (text(), text()).prop_map(|(arguments, result)| fields(&json!({
            "type": "reasoning.server_tool_call", "tool_name": "search",
            "arguments": arguments, "result": result, "tool_call_id": "st_1",
        }))),
        value().prop_map(|value| fields(&json!({"type": "reasoning.novel", "text": value}))),
    ];
    (
        fields,
        option::of("[a-z]{1,6}"),
        option::of(Just("anthropic-claude-v1")),
    )
        .prop_map(|(mut fields, id, format)| {
            put(&mut fields, "id", id);
            put(&mut fields, "format", format);
            fields.into()
        })
}

fn fields(value: &Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

/// A call's name has no two equal pieces in a row, since a repeated name counts once.
fn tool_call() -> impl Strategy<Value = Value> {
    (
        "[a-c]_[d-f]{1,3}[g-k]{1,3}",
        prop_oneof![
            text().prop_map(Some),
            Just(Some(r#"{"q":"a}b","n":12345678901234567890}"#.to_owned())),
            Just(None)
        ],
        option::of(value()),
    )
        .prop_map(|(name, arguments, extra)| {
            let mut function = Map::new();
            function.insert("name".into(), name.into());
            put(&mut function, "arguments", arguments);
            let mut call = fields(&json!({"type": "function", "function": function}));
            put(&mut call, "x_call", extra);
            call.into()
        })
}

/// No two parts in a row that are the same type, since such parts are one part in pieces.
fn content() -> impl Strategy<Value = Value> {
    let parts = vec((0..3_u8, text()), 1..5).prop_map(|parts| {
        let mut list: Vec<Value> = Vec::new();
        for (kind, text) in parts {
            let part = match kind {
                0 => json!({"type": "text", "text": text}),
                1 => json!({"type": "thinking", "thinking": [{"type": "text", "text": text}]}),
                _ => json!({"type": "image_url", "image_url": {"url": text}}),
            };
            if kind == 2 || list.last().is_none_or(|last| last["type"] != part["type"]) {
                list.push(part);
            }
        }
        Value::from(list)
    });
    prop_oneof![2 => Just(Value::Null), 6 => text().prop_map(Value::from), 2 => parts]
}

fn audio() -> impl Strategy<Value = Value> {
    (text(), option::of("[A-Za-z0-9]{0,20}")).prop_map(|(transcript, data)| {
        let mut audio = fields(&json!({"id": "au_1", "transcript": transcript, "expires_at": 17}));
        put(&mut audio, "data", data);
        audio.into()
    })
}

fn token() -> impl Strategy<Value = Value> {
    (text(), option::of(-20.0..0.0_f64), any::<bool>()).prop_map(|(text, logprob, alternatives)| {
        let bytes: Vec<u8> = text.bytes().collect();
        let mut token = fields(&json!({"token": text, "logprob": logprob, "bytes": bytes}));
        if alternatives {
            token.insert(
                "top_logprobs".into(),
                json!([{"token": "x", "logprob": -0.5}]),
            );
        }
        token.into()
    })
}

fn logprobs() -> impl Strategy<Value = Value> {
    (vec(token(), 1..4), vec(token(), 0..2)).prop_map(|(content, refusal)| {
        let mut logprobs = Map::new();
        put_list(&mut logprobs, "content", content);
        put_list(&mut logprobs, "refusal", refusal);
        logprobs.into()
    })
}

fn message() -> impl Strategy<Value = Value> {
    (
        content(),
        (option::of(text()), option::of(text()), option::of(text())),
        vec(reasoning_detail(), 0..4),
        vec(tool_call(), 0..4),
        (vec(value(), 0..3), vec(value(), 0..3), option::of(audio())),
        option::of(value()),
    )
        .prop_map(|(content, texts, details, calls, media, extra)| {
            let mut message = fields(&json!({"role": "assistant", "content": content}));
            put(&mut message, "refusal", texts.0);
            put(&mut message, "reasoning", texts.1);
            put(&mut message, "reasoning_content", texts.2);
            let details = numbered(details, |place, detail| {
                detail["index"] = place.into();
            });
            put_list(&mut message, "reasoning_details", details);
            let calls = numbered(calls, |place, call| {
                call["id"] = format!("call_{place}").into();
            });
            put_list(&mut message, "tool_calls", calls);
            put_list(&mut message, "annotations", media.0);
            put_list(&mut message, "images", media.1);
            put(&mut message, "audio", media.2);
            put(&mut message, "x_message", extra);
            message.into()
        })
}

fn numbered(mut list: Vec<Value>, number: impl Fn(usize, &mut Value)) -> Vec<Value> {
    for (place, item) in list.iter_mut().enumerate() {
        number(place, item);
    }
    list
}

fn choice() -> impl Strategy<Value = Value> {
    (
        message(),
        prop::sample::select(vec![
            "stop",
            "stop",
            "length",
            "tool_calls",
            "content_filter",
            "eos",
        ]),
        option::of(prop::sample::select(vec![
            "STOP",
            "end_turn",
            "max_output_tokens",
        ])),
        option::of(logprobs()),
        option::of(value()),
    )
        .prop_map(|(message, reason, native, logprobs, extra)| {
            let mut choice = fields(&json!({"message": message, "finish_reason": reason}));
            put(&mut choice, "native_finish_reason", native);
            put(&mut choice, "logprobs", logprobs);
            put(&mut choice, "x_choice", extra);
            choice.into()
        })
}

fn usage() -> impl Strategy<Value = Value> {
    (
        any::<[u32; 3]>(),
        option::of(0.0..9.0_f64),
        any::<bool>(),
        option::of(value()),
    )
        .prop_map(|([input, cached, output], cost, detailed, extra)| {
            let total = u64::from(input) + u64::from(output);
            let mut usage = fields(&json!({
                "prompt_tokens": input, "completion_tokens": output, "total_tokens": total,
            }));
            put(&mut usage, "cost", cost);
            if detailed {
                let details = json!({
                    "is_byok": false,
                    "prompt_tokens_details": {"cached_tokens": cached, "file_tokens": 1},
                    "completion_tokens_details": {"reasoning_tokens": 3, "image_tokens": 0},
                    "cost_details": {"upstream_inference_cost": 0.25},
                });
                usage.extend(fields(&details));
            }
            put(&mut usage, "x_usage", extra);
            usage.into()
        })
}

/// A completion, as its canonical JSON.
pub(crate) fn completion() -> impl Strategy<Value = Value> {
    (
        vec(choice(), 1..4),
        option::of(usage()),
        (
            option::of(Just("Example")),
            option::of(Just("fp_1")),
            option::of(Just("default")),
        ),
        option::of(Just(
            json!({"strategy": "direct", "attempt": 1, "region": null}),
        )),
        option::of(value()),
        any::<bool>(),
    )
        .prop_map(|(choices, usage, names, metadata, extra, float)| {
            let created = if float {
                json!(1_744_857_525.25)
            } else {
                json!(1_744_857_525)
            };
            let mut body = fields(&json!({
                "id": "gen-1", "object": "chat.completion", "created": created, "model": "a/b",
            }));
            put(&mut body, "provider", names.0);
            put(&mut body, "system_fingerprint", names.1);
            put(&mut body, "service_tier", names.2);
            let choices = numbered(choices, |place, choice| {
                choice["index"] = place.into();
            });
            body.insert("choices".into(), choices.into());
            put(&mut body, "usage", usage);
            put(&mut body, "openrouter_metadata", metadata);
            put(&mut body, "x_body", extra);
            body.into()
        })
}
