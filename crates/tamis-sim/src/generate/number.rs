//! Numbers.

use serde_json::{Map, Value, json};

use crate::rng::Rng;

/// Where nothing else is said, numbers stay readable.
const COMFORTABLE: i64 = 100;

pub(super) fn integer(schema: &Map<String, Value>, rng: &mut Rng) -> Value {
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    let low = [
        bound("minimum").map(|min| to_int(min.ceil())),
        bound("exclusiveMinimum").map(|min| to_int(min.floor()).saturating_add(1)),
    ];
    let high = [
        bound("maximum").map(|max| to_int(max.floor())),
        bound("exclusiveMaximum").map(|max| to_int(max.ceil()).saturating_sub(1)),
    ];
    let low = low.into_iter().flatten().max();
    let high = high.into_iter().flatten().min();
    let (low, high) = range(low, high);
    let step = bound("multipleOf")
        .map_or(1, |step| to_int(step.ceil()))
        .max(1);
    let first = next_multiple(low, step).unwrap_or(low);
    let steps = high
        .saturating_sub(first)
        .checked_div(step)
        .unwrap_or(0)
        .max(0);
    let taken = rng.below(usize::try_from(steps.saturating_add(1)).unwrap_or(usize::MAX));
    let taken = i64::try_from(taken).unwrap_or(0);
    json!(first.saturating_add(taken.saturating_mul(step)))
}

/// The least multiple of a positive `step` that is not below the number.
fn next_multiple(number: i64, step: i64) -> Option<i64> {
    match number.checked_rem_euclid(step)? {
        0 => Some(number),
        over => number.checked_add(step.checked_sub(over)?),
    }
}

pub(super) fn number(schema: &Map<String, Value>, rng: &mut Rng) -> Value {
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    if let Some(step) = bound("multipleOf").filter(|step| *step > 0.0) {
        return multiple(schema, step, rng);
    }
    let larger = |a: Option<f64>, b: Option<f64>| a.into_iter().chain(b).reduce(f64::max);
    let smaller = |a: Option<f64>, b: Option<f64>| a.into_iter().chain(b).reduce(f64::min);
    let low = larger(bound("minimum"), bound("exclusiveMinimum"));
    let high = smaller(bound("maximum"), bound("exclusiveMaximum"));
    let (low, high) = match (low, high) {
        (Some(low), Some(high)) => (low, high),
        (Some(low), None) => (low, low + 100.0),
        (None, Some(high)) => (high - 100.0, high),
        (None, None) => (0.0, 100.0),
    };
    // Between a quarter and three quarters: inside of exclusive bounds, and with room to round.
    let exact = low + (high - low) * (0.25 + rng.fraction() / 2.0);
    let rounded = (exact * 100.0).round() / 100.0;
    let inside = low < rounded && rounded < high;
    // A whole number would be an integer too, and then conform to two branches of a `oneOf`.
    let telling = if inside && rounded.fract() != 0.0 {
        rounded
    } else {
        exact
    };
    json!(telling)
}

/// A multiple of a step such as 0.01, spelt as a person would.
fn multiple(schema: &Map<String, Value>, step: f64, rng: &mut Rng) -> Value {
    let mut scaled = Map::new();
    for key in ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"] {
        if let Some(bound) = schema.get(key).and_then(Value::as_f64) {
            let steps = bound / step;
            // Division leaves dust: 0.3 / 0.1 is not quite 3.
            let near = (steps - steps.round()).abs() < 1e-9;
            let steps = if near { steps.round() } else { steps };
            scaled.insert(key.to_owned(), json!(steps));
        }
    }
    let count = integer(&scaled, rng);
    let text = step.to_string();
    let decimals = text.split_once('.').map_or(0, |(_, after)| after.len());
    let product = count.as_f64().unwrap_or(0.0) * step;
    let spelt = format!("{product:.decimals$}");
    if decimals == 0 {
        return spelt
            .parse::<i64>()
            .map_or_else(|_| json!(product), |whole| json!(whole));
    }
    spelt
        .parse::<f64>()
        .map_or_else(|_| json!(product), |number| json!(number))
}

/// A range of a comfortable size that honours the bounds there are.
fn range(low: Option<i64>, high: Option<i64>) -> (i64, i64) {
    match (low, high) {
        (Some(low), Some(high)) => (low, high),
        (Some(low), None) => (low, low.saturating_add(COMFORTABLE)),
        (None, Some(high)) => (high.saturating_sub(COMFORTABLE), high),
        (None, None) => (0, COMFORTABLE),
    }
}

/// The nearest 64-bit integer of a whole float.
fn to_int(float: f64) -> i64 {
    if float >= 9.2e18 {
        i64::MAX
    } else if float <= -9.2e18 {
        i64::MIN
    } else {
        format!("{float:.0}").parse().unwrap_or(0)
    }
}
