//! The catalogue and the account, and what goes wrong with them.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};
use tamis_sim::{AppliesTo, Fault, Sim};

use super::client::{Connection, Ended, Got, ask, get, plain};

async fn send(sim: &Sim, method: &str, path: &str, body: &Value) -> Got {
    let mut connection = Connection::open(sim.address()).await;
    let body = if body.is_null() {
        String::new()
    } else {
        body.to_string()
    };
    connection.send(method, path, &[], &body).await;
    connection.read(Duration::from_secs(5)).await
}

/// Posts to a path, of which nothing is left out.
pub(super) async fn send_to(sim: &Sim, path: &str, headers: &[(&str, &str)], body: &Value) -> Got {
    let mut connection = Connection::open(sim.address()).await;
    connection
        .send_to("POST", path, headers, &body.to_string())
        .await;
    connection.read(Duration::from_secs(5)).await
}

async fn ids(sim: &Sim, query: &str) -> Vec<String> {
    let body = get(sim, &format!("/models?{query}"), &[]).await.json();
    let models = body["data"].as_array().unwrap().iter();
    models
        .map(|model| model["id"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn a_list_is_filtered_sorted_and_paged() {
    let sim = Sim::builder().start().await.unwrap();
    let all = ids(&sim, "output_modalities=all").await;
    assert!(all.contains(&"sim/embedder".to_owned()));
    let text = ids(&sim, "").await;
    assert_eq!(text.len() + 2, all.len());
    assert_eq!(ids(&sim, "q=LOTTERY").await, ["sim/lottery"]);
    assert_eq!(
        ids(&sim, "output_modalities=embeddings").await,
        ["sim/embedder"]
    );
    assert_eq!(
        ids(&sim, "output_modalities=decisions").await,
        ["sim/decider"]
    );
    assert_eq!(ids(&sim, "providers=tuff").await, ["sim/hint-only"]);
    assert_eq!(ids(&sim, "providers=Shale&zdr=true").await, [""; 0]);
    assert_eq!(ids(&sim, "model_authors=acme").await, [""; 0]);
    assert_eq!(ids(&sim, "input_modalities=image").await, [""; 0]);
    assert_eq!(ids(&sim, "context=999999999").await, [""; 0]);
    assert_eq!(
        ids(&sim, "max_price=0.1").await,
        ["sim/hint-only", "sim/unsupported"]
    );
    let dear = ids(&sim, "sort=pricing-high-to-low").await;
    let cheap = ids(&sim, "sort=pricing-low-to-high").await;
    assert_eq!(cheap[..2], ["sim/hint-only", "sim/unsupported"]);
    assert_eq!(dear.len(), cheap.len());
    assert!(dear[dear.len() - 2..].contains(&cheap[0]));

    let page = get(&sim, "/models?offset=2&limit=2", &[]).await.json();
    assert_eq!(page["data"][0]["id"], text[2].as_str());
    assert_eq!(page["links"]["next"], "/api/v1/models?offset=4&limit=2");
    assert_eq!(page["total_count"], text.len());
    let last = get(&sim, "/models?offset=9999", &[]).await.json();
    assert_eq!(
        (&last["data"], &last["links"]["next"]),
        (&json!([]), &Value::Null)
    );

    for query in ["limit=0", "limit=1001", "sort=prettiest"] {
        let got = get(&sim, &format!("/models?{query}"), &[]).await;
        assert_eq!(got.status, Some(400), "{query}");
        assert_eq!(got.json()["error"]["name"], "ZodError", "{query}");
    }
}

#[tokio::test]
async fn a_model_has_many_names() {
    let sim = Sim::builder().start().await.unwrap();
    for (name, id) in [
        ("sim/steady", "sim/steady"),
        ("sim/steady:free", "sim/steady:free"),
        ("sim/steady-20260101", "sim/steady-20260101"),
        ("~sim/steady-latest", "sim/steady"),
        ("acme/anything", "acme/anything"),
        ("sim/fenced:0.3", "sim/fenced:0.3"),
    ] {
        let body = get(&sim, &format!("/model/{name}"), &[]).await.json();
        assert_eq!(body["data"]["id"], id, "{name}");
        let slug = body["data"]["canonical_slug"].as_str().unwrap();
        assert!(slug.ends_with("-20260101") && !slug.contains(':'), "{slug}");
        assert_eq!(slug.matches("-20260101").count(), 1, "{slug}");
    }
    let list = get(&sim, "/models?q=latest", &[]).await.json();
    assert_eq!(list["data"][0]["alias_target"]["slug"], "sim/steady");
    assert_eq!(
        get(&sim, "/model/sim/nonsense", &[]).await.status,
        Some(404)
    );
}

#[tokio::test]
async fn how_fast_an_endpoint_is_is_told_to_somebody_only() {
    let sim = Sim::builder().start().await.unwrap();
    let path = "/models/sim/lottery/endpoints";
    let nobody = get(&sim, path, &[]).await.json();
    assert!(nobody["data"]["endpoints"][0]["latency_last_30m"].is_null());
    let known = get(&sim, path, &[("authorization", "Bearer x")])
        .await
        .json();
    let endpoint = &known["data"]["endpoints"][1];
    assert_eq!(endpoint["latency_last_30m"]["p50"], 610.0);
    assert_eq!(endpoint["quantization"], "fp8");
    assert_eq!(
        endpoint["pricing"]["overrides"][0]["min_prompt_tokens"],
        64_000
    );
}

#[tokio::test]
async fn lists_beside_the_models() {
    let sim = Sim::builder().require_key("k").start().await.unwrap();
    let list = |path: &'static str| {
        let sim = &sim;
        async move {
            let body = get(sim, path, &[]).await.json();
            body["data"].as_array().unwrap().clone()
        }
    };
    let zdr = list("/endpoints/zdr").await;
    assert!(
        zdr.iter()
            .all(|each| each["tag"] == "granite" || each["tag"] == "tuff")
    );
    assert_eq!(zdr.len(), 3);
    let providers = list("/providers").await;
    assert_eq!(providers.len(), 6);
    assert_eq!(providers[0]["slug"], "granite");
    let embedders = list("/embeddings/models").await;
    assert_eq!(embedders[0]["id"], "sim/embedder");
    // What the account may use belongs to somebody.
    assert_eq!(get(&sim, "/models/user", &[]).await.status, Some(401));
    let key = [("authorization", "Bearer k")];
    assert_eq!(
        get(&sim, "/models/user?limit=1", &key).await.status,
        Some(200)
    );
}

#[tokio::test]
async fn keys_are_made_changed_and_removed() {
    let sim = Sim::builder().start().await.unwrap();
    assert_eq!(get(&sim, "/keys", &[]).await.json(), json!({"data": []}));
    assert_eq!(
        send(&sim, "POST", "/keys", &json!({})).await.status,
        Some(400)
    );
    let made = send(&sim, "POST", "/keys", &json!({"name": "ci", "limit": 5})).await;
    assert_eq!(made.status, Some(201));
    let made = made.json();
    let hash = made["data"]["hash"].as_str().unwrap();
    assert_eq!(made["key"], format!("sk-or-v1-sim-{hash}"));
    assert_eq!(made["data"]["limit_remaining"], 5);
    let path = format!("/keys/{hash}");
    assert_eq!(get(&sim, &path, &[]).await.json()["data"], made["data"]);
    let changed = send(
        &sim,
        "PATCH",
        &path,
        &json!({"disabled": true, "hash": "x"}),
    )
    .await;
    assert_eq!(changed.json()["data"]["disabled"], true);
    assert_eq!(changed.json()["data"]["hash"], hash);
    let listed = get(&sim, "/keys", &[]).await.json();
    assert_eq!(listed["data"][0], changed.json()["data"]);
    assert_eq!(
        get(&sim, "/keys?offset=1", &[]).await.json()["data"],
        json!([])
    );
    let gone = send(&sim, "DELETE", &path, &Value::Null).await;
    assert_eq!(gone.json(), json!({"deleted": true}));
    for method in ["GET", "PATCH", "DELETE"] {
        let got = send(&sim, method, &path, &json!({"name": "x"})).await;
        assert_eq!(got.status, Some(404), "{method}");
    }
}

#[tokio::test]
async fn only_a_management_key_manages() {
    let sim = Sim::builder()
        .require_key("plain")
        .management_key("boss")
        .start()
        .await
        .unwrap();
    for (key, path, status) in [
        ("Bearer plain", "/keys", 403),
        ("Bearer plain", "/keys/x", 403),
        ("Bearer plain", "/activity?date=2026-01-01", 403),
        ("Bearer plain", "/credits", 200),
        ("Bearer boss", "/keys", 200),
        ("Bearer boss", "/activity", 200),
        ("Bearer boss", "/key", 200),
        ("Bearer other", "/keys", 401),
        ("Basic x", "/key", 401),
    ] {
        let got = get(&sim, path, &[("authorization", key)]).await;
        assert_eq!(got.status, Some(status), "{key} {path}");
    }
}

#[tokio::test]
async fn activity_adds_up() {
    let sim = Sim::builder().start().await.unwrap();
    assert_eq!(
        get(&sim, "/activity", &[]).await.json(),
        json!({"data": []})
    );
    for _ in 0..3 {
        ask(&sim, &[], &plain("a/b")).await;
    }
    let rows = get(&sim, "/activity?group_by=workspace", &[]).await.json();
    let rows = rows["data"].as_array().unwrap();
    let requests: u64 = rows
        .iter()
        .map(|row| row["requests"].as_u64().unwrap())
        .sum();
    assert_eq!(requests, 3);
    let spent: f64 = rows.iter().map(|row| row["usage"].as_f64().unwrap()).sum();
    let credits = get(&sim, "/credits", &[]).await.json();
    let used = credits["data"]["total_usage"].as_f64().unwrap();
    assert!((spent - used).abs() < 1e-12);
    assert_eq!(rows[0]["date"], "2026-01-01");
    assert_eq!(rows[0]["workspace_id"], "workspace-sim");
    let other = get(&sim, "/activity?date=2025-12-31", &[]).await.json();
    assert_eq!(other["data"], json!([]));
}

/// Each fault, with its status and its body's data.
fn faults() -> Vec<(&'static str, u16, Value)> {
    vec![
        ("data-missing", 200, json!({})),
        ("data-null", 200, json!({"data": null})),
        ("data-empty", 200, json!({"data": []})),
        ("data-as-text", 200, json!({"data": "coming soon"})),
        (
            "data-of-strangers",
            200,
            json!({"data": [{"object": "pebble"}]}),
        ),
        ("data-bare", 200, json!({"object": "pebble", "weight": 3})),
        (
            "zod-error",
            400,
            json!({"success": false, "error": {"name": "ZodError",
            "message": "[{\"code\":\"invalid_value\",\"path\":[\"sort\"],\"message\":\"Invalid option\"}]"}}),
        ),
    ]
}

#[tokio::test]
async fn every_fault_of_data_does_what_it_says() {
    let sim = Sim::builder().start().await.unwrap();
    let rows = faults();
    let listed: BTreeSet<&str> = Fault::of_data().iter().map(Fault::name).collect();
    let tested: BTreeSet<&str> = rows.iter().map(|row| row.0).collect();
    assert_eq!(listed, tested, "each fault has its row");
    let same = ask(&sim, &[("x-tamis-key", "one")], &plain("a/b"))
        .await
        .json();
    for (name, status, body) in rows {
        assert_eq!(Fault::named(name).unwrap().applies_to(), AppliesTo::Data);
        let got = get(&sim, "/credits", &[("x-tamis-fault", name)]).await;
        assert_eq!((got.status, got.json()), (Some(status), body), "{name}");
        // A completion knows nothing of it.
        let headers = [("x-tamis-fault", name), ("x-tamis-key", "one")];
        assert_eq!(
            ask(&sim, &headers, &plain("a/b")).await.json()["choices"],
            same["choices"]
        );
    }
}

#[tokio::test]
async fn faults_of_plain_calls_strike_data_too() {
    let sim = Sim::builder()
        .hang(Duration::from_millis(50))
        .start()
        .await
        .unwrap();
    for (fault, status, ended) in [
        ("http-500", Some(500), Ended::Complete),
        ("rate-limited-seconds", Some(429), Ended::Complete),
        ("error-envelope", Some(200), Ended::Complete),
        ("html-success", Some(200), Ended::Complete),
        ("empty-body", Some(200), Ended::Complete),
        ("connection-reset", None, Ended::Reset),
        ("truncated-body", Some(200), Ended::Closed),
        // What a model says differently is nothing that the catalogue says.
        ("fenced", Some(200), Ended::Complete),
        ("refusal", Some(200), Ended::Complete),
    ] {
        for path in ["/models", "/key", "/models/sim/steady/endpoints"] {
            let got = get(&sim, path, &[("x-tamis-fault", fault)]).await;
            assert_eq!((got.status, got.ended), (status, ended), "{fault} {path}");
            assert_eq!(got.header("x-generation-id"), None, "{fault} {path}");
        }
    }
    let twice = [("x-tamis-fault", "http-503*2")];
    let mut statuses = Vec::new();
    for _ in 0..3 {
        statuses.push(get(&sim, "/providers", &twice).await.status.unwrap());
    }
    assert_eq!(statuses, [503, 503, 200]);
    let bad = get(&sim, "/providers", &[("x-tamis-fault", "nonsense")]).await;
    assert_eq!(bad.status, Some(400));
    // Even what was made is told with another status.
    let mut connection = Connection::open(sim.address()).await;
    let headers = [("x-tamis-fault", "data-missing")];
    connection
        .send("POST", "/keys", &headers, r#"{"name":"a"}"#)
        .await;
    let got = connection.read(Duration::from_secs(5)).await;
    assert_eq!((got.status, got.json()), (Some(201), json!({})));
}
