//! What is kept, for how long, and how often the server is asked.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::Arc;
use std::time::Duration;

use tamis::catalogue::ModelsQuery;
use tamis::{CachedClient, Client, FailureKind, RetryPolicy};
use tamis_sim::Sim;

async fn start() -> Sim {
    Sim::builder()
        .drip(Duration::from_millis(5))
        .start()
        .await
        .unwrap()
}

fn cached(sim: &Sim, fault: &str) -> CachedClient {
    let client = Client::builder()
        .base_url(sim.base_url())
        .openrouter(true)
        .retry(RetryPolicy::none())
        .header("x-tamis-fault", fault)
        .build()
        .unwrap();
    CachedClient::new(client)
}

#[tokio::test]
async fn each_call_is_asked_once() {
    let sim = start().await;
    let cached = cached(&sim, "conforming");
    assert!(cached.is_empty());
    for _ in 0..3 {
        cached.models(&ModelsQuery::new()).await.unwrap();
        cached.models(&ModelsQuery::new().limit(2)).await.unwrap();
        cached.user_models(&ModelsQuery::new()).await.unwrap();
        cached.model("sim/steady").await.unwrap();
        cached.model("sim/lottery").await.unwrap();
        cached.endpoints("sim/steady").await.unwrap();
        cached.zdr_endpoints().await.unwrap();
        cached.providers().await.unwrap();
        cached.embeddings_models().await.unwrap();
    }
    assert_eq!(sim.requests().len(), 9);
    assert_eq!(cached.len(), 9);
    // A clone has the same memory; what comes from it is what came from the server.
    let again = cached.clone();
    let client: &Client = &cached;
    assert_eq!(
        again.endpoints("sim/steady").await.unwrap(),
        client.endpoints("sim/steady").await.unwrap()
    );
    assert_eq!(sim.requests().len(), 10);
    // What belongs to the account is never kept.
    cached.credits().await.unwrap();
    cached.credits().await.unwrap();
    assert_eq!(sim.requests().len(), 12);
    again.clear();
    assert!(cached.is_empty());
    cached.providers().await.unwrap();
    assert_eq!(sim.requests().len(), 13);
}

#[tokio::test]
async fn any_number_of_models_is_found_with_one_request() {
    let sim = start().await;
    let cached = cached(&sim, "conforming");
    for id in [
        "sim/steady",
        "sim/lottery",
        "~sim/steady-latest",
        "sim/embedder",
        "sim/refusal",
    ] {
        assert!(cached.find(id).await.unwrap().is_some(), "{id}");
    }
    assert_eq!(sim.requests().len(), 1);
    for _ in 0..3 {
        assert!(cached.find("acme/hidden").await.unwrap().is_some());
    }
    assert_eq!(sim.requests().len(), 2);
    // That there is none is a failure's word, and not kept.
    for _ in 0..2 {
        assert!(cached.find("unknown/x").await.unwrap().is_none());
    }
    assert_eq!(sim.requests().len(), 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn those_who_ask_at_once_send_one_request() {
    let sim = start().await;
    // Slow headers, so that all of them come while the first one waits.
    let cached = Arc::new(cached(&sim, "slow-headers"));
    let tasks: Vec<_> = (0..50)
        .map(|_| {
            let cached = Arc::clone(&cached);
            tokio::spawn(async move { cached.providers().await })
        })
        .collect();
    for task in tasks {
        assert_eq!(task.await.unwrap().unwrap().len(), 6);
    }
    assert_eq!(sim.requests().len(), 1);
    assert_eq!(cached.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn those_who_ask_at_once_share_a_failure_and_it_is_not_kept() {
    let sim = start().await;
    let cached = Arc::new(cached(&sim, "http-503*1"));
    let tasks: Vec<_> = (0..50)
        .map(|_| {
            let cached = Arc::clone(&cached);
            tokio::spawn(async move { cached.providers().await })
        })
        .collect();
    let mut failures = 0;
    for task in tasks {
        if let Err(failure) = task.await.unwrap() {
            assert_eq!(failure.kind(), FailureKind::ProviderUnavailable);
            assert_eq!((failure.status(), failure.attempts()), (Some(503), 1));
            assert!(failure.retry_after().is_some() && failure.details().is_some());
            failures += 1;
        }
    }
    assert!(failures > 0);
    assert_eq!(cached.providers().await.unwrap().len(), 6);
    assert_eq!(sim.requests().len(), 2);
}

#[tokio::test]
async fn neither_a_failure_nor_an_empty_list_is_kept() {
    for fault in [
        "error-envelope*2",
        "data-missing*2",
        "data-as-text*2",
        "http-500*2",
        "data-empty*2",
    ] {
        let sim = start().await;
        let cached = cached(&sim, fault);
        for _ in 0..2 {
            let came = cached.providers().await;
            assert!(came.is_err() || came.unwrap().is_empty(), "{fault}");
            assert!(cached.is_empty(), "{fault}");
        }
        for _ in 0..3 {
            assert_eq!(cached.providers().await.unwrap().len(), 6, "{fault}");
        }
        assert_eq!(sim.requests().len(), 3, "{fault}");
    }
}

#[tokio::test]
async fn an_answer_is_kept_for_its_time() {
    let sim = start().await;
    let cached = cached(&sim, "conforming").ttl(Duration::from_millis(300));
    for _ in 0..4 {
        cached.providers().await.unwrap();
    }
    assert_eq!(sim.requests().len(), 1);
    tokio::time::sleep(Duration::from_millis(350)).await;
    cached.providers().await.unwrap();
    assert_eq!(sim.requests().len(), 2);
    let never = self::cached(&sim, "conforming").ttl(Duration::ZERO);
    never.providers().await.unwrap();
    never.providers().await.unwrap();
    assert_eq!(sim.requests().len(), 4);
}

#[tokio::test]
async fn the_oldest_goes_first() {
    let sim = start().await;
    let cached = cached(&sim, "conforming").max_entries(2);
    for id in ["a/one", "a/two", "a/three"] {
        cached.model(id).await.unwrap();
    }
    assert_eq!(cached.len(), 2);
    cached.model("a/three").await.unwrap();
    cached.model("a/two").await.unwrap();
    assert_eq!(sim.requests().len(), 3);
    cached.model("a/one").await.unwrap();
    assert_eq!(sim.requests().len(), 4);
    let nothing = self::cached(&sim, "conforming").max_entries(0);
    nothing.model("a/one").await.unwrap();
    assert!(nothing.is_empty());
}

#[tokio::test]
async fn who_goes_away_does_not_take_the_others_along() {
    let sim = start().await;
    let cached = cached(&sim, "slow-headers*1");
    let first = tokio::spawn({
        let cached = cached.clone();
        async move { cached.providers().await }
    });
    while sim.requests().is_empty() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let second = tokio::spawn({
        let cached = cached.clone();
        async move { cached.providers().await }
    });
    tokio::time::sleep(Duration::from_millis(5)).await;
    first.abort();
    assert!(first.await.unwrap_err().is_cancelled());
    assert_eq!(second.await.unwrap().unwrap().len(), 6);
    assert_eq!(sim.requests().len(), 2);
    // One that everybody left is taken up by whoever comes next.
    cached.clear();
    let left = tokio::spawn({
        let cached = cached.clone();
        async move { cached.model("a/b").await }
    });
    while sim.requests().len() < 3 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    left.abort();
    let _ = left.await;
    assert!(cached.model("a/b").await.is_ok());
    assert_eq!(sim.requests()[2].path, "/api/v1/model/a/b");
}
