//! Errors as servers report them, the kind that each is, and what is never printed of them.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::time::Duration;

use proptest::prelude::*;
use serde_json::{Value, json};
use tamis_wire::FailureKind::{self, *};
use tamis_wire::request::{ChatRequest, InputMessage};
use tamis_wire::{
    ApiError, Chunk, Completion, ErrorType, Failure, StreamReader, read_error, read_response,
};

fn error(body: &Value) -> ApiError {
    read_error(body.to_string().as_bytes()).unwrap()
}

fn kind(status: u16, body: &Value) -> FailureKind {
    read_response(status, body.to_string().as_bytes())
        .unwrap_err()
        .kind()
}

#[test]
fn the_raw_spelling_of_a_code_is_kept() {
    for (code, integer, status) in [
        (json!(429), Some(429), Some(429)),
        (json!("429"), Some(429), Some(429)),
        (json!("0502"), Some(502), Some(502)),
        (json!(502.0), Some(502), Some(502)),
        (json!(200), Some(200), None),
        (json!(600), Some(600), None),
        (json!(-1), Some(-1), None),
        (json!("insufficient_quota"), None, None),
        (json!(""), None, None),
    ] {
        let error = error(&json!({"error": {"code": code, "message": "m"}}));
        let read = error.code.as_ref().unwrap();
        assert_eq!(serde_json::to_value(read).unwrap(), code);
        assert_eq!(read.as_i64(), integer, "{code}");
        assert_eq!(error.status(), status, "{code}");
    }
    assert_eq!(
        error(&json!({"error": {"code": null, "message": "m"}})).code,
        None
    );
}

#[test]
fn an_error_writes_back_as_it_came() {
    for inner in [
        json!({"code": "0502", "message": "m", "metadata": {"raw": {"a": 1}}, "type": "t", "param": "p"}),
        json!({"message": "m", "availability": {"code": "no_endpoints", "retryable": true, "novel": 1}}),
        json!({"code": 1e3, "message": ""}),
    ] {
        let read = error(&json!({"error": inner}));
        assert_eq!(serde_json::to_value(&read).unwrap(), inner);
        let again: ApiError = serde_json::from_value(inner).unwrap();
        assert_eq!(again, read);
    }
}

#[test]
fn a_missing_message_reads_as_empty() {
    for message in [Value::Null, json!("")] {
        let error = error(&json!({"error": {"code": 500, "message": message}}));
        assert_eq!(error.message, "");
        assert_eq!(error.to_string(), "no message");
    }
    assert_eq!(error(&json!({"error": {"code": 500}})).message, "");
    assert_eq!(
        error(&json!({"error": {"message": {"a": 1}}})).message,
        r#"{"a":1}"#
    );
}

#[test]
fn every_view_of_the_metadata() {
    let error = error(
        &json!({"error": {"code": 429, "message": "Provider returned error", "metadata": {
            "error_type": "rate_limit_exceeded", "provider_code": "quota_1", "provider_name": "Acme",
            "raw": "{\"error\":{\"message\":\"Slow down\",\"code\":\"rl\"}}", "reasons": ["one", 2, "two"],
            "patterns": ["p"], "flagged_input": "hush", "limit_source": "upstream_provider_shared_pool",
            "retry_after_seconds": 1.5, "headers": {"retry-after": "2", "X-Odd": 3},
            "previous_errors": [{"provider": "Beta", "code": "x", "status": 502}, "odd", {"provider_name": "Gamma"}],
        }}}),
    );
    let metadata = error.metadata();
    assert_eq!(metadata.error_type(), Some(ErrorType::RateLimitExceeded));
    assert_eq!(metadata.provider_code(), Some("quota_1"));
    assert_eq!(metadata.provider_name(), Some("Acme"));
    assert!(metadata.raw().unwrap().is_string());
    let upstream = metadata.upstream_error().unwrap();
    assert_eq!(
        (
            upstream.message.as_str(),
            upstream.code.unwrap().to_string().as_str()
        ),
        ("Slow down", "rl")
    );
    assert_eq!(error.upstream_message().as_deref(), Some("Slow down"));
    assert_eq!(metadata.reasons(), ["one", "two"]);
    assert_eq!(metadata.patterns(), ["p"]);
    assert_eq!(
        metadata.limit_source(),
        Some("upstream_provider_shared_pool")
    );
    assert_eq!(metadata.retry_after(), Some(Duration::from_millis(1500)));
    assert_eq!(metadata.header("Retry-After"), Some("2"));
    assert_eq!(metadata.header("x-odd"), None);
    assert_eq!(metadata.get("flagged_input"), Some(&json!("hush")));
    let previous = metadata.previous_errors();
    assert_eq!(previous.len(), 2);
    let first = previous.first().unwrap();
    assert_eq!(first.provider(), Some("Beta"));
    assert_eq!(first.code(), Some(&json!("x")));
    assert_eq!(first.status(), Some(502));
    assert_eq!(previous.last().unwrap().provider(), Some("Gamma"));
}

#[test]
fn views_of_metadata_of_odd_types_are_empty() {
    for metadata in [
        json!(null),
        json!("text"),
        json!([]),
        json!({"error_type": 5, "reasons": "x", "patterns": null, "raw": null, "headers": [],
               "previous_errors": {}, "retry_after_seconds": -1, "limit_source": {}}),
    ] {
        let error = error(&json!({"error": {"code": 500, "message": "m", "metadata": metadata}}));
        let metadata = error.metadata();
        assert_eq!(error.error_type(), None);
        assert!(metadata.reasons().is_empty() && metadata.patterns().is_empty());
        assert!(metadata.raw().is_none() && metadata.previous_errors().is_empty());
        assert_eq!(metadata.header("a"), None);
        assert_eq!(error.retry_after(), None);
        assert_eq!(metadata.limit_source(), None);
    }
}

#[test]
fn raw_in_every_form() {
    for (raw, upstream, message) in [
        (json!("plain words"), None, Some("plain words")),
        (
            json!({"error": {"message": "inner"}}),
            Some("inner"),
            Some("inner"),
        ),
        (
            json!("{\"message\":\"inner\",\"type\":\"t\"}"),
            Some("inner"),
            Some("inner"),
        ),
        (
            json!("{\"detail\":\"inner\"}"),
            Some("inner"),
            Some("inner"),
        ),
        (json!(5), None, None),
        (json!(""), None, None),
        (json!({}), None, None),
    ] {
        let error = error(&json!({"error": {"message": "m", "metadata": {"raw": raw}}}));
        let found = error.metadata().upstream_error().map(|error| error.message);
        assert_eq!(found.as_deref(), upstream, "{raw}");
        assert_eq!(error.upstream_message().as_deref(), message, "{raw}");
    }
}

#[test]
fn retry_after_in_the_body() {
    for (body, seconds) in [
        (json!({"metadata": {"retry_after_seconds": 7}}), Some(7)),
        (json!({"metadata": {"retry_after_seconds": "7"}}), Some(7)),
        (json!({"availability": {"retry_after": 9}}), Some(9)),
        (
            json!({"metadata": {"retry_after_seconds": 7}, "availability": {"retry_after": 9}}),
            Some(7),
        ),
        (
            json!({"metadata": {"retry_after_seconds": -7}, "availability": {"retry_after": 9}}),
            Some(9),
        ),
        (json!({"metadata": {"retry_after_seconds": 1e300}}), None),
        (json!({"metadata": {"retry_after_seconds": "soon"}}), None),
        (json!({"metadata": {"retry_after_seconds": true}}), None),
    ] {
        let mut inner = json!({"code": 429, "message": "m"});
        inner
            .as_object_mut()
            .unwrap()
            .extend(body.as_object().unwrap().clone());
        let failure = Failure::from_status(429, error(&json!({"error": inner})));
        assert_eq!(
            failure.retry_after(),
            seconds.map(Duration::from_secs),
            "{body}"
        );
    }
}

#[test]
fn availability_decides_whether_trying_again_can_help() {
    let body = |retryable: Value| {
        json!({"error": {"message": "m", "error_type": "not_found", "http_status": 404, "availability": {
            "code": "no_endpoints", "retryable": retryable, "requested_models": ["a/b"],
            "excluded_by": ["require_parameters"], "fallback_models": ["c/d"], "docs_url": "u",
            "affected_providers": null, "constraint": {"field": "x"}}}})
    };
    for (retryable, transient) in [
        (json!(true), true),
        (json!(false), false),
        (json!("true"), true),
        (json!(null), false),
        (json!(1), false),
    ] {
        let failure =
            read_response(404, body(retryable.clone()).to_string().as_bytes()).unwrap_err();
        assert_eq!(failure.kind(), InvalidRequest);
        assert_eq!(failure.is_transient(), transient, "{retryable}");
        let availability = failure.details().unwrap().availability.as_ref().unwrap();
        assert_eq!(availability.code.as_deref(), Some("no_endpoints"));
        assert_eq!(availability.excluded_by, ["require_parameters"]);
        assert_eq!(availability.requested_models, ["a/b"]);
        assert_eq!(availability.fallback_models, ["c/d"]);
        assert!(availability.affected_providers.is_empty());
        assert!(availability.extra.get("constraint").is_some());
    }
    // A transient kind may be told to be none, and inside a 2xx too.
    let no = json!({"error": {"code": 503, "message": "m", "availability": {"retryable": false}}});
    for status in [503, 200] {
        let failure = read_response(status, no.to_string().as_bytes()).unwrap_err();
        assert_eq!(
            (failure.kind(), failure.is_transient()),
            (ProviderUnavailable, false)
        );
    }
}

#[test]
fn each_error_type_has_its_kind_under_any_status_and_inside_a_success() {
    let rows: &[(FailureKind, &[&str])] = &[
        (
            ContextLength,
            &[
                "context_length_exceeded",
                "max_tokens_exceeded",
                "token_limit_exceeded",
                "string_too_long",
            ],
        ),
        (Authentication, &["authentication", "permission_denied"]),
        (InsufficientCredits, &["payment_required"]),
        (RateLimited, &["rate_limit_exceeded"]),
        (
            ProviderUnavailable,
            &[
                "provider_overloaded",
                "provider_unavailable",
                "server",
                "timeout",
                "unmapped",
            ],
        ),
        (ContentPolicy, &["content_policy_violation", "refusal"]),
        (
            InvalidRequest,
            &[
                "invalid_request",
                "invalid_prompt",
                "not_found",
                "precondition_failed",
                "payload_too_large",
                "unprocessable",
                "invalid_image",
                "image_too_large",
                "image_too_small",
                "unsupported_image_format",
                "image_not_found",
                "image_download_failed",
            ],
        ),
    ];
    let mut count = 0;
    for (expected, names) in rows {
        for name in *names {
            count += 1;
            for status in [200, 400, 401, 402, 403, 404, 413, 418, 429, 500, 503] {
                let body = json!({"error": {"code": status, "message": "m", "metadata": {"error_type": name}}});
                assert_eq!(kind(status, &body), *expected, "{name} {status}");
            }
            // The name must be exact: it is a name, not a sentence.
            for odd in [name.to_uppercase(), format!(" {name}")] {
                let body = json!({"error": {"message": "m", "metadata": {"error_type": odd}}});
                assert_eq!(kind(418, &body), InvalidRequest, "{odd}");
                assert_eq!(kind(200, &body), ProviderUnavailable, "{odd}");
                let read = error(&body).error_type().unwrap();
                assert_eq!(read, ErrorType::Unknown(odd));
            }
        }
    }
    assert_eq!(count, 27);
    assert_eq!(ErrorType::ALL.len(), 27);
}

#[test]
fn each_status_without_a_known_type() {
    let plain = |code: u16| json!({"error": {"code": code, "message": "m"}});
    for (status, expected) in [
        (400, InvalidRequest),
        (401, Authentication),
        (402, InsufficientCredits),
        (403, Authentication),
        (404, InvalidRequest),
        (408, ProviderUnavailable),
        (409, InvalidRequest),
        (413, InvalidRequest),
        (422, InvalidRequest),
        (429, RateLimited),
        (500, ProviderUnavailable),
        (501, ProviderUnavailable),
        (502, ProviderUnavailable),
        (503, ProviderUnavailable),
        (504, ProviderUnavailable),
        (505, ProviderUnavailable),
        (524, ProviderUnavailable),
        (529, ProviderUnavailable),
    ] {
        assert_eq!(kind(status, &plain(status)), expected, "{status}");
        // The same error inside a 2xx is the same kind.
        assert_eq!(kind(200, &plain(status)), expected, "{status} in a 200");
        // The response's status counts, not a code that says otherwise.
        assert_eq!(
            kind(status, &json!({"error": {"code": 7, "message": "m"}})),
            expected
        );
    }
    for status in [301, 304, 100] {
        assert_eq!(kind(status, &plain(status)), Unknown, "{status}");
    }
    let metadata =
        |metadata: Value| json!({"error": {"code": 403, "message": "m", "metadata": metadata}});
    for (metadata_of, expected) in [
        (json!({"reasons": ["violence"]}), ContentPolicy),
        (json!({"patterns": ["x"]}), ContentPolicy),
        (json!({"flagged_input": "x"}), ContentPolicy),
        (json!({"reasons": []}), Authentication),
        (
            json!({"limit_source": "openrouter_key_limit"}),
            Authentication,
        ),
    ] {
        assert_eq!(
            kind(403, &metadata(metadata_of.clone())),
            expected,
            "{metadata_of}"
        );
        assert_eq!(kind(200, &metadata(metadata_of)), expected);
    }
    let spending = |source: &str| json!({"error": {"code": 402, "message": "m", "metadata": {"limit_source": source}}});
    assert_eq!(
        kind(402, &spending("openrouter_in_flight_budget")),
        RateLimited
    );
    assert_eq!(
        kind(402, &spending("openrouter_credits")),
        InsufficientCredits
    );
    let quota = json!({"error": {"code": "insufficient_quota", "message": "m", "type": "insufficient_quota"}});
    assert_eq!(kind(429, &quota), InsufficientCredits);
    assert_eq!(kind(200, &quota), InsufficientCredits);
}

#[test]
fn inside_a_success_nothing_is_unknown() {
    for error in [
        json!("words"),
        json!({"message": "m"}),
        json!({"message": "m", "code": 0}),
        json!({"message": "m", "code": 299}),
        json!({"message": "m", "code": "server_error"}),
        json!({"message": "m", "code": {"a": 1}}),
        json!({"message": "m", "metadata": {"error_type": "novel"}}),
        json!(true),
        json!(1),
    ] {
        assert_eq!(
            kind(200, &json!({"error": error})),
            ProviderUnavailable,
            "{error}"
        );
        let mut reader = StreamReader::new();
        reader.feed(
            format!("data: {}\n\n", json!({"error": error})).as_bytes(),
            |_| {},
        );
        assert_eq!(
            reader.finish(|_| {}).unwrap_err().kind(),
            ProviderUnavailable,
            "{error}"
        );
    }
}

#[test]
fn a_secret_is_taken_out_of_every_text() {
    let body = json!({"error": {"code": "sk-123", "message": "key sk-123 is wrong", "type": "x sk-123",
        "metadata": {"raw": {"sk-123": ["sk-123"]}, "headers": {"authorization": "Bearer sk-123"}}}});
    let failure = read_response(401, body.to_string().as_bytes())
        .unwrap_err()
        .redact("sk-123");
    let details = serde_json::to_string(failure.details().unwrap()).unwrap();
    for text in [failure.to_string(), format!("{failure:?}"), details] {
        assert!(!text.contains("sk-123"), "{text}");
    }
    assert_eq!(failure.message(), "key [redacted] is wrong");
    let unchanged = read_response(401, body.to_string().as_bytes())
        .unwrap_err()
        .redact("");
    assert!(unchanged.message().contains("sk-123"));
}

/// A completion in which every place for content holds the secret.
fn told(secret: &str) -> Value {
    json!({"id": "gen-1", "choices": [{"index": 0, "finish_reason": "stop", "message": {
        "role": "assistant", "content": secret, "refusal": secret, "reasoning": secret,
        "reasoning_content": secret,
        "reasoning_details": [{"type": "reasoning.text", "text": secret}],
        "tool_calls": [{"id": "k", "function": {"name": "f", "arguments": secret}}],
        "annotations": [secret], "images": [secret], "audio": {"id": "a", "transcript": secret, "data": secret},
        "x": secret,
    }, "logprobs": {"content": [{"token": secret}]}, "x": secret}], "x": {"y": secret}})
}

/// An error in which every place that may quote a prompt or an answer holds the secret.
fn quoting(secret: &str) -> Value {
    json!({"code": 400, "message": "m", "failed_generation": secret, "x": secret, "metadata": {
        "raw": format!("prompt: {secret}"), "flagged_input": secret, "x": secret,
        "previous_errors": [{"provider": "Beta", "raw": secret}]}})
}

proptest! {
    #[test]
    fn nothing_that_was_said_is_printed(secret in "[A-Za-z0-9]{12,24}") {
        let completion: Completion = serde_json::from_value(told(&secret)).unwrap();
        let mut printed = vec![format!("{completion:?}"), format!("{:?}", completion.outcome()), format!("{:?}", completion.parse_json())];

        let mut chunk = told(&secret);
        let message = chunk.pointer_mut("/choices/0/message").unwrap().take();
        *chunk.pointer_mut("/choices/0").unwrap() = json!({"index": 0, "delta": message, "x": secret});
        let text = chunk.to_string();
        let read: Chunk<'_> = serde_json::from_str(&text).unwrap();
        printed.push(format!("{read:?}"));

        let mut reader = StreamReader::new();
        reader.feed(format!("data: {text}\n\ndata: {{\"{secret}").as_bytes(), |item| printed.push(format!("{item:?}")));
        printed.push(format!("{reader:?}"));
        let failure = reader.finish(|_| {}).unwrap_err();
        printed.extend([format!("{failure}"), format!("{failure:?}"), format!("{:?}", failure.completion())]);

        let mut reader = StreamReader::new();
        reader.feed(format!("data: {{\"choices\":\"{secret}\" {secret}}}\n\n").as_bytes(), |_| {});
        let failure = reader.finish(|_| {}).unwrap_err();
        printed.extend([format!("{failure}"), format!("{failure:?}")]);

        for body in [json!({"error": quoting(&secret)}).to_string(), format!("{{\"content\":\"{secret}"), format!("[\"{secret}\"]")] {
            for status in [200, 400] {
                let failure = read_response(status, body.as_bytes()).unwrap_err();
                printed.extend([format!("{failure}"), format!("{failure:?}")]);
                if let Some(details) = failure.details() {
                    printed.extend([format!("{details}"), format!("{details:?}"), format!("{:?}", details.metadata())]);
                    printed.push(format!("{:?}", details.metadata().previous_errors()));
                }
            }
        }

        let mut request = ChatRequest::new("a/b");
        request.messages.push(InputMessage::user(secret.as_str()));
        request.stop.push(secret.clone());
        request.user = Some(secret.clone());
        request.extra.insert("x", secret.as_str().into());
        request.metadata.insert("x".into(), secret.as_str().into());
        printed.push(format!("{request:?}"));

        for text in printed {
            prop_assert!(!text.contains(&secret), "{}", text);
        }
    }
}
