//! Strings.

use serde_json::{Map, Value};

use super::{format, pattern, schema};
use crate::rng::Rng;

/// Longer strings than this are not made, whatever a schema demands.
const LONGEST: usize = 64 * 1024;

/// Some of these have characters longer than a byte, so that every consumer meets them.
const WORDS: &[&str] = &[
    "gravel",
    "façade",
    "sieve",
    "chalk",
    "pebble",
    "Mühle",
    "quarry",
    "flint",
    "grès",
    "sand",
    "slate",
    "crème",
    "marl",
    "basalt",
    "ストーン",
    "clay",
    "tuff",
    "loam",
    "naïve",
    "ridge",
];

pub(super) fn string(schema: &Map<String, Value>, rng: &mut Rng) -> String {
    let least = schema::count(schema, "minLength", LONGEST).unwrap_or(0);
    let most = schema::count(schema, "maxLength", LONGEST).unwrap_or(LONGEST);
    let keyword = |key: &str| schema.get(key).and_then(Value::as_str);
    let fits = |text: &String| (least..=most).contains(&text.chars().count());
    if let Some(pattern) = keyword("pattern") {
        let mut text = None;
        for _ in 0..64 {
            text = pattern::matching(pattern, rng);
            if text.as_ref().is_none_or(fits) {
                break;
            }
        }
        if let Some(text) = text {
            return pattern::lengthen(pattern, text, least, most);
        }
    }
    if let Some(text) = keyword("format").and_then(|name| format::format(name, rng)) {
        return text;
    }
    words(least, most, rng)
}

/// A few words, of a length within the bounds.
fn words(least: usize, most: usize, rng: &mut Rng) -> String {
    let count = rng.between(1, 3);
    let mut text = String::new();
    let mut length = 0_usize;
    let mut number = 0;
    while number < count || length < least {
        if number > 0 {
            text.push(' ');
        }
        let word = rng.pick(WORDS).copied().unwrap_or_default();
        text.push_str(word);
        length = length.saturating_add(word.chars().count().saturating_add(1));
        number = usize::saturating_add(number, 1);
    }
    let mut cut: String = text.chars().take(most).collect();
    // The separators were counted generously; make up for it.
    while cut.chars().count() < least {
        cut.push('.');
    }
    cut
}
