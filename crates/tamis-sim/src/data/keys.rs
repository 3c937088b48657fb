//! The account's keys. None of them opens anything: which key a request needs is the builder's to say.

use std::collections::BTreeMap;

use axum::body::Bytes;
use axum::extract::{Path, Query};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::answer::Asked;
use crate::error_body::ErrorBody;

/// Keys at most.
const MOST: usize = 1000;

/// Keys on a page.
const PAGE: usize = 100;

/// What may be set of a key; the first ones when it is made, all but the last ones later.
const SETTABLE: &[&str] = &[
    "name",
    "limit",
    "limit_reset",
    "include_byok_in_limit",
    "disabled",
    "expires_at",
    "workspace_id",
    "creator_user_id",
];

/// The keys there are, in the order in which they were made.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    made: u64,
    by_hash: BTreeMap<String, Value>,
}

impl Keys {
    /// The hash of a new key.
    fn insert(&mut self, wanted: &Map<String, Value>) -> Option<String> {
        if self.by_hash.len() >= MOST {
            return None;
        }
        self.made = self.made.saturating_add(1);
        let hash = format!("{:012x}", self.made);
        let mut record = json!({
            "hash": hash,
            "name": null,
            "label": format!("sk-or-v1-sim...{}", hash.get(9..).unwrap_or_default()),
            "disabled": false,
            "limit": null,
            "limit_remaining": null,
            "limit_reset": null,
            "include_byok_in_limit": false,
            "usage": 0,
            "usage_daily": 0,
            "usage_weekly": 0,
            "usage_monthly": 0,
            "byok_usage": 0,
            "created_at": "2026-01-01T00:00:00.000Z",
            "updated_at": null,
            "expires_at": null,
            "workspace_id": "workspace-sim",
            "creator_user_id": null,
        });
        change(&mut record, wanted);
        self.by_hash.insert(hash.clone(), record);
        Some(hash)
    }
}

fn change(record: &mut Value, wanted: &Map<String, Value>) {
    for (name, value) in wanted {
        if SETTABLE.contains(&name.as_str()) {
            crate::object::set(record, name, value.clone());
        }
    }
    let limit = record.get("limit").cloned().unwrap_or_default();
    crate::object::set(record, "limit_remaining", limit);
}

#[derive(Debug, Deserialize)]
pub(super) struct Page {
    offset: Option<usize>,
}

pub(super) async fn list(asked: Asked, Query(page): Query<Page>) -> Response {
    let data: Vec<Value> = asked.state.with_keys(|keys| {
        let keys = keys.by_hash.values().skip(page.offset.unwrap_or(0));
        keys.take(PAGE).cloned().collect()
    });
    asked.answer(json!({"data": data})).await
}

pub(super) async fn one(asked: Asked, Path(hash): Path<String>) -> Response {
    match asked
        .state
        .with_keys(|keys| keys.by_hash.get(&hash).cloned())
    {
        Some(record) => asked.answer(json!({"data": record})).await,
        None => no_key(),
    }
}

pub(super) async fn create(asked: Asked, body: Bytes) -> Response {
    let Ok(Value::Object(wanted)) = serde_json::from_slice(&body) else {
        return bad("Input required: specify a name");
    };
    let name = wanted.get("name").and_then(Value::as_str);
    if name.is_none_or(str::is_empty) {
        return bad("Input required: specify a name");
    }
    let record = asked.state.with_keys(|keys| {
        let hash = keys.insert(&wanted)?;
        keys.by_hash.get(&hash).cloned()
    });
    match record {
        Some(record) => {
            let hash = record
                .get("hash")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let key = format!("sk-or-v1-sim-{hash}");
            let body = json!({"data": record, "key": key});
            asked.answer_with(StatusCode::CREATED, body).await
        }
        None => bad("Too many keys"),
    }
}

pub(super) async fn update(asked: Asked, Path(hash): Path<String>, body: Bytes) -> Response {
    let Ok(Value::Object(wanted)) = serde_json::from_slice(&body) else {
        return bad("Input required: specify what to change");
    };
    let record = asked.state.with_keys(|keys| {
        let record = keys.by_hash.get_mut(&hash)?;
        change(record, &wanted);
        crate::object::set(record, "updated_at", "2026-01-01T00:00:01.000Z");
        Some(record.clone())
    });
    match record {
        Some(record) => asked.answer(json!({"data": record})).await,
        None => no_key(),
    }
}

pub(super) async fn delete(asked: Asked, Path(hash): Path<String>) -> Response {
    match asked.state.with_keys(|keys| keys.by_hash.remove(&hash)) {
        Some(_) => asked.answer(json!({"deleted": true})).await,
        None => no_key(),
    }
}

fn no_key() -> Response {
    ErrorBody::new(404, "API key not found")
        .with_type("not_found")
        .into_response()
}

fn bad(message: &str) -> Response {
    ErrorBody::new(400, message)
        .with_type("invalid_request")
        .into_response()
}
