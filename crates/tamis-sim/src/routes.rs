//! The routes, and what happens to every request before its route.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{ConnectInfo, Request, State as Shared};
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, StatusCode, Uri, Version};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::post;

use crate::chat;
use crate::data;
use crate::error_body::ErrorBody;
use crate::net::{Wire, play};
use crate::protocol::Protocol;
use crate::received::Received;
use crate::state::State;

type Server = Shared<Arc<State>>;

/// A larger request is refused.
const LARGEST_REQUEST: usize = 32 * 1024 * 1024;

pub(crate) fn router(state: Arc<State>) -> Router {
    let api = Router::new()
        .route("/chat/completions", post(completions))
        .route("/responses", post(completions))
        .route("/messages", post(completions))
        .merge(data::routes());
    Router::new()
        .nest("/api/v1", api)
        .nest("/api/alpha", data::alpha_routes())
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
    if !data::is_public(path)
        && let Err(error) = check_key(&state, path, &parts.headers)
    {
        return error.answer(Protocol::of_path(path));
    }
    next.run(Request::from_parts(parts, Body::from(body))).await
}

/// OpenRouter's words for a missing and for a wrong key.
fn check_key(state: &State, path: &str, headers: &HeaderMap) -> Result<(), ErrorBody> {
    let (key, management) = (state.key(), state.management_key());
    if key.is_none() && management.is_none() {
        return Ok(());
    }
    let refused = |message: &str| Err(ErrorBody::new(401, message).with_type("authentication"));
    let given = headers
        .get(AUTHORIZATION)
        .and_then(|value| value.to_str().ok());
    let Some(given) = given.and_then(|value| value.strip_prefix("Bearer ")) else {
        return refused("No cookie auth credentials found");
    };
    if management.is_some() && management == Some(given) {
        return Ok(());
    }
    if key.is_some_and(|key| key != given) {
        return refused("User not found.");
    }
    if management.is_some() && data::is_management(path) {
        let message = "Only management keys can perform this operation";
        return Err(ErrorBody::new(403, message).with_type("permission_denied"));
    }
    Ok(())
}

async fn completions(
    Shared(state): Server,
    ConnectInfo(wire): ConnectInfo<Wire>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let protocol = Protocol::of_path(uri.path());
    match chat::answer(&state, protocol, &headers, &body) {
        Ok(script) => play(script, &wire, state.timing()).await,
        Err(error) => error.answer(protocol),
    }
}
