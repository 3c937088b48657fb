//! A real server with a real model, at `TAMIS_E2E_BASE_URL`. Ignored by default.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::time::Duration;

use serde::Deserialize;
use tamis::{Client, FinishReason, RetryPolicy, schemars};

#[derive(Debug, Deserialize, schemars::JsonSchema)]
struct Animal {
    name: String,
    #[serde(rename = "legs")]
    _legs: u8,
}

fn client() -> Client {
    Client::builder()
        .base_url(std::env::var("TAMIS_E2E_BASE_URL").unwrap())
        .timeout(Duration::from_mins(5))
        .retry(RetryPolicy::none())
        .build()
        .unwrap()
}

fn model() -> String {
    std::env::var("TAMIS_E2E_MODEL").unwrap_or_else(|_| "local".to_owned())
}

#[tokio::test]
#[ignore = "needs a server at TAMIS_E2E_BASE_URL"]
async fn text_plain_and_streamed() {
    let client = client();
    let chat = || {
        client
            .chat(model())
            .user("Say hello.")
            .temperature(0.0)
            .max_tokens(16)
    };
    let whole = chat().send().await.unwrap();
    assert!(!whole.text().unwrap().is_empty());
    // llama.cpp closes the connection after each stream: none of these may fail for it.
    for _ in 0..3 {
        let mut stream = chat().stream().await.unwrap();
        let mut chunks = 0;
        while let Some(chunk) = stream.next().await {
            chunk.unwrap();
            chunks += 1;
        }
        let folded = stream.finish().await.unwrap();
        assert!(chunks > 1);
        assert!(folded.usage.is_some());
        assert!(!folded.text().unwrap().is_empty());
    }
}

#[tokio::test]
#[ignore = "needs a server at TAMIS_E2E_BASE_URL"]
async fn a_value_that_conforms() {
    let answer = client()
        .chat(model())
        .user("Describe a dog as JSON with its name and its number of legs.")
        .max_tokens(80)
        .structured::<Animal>()
        .await
        .unwrap();
    assert!(!answer.value.name.is_empty());
}

#[tokio::test]
#[ignore = "needs a server at TAMIS_E2E_BASE_URL"]
async fn what_is_cut_off_is_no_answer() {
    let client = client();
    let chat = || {
        client
            .chat(model())
            .user("Count from 1 to 100.")
            .max_tokens(4)
    };
    assert_eq!(
        chat().send().await.unwrap().finish_reason(),
        Some(&FinishReason::Length)
    );
    let failure = chat().answer().await.unwrap_err();
    assert_eq!(failure.kind(), tamis::FailureKind::ContextLength);
}

#[tokio::test]
#[ignore = "needs a server at TAMIS_E2E_BASE_URL that speaks Responses and Messages"]
async fn the_other_protocols_say_the_same() {
    let client = client();
    let responses = || {
        client
            .responses(model())
            .user("Say hello.")
            .temperature(0.0)
            .max_output_tokens(16)
    };
    let messages = || {
        client
            .messages(model())
            .user("Say hello.")
            .temperature(0.0)
            .max_tokens(16)
    };
    let whole = responses().send().await.unwrap();
    assert!(!whole.text().unwrap().is_empty());
    assert!(whole.response().is_some() && whole.usage.is_some());
    let folded = responses().stream().await.unwrap().finish().await.unwrap();
    assert!(!folded.text().unwrap().is_empty());
    assert!(folded.response().is_some());

    let whole = messages().send().await.unwrap();
    assert!(!whole.text().unwrap().is_empty());
    assert!(whole.native_message().is_some() && whole.usage.is_some());
    let folded = messages().stream().await.unwrap().finish().await.unwrap();
    assert!(!folded.text().unwrap().is_empty());
    assert!(folded.native_message().is_some());
}
