//! Requests of the Responses and the Messages protocol: what is sent, and what comes back.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tamis::schema::Dialect;
use tamis::{
    Client, Completion, CompletionStream, Failure, FailureKind, FinishReason, Outcome,
    ProviderPreferences, RetryPolicy, SchemaMode, Toolbox, Turn, schemars::JsonSchema,
};
use tamis_sim::Sim;

async fn sim() -> Sim {
    Sim::builder()
        .seed(3)
        .pace(Duration::ZERO)
        .start()
        .await
        .unwrap()
}

fn client(sim: &Sim) -> Client {
    client_of(sim, true)
}

fn client_of(sim: &Sim, openrouter: bool) -> Client {
    Client::builder()
        .base_url(sim.base_url())
        .openrouter(openrouter)
        .api_key("sk-or-secret")
        .retry(RetryPolicy::none())
        .build()
        .unwrap()
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {"size": {"enum": ["small", "large"]}, "count": {"type": "integer"}},
        "required": ["size", "count"],
    })
}

/// What was sent last.
fn sent(sim: &Sim) -> Value {
    sim.requests().last().unwrap().body.clone().unwrap()
}

async fn chunks(mut stream: CompletionStream) -> (String, Result<Completion, Failure>) {
    let mut text = String::new();
    while let Some(chunk) = stream.next().await {
        match chunk {
            Ok(chunk) => text.push_str(chunk.text().unwrap_or_default()),
            Err(failure) => return (text, Err(failure)),
        }
    }
    (text, stream.finish().await)
}

#[tokio::test]
async fn text_comes_back_in_the_terms_of_chat_completions() {
    let sim = sim().await;
    let client = client(&sim);
    let response = || {
        client
            .responses("sim/steady")
            .instructions("Be brief.")
            .user("Hello?")
    };
    let message = || {
        client
            .messages("sim/steady")
            .system("Be brief.")
            .user("Hello?")
    };
    let plain = [
        response().send().await.unwrap(),
        message().send().await.unwrap(),
    ];
    assert!(plain[0].response().is_some() && plain[1].native_message().is_some());
    for completion in plain {
        let Ok(Outcome::Text(text)) = completion.outcome() else {
            panic!("no text");
        };
        assert!(!text.is_empty());
        assert_eq!(completion.finish_reason(), Some(&FinishReason::Stop));
        assert_eq!(completion.model.as_deref(), Some("sim/steady"));
        assert!(completion.id.unwrap().starts_with("gen-"));
        let usage = completion.usage.unwrap();
        assert_eq!(
            usage.total_tokens,
            Some(usage.prompt_tokens.unwrap() + usage.completion_tokens.unwrap())
        );
        assert!(usage.total_cost().unwrap() > 0.0);
    }
    let streams = [
        response().stream().await.unwrap(),
        message().stream().await.unwrap(),
    ];
    for stream in streams {
        assert!(stream.generation_id().unwrap().starts_with("gen-"));
        let (text, completion) = chunks(stream).await;
        let completion = completion.unwrap();
        assert_eq!(completion.text().as_deref(), Some(&*text));
        assert!(completion.usage.is_some() && completion.fold_notes().is_empty());
    }
    assert_eq!(sent(&sim)["stream"], true);
    assert!(sent(&sim).get("stream_options").is_none());
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Parcel {
    /// How many.
    count: u32,
    label: Option<String>,
}

#[tokio::test]
async fn structured_output_works_through_each() {
    let sim = sim().await;
    let client = client(&sim);
    let answer = client
        .responses("openai/gpt-4o")
        .user("Go.")
        .json_schema("parcel", schema())
        .answer()
        .await
        .unwrap();
    assert!(answer.value["count"].is_i64() || answer.value["count"].is_u64());
    let format = &sent(&sim)["text"]["format"];
    assert_eq!(
        (&format["type"], &format["name"], &format["strict"]),
        (&json!("json_schema"), &json!("parcel"), &json!(true))
    );
    // Lowered into the dialect of the model.
    assert_eq!(format["schema"]["additionalProperties"], false);
    assert_eq!(answer.dialect, Some(Dialect::OPENAI_STRICT));

    let answer = client
        .messages("anthropic/claude-sonnet-4.5")
        .user("Go.")
        .max_tokens(500)
        .json_schema(schema())
        .answer()
        .await
        .unwrap();
    assert_eq!(answer.dialect, Some(Dialect::ANTHROPIC));
    let format = &sent(&sim)["output_config"]["format"];
    assert_eq!(format["type"], "json_schema");
    assert_eq!(format["schema"]["additionalProperties"], false);
    assert!(format.get("name").is_none() && sent(&sim).get("response_format").is_none());

    let parcel = client
        .responses("openai/gpt-4o")
        .user("Go.")
        .structured::<Parcel>()
        .await
        .unwrap();
    let stream = client
        .messages("openai/gpt-4o")
        .user("Go.")
        .json_schema(schema())
        .stream()
        .await;
    assert!(stream.unwrap().answer().await.is_ok());
    let other = client
        .messages("openai/gpt-4o")
        .user("Go.")
        .structured::<Parcel>()
        .await
        .unwrap();
    let _ = (
        parcel.value.count,
        parcel.value.label,
        other.value.count,
        other.value.label,
    );
}

#[tokio::test]
async fn what_the_answer_was_mended_and_why_it_is_none_is_told_as_ever() {
    let sim = sim().await;
    let client = client(&sim);
    for fault in ["fenced", "prose-around", "trailing-comma"] {
        let model = format!("sim/{fault}");
        let response = client
            .responses(&model)
            .user("Go.")
            .json_schema("x", schema())
            .answer();
        let message = client
            .messages(&model)
            .user("Go.")
            .json_schema(schema())
            .answer();
        for answer in [response.await.unwrap(), message.await.unwrap()] {
            assert!(!answer.repairs.is_empty(), "{fault}");
        }
    }
    let failure = client
        .responses("sim/wrong-type")
        .user("Go.")
        .json_schema("x", schema())
        .answer()
        .await
        .unwrap_err();
    assert_eq!(failure.kind(), FailureKind::Malformed);
    assert!(!tamis::violations(&failure).is_empty());
    assert!(failure.completion().unwrap().response().is_some());
    for mode in [SchemaMode::Tool, SchemaMode::Prompt] {
        // The simulator conforms to a schema only where it is told of one.
        let response = client.responses("sim/steady").schema_mode(mode).user("Go.");
        let response = response.json_schema("out", schema()).answer().await;
        let body = sent(&sim);
        let message = client
            .messages("sim/steady")
            .schema_mode(mode)
            .system("Hm.")
            .user("Go.");
        let message = message.json_schema(schema()).answer().await;
        let other = sent(&sim);
        assert!(body.get("text").is_none() && other.get("output_config").is_none());
        if mode == SchemaMode::Tool {
            assert!(response.is_ok() && message.is_ok());
            assert_eq!(body["tools"][0]["name"], "out");
            assert_eq!(
                body["tool_choice"],
                json!({"type": "function", "name": "out"})
            );
            assert_eq!(other["tools"][0]["input_schema"]["type"], "object");
            assert_eq!(
                other["tool_choice"],
                json!({"type": "tool", "name": "answer"})
            );
        } else {
            assert!(body["instructions"].as_str().unwrap().contains("\"count\""));
            let system = other["system"].as_str().unwrap();
            assert!(system.starts_with("Hm.") && system.contains("\"count\""));
        }
    }
    let response = client
        .responses("sim/steady")
        .schema_mode(SchemaMode::JsonObject)
        .user("Go.");
    let _ = response.json_schema("x", schema()).answer().await;
    assert_eq!(sent(&sim)["text"]["format"], json!({"type": "json_object"}));
    let message = client
        .messages("sim/steady")
        .schema_mode(SchemaMode::JsonObject)
        .user("Go.");
    let failure = message.json_schema(schema()).answer().await.unwrap_err();
    assert_eq!(
        (failure.kind(), failure.attempts()),
        (FailureKind::Validation, 0)
    );
}

#[tokio::test]
async fn an_answer_is_asked_for_again_in_the_protocols_own_shape() {
    let sim = sim().await;
    let client = client(&sim);
    let answer = client
        .responses("sim/wrong-type*1")
        .input("Go.")
        .json_schema("x", schema())
        .reask(2)
        .answer()
        .await
        .unwrap();
    assert_eq!(answer.attempts, 2);
    let input = sent(&sim)["input"].clone();
    let roles: Vec<&str> = input
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["user", "assistant", "user"]);
    let answer = client
        .messages("sim/fenced*1")
        .user("Go.")
        .json_schema(schema())
        .repair(tamis::json::Policy::none())
        .reask(2)
        .answer()
        .await
        .unwrap();
    assert_eq!(answer.attempts, 2);
    assert_eq!(sent(&sim)["messages"].as_array().unwrap().len(), 3);
}

/// Where to look.
#[derive(Deserialize, JsonSchema)]
struct Place {
    city: String,
}

#[tokio::test]
async fn tools_are_called_and_answered() {
    let sim = sim().await;
    let client = client(&sim);
    let tools = Toolbox::new().function("weather", "The weather.", |place: Place| async move {
        Ok::<_, tamis::ToolError>(format!("It rains in {}.", place.city))
    });

    let ask = client
        .responses("openai/gpt-4o")
        .user("Does it rain?")
        .toolbox(tools.clone())
        .tool_choice("required");
    let (turn, completion) = ask.turn().await.unwrap();
    let tool = sent(&sim)["tools"][0].clone();
    assert_eq!(
        (&tool["type"], &tool["name"], &tool["strict"]),
        (&json!("function"), &json!("weather"), &json!(true))
    );
    assert_eq!(tool["parameters"]["additionalProperties"], false);
    let Turn::Calls(calls) = turn else {
        panic!("no calls")
    };
    let call = calls.into_iter().next().unwrap().unwrap();
    let result = tools.run(&call).await.unwrap();
    let next = client
        .responses("openai/gpt-4o")
        .user("Does it rain?")
        .turn_of(&completion)
        .tool_results([call.result(result.to_string())]);
    next.send().await.unwrap();
    let input = sent(&sim)["input"].clone();
    assert_eq!(input[1]["type"], "function_call");
    assert_eq!(input[2]["type"], "function_call_output");
    assert_eq!(input[1]["call_id"], input[2]["call_id"]);

    let ask = || {
        client
            .messages("anthropic/claude-sonnet-4.5")
            .user("Does it rain?")
            .toolbox(tools.clone())
            .tool_choice(json!({"type": "any"}))
    };
    let reader = ask().tool_reader().unwrap();
    let streamed = ask().stream().await.unwrap().finish().await.unwrap();
    assert!(matches!(reader.read(&streamed), Ok(Turn::Calls(calls)) if calls[0].is_ok()));
    let (turn, completion) = ask().turn().await.unwrap();
    let request = sim.requests().last().unwrap().clone();
    let beta = request.header("x-anthropic-beta");
    assert_eq!(beta, Some("structured-outputs-2025-11-13"));
    let tool = request.body.unwrap()["tools"][0].clone();
    assert_eq!(
        (&tool["name"], &tool["strict"]),
        (&json!("weather"), &json!(true))
    );
    assert!(tool.get("type").is_none() && tool["input_schema"].is_object());
    let Turn::Calls(calls) = turn else {
        panic!("no calls")
    };
    let call = calls.into_iter().next().unwrap().unwrap();
    let next = client
        .messages("anthropic/claude-sonnet-4.5")
        .user("Does it rain?")
        .turn_of(&completion)
        .tool_results([call.result("It does.")]);
    next.send().await.unwrap();
    let messages = sent(&sim)["messages"].clone();
    assert_eq!(messages[1]["content"][0]["type"], "tool_use");
    assert_eq!(messages[2]["content"][0]["type"], "tool_result");
    assert_eq!(
        messages[1]["content"][0]["id"],
        messages[2]["content"][0]["tool_use_id"]
    );
}

#[tokio::test]
async fn nothing_is_sent_that_would_be_refused() {
    let sim = sim().await;
    let client = client(&sim);
    let responses = || client.responses("a/b").user("Go.");
    let messages = || client.messages("a/b").user("Go.");
    let failures = [
        client.responses("a/b").send().await,
        client.responses("").user("Go.").send().await,
        responses().temperature(3.0).send().await,
        responses().temperature(f64::NAN).send().await,
        responses().max_output_tokens(0).send().await,
        responses().max_tool_calls(31).send().await,
        responses().json_schema("no name", schema()).send().await,
        responses().extra("store", true).send().await,
        responses()
            .extra("previous_response_id", "resp_1")
            .send()
            .await,
        client.messages("a/b").send().await,
        messages().max_tokens(0).send().await,
        messages()
            .json_schema(json!({"type": "novel"}))
            .send()
            .await,
        messages()
            .models(["a/c"])
            .extra("fallbacks", json!([{"model": "a/d"}]))
            .send()
            .await,
    ];
    for (number, result) in failures.into_iter().enumerate() {
        let failure = result.unwrap_err();
        assert_eq!(
            failure.kind(),
            FailureKind::Validation,
            "{number}: {failure}"
        );
    }
    assert!(sim.requests().is_empty());
}

#[tokio::test]
async fn a_server_that_is_not_openrouter_gets_none_of_its_fields() {
    let sim = sim().await;
    for openrouter in [false, true] {
        let client = client_of(&sim, openrouter);
        let response = client
            .responses("sim/steady")
            .user("Go.")
            .session_id("s")
            .models(["sim/steady"])
            .provider(ProviderPreferences::default());
        response.send().await.unwrap();
        for field in ["session_id", "models", "provider"] {
            assert_eq!(sent(&sim).get(field).is_some(), openrouter, "{field}");
        }
    }
    let client = client_of(&sim, false);
    client
        .messages("sim/steady")
        .user("Go.")
        .extra("session_id", "s")
        .send()
        .await
        .unwrap();
    assert_eq!(sent(&sim)["session_id"], "s", "set by hand");
}

#[tokio::test]
async fn what_may_pass_is_tried_again_and_the_key_is_nowhere() {
    let sim = sim().await;
    let client = client(&sim);
    let retry = || {
        let short = Duration::from_millis(1);
        RetryPolicy::default().max_retries(2).backoff(short, short)
    };
    for fault in ["http-529", "error-envelope", "http-502"] {
        let response = client
            .responses(format!("sim/{fault}*1"))
            .user("Go.")
            .retry(retry());
        assert_eq!(response.stream().await.unwrap().attempts(), 2, "{fault}");
        let message = client
            .messages(format!("sim/{fault}*2"))
            .user("Go.")
            .retry(retry());
        assert_eq!(message.stream().await.unwrap().attempts(), 3, "{fault}");
    }
    // What only said that it begins has not begun.
    let response = client
        .responses("sim/failed-at-once*1")
        .user("Go.")
        .retry(retry());
    let (text, completion) = chunks(response.stream().await.unwrap()).await;
    assert_eq!(completion.unwrap().text().as_deref(), Some(&*text));
    let message = client
        .messages("sim/failed-at-once*2")
        .user("Go.")
        .retry(retry());
    assert_eq!(message.stream().await.unwrap().attempts(), 3);

    let request = client.responses("a/b").user("hush");
    let printed = format!("{request:?} {:?}", client.messages("a/b").user("hush"));
    assert!(
        !printed.contains("hush") && !printed.contains("secret"),
        "{printed}"
    );
}

#[tokio::test]
async fn a_stream_is_ended_as_soon_as_it_breaks_the_schema() {
    let sim = sim().await;
    let client = client(&sim);
    let response = client
        .responses("sim/other-shape")
        .user("Go.")
        .json_schema("x", schema());
    let message = client
        .messages("sim/other-shape")
        .user("Go.")
        .json_schema(schema());
    for stream in [response.stream().await, message.stream().await] {
        let failure = stream.unwrap().answer().await.unwrap_err();
        assert_eq!(failure.kind(), FailureKind::Malformed);
        assert!(tamis::aborted(&failure).is_some());
        assert!(!failure.completion().unwrap().is_finished());
    }
}
