//! What comes when nothing goes wrong.
use super::client::{Ended, ask, plain, schema, structured};
use serde_json::{Value, json};
use tamis_sim::Sim;

fn assert_conforms(text: &str) {
    let value: Value = serde_json::from_str(text).unwrap();
    jsonschema::validate(&schema(), &value).unwrap_or_else(|error| panic!("{error}: {text}"));
}

#[tokio::test]
async fn a_plain_answer() {
    let sim = Sim::builder().seed(1).start().await.unwrap();
    let got = ask(&sim, &[], &structured("sim/steady", false)).await;
    assert_eq!((got.status, got.ended), (Some(200), Ended::Complete));
    assert_eq!(got.header("content-type"), Some("application/json"));
    let body = got.json();
    assert_eq!(body["object"], "chat.completion");
    assert_eq!(body["model"], "sim/steady");
    assert!(["Granite", "Basalt", "Pumice"].contains(&body["provider"].as_str().unwrap()));
    let id = body["id"].as_str().unwrap();
    assert_eq!(got.header("x-generation-id"), Some(id));
    assert!(id.starts_with("gen-17") && id.len() == 35, "{id}");
    let choice = &body["choices"][0];
    assert_eq!(choice["index"], 0);
    assert_eq!(choice["finish_reason"], "stop");
    assert_eq!(choice["native_finish_reason"], "stop");
    assert_eq!(choice["message"]["role"], "assistant");
    assert_conforms(choice["message"]["content"].as_str().unwrap());
    let usage = &body["usage"];
    let count = |key: &str| usage[key].as_u64().unwrap();
    assert_eq!(
        count("total_tokens"),
        count("prompt_tokens") + count("completion_tokens")
    );
    assert!(usage["cost"].as_f64().unwrap() > 0.0);
}

#[tokio::test]
async fn a_stream_with_its_habits() {
    let sim = Sim::builder().seed(1).start().await.unwrap();
    let got = ask(&sim, &[], &structured("openai/gpt-4o", true)).await;
    assert_eq!((got.status, got.ended), (Some(200), Ended::Complete));
    assert_eq!(got.header("content-type"), Some("text/event-stream"));
    assert_eq!(got.header("transfer-encoding"), Some("chunked"));
    assert!(got.text().starts_with(": OPENROUTER PROCESSING\n\n"));
    assert!(got.is_done());
    assert_conforms(&got.streamed_content());
    let events = got.events();
    assert!(events.len() > 6);
    for event in &events {
        assert_eq!(event["object"], "chat.completion.chunk");
        assert_eq!(event["model"], "openai/gpt-4o");
        assert_eq!(event["choices"][0]["delta"]["role"], "assistant");
        assert_eq!(got.header("x-generation-id"), event["id"].as_str());
    }
    // The finish reason comes twice, and the usage with the second.
    assert_eq!(got.finishes(), ["stop", "stop"]);
    let with_usage: Vec<usize> = (0..events.len())
        .filter(|at| events[*at].get("usage").is_some())
        .collect();
    assert_eq!(with_usage, [events.len() - 1]);
}

#[tokio::test]
async fn a_stream_and_a_plain_answer_of_one_key_say_the_same() {
    let sim = Sim::builder().seed(1).start().await.unwrap();
    let key = [("x-tamis-key", "a")];
    let whole = ask(&sim, &key, &structured("sim/steady", false))
        .await
        .json();
    let stream = ask(&sim, &key, &structured("sim/steady", true)).await;
    assert_eq!(
        whole["choices"][0]["message"]["content"],
        stream.streamed_content()
    );
    assert_eq!(whole["provider"], stream.events()[0]["provider"]);
}

#[tokio::test]
async fn text_and_json_object() {
    let sim = Sim::builder().start().await.unwrap();
    let body = ask(&sim, &[], &plain("a/b")).await.json();
    let text = body["choices"][0]["message"]["content"].as_str().unwrap();
    assert!(serde_json::from_str::<Value>(text).is_err());
    let mut request = plain("a/b");
    request["response_format"] = json!({"type": "json_object"});
    let body = ask(&sim, &[], &request).await.json();
    let text = body["choices"][0]["message"]["content"].as_str().unwrap();
    assert!(serde_json::from_str::<Value>(text).unwrap().is_object());
}

#[tokio::test]
async fn several_choices_differ_and_come_interleaved() {
    let sim = Sim::builder().start().await.unwrap();
    let mut request = structured("a/b", false);
    request["n"] = json!(3);
    let body = ask(&sim, &[], &request).await.json();
    let choices = body["choices"].as_array().unwrap();
    assert_eq!(choices.len(), 3);
    for (index, choice) in choices.iter().enumerate() {
        assert_eq!(choice["index"], index);
        assert_conforms(choice["message"]["content"].as_str().unwrap());
    }
    assert_ne!(choices[0]["message"], choices[1]["message"]);

    request["stream"] = json!(true);
    let events = ask(&sim, &[], &request).await.events();
    let order: Vec<u64> = events
        .iter()
        .filter_map(|e| e["choices"][0]["index"].as_u64())
        .collect();
    assert_eq!(order[..6], [0, 1, 2, 0, 1, 2]);
}

#[tokio::test]
async fn tools_are_called_when_the_request_insists() {
    let sim = Sim::builder().start().await.unwrap();
    let mut request = plain("a/b");
    request["tools"] = json!([
        {"type": "function", "function": {"name": "weigh", "parameters": schema()}},
        {"type": "function", "function": {"name": "sieve"}},
    ]);
    let body = ask(&sim, &[], &request).await.json();
    assert_eq!(body["choices"][0]["finish_reason"], "stop");

    request["tool_choice"] = json!({"type": "function", "function": {"name": "weigh"}});
    let body = ask(&sim, &[], &request).await.json();
    let choice = &body["choices"][0];
    assert_eq!(choice["finish_reason"], "tool_calls");
    assert_eq!(choice["message"]["content"], Value::Null);
    let call = &choice["message"]["tool_calls"][0];
    assert_eq!(call["function"]["name"], "weigh");
    assert_conforms(call["function"]["arguments"].as_str().unwrap());

    request["tool_choice"] = json!("required");
    request["stream"] = json!(true);
    let got = ask(&sim, &[], &request).await;
    let first = &got.events()[0]["choices"][0]["delta"]["tool_calls"][0];
    assert_eq!(
        (&first["index"], &first["type"]),
        (&json!(0), &json!("function"))
    );
    assert_eq!(got.finishes(), ["tool_calls", "tool_calls"]);
}

#[tokio::test]
async fn max_tokens_cuts_and_says_so() {
    let sim = Sim::builder().start().await.unwrap();
    let mut request = structured("a/b", false);
    request["max_tokens"] = json!(3);
    let body = ask(&sim, &[], &request).await.json();
    assert_eq!(body["choices"][0]["finish_reason"], "length");
    assert_eq!(
        body["choices"][0]["message"]["content"]
            .as_str()
            .unwrap()
            .chars()
            .count(),
        12
    );
}

#[tokio::test]
async fn reasoning_and_routing_come_when_asked_for() {
    let sim = Sim::builder().start().await.unwrap();
    let mut request = plain("a/b");
    request["reasoning"] = json!({"effort": "low"});
    let metadata = [("X-OpenRouter-Metadata", "Enabled")];
    let body = ask(&sim, &metadata, &request).await.json();
    let message = &body["choices"][0]["message"];
    assert_eq!(
        message["reasoning"],
        message["reasoning_details"][0]["text"]
    );
    assert_eq!(body["openrouter_metadata"]["endpoints"]["total"], 3);
    request["stream"] = json!(true);
    let got = ask(&sim, &metadata, &request).await;
    assert_eq!(message["reasoning"], got.joined("reasoning"));
    assert_eq!(
        got.events().last().unwrap()["openrouter_metadata"]["attempt"],
        1
    );
}
