//! The client against the simulator: what is sent, what is kept back, what is tried again.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};
use tamis::wire::request::{ProviderPreferences, ToolChoice};
use tamis::{Chat, Client, ClientBuilder, FailureKind, RetryPolicy, Tapped, schemars};
use tamis_sim::Sim;

const KEY: &str = "sk-test-4f1c9d";

async fn sim() -> Sim {
    Sim::builder()
        .seed(7)
        .hang(Duration::from_secs(30))
        .start()
        .await
        .unwrap()
}

fn builder(sim: &Sim) -> ClientBuilder {
    Client::builder()
        .base_url(sim.base_url())
        .openrouter(true)
        .api_key(KEY)
        .retry(quick())
}

fn quick() -> RetryPolicy {
    RetryPolicy::default().backoff(Duration::from_millis(2), Duration::from_millis(4))
}

fn client(sim: &Sim) -> Client {
    builder(sim).build().unwrap()
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {"city": {"type": "string"}, "zip": {"type": "string"}},
        "required": ["city", "zip"],
        "additionalProperties": false,
    })
}

#[derive(Debug, Deserialize, schemars::JsonSchema)]
struct Place {
    city: String,
    #[serde(rename = "zip")]
    _zip: String,
}

#[tokio::test]
async fn an_answer_carries_where_it_came_from() {
    let sim = sim().await;
    let answer = client(&sim)
        .chat("openai/gpt-4o")
        .system("Extract.")
        .user("4 Rue de la Paix, Paris")
        .json_schema("place", schema())
        .temperature(0.0)
        .answer()
        .await
        .unwrap();
    assert!(answer.value["city"].is_string());
    assert_eq!(
        serde_json::from_str::<Value>(&answer.text).unwrap(),
        answer.value
    );
    assert!(answer.provider.is_some() && answer.model.is_some() && answer.usage.is_some());
    assert!(answer.cost().unwrap() > 0.0);
    assert!(answer.generation_id.as_ref().unwrap().starts_with("gen-"));
    assert_eq!(answer.attempts, 1);

    let sent = sim.requests()[0].body.clone().unwrap();
    assert_eq!(sent["response_format"]["json_schema"]["strict"], true);
    assert_eq!(sent["temperature"], 0.0);
}

#[tokio::test]
async fn a_type_gives_the_schema_and_takes_the_answer() {
    let sim = sim().await;
    let answer = client(&sim)
        .chat("a/b")
        .user("Where?")
        .structured::<Place>()
        .await
        .unwrap();
    assert!(!answer.value.city.is_empty());
    let sent = sim.requests()[0].body.clone().unwrap();
    let format = &sent["response_format"]["json_schema"];
    assert_eq!(format["name"], "Place");
    assert_eq!(format["schema"]["additionalProperties"], false);
}

#[tokio::test]
async fn a_stream_folds_into_the_completion_of_a_plain_call() {
    let sim = sim().await;
    let chat = || {
        client(&sim)
            .chat("a/b")
            .user("Where?")
            .json_schema("place", schema())
            .header("x-tamis-key", "k")
    };
    let whole = chat().send().await.unwrap();
    let mut stream = chat().stream().await.unwrap();
    let mut text = String::new();
    while let Some(chunk) = stream.next().await {
        text.push_str(chunk.unwrap().text().unwrap_or_default());
    }
    let folded = stream.finish().await.unwrap();
    assert_eq!(Some(text.as_str()), folded.text().as_deref());
    assert_eq!(folded.text(), whole.text());
    assert_eq!(
        folded.usage.unwrap().total_tokens,
        whole.usage.unwrap().total_tokens
    );
}

/// The word that a refusal names, and the request that is refused.
type Spoilt<'a> = Vec<(&'a str, Box<dyn Fn() -> Chat + 'a>)>;

/// Every refusal happens on both paths, and nothing is sent.
#[tokio::test]
async fn what_is_wrong_is_refused_before_it_is_sent() {
    let sim = sim().await;
    let client = client(&sim);
    let ask = || client.chat("a/b").user("hi");
    let with_schema = |name: &str, schema: Value| ask().json_schema(name, schema);
    let spoilt: Spoilt<'_> = vec![
        ("model", Box::new(|| client.chat("").user("hi"))),
        ("messages", Box::new(|| client.chat("a/b"))),
        ("temperature", Box::new(|| ask().temperature(2.1))),
        ("stop", Box::new(|| ask().stop(["a", "b", "c", "d", "e"]))),
        ("U+000A", Box::new(|| with_schema("place\n", schema()))),
        ("U+0665", Box::new(|| with_schema("place\u{665}", schema()))),
        ("json_schema.name", Box::new(|| with_schema("", schema()))),
        (
            "json_schema.schema",
            Box::new(|| with_schema("x", json!({"type": "objct"}))),
        ),
        (
            "json_schema.schema",
            Box::new(|| with_schema("x", json!("text"))),
        ),
        ("header", Box::new(|| ask().header("bad name", "x"))),
    ];
    for (word, chat) in spoilt {
        for failure in [
            chat().send().await.unwrap_err(),
            chat().stream().await.unwrap_err(),
            chat().answer().await.unwrap_err(),
        ] {
            assert_eq!(failure.kind(), FailureKind::Validation, "{failure}");
            assert!(failure.message().contains(word), "{word}: {failure}");
            assert_eq!(failure.attempts(), 0);
        }
    }
    assert!(sim.requests().is_empty());
    ask().send().await.unwrap();
    assert_eq!(sim.requests().len(), 1);
}

#[tokio::test]
async fn fields_of_openrouter_go_to_openrouter_only() {
    let sim = sim().await;
    let plain = builder(&sim).openrouter(false).build().unwrap();
    for (client, kept) in [(client(&sim), true), (plain, false)] {
        let chat = client
            .chat("a/b")
            .user("hi")
            .provider(ProviderPreferences::require_parameters())
            .tool_choice(ToolChoice::Auto);
        chat.stream().await.unwrap().finish().await.unwrap();
        let body = sim.requests().last().unwrap().body.clone().unwrap();
        assert_eq!(body.get("provider").is_some(), kept);
        assert_eq!(body["tool_choice"], "auto");
        // Usage comes unasked from OpenRouter, from others on request.
        assert_eq!(body.get("stream_options").is_some(), !kept);
    }
}

#[tokio::test]
async fn transient_failures_are_tried_again_and_counted() {
    let sim = sim().await;
    let client = client(&sim);
    for (model, sent, kind) in [
        ("sim/http-502", 3, FailureKind::ProviderUnavailable),
        ("sim/rate-limited", 3, FailureKind::RateLimited),
        ("sim/error-envelope", 3, FailureKind::ProviderUnavailable),
        ("sim/unauthorized", 1, FailureKind::Authentication),
        ("sim/http-501", 1, FailureKind::ProviderUnavailable),
        ("sim/quota-exhausted", 1, FailureKind::InsufficientCredits),
        (
            "sim/unavailable-for-good",
            1,
            FailureKind::ProviderUnavailable,
        ),
    ] {
        for stream in [false, true] {
            let before = sim.requests().len();
            let chat = client.chat(model).user("hi");
            let failure = if stream {
                chat.stream().await.unwrap_err()
            } else {
                chat.send().await.unwrap_err()
            };
            assert_eq!(failure.kind(), kind, "{model}");
            assert_eq!(failure.attempts(), sent, "{model}");
            assert_eq!(sim.requests().len() - before, sent as usize, "{model}");
            assert!(
                failure
                    .generation_id()
                    .is_some_and(|id| id.starts_with("gen-")),
                "{model}"
            );
        }
    }
    let answer = client
        .chat("sim/http-502*2")
        .user("hi")
        .json_schema("x", schema())
        .answer()
        .await
        .unwrap();
    assert_eq!(answer.attempts, 3);
    let stream = client
        .chat("sim/error-first*1")
        .user("hi")
        .stream()
        .await
        .unwrap();
    assert_eq!(stream.attempts(), 2);
}

#[tokio::test]
async fn nothing_is_tried_again_after_the_first_chunk() {
    let sim = sim().await;
    for model in [
        "sim/eof-mid-answer",
        "sim/error-mid-stream",
        "sim/cut-inside-chunk",
    ] {
        let before = sim.requests().len();
        let failure = client(&sim)
            .chat(model)
            .user("hi")
            .stream()
            .await
            .unwrap()
            .finish()
            .await
            .unwrap_err();
        assert!(failure.is_transient());
        assert_eq!(sim.requests().len() - before, 1, "{model}");
        assert!(
            failure
                .completion()
                .is_some_and(|partial| !partial.is_finished()),
            "{model}"
        );
        assert!(failure.into_completion().unwrap().parse_json().is_err());
    }
}

#[tokio::test]
async fn the_server_says_how_long_to_wait() {
    let sim = sim().await;
    let short = RetryPolicy::default()
        .max_retries(1)
        .longest_server_wait(Duration::from_millis(150));
    for model in [
        "sim/rate-limited-seconds",
        "sim/rate-limited-date",
        "sim/rate-limited-ms",
        "sim/rate-limited-body",
    ] {
        let began = Instant::now();
        let failure = client(&sim)
            .chat(model)
            .user("hi")
            .retry(short.clone())
            .send()
            .await
            .unwrap_err();
        assert!(failure.retry_after().is_some(), "{model}");
        assert!(
            began.elapsed() >= Duration::from_millis(100),
            "{model}: {:?}",
            began.elapsed()
        );
    }
    // A wait that would pass the deadline is not begun.
    let began = Instant::now();
    let chat = client(&sim)
        .chat("sim/rate-limited-for-a-day")
        .user("hi")
        .timeout(Duration::from_secs(2));
    let failure = chat.retry(RetryPolicy::default()).send().await.unwrap_err();
    assert_eq!(
        (failure.kind(), failure.attempts()),
        (FailureKind::RateLimited, 1)
    );
    assert!(began.elapsed() < Duration::from_secs(1));
}

#[tokio::test]
async fn nothing_hangs() {
    let sim = sim().await;
    let client = builder(&sim)
        .stall_timeout(Duration::from_millis(300))
        .first_byte_timeout(Duration::from_millis(300))
        .retry(RetryPolicy::none())
        .build()
        .unwrap();
    for (model, stream, kind) in [
        ("sim/hang-before-headers", false, FailureKind::Timeout),
        ("sim/hang-before-headers", true, FailureKind::Timeout),
        ("sim/hang-before-first-event", true, FailureKind::Stalled),
        ("sim/hang-mid-stream", false, FailureKind::Stalled),
        ("sim/hang-mid-stream", true, FailureKind::Stalled),
        ("sim/stall-with-comments", true, FailureKind::Stalled),
        ("sim/stall-with-comments-first", true, FailureKind::Stalled),
        ("sim/stall-with-empty-deltas", true, FailureKind::Stalled),
    ] {
        let began = Instant::now();
        let chat = client.chat(model).user("hi");
        let failure = if stream {
            match chat.stream().await {
                Ok(stream) => stream.finish().await.unwrap_err(),
                Err(failure) => failure,
            }
        } else {
            chat.send().await.unwrap_err()
        };
        assert_eq!(failure.kind(), kind, "{model}");
        assert!(began.elapsed() < Duration::from_secs(3), "{model}");
    }
    let chat = builder(&sim)
        .build()
        .unwrap()
        .chat("sim/slow-drip")
        .user("hi")
        .timeout(Duration::from_millis(400));
    let failure = match chat.stream().await {
        Ok(stream) => stream.finish().await.unwrap_err(),
        Err(failure) => failure,
    };
    assert_eq!(failure.kind(), FailureKind::Timeout);
}

#[tokio::test]
async fn time_in_which_the_caller_does_not_ask_is_not_a_stall() {
    let sim = Sim::builder()
        .seed(7)
        .pace(Duration::from_millis(60))
        .start()
        .await
        .unwrap();
    let client = builder(&sim)
        .stall_timeout(Duration::from_millis(500))
        .build()
        .unwrap();
    let mut stream = client
        .chat("sim/conforming")
        .user("hi")
        .json_schema("place", schema())
        .stream()
        .await
        .unwrap();
    stream.next().await.unwrap().unwrap();
    // Let go in the middle of a wait, and come back much later.
    let _ = tokio::time::timeout(Duration::from_millis(5), stream.next()).await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    stream.finish().await.unwrap();
}

#[tokio::test]
async fn a_connection_that_the_server_closed_meanwhile_fails_nothing() {
    let sim = sim().await;
    let client = builder(&sim).retry(RetryPolicy::none()).build().unwrap();
    for model in ["sim/close-on-reuse", "sim/close-after-response"] {
        for _ in 0..5 {
            client.chat(model).user("hi").send().await.unwrap();
            client
                .chat(model)
                .user("hi")
                .stream()
                .await
                .unwrap()
                .finish()
                .await
                .unwrap();
        }
    }
}

#[tokio::test]
async fn connections_are_used_again() {
    let sim = sim().await;
    let client = client(&sim);
    for _ in 0..5 {
        client
            .chat("sim/conforming")
            .user("hi")
            .send()
            .await
            .unwrap();
    }
    assert_eq!(sim.connections(), 1);
}

#[tokio::test]
async fn dropping_a_stream_cancels_the_request() {
    let sim = sim().await;
    let client = client(&sim);
    let mut stream = client
        .chat("sim/hang-mid-stream")
        .user("hi")
        .stream()
        .await
        .unwrap();
    stream.next().await.unwrap().unwrap();
    drop(stream);
    // The simulator's shutdown waits for connections that are still in use.
    tokio::time::timeout(Duration::from_secs(5), sim.shutdown())
        .await
        .unwrap();
}

#[tokio::test]
async fn bodies_are_read_to_their_limit_only() {
    let sim = sim().await;
    for (model, kind) in [
        ("sim/oversized-body", FailureKind::Malformed),
        ("sim/gzip-bomb", FailureKind::Malformed),
        ("sim/truncated-body", FailureKind::Network),
        ("sim/reset-mid-answer", FailureKind::Network),
        ("sim/empty-body", FailureKind::Malformed),
        ("sim/html-success", FailureKind::Malformed),
    ] {
        let failure = client(&sim)
            .chat(model)
            .user("hi")
            .send()
            .await
            .unwrap_err();
        assert_eq!(failure.kind(), kind, "{model}: {failure}");
    }
}

#[tokio::test]
async fn a_key_goes_to_the_configured_host_only_and_is_never_printed() {
    let sim = sim().await;
    let failure = client(&sim)
        .chat("sim/redirect-elsewhere")
        .user("hi")
        .send()
        .await
        .unwrap_err();
    assert_eq!(failure.status(), Some(307));
    assert!(failure.message().contains("elsewhere"));
    assert_eq!(sim.requests().len(), 1);

    let client = client(&sim);
    let chat = client.chat("a/b").user("hi");
    let printed = format!(
        "{client:?} {chat:?} {:?} {failure:?} {failure}",
        builder(&sim)
    );
    assert!(!printed.contains(KEY), "{printed}");

    let refused = builder(&sim).api_key("a\nb").build().unwrap_err();
    assert!(!format!("{refused:?}").contains("a\nb"));
}

#[tokio::test]
async fn a_closed_port_is_the_network_s_fault() {
    let client = Client::builder()
        .base_url("http://127.0.0.1:1/v1")
        .retry(quick())
        .build()
        .unwrap();
    let failure = client.chat("a/b").user("hi").send().await.unwrap_err();
    assert_eq!(
        (failure.kind(), failure.attempts()),
        (FailureKind::Network, 3)
    );
    assert_eq!(failure.status(), None);
}

#[tokio::test]
async fn a_tap_sees_what_the_server_sent() {
    let sim = sim().await;
    let seen = Arc::new(Mutex::new((Vec::new(), Vec::new())));
    let tap = Arc::clone(&seen);
    let completion = client(&sim)
        .chat("sim/http-502*1")
        .user("hi")
        .tap(move |tapped| {
            let mut seen = tap.lock().unwrap();
            match tapped {
                Tapped::Response {
                    attempt, status, ..
                } => seen.0.push((attempt, status)),
                Tapped::Bytes(bytes) => seen.1.extend_from_slice(bytes),
                _ => {}
            }
        })
        .send()
        .await
        .unwrap();
    let seen = seen.lock().unwrap();
    assert_eq!(seen.0, [(1, 502), (2, 200)]);
    let text = String::from_utf8(seen.1.clone()).unwrap();
    assert!(text.contains(completion.id.as_deref().unwrap()));
}

#[tokio::test]
async fn violations_are_named() {
    let sim = sim().await;
    let failure = client(&sim)
        .chat("sim/missing-property")
        .user("hi")
        .json_schema("x", schema())
        .answer()
        .await
        .unwrap_err();
    assert_eq!(failure.kind(), FailureKind::Malformed);
    let violations = tamis::violations(&failure);
    assert_eq!(violations[0].keyword, "required");
    assert!(failure.completion().unwrap().usage.is_some());
}

#[tokio::test]
async fn a_generation_is_looked_up() {
    let sim = sim().await;
    let client = client(&sim);
    let completion = client.chat("a/b").user("hi").send().await.unwrap();
    let id = completion.id.unwrap();
    let generation = client.generation(&id).await.unwrap();
    assert_eq!(generation.provider_name, completion.provider);
    let failure = client.generation("gen-none").await.unwrap_err();
    assert_eq!(failure.status(), Some(404));
}

#[tokio::test]
async fn an_error_beside_the_first_event_is_the_stream_s_failure() {
    let sim = sim().await;
    let client = builder(&sim).retry(RetryPolicy::none()).build().unwrap();
    for model in [
        "sim/error-first",
        "sim/error-first-then-done",
        "sim/error-envelope",
        "sim/null-body",
        "sim/stream-empty",
        "sim/comments-only",
        "sim/html-success",
    ] {
        let failure = client.chat(model).user("hi").stream().await.unwrap_err();
        assert!(failure.is_transient(), "{model}: {failure}");
    }
    let stream = client
        .chat("sim/json-for-stream")
        .user("hi")
        .json_schema("x", schema())
        .stream()
        .await
        .unwrap();
    stream.finish().await.unwrap().parse_json().unwrap();
}

#[tokio::test]
async fn a_server_that_never_sends_a_finish_reason_can_be_allowed_for() {
    let sim = sim().await;
    let strict = client(&sim)
        .chat("sim/no-finish-reason")
        .user("hi")
        .stream()
        .await
        .unwrap()
        .finish()
        .await
        .unwrap_err();
    assert_eq!(strict.kind(), FailureKind::Interrupted);
    let client = builder(&sim).allow_missing_finish(true).build().unwrap();
    let completion = client
        .chat("sim/no-finish-reason")
        .user("hi")
        .stream()
        .await
        .unwrap()
        .finish()
        .await
        .unwrap();
    assert!(completion.is_unconfirmed());
    // A connection that breaks is not a clean end, whatever is allowed.
    let failure = client
        .chat("sim/cut-inside-chunk")
        .user("hi")
        .stream()
        .await
        .unwrap()
        .finish()
        .await
        .unwrap_err();
    assert_eq!(failure.kind(), FailureKind::Interrupted);
}
