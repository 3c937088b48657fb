//! Decisions, by both means.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails"
)]

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Map, Value, json};
use tamis::decide::{Decide, Decided, KnownBy, Origin, Question, Via, image};
use tamis::{Client, Failure, FailureKind, ProviderPreferences, RetryPolicy, SchemaMode};
use tamis_sim::{Fault, Received, Sim};

fn client(sim: &Sim) -> Client {
    Client::builder()
        .base_url(sim.base_url())
        .openrouter(true)
        .api_key("sk-of-the-tests")
        .retry(RetryPolicy::none())
        .build()
        .unwrap()
}

fn ask(client: &Client, model: &str) -> Decide {
    client
        .decide(model)
        .state(json!({"message": "The parcel arrived crushed."}))
        .yes_no("refund", "Is money asked for?")
        .choice(
            "queue",
            "Who takes it?",
            [("shipping", "Damage."), ("billing", "Money.")],
        )
        .score("anger", "How angry?", ["calm", "annoyed", "furious"])
}

/// Where the requests so far went, the oldest first.
fn paths(sim: &Sim) -> Vec<String> {
    let requests = sim.requests();
    requests
        .iter()
        .map(|request| request.path.clone())
        .collect()
}

fn last(sim: &Sim) -> Received {
    sim.requests().pop().unwrap()
}

fn check_types(decided: &Decided) {
    let ids: Vec<&str> = decided
        .decisions
        .iter()
        .map(|(id, _)| id.as_str())
        .collect();
    assert_eq!(ids, ["refund", "queue", "anger"]);
    assert!(decided.yes_no("refund").is_some());
    assert!(["shipping", "billing"].contains(&decided.choice("queue").unwrap().option.as_str()));
    let anger = decided.score("anger").unwrap();
    assert_eq!(anger.legend, ["calm", "annoyed", "furious"]);
    assert!(anger.nearest().is_some());
    assert!(decided.yes_no("queue").is_none() && decided.get("other").is_none());
}

#[tokio::test]
async fn by_the_decisions_api() {
    let sim = Sim::builder().start().await.unwrap();
    let client = client(&sim);
    let decided = ask(&client, "typesafe/jev-1.14")
        .provider(ProviderPreferences::pin("granite"))
        .session_id("case-118")
        .user("u-42")
        .extra("later", 1)
        .header("x-tamis-note", "n")
        .question("dent", Question::locate("the dent"))
        .await
        .unwrap();
    assert!(decided.location("dent").unwrap().is_sound());
    let mut decided = decided;
    decided.decisions.pop();
    check_types(&decided);
    assert_eq!(
        (decided.via(), decided.known_by),
        (Via::Decisions, KnownBy::Catalogue)
    );
    assert!(decided.yes_no("refund").unwrap().probability.is_some());
    assert_eq!(decided.choice("queue").unwrap().probabilities.len(), 2);
    assert_eq!(decided.attempts, 1);
    assert!(decided.cost.is_some() && decided.input_tokens.is_some());
    let Origin::Decisions(response) = &decided.origin else {
        panic!("{decided:?}")
    };
    assert_eq!(response.id, decided.generation_id);
    let sent = last(&sim);
    assert_eq!(sent.path, "/api/alpha/decisions");
    assert_eq!(sent.header("x-tamis-note"), Some("n"));
    assert_eq!(sent.header("authorization"), Some("Bearer ***"));
    let body = sent.body.unwrap();
    assert_eq!(
        body["questions"]["refund"],
        json!({"type": "noul", "instructions": "Is money asked for?"})
    );
    assert_eq!(
        (
            &body["session_id"],
            &body["user"],
            &body["later"],
            &body["provider"]["order"]
        ),
        (
            &json!("case-118"),
            &json!("u-42"),
            &json!(1),
            &json!(["granite"])
        )
    );
    let printed = format!("{decided:?} {:?}", ask(&client, "a/b"));
    for secret in ["crushed", "angry", "shipping", "sk-of"] {
        assert!(!printed.contains(secret), "{printed}");
    }
}

#[tokio::test]
async fn by_a_completion() {
    let sim = Sim::builder().start().await.unwrap();
    let client = client(&sim);
    let decided = ask(&client, "sim/steady")
        .session_id("case-118")
        .user("u-42")
        .trace(Map::from_iter([("trace_id".to_owned(), json!("t"))]))
        .completion(|chat| chat.temperature(0.0))
        .await
        .unwrap();
    check_types(&decided);
    assert_eq!(
        (decided.via(), decided.known_by),
        (Via::Completion, KnownBy::Catalogue)
    );
    // A model that gives text says which, and not how probable.
    assert_eq!(decided.yes_no("refund").unwrap().probability, None);
    assert!(decided.choice("queue").unwrap().probabilities.is_empty());
    assert!(decided.cost.is_some() && decided.output_tokens.is_some());
    let Origin::Completion(answer) = &decided.origin else {
        panic!("{decided:?}")
    };
    assert_eq!(answer.ledger.len(), 1);
    let body = last(&sim).body.unwrap();
    assert_eq!(body["response_format"]["json_schema"]["name"], "decisions");
    assert_eq!(
        body["messages"][1]["content"],
        "{\"message\":\"The parcel arrived crushed.\"}"
    );
    assert!(
        body["messages"][0]["content"]
            .as_str()
            .unwrap()
            .contains("How angry?")
    );
    assert_eq!(
        (
            &body["temperature"],
            &body["session_id"],
            &body["user"],
            &body["trace"]["trace_id"]
        ),
        (&json!(0.0), &json!("case-118"), &json!("u-42"), &json!("t"))
    );
    // Any schema mode will do, and images go as images.
    let decided = ask(&client, "sim/unsupported")
        .state(json!(["a photo", image("data:image/png;base64,iVBO")]))
        .completion(|chat| chat.schema_mode(SchemaMode::Tool))
        .await
        .unwrap();
    check_types(&decided);
    let body = last(&sim).body.unwrap();
    assert_eq!(body["messages"][1]["content"][1]["type"], "image_url");
}

#[tokio::test]
async fn a_place_by_a_completion_is_sound_or_none() {
    let sim = Sim::builder().start().await.unwrap();
    let client = client(&sim);
    let (mut sound, mut none) = (0, 0);
    for _ in 0..24 {
        let decide = client
            .decide("sim/steady")
            .state("s")
            .locate("dent", "the dent");
        match decide.via(Via::Completion).await {
            Ok(decided) => {
                assert!(decided.location("dent").unwrap().is_sound());
                sound += 1;
            }
            Err(failure) => {
                assert_eq!(failure.kind(), FailureKind::Malformed);
                assert!(failure.completion().is_some());
                none += 1;
            }
        }
    }
    // The simulator says any numbers from 0 to 1.
    assert!(sound > 0 && none > 0);
}

#[tokio::test]
async fn by_which_means_is_settled_and_remembered() {
    let sim = Sim::builder().start().await.unwrap();
    let client = client(&sim);
    for _ in 0..2 {
        ask(&client, "sim/decider").await.unwrap();
    }
    assert_eq!(
        paths(&sim),
        [
            "/api/v1/model/sim/decider",
            "/api/alpha/decisions",
            "/api/alpha/decisions"
        ]
    );
    for model in ["~typesafe/jev-latest", "typesafe/jev-1.14-20260101"] {
        let decided = ask(&client, model).await.unwrap();
        assert_eq!(decided.via(), Via::Decisions, "{model}");
    }
    // The caller's word is asked for nothing, and followed whatever it leads to.
    let before = paths(&sim).len();
    let decided = ask(&client, "sim/steady")
        .via(Via::Completion)
        .await
        .unwrap();
    assert_eq!(decided.known_by, KnownBy::Caller);
    for (model, via) in [
        ("sim/steady", Via::Decisions),
        ("sim/decider", Via::Completion),
    ] {
        let failure = ask(&client, model).via(via).await.unwrap_err();
        assert_eq!(failure.kind(), FailureKind::InvalidRequest);
    }
    assert_eq!(paths(&sim).len(), before + 3);
    // A server that is not OpenRouter has no catalogue, unless it says that it is to be asked otherwise.
    let other = Client::builder().base_url(sim.base_url()).build().unwrap();
    let decided = ask(&other, "sim/steady").await.unwrap();
    assert_eq!(
        (decided.via(), decided.known_by),
        (Via::Completion, KnownBy::Server)
    );
    let decided = ask(&other, "sim/decider").await.unwrap();
    assert_eq!(
        (decided.via(), decided.known_by),
        (Via::Decisions, KnownBy::Refusal)
    );
    assert_eq!(decided.attempts, 2);
    let decided = ask(&other, "sim/decider").await.unwrap();
    assert_eq!((decided.attempts, decided.known_by), (1, KnownBy::Refusal));
}

#[tokio::test]
async fn where_the_catalogue_is_no_help() {
    let sim = Sim::builder().start().await.unwrap();
    // It is asked first, and does not know the model.
    for (model, via, known_by) in [
        ("sim/decider", Via::Decisions, KnownBy::Trial),
        ("sim/steady", Via::Completion, KnownBy::Refusal),
    ] {
        let unknown = sim_without(&sim, "/api/v1/model/").await;
        let through = Client::builder()
            .base_url(format!("{unknown}/api/v1"))
            .openrouter(true)
            .retry(RetryPolicy::none())
            .build()
            .unwrap();
        let decided = ask(&through, model).await.unwrap();
        check_types(&decided);
        assert_eq!(
            (decided.via(), decided.known_by),
            (via, known_by),
            "{model}"
        );
    }
    // What else goes wrong with the catalogue is a failure, and nothing is asked of the model.
    let broken = Client::builder()
        .base_url(sim.base_url())
        .openrouter(true)
        .retry(RetryPolicy::none())
        .header("x-tamis-fault", "http-503")
        .build()
        .unwrap();
    let before = paths(&sim).len();
    let failure = ask(&broken, "sim/decider").await.unwrap_err();
    assert_eq!(failure.kind(), FailureKind::ProviderUnavailable);
    assert_eq!(paths(&sim).len(), before + 1);
}

/// A way to the simulator on which everything under a path is not found; one request a connection.
async fn sim_without(sim: &Sim, path: &'static str) -> String {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{TcpListener, TcpStream};

    let target = sim.address();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut near, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut page = vec![0; 64 * 1024];
                let read = near.read(&mut page).await.unwrap_or_default();
                let request = String::from_utf8(page[..read].to_vec()).unwrap_or_default();
                if request.lines().next().unwrap_or_default().contains(path) {
                    let body = r#"{"error":{"code":404,"message":"Model not found"}}"#;
                    let reply = format!(
                        "HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                        body.len()
                    );
                    let _ = near.write_all(reply.as_bytes()).await;
                    return;
                }
                let mut far = TcpStream::connect(target).await.unwrap();
                far.write_all(&page[..read]).await.unwrap();
                let _ = tokio::io::copy_bidirectional(&mut near, &mut far).await;
            });
        }
    });
    format!("http://{address}")
}

#[tokio::test]
async fn what_was_not_asked_for_is_malformed() {
    let sim = Sim::builder().start().await.unwrap();
    let client = client(&sim);
    for fault in Fault::of_decisions() {
        let decide = ask(&client, "sim/decider").via(Via::Decisions);
        let failure = decide
            .header("x-tamis-fault", fault.name())
            .await
            .unwrap_err();
        assert_eq!(failure.kind(), FailureKind::Malformed, "{}", fault.name());
        assert!(failure.generation_id().unwrap().starts_with("gen-dec-"));
        assert_eq!(failure.attempts(), 1);
        // It was paid for.
        let response = tamis::decide::response(&failure).unwrap();
        assert!(response.usage.as_ref().unwrap().cost.is_some());
    }
    // A completion that is none of the allowed answers is no decision either.
    for (fault, kind) in [
        ("refusal", FailureKind::ContentPolicy),
        ("truncated", FailureKind::ContextLength),
        ("missing-property", FailureKind::Malformed),
        ("unauthorized", FailureKind::Authentication),
    ] {
        let decide = ask(&client, "sim/steady").via(Via::Completion);
        let failure = decide.header("x-tamis-fault", fault).await.unwrap_err();
        assert_eq!(failure.kind(), kind, "{fault}: {failure}");
    }
}

#[tokio::test]
async fn what_is_wrong_is_not_sent() {
    let sim = Sim::builder().start().await.unwrap();
    let client = client(&sim);
    let question = Question::other("rank", "Which first?", Map::new());
    let rows: Vec<Decide> = vec![
        client.decide("a/b").state("s"),
        client.decide("a/b").yes_no("a", "?"),
        client.decide(" ").state("s").yes_no("a", "?"),
        client.decide("a/b").state("s").choice("a", "?", ["one"]),
        client
            .decide("a/b")
            .state("s")
            .score("a", "?", [Value::Null, Value::Null]),
        client
            .decide("a/b")
            .state("s")
            .yes_no("a", "?")
            .yes_no("a", "?"),
        client
            .decide("a/b")
            .state(json!([image("https://example.com/a.png")]))
            .yes_no("a", "?"),
        client
            .decide("a/b")
            .state("s")
            .yes_no("a", "?")
            .header("a b", "c"),
        client
            .decide("a/b")
            .state("s")
            .yes_no("a", "?")
            .user("u".repeat(257)),
        client
            .decide("a/b")
            .state("s")
            .question("a", question)
            .via(Via::Completion),
        client.decide("no-slash").state("s").yes_no("a", "?"),
    ];
    for decide in rows {
        let shown = format!("{decide:?}");
        let failure: Failure = decide.await.unwrap_err();
        assert_eq!(failure.kind(), FailureKind::Validation, "{shown} {failure}");
        assert_eq!(failure.attempts(), 0);
    }
    assert!(sim.requests().is_empty());
}

#[tokio::test]
async fn a_transient_failure_is_tried_again() {
    let sim = Sim::builder().start().await.unwrap();
    let moment = Duration::from_millis(1);
    let decide = ask(&client(&sim), "sim/decider")
        .retry(RetryPolicy::default().backoff(moment, moment))
        .header("x-tamis-fault", "http-503*2");
    let decided = decide.await.unwrap();
    assert_eq!(decided.attempts, 3);
    // The whole of it has one deadline.
    let sim = Sim::builder()
        .hang(Duration::from_mins(1))
        .start()
        .await
        .unwrap();
    for model in ["sim/decider", "sim/steady"] {
        let decide = ask(&client(&sim), model)
            .timeout(Duration::from_millis(300))
            .header("x-tamis-fault", "hang-before-headers");
        let failure = decide.await.unwrap_err();
        assert_eq!(failure.kind(), FailureKind::Timeout, "{model} {failure}");
    }
}

#[test]
fn every_fault_has_a_name_of_its_own() {
    let names: BTreeSet<&str> = Fault::everywhere().map(Fault::name).collect();
    assert_eq!(names.len(), Fault::everywhere().count());
}
