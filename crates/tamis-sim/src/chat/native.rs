//! Requests of other protocols, in the shape of chat completions.

use serde_json::{Map, Value, json};

use crate::error_body::ErrorBody;
use crate::protocol::Protocol;

type Fields = Map<String, Value>;

/// Fields that mean the same everywhere.
const SHARED: &[&str] = &[
    "model",
    "models",
    "stream",
    "temperature",
    "top_p",
    "top_k",
    "provider",
    "plugins",
    "session_id",
    "reasoning",
    "user",
];

/// The request as chat completions would have it, for all that decides about the answer.
pub(super) fn as_chat(protocol: Protocol, body: &[u8]) -> Result<Vec<u8>, ErrorBody> {
    // What is not JSON is refused in the same words everywhere.
    let Ok(Value::Object(request)) = serde_json::from_slice(body) else {
        return Ok(body.to_vec());
    };
    let mut chat: Fields = SHARED
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), request.get(*name)?.clone())))
        .collect();
    match protocol {
        Protocol::Chat => return Ok(body.to_vec()),
        Protocol::Responses => from_response(&request, &mut chat)?,
        Protocol::Messages => from_message(&request, &mut chat)?,
    }
    Ok(Value::Object(chat).to_string().into_bytes())
}

fn from_response(request: &Fields, chat: &mut Fields) -> Result<(), ErrorBody> {
    let given = |name: &str| request.get(name).filter(|value| !value.is_null());
    if given("store") == Some(&Value::Bool(true)) {
        return Err(invalid("store: must be false; this route keeps nothing"));
    }
    if given("previous_response_id").is_some() {
        return Err(invalid(
            "previous_response_id: not supported; this route keeps nothing",
        ));
    }
    let mut messages = Vec::new();
    if let Some(instructions) = given("instructions") {
        messages.push(json!({"role": "system", "content": instructions}));
    }
    match given("input") {
        Some(Value::String(text)) if !text.is_empty() => {
            messages.push(json!({"role": "user", "content": text}));
        }
        Some(Value::Array(items)) if !items.is_empty() => {
            messages.extend(items.iter().map(|item| {
                let role = item.get("role").cloned().unwrap_or_else(|| json!("user"));
                json!({"role": role, "content": item.to_string()})
            }));
        }
        _ => return Err(invalid("input: expected a text or at least one item")),
    }
    chat.insert("messages".to_owned(), json!(messages));
    if let Some(limit) = given("max_output_tokens") {
        chat.insert("max_tokens".to_owned(), limit.clone());
    }
    if let Some(Value::Object(format)) = given("text").and_then(|text| text.get("format")) {
        let kind = format.get("type").cloned().unwrap_or_default();
        let format = if kind == "json_schema" {
            for field in ["name", "schema"] {
                if format.get(field).is_none_or(Value::is_null) {
                    return Err(invalid(&format!("text.format.{field}: Required")));
                }
            }
            json!({"type": kind, "json_schema": format})
        } else {
            json!({"type": kind})
        };
        chat.insert("response_format".to_owned(), format);
    }
    if let Some(Value::Array(tools)) = given("tools") {
        let functions: Vec<Value> = tools
            .iter()
            .map(|tool| json!({"type": "function", "function": tool}))
            .collect();
        chat.insert("tools".to_owned(), json!(functions));
    }
    match given("tool_choice") {
        Some(Value::Object(choice)) => {
            let name = choice.get("name");
            chat.insert("tool_choice".to_owned(), function_named(name));
        }
        Some(word) => {
            chat.insert("tool_choice".to_owned(), word.clone());
        }
        None => {}
    }
    Ok(())
}

fn from_message(request: &Fields, chat: &mut Fields) -> Result<(), ErrorBody> {
    let given = |name: &str| request.get(name).filter(|value| !value.is_null());
    let mut messages = Vec::new();
    if let Some(system) = given("system") {
        messages.push(json!({"role": "system", "content": system}));
    }
    match given("messages") {
        Some(Value::Array(given)) if !given.is_empty() => messages.extend(given.iter().cloned()),
        _ => return Err(invalid("messages: at least one message is required")),
    }
    chat.insert("messages".to_owned(), json!(messages));
    if let Some(limit) = given("max_tokens") {
        chat.insert("max_tokens".to_owned(), limit.clone());
    }
    if let Some(format) = given("output_config").and_then(|config| config.get("format")) {
        let Some(schema) = format.get("schema").filter(|schema| schema.is_object()) else {
            return Err(invalid("output_config.format.schema: Field required"));
        };
        let schema = json!({"name": "answer", "strict": true, "schema": schema});
        chat.insert(
            "response_format".to_owned(),
            json!({"type": "json_schema", "json_schema": schema}),
        );
    }
    if let Some(Value::Array(tools)) = given("tools") {
        let functions: Vec<Value> = tools
            .iter()
            .map(|tool| {
                let (name, schema) = (tool.get("name"), tool.get("input_schema"));
                json!({"type": "function", "function": {"name": name, "parameters": schema}})
            })
            .collect();
        chat.insert("tools".to_owned(), json!(functions));
    }
    if let Some(choice) = given("tool_choice") {
        let choice = match choice.get("type").and_then(Value::as_str) {
            Some("any") => json!("required"),
            Some("tool") => function_named(choice.get("name")),
            Some("none") => json!("none"),
            _ => json!("auto"),
        };
        chat.insert("tool_choice".to_owned(), choice);
    }
    let thinks = given("thinking").and_then(|thinking| thinking.get("type")?.as_str());
    if thinks.is_some_and(|thinks| thinks != "disabled") {
        chat.insert("reasoning".to_owned(), json!({"enabled": true}));
    }
    Ok(())
}

fn function_named(name: Option<&Value>) -> Value {
    json!({"type": "function", "function": {"name": name}})
}

fn invalid(message: &str) -> ErrorBody {
    ErrorBody::new(400, message).with_type("invalid_request")
}
