//! What a finished completion is: each rule, and which of two neighbours wins.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use serde_json::{Value, json};
use tamis_wire::{Completion, Failure, FailureKind, FinishReason, Outcome};

fn outcome(choice: &Value) -> Result<Outcome, Failure> {
    let completion: Completion =
        serde_json::from_str(&json!({"id": "gen-1", "choices": [choice]}).to_string()).unwrap();
    completion.outcome()
}

fn call(arguments: &Value) -> Value {
    json!({"id": "k", "type": "function", "function": {"name": "f", "arguments": arguments}})
}

#[test]
fn text() {
    for reason in ["stop", "eos", "novel", "", "tool_calls"] {
        let choice = json!({"finish_reason": reason, "message": {"content": "Hi"}});
        assert_eq!(
            outcome(&choice).unwrap(),
            Outcome::Text("Hi".into()),
            "{reason}"
        );
    }
    let choice =
        json!({"finish_reason": null, "message": {"content": [{"type": "text", "text": "Hi"}]}});
    assert_eq!(outcome(&choice).unwrap(), Outcome::Text("Hi".into()));
}

#[test]
fn a_refusal_wins() {
    for reason in ["stop", "length", "content_filter", "error", "tool_calls"] {
        let choice = json!({"finish_reason": reason, "message": {
            "content": "Hi", "refusal": "No.", "tool_calls": [call(&json!("{}"))]}});
        assert_eq!(
            outcome(&choice).unwrap(),
            Outcome::Refusal("No.".into()),
            "{reason}"
        );
    }
    let blank = json!({"finish_reason": "stop", "message": {"content": "Hi", "refusal": "\n"}});
    assert_eq!(outcome(&blank).unwrap(), Outcome::Text("Hi".into()));
}

#[test]
fn incomplete_wins_over_what_is_there() {
    let length = Outcome::Incomplete(FinishReason::Length);
    for choice in [
        json!({"finish_reason": "length", "message": {"content": "Hi"}}),
        json!({"finish_reason": "length", "message": {"content": null, "tool_calls": [call(&json!("{}"))]}}),
        json!({"finish_reason": "length", "error": {"code": 502}, "message": {"content": "Hi"}}),
        json!({"finish_reason": "stop", "native_finish_reason": "max_tokens", "message": {"content": "Hi"}}),
        // Arguments that end in the middle were cut, whatever the reason says.
        json!({"finish_reason": "tool_calls", "message": {"tool_calls": [call(&json!("{}")), call(&json!("{\"a\":"))]}}),
    ] {
        assert_eq!(outcome(&choice).unwrap(), length, "{choice}");
    }
    let filtered = json!({"finish_reason": "content_filter", "message": {"content": "Hi"}});
    assert_eq!(
        outcome(&filtered).unwrap(),
        Outcome::Incomplete(FinishReason::ContentFilter)
    );
}

#[test]
fn tool_calls() {
    for reason in ["tool_calls", "stop", "tool_use", "function_call"] {
        for arguments in [
            json!("{\"a\":1}"),
            json!(""),
            Value::Null,
            json!({"a": 1}),
            json!("{}{}"),
        ] {
            let choice = json!({"finish_reason": reason, "message": {
                "content": "Let me see.", "tool_calls": [call(&arguments)]}});
            let outcome = outcome(&choice).unwrap();
            assert!(
                matches!(outcome, Outcome::ToolCalls(calls) if calls.len() == 1),
                "{choice}"
            );
        }
    }
}

#[test]
fn failures() {
    let rows = [
        (
            json!({"finish_reason": "error", "message": {"content": "Hi"}}),
            FailureKind::ProviderUnavailable,
        ),
        (
            json!({"finish_reason": "error", "error": {"code": 429}, "message": {"content": "Hi"}}),
            FailureKind::RateLimited,
        ),
        (
            json!({"finish_reason": "stop", "error": {"code": 401}, "message": {"content": "Hi"}}),
            FailureKind::Authentication,
        ),
        (json!({"finish_reason": "stop"}), FailureKind::Malformed),
        (
            json!({"finish_reason": "stop", "message": {"content": " "}}),
            FailureKind::Malformed,
        ),
        (
            json!({"finish_reason": "tool_calls", "message": {"content": null}}),
            FailureKind::Malformed,
        ),
    ];
    for (choice, kind) in rows {
        assert_eq!(outcome(&choice).unwrap_err().kind(), kind, "{choice}");
    }
    let nothing: Completion = serde_json::from_str("{}").unwrap();
    assert_eq!(
        nothing.outcome().unwrap_err().kind(),
        FailureKind::Malformed
    );
}
