//! What one scalar can be taken for, whatever the schema says of it in the end.

use serde_json::Value;
use tamis_json::{Limits, Policy, repair};

use super::record::{Coercion, CoercionKind, JsonKind};

/// A value and the coercions that lead to it.
pub(super) type Move = (Value, Vec<Coercion>);

/// Every scalar that this one can be taken for, with the texts that the schema names.
pub(super) fn scalars<'m>(value: &Value, members: impl Iterator<Item = &'m String>) -> Vec<Move> {
    match value {
        Value::String(text) => texts(text, members),
        // A float's own spelling is gone: a version 3.10 would become "3.1".
        Value::Number(number) if number.is_i64() || number.is_u64() => {
            let text = Value::String(number.to_string());
            vec![one(CoercionKind::NumberToText, value, text)]
        }
        _ => Vec::new(),
    }
}

fn texts<'m>(text: &str, members: impl Iterator<Item = &'m String>) -> Vec<Move> {
    let trimmed = text.trim();
    let before = Value::String(trimmed.to_owned());
    let mut moves = Vec::new();
    if let Some(number) = number(trimmed) {
        moves.push(one(CoercionKind::TextToNumber, &before, number));
    }
    for truth in [true, false] {
        if trimmed.eq_ignore_ascii_case(if truth { "true" } else { "false" }) {
            let truth = Value::Bool(truth);
            moves.push(one(CoercionKind::TextToBoolean, &before, truth));
        }
    }
    let folded = trimmed.to_lowercase();
    for member in members {
        if member != trimmed && member.to_lowercase() == folded {
            let member = Value::String(member.clone());
            moves.push(one(CoercionKind::Case, &before, member));
        }
    }
    if trimmed.len() < text.len() {
        let space = Coercion::new(CoercionKind::WhiteSpace, JsonKind::String, JsonKind::String);
        for (_, coercions) in &mut moves {
            coercions.insert(0, space.clone());
        }
        moves.push((before, vec![space]));
    }
    moves
}

fn one(kind: CoercionKind, from: &Value, to: Value) -> Move {
    let coercion = Coercion::new(kind, from.into(), (&to).into());
    (to, vec![coercion])
}

/// The JSON number that a text is, if one holds it exactly.
fn number(text: &str) -> Option<Value> {
    let first = text.bytes().next()?;
    if !first.is_ascii_digit() && first != b'-' {
        return None;
    }
    exactly(text, 0).filter(Value::is_number)
}

/// The object or array that a text is, if a value holds it exactly.
pub(super) fn container(text: &str, depth: usize) -> Option<Value> {
    if !text.trim_start().starts_with(['{', '[']) {
        return None;
    }
    exactly(text, depth).filter(|value| value.is_object() || value.is_array())
}

/// Nothing is mended in the text, and nothing in it may be what a value cannot show: digits beyond
/// a number's reach, a key that came twice.
fn exactly(text: &str, depth: usize) -> Option<Value> {
    let policy = Policy::none().limits(Limits::default().depth(depth));
    let read = repair(text, &policy).ok()?;
    (read.complete && read.is_as_sent() && read.notes.is_empty()).then_some(read.value)
}

/// Whether a text is a list rather than a single value.
pub(super) fn is_list(text: &str) -> bool {
    let text = text.trim();
    text.starts_with('[') && text.ends_with(']')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_are_exact_or_none() {
        for (text, expected) in [
            ("5", Some(json!(5))),
            ("-0.5e3", Some(json!(-500.0))),
            ("5.0", Some(json!(5.0))),
            ("18446744073709551615", Some(json!(u64::MAX))),
            ("18446744073709551617", None),
            ("0.12345678901234567890123", None),
            ("1e400", None),
            ("05", None),
            ("+5", None),
            ("1,000", None),
            ("1_000", None),
            ("1/5", None),
            ("5%", None),
            ("0x10", None),
            ("NaN", None),
            ("", None),
            ("-", None),
        ] {
            assert_eq!(number(text), expected, "{text}");
        }
    }

    #[test]
    fn containers_are_exact_or_none() {
        for (text, expected) in [
            (r#" {"a": [1]} "#, Some(json!({"a": [1]}))),
            ("[]", Some(json!([]))),
            ("[1,]", None),
            (r#"{"a": 1, "a": 2}"#, None),
            ("[18446744073709551617]", None),
            ("[[[[]]]]", None),
            ("5", None),
            ("x [1]", None),
        ] {
            assert_eq!(container(text, 3), expected, "{text}");
        }
    }
}
