//! Lowering and lifting: for every dialect, generated schemas and values that conform to them.

#![expect(
    clippy::unwrap_used,
    clippy::too_many_lines,
    clippy::indexing_slicing,
    clippy::expect_used,
    clippy::panic,
    reason = "tests fail by panicking; one arm for each kind of schema"
)]

use jsonschema::canonical::Containment;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tamis_schema::{Dialect, Effect, Lowering, Severity, Validator, lint};

/// A schema, and a way to make values that conform to it.
#[derive(Clone, Debug)]
enum Kind {
    Any,
    Text {
        least: usize,
        nullable: bool,
    },
    Whole {
        least: i64,
    },
    Number,
    Flag,
    Null,
    Enum(Vec<Value>),
    Const(Value),
    List(Box<Kind>),
    Tuple(Vec<Kind>, usize, Option<Box<Kind>>),
    Map(Box<Kind>),
    PatternMap(Box<Kind>),
    Object {
        fields: Vec<(String, Kind, bool)>,
        others: Option<Box<Kind>>,
        unsaid: bool,
    },
    AnyOf(Vec<Kind>),
    /// Told apart by a constant.
    OneOf(Vec<Vec<(String, Kind, bool)>>),
    AllOf(Vec<(String, Kind, bool)>, Vec<(String, Kind, bool)>),
    /// A reference with a description beside it, or without.
    Shared(Box<Kind>, bool),
    Tree,
    Nullable(Box<Kind>),
}

fn fields_schema(
    fields: &[(String, Kind, bool)],
    defs: &mut Map<String, Value>,
) -> Map<String, Value> {
    let mut properties = Map::new();
    for (name, kind, _) in fields {
        properties.insert(name.clone(), kind.schema(defs));
    }
    let required: Vec<&String> = fields.iter().filter(|f| f.2).map(|f| &f.0).collect();
    let mut schema = Map::new();
    schema.insert("type".into(), json!("object"));
    schema.insert("properties".into(), properties.into());
    if !required.is_empty() {
        schema.insert("required".into(), json!(required));
    }
    schema
}

impl Kind {
    fn schema(&self, defs: &mut Map<String, Value>) -> Value {
        match self {
            Self::Any => json!({}),
            Self::Text { least, nullable } => {
                let kind = if *nullable {
                    json!(["string", "null"])
                } else {
                    json!("string")
                };
                json!({"type": kind, "minLength": least, "title": "T"})
            }
            Self::Whole { least } => json!({"type": "integer", "minimum": least, "default": 7}),
            Self::Number => json!({"type": "number"}),
            Self::Flag => json!({"type": "boolean"}),
            Self::Null => json!({"type": "null"}),
            Self::Enum(values) => json!({"enum": values}),
            Self::Const(value) => json!({"const": value}),
            Self::List(items) => {
                json!({"type": "array", "items": items.schema(defs), "maxItems": 5})
            }
            Self::Tuple(prefix, least, rest) => {
                let prefix: Vec<Value> = prefix.iter().map(|kind| kind.schema(defs)).collect();
                let rest = rest.as_ref().map_or(json!(false), |kind| kind.schema(defs));
                json!({"type": "array", "prefixItems": prefix, "items": rest, "minItems": least})
            }
            Self::Map(value) => {
                json!({"type": "object", "additionalProperties": value.schema(defs)})
            }
            Self::PatternMap(value) => json!({
                "type": "object",
                "patternProperties": {"^k": value.schema(defs)},
                "additionalProperties": false,
            }),
            Self::Object {
                fields,
                others,
                unsaid,
            } => {
                let mut schema = fields_schema(fields, defs);
                match others {
                    Some(others) => {
                        schema.insert("additionalProperties".into(), others.schema(defs));
                    }
                    None if *unsaid && !fields.is_empty() => {}
                    None => {
                        schema.insert("additionalProperties".into(), false.into());
                    }
                }
                schema.into()
            }
            Self::AnyOf(branches) => {
                let branches: Vec<Value> = branches.iter().map(|kind| kind.schema(defs)).collect();
                json!({"anyOf": branches, "description": "one of them"})
            }
            Self::OneOf(branches) => {
                let branches: Vec<Value> = branches
                    .iter()
                    .enumerate()
                    .map(|(index, fields)| {
                        let mut schema = fields_schema(fields, defs);
                        schema["properties"]["tag"] = json!({"const": format!("t{index}")});
                        let mut required = vec![json!("tag")];
                        required.extend(
                            schema
                                .get("required")
                                .and_then(Value::as_array)
                                .cloned()
                                .unwrap_or_default(),
                        );
                        schema.insert("required".into(), required.into());
                        schema.insert("additionalProperties".into(), false.into());
                        schema.into()
                    })
                    .collect();
                json!({"oneOf": branches})
            }
            Self::AllOf(one, two) => {
                json!({"allOf": [fields_schema(one, defs), fields_schema(two, defs)]})
            }
            Self::Shared(kind, described) => {
                let name = format!("D{}", defs.len());
                defs.insert(name.clone(), Value::Null);
                let schema = kind.schema(defs);
                defs.insert(name.clone(), schema);
                let mut schema = json!({"$ref": format!("#/$defs/{name}")});
                if *described {
                    schema["description"] = json!("shared");
                }
                schema
            }
            Self::Tree => {
                defs.insert(
                    "Tree".into(),
                    json!({
                        "type": "object",
                        "properties": {
                            "label": {"type": "string"},
                            "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
                            "next": {"$ref": "#/$defs/Tree"},
                        },
                        "required": ["label"],
                        "additionalProperties": false,
                    }),
                );
                json!({"$ref": "#/$defs/Tree"})
            }
            Self::Nullable(kind) => json!({"anyOf": [kind.schema(defs), {"type": "null"}]}),
        }
    }

    fn value(&self) -> BoxedStrategy<Value> {
        match self {
            Self::Any => anything(),
            Self::Text { least, nullable } => {
                let text = format!("[a-c]{{{least},4}}").prop_map_value();
                if *nullable {
                    prop_oneof![text, Just(Value::Null)].boxed()
                } else {
                    text
                }
            }
            Self::Whole { least } => (*least..*least + 9).prop_map(Value::from).boxed(),
            Self::Number => prop_oneof![
                any::<i32>().prop_map(Value::from),
                (-9.0..9.0).prop_map(Value::from)
            ]
            .boxed(),
            Self::Flag => any::<bool>().prop_map(Value::from).boxed(),
            Self::Null => Just(Value::Null).boxed(),
            Self::Enum(values) => proptest::sample::select(values.clone()).boxed(),
            Self::Const(value) => Just(value.clone()).boxed(),
            Self::List(items) => vec(items.value(), 0..4).prop_map(Value::from).boxed(),
            Self::Tuple(prefix, least, rest) => {
                let all: Vec<_> = prefix.iter().map(Kind::value).collect();
                let rest = rest.as_ref().map_or(Just(Vec::new()).boxed(), |rest| {
                    vec(rest.value(), 0..3).boxed()
                });
                (all, *least..=prefix.len(), rest)
                    .prop_map(|(mut all, length, rest)| {
                        if length < all.len() {
                            all.truncate(length);
                        } else {
                            all.extend(rest);
                        }
                        Value::from(all)
                    })
                    .boxed()
            }
            Self::Map(value) => map_of("[a-d]{1,2}", value),
            Self::PatternMap(value) => map_of("k[a-d]", value),
            Self::Object { fields, others, .. } => {
                let own = fields_value(fields);
                let names: Vec<String> = fields.iter().map(|field| field.0.clone()).collect();
                match others {
                    None => own,
                    Some(others) => (own, btree_map("[o-q]{1,2}", others.value(), 0..3))
                        .prop_map(move |(mut own, more)| {
                            for (key, value) in more {
                                if !names.contains(&key) {
                                    own[key] = value;
                                }
                            }
                            own
                        })
                        .boxed(),
                }
            }
            Self::AnyOf(branches) => {
                proptest::strategy::Union::new(branches.iter().map(Kind::value)).boxed()
            }
            Self::OneOf(branches) => {
                let all = branches.iter().enumerate().map(|(index, fields)| {
                    fields_value(fields)
                        .prop_map(move |mut value| {
                            value["tag"] = json!(format!("t{index}"));
                            value
                        })
                        .boxed()
                });
                proptest::strategy::Union::new(all).boxed()
            }
            Self::AllOf(one, two) => {
                let mut all = one.clone();
                for field in two {
                    all.retain(|other| other.0 != field.0);
                    all.push(field.clone());
                }
                fields_value(&all)
            }
            Self::Shared(kind, _) => kind.value(),
            Self::Tree => {
                let leaf = "[a-c]".prop_map(|label| json!({"label": label}));
                leaf.prop_recursive(4, 12, 3, |inner| {
                    (
                        "[a-c]",
                        proptest::option::of(vec(inner.clone(), 0..3)),
                        proptest::option::of(inner),
                    )
                        .prop_map(|(label, children, next)| {
                            let mut tree = json!({"label": label});
                            if let Some(children) = children {
                                tree["children"] = children.into();
                            }
                            if let Some(next) = next {
                                tree["next"] = next;
                            }
                            tree
                        })
                })
                .boxed()
            }
            Self::Nullable(kind) => prop_oneof![3 => kind.value(), 1 => Just(Value::Null)].boxed(),
        }
    }
}

trait TextValue {
    fn prop_map_value(self) -> BoxedStrategy<Value>;
}

impl TextValue for String {
    fn prop_map_value(self) -> BoxedStrategy<Value> {
        proptest::string::string_regex(&self)
            .unwrap()
            .prop_map(Value::from)
            .boxed()
    }
}

fn map_of(keys: &'static str, value: &Kind) -> BoxedStrategy<Value> {
    btree_map(keys, value.value(), 0..4)
        .prop_map(|map| Value::Object(map.into_iter().collect()))
        .boxed()
}

fn fields_value(fields: &[(String, Kind, bool)]) -> BoxedStrategy<Value> {
    let all: Vec<_> = fields
        .iter()
        .map(|(name, kind, required)| {
            let name = name.clone();
            let required = *required;
            (kind.value(), any::<bool>())
                .prop_map(move |(value, there)| (name.clone(), value, there || required))
        })
        .collect();
    all.prop_map(|all| {
        let present = all.into_iter().filter(|field| field.2);
        Value::Object(present.map(|(name, value, _)| (name, value)).collect())
    })
    .boxed()
}

fn anything() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[a-z]{0,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 10, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::from),
            btree_map("[a-c]|key|value|entries", inner, 0..3)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
    .boxed()
}

fn fields(kind: BoxedStrategy<Kind>) -> BoxedStrategy<Vec<(String, Kind, bool)>> {
    btree_map("[a-e]|value|other_properties", (kind, any::<bool>()), 0..4)
        .prop_map(|map| {
            map.into_iter()
                .map(|(name, (kind, required))| (name, kind, required))
                .collect()
        })
        .boxed()
}

fn kind() -> BoxedStrategy<Kind> {
    let scalar = prop_oneof![
        Just(json!("a")),
        Just(json!("b")),
        Just(json!(1)),
        Just(json!(1.5)),
        Just(json!(true)),
        Just(Value::Null),
        Just(json!([1, "x"])),
        Just(json!({"k": 1})),
        Just(json!([])),
        Just(json!({})),
    ];
    let leaf = prop_oneof![
        1 => Just(Kind::Any),
        4 => (0..2_usize, any::<bool>()).prop_map(|(least, nullable)| Kind::Text { least, nullable }),
        2 => (-2..5_i64).prop_map(|least| Kind::Whole { least }),
        1 => Just(Kind::Number),
        2 => Just(Kind::Flag),
        1 => Just(Kind::Null),
        2 => proptest::sample::subsequence(vec!["a", "b", "c"], 1..=3)
            .prop_map(|values| Kind::Enum(values.into_iter().map(Value::from).collect())),
        1 => vec(scalar.clone(), 1..4).prop_map(|values| {
            let mut once: Vec<Value> = Vec::new();
            for value in values {
                if !once.contains(&value) {
                    once.push(value);
                }
            }
            Kind::Enum(once)
        }),
        1 => scalar.prop_map(Kind::Const),
        1 => Just(Kind::Tree),
    ];
    leaf.prop_recursive(3, 14, 4, |inner| {
        let object = fields(inner.clone().boxed());
        prop_oneof![
            inner.clone().prop_map(|kind| Kind::List(Box::new(kind))),
            (
                vec(inner.clone(), 1..4),
                0..4_usize,
                proptest::option::of(inner.clone())
            )
                .prop_map(|(prefix, least, rest)| {
                    let least = least.min(prefix.len());
                    Kind::Tuple(prefix, least, rest.map(Box::new))
                }),
            inner.clone().prop_map(|kind| Kind::Map(Box::new(kind))),
            inner
                .clone()
                .prop_map(|kind| Kind::PatternMap(Box::new(kind))),
            (
                object.clone(),
                proptest::option::of(inner.clone()),
                any::<bool>()
            )
                .prop_map(|(fields, others, unsaid)| Kind::Object {
                    fields,
                    others: others.map(Box::new),
                    unsaid
                }),
            vec(inner.clone(), 1..4).prop_map(Kind::AnyOf),
            vec(object.clone(), 1..4).prop_map(Kind::OneOf),
            object.clone().prop_map(|fields| {
                let half = fields.len() / 2;
                let (one, two) = fields.split_at(half);
                Kind::AllOf(one.to_vec(), two.to_vec())
            }),
            (inner.clone(), any::<bool>())
                .prop_map(|(kind, described)| Kind::Shared(Box::new(kind), described)),
            inner.prop_map(|kind| Kind::Nullable(Box::new(kind))),
        ]
    })
    .boxed()
}

fn document(kind: &Kind) -> Value {
    let mut defs = Map::new();
    let mut schema = kind.schema(&mut defs);
    if !defs.is_empty() {
        schema["$defs"] = defs.into();
    }
    schema
}

fn case() -> impl Strategy<Value = (Value, Vec<Value>)> {
    kind().prop_flat_map(|kind| (Just(document(&kind)), vec(kind.value(), 1..4)))
}

fn check(schema: &Value, values: &[Value], dialect: Dialect) -> Result<bool, TestCaseError> {
    let lowered = match Lowering::new(dialect).unroll(1).lower(schema) {
        Ok(lowered) => lowered,
        Err(error) => {
            // Only what a table's limits or places say may stand in the way.
            for reason in error.reasons() {
                let text = reason.message();
                let known = ["nested deeper", "are taken", "characters", "too large"];
                prop_assert!(
                    known.iter().any(|known| text.contains(known)),
                    "{dialect}: {error}\n{schema}"
                );
            }
            return Ok(false);
        }
    };
    let errors: Vec<_> = lint(&lowered.schema, dialect)
        .into_iter()
        .filter(|finding| finding.severity() == Severity::Error)
        .collect();
    prop_assert!(errors.is_empty(), "{errors:?}");
    let sent = Validator::new(&lowered.schema).expect("the lowered schema is valid");
    let own = Validator::new(schema).unwrap();
    let stored = serde_json::to_string(&lowered.lift).unwrap();
    let lift: tamis_schema::Lift = serde_json::from_str(&stored).unwrap();
    for value in values {
        if !own.is_valid(value) {
            continue;
        }
        let encoded = match lift.encode(value) {
            Ok(encoded) => encoded,
            Err(error) => {
                prop_assert!(
                    false,
                    "{dialect}: {error}\n{schema}\n{value}\n{}",
                    lowered.schema
                );
                continue;
            }
        };
        let violations = sent.violations(&encoded);
        prop_assert!(
            violations.is_empty(),
            "{dialect}: {:?}\nschema {schema}\nvalue {value}\nencoded {encoded}\nlowered {}",
            violations.iter().map(|v| &v.message).collect::<Vec<_>>(),
            lowered.schema
        );
        let lifted = lift.lift(encoded.clone());
        let lifted = match lifted {
            Ok(lifted) => lifted.value,
            Err(error) => panic!("{dialect}: {error}\n{schema}\n{value}"),
        };
        prop_assert_eq!(
            &lifted,
            value,
            "{}\nschema {}\nencoded {}\nlowered {}",
            dialect,
            schema,
            encoded,
            lowered.schema
        );
    }
    Ok(true)
}

fn proves(schema: &Value, dialect: Dialect) -> Result<(), TestCaseError> {
    let Ok(lowered) = Lowering::new(dialect).lower(schema) else {
        return Ok(());
    };
    let effect = lowered
        .changes
        .iter()
        .map(tamis_schema::Change::effect)
        .max();
    if effect == Some(Effect::Widening) || !lowered.lift.is_identity() {
        return Ok(());
    }
    let (Ok(own), Ok(sent)) = (
        jsonschema::canonicalize(schema),
        jsonschema::canonicalize(&lowered.schema),
    ) else {
        return Ok(());
    };
    prop_assert_ne!(
        own.covers(&sent).unwrap_or(Containment::Unknown),
        Containment::No,
        "{}: wider\n{}\n{}",
        dialect,
        schema,
        lowered.schema
    );
    if effect != Some(Effect::Narrowing) {
        prop_assert_ne!(
            sent.covers(&own).unwrap_or(Containment::Unknown),
            Containment::No,
            "{}: narrower\n{}\n{}",
            dialect,
            schema,
            lowered.schema
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(300), max_shrink_iters: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_conforms_can_be_sent_and_comes_back((schema, values) in case()) {
        for dialect in Dialect::all() {
            check(&schema, &values, dialect)?;
        }
    }

    /// Where nothing but exact changes were made, and answers need no lifting, both schemas accept the
    /// same values, by the algebra of the validator's crate; where the schema was only narrowed, the
    /// caller's accepts all that the lowered one does.
    #[test]
    fn what_is_called_exact_is_exact((schema, _) in case()) {
        for dialect in Dialect::all() {
            proves(&schema, dialect)?;
        }
    }
}

/// So many definitions that say the like.
fn many(count: usize, make: impl Fn(usize) -> (String, Value)) -> Value {
    Value::Object((0..count).map(make).collect())
}

#[test]
fn large_schemas_are_lowered_in_time_that_grows_as_they_do() {
    let text = json!({"type": "string"});
    let parts: Vec<Value> = (0..4_000)
        .map(|n| json!({"properties": {format!("k{n}"): text}, "required": [format!("k{n}")]}))
        .collect();
    let wide = many(2_000, |n| (format!("k{n}"), text.clone()));
    let again = vec![json!({"$ref": "#/$defs/a"}); 4_000];
    let words = |first: usize| -> Vec<Value> { (first..first + 60_000).map(Value::from).collect() };
    for (what, schema) in [
        ("parts", json!({"allOf": parts})),
        (
            "one part again and again",
            json!({"allOf": again, "$defs": {"a": {"type": "object", "properties": wide}}}),
        ),
        (
            "anchors",
            json!({
                "type": "object",
                "properties": many(4_000, |n| (format!("k{n}"), json!({"$ref": format!("#a{n}")}))),
                "$defs": many(4_000, |n| (format!("d{n}"), json!({"$anchor": format!("a{n}"), "type": "string"}))),
            }),
        ),
        (
            "values",
            json!({"allOf": [{"enum": words(0)}, {"enum": words(59_990)}]}),
        ),
        (
            "definitions of one name",
            json!({
                "type": "object",
                "properties": many(3_000, |n| (format!("k{n}"), json!({"$ref": format!("#/$defs/a{n}/properties/d")}))),
                "$defs": many(3_000, |n| (format!("a{n}"), json!({"properties": {"d": {"type": "object", "properties": {"q": text}}}}))),
            }),
        ),
        (
            "names and patterns",
            json!({
                "type": "object",
                "required": (0..300).map(|n| format!("k{n}")).collect::<Vec<_>>(),
                "patternProperties": many(300, |n| (format!("^x{n}$"), text.clone())),
            }),
        ),
    ] {
        let start = std::time::Instant::now();
        let lowered = Lowering::new(Dialect::GEMINI).lower(&schema);
        let taken = start.elapsed();
        assert!(lowered.is_ok(), "{what}: {lowered:?}");
        assert!(taken.as_secs() < 8, "{what}: {taken:?}");
    }
}

#[test]
fn equal_values_of_two_enums_are_kept() {
    let schema = json!({"allOf": [
        {"enum": [1, "1", null, {"a": 1, "b": [2]}, 0.5, -0.0]},
        {"enum": [1.0, {"b": [2.0], "a": 1}, "2", 0.5, 0, "null"]},
    ]});
    let lowered = Lowering::new(Dialect::VLLM).lower(&schema).unwrap();
    let validator = Validator::new(&lowered.schema).unwrap();
    for (value, kept) in [
        (json!(1), true),
        (json!({"a": 1, "b": [2]}), true),
        (json!(0.5), true),
        (json!(0), true),
        (json!("1"), false),
        (json!(null), false),
        (json!("null"), false),
    ] {
        let encoded = lowered.lift.encode(&value);
        assert_eq!(
            encoded.is_ok_and(|value| validator.is_valid(&value)),
            kept,
            "{value}"
        );
    }
}

#[test]
fn a_resource_is_called_by_the_end_of_its_name_and_data_is_none() {
    let schema = json!({
        "$id": "https://example.org/schemas/order.json",
        "type": "object",
        "properties": {"a": {"$ref": "item.json"}, "b": {"$ref": "order.json#/$defs/text"}},
        "required": ["a", "b"],
        "additionalProperties": false,
        "$defs": {
            "item": {"$id": "item.json", "type": "integer"},
            "text": {"type": "string"},
        },
    });
    for dialect in Dialect::all() {
        let lowered = Lowering::new(dialect).lower(&schema);
        let lowered = lowered.unwrap_or_else(|error| panic!("{dialect}: {error:?}"));
        let validator = Validator::new(&lowered.schema).unwrap();
        for (value, fits) in [
            (json!({"a": 1, "b": "x"}), true),
            (json!({"a": "x", "b": "x"}), false),
        ] {
            let encoded = lowered.lift.encode(&value);
            assert_eq!(
                encoded.is_ok_and(|value| validator.is_valid(&value)),
                fits,
                "{dialect}"
            );
        }
    }
}
