//! Every fault, plain and streamed, against what its summary promises.

mod answers;
mod connections;
mod replies;
mod streams;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::json;
use tamis_sim::{Fault, Sim};

use super::client::{Connection, Ended, Got, structured};
use super::expect::Expect::{self, Error, Same, Says, Wire};
use super::expect::{Case, Said};

const HANG: Duration = Duration::from_millis(150);
const BEAT: Duration = Duration::from_millis(10);

async fn start() -> Sim {
    Sim::builder()
        .seed(11)
        .hang(HANG)
        .beat(BEAT)
        .drip(Duration::from_millis(1))
        .pace(Duration::ZERO)
        .retry_after(Duration::from_millis(1_500))
        .start()
        .await
        .unwrap()
}

/// Name, what a plain call sees, what a stream sees.
type Row = (&'static str, Expect, Expect);

#[tokio::test]
async fn every_fault_does_what_it_says() {
    let sim = start().await;
    let rows: Vec<Row> = answers::rows()
        .into_iter()
        .chain(replies::rows())
        .chain(streams::rows())
        .chain(connections::rows())
        .collect();
    let listed: BTreeSet<&str> = Fault::all().iter().map(Fault::name).collect();
    let tested: BTreeSet<&str> = rows.iter().map(|row| row.0).collect();
    assert_eq!(rows.len(), tested.len(), "a row twice");
    assert_eq!(listed, tested, "each fault has its row");

    let base = [
        ask(&sim, "conforming", false).await,
        ask(&sim, "conforming", true).await,
    ];
    for (name, plain, streamed) in rows {
        for (stream, expect) in [(false, plain), (true, streamed)] {
            let applies = Fault::named(name).unwrap().applies_to().covers(stream);
            if !applies {
                assert!(
                    matches!(expect, Same),
                    "{name} does not apply, so nothing happens"
                );
            }
            let case = Case {
                stream,
                got: ask(&sim, name, stream).await,
                base: base[usize::from(stream)].clone(),
            };
            // Shown only if the check panics.
            println!(
                "{name}, stream {stream}: {:?} {:?}",
                case.got.status, case.got.ended
            );
            check(&case, &expect);
        }
    }
}

/// The fourteen ways in which a hostile server was found to mislead the newest clients.
#[test]
fn the_known_traps_are_all_there() {
    for name in [
        "conforming",
        "eof-mid-answer",
        "error-mid-stream",
        "unknown-finish-reason",
        "blank-finish-reason",
        "error-envelope",
        "null-body",
        "bom",
        "stall-with-comments",
        "cut-inside-chunk",
        "split-utf8",
        "tool-index-zero",
        "malformed-event",
        "crlf-tiny-writes",
    ] {
        assert!(
            Fault::named(name).is_some_and(|fault| fault.applies_to().covers(true)),
            "{name}"
        );
    }
}

async fn ask(sim: &Sim, fault: &str, stream: bool) -> Got {
    let mut connection = Connection::open(sim.address()).await;
    // One key for all, so that all would say the same but for the fault.
    let headers = [("x-tamis-fault", fault), ("x-tamis-key", "one")];
    let body = structured("sim/steady", stream).to_string();
    connection
        .send("POST", "/chat/completions", &headers, &body)
        .await;
    connection.read(Duration::from_secs(2)).await
}

fn check(case: &Case, expect: &Expect) {
    let said = |got: &Got| Said::of(got, case.stream);
    match expect {
        Same => {
            assert_eq!(
                (case.got.status, case.got.ended),
                (Some(200), Ended::Complete)
            );
            assert_eq!(said(&case.got), said(&case.base));
        }
        Error(status, text) => {
            assert_eq!(
                (case.got.status, case.got.ended),
                (Some(*status), Ended::Complete)
            );
            let body = case.got.text();
            assert!(body.contains(text), "{body}");
            if case.got.header("content-type") == Some("application/json") && !body.is_empty() {
                let _ = case.got.json();
            }
        }
        Says(check) => {
            assert_eq!(
                (case.got.status, case.got.ended),
                (Some(200), Ended::Complete)
            );
            check(&said(&case.got), &said(&case.base));
        }
        Wire(check) => check(case),
    }
}

/// The same for plain calls and streams.
fn both(name: &'static str, expect: fn() -> Expect) -> Row {
    (name, expect(), expect())
}

fn on_stream(name: &'static str, check: fn(&Case)) -> Row {
    (name, Same, Wire(check))
}

fn on_plain(name: &'static str, check: fn(&Case)) -> Row {
    (name, Wire(check), Same)
}

#[tokio::test]
async fn hangs_last_as_long_as_the_builder_says() {
    let sim = start().await;
    for (fault, stream) in [
        ("hang-before-headers", false),
        ("hang-before-first-event", true),
        ("hang-mid-stream", true),
        ("stall-with-comments", true),
    ] {
        let start = Instant::now();
        ask(&sim, fault, stream).await;
        assert!(start.elapsed() >= HANG, "{fault}");
    }
}

#[tokio::test]
async fn a_connection_closes_after_the_response_or_on_reuse() {
    let sim = start().await;
    let body = structured("sim/steady", true).to_string();
    for (fault, closed_at_once) in [("close-after-response", true), ("close-on-reuse", false)] {
        let mut connection = Connection::open(sim.address()).await;
        connection
            .send(
                "POST",
                "/chat/completions",
                &[("x-tamis-fault", fault)],
                &body,
            )
            .await;
        let got = connection.read(Duration::from_secs(2)).await;
        assert_eq!(got.ended, Ended::Complete);
        assert_eq!(
            connection.is_closed(Duration::from_millis(100)).await,
            closed_at_once,
            "{fault}"
        );
        if !closed_at_once {
            connection
                .send("POST", "/chat/completions", &[], &body)
                .await;
            let got = connection.read(Duration::from_secs(2)).await;
            assert_eq!((got.status, got.ended), (None, Ended::Closed));
        }
    }
}

#[tokio::test]
async fn no_tool_call_ignores_the_tool_choice() {
    let sim = start().await;
    let mut request = structured("sim/no-tool-call", false);
    request["tools"] = json!([{"type": "function", "function": {"name": "weigh"}}]);
    request["tool_choice"] = json!("required");
    let got = super::client::ask(&sim, &[], &request).await.json();
    assert_eq!(got["choices"][0]["finish_reason"], "stop");
    assert!(got["choices"][0]["message"].get("tool_calls").is_none());
}
