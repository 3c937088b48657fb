//! Reading an answer as JSON: each rule, and which of two neighbours wins.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    reason = "a test may fail loudly, and its tables read better with values"
)]

use proptest::prelude::*;
use serde_json::{Value, json};
use tamis_wire::{Completion, Failure, FailureKind, StreamReader};

fn parse(completion: Value) -> Result<Value, Failure> {
    completion_of(completion)
        .parse_json()
        .map(|repaired| repaired.value)
}

fn completion_of(completion: Value) -> Completion {
    serde_json::from_str(&completion.to_string()).unwrap()
}

fn choice(reason: &str, message: Value) -> Value {
    json!({"id": "gen-1", "choices": [{"index": 0, "finish_reason": reason, "message": message}]})
}

fn with(mut completion: Value, name: &str, value: Value) -> Value {
    completion["choices"][0][name] = value;
    completion
}

#[test]
#[expect(clippy::too_many_lines, reason = "one row for each rule")]
fn each_rule_and_the_one_before_it() {
    use FailureKind::{ContentPolicy, ContextLength, Malformed, ProviderUnavailable, RateLimited};
    let good = json!({"role": "assistant", "content": "{\"a\":1}"});
    let refusal = json!({"role": "assistant", "content": "{\"a\":1}", "refusal": "No."});
    let blank = json!({"role": "assistant", "content": " "});
    let prose = json!({"role": "assistant", "content": "Sure thing."});
    let rate = json!({"code": 429, "message": "slow"});
    let rows = [
        ("no choice", json!({"choices": []}), Malformed),
        (
            "no message",
            json!({"choices": [{"finish_reason": "length"}]}),
            Malformed,
        ),
        (
            "null message",
            json!({"choices": [{"finish_reason": "stop", "message": null}]}),
            Malformed,
        ),
        (
            "refusal over stop",
            choice("stop", refusal.clone()),
            ContentPolicy,
        ),
        (
            "refusal over length",
            choice("length", refusal.clone()),
            ContentPolicy,
        ),
        (
            "refusal over content_filter",
            choice("content_filter", refusal.clone()),
            ContentPolicy,
        ),
        (
            "refusal over tool_calls",
            choice("tool_calls", refusal.clone()),
            ContentPolicy,
        ),
        (
            "refusal over error",
            with(choice("error", refusal.clone()), "error", rate.clone()),
            ContentPolicy,
        ),
        (
            "length over whole content",
            choice("length", good.clone()),
            ContextLength,
        ),
        (
            "length over no content",
            choice("length", blank.clone()),
            ContextLength,
        ),
        (
            "length over the choice's error",
            with(choice("length", good.clone()), "error", rate.clone()),
            ContextLength,
        ),
        (
            "native length over stop",
            with(
                choice("stop", good.clone()),
                "native_finish_reason",
                json!("MAX_TOKENS"),
            ),
            ContextLength,
        ),
        (
            "native length over tool_calls",
            with(
                choice("tool_calls", good.clone()),
                "native_finish_reason",
                json!("max_output_tokens"),
            ),
            ContextLength,
        ),
        (
            "native length over content_filter",
            with(
                choice("content_filter", good.clone()),
                "native_finish_reason",
                json!("length"),
            ),
            ContextLength,
        ),
        (
            "native length over error",
            with(
                choice("error", good.clone()),
                "native_finish_reason",
                json!("length"),
            ),
            ContextLength,
        ),
        (
            "another name for length",
            choice("model_length", good.clone()),
            ContextLength,
        ),
        (
            "content_filter over whole content",
            choice("content_filter", good.clone()),
            ContentPolicy,
        ),
        (
            "content_filter over no content",
            choice("content_filter", blank.clone()),
            ContentPolicy,
        ),
        (
            "another name for content_filter",
            choice("SAFETY", good.clone()),
            ContentPolicy,
        ),
        (
            "error unexplained, over whole content",
            choice("error", good.clone()),
            ProviderUnavailable,
        ),
        (
            "error explained",
            with(choice("error", good.clone()), "error", rate.clone()),
            RateLimited,
        ),
        (
            "error beside stop",
            with(choice("stop", good.clone()), "error", rate.clone()),
            RateLimited,
        ),
        (
            "tool_calls over whole content",
            choice("tool_calls", good.clone()),
            Malformed,
        ),
        (
            "tool_calls over no content",
            choice("tool_calls", blank.clone()),
            Malformed,
        ),
        (
            "no content",
            choice("stop", json!({"role": "assistant"})),
            Malformed,
        ),
        (
            "null content",
            choice("stop", json!({"content": null, "reasoning": "{}"})),
            Malformed,
        ),
        ("blank content", choice("stop", blank), Malformed),
        (
            "thinking alone",
            choice(
                "stop",
                json!({"content": [{"type": "thinking", "thinking": "{}"}]}),
            ),
            Malformed,
        ),
        ("prose", choice("stop", prose), Malformed),
        (
            "two documents",
            choice("stop", json!({"content": "{\"a\":1}\n{\"a\":2}"})),
            Malformed,
        ),
        (
            "cut JSON",
            choice("stop", json!({"content": "{\"a\":"})),
            Malformed,
        ),
        (
            "too deep",
            choice("stop", json!({"content": "[".repeat(100_000)})),
            Malformed,
        ),
    ];
    for (name, completion, kind) in rows {
        let failure = parse(completion).unwrap_err();
        assert_eq!(failure.kind(), kind, "{name}: {failure}");
    }
}

#[test]
fn what_the_error_says_comes_with_the_failure() {
    let message = json!({"content": "{}"});
    let error =
        json!({"code": 502, "message": "down", "metadata": {"error_type": "provider_overloaded"}});
    let failure = parse(with(
        choice("error", message.clone()),
        "error",
        error.clone(),
    ))
    .unwrap_err();
    assert_eq!(failure.details().unwrap().message, "down");
    assert_eq!(failure.status(), Some(502));
    assert_eq!(failure.generation_id(), Some("gen-1"));
    let mut whole = choice("error", message);
    whole["error"] = error;
    assert_eq!(parse(whole).unwrap_err().details().unwrap().message, "down");
}

#[test]
fn what_passes() {
    for (name, completion) in [
        ("stop", choice("stop", json!({"content": " {\"a\":1}\n"}))),
        (
            "another name for stop",
            choice("eos", json!({"content": "{\"a\":1}"})),
        ),
        (
            "a name nobody knows",
            choice("novel", json!({"content": "{\"a\":1}"})),
        ),
        (
            "no finish reason in a whole body",
            with(
                choice("", json!({"content": "{\"a\":1}"})),
                "finish_reason",
                Value::Null,
            ),
        ),
        (
            "a blank refusal",
            choice("stop", json!({"content": "{\"a\":1}", "refusal": " "})),
        ),
        (
            "text parts",
            choice(
                "stop",
                json!({"content": [
                    {"type": "thinking", "thinking": [{"type": "text", "text": "{\"draft\":0}"}]},
                    {"type": "text", "text": "{\"a\""},
                    {"type": "text", "text": ":1}"}
                ]}),
            ),
        ),
        (
            "the choice with index 0 comes second",
            json!({"choices": [
                {"index": 1, "finish_reason": "length", "message": {"content": ""}},
                {"index": 0, "finish_reason": "stop", "message": {"content": "{\"a\":1}"}}
            ]}),
        ),
    ] {
        assert_eq!(parse(completion).unwrap(), json!({"a": 1}), "{name}");
    }
}

#[test]
fn a_stream_that_broke_off_comes_before_every_rule() {
    for delta in [
        json!({"content": "{\"a\":1}"}),
        json!({"content": "{\"a\":1}", "refusal": "No."}),
    ] {
        let mut reader = StreamReader::new();
        let event =
            json!({"choices": [{"index": 0, "delta": delta, "native_finish_reason": "length"}]});
        reader.feed(format!("data: {event}\n\n").as_bytes(), |_| {});
        let partial = reader
            .finish(|_| {})
            .unwrap_err()
            .into_completion()
            .unwrap();
        assert_eq!(
            partial.parse_json().unwrap_err().kind(),
            FailureKind::Interrupted
        );
    }
}

proptest! {
    /// Whatever the content is, the failure does not quote it.
    #[test]
    fn no_failure_quotes_the_content(secret in "[a-zA-Z]{8,20}", before in "[\\[{\":, ]{0,4}", after in "[\\]}\":,x ]{1,4}") {
        let content = format!("{before}{secret}{after}");
        if let Err(failure) = parse(choice("stop", json!({"content": content}))) {
            let said = format!("{failure} {failure:?}");
            prop_assert!(!said.contains(&secret));
        }
    }
}
