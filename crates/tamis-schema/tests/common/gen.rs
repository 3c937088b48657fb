//! Schemas as callers write them, and values that conform to them.

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

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

pub(crate) fn case() -> impl Strategy<Value = (Value, Vec<Value>)> {
    kind().prop_flat_map(|kind| (Just(document(&kind)), vec(kind.value(), 1..4)))
}
