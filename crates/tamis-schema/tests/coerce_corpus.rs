//! The shared corpus of schema-guided coercions: each row is reached, or declined for a stated reason.
#![expect(
    clippy::panic,
    clippy::print_stderr,
    reason = "a test may fail loudly, and says what it skips"
)]

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;
use tamis_json::{Ending, Policy, choose};
use tamis_schema::{Validator, coerce};

#[derive(Debug, PartialEq)]
enum Outcome {
    Value(Value),
    Refused,
}

/// What the client would hand out: the document that conforms, else the one that is meant, coerced.
fn outcome(text: &str, schema: &Value) -> Outcome {
    let validator = Validator::new(schema).unwrap_or_else(|e| panic!("{e}: {schema}"));
    let policy = Policy::default().ending(Ending::Natural);
    let Ok(read) = choose(text, &policy, |value| validator.is_valid(value)) else {
        return Outcome::Refused;
    };
    if !read.complete {
        return Outcome::Refused;
    }
    match coerce(&read.value, schema) {
        Ok(coerced) => Outcome::Value(coerced.value),
        Err(_) => Outcome::Refused,
    }
}

fn rows() -> Option<Vec<Value>> {
    let folder = std::env::var_os("TAMIS_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    if !folder.exists() {
        eprintln!("skipped: no shared folder");
        return None;
    }
    let path = folder.join("cases/suites/baml_jsonish.jsonl");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{e}"));
    let row = |line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}"));
    Some(text.lines().map(row).collect())
}

/// The kinds of what is declined, as the documentation lists them.
fn documented() -> Vec<&'static str> {
    let text = include_str!("../src/coerce/mod.rs");
    let rows = text.lines().filter_map(|line| line.strip_prefix("/// | "));
    rows.filter_map(|row| row.split(" | ").next()).collect()
}

/// Why the row is declined; `None` if nothing explains it.
fn declined(row: &Value, text: &str) -> Option<&'static str> {
    if row["kind"] == "partial" {
        return Some("partial");
    }
    let expected = &row["expected"];
    if row["baml_schema"]
        .as_str()
        .is_some_and(|schema| schema.contains("@alias"))
    {
        return Some("alias");
    }
    let read = match choose(text, &Policy::default(), |_| false) {
        Ok(read) if !read.complete => return Some("cut"),
        Ok(read) => read.value,
        Err(error) if error.is_ambiguous() => return Some("several answers"),
        Err(error) if error.is_no_json() => return Some("no JSON"),
        Err(_) => return None,
    };
    if expected
        .as_str()
        .is_some_and(|all| all.trim() == text.trim())
    {
        return Some("raw text");
    }
    difference(&read, expected)
}

/// What would have to be done to get from the one to the other.
fn difference(read: &Value, expected: &Value) -> Option<&'static str> {
    match (read, expected) {
        (Value::Object(read), Value::Object(expected)) => {
            if read.keys().any(|key| !expected.contains_key(key)) {
                return Some("unknown key");
            }
            if expected.keys().any(|key| !read.contains_key(key)) {
                return Some("missing value");
            }
            read.iter()
                .find_map(|(key, one)| difference(one, &expected[key]))
        }
        (Value::Array(read), Value::Array(expected)) if read.len() == expected.len() => read
            .iter()
            .zip(expected)
            .find_map(|(one, other)| difference(one, other)),
        (Value::Array(_), _) => Some("one of several"),
        (Value::String(read), Value::String(expected)) => {
            let (read, expected) = (read.to_lowercase(), expected.to_lowercase());
            (read != expected && read.contains(&expected)).then_some("words around")
        }
        (Value::String(read), Value::Number(_)) if read.contains('/') => Some("arithmetic"),
        (Value::String(_), Value::Number(_)) => Some("number in words"),
        (read, Value::Null) if !read.is_null() => Some("null"),
        _ => None,
    }
}

#[test]
fn every_row_is_reached_or_declined_for_a_documented_reason() {
    let kinds = documented();
    assert!(kinds.contains(&"words around"), "{kinds:?}");
    let (mut reached, mut refused, mut counts) = (0, 0, BTreeMap::new());
    for row in rows().into_iter().flatten() {
        let (id, text) = (&row["id"], row["input"].as_str().unwrap_or_default());
        let got = outcome(text, &row["json_schema"]);
        match row["kind"].as_str() {
            Some("must_fail") => {
                assert_eq!(got, Outcome::Refused, "{id}");
                refused += 1;
            }
            // What the row checks is not in its JSON Schema.
            Some("score_only") => {}
            Some("complete") if got == Outcome::Value(row["expected"].clone()) => reached += 1,
            _ => {
                let Some(kind) = declined(&row, text) else {
                    panic!("nothing explains {id}");
                };
                assert!(kinds.contains(&kind), "{kind} is not documented: {id}");
                // What is declined gives nothing else instead. JSON that was to be taken as its own
                // text is read as JSON, and a part of an array as all that there is.
                if !matches!(kind, "raw text" | "partial") {
                    assert_eq!(got, Outcome::Refused, "{id}");
                }
                *counts.entry(kind).or_insert(0) += 1;
            }
        }
    }
    eprintln!("reached {reached}, rightly refused {refused}, declined {counts:?}");
}
