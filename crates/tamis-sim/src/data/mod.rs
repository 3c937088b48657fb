//! The catalogue and the account.

mod account;
mod answer;
mod decisions;
mod embeddings;
mod generated;
mod generation;
mod keys;
mod models;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

use crate::state::State;

pub(crate) use keys::Keys;

pub(crate) fn routes() -> Router<Arc<State>> {
    Router::new()
        .route("/models", get(models::list))
        .route("/models/user", get(models::list))
        .route("/model/{author}/{slug}", get(models::one))
        .route("/models/{author}/{slug}/endpoints", get(models::endpoints))
        .route("/endpoints/zdr", get(models::zdr))
        .route("/providers", get(models::providers))
        .route("/embeddings/models", get(models::embeddings))
        .route("/embeddings", post(embeddings::embed))
        .route("/generation", get(generation::look_up))
        .route("/key", get(account::key))
        .route("/credits", get(account::credits))
        .route("/activity", get(account::activity))
        .route("/keys", get(keys::list).post(keys::create))
        .route(
            "/keys/{hash}",
            get(keys::one).patch(keys::update).delete(keys::delete),
        )
}

/// The routes beside `/api/v1`.
pub(crate) fn alpha_routes() -> Router<Arc<State>> {
    Router::new().route("/decisions", post(decisions::decide))
}

/// Whether anybody may ask for this.
pub(crate) fn is_public(path: &str) -> bool {
    let path = path.split('?').next().unwrap_or_default();
    let Some(path) = path.strip_prefix("/api/v1/") else {
        return false;
    };
    path != "models/user"
        && (path == "models"
            || path.starts_with("models/")
            || path.starts_with("model/")
            || matches!(path, "endpoints/zdr" | "providers" | "embeddings/models"))
}

/// Whether only a management key may do this.
pub(crate) fn is_management(path: &str) -> bool {
    let path = path.split('?').next().unwrap_or_default();
    let path = path.strip_prefix("/api/v1/").unwrap_or_default();
    matches!(path, "keys" | "activity") || path.starts_with("keys/")
}
