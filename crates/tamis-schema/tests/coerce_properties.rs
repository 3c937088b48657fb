//! What holds for every value and schema, and the cheapest coercions against all there are.
#![expect(clippy::indexing_slicing, reason = "a test may fail loudly")]

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tamis_schema::{CoercionKind, Validator, coerce};

/// Closed and typed schemas over the keys `a` and `b`.
fn schemas() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({"type": "integer"})),
        Just(json!({"type": "string"})),
        Just(json!({"type": "boolean"})),
        Just(json!({"type": "null"})),
        Just(json!({"enum": ["RED", "Red", "blue"]})),
        Just(json!({"const": "X"})),
        Just(json!({"type": ["integer", "null"]})),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|items| json!({"type": "array", "items": items})),
            (inner.clone(), inner.clone(), any::<bool>()).prop_map(|(a, b, required)| {
                let required = if required { json!(["a", "b"]) } else { json!([]) };
                json!({"type": "object", "properties": {"a": a, "b": b},
                    "required": required, "additionalProperties": false})
            }),
            prop::collection::vec(inner.clone(), 1..4).prop_map(|any| json!({"anyOf": any})),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| json!({"allOf": [{"anyOf": [a, b]}]})),
            inner.prop_map(|to| json!({"$ref": "#/$defs/to", "$defs": {"to": to}, "type": ["object", "array", "string", "integer", "boolean", "null"]})),
        ]
    })
    // References are from the root, so they may be nowhere else.
    .prop_filter("references below the root", |schema| {
        schema.to_string().matches("$ref").count() == usize::from(schema.get("$ref").is_some())
    })
}

/// Values near those schemas: objects have one key that no schema knows, or both that some do.
fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        Just(json!(true)),
        Just(json!(7)),
        Just(json!(1.5)),
        Just(json!("7")),
        Just(json!(" 7")),
        Just(json!("true")),
        Just(json!("red")),
        Just(json!("BLUE ")),
        Just(json!("x")),
        Just(json!("text")),
        Just(json!("[\"7\"]")),
        Just(json!("{\"w\": \"x\"}")),
    ];
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::Array),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| json!({"a": a, "b": b})),
            inner.clone().prop_map(|w| json!({"w": w})),
            inner.prop_map(|value| Value::String(value.to_string())),
        ]
    })
}

/// Values that come near one schema.
fn near(schema: &Value) -> BoxedStrategy<Value> {
    let schema = schema.pointer("/$defs/to").unwrap_or(schema).clone();
    let any = |values: &[Value]| prop::sample::select(values.to_vec()).boxed();
    let plain = if let Some(branches) = schema.get("anyOf").or(schema.pointer("/allOf/0/anyOf")) {
        let branches = branches.as_array().into_iter().flatten().map(near);
        prop::strategy::Union::new(branches).boxed()
    } else if schema.get("enum").is_some() {
        any(&[json!("RED"), json!("red"), json!("BLUE"), json!(" blue")])
    } else if schema.get("const").is_some() {
        any(&[json!("X"), json!("x")])
    } else {
        match schema["type"].as_str() {
            Some("integer") | None => any(&[json!(7), json!("7"), json!(" 7")]),
            Some("string") => any(&[json!("text"), json!(7), json!("7")]),
            Some("boolean") => any(&[json!(true), json!("true")]),
            Some("array") => {
                let item = near(&schema["items"]);
                let items = prop::collection::vec(item.clone(), 0..3).prop_map(Value::Array);
                prop_oneof![2 => items, 1 => item].boxed()
            }
            Some("object") => (
                near(&schema["properties"]["a"]),
                near(&schema["properties"]["b"]),
            )
                .prop_map(|(a, b)| json!({"a": a, "b": b}))
                .boxed(),
            _ => any(&[json!(null)]),
        }
    };
    (plain, 0..16)
        .prop_map(|(value, around)| match around {
            0 => json!({"w": value}),
            1 if value.is_object() || value.is_array() => Value::String(value.to_string()),
            _ => value,
        })
        .boxed()
}

fn pairs() -> impl Strategy<Value = (Value, Value)> {
    schemas().prop_flat_map(|schema| {
        let value = prop_oneof![4 => near(&schema), 1 => values()];
        (Just(schema), value)
    })
}

/// Every text that a schema names.
fn members(schema: &Value, found: &mut BTreeSet<String>) {
    match schema {
        Value::Object(keywords) => {
            for (keyword, value) in keywords {
                match (keyword.as_str(), value) {
                    ("const", Value::String(text)) => {
                        found.insert(text.clone());
                    }
                    ("enum", Value::Array(texts)) => {
                        found.extend(texts.iter().filter_map(Value::as_str).map(str::to_owned));
                    }
                    _ => members(value, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| members(item, found)),
        _ => {}
    }
}

/// Everything that one coercion makes of a value, anywhere in it.
fn steps(value: &Value, members: &BTreeSet<String>) -> Vec<(CoercionKind, Value)> {
    let mut all = Vec::new();
    match value {
        Value::String(text) => {
            if let Ok(read) = serde_json::from_str::<Value>(text) {
                if read.is_number() && text.trim() == text {
                    all.push((CoercionKind::TextToNumber, read));
                } else if read.is_object() || read.is_array() {
                    all.push((CoercionKind::Stringified, read));
                }
            }
            match text.to_lowercase().as_str() {
                "true" => all.push((CoercionKind::TextToBoolean, json!(true))),
                "false" => all.push((CoercionKind::TextToBoolean, json!(false))),
                _ => {}
            }
            for member in members {
                if member != text && member.to_lowercase() == text.to_lowercase() {
                    all.push((CoercionKind::Case, json!(member)));
                }
            }
            if text.trim() != text {
                all.push((CoercionKind::WhiteSpace, json!(text.trim())));
            }
        }
        Value::Number(number) if number.is_i64() => {
            all.push((CoercionKind::NumberToText, json!(number.to_string())));
        }
        Value::Object(members) => {
            if let (1, Some(inner)) = (members.len(), members.get("w")) {
                all.push((CoercionKind::Wrapper, inner.clone()));
            }
        }
        _ => {}
    }
    let list = value
        .as_str()
        .is_some_and(|text| text.trim().starts_with('['));
    if !value.is_array() && !value.is_null() && !list {
        all.push((CoercionKind::SingleToArray, json!([value])));
    }
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                for (kind, new) in steps(item, members) {
                    let replaced = |(at, old)| if at == index { &new } else { old };
                    let items = items.iter().enumerate().map(replaced);
                    all.push((kind, items.cloned().collect()));
                }
            }
        }
        Value::Object(whole) => {
            for (key, member) in whole {
                for (kind, new) in steps(member, members) {
                    let mut whole: Map<String, Value> = whole.clone();
                    whole.insert(key.clone(), new);
                    all.push((kind, Value::Object(whole)));
                }
            }
        }
        _ => {}
    }
    all
}

/// The cost up to which all coercions are tried, and the values that are.
const DEAREST: u32 = 11;
const MOST: usize = 4000;

/// The least cost and every value that conforms at it; none when nothing within reach conforms. `None`
/// when there are too many to try.
fn all_cheapest(
    value: &Value,
    schema: &Value,
    validator: &Validator,
) -> Option<(u32, BTreeSet<String>)> {
    let mut named = BTreeSet::new();
    members(schema, &mut named);
    let mut costs = BTreeMap::from([(value.to_string(), 0)]);
    let mut open = BTreeMap::from([(0_u32, vec![value.clone()])]);
    while let Some((cost, level)) = open.pop_first() {
        let level: Vec<Value> = level
            .into_iter()
            .filter(|value| costs.get(&value.to_string()) == Some(&cost))
            .collect();
        let conforming: BTreeSet<String> = level
            .iter()
            .filter(|value| validator.is_valid(value))
            .map(Value::to_string)
            .collect();
        if !conforming.is_empty() {
            return Some((cost, conforming));
        }
        for value in level {
            for (kind, new) in steps(&value, &named) {
                let then = cost + kind.cost();
                let text = new.to_string();
                if then <= DEAREST && costs.get(&text).is_none_or(|known| *known > then) {
                    costs.insert(text, then);
                    open.entry(then).or_default().push(new);
                }
            }
        }
        if costs.len() > MOST {
            return None;
        }
    }
    Some((DEAREST + 1, BTreeSet::new()))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, max_global_rejects: 100_000, ..ProptestConfig::with_cases(1500) })]

    #[test]
    fn what_comes_out_conforms_and_stays((schema, value) in pairs()) {
        let validator = Validator::new(&schema).unwrap();
        match coerce(&value, &schema) {
            Ok(coerced) => {
                prop_assert!(validator.is_valid(&coerced.value));
                prop_assert_eq!(coerced.coercions.is_empty(), coerced.value == value);
                let again = coerce(&coerced.value, &schema).unwrap();
                prop_assert_eq!(&again.value, &coerced.value);
                prop_assert!(again.coercions.is_empty());
                for one in &coerced.coercions {
                    prop_assert!(one.pointer.resolve(&coerced.value).is_some(), "{:?}", coerced);
                }
            }
            Err(error) => {
                prop_assert!(!validator.is_valid(&value));
                prop_assert!(error.is_impossible() || error.is_ambiguous(), "{:?}", error);
            }
        }
    }

    #[test]
    fn it_is_the_cheapest_of_all((schema, value) in pairs()) {
        let validator = Validator::new(&schema).unwrap();
        let Some(all) = all_cheapest(&value, &schema, &validator) else {
            return Err(TestCaseError::reject("too many"));
        };
        let got = coerce(&value, &schema);
        let cost = |coerced: &tamis_schema::Coerced| -> u32 {
            coerced.coercions.iter().map(|one| one.kind.cost()).sum()
        };
        match (all, got) {
            ((_, cheapest), Ok(coerced)) if cheapest.is_empty() => {
                prop_assert!(cost(&coerced) > DEAREST, "{:?}", coerced);
            }
            // What is dearer than all that were tried may be ambiguous.
            ((_, cheapest), Err(error)) if cheapest.is_empty() => prop_assert!(!error.is_limit()),
            ((least, cheapest), Ok(coerced)) => {
                prop_assert_eq!(cost(&coerced), least);
                let only: BTreeSet<String> = std::iter::once(coerced.value.to_string()).collect();
                prop_assert_eq!(only, cheapest);
            }
            ((_, cheapest), Err(error)) => {
                prop_assert!(error.is_ambiguous() && cheapest.len() > 1, "{} {:?}", error, cheapest);
            }
        }
    }
}
