//! The strict contract: rows for each rule and for which of two wins.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail loudly"
)]

use proptest::prelude::*;
use serde_json::{Value, json};
use tamis_wire::contract::{self, ContractErrorKind, IncompleteReason, Limits, Outcome};

/// A whole answer, with some places changed. A change to `Value::Null` sets null; one under a
/// pointer that starts with `-` removes.
fn reply(changes: &[(&str, Value)]) -> Value {
    let mut body = json!({
        "id": "gen-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": "example/model",
        "choices": [{
            "index": 0,
            "message": {"role": "assistant", "content": "Good morning.", "refusal": null},
            "finish_reason": "stop",
        }],
        "usage": {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3},
    });
    for (pointer, value) in changes {
        let remove = pointer.starts_with('-');
        let pointer = pointer.trim_start_matches('-');
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        match body.pointer_mut(parent).unwrap() {
            Value::Object(object) if remove => drop(object.remove(key)),
            Value::Object(object) => drop(object.insert(key.into(), value.clone())),
            Value::Array(array) => {
                array[key.parse::<usize>().unwrap()] = value.clone();
            }
            other => panic!("{other} has no {key}"),
        }
    }
    body
}

const CHOICE: &str = "/choices/0";
const INDEX: &str = "/choices/0/index";
const MESSAGE: &str = "/choices/0/message";
const ROLE: &str = "/choices/0/message/role";
const CONTENT: &str = "/choices/0/message/content";
const REFUSAL: &str = "/choices/0/message/refusal";
const CALLS: &str = "/choices/0/message/tool_calls";
const REASON: &str = "/choices/0/finish_reason";

fn call(id: &str) -> Value {
    json!({"id": id, "type": "function", "function": {"name": "look_up", "arguments": "{\"q\":"}})
}

fn code(body: &Value) -> &'static str {
    match contract::classify(200, body.to_string().as_bytes(), &Limits::default()) {
        Ok(Outcome::Text(_)) => "text",
        Ok(Outcome::Refusal(_)) => "refusal",
        Ok(Outcome::ToolCalls(_)) => "tool_calls",
        Ok(Outcome::Incomplete(reason)) => reason.as_str(),
        Ok(other) => panic!("{other:?}"),
        Err(error) => error.code(),
    }
}

fn raw(status: u16, body: &[u8]) -> &'static str {
    contract::classify(status, body, &Limits::default()).map_or_else(|error| error.code(), |_| "ok")
}

#[test]
fn the_status_comes_before_the_body() {
    let good = reply(&[]).to_string();
    for status in [200, 201, 204, 299] {
        assert_eq!(raw(status, good.as_bytes()), "ok");
    }
    for status in [0, 100, 199, 300, 304, 400, 429, 500, 529, u16::MAX] {
        assert_eq!(raw(status, good.as_bytes()), "http_status");
        assert_eq!(raw(status, b"<html>"), "http_status");
        assert_eq!(raw(status, &vec![b' '; 2 << 20]), "http_status");
    }
}

#[test]
fn the_limit_comes_before_the_json() {
    let good = reply(&[]).to_string();
    let padded = |size: usize| [good.as_bytes(), &vec![b' '; size - good.len()]].concat();
    assert_eq!(raw(200, &padded(1 << 20)), "ok");
    assert_eq!(raw(200, &padded((1 << 20) + 1)), "body_limit");
    assert_eq!(raw(200, &vec![b'x'; (1 << 20) + 1]), "body_limit");

    let limits = Limits::default().with_body_bytes(10);
    assert_eq!(limits.body_bytes(), 10);
    assert_eq!(
        contract::classify(200, b"{        }", &limits)
            .unwrap_err()
            .code(),
        "wrong_protocol"
    );
    assert_eq!(
        contract::classify(200, b"{         }", &limits)
            .unwrap_err()
            .code(),
        "body_limit"
    );
    let none = Limits::default().with_body_bytes(0);
    assert_eq!(
        contract::classify(200, b"", &none).unwrap_err().code(),
        "invalid_json"
    );
}

#[test]
fn what_is_not_json_is_invalid() {
    let good = reply(&[]).to_string();
    for broken in [
        String::new(),
        " ".into(),
        "<!DOCTYPE html>".into(),
        "data: {}\n\n".into(),
        good[..good.len() - 1].into(),
        format!("{good}{good}"),
        format!("\u{feff}{good}"),
        good.replace("Good", "\\udcaf"),
        good.replace("\"Good morning.\"", "NaN"),
        good.replace("Good morning", "Good\nmorning"),
    ] {
        assert_ne!(broken, good);
        assert_eq!(raw(200, broken.as_bytes()), "invalid_json", "{broken}");
    }
    assert_eq!(
        raw(200, &[good.as_bytes(), b"\xff"].concat()),
        "invalid_json"
    );
    assert_eq!(
        raw(200, good.replace("Good", "\u{e9}\\ud83c\\udf78").as_bytes()),
        "ok"
    );
}

#[test]
fn an_integer_is_written_as_one() {
    let good = reply(&[]).to_string();
    for (index, expected) in [
        ("0", "ok"),
        ("0.0", "invalid_choice"),
        ("0e0", "invalid_choice"),
        ("-0", "invalid_choice"),
        ("1", "invalid_choice"),
        ("-1", "invalid_choice"),
        ("false", "invalid_choice"),
        ("true", "invalid_choice"),
        ("null", "invalid_choice"),
        ("\"0\"", "invalid_choice"),
        ("[0]", "invalid_choice"),
    ] {
        let body = good.replace("\"index\":0", &format!("\"index\":{index}"));
        assert_eq!(raw(200, body.as_bytes()), expected, "{index}");
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn each_rule_has_its_code() {
    let two = json!([call("a"), call("a")]);
    for (changes, expected) in [
        // The object.
        (vec![], "text"),
        (vec![("-/object", json!(0))], "wrong_protocol"),
        (
            vec![("/object", json!("chat.completion.chunk"))],
            "wrong_protocol",
        ),
        (
            vec![("/object", json!("Chat.Completion"))],
            "wrong_protocol",
        ),
        (
            vec![("/object", json!(" chat.completion"))],
            "wrong_protocol",
        ),
        (
            vec![("/object", json!(["chat.completion"]))],
            "wrong_protocol",
        ),
        (
            vec![("/object", json!("error")), ("/choices", json!(null))],
            "wrong_protocol",
        ),
        (
            vec![("/error", json!({"message": "beside a whole answer"}))],
            "text",
        ),
        // The choices.
        (vec![("-/choices", json!(0))], "expected_one_choice"),
        (vec![("/choices", json!(null))], "expected_one_choice"),
        (vec![("/choices", json!([]))], "expected_one_choice"),
        (vec![("/choices", json!([1, 2]))], "expected_one_choice"),
        (vec![("/choices", json!({"0": {}}))], "expected_one_choice"),
        (vec![(CHOICE, json!(null))], "invalid_choice"),
        (vec![(CHOICE, json!("stop"))], "invalid_choice"),
        (vec![(CHOICE, json!([0]))], "invalid_choice"),
        (vec![("-/choices/0/index", json!(0))], "invalid_choice"),
        (
            vec![(INDEX, json!(1)), (MESSAGE, json!(null))],
            "invalid_choice",
        ),
        // The message.
        (vec![("-/choices/0/message", json!(0))], "invalid_message"),
        (vec![(MESSAGE, json!(null))], "invalid_message"),
        (vec![(MESSAGE, json!("hi"))], "invalid_message"),
        (
            vec![("-/choices/0/message/role", json!(0))],
            "invalid_message",
        ),
        (vec![(ROLE, json!("user"))], "invalid_message"),
        (vec![(ROLE, json!("Assistant"))], "invalid_message"),
        (
            vec![(ROLE, json!(null)), (REASON, json!(null))],
            "invalid_message",
        ),
        (
            vec![(ROLE, json!("user")), (REASON, json!("length"))],
            "invalid_message",
        ),
        // The finish reason's type, before everything in the message.
        (
            vec![("-/choices/0/finish_reason", json!(0))],
            "invalid_finish_reason",
        ),
        (vec![(REASON, json!(null))], "invalid_finish_reason"),
        (vec![(REASON, json!(1))], "invalid_finish_reason"),
        (vec![(REASON, json!(["stop"]))], "invalid_finish_reason"),
        (
            vec![(REASON, json!(null)), (REFUSAL, json!(""))],
            "invalid_finish_reason",
        ),
        // Incomplete, whatever the message holds.
        (vec![(REASON, json!("length"))], "length"),
        (
            vec![(REASON, json!("length")), (CONTENT, json!(null))],
            "length",
        ),
        (
            vec![(REASON, json!("length")), (REFUSAL, json!(7))],
            "length",
        ),
        (
            vec![(REASON, json!("length")), (CALLS, json!("x"))],
            "length",
        ),
        (vec![(REASON, json!("content_filter"))], "content_filter"),
        (
            vec![(REASON, json!("content_filter")), (REFUSAL, json!("No."))],
            "content_filter",
        ),
        // The refusal.
        (vec![(REFUSAL, json!("No."))], "refusal"),
        (
            vec![(REFUSAL, json!("No.")), (CONTENT, json!(null))],
            "refusal",
        ),
        (vec![(REFUSAL, json!("No.")), (CALLS, json!([]))], "refusal"),
        (
            vec![(REFUSAL, json!("No.")), (CALLS, json!(null))],
            "refusal",
        ),
        (vec![("-/choices/0/message/refusal", json!(0))], "text"),
        (vec![(REFUSAL, json!(""))], "invalid_refusal"),
        (
            vec![(REFUSAL, json!(" \t\r\n\u{a0}\u{2003}\u{3000}\u{2028}"))],
            "invalid_refusal",
        ),
        (vec![(REFUSAL, json!(false))], "invalid_refusal"),
        (vec![(REFUSAL, json!(0))], "invalid_refusal"),
        (vec![(REFUSAL, json!(["No."]))], "invalid_refusal"),
        (
            vec![(REFUSAL, json!("No.")), (CALLS, json!([call("a")]))],
            "invalid_refusal",
        ),
        (
            vec![(REFUSAL, json!("No.")), (CALLS, json!({}))],
            "invalid_refusal",
        ),
        (
            vec![(REFUSAL, json!("")), (REASON, json!("eos"))],
            "invalid_refusal",
        ),
        (
            vec![(REFUSAL, json!("")), (REASON, json!("tool_calls"))],
            "invalid_refusal",
        ),
        (
            vec![(REFUSAL, json!("No.")), (REASON, json!("eos"))],
            "invalid_finish_reason",
        ),
        (
            vec![(REFUSAL, json!("No.")), (REASON, json!("tool_calls"))],
            "invalid_finish_reason",
        ),
        // Tool calls.
        (vec![(REASON, json!("tool_calls"))], "invalid_tool_calls"),
        (
            vec![(REASON, json!("tool_calls")), (CALLS, json!(null))],
            "invalid_tool_calls",
        ),
        (
            vec![(REASON, json!("tool_calls")), (CALLS, json!([]))],
            "invalid_tool_calls",
        ),
        (
            vec![(REASON, json!("tool_calls")), (CALLS, call("a"))],
            "invalid_tool_calls",
        ),
        (
            vec![(REASON, json!("tool_calls")), (CALLS, json!([call("a")]))],
            "tool_calls",
        ),
        (
            vec![
                (REASON, json!("tool_calls")),
                (CALLS, json!([call("a"), call("b")])),
            ],
            "tool_calls",
        ),
        (
            vec![(REASON, json!("tool_calls")), (CALLS, json!([call(" ")]))],
            "tool_calls",
        ),
        (
            vec![(REASON, json!("tool_calls")), (CALLS, two)],
            "invalid_function_call",
        ),
        // Another reason, and tool calls where none belong.
        (vec![(REASON, json!(""))], "unsupported_finish_reason"),
        (vec![(REASON, json!("eos"))], "unsupported_finish_reason"),
        (vec![(REASON, json!("Stop"))], "unsupported_finish_reason"),
        (
            vec![(REASON, json!("function_call"))],
            "unsupported_finish_reason",
        ),
        (
            vec![(REASON, json!("error")), (CONTENT, json!(""))],
            "unsupported_finish_reason",
        ),
        (
            vec![(CALLS, json!([call("a")]))],
            "unsupported_finish_reason",
        ),
        (
            vec![(CALLS, json!([call("a")])), (CONTENT, json!(null))],
            "unsupported_finish_reason",
        ),
        (vec![(CALLS, json!({}))], "unsupported_finish_reason"),
        (vec![(CALLS, json!(false))], "unsupported_finish_reason"),
        (vec![(CALLS, json!([]))], "text"),
        (vec![(CALLS, json!(null))], "text"),
        // The text.
        (
            vec![("-/choices/0/message/content", json!(0))],
            "missing_text",
        ),
        (vec![(CONTENT, json!(null))], "missing_text"),
        (vec![(CONTENT, json!(""))], "missing_text"),
        (vec![(CONTENT, json!(" \n\u{85}\u{3000}"))], "missing_text"),
        (
            vec![(CONTENT, json!([{"type": "text", "text": "hi"}]))],
            "missing_text",
        ),
        (vec![(CONTENT, json!({"a": 1}))], "missing_text"),
        (vec![(CONTENT, json!(" 0 "))], "text"),
    ] {
        assert_eq!(code(&reply(&changes)), expected, "{changes:?}");
    }
    for body in [
        json!(null),
        json!([]),
        json!("chat.completion"),
        json!({}),
        json!(1),
    ] {
        assert_eq!(code(&body), "wrong_protocol");
    }
}

#[test]
fn each_part_of_a_call_counts() {
    let with = |calls: Value| code(&reply(&[(REASON, json!("tool_calls")), (CALLS, calls)]));
    let changed = |pointer: &str, value: Value| {
        let mut call = call("a");
        *call.pointer_mut(pointer).unwrap() = value;
        call
    };
    for (pointer, value, expected) in [
        ("/type", json!("custom"), "unsupported_tool"),
        ("/type", json!(null), "unsupported_tool"),
        ("/id", json!(""), "invalid_function_call"),
        ("/id", json!(null), "invalid_function_call"),
        ("/id", json!(1), "invalid_function_call"),
        ("/function", json!(null), "invalid_function_call"),
        ("/function", json!("look_up"), "invalid_function_call"),
        ("/function/name", json!(""), "invalid_function_call"),
        ("/function/name", json!(null), "invalid_function_call"),
        ("/function/arguments", json!(null), "invalid_function_call"),
        ("/function/arguments", json!({}), "invalid_function_call"),
        ("/function/arguments", json!(""), "tool_calls"),
    ] {
        assert_eq!(
            with(json!([changed(pointer, value.clone())])),
            expected,
            "{pointer} {value}"
        );
        assert_eq!(
            with(json!([call("b"), changed(pointer, value)])),
            expected,
            "{pointer}"
        );
    }
    for call in [json!(null), json!("function"), json!([]), json!({})] {
        assert_eq!(with(json!([call])), "unsupported_tool");
    }
    let unnamed = changed("/id", json!(""));
    let custom = changed("/type", json!("custom"));
    assert_eq!(
        with(json!([unnamed, custom])),
        "invalid_function_call",
        "the first call decides"
    );
    assert_eq!(
        with(json!([custom, unnamed])),
        "unsupported_tool",
        "the first call decides"
    );
}

#[test]
fn outcomes_hold_what_was_sent() {
    let read = |changes: &[(&str, Value)]| {
        contract::classify(
            200,
            reply(changes).to_string().as_bytes(),
            &Limits::default(),
        )
        .unwrap()
    };
    assert_eq!(
        read(&[(CONTENT, json!(" hi\n"))]),
        Outcome::Text(" hi\n".into())
    );
    assert_eq!(
        read(&[(REFUSAL, json!(" No. "))]),
        Outcome::Refusal(" No. ".into())
    );
    assert_eq!(
        read(&[(REASON, json!("length"))]),
        Outcome::Incomplete(IncompleteReason::Length)
    );
    let calls = [
        (REASON, json!("tool_calls")),
        (CALLS, json!([call("b"), call("a")])),
    ];
    let Outcome::ToolCalls(calls) = read(&calls) else {
        panic!()
    };
    assert_eq!(
        calls
            .iter()
            .map(|call| call.id.as_str())
            .collect::<Vec<_>>(),
        ["b", "a"]
    );
    assert_eq!(
        (calls[0].name.as_str(), calls[0].arguments.as_str()),
        ("look_up", "{\"q\":")
    );
}

#[test]
fn an_error_names_its_rule() {
    let error = contract::classify(500, b"", &Limits::default()).unwrap_err();
    assert_eq!(error.kind(), ContractErrorKind::HttpStatus);
    assert_eq!(
        error.to_string(),
        "the HTTP status is not 2xx (http_status)"
    );
}

/// Any JSON, with strings that no error of ours has words of.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Value::from),
        (-2..2).prop_map(Value::from),
        "(SECRET[0-9]{3}|stop|tool_calls|length|function| )".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let key = prop_oneof![
            Just("id"),
            Just("type"),
            Just("function"),
            Just("name"),
            Just("arguments"),
            Just("role"),
            Just("content"),
            Just("SECRETKEY"),
        ];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            proptest::collection::vec((key.prop_map(str::to_owned), inner), 0..3)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn an_error_carries_nothing_of_the_body(
        place in proptest::sample::select(vec![
            "/object", "/choices", CHOICE, INDEX, MESSAGE, ROLE, CONTENT, REFUSAL, CALLS, REASON,
        ]),
        value in any_json(),
        reason in proptest::sample::select(vec!["stop", "tool_calls", "SECRETREASON"]),
        cut in 0_usize..40,
    ) {
        let content = json!("SECRET, a whole answer");
        let body = reply(&[(REASON, json!(reason)), (CONTENT, content), (place, value)]).to_string();
        for body in [body.as_str(), &body[..body.len() - cut.min(body.len())]] {
            for (status, limit) in [(200, 1 << 20), (200, 8), (500, 8)] {
                let limits = Limits::default().with_body_bytes(limit);
                if let Err(error) = contract::classify(status, body.as_bytes(), &limits) {
                    let said = format!("{error} {error:?} {}", error.code());
                    prop_assert!(!said.contains("SECRET"), "{}", said);
                    prop_assert_eq!(std::error::Error::source(&error).is_none(), true);
                }
            }
        }
    }

    #[test]
    fn any_bytes_are_classified(status in any::<u16>(), body in proptest::collection::vec(any::<u8>(), 0..64)) {
        prop_assert!(contract::classify(status, &body, &Limits::default()).is_err());
    }
}
