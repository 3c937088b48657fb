//! What a request looks like on the wire.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use serde_json::{Value, json};
use tamis_wire::request::{
    ChatRequest, Cutoff, DataCollection, DatetimeTool, Effort, FunctionTool, InputMessage,
    InputPart, JsonSchemaFormat, MaxPrice, Percentiles, ProviderPreferences, Quantization,
    ResponseFormat, Role, SortBy, StreamOptions, ToolChoice, WebPlugin,
};
use tamis_wire::{Decimal, FailureKind, Message, ToolCall};

fn sent(request: &ChatRequest) -> Value {
    serde_json::to_value(request).unwrap()
}

fn request() -> ChatRequest {
    let mut request = ChatRequest::new("acme/one");
    request.messages.push(InputMessage::user("Hi"));
    request
}

#[test]
fn what_is_not_set_is_not_sent() {
    assert_eq!(
        serde_json::to_string(&request()).unwrap(),
        r#"{"model":"acme/one","messages":[{"role":"user","content":"Hi"}]}"#
    );
}

#[test]
fn every_field_has_its_name() {
    let mut request = request();
    request.models = vec!["acme/two".into()];
    request.stream = true;
    request.stream_options = Some(StreamOptions::with_usage());
    request.max_completion_tokens = Some(10);
    request.max_tokens = Some(10);
    request.temperature = Some(0.0);
    request.top_p = Some(1.0);
    request.top_k = Some(0);
    request.top_a = Some(0.5);
    request.min_p = Some(0.5);
    request.frequency_penalty = Some(-2.0);
    request.presence_penalty = Some(2.0);
    request.repetition_penalty = Some(1.0);
    request.seed = Some(-1);
    request.stop = vec!["END".into()];
    request.logit_bias.insert("50256".into(), (-100).into());
    request.logprobs = Some(true);
    request.top_logprobs = Some(2);
    request.parallel_tool_calls = Some(false);
    request.reasoning = Some(Effort::Low.into());
    request.plugins = vec![WebPlugin::default().into()];
    request.session_id = Some("s".into());
    request.user = Some("u".into());
    request.metadata.insert("k".into(), "v".into());
    request.extra.insert("novel", json!({"a": [1]}));
    request.check().unwrap();
    assert_eq!(
        sent(&request),
        json!({
            "model": "acme/one", "models": ["acme/two"],
            "messages": [{"role": "user", "content": "Hi"}],
            "stream": true, "stream_options": {"include_usage": true},
            "max_completion_tokens": 10, "max_tokens": 10, "temperature": 0.0, "top_p": 1.0,
            "top_k": 0, "top_a": 0.5, "min_p": 0.5, "frequency_penalty": -2.0,
            "presence_penalty": 2.0, "repetition_penalty": 1.0, "seed": -1, "stop": ["END"],
            "logit_bias": {"50256": -100}, "logprobs": true, "top_logprobs": 2,
            "parallel_tool_calls": false, "reasoning": {"effort": "low"},
            "plugins": [{"id": "web"}], "session_id": "s", "user": "u", "metadata": {"k": "v"},
            "novel": {"a": [1]},
        })
    );
}

#[test]
fn messages_by_role() {
    let mut said = Message::default();
    said.tool_calls = vec![ToolCall::function("k", "f", "{}")];
    let detail = json!({"type": "reasoning.encrypted", "data": "x"});
    said.reasoning_details = vec![serde_json::from_value(detail).unwrap()];
    let asked = InputMessage::from(said);
    let mut named = InputMessage::user([InputPart::text("Hi")]);
    named.name = Some("Ann".into());
    let mut request = ChatRequest::new("acme/one");
    request.messages = vec![
        InputMessage::system("Be brief."),
        InputMessage::developer("Be kind."),
        InputMessage::new(Role::from("judge"), "Fair."),
        named,
        asked,
        InputMessage::tool("k", ""),
    ];
    request.check().unwrap();
    assert_eq!(
        sent(&request)["messages"],
        json!([
            {"role": "system", "content": "Be brief."},
            {"role": "developer", "content": "Be kind."},
            {"role": "judge", "content": "Fair."},
            {"role": "user", "content": [{"type": "text", "text": "Hi"}], "name": "Ann"},
            {"role": "assistant",
             "tool_calls": [{"id": "k", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
             "reasoning_details": [{"type": "reasoning.encrypted", "data": "x"}]},
            {"role": "tool", "content": "", "tool_call_id": "k"},
        ])
    );
}

#[test]
fn the_form_of_the_answer() {
    let mut request = request();
    for (format, expected) in [
        (ResponseFormat::text(), json!({"type": "text"})),
        (
            ResponseFormat::json_object(),
            json!({"type": "json_object"}),
        ),
        (ResponseFormat::python(), json!({"type": "python"})),
        (
            ResponseFormat::grammar("root ::= \"a\""),
            json!({"type": "grammar", "grammar": "root ::= \"a\""}),
        ),
        (
            JsonSchemaFormat::strict("order", json!({"type": "object"})).into(),
            json!({"type": "json_schema", "json_schema": {
                "name": "order", "strict": true, "schema": {"type": "object"}}}),
        ),
    ] {
        request.response_format = Some(format);
        assert_eq!(sent(&request)["response_format"], expected);
    }
}

#[test]
fn a_schema_is_sent_in_the_order_and_with_the_digits_it_has() {
    let schema = r#"{"type":"object","properties":{"zeta":{"const":0.1},"alpha":{"maximum":18446744073709551615}},"required":["zeta","alpha"]}"#;
    let mut request = request();
    let format = JsonSchemaFormat::strict("order", serde_json::from_str(schema).unwrap());
    request.response_format = Some(format.into());
    assert!(serde_json::to_string(&request).unwrap().contains(schema));
}

#[test]
fn tools_and_their_choice() {
    let mut request = request();
    let mut lamp = FunctionTool::new("lamp", json!({"type": "object", "properties": {}}));
    lamp.description = Some("Switches it.".into());
    lamp.strict = Some(true);
    request.tools = vec![lamp.into(), DatetimeTool::default().into()];
    assert_eq!(
        sent(&request)["tools"],
        json!([
            {"type": "function", "function": {"name": "lamp", "description": "Switches it.",
             "parameters": {"type": "object", "properties": {}}, "strict": true}},
            {"type": "openrouter:datetime"},
        ])
    );
    for (choice, expected) in [
        (ToolChoice::None, json!("none")),
        (ToolChoice::Auto, json!("auto")),
        (ToolChoice::Required, json!("required")),
        (
            ToolChoice::Function("lamp".into()),
            json!({"type": "function", "function": {"name": "lamp"}}),
        ),
        (
            ToolChoice::Server("openrouter:web_search".into()),
            json!({"type": "openrouter:web_search"}),
        ),
    ] {
        request.tool_choice = Some(choice);
        assert_eq!(sent(&request)["tool_choice"], expected);
    }
}

#[test]
fn routing() {
    let mut provider = ProviderPreferences::require_parameters();
    provider.order = vec!["acme".into()];
    provider.only = vec!["acme".into(), "beta".into()];
    provider.ignore = vec!["gamma".into()];
    provider.allow_fallbacks = Some(true);
    provider.data_collection = Some(DataCollection::Deny);
    provider.zdr = Some(true);
    provider.quantizations = vec![Quantization::Fp8, "int2".into()];
    provider.sort = Some(SortBy::Throughput.into());
    let mut price = MaxPrice::default();
    price.prompt = Some(Decimal::new(5, 1).into());
    provider.max_price = Some(price);
    let mut slowest = Percentiles::default();
    slowest.p90 = Some(2.5);
    provider.preferred_max_latency = Some(slowest.into());
    provider.preferred_min_throughput = Cutoff::median(50.0);
    let mut request = request();
    request.provider = Some(provider);
    request.check().unwrap();
    assert_eq!(
        sent(&request)["provider"],
        json!({"order": ["acme"], "only": ["acme", "beta"], "ignore": ["gamma"],
            "allow_fallbacks": true, "require_parameters": true, "data_collection": "deny",
            "zdr": true, "quantizations": ["fp8", "int2"], "sort": "throughput",
            "max_price": {"prompt": "0.5"}, "preferred_max_latency": {"p90": 2.5},
            "preferred_min_throughput": 50.0})
    );
    request.strip_openrouter_fields();
    assert_eq!(sent(&request), sent(&self::request()));
}

#[test]
fn a_refused_request_says_why_without_quoting_it() {
    let mut request = request();
    request.messages.push(InputMessage::user(""));
    let failure = request.check().unwrap_err();
    assert_eq!(failure.kind(), FailureKind::Validation);
    assert_eq!(failure.message(), "messages[1].content: empty");
    assert!(!failure.is_transient());
    assert_eq!(failure.attempts(), 0);
}
