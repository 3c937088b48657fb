//! Answers to a schema: asking again, other modes, choosing, ending early.
#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on fails"
)]

use serde_json::{Value, json};
use tamis::{Chat, Client, FailureKind, Reask, RetryPolicy, SchemaMode, ledger, violations};
use tamis_sim::Sim;

async fn sim() -> Sim {
    Sim::builder().seed(7).start().await.unwrap()
}

fn client(sim: &Sim) -> Client {
    Client::builder()
        .base_url(sim.base_url())
        .openrouter(true)
        .api_key("sk-test-4f1c9d")
        .retry(RetryPolicy::none())
        .build()
        .unwrap()
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {"city": {"type": "string"}, "zip": {"type": "string"}},
        "required": ["city", "zip"],
        "additionalProperties": false,
    })
}

fn ask(sim: &Sim, faults: &str) -> Chat {
    client(sim)
        .chat("a/b")
        .user("Where?")
        .json_schema("place", schema())
        .header("x-tamis-fault", faults)
}

fn sent(sim: &Sim, number: usize) -> Value {
    sim.requests()[number].body.clone().unwrap()
}

#[tokio::test]
async fn what_breaks_the_schema_is_sent_back_and_asked_for_again() {
    let sim = sim().await;
    let answer = ask(&sim, "missing-property*1")
        .reask(2)
        .answer()
        .await
        .unwrap();
    assert!(answer.value["city"].is_string());
    assert_eq!(answer.attempts, 2);
    let [first, second] = answer.ledger.as_slice() else {
        panic!("{:?}", answer.ledger)
    };
    assert!(!first.is_answer() && second.is_answer());
    assert_eq!(first.violations[0].keyword, "required");
    assert!(first.usage.is_some() && first.cost.is_some() && first.provider.is_some());
    assert_eq!(second.generation_id, answer.generation_id);
    assert_ne!(first.generation_id, second.generation_id);

    let messages = &sent(&sim, 1)["messages"];
    let roles: Vec<&str> = (0..3)
        .map(|n| messages[n]["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["user", "assistant", "user"]);
    let complaint = messages[2]["content"].as_str().unwrap();
    assert!(
        complaint.contains("\"city\" is a required property"),
        "{complaint}"
    );
    assert_eq!(sent(&sim, 0)["messages"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn what_is_no_json_is_asked_for_again_too() {
    // Where nothing came that could be sent back, the complaint stands alone.
    for (faults, messages) in [("prose-only*1", 3), ("empty-content*1", 2)] {
        let sim = sim().await;
        let answer = ask(&sim, faults).reask(1).answer().await.unwrap();
        assert_eq!(answer.ledger.len(), 2, "{faults}");
        assert!(answer.ledger[0].violations.is_empty());
        let again = sent(&sim, 1);
        assert_eq!(again["messages"].as_array().unwrap().len(), messages);
    }
}

#[tokio::test]
async fn it_is_asked_again_as_often_as_allowed_and_for_such_failures_only() {
    let sim = sim().await;
    let failure = ask(&sim, "missing-property")
        .reask(2)
        .answer()
        .await
        .unwrap_err();
    assert_eq!(failure.kind(), FailureKind::Malformed);
    assert_eq!(failure.attempts(), 3);
    assert_eq!(ledger(&failure).len(), 3);
    assert!(ledger(&failure).iter().all(|entry| !entry.is_answer()));
    assert_eq!(violations(&failure)[0].keyword, "required");
    assert_eq!(sim.requests().len(), 3);

    for faults in ["refusal", "truncated", "http-500"] {
        let before = sim.requests().len();
        ask(&sim, faults).reask(3).answer().await.unwrap_err();
        assert_eq!(sim.requests().len(), before + 1, "{faults}");
    }
    // Unless it is asked for, never.
    let before = sim.requests().len();
    let failure = ask(&sim, "missing-property").answer().await.unwrap_err();
    assert_eq!(ledger(&failure).len(), 1);
    assert_eq!(sim.requests().len(), before + 1);
}

#[tokio::test]
async fn a_budget_is_kept() {
    let sim = sim().await;
    let one = ask(&sim, "missing-property").answer().await.unwrap_err();
    let used = ledger(&one)[0].usage.clone().unwrap().total_tokens.unwrap();
    let tight = Reask::times(5).max_tokens(used * 2 - 1);
    let failure = ask(&sim, "missing-property")
        .reask(tight)
        .answer()
        .await
        .unwrap_err();
    assert_eq!(ledger(&failure).len(), 1);
    let enough = Reask::times(5).max_tokens(used * 2 + 1).max_cost(1.0);
    let failure = ask(&sim, "missing-property")
        .reask(enough)
        .answer()
        .await
        .unwrap_err();
    assert_eq!(ledger(&failure).len(), 2);
    let poor = Reask::times(5).max_cost(0.0);
    let failure = ask(&sim, "missing-property")
        .reask(poor)
        .answer()
        .await
        .unwrap_err();
    assert_eq!(ledger(&failure).len(), 1);
}

#[tokio::test]
async fn when_asking_again_fails_the_ledger_says_what_came_before() {
    let sim = sim().await;
    let failure = ask(&sim, "missing-property*1,http-503")
        .reask(2)
        .answer()
        .await
        .unwrap_err();
    assert_eq!(failure.kind(), FailureKind::ProviderUnavailable);
    assert_eq!((failure.status(), failure.attempts()), (Some(503), 2));
    assert_eq!(ledger(&failure).len(), 1);
}

#[tokio::test]
async fn a_schema_goes_by_other_means_where_the_caller_says_so() {
    let sim = sim().await;
    for mode in SchemaMode::ALL {
        let answer = ask(&sim, "").schema_mode(mode).answer().await;
        let body = sim.requests().last().unwrap().body.clone().unwrap();
        match mode {
            SchemaMode::JsonSchema => {
                assert_eq!(body["response_format"]["type"], "json_schema");
            }
            SchemaMode::Tool => {
                assert!(body.get("response_format").is_none());
                assert_eq!(body["tools"][0]["function"]["name"], "place");
                assert_eq!(body["tools"][0]["function"]["parameters"], schema());
                assert_eq!(body["tool_choice"]["function"]["name"], "place");
            }
            _ => {
                let format = body.get("response_format");
                assert_eq!(format.is_some(), mode == SchemaMode::JsonObject);
                let told = body["messages"][0]["content"].as_str().unwrap();
                assert!(told.contains("\"zip\""), "{told}");
                assert_eq!(body["messages"][0]["role"], "system");
                assert_eq!(body["messages"][1]["content"], "Where?");
            }
        }
        match mode {
            SchemaMode::JsonSchema | SchemaMode::Tool => {
                let answer = answer.unwrap();
                assert_eq!(answer.mode, mode);
                assert!(answer.value["city"].is_string());
            }
            // Nobody enforced anything, and what came is checked all the same.
            _ => assert_eq!(answer.unwrap_err().kind(), FailureKind::Malformed, "{mode}"),
        }
    }
}

#[tokio::test]
async fn a_tool_that_stands_for_the_answer_has_to_be_called() {
    let sim = sim().await;
    let ask = |faults| ask(&sim, faults).schema_mode(SchemaMode::Tool);
    let failure = ask("no-tool-call").answer().await.unwrap_err();
    assert_eq!(failure.kind(), FailureKind::Malformed);
    let failure = ask("tool-call-truncated").answer().await.unwrap_err();
    assert_eq!(failure.kind(), FailureKind::ContextLength);
    let failure = ask("refusal").answer().await.unwrap_err();
    assert_eq!(failure.kind(), FailureKind::ContentPolicy);
    let before = sim.requests().len();
    let other = tamis::wire::request::FunctionTool::new("other", json!({"type": "object"}));
    let failure = ask("").tools([other.into()]).answer().await.unwrap_err();
    assert_eq!(failure.kind(), FailureKind::Validation);
    assert_eq!(sim.requests().len(), before);
}

#[tokio::test]
async fn a_stream_gives_an_answer_too() {
    let sim = sim().await;
    let stream = ask(&sim, "").stream().await.unwrap();
    let answer = stream.answer().await.unwrap();
    assert!(answer.value["city"].is_string());
    assert_eq!(answer.ledger.len(), 1);
    let stream = ask(&sim, "prose-only").stream().await.unwrap();
    let failure = stream.answer().await.unwrap_err();
    assert_eq!(failure.kind(), FailureKind::Malformed);
}
