//! Decisions, and what goes wrong with them.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tamis_sim::{AppliesTo, Fault, Sim};

use super::client::{Got, ask, get, plain};
use super::data::send_to;

const PATH: &str = "/api/alpha/decisions";

fn request() -> Value {
    json!({
        "model": "sim/decider",
        "state": {"message": "It arrived crushed."},
        "questions": {
            "refund": {"type": "noul", "instructions": "Is money asked for?"},
            "queue": {"type": "choice", "instructions": "Who?", "criteria": {"shipping": null, "billing": "Money."}},
            "anger": {"type": "score", "instructions": "How angry?", "criteria": ["calm", {"word": "furious"}]},
            "dog": {"type": "box", "instructions": "the dog"},
        },
    })
}

async fn decide(sim: &Sim, fault: &str, request: &Value) -> Got {
    send_to(sim, PATH, &[("x-tamis-fault", fault)], request).await
}

#[tokio::test]
async fn every_question_has_its_answer() {
    let sim = Sim::builder().seed(3).start().await.unwrap();
    let got = decide(&sim, "conforming", &request()).await;
    let body = got.json();
    assert_eq!(got.status, Some(200), "{body}");
    let id = body["id"].as_str().unwrap();
    assert!(id.starts_with("gen-dec-"));
    assert_eq!(got.header("x-generation-id"), Some(id));
    assert_eq!(body["model"], "sim/decider-20260101");
    let answers = body["answers"].as_object().unwrap();
    let ids: Vec<&str> = answers.keys().map(String::as_str).collect();
    assert_eq!(ids, ["anger", "dog", "queue", "refund"]);
    let noul = answers["refund"]["noul"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&noul));
    let chosen = answers["queue"]["choice"].as_str().unwrap();
    let most = answers["queue"]["probabilities"][chosen].as_f64().unwrap();
    assert!(most >= 0.5);
    assert_eq!(answers["anger"]["legend"]["1"], json!({"word": "furious"}));
    assert!(answers["dog"]["box"]["top"].as_f64() <= answers["dog"]["box"]["bottom"].as_f64());
    assert!(body["usage"]["input_tokens"].as_u64().unwrap() > 280);
    let record = get(&sim, &format!("/generation?id={id}"), &[]).await.json();
    assert_eq!(record["data"]["api_type"], "decisions");
    // The same seed gives the same, and the next request something else.
    let again = Sim::builder().seed(3).start().await.unwrap();
    assert_eq!(decide(&again, "conforming", &request()).await.json(), body);
    assert_ne!(
        decide(&again, "conforming", &request()).await.json()["answers"],
        body["answers"]
    );
}

#[tokio::test]
async fn what_is_refused() {
    let sim = Sim::builder().require_key("k").start().await.unwrap();
    assert_eq!(decide(&sim, "", &request()).await.status, Some(401));
    let sim = Sim::builder().start().await.unwrap();
    let rows: [(&str, Value); 12] = [
        ("/state", Value::Null),
        ("/state", json!(5)),
        ("/questions", json!({})),
        ("/questions", json!([])),
        ("/questions/refund/type", json!("maybe")),
        ("/questions/refund/instructions", Value::Null),
        ("/questions/queue/criteria", json!({"one": null})),
        ("/questions/queue/criteria", Value::Null),
        ("/questions/anger/criteria", json!(["one"])),
        ("/model", Value::Null),
        ("/model", json!("unknown/model")),
        ("/model", json!("sim/steady")),
    ];
    for (pointer, value) in rows {
        let mut request = request();
        *request.pointer_mut(pointer).unwrap() = value.clone();
        let got = decide(&sim, "", &request).await;
        assert_eq!(got.status, Some(400), "{pointer} {value}");
    }
    for (name, value) in [
        ("images", json!([])),
        ("session_id", json!("x".repeat(257))),
    ] {
        let mut request = request();
        request[name] = value;
        assert_eq!(decide(&sim, "", &request).await.status, Some(400), "{name}");
    }
    // Neither endpoint does the other's work, and outside of its path there is none.
    let body = decide(&sim, "", &json!({"model": "sim/steady"}))
        .await
        .json();
    assert_eq!(body["error"]["availability"]["code"], "wrong_endpoint");
    for model in ["sim/decider", "typesafe/jev-1.14", "~typesafe/jev-latest"] {
        let got = ask(&sim, &[], &plain(model)).await;
        assert_eq!(got.status, Some(400));
        let message = got.json()["error"]["message"].as_str().unwrap().to_owned();
        assert!(message.contains("is a decisions model"), "{message}");
    }
    let got = send_to(&sim, "/api/v1/alpha/decisions", &[], &request()).await;
    assert_eq!(got.status, Some(404));
}

/// Whether a body has this wrong with it.
type Is = fn(&Value) -> bool;

#[tokio::test]
async fn every_fault_of_decisions_does_what_it_says() {
    let sim = Sim::builder().start().await.unwrap();
    let rows: [(&str, Is); 6] = [
        ("answer-missing", |answers| {
            answers.as_object().unwrap().len() == 3
        }),
        ("answer-refused", |answers| {
            answers["anger"]["type"] == "refusal"
        }),
        ("answer-of-another-type", |answers| {
            answers["refund"]["type"] == "choice" && answers["queue"]["type"] == "noul"
        }),
        ("probability-out-of-range", |answers| {
            answers["refund"]["noul"] == 1.2 && answers["anger"]["score"] == -1
        }),
        ("option-unasked", |answers| {
            answers["queue"]["choice"] == "none of these"
        }),
        ("legend-reversed", |answers| {
            answers["anger"]["legend"]["1"] == "calm"
        }),
    ];
    let listed: BTreeSet<&str> = Fault::of_decisions().iter().map(Fault::name).collect();
    assert_eq!(listed, rows.iter().map(|row| row.0).collect());
    for (name, is) in rows {
        assert_eq!(
            Fault::named(name).unwrap().applies_to(),
            AppliesTo::Decisions
        );
        let got = decide(&sim, name, &request()).await;
        assert_eq!(got.status, Some(200));
        assert!(is(&got.json()["answers"]), "{name}: {}", got.text());
        // Nothing else is changed by it.
        let models = get(&sim, "/models?limit=1", &[("x-tamis-fault", name)]).await;
        assert_eq!(models.json()["data"][0]["id"], "sim/steady");
    }
    for (fault, status) in [
        ("http-503", 503),
        ("data-missing", 200),
        ("conforming", 200),
    ] {
        assert_eq!(
            decide(&sim, fault, &request()).await.status,
            Some(status),
            "{fault}"
        );
    }
}
