//! Tools: what is sent of them, and how their calls are read.
#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on fails"
)]

use serde::Deserialize;
use serde_json::{Value, json};
use tamis::wire::read_completion;
use tamis::{
    ArgumentsForm, Call, CallError, CallErrorKind, Chat, Client, FailureKind, RetryPolicy,
    ToolError, Toolbox, Turn, schemars,
};
use tamis_sim::Sim;

/// Where to look.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
struct Place {
    /// The city's name, in English.
    city: String,
    #[serde(default)]
    days: Option<u8>,
}

fn tools() -> Toolbox {
    Toolbox::new()
        .function(
            "weather",
            "The weather at a place.",
            |place: Place| async move {
                if place.city == "Atlantis" {
                    return Err(ToolError::from("there is no such city"));
                }
                Ok(json!({"city": place.city, "rain": true, "days": place.days}))
            },
        )
        .tool(
            "now",
            "The time.",
            json!({"type": "object", "properties": {}, "additionalProperties": false}),
        )
}

async fn sim() -> Sim {
    Sim::builder().seed(7).start().await.unwrap()
}

fn chat(sim: &Sim, model: &str) -> Chat {
    Client::builder()
        .base_url(sim.base_url())
        .openrouter(true)
        .api_key("sk-test-4f1c9d")
        .retry(RetryPolicy::none())
        .build()
        .unwrap()
        .chat(model)
        .user("Does it rain in Oslo?")
        .toolbox(tools())
}

/// Reads a call with such arguments, as the completion has them.
fn call(name: &str, arguments: &Value) -> Result<Call, CallError> {
    let mut function = json!({"name": name});
    if *arguments != json!("absent") {
        function["arguments"] = arguments.clone();
    }
    let body = json!({"id": "gen-1", "choices": [{"index": 0, "finish_reason": "tool_calls", "message":
        {"role": "assistant", "content": null, "tool_calls": [
            {"id": "call_1", "type": "function", "function": function}]}}]});
    let completion = read_completion(body.to_string().as_bytes()).unwrap();
    let client = Client::builder()
        .base_url("http://127.0.0.1:1/v1")
        .build()
        .unwrap();
    let reader = client
        .chat("a/b")
        .user("Hi")
        .toolbox(tools())
        .tool_reader()
        .unwrap();
    match reader.read(&completion).unwrap() {
        Turn::Calls(mut calls) => calls.remove(0),
        turn => panic!("{turn:?}"),
    }
}

#[tokio::test]
async fn what_is_sent_and_what_comes_back() {
    let sim = sim().await;
    let chat = chat(&sim, "a/b").tool_choice(tamis::wire::request::ToolChoice::Function(
        "weather".to_owned(),
    ));
    let (turn, completion) = chat.turn().await.unwrap();
    let Turn::Calls(calls) = turn else {
        panic!("{turn:?}")
    };
    let call = calls[0].as_ref().unwrap();
    assert_eq!(call.name, "weather");
    assert!(call.parse::<Place>().is_ok());
    let result = tools().run(call).await.unwrap();
    assert_eq!(result["rain"], true);
    assert!(completion.id.is_some());

    let sent = sim.requests()[0].body.clone().unwrap();
    let function = &sent["tools"][0]["function"];
    assert_eq!(function["name"], "weather");
    assert_eq!(function["description"], "The weather at a place.");
    let city = &function["parameters"]["properties"]["city"];
    assert_eq!(city["description"], "The city's name, in English.");
    // Nothing is known of this upstream.
    assert!(function.get("strict").is_none());
    let now = serde_json::to_value(call.result("It rains.")).unwrap();
    assert_eq!(now["role"], "tool");
    assert_eq!(now["tool_call_id"], call.id.as_str());
}

#[test]
fn arguments_in_every_form() {
    let object = json!({"city": "Oslo"});
    let rows = [
        (json!(r#"{"city":"Oslo"}"#), ArgumentsForm::Text, false),
        (json!({"city": "Oslo"}), ArgumentsForm::Object, false),
        (
            json!(r#""{\"city\":\"Oslo\"}""#),
            ArgumentsForm::DoublyEncoded,
            true,
        ),
        (
            json!("```json\n{city: 'Oslo',}\n```"),
            ArgumentsForm::Text,
            true,
        ),
    ];
    for (arguments, form, repaired) in rows {
        let call = call("weather", &arguments).unwrap();
        assert_eq!((call.form, &call.arguments), (form, &object), "{arguments}");
        assert_eq!(!call.repairs.is_empty(), repaired, "{arguments}");
    }
    for (arguments, form) in [
        (json!(""), ArgumentsForm::Empty),
        (json!("  "), ArgumentsForm::Empty),
        (json!("null"), ArgumentsForm::Null),
        (Value::Null, ArgumentsForm::Missing),
        (json!("absent"), ArgumentsForm::Missing),
        (json!({}), ArgumentsForm::Object),
    ] {
        let call = call("now", &arguments).unwrap();
        assert_eq!(
            (call.form, call.arguments),
            (form, json!({})),
            "{arguments}"
        );
        // No arguments are none that the other tool takes.
        let error = self::call("weather", &arguments).unwrap_err();
        assert_eq!(error.kind(), CallErrorKind::Violation);
    }
}

#[test]
fn a_call_that_is_none_says_why_to_caller_and_model() {
    let rows = [
        ("wether", json!("{}"), CallErrorKind::UnknownTool),
        ("weather", json!("Oslo, please"), CallErrorKind::NotJson),
        ("weather", json!(r#"{"city": 7}"#), CallErrorKind::Violation),
        ("now", json!(r#"{"zone": "CET"}"#), CallErrorKind::Violation),
    ];
    for (name, arguments, kind) in rows {
        let error = call(name, &arguments).unwrap_err();
        assert_eq!(
            (error.kind(), error.name(), error.id()),
            (kind, name, "call_1")
        );
        assert_eq!(
            error.violations().is_empty(),
            kind != CallErrorKind::Violation
        );
        let told = serde_json::to_value(error.answer()).unwrap();
        assert!(
            told["content"]
                .as_str()
                .unwrap()
                .starts_with("The call was not carried out")
        );
        assert!(!format!("{error:?} {error}").contains("Oslo"));
    }
}

#[tokio::test]
async fn a_call_that_was_cut_off_is_never_handed_out() {
    let sim = sim().await;
    for model in [
        "sim/tool-call-truncated",
        "sim/tool-call-truncated-natively",
    ] {
        let failure = chat(&sim, model).turn().await.unwrap_err();
        assert_eq!(failure.kind(), FailureKind::ContextLength, "{model}");
        assert!(failure.completion().is_some());
    }
    let failure = chat(&sim, "sim/refusal").turn().await.unwrap_err();
    assert_eq!(failure.kind(), FailureKind::ContentPolicy);
}

#[tokio::test]
async fn a_stream_s_calls_are_read_alike() {
    let sim = sim().await;
    let chat = chat(&sim, "sim/parallel-tool-calls");
    let reader = chat.tool_reader().unwrap();
    let completion = chat.stream().await.unwrap().finish().await.unwrap();
    let Turn::Calls(calls) = reader.read(&completion).unwrap() else {
        panic!("{completion:?}")
    };
    assert_eq!(calls.len(), 2);
    assert!(calls.iter().all(Result::is_ok), "{calls:?}");
}

#[tokio::test]
async fn tools_that_cannot_be_sent_are_refused_before() {
    let sim = sim().await;
    let refused = [
        Toolbox::new().tool("no spaces", "", json!({"type": "object"})),
        Toolbox::new().tool("list", "", json!({"type": "array"})),
        Toolbox::new().tool("wrong", "", json!({"type": "object", "required": 7})),
        tools().tool("now", "Again.", json!({"type": "object"})),
    ];
    for tools in refused {
        let failure = chat(&sim, "a/b").toolbox(tools).turn().await.unwrap_err();
        assert_eq!(failure.kind(), FailureKind::Validation);
    }
    assert!(sim.requests().is_empty());
}

#[tokio::test]
async fn what_a_function_fails_with_is_told_apart() {
    let atlantis = call("weather", &json!({"city": "Atlantis"})).unwrap();
    let error = tools().run(&atlantis).await.unwrap_err();
    assert_eq!(
        error.tool_error().unwrap().to_string(),
        "there is no such city"
    );
    let now = call("now", &json!("")).unwrap();
    assert!(tools().run(&now).await.unwrap_err().tool_error().is_none());
}

#[tokio::test]
async fn anthropic_gets_the_header_without_which_strict_is_nothing() {
    let sim = sim().await;
    for (model, header) in [("anthropic/claude-sonnet-4.5", true), ("a/b", false)] {
        let tool = json!({"type": "function", "function": {"name": "f", "strict": true, "parameters":
            {"type": "object", "properties": {}, "required": [], "additionalProperties": false}}});
        let request = json!({"model": model, "messages": [{"role": "user", "content": "Hi"}], "tools": [tool]});
        let client = Client::builder()
            .base_url(sim.base_url())
            .openrouter(true)
            .api_key("sk-test")
            .build()
            .unwrap();
        client
            .request_json(request.as_object().unwrap().clone())
            .send()
            .await
            .unwrap();
        let sent = sim.requests().pop().unwrap();
        assert_eq!(sent.header("x-anthropic-beta").is_some(), header, "{model}");
    }
}
