//! What the server has been sent.

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use serde_json::Value;

/// A request that the server has read, for tests of a client.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Received {
    /// `GET`, `POST`.
    pub method: String,
    /// The path and the query, from `/api/v1` on.
    pub path: String,
    /// Names in lower case, in the order received. The value of `authorization` is masked: the
    /// scheme stays, the rest becomes `***`.
    pub headers: Vec<(String, String)>,
    /// The body, if it is JSON.
    pub body: Option<Value>,
    /// The length of the body in bytes.
    pub body_len: usize,
}

impl Received {
    pub(crate) fn new(method: &str, path: &str, headers: &HeaderMap, body: &[u8]) -> Self {
        let headers = headers
            .iter()
            .map(|(name, value)| {
                let text = value.to_str().unwrap_or("(not text)");
                let text = if name == AUTHORIZATION {
                    masked(text)
                } else {
                    text.to_owned()
                };
                (name.as_str().to_owned(), text)
            })
            .collect();
        Self {
            method: method.to_owned(),
            path: path.to_owned(),
            headers,
            body: serde_json::from_slice(body).ok(),
            body_len: body.len(),
        }
    }

    /// The first header of this name, in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(own, _)| own == name)
            .map(|(_, value)| value.as_str())
    }
}

fn masked(authorization: &str) -> String {
    match authorization.split_once(' ') {
        Some((scheme, _)) => format!("{scheme} ***"),
        None => "***".to_owned(),
    }
}
