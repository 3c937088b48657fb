//! The routes, and what happens to every request before its route.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{ConnectInfo, Path, Query, Request, State as Shared};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode, Version};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::catalogue;
use crate::chat;
use crate::error_body::ErrorBody;
use crate::net::{Wire, play};
use crate::received::Received;
use crate::state::State;

type Server = Shared<Arc<State>>;

/// A larger request is refused.
const LARGEST_REQUEST: usize = 32 * 1024 * 1024;

pub(crate) fn router(state: Arc<State>) -> Router {
    let api = Router::new()
        .route("/chat/completions", post(completions))
        .route("/models", get(models))
        .route("/model/{author}/{slug}", get(model))
        .route("/models/{author}/{slug}/endpoints", get(endpoints))
        .route("/generation", get(generation))
        .route("/key", get(key))
        .route("/credits", get(credits));
    Router::new()
        .nest("/api/v1", api)
        .fallback(|| async { ErrorBody::new(404, "Not Found") })
        .method_not_allowed_fallback(|| async { ErrorBody::new(405, "Method Not Allowed") })
        .layer(from_fn_with_state(Arc::clone(&state), admit))
        .with_state(state)
}

/// Notes the request down, and refuses it if its key is wrong.
async fn admit(
    Shared(state): Server,
    ConnectInfo(wire): ConnectInfo<Wire>,
    request: Request,
    next: Next,
) -> Response {
    if request.version() > Version::HTTP_11 {
        return ErrorBody::new(505, "The simulator speaks HTTP/1.1 only").into_response();
    }
    if wire.is_doomed() {
        wire.take();
        return StatusCode::NO_CONTENT.into_response();
    }
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, LARGEST_REQUEST).await else {
        return ErrorBody::new(413, "Request entity too large")
            .with_type("payload_too_large")
            .into_response();
    };
    let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
    state.receive(Received::new(
        parts.method.as_str(),
        path,
        &parts.headers,
        &body,
    ));
    // The catalogue is public; everything else belongs to somebody.
    let public = path.starts_with("/api/v1/model");
    if !public && let Err(error) = check_key(state.key(), &parts.headers) {
        return error.into_response();
    }
    next.run(Request::from_parts(parts, Body::from(body))).await
}

/// OpenRouter's words for a missing and for a wrong key.
fn check_key(key: Option<&str>, headers: &HeaderMap) -> Result<(), ErrorBody> {
    let Some(key) = key else {
        return Ok(());
    };
    let refused = |message: &str| Err(ErrorBody::new(401, message).with_type("authentication"));
    let given = headers
        .get(AUTHORIZATION)
        .and_then(|value| value.to_str().ok());
    match given.and_then(|value| value.strip_prefix("Bearer ")) {
        None => refused("No cookie auth credentials found"),
        Some(given) if given != key => refused("User not found."),
        Some(_) => Ok(()),
    }
}

async fn completions(
    Shared(state): Server,
    ConnectInfo(wire): ConnectInfo<Wire>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    match chat::answer(&state, &headers, &body) {
        Ok(script) => play(script, &wire, state.timing()).await,
        Err(error) => error.into_response(),
    }
}

#[derive(Debug, Deserialize)]
struct ModelsQuery {
    supported_parameters: Option<String>,
    q: Option<String>,
    offset: Option<usize>,
    limit: Option<usize>,
}

async fn models(Query(query): Query<ModelsQuery>) -> Response {
    let wanted: Vec<&str> = query
        .supported_parameters
        .iter()
        .flat_map(|list| list.split(','))
        .collect();
    let has_all = |model: &Value| {
        let has = model.get("supported_parameters").and_then(Value::as_array);
        wanted
            .iter()
            .all(|name| has.is_some_and(|has| has.contains(&json!(name))))
    };
    let named = |id: &String| {
        query
            .q
            .as_ref()
            .is_none_or(|part| id.contains(part.as_str()))
    };
    let all: Vec<Value> = catalogue::ids()
        .into_iter()
        .filter(named)
        .filter_map(|id| catalogue::find(&id))
        .map(|model| model.listing())
        .filter(has_all)
        .collect();
    let total = all.len();
    let page: Vec<Value> = all
        .into_iter()
        .skip(query.offset.unwrap_or(0))
        .take(query.limit.unwrap_or(total))
        .collect();
    answer(&json!({"data": page, "links": {"next": null}, "total_count": total}))
}

async fn model(Path((author, slug)): Path<(String, String)>) -> Response {
    match catalogue::find(&format!("{author}/{slug}")) {
        Some(model) => answer(&json!({"data": model.listing()})),
        None => no_model(),
    }
}

async fn endpoints(Path((author, slug)): Path<(String, String)>) -> Response {
    match catalogue::find(&format!("{author}/{slug}")) {
        Some(model) => answer(&json!({"data": model.endpoint_listing()})),
        None => no_model(),
    }
}

fn no_model() -> Response {
    ErrorBody::new(404, "Model not found")
        .with_type("not_found")
        .into_response()
}

#[derive(Debug, Deserialize)]
struct GenerationQuery {
    #[serde(default)]
    id: String,
}

async fn generation(Shared(state): Server, Query(query): Query<GenerationQuery>) -> Response {
    match state.look_up(&query.id) {
        Some(generation) => answer(&generation.json()),
        None => ErrorBody::new(404, &format!("Generation {} not found", query.id)).into_response(),
    }
}

/// What a simulated account has to spend, in US dollars.
const CREDITS: f64 = 100.0;

async fn key(Shared(state): Server) -> Response {
    let spent = state.spent();
    answer(&json!({"data": {
        "label": "sk-or-v1-sim...key",
        "limit": CREDITS,
        "limit_remaining": CREDITS - spent,
        "limit_reset": null,
        "include_byok_in_limit": false,
        "usage": spent,
        "usage_daily": spent,
        "usage_weekly": spent,
        "usage_monthly": spent,
        "byok_usage": 0.0,
        "is_free_tier": false,
        "is_management_key": false,
        "creator_user_id": null,
        "expires_at": null,
        "rate_limit": {"requests": -1, "interval": "10s", "note": "deprecated"},
    }}))
}

async fn credits(Shared(state): Server) -> Response {
    answer(&json!({"data": {"total_credits": CREDITS, "total_usage": state.spent()}}))
}

fn answer(body: &Value) -> Response {
    ([(CONTENT_TYPE, "application/json")], body.to_string()).into_response()
}
