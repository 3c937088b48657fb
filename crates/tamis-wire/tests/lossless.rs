//! A completion is written again as it was read, field for field.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tamis_wire::{Completion, Content, FinishReason, Scalar};

fn read(body: &Value) -> Completion {
    serde_json::from_str(&body.to_string()).unwrap()
}

fn written(completion: &Completion) -> Value {
    serde_json::from_str(&serde_json::to_string(completion).unwrap()).unwrap()
}

#[track_caller]
fn assert_kept(body: &Value) {
    assert_eq!(&written(&read(body)), body);
    let from_value: Completion = serde_json::from_value(body.clone()).unwrap();
    assert_eq!(&serde_json::to_value(&from_value).unwrap(), body);
    assert_eq!(from_value, read(body));
}

#[test]
fn nulls_and_empty_arrays_and_what_is_absent() {
    assert_kept(&json!({
        "id": "gen-1", "provider": null, "system_fingerprint": null, "odd": null, "created": 1.5,
        "choices": [
            {
                "index": 0, "logprobs": null, "finish_reason": null, "native_finish_reason": null,
                "message": {
                    "role": "assistant", "content": null, "refusal": null, "reasoning": "",
                    "tool_calls": [], "annotations": [], "images": null, "function_call": null,
                },
            },
            {"message": {"content": ""}, "error": null, "logprobs": {"content": null, "refusal": []}},
            {"message": {}, "logprobs": {"content": [
                {"token": "a", "logprob": -0.5, "bytes": null, "top_logprobs": []},
                {"token": "b", "logprob": null, "bytes": [98]},
            ]}},
            {},
        ],
        "usage": {
            "prompt_tokens": 1, "cost": 0, "is_byok": false, "cost_details": null,
            "prompt_tokens_details": {"audio_tokens": null, "cached_tokens": null},
            "completion_tokens_details": {},
            "server_tool_use": {"web_search_requests": 0},
        },
    }));
}

#[test]
fn what_does_not_fit() {
    for body in [
        json!({}),
        json!({"choices": null, "usage": {}, "id": 5, "created": "17", "model": ["a"], "error": null}),
        json!({"choices": {}, "usage": {"foo": null}, "openrouter_metadata": {}, "object": true}),
        json!({"choices": [null, 5, {"index": "0"}, {"index": 0.0}, {"index": -1}, {"message": "hi"}]}),
        json!({"choices": [{"finish_reason": 7, "message": []}, {"message": {"content": 5, "role": 1}}]}),
        json!({"choices": [{"message": {"content": [null, "a", {"type": "text", "text": "b"}]}}]}),
        json!({"choices": [{"message": {"content": {"type": "text", "text": "b"}}}]}),
        json!({"choices": [{"message": {"content": [], "annotations": {}, "audio": {"expires_at": 5}}}]}),
        json!({"choices": [{"message": {"reasoning_details": [{}, null, 1], "tool_calls": [null, {}]}}]}),
        json!({"choices": [{"message": {"tool_calls": [
            {"function": {}},
            {"function": null, "id": null, "index": 0},
            {"function": "f", "type": 1},
            {"function": {"name": "f", "arguments": {"a": 1}}},
            {"function": {"name": null, "arguments": null}},
            {"function": {"name": 5, "arguments": "{\"a\":1}"}},
        ]}}]}),
        json!({"usage": {"cost": {"total_cost": 0.1}, "prompt_tokens": "7", "total_tokens": 7.0}}),
        json!({"usage": {"cost": "0.1", "is_byok": "true", "completion_tokens_details": 5}}),
        json!({"error": "broken"}),
        json!({"error": {"message": 5, "code": 502, "metadata": []}}),
        json!({"choices": [{"error": {"code": 502, "message": "x", "metadata": {"raw": null}}}]}),
        json!({"choices": [{"error": {"code": null, "message": "x", "param": null}}]}),
    ] {
        assert_kept(&body);
    }
}

/// What fits is read just as where nothing is to be kept of it.
#[test]
fn what_does_not_fit_is_read_all_the_same() {
    let completion =
        read(&json!({"id": 5, "choices": [null, {"index": "0", "message": {"content": 5}}]}));
    assert_eq!(completion.id.as_deref(), Some("5"));
    assert_eq!(completion.choices.len(), 1);
    assert_eq!(completion.text().as_deref(), Some("5"));
    assert_eq!(completion.extra.get("id"), Some(&json!(5)));
    let usage = |usage: Value| read(&json!({"usage": usage})).usage;
    assert!(usage(json!({})).is_none() && usage(json!({"cost": null, "odd": null})).is_none());
    let usage = usage(json!({"cost": {"total_cost": 0.25}, "total_tokens": "7"})).unwrap();
    assert_eq!(usage.total_cost(), Some(0.25));
    assert_eq!(usage.total_tokens, Some(7));
}

/// A field that was set since then is what is written.
#[test]
fn a_change_counts() {
    let mut completion = read(&json!({"id": 5, "model": null, "choices": [
        {"finish_reason": null, "message": {"content": 5, "refusal": null}},
    ]}));
    completion.id = Some("gen-1".to_owned());
    completion.model = Some("a/b".to_owned());
    completion.created = Some(Scalar::from(1));
    let choice = completion.choices.first_mut().unwrap();
    choice.finish_reason = Some(FinishReason::Stop);
    let message = choice.message.as_mut().unwrap();
    message.content = Some(Content::Text("hi".to_owned()));
    message.refusal = Some("no".to_owned());
    assert_eq!(
        written(&completion),
        json!({"id": "gen-1", "model": "a/b", "created": 1, "choices": [
            {"finish_reason": "stop", "message": {"content": "hi", "refusal": "no"}},
        ]})
    );
}

#[test]
fn null_is_as_good_as_missing() {
    let absent = read(&json!({"choices": [{"message": {"content": "a"}}]}));
    let null = read(&json!({"id": null, "choices": [
        {"index": null, "message": {"content": "a", "tool_calls": [], "refusal": null}},
    ]}));
    assert_eq!(absent, null);
    assert_ne!(written(&absent), written(&null));
}

/// Arrays of odd elements in arrays of odd elements take no longer the deeper they are.
#[test]
fn depth_costs_little() {
    let open = r#"{"top_logprobs":[null,"#.repeat(60);
    let text = format!(
        r#"{{"choices":[{{"logprobs":{{"content":[{open}{{}}{}]}}}}]}}"#,
        "]}".repeat(60)
    );
    let body: Value = serde_json::from_str(&text).unwrap();
    let start = std::time::Instant::now();
    assert_kept(&body);
    assert!(start.elapsed() < std::time::Duration::from_secs(5));
}

const NAMES: [&str; 28] = [
    "id",
    "object",
    "created",
    "choices",
    "usage",
    "error",
    "index",
    "message",
    "finish_reason",
    "logprobs",
    "content",
    "refusal",
    "reasoning",
    "reasoning_details",
    "tool_calls",
    "annotations",
    "function",
    "name",
    "arguments",
    "type",
    "audio",
    "cost",
    "is_byok",
    "prompt_tokens",
    "prompt_tokens_details",
    "cached_tokens",
    "token",
    "odd",
];

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        3 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<u64>().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        2 => prop::sample::select(vec!["", "stop", "0", "1.5", "true", "{\"a\":1}", "text"])
            .prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 60, 5, |inner| {
        let name = prop::sample::select(NAMES.to_vec());
        prop_oneof![
            1 => prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            2 => prop::collection::vec((name, inner), 0..6).prop_map(|fields| {
                let fields = fields.into_iter().map(|(name, value)| (name.to_owned(), value));
                fields.collect::<Map<_, _>>().into()
            }),
        ]
    })
}

/// A value in the place of a message, a choice or the whole body.
fn any_body() -> impl Strategy<Value = Value> {
    prop_oneof![
        any_json().prop_map(|message| json!({"choices": [{"message": message}]})),
        any_json().prop_map(|choice| json!({"choices": [choice]})),
        any_json().prop_map(|call| json!({"choices": [{"message": {"tool_calls": [call]}}]})),
        any_json().prop_map(|usage| json!({"choices": [], "usage": usage})),
        any_json().prop_filter("a body is an object", Value::is_object),
    ]
}

proptest! {
    #[test]
    fn whatever_comes_is_written_as_it_came(body in any_body()) {
        let completion = read(&body);
        prop_assert_eq!(&written(&completion), &body);
        prop_assert_eq!(&serde_json::to_value(&completion).unwrap(), &body);
        prop_assert_eq!(read(&written(&completion)), completion);
    }
}

/// The recordings: of `TAMIS_SHARED`, or of `shared` beside the checkout.
#[test]
fn recorded_bodies() {
    let root = std::env::var_os("TAMIS_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let Ok(index) = fs::read_to_string(root.join("wire/index.jsonl")) else {
        eprintln!("skipped: no shared folder");
        return;
    };
    let (mut all, mut of_openrouter) = (0, 0);
    for line in index.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let name = row.get("file").and_then(Value::as_str).unwrap();
        if row.get("format") != Some(&json!("json")) {
            continue;
        }
        let Ok(body) =
            serde_json::from_slice::<Value>(&fs::read(root.join("wire").join(name)).unwrap())
        else {
            continue;
        };
        if !body.is_object() {
            continue;
        }
        assert_eq!(written(&read(&body)), body, "{name}");
        all += 1;
        of_openrouter += u32::from(row.get("provider") == Some(&json!("openrouter")));
    }
    eprintln!("{all} bodies, {of_openrouter} of them OpenRouter's");
    assert!(all > 200 && of_openrouter > 50);
}
