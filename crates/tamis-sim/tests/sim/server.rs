//! The server itself: what it refuses, what it remembers, how it stops.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tamis_sim::Sim;

use super::client::{Connection, Ended, ask, get, plain, structured};

#[tokio::test]
async fn bad_requests_are_refused_in_openrouters_words() {
    let sim = Sim::builder().start().await.unwrap();
    let mut unknown_key = plain("a/b");
    unknown_key["provider"] = json!({"orders": []});
    let mut wrong_type = plain("a/b");
    wrong_type["temperature"] = json!("hot");
    for (body, words) in [
        (json!("text"), "Input must have at least 1 token."),
        (json!({"model": "a/b"}), "Input required: specify"),
        (
            json!({"model": "a/b", "messages": []}),
            "Input required: specify",
        ),
        (unknown_key, "Unrecognized key(s) in object: 'orders'"),
        (
            wrong_type,
            "temperature: Invalid input: expected number, received string",
        ),
        (
            plain("unknown/model"),
            "unknown/model is not a valid model ID",
        ),
        (
            plain("sim/no-such-fault"),
            "sim/no-such-fault is not a valid model ID",
        ),
    ] {
        let got = ask(&sim, &[], &body).await;
        assert_eq!(got.status, Some(400), "{body}");
        let message = got.json()["error"]["message"].clone();
        assert!(message.as_str().unwrap().contains(words), "{message}");
    }
    let got = ask(&sim, &[("x-tamis-fault", "nonsense")], &plain("a/b")).await;
    assert_eq!(got.status, Some(400));
    assert!(got.text().contains("there is no fault 'nonsense'"));
}

#[tokio::test]
async fn a_key_is_asked_for_only_if_required() {
    let sim = Sim::builder().require_key("right").start().await.unwrap();
    for (headers, status, words) in [
        (vec![], 401, "No cookie auth credentials found"),
        (
            vec![("Authorization", "Bearer wrong")],
            401,
            "User not found.",
        ),
        (vec![("Authorization", "Bearer right")], 200, "choices"),
    ] {
        let got = ask(&sim, &headers, &plain("a/b")).await;
        assert_eq!(got.status, Some(status));
        assert!(got.text().contains(words));
    }
    assert_eq!(get(&sim, "/models", &[]).await.status, Some(200));
    assert_eq!(get(&sim, "/key", &[]).await.status, Some(401));
}

#[tokio::test]
async fn requests_are_kept_without_the_key() {
    let sim = Sim::builder().start().await.unwrap();
    ask(
        &sim,
        &[("Authorization", "Bearer sk-secret"), ("X-Title", "test")],
        &plain("a/b"),
    )
    .await;
    get(&sim, "/models?limit=1", &[]).await;
    let requests = sim.requests();
    assert_eq!(requests.len(), 2);
    assert_eq!(
        (requests[0].method.as_str(), requests[0].path.as_str()),
        ("POST", "/api/v1/chat/completions")
    );
    assert_eq!(requests[0].header("authorization"), Some("Bearer ***"));
    assert_eq!(requests[0].header("x-title"), Some("test"));
    assert_eq!(requests[0].body, Some(plain("a/b")));
    assert_eq!(requests[1].path, "/api/v1/models?limit=1");
    assert!(!format!("{requests:?}").contains("sk-secret"));
}

#[tokio::test]
async fn connections_are_kept_and_counted() {
    let sim = Sim::builder().start().await.unwrap();
    let mut connection = Connection::open(sim.address()).await;
    for stream in [false, true, false] {
        let body = structured("sim/steady", stream).to_string();
        connection
            .send("POST", "/chat/completions", &[], &body)
            .await;
        let got = connection.read(Duration::from_secs(2)).await;
        assert_eq!((got.status, got.ended), (Some(200), Ended::Complete));
    }
    assert_eq!((sim.connections(), sim.requests().len()), (1, 3));
}

#[tokio::test]
async fn shutdown_does_not_wait_for_what_hangs() {
    for fault in [
        "hang-before-headers",
        "hang-before-first-event",
        "hang-mid-stream",
        "stall-with-comments",
        "slow-drip",
        "oversized-event",
    ] {
        let sim = Sim::builder()
            .drip(Duration::from_secs(9))
            .start()
            .await
            .unwrap();
        let mut connection = Connection::open(sim.address()).await;
        let body = structured(&format!("sim/{fault}"), true).to_string();
        connection
            .send("POST", "/chat/completions", &[], &body)
            .await;
        let got = if fault == "oversized-event" {
            None // never read: the server is blocked in a write
        } else {
            Some(connection.read(Duration::from_millis(50)).await)
        };
        assert!(got.is_none_or(|got| got.ended == Ended::Silent || fault == "stall-with-comments"));
        let start = Instant::now();
        sim.shutdown().await;
        assert!(
            start.elapsed() < Duration::from_millis(1_500),
            "{fault}: {:?}",
            start.elapsed()
        );
    }
}

#[tokio::test]
async fn dropping_it_frees_the_port() {
    let sim = Sim::builder().start().await.unwrap();
    let address = sim.address();
    drop(sim);
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(tokio::net::TcpStream::connect(address).await.is_err());
    let again = Sim::builder().port(address.port()).start().await.unwrap();
    assert_eq!(again.address(), address);
    assert!(Sim::builder().port(address.port()).start().await.is_err());
}

#[tokio::test]
async fn nothing_sent_can_hurt_it() {
    let sim = Sim::builder().start().await.unwrap();
    for schema in [
        json!({"$ref": "#"}),
        json!({"type": "array", "minItems": 1e18}),
        json!({"allOf": [{"$ref": "#"}]}),
    ] {
        let mut request = structured("sim/steady", false);
        request["response_format"]["json_schema"]["schema"] = schema;
        assert_eq!(ask(&sim, &[], &request).await.status, Some(200));
    }
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    let mut connection = Connection::open(sim.address()).await;
    connection
        .send("POST", "/chat/completions", &[], &deep)
        .await;
    assert_eq!(
        connection.read(Duration::from_secs(5)).await.status,
        Some(400)
    );
    let got = ask(&sim, &[], &plain("a/b")).await;
    assert!(
        got.json()["choices"]
            .as_array()
            .is_some_and(|list| list.iter().all(Value::is_object))
    );
}
