//! What the simulated account has, and what it did.

use std::collections::BTreeMap;

use axum::extract::Query;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};

use super::answer::Asked;
use crate::state::Generation;

/// What the account has to spend, in US dollars.
const CREDITS: f64 = 100.0;

pub(super) async fn key(asked: Asked) -> Response {
    let spent = asked.state.spent();
    let body = json!({"data": {
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
        "byok_usage_daily": 0.0,
        "byok_usage_weekly": 0.0,
        "byok_usage_monthly": 0.0,
        "is_free_tier": false,
        "is_management_key": false,
        "is_provisioning_key": false,
        "creator_user_id": null,
        "expires_at": null,
        "rate_limit": {"requests": -1, "interval": "10s", "note": "deprecated"},
        "free_model_daily_requests": {"used": 0, "limit": 1000, "remaining": 1000},
    }});
    asked.answer(body).await
}

pub(super) async fn credits(asked: Asked) -> Response {
    let body = json!({"data": {"total_credits": CREDITS, "total_usage": asked.state.spent()}});
    asked.answer(body).await
}

/// What activity is asked for; there is one user and one workspace.
#[derive(Debug, Deserialize)]
pub(super) struct ActivityQuery {
    date: Option<String>,
    group_by: Option<String>,
}

/// A row for each day, model and provider, by the simulator's clock.
pub(super) async fn activity(asked: Asked, Query(query): Query<ActivityQuery>) -> Response {
    let mut days: BTreeMap<(String, String, String), Vec<Generation>> = BTreeMap::new();
    for generation in asked.state.generations() {
        let day = generation.created_at().chars().take(10).collect();
        let group = (day, generation.model.clone(), generation.provider.clone());
        days.entry(group).or_default().push(generation);
    }
    let rows: Vec<Value> = days
        .iter()
        .filter(|((day, ..), _)| query.date.as_ref().is_none_or(|date| date == day))
        .map(|(group, generations)| row(group, generations, query.group_by.is_some()))
        .collect();
    asked.answer(json!({"data": rows})).await
}

fn row(
    (day, model, provider): &(String, String, String),
    generations: &[Generation],
    by_workspace: bool,
) -> Value {
    let sum = |key: &str| -> u64 {
        let counts = generations
            .iter()
            .filter_map(|each| each.usage.get(key)?.as_u64());
        counts.sum()
    };
    let cost = generations
        .iter()
        .filter_map(|each| each.usage.get("cost")?.as_f64());
    let mut row = json!({
        "date": day,
        "model": model,
        "model_permaslug": format!("{model}-20260101"),
        "endpoint_id": format!("endpoint-{}", provider.to_lowercase()),
        "provider_name": provider,
        "requests": generations.len(),
        "prompt_tokens": sum("prompt_tokens"),
        "completion_tokens": sum("completion_tokens"),
        "reasoning_tokens": 0,
        "usage": cost.sum::<f64>(),
        "byok_usage_inference": 0.0,
    });
    if by_workspace {
        crate::object::set(&mut row, "workspace_id", "workspace-sim");
    }
    row
}
