//! Answers to a schema: asking again, other modes, choosing, ending early.
#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test that cannot go on fails"
)]

use serde_json::{Value, json};
use tamis::schema::{Dialect, Finding, Validator, lint};
use tamis::wire::read_completion;
use tamis::{
    Chat, Client, FailureKind, ProviderPreferences, Reading, Reask, RetryPolicy, SchemaMode,
    aborted, ledger, violations,
};
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

/// With a property that may be absent, and a map.
fn loose() -> Value {
    json!({
        "type": "object",
        "properties": {
            "city": {"type": "string", "maxLength": 40},
            "zip": {"type": "string"},
            "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        },
        "required": ["city", "labels"],
        "additionalProperties": false,
    })
}

#[tokio::test]
async fn a_schema_is_lowered_into_the_model_s_dialect_and_the_answer_lifted() {
    let sim = sim().await;
    for (model, dialect) in [
        ("openai/gpt-4o", Some(Dialect::OPENAI_STRICT)),
        ("anthropic/claude-sonnet-4.5", Some(Dialect::ANTHROPIC)),
        ("a/b", None),
    ] {
        let chat = client(&sim)
            .chat(model)
            .user("Where?")
            .json_schema("place", loose());
        let answer = chat.answer().await.unwrap();
        assert_eq!(answer.dialect, dialect);
        assert!(
            answer.value["labels"].is_object(),
            "{model}: {}",
            answer.value
        );
        assert!(Validator::new(&loose()).unwrap().is_valid(&answer.value));
        assert_eq!(answer.lifts.is_empty(), dialect.is_none(), "{model}");
        let body = sim.requests().last().unwrap().body.clone().unwrap();
        let schema = &body["response_format"]["json_schema"]["schema"];
        match dialect {
            Some(dialect) => {
                assert_eq!(schema["properties"]["labels"]["type"], "array");
                let errors = lint(schema, dialect);
                assert!(!errors.iter().any(Finding::is_error), "{errors:?}");
            }
            None => assert_eq!(*schema, loose()),
        }
    }
}

#[tokio::test]
async fn which_dialect_is_for_the_request_to_say() {
    let sim = sim().await;
    let chat = |model: &str| {
        client(&sim)
            .chat(model)
            .user("Where?")
            .json_schema("place", loose())
    };
    let provider = |names: &[&str]| {
        let mut provider = ProviderPreferences::default();
        provider.only = names.iter().map(|name| (*name).to_owned()).collect();
        provider
    };
    let rows = [
        (chat("openai/gpt-4o"), Some(Dialect::OPENAI_STRICT)),
        (chat("openai/gpt-4o").lowering(false), None),
        (
            chat("openai/gpt-4o").dialect(Dialect::GEMINI),
            Some(Dialect::GEMINI),
        ),
        (
            chat("openai/gpt-4o").schema_mode(SchemaMode::Tool),
            Some(Dialect::OPENAI_STRICT_TOOLS),
        ),
        (chat("openai/gpt-4o").schema_mode(SchemaMode::Prompt), None),
        (
            chat("meta-llama/llama-4-scout").provider(provider(&["groq"])),
            Some(Dialect::GROQ_STRICT),
        ),
        (
            chat("meta-llama/llama-4-scout").provider(provider(&["groq", "cerebras"])),
            Some(Dialect::PORTABLE),
        ),
        (
            chat("meta-llama/llama-4-scout").provider(provider(&["groq", "nobody"])),
            None,
        ),
        (
            chat("deepseek/deepseek-chat").provider(provider(&["deepseek"])),
            None,
        ),
    ];
    for (chat, dialect) in rows {
        assert_eq!(chat.reading().unwrap().dialect(), dialect, "{chat:?}");
    }
    // A request given as JSON is sent as it is, unless it is said otherwise.
    let json = json!({"model": "openai/gpt-4o", "messages": [{"role": "user", "content": "Hi"}],
        "response_format": {"type": "json_schema", "json_schema": {"name": "place", "schema": loose()}}});
    let chat = || client(&sim).request_json(json.as_object().unwrap().clone());
    assert_eq!(chat().reading().unwrap().dialect(), None);
    assert_eq!(
        chat().lowering(true).reading().unwrap().dialect(),
        Some(Dialect::OPENAI_STRICT)
    );
}

#[tokio::test]
async fn what_cannot_be_lowered_is_refused_before_it_is_sent() {
    let sim = sim().await;
    let recursive = json!({"type": "object", "properties": {"next": {"$ref": "#"}}, "required": ["next"], "additionalProperties": false});
    let chat = client(&sim)
        .chat("anthropic/claude-sonnet-4.5")
        .user("Hi")
        .json_schema("list", recursive);
    let failure = chat.answer().await.unwrap_err();
    assert_eq!(failure.kind(), FailureKind::Validation);
    assert!(failure.message().contains("recursive"), "{failure}");
    assert!(sim.requests().is_empty());
}

#[tokio::test]
async fn a_type_needs_no_schema_by_hand() {
    /// A delivery.
    #[derive(Debug, serde::Deserialize, tamis::schemars::JsonSchema)]
    struct Delivery {
        /// The city, in English.
        #[expect(dead_code, reason = "read by the schema")]
        city: String,
        #[expect(dead_code, reason = "read by the schema")]
        floor: Option<u8>,
    }
    let sim = sim().await;
    let chat = client(&sim).chat("openai/gpt-4o").user("Where?");
    let answer = chat.structured::<Delivery>().await.unwrap();
    assert_eq!(answer.dialect, Some(Dialect::OPENAI_STRICT));
    let schema = &sent(&sim, 0)["response_format"]["json_schema"]["schema"];
    assert_eq!(schema["required"], json!(["city", "floor"]));
    let city = &schema["properties"]["city"]["description"];
    assert_eq!(city, "The city, in English.");
}

#[tokio::test]
async fn values_are_changed_only_where_that_is_allowed() {
    let sim = sim().await;
    let counted = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": false});
    let ask = || {
        client(&sim)
            .chat("sim/wrong-type")
            .user("How many?")
            .json_schema("count", counted.clone())
    };
    let failure = ask().answer().await.unwrap_err();
    assert_eq!(violations(&failure)[0].instance, "/n");
    let answer = ask().coerce(true).answer().await.unwrap();
    assert!(answer.value["n"].is_i64());
    assert_eq!(answer.coercions.len(), 1);
    // A stream that may still be coerced is read to its end.
    let stream = ask().coerce(true).stream().await.unwrap();
    assert_eq!(stream.answer().await.unwrap().coercions.len(), 1);
}

#[tokio::test]
async fn a_stream_is_ended_at_its_first_violation() {
    let sim = sim().await;
    let ask = || {
        ask(&sim, "extra-property")
            .max_tokens(5_000)
            .header("x-tamis-key", "k")
    };
    let failure = ask().stream().await.unwrap().answer().await.unwrap_err();
    assert_eq!(failure.kind(), FailureKind::Malformed);
    assert_eq!(violations(&failure)[0].keyword, "additionalProperties");
    let aborted = aborted(&failure).unwrap();
    let whole = ask()
        .early_abort(false)
        .stream()
        .await
        .unwrap()
        .answer()
        .await
        .unwrap_err();
    assert!(tamis::aborted(&whole).is_none());
    let text = whole.completion().unwrap().text().unwrap().into_owned();
    assert!(aborted.offset < text.len(), "{aborted:?} {text}");
    // What came is there, to look at.
    let came = failure.completion().unwrap().text().unwrap().into_owned();
    assert_eq!(came.len(), aborted.offset);
    assert!(text.starts_with(&came));
    assert!(failure.completion().unwrap().partial_json().is_some());
    assert_eq!(
        aborted.saved_tokens_at_most.is_some(),
        aborted.billing_stops == Some(true)
    );
    // The items end with the same.
    let mut stream = ask().stream().await.unwrap();
    let mut last = None;
    while let Some(item) = stream.next().await {
        last = Some(item);
    }
    assert_eq!(last.unwrap().unwrap_err().kind(), FailureKind::Malformed);
}

#[tokio::test]
async fn a_stream_in_the_shape_of_a_lowered_schema_is_ended_as_well() {
    let sim = sim().await;
    let optional = json!({
        "type": "object",
        "properties": {"city": {"type": "string"}, "zip": {"type": "string"}},
        "required": ["city"],
        "additionalProperties": false,
    });
    let ask = || {
        client(&sim)
            .chat("openai/gpt-4o")
            .user("Where?")
            .json_schema("place", optional.clone())
    };
    let answer = ask().stream().await.unwrap().answer().await.unwrap();
    assert_eq!(answer.dialect, Some(Dialect::OPENAI_STRICT));
    let broken = ask().header("x-tamis-fault", "extra-property");
    let failure = broken.stream().await.unwrap().answer().await.unwrap_err();
    assert_eq!(violations(&failure)[0].keyword, "additionalProperties");
    assert!(aborted(&failure).is_some());
}

#[tokio::test]
async fn an_answer_that_cannot_be_brought_back_says_why() {
    let sim = sim().await;
    let map = json!({"type": "object", "properties": {"ages": {"type": "object", "additionalProperties": {"type": "integer"}}},
        "required": ["ages"], "additionalProperties": false});
    let chat = client(&sim)
        .chat("openai/gpt-4o")
        .user("How old?")
        .json_schema("ages", map);
    let reading = chat.reading().unwrap();
    let read = |content: &str| {
        let body = json!({"id": "gen-1", "choices": [{"index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": content}}]});
        let completion = read_completion(body.to_string().as_bytes()).unwrap();
        reading.completion(&completion).unwrap()
    };
    let twice = read(r#"{"ages": [{"key": "a", "value": 1}, {"key": "a", "value": 2}]}"#);
    assert_eq!(
        twice.violations[0].message,
        "a map was answered with the same key twice"
    );
    assert_eq!(read(r#"{"ages": {"a": 1}}"#).violations, []);
}

#[test]
fn of_several_documents_the_one_that_conforms_is_taken() {
    let reading = Reading::new(&schema()).unwrap();
    let read = |content: &str| {
        let body = json!({"id": "gen-1", "choices": [{"index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": content}}]});
        reading.completion(&read_completion(body.to_string().as_bytes()).unwrap())
    };
    let oslo = json!({"city": "Oslo", "zip": "0150"});
    let text = r#"You asked for {"city": "", "zip": ""} with values: {"city": "Oslo"} is not enough, so {"city": "Oslo", "zip": "0150"}"#;
    // Two conform and differ: nobody can say which is meant.
    assert_eq!(read(text).unwrap_err().kind(), FailureKind::Malformed);
    let text = r#"First {"city": "Oslo"}, but that lacks something: {"city": "Oslo", "zip": "0150"}. Done."#;
    let found = read(text).unwrap();
    assert!(found.conforms());
    assert_eq!(found.value, oslo);
    let left_out: Vec<usize> = found.repairs.iter().map(|repair| repair.offset).collect();
    // All that was not chosen is on record: the words, and the other document.
    let places = ["First", "{\"city\": \"Oslo\"},", "but", ". Done"];
    assert_eq!(left_out, places.map(|words| text.find(words).unwrap()));
    let neither = r#"{"city": 1} or {"city": 2}"#;
    assert_eq!(read(neither).unwrap_err().kind(), FailureKind::Malformed);
}

#[tokio::test]
async fn the_catalogue_says_by_what_means_a_schema_may_go() {
    let sim = sim().await;
    for (model, mode) in [
        ("sim/steady", Some(SchemaMode::JsonSchema)),
        ("sim/unsupported", Some(SchemaMode::Tool)),
        ("sim/nobody-knows-it", None),
    ] {
        let chat = client(&sim)
            .chat(model)
            .user("Where?")
            .json_schema("place", schema());
        let chosen = chat.schema_mode_by_catalogue().await;
        match mode {
            Some(mode) => assert_eq!(chosen.unwrap().reading().unwrap().mode(), mode, "{model}"),
            None => assert_eq!(chosen.unwrap_err().kind(), FailureKind::Validation),
        }
    }
}

#[test]
fn formats_that_the_upstream_enforces_are_asserted() {
    let schema = json!({"type": "object", "properties": {"day": {"type": "string", "format": "date"}}, "required": ["day"], "additionalProperties": false});
    let client = Client::builder()
        .base_url("http://127.0.0.1:1/v1")
        .build()
        .unwrap();
    let body = json!({"id": "gen-1", "choices": [{"index": 0, "finish_reason": "stop",
        "message": {"role": "assistant", "content": "{\"day\": \"tomorrow\"}"}}]});
    let completion = read_completion(body.to_string().as_bytes()).unwrap();
    for (model, conforms) in [("openai/gpt-4o", false), ("a/b", true)] {
        let chat = client
            .chat(model)
            .user("When?")
            .json_schema("day", schema.clone());
        let read = chat.reading().unwrap().completion(&completion).unwrap();
        assert_eq!(read.conforms(), conforms, "{model}");
    }
}
