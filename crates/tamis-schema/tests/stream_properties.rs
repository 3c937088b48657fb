//! A stream's verdict never contradicts the whole one.

use proptest::prelude::*;
use serde_json::{Value, json};
use tamis_schema::{StreamSchema, Validator};

const NAMES: [&str; 4] = ["a", "b", "ab", "c"];

fn name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&NAMES[..])
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3i64..4).prop_map(Value::from),
        prop::sample::select(vec![0.5, 1.0, 2.0, 1.5]).prop_map(Value::from),
        "[abé]{0,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(name(), inner, 0..4).prop_map(|map| map
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect()),
        ]
    })
}

/// One keyword, with what it says.
fn keyword(inner: &BoxedStrategy<Value>) -> BoxedStrategy<(&'static str, Value)> {
    let list = prop::collection::vec(inner.clone(), 1..3)
        .prop_map(Value::from)
        .boxed();
    let map = prop::collection::btree_map(name(), inner.clone(), 1..3)
        .prop_map(|map| {
            map.into_iter()
                .map(|(name, schema)| (name.to_owned(), schema))
                .collect::<Value>()
        })
        .boxed();
    let small = (0u64..3).prop_map(Value::from).boxed();
    let number = (-2i64..3).prop_map(Value::from).boxed();
    let names = prop::sample::subsequence(NAMES.to_vec(), 0..3)
        .prop_map(|names| json!(names))
        .boxed();
    let types = prop::sample::subsequence(
        vec![
            "null", "boolean", "integer", "number", "string", "array", "object",
        ],
        1..3,
    )
    .prop_map(|types| json!(types))
    .boxed();
    let one = |keyword: &'static str, strategy: &BoxedStrategy<Value>| {
        strategy
            .clone()
            .prop_map(move |value| (keyword, value))
            .boxed()
    };
    prop_oneof![
        4 => one("type", &types),
        2 => prop::collection::vec(value(), 1..4).prop_map(|values| ("enum", Value::from(values))).boxed(),
        1 => value().prop_map(|value| ("const", value)).boxed(),
        1 => one("minimum", &number),
        1 => one("exclusiveMaximum", &number),
        1 => Just(("multipleOf", json!(0.5))).boxed(),
        1 => one("minLength", &small),
        1 => one("maxLength", &small),
        1 => Just(("pattern", json!("^a"))).boxed(),
        3 => one("properties", &map),
        1 => inner.clone().prop_map(|schema| ("patternProperties", json!({"^a": schema}))).boxed(),
        2 => one("additionalProperties", inner),
        1 => Just(("additionalProperties", json!(false))).boxed(),
        1 => one("propertyNames", inner),
        2 => one("required", &names),
        1 => names.clone().prop_map(|names| ("dependentRequired", json!({"a": names}))).boxed(),
        1 => inner.clone().prop_map(|schema| ("dependentSchemas", json!({"b": schema}))).boxed(),
        1 => one("minProperties", &small),
        1 => one("maxProperties", &small),
        2 => one("items", inner),
        1 => one("prefixItems", &list),
        1 => one("contains", inner),
        1 => one("minContains", &small),
        1 => one("maxContains", &small),
        1 => one("minItems", &small),
        1 => one("maxItems", &small),
        1 => Just(("uniqueItems", json!(true))).boxed(),
        2 => one("anyOf", &list),
        2 => one("oneOf", &list),
        1 => one("allOf", &list),
        1 => one("not", inner),
        1 => one("if", inner),
        1 => one("then", inner),
        1 => one("else", inner),
        2 => prop_oneof![Just("#"), Just("#/$defs/d")].prop_map(|to| ("$ref", json!(to))).boxed(),
    ]
    .boxed()
}

fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(true)),
        Just(json!(false)),
        Just(json!({"type": "string"})),
        Just(json!({"type": "integer"}))
    ];
    let tree = leaf.prop_recursive(4, 40, 4, |inner| {
        prop::collection::vec(keyword(&inner.boxed()), 0..4).prop_map(|keywords| {
            keywords
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect::<Value>()
        })
    });
    (tree.clone(), tree).prop_map(|(mut root, definition)| {
        if let Some(keywords) = root.as_object_mut() {
            keywords.insert("$defs".to_owned(), json!({"d": definition}));
        }
        root
    })
}

/// Whether references alone lead in a circle, which no value can be checked by.
fn is_endless(schema: &Value) -> bool {
    fn in_place(schema: &Value, root: &Value, depth: usize) -> bool {
        if depth > 12 {
            return true;
        }
        let Some(keywords) = schema.as_object() else {
            return false;
        };
        keywords
            .iter()
            .any(|(keyword, value)| match (keyword.as_str(), value) {
                ("$ref", Value::String(to)) => {
                    let target = root.pointer(to.trim_start_matches('#'));
                    target.is_some_and(|target| in_place(target, root, depth + 1))
                }
                ("anyOf" | "oneOf" | "allOf", Value::Array(branches)) => branches
                    .iter()
                    .any(|branch| in_place(branch, root, depth + 1)),
                ("not" | "if" | "then" | "else", schema) => in_place(schema, root, depth + 1),
                ("dependentSchemas", Value::Object(map)) => {
                    map.values().any(|schema| in_place(schema, root, depth + 1))
                }
                _ => false,
            })
    }
    fn anywhere(schema: &Value, root: &Value) -> bool {
        in_place(schema, root, 0)
            || match schema {
                Value::Object(map) => map.values().any(|value| anywhere(value, root)),
                Value::Array(items) => items.iter().any(|value| anywhere(value, root)),
                _ => false,
            }
    }
    anywhere(schema, schema)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, max_global_rejects: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn it_is_sound_and_misses_nothing_it_judges(schema in schema(), value in value(), cut in 1usize..9) {
        prop_assume!(!is_endless(&schema));
        let Ok(whole) = Validator::new(&schema) else { return Ok(()) };
        let text = value.to_string();
        let mut stream = StreamSchema::new(&schema).unwrap().validator();
        for piece in text.as_bytes().chunks(cut) {
            stream.push(piece);
        }
        let found = stream.finish().unwrap();
        prop_assert_eq!(
            found.is_none(),
            whole.is_valid(&value),
            "{} {} {:?} {:?}", schema, value, found, whole.violations(&value)
        );
    }

    /// What is said of a beginning holds for every value that begins so.
    #[test]
    fn what_is_said_of_a_beginning_holds(schema in schema(), value in value(), other in value(), at in 0usize..40) {
        prop_assume!(!is_endless(&schema));
        let Ok(whole) = Validator::new(&schema) else { return Ok(()) };
        let (text, other_text) = (value.to_string(), other.to_string());
        let common = text.bytes().zip(other_text.bytes()).take_while(|(a, b)| a == b).count();
        let mut stream = StreamSchema::new(&schema).unwrap().validator();
        let beginning = &text.as_bytes()[..at.min(common)];
        if stream.push(beginning).is_some() {
            prop_assert!(!whole.is_valid(&value) && !whole.is_valid(&other));
        }
    }
}
