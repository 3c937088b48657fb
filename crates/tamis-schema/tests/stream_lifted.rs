//! An answer that comes in the shape of a lowered schema is judged by the caller's own: never against
//! what the whole check says of it once it is lifted.

#![expect(
    clippy::unwrap_used,
    clippy::too_many_lines,
    clippy::indexing_slicing,
    reason = "tests fail by panicking; one arm for each kind of schema"
)]

#[path = "common/gen.rs"]
mod generate;

use generate::case;
use proptest::prelude::*;
use serde_json::{Value, json};
use tamis_schema::{Dialect, Lowering, StreamSchema, Validator, Violation, lower};

/// Another value in one place, or a member left out, or one too many.
fn change(value: &mut Value, way: &mut impl Iterator<Item = u32>) {
    let other = |way: u32| match way % 8 {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(-7.5),
        3 => json!("?"),
        4 => json!([]),
        5 => json!({}),
        6 => json!({"value": null}),
        _ => json!([{"key": "k", "value": "v"}]),
    };
    let (go, pick, with) = (
        way.next().unwrap_or(0),
        way.next().unwrap_or(0),
        way.next().unwrap_or(0),
    );
    let at = |length: usize| pick as usize % length.max(1);
    match value {
        Value::Object(map) if !map.is_empty() && go % 4 != 0 => {
            let key = map.keys().nth(at(map.len())).unwrap().clone();
            match go % 8 {
                1 => drop(map.remove(&key)),
                2 => drop(map.insert("odd".to_owned(), other(with))),
                _ => change(&mut map[&key], way),
            }
        }
        Value::Array(items) if !items.is_empty() && go % 4 != 0 => {
            let index = at(items.len());
            match go % 8 {
                1 => drop(items.remove(index)),
                2 => items.push(other(with)),
                _ => change(&mut items[index], way),
            }
        }
        value => *value = other(with),
    }
}

fn judged(stream: &StreamSchema, text: &str, cut: usize) -> Option<Violation> {
    let mut validator = stream.validator();
    for piece in text.as_bytes().chunks(cut) {
        validator.push(piece);
    }
    validator.finish().unwrap()
}

/// What is wrong with an answer for the caller: as it is lifted, or as it is where it cannot be.
fn wrong(own: &Validator, lift: &tamis_schema::Lift, answer: &Value) -> bool {
    let lifted = lift.lift(answer.clone());
    !own.is_valid(lifted.as_ref().map_or(answer, |lifted| &lifted.value))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(300), max_shrink_iters: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn it_is_sound((schema, values) in case(), ways in prop::collection::vec(any::<u32>(), 40), cut in 1_usize..9) {
        let own = Validator::new(&schema).unwrap();
        for dialect in Dialect::all() {
            let Ok(lowered) = Lowering::new(dialect).unroll(1).lower(&schema) else { continue };
            let stream = StreamSchema::new(&schema).unwrap().lifted_by(lowered.lift.clone());
            for value in &values {
                let Ok(mut answer) = lowered.lift.encode(value) else { continue };
                let mut ways = ways.iter().copied();
                for _ in 0..4 {
                    if let Some(violation) = judged(&stream, &answer.to_string(), cut) {
                        prop_assert!(
                            wrong(&own, &lowered.lift, &answer),
                            "{}: {:?}\nschema {}\nlowered {}\nanswer {}",
                            dialect, violation, schema, lowered.schema, answer
                        );
                    }
                    change(&mut answer, &mut ways);
                }
            }
        }
    }
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "kind": {"enum": ["cat", "dog"]},
            "nick": {"type": "string"},
            "age": {"type": "integer"},
            "scores": {"type": "object", "additionalProperties": {"type": "integer"}},
            "owner": {
                "type": "object",
                "properties": {"name": {"type": "string"}, "phone": {"type": "string"}},
                "required": ["name"],
                "additionalProperties": false,
            },
            "tags": {"type": "array", "items": {
                "type": "object",
                "properties": {"t": {"type": "string"}, "u": {"type": "string"}},
                "required": ["t"],
                "additionalProperties": false,
            }},
        },
        "required": ["kind", "age"],
        "additionalProperties": false,
    })
}

/// After how many bytes of the answer, and where in the caller's shape.
fn first(schema: &Value, answer: &str) -> Option<(usize, String, String)> {
    let lowered = lower(schema, Dialect::OPENAI_STRICT).unwrap();
    let stream = StreamSchema::new(schema).unwrap().lifted_by(lowered.lift);
    let mut validator = stream.validator();
    (0..answer.len()).find_map(|at| {
        let violation = validator.push(&answer.as_bytes()[at..=at])?;
        Some((
            at + 1,
            violation.instance.clone(),
            violation.keyword.clone(),
        ))
    })
}

#[test]
fn what_can_be_told_is_told_at_once() {
    let schema = schema();
    for (answer, told_at, instance, keyword) in [
        (r#"{"kind": "co"#, 12, "/kind", "enum"),
        (r#"{"nick": null, "kind": "co"#, 26, "/kind", "enum"),
        (r#"{"nick": true"#, 10, "/nick", "type"),
        (r#"{"odd":"#, 6, "", "additionalProperties"),
        (
            r#"{"owner": {"phone": null, "name": t"#,
            35,
            "/owner/name",
            "type",
        ),
        (r#"{"owner": {"phone": null}"#, 25, "/owner", "required"),
        (
            r#"{"tags": [{"t": "a", "u": null}, {"t": f"#,
            40,
            "/tags/1/t",
            "type",
        ),
        (
            r#"{"scores": [{"key": "a", "value": 1}], "age": ""#,
            47,
            "/age",
            "type",
        ),
    ] {
        let expected = (told_at, instance.to_owned(), keyword.to_owned());
        assert_eq!(first(&schema, answer), Some(expected), "{answer}");
    }
}

#[test]
fn what_the_lift_mends_is_no_violation() {
    let schema = schema();
    for answer in [
        r#"{"kind": "cat", "nick": null, "age": 1, "scores": null, "owner": null, "tags": null}"#,
        r#"{"kind": "cat", "nick": "x", "age": 1, "scores": [{"key": "a", "value": 1}], "owner": {"name": "n", "phone": null}, "tags": [{"t": "a", "u": null}]}"#,
        r#"{"kind": "cat", "age": 1, "scores": {"a": 1}}"#,
    ] {
        assert_eq!(first(&schema, answer), None, "{answer}");
    }
}

#[test]
fn a_wrapper_is_looked_through() {
    let schema = json!({"type": "array", "items": {"type": "integer"}, "maxItems": 2});
    let told =
        |at, instance: &str, keyword: &str| Some((at, instance.to_owned(), keyword.to_owned()));
    assert_eq!(first(&schema, r#"{"value": [1, 2]}"#), None);
    assert_eq!(first(&schema, r#"{"value": [1, ""#), told(15, "/1", "type"));
    assert_eq!(
        first(&schema, r#"{"value": [1, 2, 3"#),
        told(18, "", "maxItems")
    );
    // It may be the caller's own shape.
    assert_eq!(first(&schema, "[1, true"), told(5, "/1", "type"));
}

/// What is not seen of an object must not be taken for seen: neither a branch that its lifted value
/// breaks, nor a null that is said by leaving it out.
#[test]
fn what_only_the_lifted_value_shows_is_left_to_it() {
    let text = json!({"type": "string"});
    let few = json!({
        "type": "object",
        "properties": {"k": text, "n": text},
        "required": ["k"],
        "additionalProperties": false,
        "not": {"minProperties": 2},
    });
    // More unions than the dialect takes.
    let names: Vec<String> = (0..20).map(|n| format!("p{n}")).collect();
    let properties: Value = names
        .iter()
        .map(|name| (name.clone(), json!({"type": ["string", "null"]})))
        .collect();
    let nullable = json!({
        "type": "object",
        "properties": properties,
        "required": names,
        "additionalProperties": false,
    });
    let present = lower(&nullable, Dialect::ANTHROPIC).unwrap().schema["required"]
        .as_array()
        .unwrap()
        .iter()
        .map(|name| (name.as_str().unwrap().to_owned(), json!("x")))
        .collect::<Value>()
        .to_string();
    for (schema, dialect, answer) in [
        (few, Dialect::OPENAI_STRICT, r#"{"k": "a", "n": null}"#),
        (nullable, Dialect::ANTHROPIC, &present),
    ] {
        let lowered = lower(&schema, dialect).unwrap();
        assert!(!lowered.lift.is_identity(), "{}", lowered.schema);
        let own = Validator::new(&schema).unwrap();
        assert!(!wrong(
            &own,
            &lowered.lift,
            &serde_json::from_str(answer).unwrap()
        ));
        let stream = StreamSchema::new(&schema).unwrap().lifted_by(lowered.lift);
        assert_eq!(judged(&stream, answer, 1), None, "{dialect}");
    }
}
