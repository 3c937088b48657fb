//! The protocols in which an answer can be asked for.

use serde_json::{Map, Value, json};

/// Which protocol a request is in, and its answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Protocol {
    #[default]
    Chat,
    Responses,
    Messages,
}

impl Protocol {
    /// By the path of the request, from the API's root or from the server's.
    pub(crate) fn of_path(path: &str) -> Self {
        let path = path.split('?').next().unwrap_or_default();
        match path.strip_prefix("/api/v1").unwrap_or(path) {
            "/responses" => Self::Responses,
            "/messages" => Self::Messages,
            _ => Self::Chat,
        }
    }

    /// An error body as this protocol has it, by OpenRouter's documentation of errors, 2026.
    pub(crate) fn error(self, body: Value) -> Value {
        let Some(error) = body.get("error").filter(|_| self == Self::Messages) else {
            return body;
        };
        json!({"type": "error", "error": anthropic(error), "request_id": null})
    }

    /// An error after the status went out.
    pub(crate) fn event_of_error(self, error: &Value, id: &str, alone: bool) -> Value {
        match self {
            Self::Chat => json!({"error": error}),
            Self::Messages => {
                json!({"type": "error", "error": anthropic(error), "request_id": null})
            }
            Self::Responses if alone => {
                let mut event = json!({"type": "error", "param": null});
                if let (Some(event), Some(flat)) =
                    (event.as_object_mut(), openai(error).as_object())
                {
                    event.extend(flat.clone());
                    event.insert("error_type".to_owned(), json!(named(error)));
                }
                event
            }
            Self::Responses => {
                json!({"type": "response.failed", "response": failed(error, id)})
            }
        }
    }
}

/// A failed response.
pub(crate) fn failed(error: &Value, id: &str) -> Value {
    let mut response = Map::new();
    response.insert("id".to_owned(), json!(id));
    response.insert("object".to_owned(), json!("response"));
    response.insert("status".to_owned(), json!("failed"));
    response.insert("error".to_owned(), openai(error));
    if let Some(kind) = named(error) {
        response.insert("error_type".to_owned(), json!(kind));
    }
    response.insert("output".to_owned(), json!([]));
    Value::Object(response)
}

/// OpenRouter's type of an error, where it names one.
fn named(error: &Value) -> Option<&str> {
    error
        .get("metadata")
        .and_then(|metadata| metadata.get("error_type"))
        .or_else(|| error.get("error_type"))
        .and_then(Value::as_str)
}

/// The type that an error has, else the one that goes with its code.
fn type_of(error: &Value) -> Option<&str> {
    named(error).or_else(|| {
        Some(match error.get("code")?.as_u64()? {
            400 => "invalid_request",
            401 => "authentication",
            402 => "payment_required",
            403 => "permission_denied",
            404 => "not_found",
            413 => "payload_too_large",
            429 => "rate_limit_exceeded",
            502 => "provider_unavailable",
            503 | 529 => "provider_overloaded",
            504 => "timeout",
            _ => return None,
        })
    })
}

fn openai(error: &Value) -> Value {
    let code = match type_of(error) {
        Some("rate_limit_exceeded") => "rate_limit_exceeded",
        Some("context_length_exceeded" | "invalid_request") => "invalid_prompt",
        Some("content_policy_violation") => "image_content_policy_violation",
        _ => "server_error",
    };
    json!({"code": code, "message": error.get("message")})
}

fn anthropic(error: &Value) -> Value {
    let kind = type_of(error);
    let name = match kind {
        Some("authentication") => "authentication_error",
        Some("permission_denied") => "permission_error",
        Some("payment_required") => "billing_error",
        Some("not_found" | "image_not_found") => "not_found_error",
        Some("rate_limit_exceeded") => "rate_limit_error",
        Some("provider_overloaded") => "overloaded_error",
        Some("timeout") => "timeout_error",
        None | Some("server" | "unmapped" | "provider_unavailable") => "api_error",
        Some(_) => "invalid_request_error",
    };
    let mut anthropic = Map::new();
    anthropic.insert("type".to_owned(), json!(name));
    anthropic.insert(
        "message".to_owned(),
        error.get("message").unwrap_or(error).clone(),
    );
    if let Some(kind) = named(error) {
        anthropic.insert("error_type".to_owned(), json!(kind));
    }
    for kept in ["availability", "metadata"] {
        if let Some(value) = error.get(kept) {
            anthropic.insert(kept.to_owned(), value.clone());
        }
    }
    Value::Object(anthropic)
}
