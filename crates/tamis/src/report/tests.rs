//! Every row of the module's table.

use proptest::prelude::*;
use serde_json::{Value, json};

use tamis_json::Policy;

use super::{Check, Exit, Report, ReportOutcome, repairs_in_words};

const OK: u16 = 200;

fn choice(finish_reason: &str, message: &Value) -> Vec<u8> {
    body(&json!([{"index": 0, "finish_reason": finish_reason, "message": message}]))
}

fn body(choices: &Value) -> Vec<u8> {
    json!({"id": "gen-1", "object": "chat.completion", "model": "a/b", "provider": "P",
        "choices": choices, "usage": {"prompt_tokens": 3, "completion_tokens": 2, "cost": 0.5}})
    .to_string()
    .into_bytes()
}

fn says(content: &str) -> Value {
    json!({"role": "assistant", "content": content})
}

fn call(arguments: &str) -> Value {
    json!({"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function",
        "function": {"name": "weather", "arguments": arguments}}]})
}

#[test]
fn saved_responses_and_messages_are_read_as_what_they_are() {
    let response = json!({"id": "resp_1", "object": "response", "status": "completed", "model": "a/b",
        "output": [{"type": "message", "id": "m", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": "{\"a\": 1}", "annotations": []}]}]});
    let message = json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "a/b",
        "content": [{"type": "text", "text": "{\"a\": 1}"}], "stop_reason": "end_turn",
        "usage": {"input_tokens": 1, "output_tokens": 1}});
    for body in [response, message] {
        let report = Check::new()
            .parse(true)
            .response(OK, body.to_string().as_bytes());
        assert_eq!(report.outcome, ReportOutcome::Json, "{body}");
        assert_eq!(report.exit(), Exit::Conforms, "{body}");
    }
    let cut = json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "a/b",
        "content": [{"type": "text", "text": "{\"a\": 1"}], "stop_reason": "max_tokens",
        "usage": {"input_tokens": 1, "output_tokens": 1}});
    let report = Check::new()
        .parse(true)
        .response(OK, cut.to_string().as_bytes());
    assert_eq!(report.exit().code(), 1);
}

fn stream(events: &[&str]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for event in events {
        bytes.extend_from_slice(b"data: ");
        bytes.extend_from_slice(event.as_bytes());
        bytes.extend_from_slice(b"\n\n");
    }
    bytes
}

fn schema() -> Check {
    Check::new()
        .schema(
            &json!({"type": "object", "properties": {"n": {"type": "integer"}},
            "required": ["n"]}),
        )
        .unwrap()
}

/// Outcome, whether finished, failure kind, exit code.
fn verdict(report: &Report) -> (&'static str, bool, Option<&'static str>, u8) {
    (
        report.outcome.as_str(),
        report.finished,
        report.failure.as_ref().map(|failure| failure.kind),
        report.exit().code(),
    )
}

#[test]
fn a_body_of_each_kind() {
    type Row = (
        Vec<u8>,
        (&'static str, bool, Option<&'static str>, u8),
        (&'static str, bool, Option<&'static str>, u8),
    );
    let refusal = json!({"role": "assistant", "content": null, "refusal": "No."});
    let failed = json!([{"index": 0, "finish_reason": "error", "message": says("half"),
        "error": {"code": 502, "message": "gone"}}]);
    let denied = json!([{"index": 0, "finish_reason": "error", "message": says(""),
        "error": {"code": 401, "message": "no"}}]);
    let natively = json!([{"index": 0, "finish_reason": "tool_calls",
        "native_finish_reason": "max_output_tokens", "message": call("{\"a\":")}]);
    let limit = Some("ContextLength");
    let policy = Some("ContentPolicy");
    let malformed = Some("Malformed");
    let rows: Vec<Row> = vec![
        (
            choice("stop", &says("Hello.")),
            ("text", true, None, 0),
            ("failure", true, malformed, 1),
        ),
        (
            choice("eos", &says("{\"n\":1}")),
            ("text", true, None, 0),
            ("json", true, None, 0),
        ),
        (
            choice("", &says("{\"n\":1}")),
            ("text", false, None, 0),
            ("json", false, None, 0),
        ),
        (
            choice("stop", &says("{\"n\":\"1\"}")),
            ("text", true, None, 0),
            ("json", true, None, 1),
        ),
        (
            choice("content_filter", &refusal),
            ("refusal", true, None, 1),
            ("refusal", true, policy, 1),
        ),
        (
            choice("tool_calls", &call("")),
            ("tool_calls", true, None, 0),
            ("tool_calls", true, malformed, 1),
        ),
        (
            choice("tool_calls", &call("{a:1}")),
            ("tool_calls", true, None, 1),
            ("tool_calls", true, malformed, 1),
        ),
        (
            body(&natively),
            ("incomplete", true, None, 1),
            ("incomplete", true, limit, 1),
        ),
        (
            choice("length", &says("{\"n\":1}")),
            ("incomplete", true, None, 1),
            ("incomplete", true, limit, 1),
        ),
        (
            choice("content_filter", &says("{\"n\":1}")),
            ("incomplete", true, None, 1),
            ("incomplete", true, policy, 1),
        ),
        (
            choice("stop", &says(" ")),
            ("failure", true, malformed, 1),
            ("failure", true, malformed, 1),
        ),
        (
            choice("stop", &Value::Null),
            ("failure", true, malformed, 1),
            ("failure", true, malformed, 1),
        ),
        (
            body(&failed),
            ("failure", false, Some("ProviderUnavailable"), 4),
            ("failure", false, Some("ProviderUnavailable"), 4),
        ),
        (
            body(&denied),
            ("failure", false, Some("Authentication"), 3),
            ("failure", false, Some("Authentication"), 3),
        ),
    ];
    for (body, plain, parsed) in rows {
        let shown = String::from_utf8(body.clone()).unwrap();
        assert_eq!(verdict(&Check::new().response(OK, &body)), plain, "{shown}");
        assert_eq!(verdict(&schema().response(OK, &body)), parsed, "{shown}");
    }
}

#[test]
fn what_is_no_completion() {
    let rows: Vec<(u16, &[u8], &str, u8)> = vec![
        (OK, b"", "Malformed", 4),
        (OK, b"<html><title>Hm</title></html>", "Malformed", 4),
        (OK, b"Bad gateway", "Malformed", 4),
        (OK, b"[1]", "Malformed", 4),
        (OK, br#"{"choices":[]}"#, "Malformed", 4),
        (
            OK,
            br#"{"error":{"code":429,"message":"m"}}"#,
            "RateLimited",
            4,
        ),
        (
            OK,
            br#"{"error":{"code":"401","message":"m"}}"#,
            "Authentication",
            3,
        ),
        (402, b"{}", "InsufficientCredits", 3),
        (503, b"<html></html>", "ProviderUnavailable", 4),
        (
            500,
            br#"{"choices":[{"message":{"content":"x"}}]}"#,
            "ProviderUnavailable",
            4,
        ),
        (OK, b": nothing\n\n", "Interrupted", 4),
        (OK, b"data: {\"choices\":\n\n", "Malformed", 4),
        (
            OK,
            b"data: {\"error\":{\"message\":\"m\",\"code\":404}}\n\ndata: [DONE]\n\n",
            "InvalidRequest",
            3,
        ),
    ];
    for (status, body, kind, exit) in rows {
        let report = Check::new().response(status, body);
        assert_eq!(verdict(&report), ("failure", false, Some(kind), exit));
    }
}

#[test]
fn streams_are_judged_as_bodies_are() {
    let text = r#"{"id":"gen-1","choices":[{"index":0,"delta":{"content":"{\"n\":1}"}}]}"#;
    let stop = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;
    let length = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"length"}]}"#;
    let error = r#"{"choices":[],"error":{"code":400,"message":"Token limit reached"}}"#;
    let rows = [
        (
            stream(&[text, stop, "[DONE]"]),
            ("json", true, None, 0),
            "stop",
        ),
        (stream(&[text, stop]), ("json", true, None, 0), "stop"),
        (
            stream(&[text, "[DONE]"]),
            ("failure", false, Some("Interrupted"), 4),
            "",
        ),
        (
            stream(&[text]),
            ("failure", false, Some("Interrupted"), 4),
            "",
        ),
        (
            stream(&[text, "{nonsense", stop]),
            ("failure", false, Some("Malformed"), 4),
            "",
        ),
        (
            stream(&[text, length]),
            ("incomplete", true, Some("ContextLength"), 1),
            "length",
        ),
        // The error explains the limit, and takes nothing from it.
        (
            stream(&[text, length, error]),
            ("incomplete", true, Some("ContextLength"), 1),
            "length",
        ),
        (
            stream(&[text, error]),
            ("failure", false, Some("InvalidRequest"), 3),
            "",
        ),
    ];
    for (body, expected, finish_reason) in rows {
        let report = schema().response(OK, &body);
        let shown = String::from_utf8(body.clone()).unwrap();
        assert_eq!(verdict(&report), expected, "{shown}");
        assert_eq!(report.content.as_deref(), Some("{\"n\":1}"), "{shown}");
        assert_eq!(
            report.finish_reason.as_deref().unwrap_or_default(),
            finish_reason,
            "{shown}"
        );
    }
}

#[test]
fn the_strict_contract_decides_alone() {
    let strict = || Check::new().strict(true);
    let message = r#"{"role":"assistant","content":"{\"n\":1}"}"#;
    let good = format!(
        r#"{{"object":"chat.completion","choices":[{{"index":0,"finish_reason":"stop","message":{message}}}]}}"#
    );
    let report = strict().response(OK, good.as_bytes());
    assert_eq!(verdict(&report), ("text", true, None, 0));
    let report = strict().parse(true).response(OK, good.as_bytes());
    assert_eq!(verdict(&report), ("json", true, None, 0));

    let rows = [
        (500, good.clone(), "http_status", "ProviderUnavailable", 4),
        (401, good.clone(), "http_status", "Authentication", 3),
        (OK, "<html>".to_owned(), "invalid_json", "Malformed", 4),
        (
            OK,
            good.replace("chat.completion", "error"),
            "wrong_protocol",
            "Malformed",
            4,
        ),
        (
            OK,
            good.replace("assistant", "user"),
            "invalid_message",
            "Malformed",
            1,
        ),
        (
            OK,
            good.replace("stop", "eos"),
            "unsupported_finish_reason",
            "Malformed",
            1,
        ),
        (
            OK,
            good.replace(r#""{\"n\":1}""#, "\" \""),
            "missing_text",
            "Malformed",
            1,
        ),
    ];
    for (status, body, code, kind, exit) in rows {
        let report = strict().response(status, body.as_bytes());
        assert_eq!(verdict(&report), ("failure", false, Some(kind), exit));
        let failure = report.failure.clone().unwrap();
        assert_eq!(failure.code.unwrap().as_str(), Some(code));
        assert_eq!((report.content, report.finish_reason), (None, None));
    }
    // Here the contract differs from the tolerant reading.
    let refused = good
        .replace("stop", "content_filter")
        .replace(message, r#"{"role":"assistant","refusal":"No."}"#);
    assert_eq!(
        strict().response(OK, refused.as_bytes()).outcome,
        ReportOutcome::Incomplete
    );
    assert_eq!(
        Check::new().response(OK, refused.as_bytes()).outcome,
        ReportOutcome::Refusal
    );
}

#[test]
fn the_keys_and_their_order() {
    let keys = |report: &Report| -> Vec<String> {
        let text = serde_json::to_string(report).unwrap();
        let value: serde_json::Map<String, Value> = serde_json::from_str(&text).unwrap();
        value.keys().cloned().collect()
    };
    let always = "outcome finished finish_reason native_finish_reason id model provider content \
        reasoning refusal tool_calls";
    let body = choice("stop", &says("{\"n\":1}"));
    assert_eq!(
        keys(&Check::new().response(OK, b"")).join(" "),
        format!("{always} failure usage")
    );
    assert_eq!(
        keys(&Check::new().parse(true).response(OK, b"")).join(" "),
        format!("{always} value violations repairs failure usage")
    );
    assert_eq!(
        keys(&schema().response(OK, &body).with_attempts(2)).join(" "),
        format!("{always} value violations repairs failure usage cost attempts")
    );
}

#[test]
fn repairs_are_on_record_as_far_as_the_policy_allows() {
    let body = choice("stop", &says("```\n{\"n\":1}\n```"));
    let report = Check::new().parse(true).response(OK, &body);
    assert_eq!(verdict(&report), ("json", true, None, 0));
    assert_eq!(
        report.headline(),
        "json: valid after 2 repairs, finished (stop)"
    );
    assert_eq!(
        serde_json::to_value(&report).unwrap()["repairs"][0],
        json!({"kind": "fence", "offset": 0, "length": 3,
            "message": "A Markdown fence was taken off."})
    );
    let none = Check::new().parse(true).repair(Policy::none());
    let report = none.response(OK, &body);
    assert_eq!(verdict(&report), ("failure", true, Some("Malformed"), 1));
    assert!(report.repairs().is_empty());

    let many = choice("stop", &says(&format!("[{}1]", "1,,".repeat(30))));
    let report = Check::new().parse(true).response(OK, &many);
    assert_eq!(report.repairs().len(), 30);
    let words = repairs_in_words(report.repairs());
    assert_eq!(words.len(), 21);
    assert_eq!(words[0], "byte 3: A comma too many was left out.");
    assert_eq!(words[20], "and 10 more");
}

#[test]
fn the_servers_words_and_codes_stay_as_they_are() {
    let report = Check::new().response(
        502,
        br#"{"error":{"code":"0502","message":"Bad gateway","metadata":{"provider_name":"Acme"}}}"#,
    );
    assert_eq!(report.provider.as_deref(), Some("Acme"));
    assert_eq!(
        serde_json::to_value(&report.failure).unwrap(),
        json!({"kind": "ProviderUnavailable", "transient": true, "code": "0502",
            "message": "Bad gateway", "status": 502})
    );
}

#[test]
fn an_error_that_explains_a_limit_is_not_lost() {
    let choices = r#"[{"index":0,"finish_reason":"length","message":{"content":"half"}}]"#;
    let error = r#"{"code":400,"message":"Token limit reached"}"#;
    let body = format!(r#"{{"choices":{choices},"error":{error}}}"#);
    let delta = choices.replace("message", "delta");
    let events = [
        format!(r#"{{"choices":{delta}}}"#),
        format!(r#"{{"choices":[],"error":{error}}}"#),
    ];
    for body in [body.into_bytes(), stream(&[&events[0], &events[1]])] {
        for check in [Check::new(), schema()] {
            let report = check.response(OK, &body);
            assert_eq!(report.outcome, ReportOutcome::Incomplete);
            assert_eq!(report.exit(), Exit::NotTrustworthy);
            let failure = report.failure.unwrap();
            assert_eq!(failure.kind, "ContextLength");
            assert_eq!(failure.message, "Token limit reached");
            assert_eq!(failure.code.and_then(|code| code.as_i64()), Some(400));
        }
    }
}

#[test]
fn what_was_put_right_is_on_record_and_bounded() {
    let event = "{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x\\udcaf\"}}]}";
    let stop = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;
    let mut events = vec![event; 50];
    events.push(stop);
    let report = Check::new().response(OK, &stream(&events));
    assert_eq!(verdict(&report), ("text", true, None, 0));
    assert_eq!(report.notes.len(), 21);
    assert!(
        report.notes[0].starts_with("event 1, byte "),
        "{:?}",
        report.notes
    );
    assert_eq!(report.notes[20], "and 30 more");
}

#[test]
fn of_several_exits_the_worst_counts() {
    let order = [
        Exit::Conforms,
        Exit::NotTrustworthy,
        Exit::Transient,
        Exit::Permanent,
        Exit::Refused,
        Exit::Interrupted,
    ];
    for (place, worse) in order.iter().enumerate() {
        for better in &order[..=place] {
            assert_eq!(worse.worse(*better), *worse);
            assert_eq!(better.worse(*worse), *worse);
        }
    }
}

#[test]
fn one_line_that_cannot_steer_a_terminal() {
    let body =
        json!({"error": {"code": 500, "message": "\u{1b}[2Jgone\nfor\u{7} good".repeat(99)}});
    let line = Check::new()
        .response(OK, body.to_string().as_bytes())
        .headline();
    assert!(line.starts_with("failure: [2Jgone for good"), "{line}");
    assert!(!line.contains(char::is_control), "{line}");
    assert!(line.chars().count() < 300, "{line}");
}

#[test]
fn debug_holds_no_content() {
    let body = choice("stop", &says("{\"n\":\"secret\"}"));
    let debug = format!("{:?}", schema().response(OK, &body));
    assert!(!debug.contains("secret"), "{debug}");
}

proptest! {
    /// Whatever comes is reported, and nothing but an answer exits with 0.
    #[test]
    fn any_bytes_are_reported(status in 100_u16..1000, body in prop::collection::vec(any::<u8>(), 0..200)) {
        let report = schema().strict(false).response(status, &body);
        prop_assert_eq!(report.exit() == Exit::Conforms, report.value().is_some() && report.violations().is_empty());
        prop_assert!(!report.headline().contains('\n'));
        prop_assert!(serde_json::to_string(&report).is_ok());
    }

    /// A body that was cut anywhere is never an answer.
    #[test]
    fn a_cut_body_is_no_answer(cut in 0_usize..1000) {
        let body = choice("stop", &says("{\"n\":1}"));
        let cut = cut % body.len();
        let report = schema().response(OK, &body[..cut]);
        prop_assert_eq!(report.outcome, ReportOutcome::Failure);
    }
}
