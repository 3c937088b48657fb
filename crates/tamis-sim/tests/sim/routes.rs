//! The routes beside completions.

use serde_json::json;
use tamis_sim::{Fault, Sim};

use super::client::{ask, get, plain};

#[tokio::test]
async fn models_and_endpoints() {
    let sim = Sim::builder().start().await.unwrap();
    let body = get(&sim, "/models", &[]).await.json();
    let ids: Vec<&str> = body["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["id"].as_str().unwrap())
        .collect();
    assert_eq!(
        ids[..5],
        [
            "sim/steady",
            "sim/lottery",
            "sim/hint-only",
            "sim/unsupported",
            "sim/conforming"
        ]
    );
    // The alias is listed last, and what gives no text is not.
    assert_eq!(ids.len(), Fault::all().len() + 5);
    assert_eq!(ids.last(), Some(&"~sim/steady-latest"));
    assert_eq!(body["total_count"], ids.len());

    let body = get(
        &sim,
        "/models?supported_parameters=structured_outputs,tools&limit=2",
        &[],
    )
    .await
    .json();
    assert_eq!(body["total_count"], ids.len() - 1);
    assert_eq!(body["data"].as_array().unwrap().len(), 2);

    let body = get(&sim, "/model/sim/fenced", &[]).await.json();
    assert_eq!(
        body["data"]["description"],
        Fault::named("fenced").unwrap().summary()
    );
    assert!(
        body["data"]["pricing"]["prompt"]
            .as_str()
            .unwrap()
            .starts_with("0.0000002")
    );

    let body = get(&sim, "/models/sim/lottery/endpoints", &[]).await.json();
    let tags: Vec<_> = body["data"]["endpoints"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| e["tag"].clone())
        .collect();
    assert_eq!(tags, ["granite", "basalt", "pumice"]);

    for path in [
        "/model/unknown/x",
        "/models/unknown/x/endpoints",
        "/nothing",
    ] {
        let got = get(&sim, path, &[]).await;
        assert_eq!(
            (got.status, &got.json()["error"]["code"]),
            (Some(404), &json!(404)),
            "{path}"
        );
    }
    assert_eq!(get(&sim, "/chat/completions", &[]).await.status, Some(405));
}

#[tokio::test]
async fn a_generation_is_known_after_its_lag() {
    let sim = Sim::builder().generation_lag(2).start().await.unwrap();
    let answer = ask(&sim, &[], &plain("a/b")).await.json();
    let path = format!("/generation?id={}", answer["id"].as_str().unwrap());
    assert_eq!(get(&sim, &path, &[]).await.status, Some(404));
    assert_eq!(get(&sim, &path, &[]).await.status, Some(404));
    let data = get(&sim, &path, &[]).await.json()["data"].clone();
    assert_eq!(data["provider_name"], answer["provider"]);
    assert_eq!(data["total_cost"], answer["usage"]["cost"]);
    assert_eq!(data["created_at"], "2026-01-01T00:00:00.000Z");
    assert_eq!(
        get(&sim, "/generation?id=gen-none", &[]).await.status,
        Some(404)
    );
    assert_eq!(get(&sim, "/generation", &[]).await.status, Some(404));
}

#[tokio::test]
async fn the_account_pays() {
    let sim = Sim::builder().start().await.unwrap();
    let cost = ask(&sim, &[], &plain("a/b")).await.json()["usage"]["cost"].clone();
    assert_eq!(
        get(&sim, "/credits", &[]).await.json()["data"]["total_usage"],
        cost
    );
    let key = get(&sim, "/key", &[]).await.json();
    assert_eq!(key["data"]["usage"], cost);
}
