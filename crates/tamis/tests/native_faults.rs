//! Every fault of the simulator, and what the Responses and the Messages protocol make of it.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};
use tamis::{Answer, Client, CompletionStream, Failure, RetryPolicy};
use tamis_sim::{Fault, Sim};

/// A fault, and the failure kind of a plain call and of a stream, in Responses and then in Messages; `-` where
/// the answer conforms, perhaps after it was mended, `a|b` where it depends on how fast the machine is.
///
/// Nearly all are those of chat completions. Where they differ:
///
/// - A response without a status came with the event that says that it is over, and what comes after that
///   event is not looked at.
/// - `message_stop` is the end of a message, so a stream without it is none, where `[DONE]` may be missing.
/// - Anthropic's error envelope has no place for a code, by which a quota is told from a rate.
#[rustfmt::skip]
const TABLE: &[(&str, [&str; 4])] = &[
    ("conforming", ["-", "-", "-", "-"]),
    ("fenced", ["-", "-", "-", "-"]),
    ("prose-around", ["-", "-", "-", "-"]),
    ("prose-only", ["Malformed", "Malformed", "Malformed", "Malformed"]),
    ("fenced-in-prose", ["-", "-", "-", "-"]),
    ("other-shape", ["Malformed", "Malformed", "Malformed", "Malformed"]),
    ("trivial-answer", ["Malformed", "Malformed", "Malformed", "Malformed"]),
    ("missing-property", ["Malformed", "Malformed", "Malformed", "Malformed"]),
    ("extra-property", ["Malformed", "Malformed", "Malformed", "Malformed"]),
    ("wrong-type", ["Malformed", "Malformed", "Malformed", "Malformed"]),
    ("enum-case", ["Malformed", "Malformed", "Malformed", "Malformed"]),
    ("trailing-comma", ["-", "-", "-", "-"]),
    ("double-encoded", ["-", "-", "-", "-"]),
    ("empty-content", ["Malformed", "Malformed", "Malformed", "Malformed"]),
    ("json-in-reasoning", ["Malformed", "Malformed", "Malformed", "Malformed"]),
    ("truncated", ["ContextLength", "ContextLength", "ContextLength", "ContextLength"]),
    ("truncated-but-parses", ["ContextLength", "ContextLength", "ContextLength", "ContextLength"]),
    ("truncated-to-nothing", ["ContextLength", "ContextLength", "ContextLength", "ContextLength"]),
    ("tool-call-truncated", ["ContextLength", "ContextLength", "ContextLength", "ContextLength"]),
    ("tool-call-truncated-natively", ["ContextLength", "ContextLength", "ContextLength", "ContextLength"]),
    ("refusal", ["ContentPolicy", "ContentPolicy", "ContentPolicy", "ContentPolicy"]),
    ("content-filter", ["ContentPolicy", "ContentPolicy", "ContentPolicy", "ContentPolicy"]),
    ("unknown-finish-reason", ["ContextLength", "ContextLength", "ContextLength", "ContextLength"]),
    ("blank-finish-reason", ["-", "-", "-", "Interrupted"]),
    ("choice-error", ["ProviderUnavailable", "ProviderUnavailable", "ProviderUnavailable", "ProviderUnavailable"]),
    ("reasoning-first", ["-", "-", "-", "-"]),
    ("tool-calls-instead", ["Malformed", "Malformed", "Malformed", "Malformed"]),
    ("parallel-tool-calls", ["Malformed", "Malformed", "Malformed", "Malformed"]),
    ("no-tool-call", ["-", "-", "-", "-"]),
    ("tool-arguments-object", ["Malformed", "-", "Malformed", "-"]),
    ("tool-index-zero", ["-", "Malformed", "-", "Malformed"]),
    ("tool-index-missing", ["-", "Malformed", "-", "Malformed"]),
    ("tool-index-null", ["-", "Malformed", "-", "Malformed"]),
    ("tool-index-drifting", ["-", "Malformed", "-", "Malformed"]),
    ("tool-fragments-bare", ["-", "Malformed", "-", "Malformed"]),
    ("no-usage", ["-", "-", "-", "-"]),
    ("string-numbers", ["-", "-", "-", "-"]),
    ("json-schema-unsupported", ["InvalidRequest", "InvalidRequest", "InvalidRequest", "InvalidRequest"]),
    ("schema-rejected", ["InvalidRequest", "InvalidRequest", "InvalidRequest", "InvalidRequest"]),
    ("tool-choice-unsupported", ["InvalidRequest", "InvalidRequest", "InvalidRequest", "InvalidRequest"]),
    ("context-length", ["ContextLength", "ContextLength", "ContextLength", "ContextLength"]),
    ("http-413", ["InvalidRequest", "InvalidRequest", "InvalidRequest", "InvalidRequest"]),
    ("http-422", ["InvalidRequest", "InvalidRequest", "InvalidRequest", "InvalidRequest"]),
    ("no-endpoints", ["InvalidRequest", "InvalidRequest", "InvalidRequest", "InvalidRequest"]),
    ("no-endpoints-availability", ["InvalidRequest", "InvalidRequest", "InvalidRequest", "InvalidRequest"]),
    ("unauthorized", ["Authentication", "Authentication", "Authentication", "Authentication"]),
    ("payment-required", ["InsufficientCredits", "InsufficientCredits", "InsufficientCredits", "InsufficientCredits"]),
    ("payment-in-flight", ["RateLimited", "RateLimited", "RateLimited", "RateLimited"]),
    ("moderation", ["ContentPolicy", "ContentPolicy", "ContentPolicy", "ContentPolicy"]),
    ("guardrail", ["ContentPolicy", "ContentPolicy", "ContentPolicy", "ContentPolicy"]),
    ("permission-denied", ["Authentication", "Authentication", "Authentication", "Authentication"]),
    ("rate-limited", ["RateLimited", "RateLimited", "RateLimited", "RateLimited"]),
    ("rate-limited-seconds", ["RateLimited", "RateLimited", "RateLimited", "RateLimited"]),
    ("rate-limited-date", ["RateLimited", "RateLimited", "RateLimited", "RateLimited"]),
    ("rate-limited-ms", ["RateLimited", "RateLimited", "RateLimited", "RateLimited"]),
    ("rate-limited-body", ["RateLimited", "RateLimited", "RateLimited", "RateLimited"]),
    ("rate-limited-nested", ["RateLimited", "RateLimited", "RateLimited", "RateLimited"]),
    ("rate-limited-unusable", ["RateLimited", "RateLimited", "RateLimited", "RateLimited"]),
    ("rate-limited-for-a-day", ["RateLimited", "RateLimited", "RateLimited", "RateLimited"]),
    ("quota-exhausted", ["InsufficientCredits", "InsufficientCredits", "RateLimited", "RateLimited"]),
    ("http-408", ["ProviderUnavailable", "ProviderUnavailable", "ProviderUnavailable", "ProviderUnavailable"]),
    ("http-500", ["ProviderUnavailable", "ProviderUnavailable", "ProviderUnavailable", "ProviderUnavailable"]),
    ("http-501", ["ProviderUnavailable", "ProviderUnavailable", "ProviderUnavailable", "ProviderUnavailable"]),
    ("http-502", ["ProviderUnavailable", "ProviderUnavailable", "ProviderUnavailable", "ProviderUnavailable"]),
    ("http-503", ["ProviderUnavailable", "ProviderUnavailable", "ProviderUnavailable", "ProviderUnavailable"]),
    ("unavailable-retryable", ["ProviderUnavailable", "ProviderUnavailable", "ProviderUnavailable", "ProviderUnavailable"]),
    ("unavailable-for-good", ["ProviderUnavailable", "ProviderUnavailable", "ProviderUnavailable", "ProviderUnavailable"]),
    ("http-504", ["ProviderUnavailable", "ProviderUnavailable", "ProviderUnavailable", "ProviderUnavailable"]),
    ("http-524", ["ProviderUnavailable", "ProviderUnavailable", "ProviderUnavailable", "ProviderUnavailable"]),
    ("http-529", ["ProviderUnavailable", "ProviderUnavailable", "ProviderUnavailable", "ProviderUnavailable"]),
    ("error-with-string-code", ["ProviderUnavailable", "ProviderUnavailable", "ProviderUnavailable", "ProviderUnavailable"]),
    ("error-as-text", ["ProviderUnavailable", "ProviderUnavailable", "ProviderUnavailable", "ProviderUnavailable"]),
    ("html-error", ["ProviderUnavailable", "ProviderUnavailable", "ProviderUnavailable", "ProviderUnavailable"]),
    ("html-success", ["Malformed", "Malformed", "Malformed", "Malformed"]),
    ("error-envelope", ["ProviderUnavailable", "ProviderUnavailable", "ProviderUnavailable", "ProviderUnavailable"]),
    ("null-body", ["Malformed", "Malformed", "Malformed", "Malformed"]),
    ("no-choices", ["Malformed", "Malformed", "Malformed", "Malformed"]),
    ("empty-body", ["Malformed", "Malformed", "Malformed", "Malformed"]),
    ("redirect-elsewhere", ["Unknown", "Unknown", "Unknown", "Unknown"]),
    ("stream-empty", ["-", "Interrupted", "-", "Interrupted"]),
    ("comments-only", ["-", "Interrupted", "-", "Interrupted"]),
    ("done-only", ["-", "Interrupted", "-", "Interrupted"]),
    ("eof-mid-answer", ["-", "Interrupted", "-", "Interrupted"]),
    ("done-without-finish", ["-", "Interrupted", "-", "Interrupted"]),
    ("no-finish-reason", ["-", "Interrupted", "-", "Interrupted"]),
    ("no-done", ["-", "-", "-", "Interrupted"]),
    ("cut-mid-event", ["-", "Interrupted", "-", "Interrupted"]),
    ("cut-mid-utf8", ["-", "Interrupted", "-", "Interrupted"]),
    ("cut-inside-chunk", ["-", "Interrupted", "-", "Interrupted"]),
    ("unterminated-last-event", ["-", "-", "-", "Interrupted"]),
    ("error-first-then-done", ["-", "ProviderUnavailable", "-", "ProviderUnavailable"]),
    ("error-first", ["-", "RateLimited", "-", "RateLimited"]),
    ("error-mid-stream", ["-", "ProviderUnavailable", "-", "ProviderUnavailable"]),
    ("error-mid-stream-then-done", ["-", "ProviderUnavailable", "-", "ProviderUnavailable"]),
    ("error-mid-stream-bare", ["-", "RateLimited", "-", "RateLimited"]),
    ("error-after-finish", ["-", "-", "-", "RateLimited"]),
    ("hang-before-first-event", ["-", "Stalled", "-", "Stalled"]),
    ("hang-mid-stream", ["Stalled", "Stalled", "Stalled", "Stalled"]),
    ("stall-with-comments", ["-", "Stalled", "-", "Stalled"]),
    ("stall-with-comments-first", ["-", "Stalled", "-", "Stalled"]),
    ("stall-with-empty-deltas", ["-", "Stalled", "-", "Stalled"]),
    ("slow-drip", ["-", "-", "-", "-"]),
    ("bom", ["-", "-", "-", "-"]),
    ("crlf-tiny-writes", ["-", "-", "-", "-"]),
    ("cr-line-ends", ["-", "-", "-", "-"]),
    ("split-utf8", ["-", "-", "-", "-"]),
    ("no-space-after-colon", ["-", "-", "-", "-"]),
    ("multi-line-data", ["-", "-", "-", "-"]),
    ("comments-between", ["-", "-", "-", "-"]),
    ("keepalives-as-data", ["-", "-", "-", "-"]),
    ("empty-data", ["-", "-", "-", "-"]),
    ("foreign-fields", ["-", "-", "-", "-"]),
    ("usage-without-choices", ["-", "-", "-", "-"]),
    ("usage-everywhere", ["-", "-", "-", "-"]),
    ("role-once", ["-", "-", "-", "-"]),
    ("anonymous-chunks", ["-", "-", "-", "-"]),
    ("malformed-event", ["-", "Malformed", "-", "Malformed"]),
    ("oversized-event", ["-", "Malformed", "-", "Malformed"]),
    ("json-for-stream", ["-", "-", "-", "-"]),
    ("stream-for-plain", ["-", "-", "-", "-"]),
    ("hang-before-headers", ["Timeout", "Timeout", "Timeout", "Timeout"]),
    ("slow-headers", ["-", "-", "-", "-"]),
    ("connection-reset", ["Network", "Network", "Network", "Network"]),
    ("connection-closed", ["Network", "Network", "Network", "Network"]),
    ("reset-mid-answer", ["Network", "Interrupted", "Network", "Interrupted"]),
    ("truncated-body", ["Network", "Interrupted", "Network", "Interrupted"]),
    ("close-after-response", ["-", "-", "-", "-"]),
    ("close-on-reuse", ["-", "-", "-", "-"]),
    ("gzip-bomb", ["Malformed", "Stalled|-", "Malformed", "Stalled|-"]),
    ("oversized-body", ["Malformed", "-", "Malformed", "-"]),
    ("blank-lines-first", ["-", "-", "-", "-"]),
    ("turn-paused", ["ContextLength", "ContextLength", "Malformed", "Malformed"]),
    ("failed-at-once", ["-", "ProviderUnavailable", "-", "ProviderUnavailable"]),
    ("failed-at-end", ["-", "ProviderUnavailable", "-", "ProviderUnavailable"]),
    ("unknown-events", ["-", "-", "-", "-"]),
    ("events-without-places", ["-", "-", "-", "-"]),
    ("no-output-at-end", ["-", "-", "-", "-"]),
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
    for (name, expected) in TABLE {
        let model = format!("sim/{name}");
        let response = || {
            client
                .responses(&model)
                .user("Go.")
                .json_schema("x", schema())
        };
        let message = || client.messages(&model).user("Go.").json_schema(schema());
        let got = [
            kind(response().answer().await),
            kind(streamed(response().stream().await).await),
            kind(message().answer().await),
            kind(streamed(message().stream().await).await),
        ];
        let fits = |(got, expected): (&&str, &&str)| expected.split('|').any(|kind| kind == *got);
        if !got.iter().zip(expected).all(fits) {
            wrong.push(format!("{name}: {got:?}, not {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let asked = sim.requests();
    for path in ["/api/v1/responses", "/api/v1/messages"] {
        let count = asked.iter().filter(|request| request.path == path).count();
        assert!(count >= 2 * TABLE.len(), "{path}: {count}");
    }
}

#[test]
fn every_fault_has_a_row_for_each_route() {
    let rows: BTreeSet<_> = TABLE.iter().map(|(name, _)| *name).collect();
    let faults = Fault::all().iter().chain(Fault::of_protocols());
    let faults: BTreeSet<_> = faults.map(Fault::name).collect();
    assert_eq!(rows, faults);
    assert_eq!(rows.len(), TABLE.len(), "a fault has two rows");
}

async fn streamed(stream: Result<CompletionStream, Failure>) -> Result<Answer<Value>, Failure> {
    Box::pin(stream?.answer()).await
}

fn schema() -> Value {
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
