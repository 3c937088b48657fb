//! The error envelope.

use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

use crate::protocol::Protocol;

/// An error as OpenRouter's own front sends it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ErrorBody(Box<Inner>);

#[derive(Debug, Clone, PartialEq)]
struct Inner {
    status: u16,
    message: String,
    metadata: Map<String, Value>,
    availability: Option<Value>,
}

impl ErrorBody {
    pub(crate) fn new(status: u16, message: &str) -> Self {
        Self(Box::new(Inner {
            status,
            message: message.to_owned(),
            metadata: Map::new(),
            availability: None,
        }))
    }

    pub(crate) fn with(mut self, key: &str, value: Value) -> Self {
        self.0.metadata.insert(key.to_owned(), value);
        self
    }

    pub(crate) fn with_type(self, error_type: &str) -> Self {
        self.with("error_type", json!(error_type))
    }

    pub(crate) fn with_availability(mut self, availability: Value) -> Self {
        self.0.availability = Some(availability);
        self
    }

    /// As another protocol has it.
    pub(crate) fn answer(self, protocol: Protocol) -> Response {
        if protocol == Protocol::Chat {
            return self.into_response();
        }
        let body = protocol.error(self.json());
        self.with_body(&body)
    }

    fn with_body(&self, body: &Value) -> Response {
        let status =
            StatusCode::from_u16(self.0.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let headers = [(CONTENT_TYPE, "application/json")];
        (status, headers, body.to_string()).into_response()
    }

    fn json(&self) -> Value {
        let mut error = Map::new();
        error.insert("message".to_owned(), json!(self.0.message));
        error.insert("code".to_owned(), json!(self.0.status));
        if !self.0.metadata.is_empty() {
            error.insert("metadata".to_owned(), json!(self.0.metadata));
        }
        if let Some(availability) = &self.0.availability {
            error.insert("availability".to_owned(), availability.clone());
        }
        json!({"error": error})
    }
}

impl IntoResponse for ErrorBody {
    fn into_response(self) -> Response {
        self.with_body(&self.json())
    }
}
