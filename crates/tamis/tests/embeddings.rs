//! Embeddings, from the request to the vectors.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::time::Duration;

use serde_json::json;
use tamis::embeddings::{EmbeddingPart, EncodingFormat};
use tamis::{Client, FailureKind, ProviderPreferences, RetryPolicy};
use tamis_sim::{Fault, Sim};

fn client(sim: &Sim, openrouter: bool) -> Client {
    Client::builder()
        .base_url(sim.base_url())
        .openrouter(openrouter)
        .retry(RetryPolicy::none())
        .build()
        .unwrap()
}

#[tokio::test]
async fn a_vector_for_each_input() {
    let sim = Sim::builder().start().await.unwrap();
    let client = client(&sim, true);
    let plain = client
        .embeddings("sim/embedder")
        .input(["a", "b", "a"])
        .await
        .unwrap();
    assert_eq!((plain.vectors.len(), plain.dimensions()), (3, 8));
    assert_eq!(plain.vectors[0], plain.vectors[2]);
    assert_ne!(plain.vectors[0], plain.vectors[1]);
    assert_eq!(plain.model.as_deref(), Some("sim/embedder"));
    assert_eq!(plain.attempts, 1);
    assert!(plain.usage.as_ref().unwrap().cost.is_some());
    let id = plain.generation_id.clone().unwrap();
    let record = client.generation(&id).await.unwrap();
    assert_eq!(record.api_type.as_deref(), Some("embeddings"));
    // The same by another way over the wire.
    let base64 = client
        .embeddings("sim/embedder")
        .encoding_format(EncodingFormat::Base64);
    let base64 = base64.input(["a", "b", "a"]).await.unwrap();
    assert_eq!(base64.vectors, plain.vectors);
    for (embed, count) in [
        (client.embeddings("sim/embedder").input("a"), 1),
        (client.embeddings("sim/embedder").tokens([1_u64, 2]), 1),
        (
            client
                .embeddings("sim/embedder")
                .input(vec![vec![1_u64], vec![2]]),
            2,
        ),
        (
            client
                .embeddings("sim/embedder")
                .parts([EmbeddingPart::Text("a".into())])
                .parts([EmbeddingPart::ImageUrl("https://example.com/a.png".into())]),
            2,
        ),
    ] {
        assert_eq!(embed.await.unwrap().vectors.len(), count);
    }
    assert!(!format!("{plain:?}").contains("[["));
}

#[tokio::test]
async fn what_is_sent() {
    let sim = Sim::builder().start().await.unwrap();
    for openrouter in [true, false] {
        let embed = client(&sim, openrouter)
            .embeddings("sim/embedder")
            .input("a")
            .dimensions(3)
            .input_type("search_query")
            .user("u")
            .provider(ProviderPreferences::pin("granite"))
            .extra("truncate", "END");
        assert_eq!(embed.await.unwrap().dimensions(), 3);
        let mut expected = json!({"model": "sim/embedder", "input": "a", "dimensions": 3, "user": "u", "truncate": "END"});
        if openrouter {
            expected["input_type"] = "search_query".into();
            expected["provider"] = json!({"order": ["granite"], "allow_fallbacks": false});
        }
        assert_eq!(sim.requests().pop().unwrap().body, Some(expected));
    }
    let before = sim.requests().len();
    for embed in [
        client(&sim, true).embeddings("a/b"),
        client(&sim, true).embeddings("a/b").input(["a", ""]),
        client(&sim, true).embeddings("").input("a"),
        client(&sim, true)
            .embeddings("a/b")
            .input("a")
            .dimensions(0),
        client(&sim, true)
            .embeddings("a/b")
            .input("a")
            .header("a b", "c"),
    ] {
        assert_eq!(embed.await.unwrap_err().kind(), FailureKind::Validation);
    }
    assert_eq!(sim.requests().len(), before);
}

#[tokio::test]
async fn a_vector_that_is_not_the_inputs_own_is_malformed() {
    let sim = Sim::builder().start().await.unwrap();
    for fault in Fault::of_embeddings() {
        for format in [EncodingFormat::Float, EncodingFormat::Base64] {
            let embed = client(&sim, true)
                .embeddings("sim/embedder")
                .input(["a", "b"])
                .encoding_format(format)
                .header("x-tamis-fault", fault.name());
            let failure = embed.await.unwrap_err();
            assert_eq!(failure.kind(), FailureKind::Malformed, "{}", fault.name());
            assert!(failure.generation_id().unwrap().starts_with("gen-emb-"));
        }
    }
    // It may have been billed, and is not asked for again by itself; what failed before is.
    let moment = Duration::from_millis(1);
    for (fault, attempts) in [("vector-missing", 1), ("http-503", 3)] {
        let embed = client(&sim, true)
            .embeddings("sim/embedder")
            .input(["a", "b"]);
        let embed = embed.retry(RetryPolicy::default().backoff(moment, moment));
        let failure = embed.header("x-tamis-fault", fault).await.unwrap_err();
        assert_eq!(failure.attempts(), attempts, "{fault}");
    }
}
