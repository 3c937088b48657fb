//! The checks that OpenRouter makes before it asks a provider, in its words.

use serde_json::{Map, Value, json};

use crate::error_body::ErrorBody;

/// Keys that `provider` may have.
const PROVIDER_KEYS: &[&str] = &[
    "order",
    "only",
    "ignore",
    "allow_fallbacks",
    "require_parameters",
    "data_collection",
    "zdr",
    "enforce_distillable_text",
    "quantizations",
    "sort",
    "max_price",
    "preferred_min_throughput",
    "preferred_max_latency",
    "options",
];

/// What a field has to be. Null is allowed everywhere, and means the same as no field.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Text,
    Truth,
    Number(f64, f64),
    Whole(i64, i64),
    List,
    Object,
}

const FIELDS: &[(&str, Kind)] = &[
    ("model", Kind::Text),
    ("models", Kind::List),
    ("stream", Kind::Truth),
    ("temperature", Kind::Number(0.0, 2.0)),
    ("top_p", Kind::Number(0.0, 1.0)),
    ("top_a", Kind::Number(0.0, 1.0)),
    ("min_p", Kind::Number(0.0, 1.0)),
    ("frequency_penalty", Kind::Number(-2.0, 2.0)),
    ("presence_penalty", Kind::Number(-2.0, 2.0)),
    ("repetition_penalty", Kind::Number(0.0, 2.0)),
    ("top_k", Kind::Whole(0, i64::MAX)),
    ("top_logprobs", Kind::Whole(0, 20)),
    ("max_tokens", Kind::Whole(1, i64::MAX)),
    ("max_completion_tokens", Kind::Whole(1, i64::MAX)),
    ("n", Kind::Whole(1, 128)),
    ("seed", Kind::Whole(i64::MIN, i64::MAX)),
    ("tools", Kind::List),
    ("response_format", Kind::Object),
    ("provider", Kind::Object),
    ("plugins", Kind::List),
    ("reasoning", Kind::Object),
    ("metadata", Kind::Object),
    ("session_id", Kind::Text),
    ("user", Kind::Text),
];

/// Reads a body, and refuses what OpenRouter refuses.
pub(super) fn body(bytes: &[u8]) -> Result<Map<String, Value>, ErrorBody> {
    // What OpenRouter says to a body that is no JSON; misleading, and observed.
    let Ok(Value::Object(body)) = serde_json::from_slice(bytes) else {
        return Err(ErrorBody::new(400, "Input must have at least 1 token.")
            .with("provider_name", Value::Null));
    };
    let messages = body.get("messages").and_then(Value::as_array);
    let is_message = |message: &Value| message.get("role").is_some_and(Value::is_string);
    let good = messages.is_some_and(|list| !list.is_empty() && list.iter().all(is_message));
    if !good && !body.get("prompt").is_some_and(Value::is_string) {
        return Err(invalid(
            "Input required: specify \"prompt\" or \"messages\"",
        ));
    }
    for (name, kind) in FIELDS {
        if let Some(value) = body.get(*name).filter(|value| !value.is_null()) {
            kind.check(name, value)?;
        }
    }
    if let Some(provider) = body.get("provider").and_then(Value::as_object) {
        check_provider(provider)?;
    }
    if let Some(format) = body.get("response_format").filter(|value| !value.is_null()) {
        check_format(format)?;
    }
    Ok(body)
}

fn check_provider(provider: &Map<String, Value>) -> Result<(), ErrorBody> {
    let unknown: Vec<String> = provider
        .keys()
        .filter(|key| !PROVIDER_KEYS.contains(&key.as_str()))
        .map(|key| format!("'{key}'"))
        .collect();
    if !unknown.is_empty() {
        let message = format!(
            "provider: Unrecognized key(s) in object: {}",
            unknown.join(", ")
        );
        return Err(invalid(&message));
    }
    for key in ["order", "only", "ignore"] {
        let value = provider.get(key).filter(|value| !value.is_null());
        if let Some(value) = value {
            let names = value.as_array();
            if !names.is_some_and(|names| names.iter().all(Value::is_string)) {
                return Err(invalid(&expected(
                    &format!("provider.{key}"),
                    "array of strings",
                    value,
                )));
            }
        }
    }
    for key in ["allow_fallbacks", "require_parameters"] {
        let value = provider.get(key).filter(|value| !value.is_null());
        if let Some(value) = value {
            Kind::Truth.check(&format!("provider.{key}"), value)?;
        }
    }
    Ok(())
}

fn check_format(format: &Value) -> Result<(), ErrorBody> {
    const KINDS: &[&str] = &["text", "json_object", "json_schema", "grammar", "python"];
    let kind = format
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if !KINDS.contains(&kind) {
        return Err(invalid(
            "response_format.type: Invalid discriminator value. Expected 'text' | 'json_object' | 'json_schema' | 'grammar' | 'python'",
        ));
    }
    if kind != "json_schema" {
        return Ok(());
    }
    let spec = format.get("json_schema").unwrap_or(&Value::Null);
    Kind::Object.check("response_format.json_schema", spec)?;
    let name = spec.get("name").unwrap_or(&Value::Null);
    Kind::Text.check("response_format.json_schema.name", name)?;
    let name = name.as_str().unwrap_or_default();
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() || name.len() > 64 || !name.chars().all(allowed) {
        return Err(upstream_schema_error(
            "Invalid 'response_format.json_schema.name': expected 1 to 64 of a-z, A-Z, 0-9, '_' and '-'.",
            "response_format.json_schema.name",
        ));
    }
    match spec.get("schema") {
        None | Some(Value::Null | Value::Object(_)) => Ok(()),
        Some(_) => Err(upstream_schema_error(
            "Invalid schema for response_format: schema must be a JSON Schema object.",
            "response_format",
        )),
    }
}

/// A provider's error in OpenRouter's envelope.
fn upstream_schema_error(message: &str, param: &str) -> ErrorBody {
    let raw = json!({"error": {
        "message": message,
        "type": "invalid_request_error",
        "param": param,
        "code": "invalid_json_schema",
    }});
    ErrorBody::new(400, "Provider returned error")
        .with("raw", json!(raw.to_string()))
        .with("provider_name", json!("Granite"))
}

impl Kind {
    fn check(self, path: &str, value: &Value) -> Result<(), ErrorBody> {
        let (name, ok) = match self {
            Self::Text => ("string", value.is_string()),
            Self::Truth => ("boolean", value.is_boolean()),
            Self::Number(..) => ("number", value.is_number()),
            Self::Whole(..) => ("integer", value.is_i64() || value.is_u64()),
            Self::List => ("array", value.is_array()),
            Self::Object => ("object", value.is_object()),
        };
        if !ok {
            return Err(invalid(&expected(path, name, value)));
        }
        let out_of_range = |low: String, high: String| {
            invalid(&format!("{path}: expected a number from {low} to {high}"))
        };
        match (self, value.as_f64(), value.as_i64()) {
            (Self::Number(low, high), Some(number), _) if !(low..=high).contains(&number) => {
                Err(out_of_range(low.to_string(), high.to_string()))
            }
            (Self::Whole(low, high), _, Some(number)) if !(low..=high).contains(&number) => {
                Err(out_of_range(low.to_string(), high.to_string()))
            }
            _ => Ok(()),
        }
    }
}

fn expected(path: &str, kind: &str, value: &Value) -> String {
    let received = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    format!("{path}: Invalid input: expected {kind}, received {received}")
}

fn invalid(message: &str) -> ErrorBody {
    ErrorBody::new(400, message).with_type("invalid_request")
}

#[cfg(test)]
mod tests {
    use super::body;

    #[test]
    fn passes_and_refuses() {
        let with = |rest: &str| {
            let text =
                format!(r#"{{"model":"a/b","messages":[{{"role":"user","content":"hi"}}]{rest}}}"#);
            body(text.as_bytes()).is_ok()
        };
        for good in [
            "",
            r#","temperature":2,"top_p":null"#,
            r#","provider":{"order":["granite"],"allow_fallbacks":false}"#,
            r#","provider":null"#,
            r#","response_format":{"type":"json_schema","json_schema":{"name":"x"}}"#,
            r#","some_new_field":1"#,
        ] {
            assert!(with(good), "{good}");
        }
        for bad in [
            r#","temperature":2.5"#,
            r#","temperature":"1""#,
            r#","stream":"yes""#,
            r#","max_tokens":0"#,
            r#","max_tokens":1.5"#,
            r#","provider":{"orders":[]}"#,
            r#","provider":{"order":"granite"}"#,
            r#","response_format":{"type":"yaml"}"#,
            r#","response_format":{"type":"json_schema"}"#,
            r#","response_format":{"type":"json_schema","json_schema":{"name":"a b"}}"#,
            r#","response_format":{"type":"json_schema","json_schema":{"name":"x","schema":[]}}"#,
        ] {
            assert!(!with(bad), "{bad}");
        }
        for bad in [
            "",
            "nonsense",
            "[]",
            "{}",
            r#"{"messages":[]}"#,
            r#"{"messages":"hi"}"#,
            r#"{"messages":[1]}"#,
        ] {
            assert!(body(bad.as_bytes()).is_err(), "{bad}");
        }
    }
}
