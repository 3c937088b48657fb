//! Faults in which something else than an answer comes.

use super::super::expect::Case;
use super::super::expect::Expect::{Error, Wire};
use super::{Row, both};

pub(super) fn rows() -> Vec<Row> {
    let error = |name, status, text| (name, Error(status, text), Error(status, text));
    let mut rows = vec![
        error(
            "json-schema-unsupported",
            400,
            "'json_schema' is not supported",
        ),
        error(
            "schema-rejected",
            400,
            r#"\"code\": \"invalid_json_schema\""#,
        ),
        error("tool-choice-unsupported", 400, "tool_choice 'required'"),
        error("context-length", 400, "context_length_exceeded"),
        error("http-413", 413, "payload_too_large"),
        error("http-422", 422, r#"{"detail":["#),
        error("no-endpoints", 404, "No endpoints found"),
        error(
            "no-endpoints-availability",
            404,
            r#""retryable":false,"requested_models":["sim/steady"]"#,
        ),
        error("unauthorized", 401, "User not found."),
        error("payment-required", 402, "openrouter_credits"),
        error("payment-in-flight", 402, "openrouter_in_flight_budget"),
        error("moderation", 403, r#""reasons":["violence"]"#),
        error("guardrail", 403, r#""patterns":["#),
        error("permission-denied", 403, "permission_denied"),
        error("rate-limited-body", 429, r#""retry_after_seconds":2"#),
        error(
            "rate-limited-nested",
            429,
            r#""headers":{"Retry-After":"2"}"#,
        ),
        error("quota-exhausted", 429, r#""code":"insufficient_quota""#),
        error("http-408", 408, "timed out"),
        error("http-500", 500, r#""error_type":"server""#),
        error("http-501", 501, "Not implemented"),
        error("http-502", 502, "previous_errors"),
        error("http-503", 503, "provider_overloaded"),
        error("unavailable-retryable", 503, r#""retryable":true"#),
        error("unavailable-for-good", 503, r#""retryable":false"#),
        error("http-504", 504, "upstream request timeout"),
        error("http-524", 524, "A timeout occurred"),
        error("http-529", 529, "Overloaded"),
        error("error-with-string-code", 502, r#""code":"0502""#),
        error("error-as-text", 500, r#"{"error":"model"#),
        error("html-error", 502, "<h1>502 Bad Gateway</h1>"),
        error("html-success", 200, "<!DOCTYPE html>"),
        error("error-envelope", 200, r#"{"error":{"code":502"#),
        error("null-body", 200, r#""choices":null"#),
        error("no-choices", 200, r#""choices":[]"#),
        error("empty-body", 200, ""),
    ];
    let headed: [Headed; 6] = [
        ("rate-limited", |case| {
            assert_eq!(limited(case), (None, None));
        }),
        ("rate-limited-seconds", |case| {
            assert_eq!(limited(case), (Some("2"), None));
        }),
        ("rate-limited-ms", |case| {
            assert_eq!(limited(case), (None, Some("1500")));
        }),
        ("rate-limited-unusable", |case| {
            assert_eq!(limited(case), (Some("soon"), Some("-5")));
            assert_eq!(
                case.got.json()["error"]["metadata"]["retry_after_seconds"],
                2
            );
        }),
        ("rate-limited-for-a-day", |case| {
            assert_eq!(limited(case), (Some("86400"), None));
        }),
        ("rate-limited-date", |case| {
            let date = limited(case).0.unwrap();
            let wait = httpdate::parse_http_date(date)
                .unwrap()
                .duration_since(std::time::SystemTime::now());
            assert!((1..3).contains(&wait.unwrap().as_secs()), "{date}");
        }),
    ];
    rows.extend(headed.map(|(name, check)| (name, Wire(check), Wire(check))));
    rows.push(both("redirect-elsewhere", || {
        Wire(|case| {
            assert_eq!(case.got.status, Some(307));
            let to = case.got.header("location").unwrap();
            assert!(to.starts_with("http://elsewhere.invalid/"), "{to}");
        })
    }));
    rows
}

type Headed = (&'static str, fn(&Case));

/// `Retry-After` and `retry-after-ms` of a 429.
fn limited(case: &Case) -> (Option<&str>, Option<&str>) {
    assert_eq!(case.got.status, Some(429));
    assert_eq!(case.got.json()["error"]["code"], 429);
    (
        case.got.header("retry-after"),
        case.got.header("retry-after-ms"),
    )
}
