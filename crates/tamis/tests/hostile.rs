//! Servers that send too much, or break off: raw bytes on loopback.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use tamis::{Client, ClientBuilder, FailureKind, RetryPolicy};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

const STREAM: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";

/// Answers every request with a head, then with a piece again and again, or once where it says so.
struct Server {
    url: String,
    requests: Arc<AtomicUsize>,
}

impl Server {
    async fn start(head: &'static str, piece: String, forever: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let requests = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&requests);
        tokio::spawn(async move {
            loop {
                let (mut socket, _) = listener.accept().await.unwrap();
                let piece = piece.clone();
                let count = Arc::clone(&count);
                tokio::spawn(async move {
                    let mut request = [0; 4096];
                    let _ = socket.read(&mut request).await;
                    count.fetch_add(1, Ordering::Relaxed);
                    let _ = socket.write_all(head.as_bytes()).await;
                    while socket.write_all(piece.as_bytes()).await.is_ok() && forever {}
                });
            }
        });
        Self { url, requests }
    }

    fn client(&self) -> ClientBuilder {
        Client::builder()
            .base_url(&self.url)
            .retry(
                RetryPolicy::default().backoff(Duration::from_millis(1), Duration::from_millis(2)),
            )
            .timeout(Duration::from_secs(3))
            .stall_timeout(Duration::from_millis(500))
    }
}

async fn streamed(client: ClientBuilder) -> tamis::Failure {
    match client.build().unwrap().chat("m").user("hi").stream().await {
        Ok(stream) => stream.finish().await.unwrap_err(),
        Err(failure) => failure,
    }
}

#[tokio::test]
async fn a_flood_that_brings_nothing_is_a_stall_and_holds_nobody_up() {
    let chunk = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\n";
    for (first, piece) in [
        ("", "\n".repeat(100_000)),
        ("", " ".repeat(100_000)),
        ("", ": comment\n\n".repeat(10_000)),
        (chunk, "\n".repeat(100_000)),
        (
            chunk,
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\"}}]}\n\n".repeat(1000),
        ),
    ] {
        let head: &'static str = Box::leak(format!("{STREAM}{first}").into_boxed_str());
        let server = Server::start(head, piece, true).await;
        let began = Instant::now();
        // Something else on the same thread goes on meanwhile.
        let ticks = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&ticks);
        let clock = tokio::spawn(async move {
            loop {
                tokio::time::sleep(Duration::from_millis(20)).await;
                counted.fetch_add(1, Ordering::Relaxed);
            }
        });
        let failure = streamed(server.client()).await;
        clock.abort();
        assert_eq!(failure.kind(), FailureKind::Stalled, "{first:?}");
        assert!(
            began.elapsed() < Duration::from_secs(3),
            "{first:?}: {:?}",
            began.elapsed()
        );
        assert!(ticks.load(Ordering::Relaxed) >= 2, "{first:?}");
    }
}

#[tokio::test]
async fn a_flood_of_text_ends_at_the_limit_or_in_time() {
    let text = "x".repeat(1000);
    let piece =
        format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{text}\"}}}}]}}\n\n");
    let server = Server::start(STREAM, piece.clone(), true).await;
    let failure = streamed(server.client().max_body_bytes(100_000)).await;
    assert_eq!(failure.kind(), FailureKind::Malformed);
    assert!(failure.completion().unwrap().text().unwrap().len() <= 100_000);

    let server = Server::start(STREAM, piece, true).await;
    let began = Instant::now();
    let failure = streamed(
        server
            .client()
            .timeout(Duration::from_millis(50))
            .max_body_bytes(usize::MAX),
    )
    .await;
    assert_eq!(failure.kind(), FailureKind::Timeout);
    assert!(began.elapsed() < Duration::from_secs(3));
}

#[tokio::test]
async fn an_answer_that_had_begun_is_not_asked_for_again() {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n";
    let server = Server::start(head, "{\"choices\":[".to_owned(), false).await;
    let chat = server.client().build().unwrap().chat("m").user("hi");
    let failure = chat.send().await.unwrap_err();
    assert_eq!(
        (failure.kind(), failure.status(), failure.attempts()),
        (FailureKind::Network, Some(200), 1)
    );
    assert_eq!(server.requests.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_wait_that_stands_inside_the_error_is_kept() {
    let body =
        r#"{"error":{"code":429,"message":"slow","metadata":{"headers":{"Retry-After":"1"}}}}"#;
    let head = format!(
        "HTTP/1.1 429 Too Many\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    let server = Server::start(Box::leak(head.into_boxed_str()), String::new(), false).await;
    let began = Instant::now();
    let client = server
        .client()
        .retry(RetryPolicy::default().max_retries(1))
        .build()
        .unwrap();
    let failure = client.chat("m").user("hi").send().await.unwrap_err();
    assert_eq!(failure.retry_after(), Some(Duration::from_secs(1)));
    assert_eq!(server.requests.load(Ordering::Relaxed), 2);
    assert!(began.elapsed() >= Duration::from_secs(1));
}

#[tokio::test]
async fn a_request_given_as_json_is_checked_as_well() {
    let server = Server::start(STREAM, String::new(), false).await;
    let client = server.client().build().unwrap();
    let json = |value: serde_json::Value| value.as_object().unwrap().clone();
    let messages = json!([{"role": "user", "content": "hi"}]);
    for request in [
        json(json!({"model": "m", "messages": []})),
        json(json!({"model": "m", "messages": messages, "temperature": 9})),
        json(
            json!({"model": "m", "messages": messages, "response_format":
            {"type": "json_schema", "json_schema": {"name": "bad name!", "schema": {}}}}),
        ),
    ] {
        for failure in [
            client
                .request_json(request.clone())
                .send()
                .await
                .unwrap_err(),
            client
                .request_json(request.clone())
                .stream()
                .await
                .unwrap_err(),
        ] {
            assert_eq!(failure.kind(), FailureKind::Validation, "{failure}");
        }
    }
    let failure = client
        .chat("m")
        .user("hi")
        .extra("top_p", 5.0)
        .send()
        .await
        .unwrap_err();
    assert_eq!(failure.kind(), FailureKind::Validation);
    assert_eq!(server.requests.load(Ordering::Relaxed), 0);
}

/// `2` may become `25` until the end has come: the field is told then, not never.
#[tokio::test]
async fn a_field_that_only_the_end_settles_is_told_at_the_end() {
    let chunk = |content: &str, reason: &str| {
        let delta = json!({"choices": [{"index": 0, "delta": {"content": content}, "finish_reason": null}]});
        let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]});
        format!("data: {delta}\n\ndata: {end}\n\ndata: [DONE]\n\n")
    };
    let server = Server::start(STREAM, chunk("{\"a\": [1, 2", "stop"), false).await;
    let client = server.client().build().unwrap();
    let stream = client.chat("m").user("hi").stream().await.unwrap();
    let mut fields = stream.fields();
    let mut seen = Vec::new();
    while let Some(field) = fields.next().await {
        let field = field.unwrap();
        seen.push((field.pointer.to_string(), field.value));
    }
    assert_eq!(
        seen,
        [("/a/0".to_owned(), json!(1)), ("/a/1".to_owned(), json!(2))]
    );
}
