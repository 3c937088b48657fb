//! Models and how they are found.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use tamis::catalogue::{Decimal, FoundBy, Model, ModelSort, ModelsQuery, UtcTime};
use tamis::{CachedClient, Client, FailureKind, RetryPolicy};
use tamis_sim::Sim;

async fn start() -> (Sim, Client) {
    let sim = Sim::builder().start().await.unwrap();
    let client = client(&sim, "conforming");
    (sim, client)
}

fn client(sim: &Sim, fault: &str) -> Client {
    Client::builder()
        .base_url(sim.base_url())
        .openrouter(true)
        .retry(RetryPolicy::none())
        .header("x-tamis-fault", fault)
        .build()
        .unwrap()
}

#[tokio::test]
async fn a_query_arrives_as_it_was_asked() {
    let (sim, client) = start().await;
    let query = ModelsQuery::new()
        .search("sim/ & more")
        .supported_parameters(["tools", "structured_outputs"])
        .max_price(Decimal::new(5, 1))
        .limit(3)
        .sort(ModelSort::PricingLowToHigh);
    let list = client.models(&query).await.unwrap();
    assert!(list.models.is_empty());
    assert_eq!(
        sim.requests()[0].path,
        "/api/v1/models?limit=3&q=sim%2F+%26+more&sort=pricing-low-to-high\
         &supported_parameters=tools%2Cstructured_outputs&max_price=0.5"
    );

    let page = client
        .models(&ModelsQuery::new().structured_outputs().limit(2).offset(1))
        .await
        .unwrap();
    assert_eq!(page.models.len(), 2);
    assert!(page.total_count.unwrap() > 100);
    assert!(page.next.is_some());
    assert!(page.models.iter().all(Model::supports_structured_outputs));
    // A sort that the server does not know is the server's to refuse.
    let query = ModelsQuery::new().sort(ModelSort::Other("prettiest".to_owned()));
    let failure = client.models(&query).await.unwrap_err();
    assert_eq!(failure.kind(), FailureKind::InvalidRequest);
    assert_eq!(
        client
            .user_models(&ModelsQuery::new().limit(4))
            .await
            .unwrap()
            .models
            .len(),
        4
    );
}

#[tokio::test]
async fn what_cannot_be_asked_is_not_sent() {
    let (sim, client) = start().await;
    for id in [
        "",
        "gpt",
        "a/../b",
        "..",
        "@preset/x",
        "a/b?x=1",
        "a/b/c",
        "a/%2e%2e",
    ] {
        for failure in [
            client.model(id).await.unwrap_err(),
            client.endpoints(id).await.unwrap_err(),
            client.find(id).await.unwrap_err(),
        ] {
            assert_eq!(failure.kind(), FailureKind::Validation, "{id}");
            assert_eq!(failure.attempts(), 0, "{id}");
        }
    }
    let query = ModelsQuery::new().limit(5000);
    assert!(client.models(&query).await.is_err() && client.user_models(&query).await.is_err());
    assert!(sim.requests().is_empty());
}

#[tokio::test]
async fn a_model_is_found_by_each_of_its_names() {
    let (sim, client) = start().await;
    for (id, model, by, requests) in [
        ("sim/steady", "sim/steady", FoundBy::Id, 1),
        ("sim/embedder", "sim/embedder", FoundBy::Id, 1),
        ("sim/steady-20260101", "sim/steady", FoundBy::DatedSlug, 1),
        ("~sim/steady-latest", "sim/steady", FoundBy::Alias, 1),
        ("sim/steady:nitro", "sim/steady", FoundBy::RoutingVariant, 1),
        // None of these is listed.
        ("acme/secret", "acme/secret", FoundBy::Asking, 2),
        ("sim/steady:free", "sim/steady:free", FoundBy::Asking, 2),
        ("acme/secret:floor", "acme/secret:floor", FoundBy::Asking, 2),
    ] {
        let before = sim.requests().len();
        let found = client.find(id).await.unwrap().unwrap();
        assert_eq!((found.model.id.as_str(), found.by), (model, by), "{id}");
        assert_eq!(sim.requests().len() - before, requests, "{id}");
    }
    assert_eq!(client.find("unknown/model").await.unwrap(), None);
    // A failure is no answer to whether there is such a model.
    for fault in ["http-503", "error-envelope", "data-missing", "unauthorized"] {
        let broken = self::client(&sim, fault);
        assert!(broken.find("sim/steady").await.is_err(), "{fault}");
    }
    // The list is empty, and so is what should be a model. Counted from the first request on.
    let (sim, _) = start().await;
    let half_broken = self::client(&sim, "data-empty*1");
    let failure = half_broken.find("acme/secret").await.unwrap_err();
    assert_eq!(failure.kind(), FailureKind::Malformed);
    assert_eq!(sim.requests().len(), 2);
}

#[tokio::test]
async fn on_another_server_only_the_list_is_looked_at() {
    let sim = Sim::builder().start().await.unwrap();
    let client = Client::builder().base_url(sim.base_url()).build().unwrap();
    assert!(client.find("sim/steady").await.unwrap().is_some());
    assert!(client.find("smollm2").await.unwrap().is_none());
    let cached = CachedClient::new(client);
    assert!(cached.find("not listed").await.unwrap().is_none());
    let paths: Vec<_> = sim
        .requests()
        .into_iter()
        .map(|request| request.path)
        .collect();
    assert_eq!(paths, ["/api/v1/models"; 3]);
}

#[tokio::test]
async fn endpoints_tell_what_they_take_and_what_they_cost() {
    let sim = Sim::builder().start().await.unwrap();
    let client = Client::builder()
        .base_url(sim.base_url())
        .openrouter(true)
        .api_key("sk-x")
        .build()
        .unwrap();
    let model = client.endpoints("sim/lottery").await.unwrap();
    assert_eq!(model.id, "sim/lottery");
    let basalt = &model.endpoints[1];
    assert_eq!(basalt.tag.as_deref(), Some("basalt"));
    assert!(basalt.supports_structured_outputs() && basalt.supports_tools());
    assert!(basalt.supports_response_format() && !basalt.supports("prediction"));
    let pricing = basalt.pricing.as_ref().unwrap();
    assert_eq!(
        pricing.prompt.as_ref().unwrap().per_million().unwrap(),
        Decimal::new(4, 1)
    );
    let noon = UtcTime::new(12, 0).unwrap();
    let dear = pricing.at(64_001, noon);
    assert_eq!(
        dear.prompt.as_ref().unwrap().per_million().unwrap(),
        Decimal::new(8, 1)
    );
    assert_eq!(pricing.estimate(1_000_000, 0), Some(Decimal::new(4, 1)));
    let latency = basalt.latency_last_30m.as_ref().unwrap();
    assert_eq!(latency.p50.as_ref().unwrap().as_f64(), Some(610.0));

    let zdr = client.zdr_endpoints().await.unwrap();
    assert!(zdr.iter().all(|endpoint| endpoint.model_id.is_some()));
    let providers = client.providers().await.unwrap();
    assert!(providers.iter().any(|provider| provider.slug == "tuff"));
    let embedders = client.embeddings_models().await.unwrap();
    assert_eq!(embedders.models[0].id, "sim/embedder");
}
