//! Every call whose result is data, against everything that is not what it asks for.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on fails"
)]

use std::collections::BTreeSet;

use tamis::account::{ActivityQuery, KeyChanges, NewKey};
use tamis::catalogue::ModelsQuery;
use tamis::decide::Via;
use tamis::{Client, DataCall, Failure, FailureKind, RetryPolicy};
use tamis_sim::{Fault, Sim};

/// Makes a call; what comes is of no interest.
async fn make(client: &Client, call: DataCall, hash: &str) -> Result<(), Failure> {
    match call {
        DataCall::Models => client.models(&ModelsQuery::new()).await.map(drop),
        DataCall::UserModels => client.user_models(&ModelsQuery::new()).await.map(drop),
        DataCall::Model => client.model("sim/steady").await.map(drop),
        DataCall::Endpoints => client.endpoints("sim/steady").await.map(drop),
        DataCall::ZdrEndpoints => client.zdr_endpoints().await.map(drop),
        DataCall::Providers => client.providers().await.map(drop),
        DataCall::EmbeddingsModels => client.embeddings_models().await.map(drop),
        DataCall::Credits => client.credits().await.map(drop),
        DataCall::Key => client.key().await.map(drop),
        DataCall::Generation => client.generation(hash).await.map(drop),
        DataCall::Activity => client.activity(&ActivityQuery::new()).await.map(drop),
        DataCall::Keys => client.keys().list(0).await.map(drop),
        DataCall::KeyByHash => client.keys().get(hash).await.map(drop),
        DataCall::CreateKey => client.keys().create(&NewKey::new("x")).await.map(drop),
        DataCall::UpdateKey => {
            let changes = KeyChanges::new().disabled(true);
            client.keys().update(hash, &changes).await.map(drop)
        }
        DataCall::DeleteKey => client.keys().delete(hash).await,
        DataCall::Decisions => {
            let decide = client.decide("sim/decider").state("It arrived crushed.");
            let decide = decide.yes_no("damaged", "Is it damaged?");
            decide.via(Via::Decisions).await.map(drop)
        }
        DataCall::Embeddings => {
            let texts = ["a red mug", "a green cup"];
            client
                .embeddings("sim/embedder")
                .input(texts)
                .await
                .map(drop)
        }
        other => panic!("{other:?} is not in the table"),
    }
}

/// Lists, for which an empty list is an answer.
const LISTS: &[DataCall] = &[
    DataCall::Models,
    DataCall::UserModels,
    DataCall::ZdrEndpoints,
    DataCall::Providers,
    DataCall::EmbeddingsModels,
    DataCall::Activity,
    DataCall::Keys,
];

/// Each call; a new one has to be added here, and above.
const TABLE: &[DataCall] = &[
    DataCall::Models,
    DataCall::UserModels,
    DataCall::Model,
    DataCall::Endpoints,
    DataCall::ZdrEndpoints,
    DataCall::Providers,
    DataCall::EmbeddingsModels,
    DataCall::Credits,
    DataCall::Key,
    DataCall::Generation,
    DataCall::Activity,
    DataCall::Keys,
    DataCall::KeyByHash,
    DataCall::CreateKey,
    DataCall::UpdateKey,
    DataCall::DeleteKey,
    DataCall::Decisions,
    DataCall::Embeddings,
];

#[test]
fn the_table_is_whole() {
    assert_eq!(TABLE.len(), 18);
    let table: BTreeSet<_> = TABLE.iter().collect();
    let all: BTreeSet<_> = DataCall::ALL.iter().collect();
    assert_eq!(table, all);
}

fn client(sim: &Sim, fault: &str, retry: RetryPolicy) -> Client {
    Client::builder()
        .base_url(sim.base_url())
        .openrouter(true)
        .retry(retry)
        .header("x-tamis-fault", fault)
        .build()
        .unwrap()
}

struct Server {
    sim: Sim,
    /// Without a fault.
    client: Client,
}

impl Server {
    async fn start() -> Self {
        let sim = Sim::builder().start().await.unwrap();
        let client = client(&sim, "conforming", RetryPolicy::none());
        Self { sim, client }
    }

    /// What the call needs to be there: a key, or a generation.
    async fn name_for(&self, call: DataCall) -> String {
        let client = &self.client;
        if call == DataCall::Generation {
            let completion = client.chat("sim/steady").user("Hello").send().await;
            return completion.unwrap().id.unwrap();
        }
        let created = client.keys().create(&NewKey::new("ci")).await.unwrap();
        created.record.hash
    }
}

/// What each call of the table fails with.
async fn failures(server: &Server, fault: &str) -> Vec<(DataCall, Option<FailureKind>)> {
    let client = client(&server.sim, fault, RetryPolicy::none());
    let mut failures = Vec::new();
    for call in TABLE {
        let name = server.name_for(*call).await;
        let made = make(&client, *call, &name).await;
        failures.push((*call, made.err().map(|failure| failure.kind())));
    }
    failures
}

#[tokio::test]
async fn each_call_fails_on_what_it_did_not_ask_for() {
    use FailureKind::{
        Authentication, InvalidRequest, Malformed, Network, ProviderUnavailable, RateLimited,
    };
    let server = Server::start().await;
    let mut tested = BTreeSet::new();
    for (fault, kind) in [
        // An error envelope under 200.
        ("error-envelope", ProviderUnavailable),
        // No data.
        ("data-missing", Malformed),
        ("data-null", Malformed),
        ("data-bare", Malformed),
        ("null-body", Malformed),
        ("empty-body", Malformed),
        ("html-success", Malformed),
        // Another shape.
        ("data-as-text", Malformed),
        ("data-of-strangers", Malformed),
        // An error of its own.
        ("zod-error", InvalidRequest),
        ("unauthorized", Authentication),
        ("http-500", ProviderUnavailable),
        ("rate-limited", RateLimited),
        ("html-error", ProviderUnavailable),
        ("connection-reset", Network),
        ("truncated-body", Network),
    ] {
        tested.insert(fault);
        for (call, failed) in failures(&server, fault).await {
            assert_eq!(failed, Some(kind), "{call:?} {fault}");
        }
    }
    // An empty list is an answer, and no object is one.
    tested.insert("data-empty");
    for (call, failed) in failures(&server, "data-empty").await {
        let expected = (!LISTS.contains(&call)).then_some(Malformed);
        assert_eq!(failed, expected, "{call:?} data-empty");
    }
    for fault in Fault::of_data() {
        assert!(tested.contains(fault.name()), "{}", fault.name());
    }
}

#[tokio::test]
async fn each_call_succeeds_by_its_method_and_path() {
    let server = Server::start().await;
    for call in TABLE {
        let name = server.name_for(*call).await;
        make(&server.client, *call, &name).await.unwrap();
        let request = server.sim.requests().pop().unwrap();
        let named = match call {
            DataCall::Model | DataCall::Endpoints => "sim/steady",
            _ => name.as_str(),
        };
        let path = format!("/api/v1/{}", call.path().replace("{}", named));
        let path = path.replace("/v1/../", "/");
        assert_eq!(request.method, call.method(), "{call:?}");
        assert_eq!(request.path.split('?').next(), Some(path.as_str()));
    }
}

#[tokio::test]
async fn what_may_be_repeated_is_and_what_makes_something_is_not() {
    let server = Server::start().await;
    let moment = std::time::Duration::from_millis(1);
    let retry = RetryPolicy::default().backoff(moment, moment);
    let client = client(&server.sim, "http-500", retry);
    for call in TABLE {
        let name = server.name_for(*call).await;
        let made = make(&client, *call, &name).await;
        if *call == DataCall::DeleteKey {
            // The first attempt removed it and failed to say so; the second finds it gone.
            made.unwrap();
            assert_eq!(server.sim.requests().last().unwrap().method, "DELETE");
            continue;
        }
        let failure = made.unwrap_err();
        let attempts = if *call == DataCall::CreateKey { 1 } else { 3 };
        assert_eq!(failure.attempts(), attempts, "{call:?}");
    }
}
