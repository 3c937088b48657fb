//! The same answers in the Responses and the Messages protocol.

use std::time::Duration;

use serde_json::{Value, json};
use tamis_sim::{AppliesTo, Fault, Sim};

use super::client::{Connection, Ended, Got, schema};

async fn post(sim: &Sim, path: &str, body: &Value) -> Got {
    let mut connection = Connection::open(sim.address()).await;
    connection.send("POST", path, &[], &body.to_string()).await;
    connection.read(Duration::from_secs(5)).await
}

async fn start() -> Sim {
    Sim::builder()
        .seed(1)
        .pace(Duration::ZERO)
        .start()
        .await
        .unwrap()
}

fn response(model: &str, stream: bool) -> Value {
    json!({"model": model, "stream": stream, "input": "Describe the sample.", "text": {"format":
        {"type": "json_schema", "name": "sample", "strict": true, "schema": schema()}}})
}

fn message(model: &str, stream: bool) -> Value {
    json!({"model": model, "stream": stream, "messages": [{"role": "user", "content": "Describe it."}],
        "output_config": {"format": {"type": "json_schema", "schema": schema()}}})
}

/// The names and the data of a stream's events.
fn events(got: &Got) -> Vec<(String, Value)> {
    got.text()
        .split("\n\n")
        .filter_map(|event| event.strip_prefix("event: ")?.split_once("\ndata: "))
        .map(|(name, data)| (name.to_owned(), serde_json::from_str(data).unwrap()))
        .collect()
}

#[tokio::test]
async fn plain_answers() {
    let sim = start().await;
    let got = post(&sim, "/responses", &response("sim/steady", false)).await;
    assert_eq!((got.status, got.ended), (Some(200), Ended::Complete));
    let body = got.json();
    assert_eq!(
        (&body["object"], &body["status"]),
        (&json!("response"), &json!("completed"))
    );
    assert_eq!(got.header("x-generation-id"), body["id"].as_str());
    let text = body["output"][0]["content"][0]["text"].as_str().unwrap();
    jsonschema::validate(&schema(), &serde_json::from_str(text).unwrap()).unwrap();
    assert!(body["usage"]["input_tokens"].is_u64() && body["usage"]["cost"].is_f64());

    let body = post(&sim, "/messages", &message("sim/steady", false))
        .await
        .json();
    assert_eq!(
        (&body["type"], &body["stop_reason"]),
        (&json!("message"), &json!("end_turn"))
    );
    let text = body["content"][0]["text"].as_str().unwrap();
    jsonschema::validate(&schema(), &serde_json::from_str(text).unwrap()).unwrap();
    assert!(body["usage"]["output_tokens"].is_u64());
}

#[tokio::test]
async fn streams() {
    let sim = start().await;
    let got = post(&sim, "/responses", &response("sim/steady", true)).await;
    assert!(got.is_done() && got.text().starts_with(": OPENROUTER PROCESSING\n\n"));
    let all = events(&got);
    let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names[..4],
        [
            "response.created",
            "response.in_progress",
            "response.output_item.added",
            "response.content_part.added"
        ]
    );
    assert_eq!(*names.last().unwrap(), "response.completed");
    for (number, (name, event)) in all.iter().enumerate() {
        assert_eq!(event["type"], name.as_str());
        assert_eq!(event["sequence_number"], number);
    }
    let text: String = all
        .iter()
        .filter_map(|(_, event)| event["delta"].as_str())
        .collect();
    assert_eq!(
        all.last().unwrap().1["response"]["output"][0]["content"][0]["text"],
        text.as_str()
    );

    let got = post(&sim, "/messages", &message("sim/steady", true)).await;
    let all = events(&got);
    let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names[..3], ["message_start", "ping", "content_block_start"]);
    assert_eq!(
        names[names.len() - 3..],
        ["content_block_stop", "message_delta", "message_stop"]
    );
    assert_eq!(all[names.len() - 2].1["delta"]["stop_reason"], "end_turn");
}

#[tokio::test]
async fn tools_thoughts_and_limits() {
    let sim = start().await;
    let tool =
        json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]});
    let body = post(
        &sim,
        "/responses",
        &json!({"model": "a/b", "input": "Hi.", "tool_choice": "required",
        "reasoning": {"effort": "low"},
        "tools": [{"type": "function", "name": "weather", "parameters": tool}]}),
    )
    .await
    .json();
    assert_eq!(body["output"][0]["type"], "reasoning");
    assert_eq!(body["output"][1]["name"], "weather");
    let body = post(
        &sim,
        "/messages",
        &json!({"model": "a/b", "thinking": {"type": "enabled"},
        "messages": [{"role": "user", "content": "Hi."}], "tool_choice": {"type": "any"},
        "tools": [{"name": "weather", "input_schema": tool}]}),
    )
    .await
    .json();
    assert_eq!(body["stop_reason"], "tool_use");
    assert_eq!(body["content"][0]["type"], "thinking");
    assert!(body["content"][1]["input"]["city"].is_string());

    let body = post(
        &sim,
        "/responses",
        &json!({"model": "a/b", "input": "Hi.", "max_output_tokens": 2}),
    )
    .await;
    assert_eq!(
        body.json()["incomplete_details"]["reason"],
        "max_output_tokens"
    );
    let body = post(
        &sim,
        "/messages",
        &json!({"model": "a/b", "max_tokens": 2,
        "messages": [{"role": "user", "content": "Hi."}]}),
    )
    .await;
    assert_eq!(body.json()["stop_reason"], "max_tokens");
}

#[tokio::test]
async fn refusals_come_in_the_protocols_own_envelope() {
    let sim = Sim::builder().require_key("k").start().await.unwrap();
    let got = post(&sim, "/messages", &message("sim/steady", false)).await;
    assert_eq!(got.status, Some(401));
    assert_eq!(got.json()["error"]["type"], "authentication_error");

    let sim = start().await;
    for (path, body) in [
        ("/responses", json!({"model": "a/b"})),
        (
            "/responses",
            json!({"model": "a/b", "input": "x", "store": true}),
        ),
        (
            "/responses",
            json!({"model": "a/b", "input": "x", "previous_response_id": "r"}),
        ),
        (
            "/responses",
            json!({"model": "a/b", "input": "x", "text": {"format": {"type": "json_schema"}}}),
        ),
        ("/messages", json!({"model": "a/b"})),
        (
            "/messages",
            json!({"model": "a/b", "messages": [{"role": "user", "content": "x"}],
            "output_config": {"format": {"type": "json_schema"}}}),
        ),
    ] {
        let got = post(&sim, path, &body).await;
        assert_eq!(got.status, Some(400), "{path} {body}");
        let error = &got.json()["error"];
        assert!(error["message"].is_string());
        if path == "/messages" {
            assert_eq!(error["type"], "invalid_request_error");
        }
    }
    let got = post(&sim, "/messages", &message("sim/http-529", false)).await;
    assert_eq!(got.status, Some(529));
    assert_eq!(got.json()["error"]["type"], "overloaded_error");
    let body = post(&sim, "/responses", &response("sim/error-envelope", false))
        .await
        .json();
    assert_eq!(
        (&body["status"], &body["error_type"]),
        (&json!("failed"), &json!("provider_unavailable"))
    );
}

/// Name, and what of the stream it changes: the last event of a response and of a message.
const TABLE: &[(&str, &str, &str)] = &[
    ("turn-paused", "response.incomplete", "message_stop"),
    ("failed-at-once", "response.failed", "error"),
    ("failed-at-end", "response.failed", "error"),
    ("unknown-events", "response.completed", "message_stop"),
    (
        "events-without-places",
        "response.completed",
        "message_stop",
    ),
    ("no-output-at-end", "response.completed", "message_stop"),
];

#[tokio::test]
async fn every_fault_of_the_protocols_does_what_it_says() {
    let sim = start().await;
    let names: Vec<&str> = Fault::of_protocols().iter().map(Fault::name).collect();
    assert_eq!(names, TABLE.iter().map(|row| row.0).collect::<Vec<_>>());
    for (name, response_end, message_end) in TABLE {
        let model = format!("sim/{name}");
        let responses = events(&post(&sim, "/responses", &response(&model, true)).await);
        let messages = events(&post(&sim, "/messages", &message(&model, true)).await);
        assert_eq!(responses.last().unwrap().0, *response_end, "{name}");
        assert_eq!(messages.last().unwrap().0, *message_end, "{name}");
        let has = |events: &[(String, Value)], what: &str| {
            events.iter().any(|(_, event)| event.get(what).is_some())
        };
        assert_eq!(has(&responses, "novel"), *name == "unknown-events");
        let placed = !matches!(*name, "events-without-places" | "failed-at-once");
        assert_eq!(has(&responses, "output_index"), placed, "{name}");
        assert_eq!(has(&messages, "index"), placed, "{name}");
        let output = &responses.last().unwrap().1["response"]["output"];
        assert_eq!(
            output == &json!([]),
            matches!(
                *name,
                "no-output-at-end" | "failed-at-end" | "failed-at-once"
            ),
            "{name}"
        );
        let fault = Fault::named(name).unwrap();
        assert!(matches!(
            fault.applies_to(),
            AppliesTo::Both | AppliesTo::Stream
        ));
    }
}
