//! Numbers, and lists with a limit.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use super::values::{Checked, get, in_range, object, refuse, whole};

pub(super) fn check(request: &Map<String, Value>) -> Checked {
    const RANGES: [(&str, RangeInclusive<f64>); 7] = [
        ("temperature", 0.0..=2.0),
        ("top_p", 0.0..=1.0),
        ("top_a", 0.0..=1.0),
        ("min_p", 0.0..=1.0),
        ("frequency_penalty", -2.0..=2.0),
        ("presence_penalty", -2.0..=2.0),
        ("repetition_penalty", 0.0..=2.0),
    ];
    for (field, range) in RANGES {
        if let Some(value) = get(request, field) {
            in_range(field, value, &range)?;
        }
    }
    for (field, least) in [
        ("max_tokens", 1),
        ("max_completion_tokens", 1),
        ("top_k", 0),
    ] {
        if let Some(value) = get(request, field) {
            whole(field, value, least..=u64::MAX)?;
        }
    }
    if let Some(seed) = get(request, "seed")
        && !seed.is_i64()
        && !seed.is_u64()
    {
        return refuse("seed: not a whole number");
    }
    if let Some(biases) = get(request, "logit_bias") {
        for (token, bias) in object("logit_bias", biases)? {
            in_range(&format!("logit_bias[{token:?}]"), bias, &(-100.0..=100.0))?;
        }
    }
    check_logprobs(request)?;
    check_stop(request)
}

fn check_logprobs(request: &Map<String, Value>) -> Checked {
    let wanted = match get(request, "logprobs") {
        None => false,
        Some(Value::Bool(wanted)) => *wanted,
        Some(_) => return refuse("logprobs: neither true nor false"),
    };
    if let Some(count) = get(request, "top_logprobs") {
        whole("top_logprobs", count, 0..=20)?;
        if !wanted {
            return refuse("top_logprobs: needs logprobs to be true");
        }
    }
    Ok(())
}

fn check_stop(request: &Map<String, Value>) -> Checked {
    let is_text = |stop: &Value| stop.as_str().is_some_and(|stop| !stop.is_empty());
    match get(request, "stop") {
        Some(Value::Array(stops)) if stops.len() > 4 => {
            refuse(format!("stop: {} texts; at most 4", stops.len()))
        }
        Some(Value::Array(stops)) if !stops.iter().all(is_text) => {
            refuse("stop: an empty text, or no text")
        }
        None | Some(Value::String(_) | Value::Array(_)) => Ok(()),
        Some(_) => refuse("stop: neither a text nor a list of texts"),
    }
}
