//! Servers that do not name the provider: the generation lookup, and those that have none.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde_json::json;
use tamis_smoke::{Attribution, Plan, Report, Verdict};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A server that answers conformingly, without a provider, and knows each generation only when it
/// is asked for the `lag`th time.
async fn nameless(lag: u32) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let lookups = Arc::new(AtomicU32::new(0));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(answer(stream, Arc::clone(&lookups), lag));
        }
    });
    format!("http://{address}/v1")
}

async fn answer(mut stream: TcpStream, lookups: Arc<AtomicU32>, lag: u32) {
    let request = read(&mut stream).await;
    let (status, body) = if request.starts_with("GET /v1/generation?id=gen-7") {
        if lookups.fetch_add(1, Ordering::Relaxed) < lag {
            (404, json!({"error": {"code": 404, "message": "not found"}}))
        } else {
            (
                200,
                json!({"data": {"id": "gen-7", "provider_name": "Granite"}}),
            )
        }
    } else {
        let content = json!({"n": 7}).to_string();
        let choice = json!({"index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": content}});
        (200, json!({"id": "gen-7", "choices": [choice]}))
    };
    let body = body.to_string();
    let head = format!(
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(body.as_bytes()).await.unwrap();
}

/// The whole request, as far as it matters that all of it was read.
async fn read(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    loop {
        let mut part = [0; 4096];
        let count = stream.read(&mut part).await.unwrap();
        bytes.extend(part.iter().take(count));
        let text = String::from_utf8(bytes.clone()).unwrap_or_default();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .find_map(|line| {
                    line.to_ascii_lowercase()
                        .strip_prefix("content-length:")?
                        .trim()
                        .parse()
                        .ok()
                })
                .unwrap_or(0);
            if body.len() >= length {
                return text;
            }
        }
        assert!(count > 0, "the request ended early");
    }
}

async fn smoke(url: String, openrouter: bool, lookup: Duration) -> Report {
    let client = tamis::Client::builder()
        .base_url(url)
        .openrouter(openrouter)
        .build()
        .unwrap();
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
    let plan = Plan::prompt("Count.", "count", schema)
        .model("a/b")
        .unwrap()
        .requests(3)
        .unwrap()
        .concurrency(1)
        .lookup(lookup);
    tamis_smoke::run(&client, &plan, |_| {}, std::future::pending())
        .await
        .unwrap()
}

#[tokio::test]
async fn the_generation_lookup_names_who_the_body_does_not() {
    let report = smoke(nameless(2).await, true, Duration::from_secs(20)).await;
    for sample in report.samples() {
        assert_eq!(sample.attribution, Attribution::Generation);
        assert_eq!(sample.provider.as_deref(), Some("Granite"));
    }
    let decision = report.models.first().unwrap().decision.clone();
    assert_eq!(decision.verdict, Verdict::Ship);
}

#[tokio::test]
async fn patience_with_the_lookup_ends() {
    let report = smoke(nameless(u32::MAX).await, true, Duration::from_millis(300)).await;
    let unknown = |sample: &tamis_smoke::Sample| sample.attribution == Attribution::Unknown;
    assert!(report.samples().all(unknown));
    assert!(report.samples().all(tamis_smoke::Sample::passed));
}

#[tokio::test]
async fn a_server_without_providers_counts_as_one() {
    let report = smoke(nameless(u32::MAX).await, false, Duration::from_mins(1)).await;
    let decision = report.models.first().unwrap().decision.clone();
    assert_eq!(decision.verdict, Verdict::Ship);
    assert_eq!((decision.provider, decision.provider_block), (None, None));
    assert_eq!(report.setup.require_parameters, None);
}
