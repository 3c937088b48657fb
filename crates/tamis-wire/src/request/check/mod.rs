//! What is checked before a request is sent.

mod messages;
mod numbers;
mod options;
mod plugins;
mod provider;
mod tools;
mod values;

use serde_json::{Map, Value};

use super::ChatRequest;
use crate::failure::Failure;
use values::{Checked, get, refuse};

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
/// counts. A field that is null counts as missing; one that is not known is let through, and so is a
/// word that is not known.
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
    messages::check(request)?;
    numbers::check(request)?;
    tools::check(request)?;
    options::check(request)?;
    if let Some(provider) = get(request, "provider") {
        provider::check(provider)?;
    }
    plugins::check(request)
}

fn check_model(request: &Map<String, Value>) -> Checked {
    let is_named = |name: &Value| name.as_str().is_some_and(|name| !name.trim().is_empty());
    let models = match get(request, "models") {
        Some(models) => values::texts("models", models)?,
        None => &[],
    };
    if get(request, "model").is_some_and(is_named) || models.iter().any(is_named) {
        return Ok(());
    }
    refuse("model: empty; name one, such as openai/gpt-4o")
}
#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::{ChatRequest, FunctionTool, InputMessage, MaxPrice, ProviderPreferences};
    use super::check_json;
    use crate::Decimal;
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
                let max_price = MaxPrice {
                    prompt: Some(Decimal::NEGATIVE_ONE.into()),
                    ..MaxPrice::default()
                };
                request.provider = Some(ProviderPreferences {
                    max_price: Some(max_price),
                    ..ProviderPreferences::default()
                });
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
