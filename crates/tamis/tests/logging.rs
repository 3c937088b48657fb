//! The log of requests: what it tells, and what it never tells.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tamis::account::NewKey;
use tamis::logging::RequestLog;
use tamis::{Client, FailureKind, RetryPolicy};
use tamis_sim::Sim;

const KEY: &str = "sk-private-0123456789";

/// A line, kept.
#[derive(Debug)]
struct Kept {
    text: String,
    path: String,
    attempt: u32,
    status: Option<u16>,
    sent: usize,
    received: usize,
    whole: bool,
    failure: Option<FailureKind>,
    generation_id: Option<String>,
    request: Option<String>,
    response: Option<String>,
    timed: bool,
}

type Lines = Arc<Mutex<Vec<Kept>>>;

fn log(bodies: usize) -> (RequestLog, Lines) {
    let lines = Lines::default();
    let keep = Arc::clone(&lines);
    let log = RequestLog::to(move |line| {
        keep.lock().unwrap().push(Kept {
            text: line.to_string(),
            path: line.path.to_owned(),
            attempt: line.attempt,
            status: line.status,
            sent: line.sent,
            received: line.received,
            whole: line.whole,
            failure: line.failure,
            generation_id: line.generation_id.map(str::to_owned),
            request: line.request_body.map(str::to_owned),
            response: line.response_body.map(str::to_owned),
            timed: line.to_headers.is_none_or(|time| time <= line.elapsed),
        });
    });
    (log.with_bodies(bodies), lines)
}

async fn start(bodies: usize, fault: &str) -> (Sim, Client, Lines) {
    let sim = Sim::builder().seed(5).start().await.unwrap();
    let (log, lines) = log(bodies);
    let client = Client::builder()
        .base_url(sim.base_url())
        .openrouter(true)
        .api_key(KEY)
        .retry(RetryPolicy::default().backoff(Duration::from_millis(1), Duration::from_millis(2)))
        .header("x-tamis-fault", fault)
        .log(log)
        .build()
        .unwrap();
    (sim, client, lines)
}

fn taken(lines: &Lines) -> Vec<Kept> {
    std::mem::take(&mut *lines.lock().unwrap())
}

#[tokio::test]
async fn a_line_for_each_attempt() {
    let (_sim, client, lines) = start(0, "http-500*1").await;
    let completion = client.chat("a/b").user("a private question").send().await;
    let completion = completion.unwrap();
    let lines = taken(&lines);
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert_eq!((lines[0].status, lines[0].attempt), (Some(500), 1));
    assert_eq!((lines[1].status, lines[1].attempt), (Some(200), 2));
    for line in &lines {
        assert_eq!(line.path, "/api/v1/chat/completions");
        assert!(line.whole && line.timed && line.failure.is_none());
        assert!(line.sent > 50 && line.received > 50);
        assert_eq!((&line.request, &line.response), (&None, &None));
    }
    assert_eq!(lines[1].generation_id, completion.id);
    let text = &lines[1].text;
    assert!(
        text.starts_with("POST /api/v1/chat/completions: 200 in ") && text.contains("attempt 2"),
        "{text}"
    );
}

#[tokio::test]
async fn a_stream_is_told_when_it_ends_and_when_it_is_given_up() {
    let (_sim, client, lines) = start(0, "conforming").await;
    let chat = || client.chat("a/b").user("Tell me a story.");
    chat().stream().await.unwrap().finish().await.unwrap();
    let told = taken(&lines);
    assert_eq!(told.len(), 1);
    assert!(told[0].whole && told[0].received > 200);

    let mut stream = chat().stream().await.unwrap();
    stream.next().await.unwrap().unwrap();
    assert!(taken(&lines).is_empty());
    drop(stream);
    let told = taken(&lines);
    assert!(
        !told[0].whole && told[0].text.contains("(not to the end)"),
        "{told:?}"
    );
}

/// Writes down every field of every event of the log.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<String>>);

impl tracing::field::Visit for Written {
    fn record_debug(&mut self, field: &tracing::field::Field, value: &dyn std::fmt::Debug) {
        use std::fmt::Write;
        write!(self.0.lock().unwrap(), "{}={value:?} ", field.name()).unwrap();
    }
}

impl tracing::Subscriber for Written {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        metadata.target() == "tamis::requests"
    }
    fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::Id {
        tracing::Id::from_u64(1)
    }
    fn record(&self, _: &tracing::Id, _: &tracing::span::Record<'_>) {}
    fn record_follows_from(&self, _: &tracing::Id, _: &tracing::Id) {}
    fn event(&self, event: &tracing::Event<'_>) {
        event.record(&mut self.clone());
    }
    fn enter(&self, _: &tracing::Id) {}
    fn exit(&self, _: &tracing::Id) {}
}

#[tokio::test]
async fn by_default_the_lines_are_events() {
    let written = Written::default();
    let guard = tracing::subscriber::set_default(written.clone());
    let sim = Sim::builder().start().await.unwrap();
    let client = Client::builder()
        .base_url(sim.base_url())
        .api_key(KEY)
        .log(RequestLog::new())
        .build()
        .unwrap();
    let _ = client.generation("gen-private").await;
    drop(guard);
    let text = written.0.lock().unwrap().clone();
    for field in [
        "method=\"GET\"",
        "path=\"/api/v1/generation\"",
        "status=404",
        "attempt=1",
        "whole=true",
    ] {
        assert!(text.contains(field), "{field} in {text}");
    }
    for private in [KEY, "gen-private", "body="] {
        assert!(!text.contains(private), "{private} in {text}");
    }
}

#[tokio::test]
async fn what_breaks_says_so() {
    for (fault, status, failure) in [
        ("connection-reset", None, Some(FailureKind::Network)),
        ("reset-mid-answer", Some(200), Some(FailureKind::Network)),
        // The answer says what is wrong with it.
        ("error-envelope", Some(200), None),
    ] {
        let (_sim, client, lines) = start(0, fault).await;
        client.credits().await.unwrap_err();
        let told = taken(&lines);
        assert_eq!(
            (told[0].status, told[0].failure),
            (status, failure),
            "{fault}"
        );
    }
    // Nobody answers at all.
    let (log, lines) = log(0);
    let sim = Sim::builder().start().await.unwrap();
    let client = Client::builder()
        .base_url(sim.base_url())
        .header("x-tamis-fault", "hang-before-headers")
        .retry(RetryPolicy::none())
        .timeout(Duration::from_millis(100))
        .log(log)
        .build()
        .unwrap();
    client.credits().await.unwrap_err();
    let told = taken(&lines);
    assert_eq!(
        (told.len(), told[0].status, told[0].whole),
        (1, None, false)
    );
    assert!(told[0].text.contains("given up"), "{}", told[0].text);
}

#[tokio::test]
async fn bodies_come_with_a_second_switch_and_are_cut() {
    let (_sim, client, lines) = start(60, "conforming").await;
    client.chat("a/b").user("a question").send().await.unwrap();
    let told = taken(&lines);
    let request = told[0].request.as_ref().unwrap();
    assert!(
        request.starts_with("{\"") && request.len() <= 60,
        "{request}"
    );
    let response = told[0].response.as_ref().unwrap();
    assert!(
        response.starts_with("{\"id\":\"gen-") && response.len() <= 60,
        "{response}"
    );
    assert!(told[0].received > 60);
}

#[tokio::test]
async fn neither_a_key_nor_a_query_is_told() {
    // The prompt is the key itself, so that request and response hold it.
    let (_sim, client, lines) = start(10_000, "conforming").await;
    client.chat("a/b").user(KEY).send().await.unwrap();
    let _ = client.generation(KEY).await;
    let _ = client.generation("gen-1").await;
    let told = taken(&lines);
    assert_eq!(told.len(), 3);
    for line in &told {
        assert!(!format!("{line:?}").contains("sk-private"), "{line:?}");
        assert!(!line.path.contains('?'), "{line:?}");
    }
    assert!(told[0].request.as_ref().unwrap().contains("[redacted]"));
    assert!(told[1].response.as_ref().unwrap().contains("[redacted]"));
}

#[tokio::test]
async fn a_key_that_is_made_is_never_told() {
    let (_sim, client, lines) = start(10_000, "conforming").await;
    let created = client.keys().create(&NewKey::new("ci")).await.unwrap();
    client.keys().get(&created.record.hash).await.unwrap();
    let told = taken(&lines);
    assert_eq!(told[0].response, None);
    assert!(told[0].received > 100);
    assert!(told[1].response.is_some());
    assert!(!format!("{told:?}").contains(created.expose_key()));
}
