//! Plugins.

use serde_json::{Map, Value};

use super::values::{
    Checked, Kind, check_all, get, in_range, join, list, needs_text, object, price, refuse, texts,
    whole,
};

/// Fields that mean the same in every plugin that has them.
const FIELDS: &[(&str, Kind)] = &[
    ("enabled", Kind::Truth),
    ("engine", Kind::Text),
    ("max_results", Kind::Whole(1)),
    ("search_prompt", Kind::Text),
    ("include_domains", Kind::Texts),
    ("exclude_domains", Kind::Texts),
    ("allowed_domains", Kind::Texts),
    ("blocked_domains", Kind::Texts),
    ("max_uses", Kind::Whole(1)),
    ("max_content_tokens", Kind::Whole(1)),
    ("mode", Kind::Text),
    ("pdf", Kind::Object),
    ("cost_tier", Kind::Text),
    ("pin_model", Kind::Truth),
    ("price_source", Kind::Text),
    ("preset", Kind::Text),
    ("model", Kind::Text),
];

pub(super) fn check(request: &Map<String, Value>) -> Checked {
    let Some(plugins) = get(request, "plugins") else {
        return Ok(());
    };
    for (place, plugin) in list("plugins", plugins)?.iter().enumerate() {
        let path = format!("plugins[{place}]");
        let plugin = object(&path, plugin)?;
        needs_text(&path, plugin, "id")?;
        check_all(&path, plugin, FIELDS)?;
        match get(plugin, "id").and_then(Value::as_str) {
            Some("auto-router" | "auto-beta-router") => check_router(&path, plugin)?,
            Some("pareto-router") => check_pareto(&path, plugin)?,
            Some("fusion") => check_fusion(&path, plugin)?,
            _ => {}
        }
    }
    Ok(())
}

fn check_router(path: &str, plugin: &Map<String, Value>) -> Checked {
    for name in ["allowed_models", "excluded_models"] {
        let Some(patterns) = get(plugin, name) else {
            continue;
        };
        let path = join(path, name);
        let patterns = texts(&path, patterns)?;
        let lengths = || {
            let texts = patterns.iter().filter_map(Value::as_str);
            texts.map(|text| text.chars().count())
        };
        if patterns.len() > 1024 {
            return refuse(format!("{path}: {} patterns; at most 1024", patterns.len()));
        }
        if lengths().any(|length| length > 1024) {
            return refuse(format!("{path}: a pattern of more than 1024 characters"));
        }
        let all: usize = lengths().sum();
        if all > 65_536 {
            return refuse(format!("{path}: {all} characters in all; at most 65536"));
        }
    }
    match get(plugin, "cost_quality_tradeoff") {
        Some(tradeoff) => in_range(
            &join(path, "cost_quality_tradeoff"),
            tradeoff,
            &(0.0..=10.0),
        ),
        None => Ok(()),
    }
}

fn check_pareto(path: &str, plugin: &Map<String, Value>) -> Checked {
    if let Some(score) = get(plugin, "min_coding_score") {
        in_range(&join(path, "min_coding_score"), score, &(0.0..=1.0))?;
    }
    match get(plugin, "max_price") {
        Some(most) => price(&join(path, "max_price"), most),
        None => Ok(()),
    }
}

fn check_fusion(path: &str, plugin: &Map<String, Value>) -> Checked {
    if let Some(models) = get(plugin, "analysis_models") {
        let path = join(path, "analysis_models");
        let count = texts(&path, models)?.len();
        if !(1..=8).contains(&count) {
            return refuse(format!("{path}: {count} models; from 1 to 8"));
        }
    }
    if let Some(calls) = get(plugin, "max_tool_calls") {
        whole(&join(path, "max_tool_calls"), calls, 1..=16)?;
    }
    if let Some(tools) = get(plugin, "tools") {
        let path = join(path, "tools");
        let count = list(&path, tools)?.len();
        if count > 8 {
            return refuse(format!("{path}: {count} tools; at most 8"));
        }
    }
    Ok(())
}
