//! What is checked before a request is sent.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use super::ChatRequest;
use crate::failure::{Failure, FailureKind};

type Checked = Result<(), Failure>;

impl ChatRequest {
    /// Checks the request as it would be sent; see [`check_json`].
    ///
    /// # Errors
    ///
    /// `Validation`, naming the field and what it allows.
    pub fn check(&self) -> Result<(), Failure> {
        check_json(&self.to_json()?)
    }

    /// The request as the JSON that is sent; what is in `extra` comes before a field of its name.
    ///
    /// # Errors
    ///
    /// `Validation` for a number that JSON does not have.
    pub fn to_json(&self) -> Result<Map<String, Value>, Failure> {
        let floats = [
            ("temperature", self.temperature),
            ("top_p", self.top_p),
            ("top_a", self.top_a),
            ("min_p", self.min_p),
            ("frequency_penalty", self.frequency_penalty),
            ("presence_penalty", self.presence_penalty),
            ("repetition_penalty", self.repetition_penalty),
        ];
        for (field, value) in floats {
            if value.is_some_and(|value| !value.is_finite()) {
                return refuse(format!("{field}: not a number that JSON has"));
            }
        }
        match serde_json::to_value(self) {
            Ok(Value::Object(fields)) => Ok(fields),
            _ => refuse("the request cannot be written as JSON"),
        }
    }
}

/// Checks what OpenRouter documents of each field of a request: presence, types, ranges, lengths and
/// counts. A field that is null counts as missing; one that is not known is let through.
///
/// The name and the schema of a `json_schema` are not looked at here: see `tamis-schema`.
///
/// ```
/// let request = serde_json::json!({"model": "a/b", "messages": [], "temperature": 9});
/// let failure = tamis_wire::request::check_json(request.as_object().unwrap()).unwrap_err();
/// assert_eq!(failure.message(), "messages: empty; at least one is needed");
/// ```
///
/// # Errors
///
/// `Validation`, naming the field and what it allows.
pub fn check_json(request: &Map<String, Value>) -> Result<(), Failure> {
    check_model(request)?;
    check_messages(request)?;
    check_numbers(request)?;
    check_counts(request)?;
    check_tools(request)?;
    if let Some(metadata) = get(request, "metadata") {
        check_metadata(metadata)?;
    }
    match get(request, "provider").and_then(|provider| provider.get("max_price")) {
        Some(prices) => check_max_price(prices),
        None => Ok(()),
    }
}

fn check_model(request: &Map<String, Value>) -> Checked {
    let is_named = |name: &Value| name.as_str().is_some_and(|name| !name.trim().is_empty());
    let models = get(request, "models").and_then(Value::as_array);
    if get(request, "model").is_some_and(is_named)
        || models.is_some_and(|models| models.iter().any(is_named))
    {
        return Ok(());
    }
    refuse("model: empty; name one, such as openai/gpt-4o")
}

fn check_messages(request: &Map<String, Value>) -> Checked {
    let messages = match get(request, "messages") {
        None => &Vec::new(),
        Some(Value::Array(messages)) => messages,
        Some(_) => return refuse("messages: not a list"),
    };
    if messages.is_empty() {
        return refuse("messages: empty; at least one is needed");
    }
    messages
        .iter()
        .enumerate()
        .try_for_each(|(place, message)| check_message(place, message))
}

fn check_message(place: usize, message: &Value) -> Checked {
    let Some(message) = message.as_object() else {
        return refuse(format!("messages[{place}]: not an object"));
    };
    let role = get(message, "role")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if role.is_empty() {
        return refuse(format!("messages[{place}].role: missing"));
    }
    let empty = match get(message, "content") {
        None => true,
        Some(Value::String(text)) => text.is_empty(),
        Some(Value::Array(parts)) => parts.is_empty(),
        Some(_) => {
            return refuse(format!(
                "messages[{place}].content: neither text nor a list of parts"
            ));
        }
    };
    let asks_for_tools = get(message, "tool_calls")
        .and_then(Value::as_array)
        .is_some_and(|calls| !calls.is_empty());
    // A tool may have nothing to say, and so may a turn that asked for tools.
    if empty && role != "tool" && !(role == "assistant" && asks_for_tools) {
        return refuse(format!("messages[{place}].content: empty"));
    }
    if role == "tool" && get(message, "tool_call_id").is_none() {
        return refuse(format!(
            "messages[{place}].tool_call_id: missing; a tool's result names its call"
        ));
    }
    Ok(())
}

fn check_numbers(request: &Map<String, Value>) -> Checked {
    const RANGES: [(&str, RangeInclusive<f64>); 7] = [
        ("temperature", 0.0..=2.0),
        ("top_p", 0.0..=1.0),
        ("top_a", 0.0..=1.0),
        ("min_p", 0.0..=1.0),
        ("frequency_penalty", -2.0..=2.0),
        ("presence_penalty", -2.0..=2.0),
        ("repetition_penalty", 0.0..=2.0),
    ];
    for (field, range) in RANGES {
        if let Some(value) = get(request, field) {
            in_range(field, value, &range)?;
        }
    }
    for (field, least) in [
        ("max_tokens", 1),
        ("max_completion_tokens", 1),
        ("top_k", 0),
    ] {
        if let Some(value) = get(request, field)
            && value.as_u64().is_none_or(|value| value < least)
        {
            return refuse(format!(
                "{field}: {}; a whole number of at least {least}",
                shown(value)
            ));
        }
    }
    if let Some(biases) = get(request, "logit_bias") {
        let Some(biases) = biases.as_object() else {
            return refuse("logit_bias: not an object");
        };
        for (token, bias) in biases {
            in_range(&format!("logit_bias[{token:?}]"), bias, &(-100.0..=100.0))?;
        }
    }
    Ok(())
}

fn check_counts(request: &Map<String, Value>) -> Checked {
    if let Some(count) = get(request, "top_logprobs") {
        if count.as_u64().is_none_or(|count| count > 20) {
            return refuse(format!("top_logprobs: {}; from 0 to 20", shown(count)));
        }
        if get(request, "logprobs") != Some(&Value::Bool(true)) {
            return refuse("top_logprobs: needs logprobs to be true");
        }
    }
    match get(request, "stop") {
        Some(Value::Array(stops)) if stops.len() > 4 => {
            return refuse(format!("stop: {} texts; at most 4", stops.len()));
        }
        Some(Value::Array(stops))
            if stops
                .iter()
                .any(|stop| stop.as_str().is_none_or(str::is_empty)) =>
        {
            return refuse("stop: an empty text, or no text");
        }
        None | Some(Value::String(_) | Value::Array(_)) => {}
        Some(_) => return refuse("stop: neither a text nor a list of texts"),
    }
    match get(request, "session_id") {
        None => Ok(()),
        Some(Value::String(id)) if id.chars().count() <= 256 => Ok(()),
        Some(Value::String(id)) => refuse(format!(
            "session_id: {} characters; at most 256",
            id.chars().count()
        )),
        Some(_) => refuse("session_id: not a text"),
    }
}

fn check_tools(request: &Map<String, Value>) -> Checked {
    let tools = match get(request, "tools") {
        None => return Ok(()),
        Some(Value::Array(tools)) => tools,
        Some(_) => return refuse("tools: not a list"),
    };
    for (place, tool) in tools.iter().enumerate() {
        if tool.get("type").and_then(Value::as_str) != Some("function") {
            continue;
        }
        let name = tool
            .pointer("/function/name")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let allowed =
            |character: char| character.is_ascii_alphanumeric() || "_-".contains(character);
        if name.is_empty() || name.len() > 64 || !name.chars().all(allowed) {
            return refuse(format!(
                "tools[{place}].function.name: letters, digits, _ and -, 1 to 64 of them"
            ));
        }
    }
    Ok(())
}

fn check_metadata(metadata: &Value) -> Checked {
    let Some(metadata) = metadata.as_object() else {
        return refuse("metadata: not an object");
    };
    if metadata.len() > 16 {
        return refuse(format!("metadata: {} pairs; at most 16", metadata.len()));
    }
    for (key, value) in metadata {
        if key.chars().count() > 64 {
            return refuse("metadata: a key of more than 64 characters");
        }
        let Some(text) = value.as_str() else {
            return refuse(format!("metadata[{key:?}]: not a text"));
        };
        if text.chars().count() > 512 {
            return refuse(format!("metadata[{key:?}]: more than 512 characters"));
        }
    }
    Ok(())
}

fn check_max_price(prices: &Value) -> Checked {
    let Some(prices) = prices.as_object() else {
        return refuse("provider.max_price: not an object");
    };
    for (what, price) in prices {
        let number = match price {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        if !number.is_some_and(|price| price.is_finite() && price >= 0.0) {
            return refuse(format!(
                "provider.max_price.{what}: not a price of 0 or more"
            ));
        }
    }
    Ok(())
}

/// A field, unless it is null.
fn get<'a>(object: &'a Map<String, Value>, field: &str) -> Option<&'a Value> {
    object.get(field).filter(|value| !value.is_null())
}

fn in_range(field: &str, value: &Value, range: &RangeInclusive<f64>) -> Checked {
    if value.as_f64().is_some_and(|number| range.contains(&number)) {
        return Ok(());
    }
    refuse(format!(
        "{field}: {}; from {} to {}",
        shown(value),
        range.start(),
        range.end()
    ))
}

/// A number as it is, anything else by its kind: it may be a text of the caller's.
fn shown(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        _ => "not a number".to_owned(),
    }
}

fn refuse<T>(message: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::new(FailureKind::Validation, message))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::{ChatRequest, FunctionTool, InputMessage, ProviderPreferences};
    use super::check_json;
    use crate::failure::FailureKind;

    fn request() -> ChatRequest {
        let mut request = ChatRequest::new("a/b");
        request.messages.push(InputMessage::user("hi"));
        request
    }

    #[test]
    fn what_is_given_as_json_is_checked_too() {
        let rows = [
            ("temperature", json!("hot")),
            ("messages", json!([])),
            ("messages", json!("hi")),
            ("messages[0]", json!(["hi"])),
            ("messages[0].role", json!([{"content": "hi"}])),
            (
                "messages[0].content",
                json!([{"role": "user", "content": 5}]),
            ),
            ("top_k", json!(-1)),
            ("max_tokens", json!(1.5)),
            ("stop", json!(5)),
            ("stop", json!(["a", ""])),
            ("session_id", json!(5)),
            ("tools", json!({})),
            ("metadata", json!([])),
            ("logit_bias", json!([])),
            ("model", json!(" ")),
        ];
        let good = json!({"model": "a/b", "messages": [{"role": "user", "content": "hi"}], "top_k": null, "odd": {}});
        assert!(check_json(good.as_object().unwrap()).is_ok());
        for (field, value) in rows {
            let mut request = good.clone();
            request[field.split('[').next().unwrap()] = value;
            let failure = check_json(request.as_object().unwrap()).unwrap_err();
            assert!(failure.message().starts_with(field), "{field}: {failure}");
        }
    }

    #[test]
    fn each_limit_names_its_field() {
        type Break = fn(&mut ChatRequest);
        let rows: &[(&str, Break)] = &[
            ("model:", |request| request.model = " ".into()),
            ("messages:", |request| request.messages.clear()),
            ("messages[0].content", |request| {
                request.messages = vec![InputMessage::user("")];
            }),
            ("temperature", |request| request.temperature = Some(2.01)),
            ("temperature", |request| {
                request.temperature = Some(f64::NAN);
            }),
            ("top_p", |request| request.top_p = Some(-0.1)),
            ("min_p", |request| request.min_p = Some(1.1)),
            ("frequency_penalty", |request| {
                request.frequency_penalty = Some(-2.5);
            }),
            ("presence_penalty", |request| {
                request.presence_penalty = Some(2.5);
            }),
            ("repetition_penalty", |request| {
                request.repetition_penalty = Some(-1.0);
            }),
            ("max_tokens", |request| request.max_tokens = Some(0)),
            ("top_logprobs", |request| {
                request.logprobs = Some(true);
                request.top_logprobs = Some(21);
            }),
            ("top_logprobs", |request| request.top_logprobs = Some(2)),
            ("stop", |request| request.stop = vec!["x".into(); 5]),
            ("session_id", |request| {
                request.session_id = Some("é".repeat(257));
            }),
            ("metadata", |request| {
                request.metadata = (0..17).map(|n| (n.to_string(), "v".into())).collect();
            }),
            ("metadata", |request| {
                request.metadata.insert("k".repeat(65), "v".into());
            }),
            ("metadata", |request| {
                request.metadata.insert("k".into(), "v".repeat(513).into());
            }),
            ("metadata", |request| {
                request.metadata.insert("k".into(), 1.into());
            }),
            ("provider.max_price.prompt", |request| {
                let mut provider = ProviderPreferences::default();
                provider.max_price.insert("prompt".into(), (-1).into());
                request.provider = Some(provider);
            }),
            ("tools[0]", |request| {
                request.tools = vec![FunctionTool::new("a b", true.into()).into()];
            }),
            ("logit_bias", |request| {
                request.logit_bias.insert("5".into(), 101.into());
            }),
        ];
        assert!(request().check().is_ok());
        for (field, spoil) in rows {
            let mut request = request();
            spoil(&mut request);
            let failure = request.check().unwrap_err();
            assert_eq!(failure.kind(), FailureKind::Validation);
            assert!(failure.message().starts_with(field), "{failure}");
        }
    }
}
