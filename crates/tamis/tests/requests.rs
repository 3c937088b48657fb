//! The fields of a request, from the setters to what the simulator received.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use serde_json::{Map, Value, json};
use tamis::wire::request::{
    AudioOptions, CacheControl, DebugOptions, Effort, FIELDS, FunctionTool, InputPart, Modality,
    ModerationPlugin, Prediction, ResponseFormat, ServiceTier, SortBy, StopCondition, ToolChoice,
    Trace, Verbosity, Whose,
};
use tamis::{Chat, ChatRequest, Client, InputMessage, ProviderPreferences};
use tamis_sim::Sim;

async fn sim() -> Sim {
    Sim::builder().seed(7).start().await.unwrap()
}

fn client(sim: &Sim, openrouter: bool) -> Client {
    let builder = Client::builder().base_url(sim.base_url());
    builder.openrouter(openrouter).build().unwrap()
}

/// What the simulator received of a chat.
async fn received(sim: &Sim, chat: Chat) -> Value {
    chat.send().await.unwrap();
    sim.requests().last().unwrap().body.clone().unwrap()
}

type Setter = fn(Chat) -> Chat;

/// A field, what sets it, and what is sent.
#[expect(clippy::too_many_lines, reason = "one row for each field")]
fn rows() -> Vec<(&'static str, Setter, Value)> {
    vec![
        ("models", |chat| chat.models(["c/d"]), json!(["c/d"])),
        ("temperature", |chat| chat.temperature(0.5), json!(0.5)),
        ("top_p", |chat| chat.top_p(0.5), json!(0.5)),
        ("top_k", |chat| chat.top_k(5), json!(5)),
        ("min_p", |chat| chat.min_p(0.5), json!(0.5)),
        (
            "frequency_penalty",
            |chat| chat.frequency_penalty(0.5),
            json!(0.5),
        ),
        (
            "presence_penalty",
            |chat| chat.presence_penalty(0.5),
            json!(0.5),
        ),
        (
            "repetition_penalty",
            |chat| chat.repetition_penalty(0.5),
            json!(0.5),
        ),
        ("seed", |chat| chat.seed(-1), json!(-1)),
        ("max_tokens", |chat| chat.max_tokens(99), json!(99)),
        (
            "max_completion_tokens",
            |chat| chat.max_completion_tokens(99),
            json!(99),
        ),
        ("logprobs", |chat| chat.logprobs(true), json!(true)),
        (
            "parallel_tool_calls",
            |chat| chat.parallel_tool_calls(false),
            json!(false),
        ),
        (
            "tool_choice",
            |chat| chat.tool_choice(ToolChoice::Auto),
            json!("auto"),
        ),
        ("stop", |chat| chat.stop(["END"]), json!(["END"])),
        (
            "tools",
            |chat| chat.tools([FunctionTool::new("lamp", json!({"type": "object"})).into()]),
            json!([{"type": "function", "function": {"name": "lamp", "parameters": {"type": "object"}}}]),
        ),
        (
            "stop_server_tools_when",
            |chat| chat.stop_server_tools_when([StopCondition::steps(3)]),
            json!([{"type": "step_count_is", "step_count": 3}]),
        ),
        (
            "reasoning",
            |chat| chat.reasoning(Effort::Low),
            json!({"effort": "low"}),
        ),
        (
            "reasoning_effort",
            |chat| chat.reasoning_effort(Effort::None),
            json!("none"),
        ),
        (
            "verbosity",
            |chat| chat.verbosity(Verbosity::Low),
            json!("low"),
        ),
        (
            "modalities",
            |chat| chat.modalities([Modality::Text, "smell".into()]),
            json!(["text", "smell"]),
        ),
        (
            "audio",
            |chat| chat.audio(AudioOptions::default()),
            json!({}),
        ),
        (
            "prediction",
            |chat| chat.prediction(Prediction::content("4")),
            json!({"type": "content", "content": "4"}),
        ),
        (
            "provider",
            |chat| {
                let mut provider = ProviderPreferences::default();
                provider.sort = Some(SortBy::Price.into());
                chat.provider(provider)
            },
            json!({"sort": "price"}),
        ),
        (
            "plugins",
            |chat| chat.plugins([ModerationPlugin::default()]),
            json!([{"id": "moderation"}]),
        ),
        ("preset", |chat| chat.preset("mine"), json!("mine")),
        (
            "service_tier",
            |chat| chat.service_tier(ServiceTier::Flex),
            json!("flex"),
        ),
        ("session_id", |chat| chat.session_id("s"), json!("s")),
        ("user", |chat| chat.user_id("u"), json!("u")),
        (
            "metadata",
            |chat| chat.metadata([("k", "v")]),
            json!({"k": "v"}),
        ),
        ("trace", |chat| chat.trace(Trace::default()), json!({})),
        (
            "cache_control",
            |chat| chat.cache_control(CacheControl::one_hour()),
            json!({"type": "ephemeral", "ttl": "1h"}),
        ),
        (
            "prompt_cache_key",
            |chat| chat.prompt_cache_key("k"),
            json!("k"),
        ),
        (
            "debug",
            |chat| chat.debug(DebugOptions::default()),
            json!({}),
        ),
        (
            "response_format",
            |chat| chat.response_format(ResponseFormat::text()),
            json!({"type": "text"}),
        ),
    ]
}

#[tokio::test]
async fn each_setter_sets_the_field_of_its_name() {
    let sim = sim().await;
    let client = client(&sim, true);
    let given = json!({"model": "a/b", "messages": [{"role": "user", "content": "hi"}]});
    for (name, set, expected) in rows() {
        let typed = received(&sim, set(client.chat("a/b").user("hi"))).await;
        let chat = client.request_json(given.as_object().unwrap().clone());
        let from_json = received(&sim, set(chat)).await;
        for body in [typed, from_json] {
            assert_eq!(body[name], expected, "{name}");
            assert_eq!(body.as_object().unwrap().len(), 3, "{body}");
        }
    }
}

#[tokio::test]
async fn elsewhere_what_is_openrouters_own_is_sent_only_if_set_by_hand() {
    let sim = sim().await;
    let plain = client(&sim, false);
    for (name, set, expected) in rows() {
        let body = received(&sim, set(plain.chat("a/b").user("hi"))).await;
        let whose = FIELDS.iter().find(|(field, _)| *field == name).unwrap().1;
        assert_eq!(body.get(name).is_some(), whose == Whose::Protocol, "{name}");
        let by_hand = plain.chat("a/b").user("hi").extra(name, expected.clone());
        assert_eq!(received(&sim, by_hand).await[name], expected, "{name}");
    }
}

#[tokio::test]
async fn a_request_of_elsewhere_arrives_whole() {
    let sim = sim().await;
    let given = json!({
        "model": "a/b",
        "messages": [{"role": "user", "content": [{"type": "novel", "x": null}], "novel": 1}],
        "provider": {"order": ["a"], "novel": true},
        "plugins": [{"id": "novel", "x": [1]}],
        "reasoning": {"effort": "novel", "x": 1},
        "service_tier": "novel",
        "novel": {"a": [null, 1.5]},
        "temperature": null,
    });
    let typed: ChatRequest = serde_json::from_value(given.clone()).unwrap();
    let client = client(&sim, true);
    // The simulator knows all the keys that routing has, and says so.
    let failure = client.request(typed).send().await.unwrap_err();
    assert!(failure.message().contains("novel"), "{failure}");
    assert_eq!(sim.requests().last().unwrap().body.clone().unwrap(), given);
    let failure = client
        .request_json(given.as_object().unwrap().clone())
        .send()
        .await;
    failure.unwrap_err();
    assert_eq!(sim.requests().last().unwrap().body.clone().unwrap(), given);
}

#[tokio::test]
async fn what_the_model_said_is_sent_back_unchanged() {
    let sim = sim().await;
    let client = client(&sim, true);
    let question = InputMessage::user([
        InputPart::text("What is on it?"),
        InputPart::image("data:image/png;base64,AAAA"),
    ]);
    let first = client
        .chat("a/b")
        .message(question.clone())
        .reasoning(Effort::Low);
    let completion = first.send().await.unwrap();
    let said = completion.message().unwrap().clone();
    let next = client
        .chat("a/b")
        .message(question)
        .message(said.clone().into())
        .user("And?");
    let body = received(&sim, next).await;
    assert_eq!(body["messages"][0]["content"][1]["type"], "image_url");
    let sent = body["messages"][1].as_object().unwrap();
    let kept: Map<String, Value> = serde_json::to_value(&said)
        .unwrap()
        .as_object()
        .unwrap()
        .clone();
    for (name, value) in sent {
        assert_eq!(kept.get(name), Some(value), "{name}");
    }
    assert_eq!(sent["content"], kept["content"]);
    assert_eq!(sent.get("reasoning_details"), kept.get("reasoning_details"));
}

#[tokio::test]
async fn nothing_is_sent_that_is_out_of_range() {
    let sim = sim().await;
    let client = client(&sim, true);
    let wrong: [(Setter, &str); 4] = [
        (|chat| chat.repetition_penalty(2.5), "repetition_penalty"),
        (
            |chat| chat.user([InputPart::image("")]),
            "messages[1].content[0].image_url",
        ),
        (
            |chat| chat.stop_server_tools_when([StopCondition::steps(0)]),
            "stop_server_tools_when[0]",
        ),
        (
            |chat| chat.extra("reasoning", json!({"effort": "low", "max_tokens": 9})),
            "reasoning",
        ),
    ];
    for (set, starts) in wrong {
        let failure = set(client.chat("a/b").user("hi")).send().await.unwrap_err();
        assert_eq!(failure.kind(), tamis::FailureKind::Validation);
        assert!(failure.message().starts_with(starts), "{failure}");
    }
    assert!(sim.requests().is_empty());
}
