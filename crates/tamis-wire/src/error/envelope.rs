//! The shapes in which servers wrap an error.

use serde_json::{Map, Value};

use super::ApiError;
use crate::lenient::Any;
use crate::scalar::Scalar;

impl ApiError {
    /// Reads an error body, whichever shape it has.
    ///
    /// | shape | from |
    /// | --- | --- |
    /// | `{"error":{"code","message",…}}` | OpenRouter, OpenAI and most servers |
    /// | `{"error":"text"}` | vLLM's 401, Ollama |
    /// | `{"success":false,"error":{"name","message"}}` | some OpenRouter routes |
    /// | `{"error":{…,"errors":[…]}}`, `{"errors":[{"message"}]}` | Google, Cloudflare |
    /// | `[{"error":{…}}]` | Gemini's OpenAI-compatible route |
    /// | `{"detail":"text"}`, `{"detail":[{"loc","msg"}]}` | `FastAPI`: vLLM, Mistral |
    /// | `{"object":"error","message","code"}` | Mistral, older vLLM |
    /// | `{"code","message","type"}` | at top level, without an error member |
    /// | `{"title","status","detail"}` | RFC 9457 problem details: Cloudflare |
    ///
    /// None where the value has none of these, or holds choices.
    pub fn from_value(value: &Value) -> Option<Self> {
        if let [Value::Object(only)] = value.as_array().map(Vec::as_slice).unwrap_or_default() {
            return Self::from_object(only).filter(|_| only.contains_key("error"));
        }
        Self::from_object(value.as_object()?)
    }

    fn from_object(body: &Map<String, Value>) -> Option<Self> {
        if let Some(error) = body.get("error").and_then(read_error_member) {
            return Some(error.named_by_parent(body));
        }
        if body.get("choices").is_some_and(Value::is_array) {
            return None;
        }
        if let Some(first) = body.get("errors").and_then(|errors| errors.get(0)) {
            return read_error_member(first);
        }
        if body.contains_key("detail")
            || (body.contains_key("title") && body.contains_key("status"))
        {
            return Some(from_detail(body));
        }
        let named = body.get("object").and_then(Value::as_str) == Some("error");
        let has_message = body.get("message").is_some_and(Value::is_string);
        let has_code = ["code", "type", "status", "statusCode"]
            .iter()
            .any(|name| body.contains_key(*name));
        if named || (has_message && (has_code || body.len() == 1)) {
            return read_error_member(&Value::Object(body.clone()));
        }
        None
    }

    /// Takes the message or the code from beside the `error` member, where it stands there:
    /// `{"error":"Bad Request","message":"…","statusCode":400}`.
    fn named_by_parent(mut self, body: &Map<String, Value>) -> Self {
        if let Some(Value::String(text)) = body.get("message")
            && body.get("error").is_some_and(Value::is_string)
        {
            self.message.clone_from(text);
        }
        if self.code.is_none() {
            let code = ["code", "statusCode", "status"]
                .into_iter()
                .find_map(|name| body.get(name));
            self.code = code.and_then(scalar);
        }
        // The Responses route puts OpenRouter's type beside the error.
        if let Some(kind) = body.get("error_type")
            && self.error_type().is_none()
        {
            self.extra.insert("error_type", kind.clone());
        }
        if self.message.is_empty()
            && let Some(name) = self.extra.get_str("name")
        {
            name.clone_into(&mut self.message);
        }
        self
    }
}

fn read_error_member(value: &Value) -> Option<ApiError> {
    let Any(error): Any<Option<ApiError>> = serde_json::from_value(value.clone()).ok()?;
    error
}

/// `detail` as text, as an object, or as a list of what is wrong with each field.
fn from_detail(body: &Map<String, Value>) -> ApiError {
    let text = |name: &str| body.get(name).and_then(Value::as_str);
    let detail = match body.get("detail") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(items)) => items
            .iter()
            .filter_map(field_problem)
            .collect::<Vec<_>>()
            .join("; "),
        Some(object @ Value::Object(_)) => {
            return ApiError::from_value(object)
                .or_else(|| read_error_member(object))
                .unwrap_or_default();
        }
        _ => String::new(),
    };
    let message = match text("title") {
        Some(title) if detail.is_empty() => title.to_owned(),
        Some(title) => format!("{title}: {detail}"),
        None => detail,
    };
    let mut error = ApiError::new(message);
    error.code = ["code", "status"]
        .into_iter()
        .find_map(|name| body.get(name))
        .and_then(scalar);
    for (name, value) in body {
        if !matches!(name.as_str(), "detail" | "title" | "code" | "status") {
            error.extra.insert(name, value.clone());
        }
    }
    error
}

/// `{"loc":["body","messages"],"msg":"Field required"}` as `body.messages: Field required`.
fn field_problem(item: &Value) -> Option<String> {
    let message = item.get("msg")?.as_str()?;
    let place: Vec<String> = item
        .get("loc")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .map(|part| {
            part.as_str()
                .map_or_else(|| part.to_string(), str::to_owned)
        })
        .collect();
    Some(if place.is_empty() {
        message.to_owned()
    } else {
        format!("{}: {message}", place.join("."))
    })
}

fn scalar(value: &Value) -> Option<Scalar> {
    match value {
        Value::Number(number) => Some(Scalar::Number(number.clone())),
        Value::String(text) => Some(Scalar::Text(text.clone())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::ApiError;

    #[test]
    fn every_shape_gives_its_message_and_code() {
        let rows = [
            (
                json!({"error": {"code": 429, "message": "slow down"}}),
                "slow down",
                Some("429"),
            ),
            (
                json!({"error": {"code": "0502", "message": "down"}}),
                "down",
                Some("0502"),
            ),
            (
                json!({"error": {"message": null, "code": 500}}),
                "",
                Some("500"),
            ),
            (json!({"error": "Unauthorized"}), "Unauthorized", None),
            (json!({"error": {"type": "x"}, "choices": []}), "", None),
            (
                json!({"success": false, "error": {"name": "ZodError", "message": "[]"}}),
                "[]",
                None,
            ),
            (
                json!({"success": false, "error": {"name": "ZodError"}}),
                "ZodError",
                None,
            ),
            (
                json!({"error": "Bad Request", "message": "no model", "statusCode": 400}),
                "no model",
                Some("400"),
            ),
            (
                json!({"detail": "Invalid API Key"}),
                "Invalid API Key",
                None,
            ),
            (
                json!({"detail": [{"loc": ["body", "messages", 0], "msg": "Field required"}]}),
                "body.messages.0: Field required",
                None,
            ),
            (
                json!({"object": "error", "message": "Invalid model", "code": "1500"}),
                "Invalid model",
                Some("1500"),
            ),
            (json!({"message": "bad", "object": "error"}), "bad", None),
            (
                json!({"code": 400, "message": "Temperature", "type": "Bad Request"}),
                "Temperature",
                Some("400"),
            ),
            (
                json!({"title": "Error 524", "status": 524, "detail": "late"}),
                "Error 524: late",
                Some("524"),
            ),
            (
                json!({"errors": [{"code": 7003, "message": "no route"}]}),
                "no route",
                Some("7003"),
            ),
            (
                json!([{"error": {"code": 400, "message": "bad key"}}]),
                "bad key",
                Some("400"),
            ),
            (
                json!({"choices": null, "error": {"message": "rate", "code": 429}}),
                "rate",
                Some("429"),
            ),
            (
                json!({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}),
                "busy",
                None,
            ),
        ];
        for (body, message, code) in rows {
            let error = ApiError::from_value(&body).unwrap_or_else(|| panic!("{body}"));
            assert_eq!(error.message, message, "{body}");
            assert_eq!(
                error.code.map(|code| code.to_string()).as_deref(),
                code,
                "{body}"
            );
        }
    }

    #[test]
    fn what_is_no_error_reads_as_none() {
        for body in [
            json!({"choices": [], "error": null}),
            json!({"choices": [{}], "message": "hi", "type": "x"}),
            json!({"error": {}}),
            json!({"error": false}),
            json!({"error": ""}),
            json!({"id": "x"}),
            json!([]),
            json!("text"),
            json!(null),
        ] {
            assert_eq!(ApiError::from_value(&body), None, "{body}");
        }
    }
}
