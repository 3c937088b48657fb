//! Every fault of the simulator, and what the smoke test calls it.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use tamis_sim::{Fault, Sim};
use tamis_smoke::{Plan, Problem, run};

/// A fault, and the problem's name on a plain call and on a stream; `-` where the answer passes, a
/// plus where it passes after repair, `a|b` where it depends on timing.
const TABLE: &[(&str, &str, &str)] = &[
    ("conforming", "-", "-"),
    ("fenced", "fenced+", "fenced+"),
    ("prose-around", "prose+", "prose+"),
    ("prose-only", "prose", "prose"),
    ("fenced-in-prose", "fenced+", "fenced+"),
    ("other-shape", "other-shape", "other-shape"),
    ("trivial-answer", "other-shape", "other-shape"),
    ("missing-property", "violation", "violation"),
    ("extra-property", "violation", "violation"),
    ("wrong-type", "violation", "violation"),
    ("enum-case", "violation", "violation"),
    ("trailing-comma", "broken-json+", "broken-json+"),
    ("double-encoded", "double-encoded+", "double-encoded+"),
    ("empty-content", "empty", "empty"),
    ("json-in-reasoning", "in-reasoning", "in-reasoning"),
    ("truncated", "truncated", "truncated"),
    ("truncated-but-parses", "truncated", "truncated"),
    ("truncated-to-nothing", "truncated", "truncated"),
    ("tool-call-truncated", "truncated", "truncated"),
    ("tool-call-truncated-natively", "truncated", "truncated"),
    ("refusal", "refusal", "refusal"),
    ("content-filter", "content-filter", "content-filter"),
    ("unknown-finish-reason", "truncated", "truncated"),
    ("blank-finish-reason", "-", "interrupted"),
    ("choice-error", "provider-error", "provider-error"),
    ("reasoning-first", "-", "-"),
    ("tool-calls-instead", "tool-calls", "tool-calls"),
    ("parallel-tool-calls", "tool-calls", "tool-calls"),
    ("no-tool-call", "-", "-"),
    ("tool-arguments-object", "tool-calls", "-"),
    ("tool-index-zero", "-", "tool-calls"),
    ("tool-index-missing", "-", "tool-calls"),
    ("tool-index-null", "-", "tool-calls"),
    ("tool-index-drifting", "-", "tool-calls"),
    ("tool-fragments-bare", "-", "tool-calls"),
    ("no-usage", "-", "-"),
    ("string-numbers", "-", "-"),
    ("json-schema-unsupported", "unsupported", "unsupported"),
    ("schema-rejected", "schema-rejected", "schema-rejected"),
    (
        "tool-choice-unsupported",
        "tool-choice-rejected",
        "tool-choice-rejected",
    ),
    ("context-length", "context-length", "context-length"),
    ("http-413", "rejected", "rejected"),
    ("http-422", "rejected", "rejected"),
    ("no-endpoints", "unsupported", "unsupported"),
    ("no-endpoints-availability", "unsupported", "unsupported"),
    ("unauthorized", "authentication", "authentication"),
    (
        "payment-required",
        "insufficient-credits",
        "insufficient-credits",
    ),
    ("payment-in-flight", "rate-limited", "rate-limited"),
    ("moderation", "content-filter", "content-filter"),
    ("guardrail", "content-filter", "content-filter"),
    ("permission-denied", "authentication", "authentication"),
    ("rate-limited", "rate-limited", "rate-limited"),
    ("rate-limited-seconds", "rate-limited", "rate-limited"),
    ("rate-limited-date", "rate-limited", "rate-limited"),
    ("rate-limited-ms", "rate-limited", "rate-limited"),
    ("rate-limited-body", "rate-limited", "rate-limited"),
    ("rate-limited-nested", "rate-limited", "rate-limited"),
    ("rate-limited-unusable", "rate-limited", "rate-limited"),
    ("rate-limited-for-a-day", "rate-limited", "rate-limited"),
    (
        "quota-exhausted",
        "insufficient-credits",
        "insufficient-credits",
    ),
    ("http-408", "provider-error", "provider-error"),
    ("http-500", "provider-error", "provider-error"),
    ("http-501", "provider-error", "provider-error"),
    ("http-502", "provider-error", "provider-error"),
    ("http-503", "provider-error", "provider-error"),
    ("unavailable-retryable", "provider-error", "provider-error"),
    ("unavailable-for-good", "no-endpoint", "no-endpoint"),
    ("http-504", "provider-error", "provider-error"),
    ("http-524", "provider-error", "provider-error"),
    ("http-529", "provider-error", "provider-error"),
    ("error-with-string-code", "provider-error", "provider-error"),
    ("error-as-text", "provider-error", "provider-error"),
    ("html-error", "provider-error", "provider-error"),
    ("html-success", "malformed", "malformed"),
    ("error-envelope", "provider-error", "provider-error"),
    ("null-body", "malformed", "malformed"),
    ("no-choices", "malformed", "malformed"),
    ("empty-body", "malformed", "malformed"),
    ("redirect-elsewhere", "unknown", "unknown"),
    ("stream-empty", "-", "interrupted"),
    ("comments-only", "-", "interrupted"),
    ("done-only", "-", "interrupted"),
    ("eof-mid-answer", "-", "interrupted"),
    ("done-without-finish", "-", "interrupted"),
    ("no-finish-reason", "-", "interrupted"),
    ("no-done", "-", "-"),
    ("cut-mid-event", "-", "interrupted"),
    ("cut-mid-utf8", "-", "interrupted"),
    ("cut-inside-chunk", "-", "interrupted"),
    ("unterminated-last-event", "-", "-"),
    ("error-first-then-done", "-", "provider-error"),
    ("error-first", "-", "rate-limited"),
    ("error-mid-stream", "-", "provider-error"),
    ("error-mid-stream-then-done", "-", "provider-error"),
    ("error-mid-stream-bare", "-", "rate-limited"),
    ("error-after-finish", "-", "rate-limited"),
    ("hang-before-first-event", "-", "hang"),
    ("hang-mid-stream", "hang", "hang"),
    ("stall-with-comments", "-", "hang"),
    ("stall-with-comments-first", "-", "hang"),
    ("stall-with-empty-deltas", "-", "hang"),
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
    ("malformed-event", "-", "malformed"),
    ("oversized-event", "-", "malformed"),
    ("json-for-stream", "-", "-"),
    ("stream-for-plain", "-", "-"),
    ("hang-before-headers", "hang", "hang"),
    ("slow-headers", "-", "-"),
    ("connection-reset", "network", "network"),
    ("connection-closed", "network", "network"),
    ("reset-mid-answer", "network", "interrupted"),
    ("truncated-body", "network", "interrupted"),
    ("close-after-response", "-", "-"),
    ("close-on-reuse", "-", "-"),
    ("gzip-bomb", "malformed", "-|hang|malformed"),
    ("oversized-body", "malformed", "-"),
    ("blank-lines-first", "-", "-"),
];

/// These hold a core for a while, so that the others' clocks would run out.
const HEAVY: &[&str] = &["gzip-bomb", "oversized-body", "oversized-event"];

async fn name(client: &tamis::Client, fault: &str, stream: bool) -> String {
    let plan = Plan::example()
        .model(format!("sim/{fault}"))
        .unwrap()
        .requests(1)
        .unwrap()
        .stream(stream)
        .lookup(Duration::ZERO);
    let report = run(client, &plan, |_| {}, std::future::pending())
        .await
        .unwrap();
    let sample = report.samples().next().unwrap();
    let mended = sample.passed_after_repair();
    assert_eq!(
        sample.passed() && !mended,
        sample.finding.is_none(),
        "{fault}"
    );
    assert!(sample.repairs.is_empty() || sample.bars.parses && !sample.bars.parses_as_sent);
    let problem = sample.finding.as_ref().map(|finding| finding.problem);
    let plus = if mended { "+" } else { "" };
    format!("{}{plus}", problem.map_or("-", Problem::name))
}

#[tokio::test]
async fn every_fault_has_its_name() {
    let sim = Sim::builder()
        .seed(5)
        .pace(Duration::ZERO)
        .drip(Duration::from_millis(1))
        .beat(Duration::from_millis(50))
        .start()
        .await
        .unwrap();
    let client = tamis::Client::builder()
        .base_url(sim.base_url())
        .openrouter(true)
        .timeout(Duration::from_secs(20))
        .first_byte_timeout(Duration::from_millis(1_500))
        .stall_timeout(Duration::from_millis(1_500))
        .build()
        .unwrap();
    let (heavy, light): (Vec<_>, Vec<_>) = TABLE.iter().partition(|row| HEAVY.contains(&row.0));
    for (rows, at_a_time) in [(light, 12), (heavy, 1)] {
        let wrong: Vec<String> = stream::iter(rows)
            .map(|(fault, plain, streamed)| {
                let client = &client;
                async move {
                    let mut wrong = Vec::new();
                    for (stream, expected) in [(false, plain), (true, streamed)] {
                        let found = name(client, fault, stream).await;
                        if !expected.split('|').any(|name| name == found) {
                            wrong
                                .push(format!("{fault}, stream {stream}: {found}, not {expected}"));
                        }
                    }
                    wrong
                }
            })
            .buffer_unordered(at_a_time)
            .concat()
            .await;
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}

#[test]
fn every_fault_has_a_row_and_every_name_exists() {
    let rows: BTreeSet<&str> = TABLE.iter().map(|row| row.0).collect();
    let faults: BTreeSet<&str> = Fault::all().iter().map(Fault::name).collect();
    assert_eq!(rows, faults);
    for (_, plain, streamed) in TABLE {
        for name in [plain, streamed]
            .into_iter()
            .flat_map(|name| name.split('|'))
        {
            let name = name.trim_end_matches('+');
            assert!(name == "-" || Problem::named(name).is_some(), "{name}");
        }
    }
}
