//! Every fault of the simulator, and what a plain call and a stream make of it.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::json;
use tamis::json::{Policy, Wanted};
use tamis::{Chat, Client, Failure, RetryPolicy};
use tamis_sim::{Fault, Sim};

/// A fault, and the failure kind of a plain call and of a stream read to its end; `-` where the
/// answer conforms, perhaps after it was mended, `a|b` where it depends on how fast the machine is.
const TABLE: &[(&str, &str, &str)] = &[
    ("conforming", "-", "-"),
    ("fenced", "-", "-"),
    ("prose-around", "-", "-"),
    ("prose-only", "Malformed", "Malformed"),
    ("fenced-in-prose", "-", "-"),
    ("other-shape", "Malformed", "Malformed"),
    ("trivial-answer", "Malformed", "Malformed"),
    ("missing-property", "Malformed", "Malformed"),
    ("extra-property", "Malformed", "Malformed"),
    ("wrong-type", "Malformed", "Malformed"),
    ("enum-case", "Malformed", "Malformed"),
    ("trailing-comma", "-", "-"),
    ("double-encoded", "-", "-"),
    ("empty-content", "Malformed", "Malformed"),
    ("json-in-reasoning", "Malformed", "Malformed"),
    ("truncated", "ContextLength", "ContextLength"),
    ("truncated-but-parses", "ContextLength", "ContextLength"),
    ("truncated-to-nothing", "ContextLength", "ContextLength"),
    ("tool-call-truncated", "ContextLength", "ContextLength"),
    (
        "tool-call-truncated-natively",
        "ContextLength",
        "ContextLength",
    ),
    ("refusal", "ContentPolicy", "ContentPolicy"),
    ("content-filter", "ContentPolicy", "ContentPolicy"),
    ("unknown-finish-reason", "ContextLength", "ContextLength"),
    ("blank-finish-reason", "-", "Interrupted"),
    ("choice-error", "ProviderUnavailable", "ProviderUnavailable"),
    ("reasoning-first", "-", "-"),
    ("tool-calls-instead", "Malformed", "Malformed"),
    ("parallel-tool-calls", "Malformed", "Malformed"),
    ("no-tool-call", "-", "-"),
    ("tool-arguments-object", "Malformed", "-"),
    ("tool-index-zero", "-", "Malformed"),
    ("tool-index-missing", "-", "Malformed"),
    ("tool-index-null", "-", "Malformed"),
    ("tool-index-drifting", "-", "Malformed"),
    ("tool-fragments-bare", "-", "Malformed"),
    ("no-usage", "-", "-"),
    ("string-numbers", "-", "-"),
    (
        "json-schema-unsupported",
        "InvalidRequest",
        "InvalidRequest",
    ),
    ("schema-rejected", "InvalidRequest", "InvalidRequest"),
    (
        "tool-choice-unsupported",
        "InvalidRequest",
        "InvalidRequest",
    ),
    ("context-length", "ContextLength", "ContextLength"),
    ("http-413", "InvalidRequest", "InvalidRequest"),
    ("http-422", "InvalidRequest", "InvalidRequest"),
    ("no-endpoints", "InvalidRequest", "InvalidRequest"),
    (
        "no-endpoints-availability",
        "InvalidRequest",
        "InvalidRequest",
    ),
    ("unauthorized", "Authentication", "Authentication"),
    (
        "payment-required",
        "InsufficientCredits",
        "InsufficientCredits",
    ),
    ("payment-in-flight", "RateLimited", "RateLimited"),
    ("moderation", "ContentPolicy", "ContentPolicy"),
    ("guardrail", "ContentPolicy", "ContentPolicy"),
    ("permission-denied", "Authentication", "Authentication"),
    ("rate-limited", "RateLimited", "RateLimited"),
    ("rate-limited-seconds", "RateLimited", "RateLimited"),
    ("rate-limited-date", "RateLimited", "RateLimited"),
    ("rate-limited-ms", "RateLimited", "RateLimited"),
    ("rate-limited-body", "RateLimited", "RateLimited"),
    ("rate-limited-nested", "RateLimited", "RateLimited"),
    ("rate-limited-unusable", "RateLimited", "RateLimited"),
    ("rate-limited-for-a-day", "RateLimited", "RateLimited"),
    (
        "quota-exhausted",
        "InsufficientCredits",
        "InsufficientCredits",
    ),
    ("http-408", "ProviderUnavailable", "ProviderUnavailable"),
    ("http-500", "ProviderUnavailable", "ProviderUnavailable"),
    ("http-501", "ProviderUnavailable", "ProviderUnavailable"),
    ("http-502", "ProviderUnavailable", "ProviderUnavailable"),
    ("http-503", "ProviderUnavailable", "ProviderUnavailable"),
    (
        "unavailable-retryable",
        "ProviderUnavailable",
        "ProviderUnavailable",
    ),
    (
        "unavailable-for-good",
        "ProviderUnavailable",
        "ProviderUnavailable",
    ),
    ("http-504", "ProviderUnavailable", "ProviderUnavailable"),
    ("http-524", "ProviderUnavailable", "ProviderUnavailable"),
    ("http-529", "ProviderUnavailable", "ProviderUnavailable"),
    (
        "error-with-string-code",
        "ProviderUnavailable",
        "ProviderUnavailable",
    ),
    (
        "error-as-text",
        "ProviderUnavailable",
        "ProviderUnavailable",
    ),
    ("html-error", "ProviderUnavailable", "ProviderUnavailable"),
    ("html-success", "Malformed", "Malformed"),
    (
        "error-envelope",
        "ProviderUnavailable",
        "ProviderUnavailable",
    ),
    ("null-body", "Malformed", "Malformed"),
    ("no-choices", "Malformed", "Malformed"),
    ("empty-body", "Malformed", "Malformed"),
    ("redirect-elsewhere", "Unknown", "Unknown"),
    ("stream-empty", "-", "Interrupted"),
    ("comments-only", "-", "Interrupted"),
    ("done-only", "-", "Interrupted"),
    ("eof-mid-answer", "-", "Interrupted"),
    ("done-without-finish", "-", "Interrupted"),
    ("no-finish-reason", "-", "Interrupted"),
    ("no-done", "-", "-"),
    ("cut-mid-event", "-", "Interrupted"),
    ("cut-mid-utf8", "-", "Interrupted"),
    ("cut-inside-chunk", "-", "Interrupted"),
    ("unterminated-last-event", "-", "-"),
    ("error-first-then-done", "-", "ProviderUnavailable"),
    ("error-first", "-", "RateLimited"),
    ("error-mid-stream", "-", "ProviderUnavailable"),
    ("error-mid-stream-then-done", "-", "ProviderUnavailable"),
    ("error-mid-stream-bare", "-", "RateLimited"),
    ("error-after-finish", "-", "RateLimited"),
    ("hang-before-first-event", "-", "Stalled"),
    ("hang-mid-stream", "Stalled", "Stalled"),
    ("stall-with-comments", "-", "Stalled"),
    ("stall-with-comments-first", "-", "Stalled"),
    ("stall-with-empty-deltas", "-", "Stalled"),
    ("slow-drip", "-", "-"),
    ("bom", "-", "-"),
    ("crlf-tiny-writes", "-", "-"),
    ("cr-line-ends", "-", "-"),
    ("split-utf8", "-", "-"),
    ("no-space-after-colon", "-", "-"),
    ("multi-line-data", "-", "-"),
    ("comments-between", "-", "-"),
    ("keepalives-as-data", "-", "-"),
    ("empty-data", "-", "-"),
    ("foreign-fields", "-", "-"),
    ("usage-without-choices", "-", "-"),
    ("usage-everywhere", "-", "-"),
    ("role-once", "-", "-"),
    ("anonymous-chunks", "-", "-"),
    ("malformed-event", "-", "Malformed"),
    ("oversized-event", "-", "Malformed"),
    ("json-for-stream", "-", "-"),
    ("stream-for-plain", "-", "-"),
    ("hang-before-headers", "Timeout", "Timeout"),
    ("slow-headers", "-", "-"),
    ("connection-reset", "Network", "Network"),
    ("connection-closed", "Network", "Network"),
    ("reset-mid-answer", "Network", "Interrupted"),
    ("truncated-body", "Network", "Interrupted"),
    ("close-after-response", "-", "-"),
    ("close-on-reuse", "-", "-"),
    ("gzip-bomb", "Malformed", "Stalled|-"),
    ("oversized-body", "Malformed", "-"),
    ("blank-lines-first", "-", "-"),
];

#[tokio::test]
async fn every_fault_gets_its_kind() {
    let sim = Sim::builder()
        .seed(7)
        .hang(Duration::from_secs(30))
        .drip(Duration::from_millis(2))
        .start()
        .await
        .unwrap();
    let client = Client::builder()
        .base_url(sim.base_url())
        .openrouter(true)
        .stall_timeout(Duration::from_millis(700))
        .first_byte_timeout(Duration::from_secs(1))
        .retry(RetryPolicy::none())
        .build()
        .unwrap();
    let mut wrong = Vec::new();
    for (name, plain, stream) in TABLE {
        let chat = || {
            client
                .chat(format!("sim/{name}"))
                .user("Go.")
                .json_schema("x", schema())
        };
        for (call, expected, got) in [
            ("plain", plain, kind(chat().answer().await)),
            ("stream", stream, kind(streamed(chat()).await)),
        ] {
            if expected.split('|').all(|expected| expected != got) {
                wrong.push(format!("{name}, {call}: {got}, not {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_fault_has_a_row() {
    let rows: BTreeSet<_> = TABLE.iter().map(|(name, ..)| *name).collect();
    let faults: BTreeSet<_> = Fault::all().iter().map(Fault::name).collect();
    assert_eq!(rows, faults);
    assert_eq!(rows.len(), TABLE.len(), "a fault has two rows");
}

fn schema() -> serde_json::Value {
    json!({
        "type": "object",
        "properties": {"size": {"enum": ["small", "large"]}, "count": {"type": "integer"}},
        "required": ["size", "count"],
        "additionalProperties": false,
    })
}

fn kind<T>(result: Result<T, Failure>) -> &'static str {
    match result {
        Ok(_) => "-",
        Err(failure) => failure.kind().as_str(),
    }
}

/// A stream read to its end, and its answer held against the schema.
async fn streamed(chat: Chat) -> Result<(), Failure> {
    let completion = chat.stream().await?.finish().await?;
    let wanted = Policy::default().wanting(Wanted::Object);
    let value = completion.parse_json_with(&wanted)?;
    let validator = tamis::schema::Validator::new(&schema()).unwrap();
    if validator.is_valid(&value.value) {
        Ok(())
    } else {
        Err(Failure::new(
            tamis::FailureKind::Malformed,
            "the value breaks its schema",
        ))
    }
}
