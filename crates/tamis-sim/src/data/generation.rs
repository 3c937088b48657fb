//! Looking a generation up.

use axum::extract::Query;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::answer::Asked;
use crate::error_body::ErrorBody;
use crate::object::set;
use crate::state::Generation;

#[derive(Debug, Deserialize)]
pub(super) struct GenerationQuery {
    #[serde(default)]
    id: String,
}

pub(super) async fn look_up(asked: Asked, Query(query): Query<GenerationQuery>) -> Response {
    match asked.state.look_up(&query.id) {
        Some(generation) => asked.answer(json!({"data": record(&generation)})).await,
        None => ErrorBody::new(404, &format!("Generation {} not found", query.id)).into_response(),
    }
}

/// Keys that are there and say nothing.
const SILENT: &[&str] = &[
    "request_id",
    "upstream_id",
    "router",
    "preset_id",
    "moderation_latency",
    "native_tokens_completion_images",
    "num_media_prompt",
    "num_media_completion",
    "num_input_audio_prompt",
    "num_search_results",
    "num_fetches",
    "upstream_inference_cost",
    "cache_discount",
    "service_tier",
    "session_id",
    "app_id",
    "http_referer",
    "user_agent",
    "external_user",
    "web_search_engine",
    "response_cache_source_id",
];

fn record(generation: &Generation) -> Value {
    let usage = |key: &str| generation.usage.get(key).cloned().unwrap_or_default();
    let mut record = json!({
        "id": generation.id,
        "model": generation.model,
        "provider_name": generation.provider,
        "api_type": generation.api_type,
        "created_at": generation.created_at(),
        "streamed": generation.streamed,
        "cancelled": false,
        "finish_reason": generation.finish,
        "native_finish_reason": generation.finish,
        "latency": 1,
        "generation_time": 1,
        "tokens_prompt": usage("prompt_tokens"),
        "tokens_completion": usage("completion_tokens"),
        "native_tokens_prompt": usage("prompt_tokens"),
        "native_tokens_completion": usage("completion_tokens"),
        "native_tokens_reasoning": 0,
        "native_tokens_cached": 0,
        "total_cost": usage("cost"),
        "usage": usage("cost"),
        "is_byok": false,
        "data_region": "global",
        "workspace_id": "workspace-sim",
        "origin": "",
        "provider_responses": [{
            "status": 200,
            "provider_name": generation.provider,
            "endpoint_id": format!("endpoint-{}", generation.provider.to_lowercase()),
            "id": null,
            "model_permaslug": format!("{}-20260101", generation.model),
            "latency": 1,
            "is_byok": false,
        }],
    });
    for key in SILENT {
        set(&mut record, key, Value::Null);
    }
    record
}
