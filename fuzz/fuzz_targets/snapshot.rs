#![no_main]
//! Valid JSON only: what is not, is made so by the repairer.

use jiter::{JsonValue, PartialMode};
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use tamis_json::{Parser, Partial, Policy, repair};

fn from_jiter(value: &JsonValue<'_>) -> Value {
    match value {
        JsonValue::Null => Value::Null,
        JsonValue::Bool(b) => json!(b),
        JsonValue::Int(n) => json!(n),
        JsonValue::Float(n) => json!(n),
        JsonValue::Str(text) => json!(text),
        JsonValue::Array(items) => items.iter().map(from_jiter).collect(),
        JsonValue::Object(members) => {
            members.iter().map(|(key, value)| (key.to_string(), from_jiter(value))).collect()
        }
    }
}

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((k, a), (l, b))| k == l && same(a, b))
        }
        _ => a == b,
    }
}

fuzz_target!(|text: &str| {
    let Ok(repaired) = repair(text, &Policy::default()) else { return };
    let text = repaired.value.to_string();
    if text.len() > 300 || text.bytes().filter(u8::is_ascii_digit).count() > 18 {
        return;
    }
    let mut parser = Parser::new();
    for (end, byte) in text.bytes().enumerate() {
        parser.push(&[byte]).expect("JSON");
        let prefix = text.as_bytes().get(..=end).unwrap_or_default();
        for (ours, theirs) in [
            (Partial::TrailingStrings, PartialMode::TrailingStrings),
            (Partial::Values, PartialMode::On),
        ] {
            let theirs = JsonValue::parse_with_config(prefix, true, theirs).ok();
            match (parser.snapshot(ours), theirs.as_ref().map(from_jiter)) {
                (None, None) => {}
                (Some(a), Some(b)) => assert!(same(a, &b), "{a} {b}"),
                (a, b) => panic!("{a:?} {b:?}"),
            }
        }
    }
});
