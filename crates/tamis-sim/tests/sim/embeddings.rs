//! Embeddings, and what goes wrong with them.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tamis_sim::{AppliesTo, Fault, Sim};

use super::client::{Got, get};
use super::data::send_to;

async fn embed(sim: &Sim, fault: &str, more: Value) -> Got {
    let mut request = json!({"model": "sim/embedder", "input": ["a", "b"]});
    for (name, value) in more.as_object().unwrap() {
        request[name] = value.clone();
    }
    send_to(
        sim,
        "/api/v1/embeddings",
        &[("x-tamis-fault", fault)],
        &request,
    )
    .await
}

#[tokio::test]
async fn a_vector_for_each_input() {
    let sim = Sim::builder().start().await.unwrap();
    let body = embed(&sim, "", json!({})).await.json();
    assert_eq!(body["object"], "list");
    let data = body["data"].as_array().unwrap();
    assert_eq!((data.len(), &data[1]["index"]), (2, &json!(1)));
    assert_eq!(data[0]["embedding"].as_array().unwrap().len(), 8);
    let id = body["id"].as_str().unwrap();
    let record = get(&sim, &format!("/generation?id={id}"), &[]).await.json();
    assert_eq!(record["data"]["api_type"], "embeddings");
    // A text has one vector, in whichever company and form it comes.
    let other = embed(&sim, "", json!({"input": "b", "dimensions": 2}))
        .await
        .json();
    assert_eq!(other["data"][0]["embedding"].as_array().unwrap().len(), 2);
    let alone = embed(&sim, "", json!({"input": "b"})).await.json();
    assert_eq!(alone["data"][0]["embedding"], data[1]["embedding"]);
    let text = embed(&sim, "", json!({"encoding_format": "base64"}))
        .await
        .json();
    assert_eq!(text["data"][0]["embedding"].as_str().unwrap().len(), 44);
    for (input, count) in [
        (json!([1, 2]), 1),
        (json!([[1], [2, 3], [4]]), 3),
        (json!([{"content": [{"type": "text", "text": "a"}]}]), 1),
    ] {
        let body = embed(&sim, "", json!({"input": input})).await.json();
        assert_eq!(body["data"].as_array().unwrap().len(), count);
    }
    for model in ["acme/anything", "openai/text-embedding-3-small"] {
        assert_eq!(
            embed(&sim, "", json!({"model": model})).await.status,
            Some(200)
        );
    }
    for wrong in [
        json!({"input": []}),
        json!({"input": ""}),
        json!({"input": ["a", 1]}),
        json!({"input": [[]]}),
        json!({"input": null}),
        json!({"dimensions": 0}),
        json!({"encoding_format": "int8"}),
        json!({"user": 5}),
        json!({"model": "sim/steady"}),
        json!({"model": "sim/decider"}),
        json!({"model": "unknown/model"}),
    ] {
        assert_eq!(
            embed(&sim, "", wrong.clone()).await.status,
            Some(400),
            "{wrong}"
        );
    }
}

/// Whether a body has this wrong with it.
type Is = fn(&[Value]) -> bool;

#[tokio::test]
async fn every_fault_of_embeddings_does_what_it_says() {
    let sim = Sim::builder().start().await.unwrap();
    let rows: [(&str, Is); 6] = [
        ("vector-missing", |data| data.len() == 1),
        ("vector-doubled", |data| {
            data.len() == 3 && data[1] == data[2]
        }),
        ("vectors-reordered", |data| data[0]["index"] == 1),
        ("vector-empty", |data| data[1]["embedding"] == json!([])),
        ("vector-too-short", |data| {
            data[1]["embedding"].as_array().unwrap().len() == 4
        }),
        ("vector-not-finite", |data| data[1]["embedding"][7] == 1e300),
    ];
    let listed: BTreeSet<&str> = Fault::of_embeddings().iter().map(Fault::name).collect();
    assert_eq!(listed, rows.iter().map(|row| row.0).collect());
    for (name, is) in rows {
        assert_eq!(
            Fault::named(name).unwrap().applies_to(),
            AppliesTo::Embeddings
        );
        let body = embed(&sim, name, json!({})).await.json();
        assert!(is(body["data"].as_array().unwrap()), "{name}: {body}");
        let text = embed(&sim, name, json!({"encoding_format": "base64"})).await;
        assert_eq!(text.status, Some(200));
    }
}
