//! What goes wrong, and its kind.

use serde_json::{Value, json};
use tamis_wire::FailureKind::{self, *};
use tamis_wire::{Protocol, read_response_as};

use super::{plain, stream, stream_of};

#[test]
fn a_body_that_is_no_answer_has_its_kind() {
    use Protocol::{Messages, Responses};
    let rows: &[(Protocol, Value, FailureKind)] = &[
        (
            Responses,
            json!({"error": {"code": 429, "message": "m"}}),
            RateLimited,
        ),
        (Responses, json!({"output": null}), Malformed),
        (Responses, json!({"id": "r"}), Malformed),
        (Responses, json!([1]), Malformed),
        (Responses, json!({"choices": []}), Malformed),
        (
            Responses,
            json!({"status": "in_progress", "output": []}),
            Interrupted,
        ),
        (
            Responses,
            json!({"status": "queued", "output": []}),
            Interrupted,
        ),
        (
            Responses,
            json!({"status": "failed", "output": []}),
            ProviderUnavailable,
        ),
        (
            Responses,
            json!({"status": "cancelled", "output": []}),
            ProviderUnavailable,
        ),
        (
            Responses,
            json!({"status": "failed", "error": {"code": "rate_limit_exceeded", "message": "m"}, "output": []}),
            RateLimited,
        ),
        (
            Responses,
            json!({"id": "r", "status": "failed", "error": {"code": "server_error", "message": "m"},
                "error_type": "provider_overloaded"}),
            ProviderUnavailable,
        ),
        (
            Responses,
            json!({"status": "failed", "error": {"code": "server_error", "message": "m"},
                "error_type": "authentication", "output": []}),
            Authentication,
        ),
        (
            Responses,
            json!({"status": "failed", "error": {"code": "invalid_prompt", "message": "m"}, "output": []}),
            InvalidRequest,
        ),
        (
            Responses,
            json!({"status": "failed", "error": {"code": "image_content_policy_violation", "message": "m"}, "output": []}),
            ContentPolicy,
        ),
        (
            Messages,
            json!({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}),
            ProviderUnavailable,
        ),
        (
            Messages,
            json!({"type": "error", "error": {"type": "rate_limit_error", "message": "m"}}),
            RateLimited,
        ),
        (
            Messages,
            json!({"type": "error", "error": {"type": "invalid_request_error", "message": "m",
                "error_type": "context_length_exceeded"}}),
            ContextLength,
        ),
        (
            Messages,
            json!({"error": {"code": 402, "message": "m"}}),
            InsufficientCredits,
        ),
        (Messages, json!({"content": "text"}), Malformed),
        (Messages, json!({"id": "m"}), Malformed),
    ];
    for (protocol, body, kind) in rows {
        assert_eq!(
            plain(*protocol, body).unwrap_err().kind(),
            *kind,
            "{protocol}: {body}"
        );
    }
    for protocol in [Responses, Messages] {
        for body in [
            "",
            "  ",
            "<html><title>Sign in</title></html>",
            "{\"output\":",
        ] {
            let failure = read_response_as(protocol, 200, body.as_bytes()).unwrap_err();
            assert_eq!(failure.kind(), Malformed, "{protocol}: {body}");
        }
        let failure = read_response_as(protocol, 529, b"{}").unwrap_err();
        assert_eq!(failure.kind(), ProviderUnavailable);
    }
}

#[test]
fn each_anthropic_type_has_its_kind_in_a_stream() {
    for (name, kind) in [
        ("authentication_error", Authentication),
        ("permission_error", Authentication),
        ("billing_error", InsufficientCredits),
        ("not_found_error", InvalidRequest),
        ("invalid_request_error", InvalidRequest),
        ("request_too_large", InvalidRequest),
        ("rate_limit_error", RateLimited),
        ("overloaded_error", ProviderUnavailable),
        ("timeout_error", ProviderUnavailable),
        ("api_error", ProviderUnavailable),
        ("novel_error", ProviderUnavailable),
    ] {
        let streamed = stream_of(
            Protocol::Messages,
            &[
                json!({"type": "message_start", "message": {"id": "m", "content": []}}),
                json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "Hel"}}),
                json!({"type": "error", "error": {"type": name, "message": "m"}, "request_id": null}),
            ],
        );
        let failure = streamed.result.unwrap_err();
        assert_eq!(failure.kind(), kind, "{name}");
        assert_eq!(failure.completion().unwrap().text().as_deref(), Some("Hel"));
        assert_eq!(failure.generation_id(), Some("m"));
    }
}

#[test]
fn each_way_in_which_a_response_fails_in_a_stream_has_its_kind() {
    let begun = json!({"type": "response.created", "response": {"id": "r", "status": "in_progress", "output": []}});
    let text = json!({"type": "response.output_text.delta", "output_index": 0, "delta": "Hel"});
    for (last, kind) in [
        (
            json!({"type": "response.failed", "response": {"id": "r", "status": "failed", "output": [],
                "error": {"code": "server_error", "message": "m"}}}),
            ProviderUnavailable,
        ),
        (
            json!({"type": "response.failed", "response": {"id": "r", "status": "failed",
                "error": {"code": "server_error", "message": "m"}, "error_type": "payment_required"}}),
            InsufficientCredits,
        ),
        (
            json!({"type": "response.failed", "error_type": "refusal",
                "response": {"error": {"code": "server_error", "message": "m"}}}),
            ContentPolicy,
        ),
        (
            json!({"type": "response.failed", "response": {"status": "failed"}}),
            ProviderUnavailable,
        ),
        (json!({"type": "response.failed"}), ProviderUnavailable),
        (
            json!({"type": "response.cancelled", "response": {}}),
            ProviderUnavailable,
        ),
        (
            json!({"type": "error", "code": "rate_limit_exceeded", "message": "m", "param": null}),
            RateLimited,
        ),
        (
            json!({"type": "error", "code": "server_error", "message": "m", "error_type": "permission_denied"}),
            Authentication,
        ),
        (
            json!({"type": "response.error", "error": {"code": "invalid_prompt", "message": "m"}}),
            InvalidRequest,
        ),
        (json!({"type": "error"}), ProviderUnavailable),
        (json!({"error": {"code": 429, "message": "m"}}), RateLimited),
    ] {
        let streamed = stream_of(
            Protocol::Responses,
            &[begun.clone(), text.clone(), last.clone()],
        );
        let failure = streamed.result.unwrap_err();
        assert_eq!(failure.kind(), kind, "{last}");
        assert!(!failure.completion().unwrap().is_finished());
        assert_eq!(
            failure.completion().unwrap().text().as_deref(),
            Some("Hel"),
            "{last}"
        );
        assert_eq!(failure.generation_id(), Some("r"));
    }
}

#[test]
fn what_cannot_be_read_breaks_the_stream() {
    for protocol in [Protocol::Responses, Protocol::Messages] {
        for (bytes, kind) in [
            ("data: {\"type\":\n\n", Malformed),
            ("data: 7\n\n", Malformed),
            ("event: error\ndata: it broke\n\n", ProviderUnavailable),
            ("data: [DONE]\n\n", Interrupted),
            (
                ": comment\n\nevent: ping\ndata: {\"type\":\"ping\"}\n\n",
                Interrupted,
            ),
            ("", Interrupted),
        ] {
            let failure = stream(protocol, &[bytes.as_bytes()]).result.unwrap_err();
            assert_eq!(failure.kind(), kind, "{protocol}: {bytes}");
        }
    }
}

#[test]
fn nothing_of_the_content_is_printed() {
    let body = json!({"id": "r", "status": "completed", "output": [{"type": "message",
        "content": [{"type": "output_text", "text": "hush"}]}]});
    let completion = plain(Protocol::Responses, &body).unwrap();
    let body = json!({"id": "m", "content": [{"type": "text", "text": "hush"}], "stop_reason": "end_turn"});
    let message = plain(Protocol::Messages, &body).unwrap();
    let printed = format!("{completion:?} {:?} {message:?}", completion.response());
    assert!(!printed.contains("hush"), "{printed}");
}
