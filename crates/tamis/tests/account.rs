//! Money, keys, activity and single generations.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::time::{Duration, Instant};

use serde_json::json;
use tamis::account::{ActivityQuery, KeyChanges, LimitReset, Lookup, NewKey};
use tamis::catalogue::Decimal;
use tamis::{Client, FailureKind, RetryPolicy};
use tamis_sim::{Builder, Sim};

async fn start(builder: Builder) -> (Sim, Client) {
    let sim = builder.start().await.unwrap();
    let client = Client::builder()
        .base_url(sim.base_url())
        .openrouter(true)
        .api_key("sk-boss")
        .retry(RetryPolicy::none())
        .build()
        .unwrap();
    (sim, client)
}

async fn generation_id(client: &Client) -> String {
    let completion = client.chat("sim/steady").user("Hello").send().await;
    completion.unwrap().id.unwrap()
}

#[tokio::test]
async fn money_is_exact() {
    let (_sim, client) = start(Sim::builder()).await;
    let id = generation_id(&client).await;
    let generation = client.generation(&id).await.unwrap();
    let cost = generation.total_cost.clone().unwrap();
    let credits = client.credits().await.unwrap();
    assert_eq!(credits.total_usage, Some(cost.clone()));
    let remaining = Decimal::ONE_HUNDRED - cost.amount();
    assert_eq!(credits.remaining(), Some(remaining.normalize()));
    let key = client.key().await.unwrap();
    assert_eq!(key.usage, Some(cost));
    assert_eq!(key.limit.unwrap().amount(), Decimal::ONE_HUNDRED);
    assert_eq!(key.free_model_daily_requests.unwrap().remaining, Some(1000));
    assert_eq!(generation.id, id);
    assert_eq!(generation.provider_responses[0].status, Some(200));
}

#[tokio::test]
async fn a_record_is_waited_for() {
    let (sim, client) = start(Sim::builder().generation_lag(2)).await;
    let id = generation_id(&client).await;
    let lookup = client.await_generation(&id, Duration::from_secs(20)).await;
    let generation = lookup.unwrap().found().unwrap();
    assert_eq!(generation.id, id);
    assert_eq!(sim.requests().len(), 1 + 3);
}

#[tokio::test]
async fn patience_ends() {
    let (sim, client) = start(Sim::builder().generation_lag(1000)).await;
    let id = generation_id(&client).await;
    for (patience, lookups) in [(0, 1), (100, 1), (400, 2), (900, 3)] {
        let before = sim.requests().len();
        let began = Instant::now();
        let lookup = client
            .await_generation(&id, Duration::from_millis(patience))
            .await
            .unwrap();
        assert_eq!(lookup, Lookup::NotYet { lookups }, "{patience}");
        assert_eq!(sim.requests().len() - before, lookups as usize);
        assert!(began.elapsed() < Duration::from_millis(patience + 500));
    }
    // A single look-up says the same as a failure.
    let failure = client.generation(&id).await.unwrap_err();
    assert_eq!(failure.status(), Some(404));
}

#[tokio::test]
async fn only_a_missing_record_is_waited_for() {
    for (fault, kind) in [
        ("unauthorized", FailureKind::Authentication),
        ("http-500", FailureKind::ProviderUnavailable),
        ("data-missing", FailureKind::Malformed),
    ] {
        let sim = Sim::builder().start().await.unwrap();
        let plain = Client::builder().base_url(sim.base_url()).build().unwrap();
        let id = generation_id(&plain).await;
        let client = Client::builder()
            .base_url(sim.base_url())
            .retry(RetryPolicy::none())
            .header("x-tamis-fault", fault)
            .build()
            .unwrap();
        let failure = client
            .await_generation(&id, Duration::from_secs(30))
            .await
            .unwrap_err();
        assert_eq!(failure.kind(), kind);
        assert_eq!(sim.requests().len(), 2);
    }
    let (sim, client) = start(Sim::builder()).await;
    let failure = client
        .await_generation(" ", Duration::MAX)
        .await
        .unwrap_err();
    assert_eq!(failure.kind(), FailureKind::Validation);
    assert!(sim.requests().is_empty());
}

#[tokio::test]
async fn a_key_from_its_making_to_its_end() {
    let (sim, client) = start(Sim::builder().management_key("sk-boss")).await;
    let new = NewKey::new("ci")
        .limit(Decimal::new(125, 1))
        .limit_reset(LimitReset::Monthly);
    let created = client.keys().create(&new).await.unwrap();
    assert_eq!(
        sim.requests()[0].body,
        Some(json!({"name": "ci", "limit": 12.5, "limit_reset": "monthly"}))
    );
    assert!(created.expose_key().starts_with("sk-or-v1-sim-"));
    assert!(!format!("{created:?}").contains(created.expose_key()));
    let hash = created.record.hash.as_str();
    assert_eq!(created.record.limit.as_ref().unwrap().to_string(), "12.5");

    let changes = KeyChanges::new().disabled(true).limit(None);
    let record = client.keys().update(hash, &changes).await.unwrap();
    assert_eq!((record.disabled, record.limit), (Some(true), None));
    assert_eq!(client.keys().get(hash).await.unwrap().disabled, Some(true));
    assert_eq!(client.keys().list(0).await.unwrap().len(), 1);
    assert_eq!(client.keys().list(1).await.unwrap().len(), 0);
    client.keys().delete(hash).await.unwrap();
    let failure = client.keys().delete(hash).await.unwrap_err();
    assert_eq!(failure.status(), Some(404));

    // A key that was taken for a hash is neither sent nor repeated.
    let before = sim.requests().len();
    let failure = client.keys().get("sk/or v1").await.unwrap_err();
    assert_eq!(failure.kind(), FailureKind::Validation);
    assert!(!failure.message().contains("sk/or"));
    assert_eq!(sim.requests().len(), before);
}

#[tokio::test]
async fn another_key_may_not_manage() {
    let (_sim, client) = start(Sim::builder().management_key("sk-other")).await;
    for failure in [
        client.keys().list(0).await.unwrap_err(),
        client.activity(&ActivityQuery::new()).await.unwrap_err(),
    ] {
        assert_eq!(failure.kind(), FailureKind::Authentication);
        assert_eq!(failure.status(), Some(403));
    }
}

#[tokio::test]
async fn activity_of_a_day() {
    let (sim, client) = start(Sim::builder()).await;
    generation_id(&client).await;
    let query = ActivityQuery::new().date("2026-01-01").by_workspace();
    let rows = client.activity(&query).await.unwrap();
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].requests, Some(1));
    assert_eq!(rows[0].model.as_deref(), Some("sim/steady"));
    assert_eq!(
        sim.requests()[1].path,
        "/api/v1/activity?date=2026-01-01&group_by=workspace"
    );
    let query = ActivityQuery::new().date("2025-01-01");
    assert!(client.activity(&query).await.unwrap().is_empty());
}
