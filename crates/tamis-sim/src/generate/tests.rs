//! What is generated conforms, as an independent validator sees it.

use serde_json::{Value, json};

use super::value;
use crate::rng::Rng;

fn assert_conforms(schema: &Value) {
    let validator = jsonschema::options()
        .should_validate_formats(true)
        .build(schema)
        .unwrap();
    for seed in 0..60 {
        let value = value(schema, &mut Rng::new(seed, &[]));
        let errors: Vec<_> = validator
            .iter_errors(&value)
            .map(|e| e.to_string())
            .collect();
        assert!(
            errors.is_empty(),
            "seed {seed}\n{schema:#}\n{value:#}\n{errors:?}"
        );
    }
}

#[test]
fn keywords_one_by_one() {
    for schema in [
        json!(true),
        json!({}),
        json!({"type": "null"}),
        json!({"type": ["string", "null"]}),
        json!({"enum": ["a", 1, null]}),
        json!({"type": "string", "enum": ["a", 1, null]}),
        json!({"const": {"a": [1]}}),
        json!({"type": "integer", "minimum": 3, "maximum": 4}),
        json!({"type": "integer", "exclusiveMinimum": 3, "exclusiveMaximum": 5}),
        json!({"type": "integer", "minimum": -7, "multipleOf": 5}),
        json!({"type": "integer", "minimum": 1e18}),
        json!({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 0.001}),
        json!({"type": "number", "minimum": 2, "maximum": 2}),
        json!({"type": "number", "minimum": 0, "maximum": 1, "multipleOf": 0.01}),
        json!({"type": "number", "multipleOf": 2}),
        json!({"type": "string", "minLength": 5, "maxLength": 5}),
        json!({"type": "string", "minLength": 200}),
        json!({"type": "string", "maxLength": 0}),
        json!({"type": "string", "pattern": "^[A-Z]{2}\\d{3,5}(-[a-f]+)?$"}),
        json!({"type": "string", "pattern": "^\\w+@\\w+\\.(com|org)$"}),
        json!({"type": "string", "pattern": "^[a-z]*$", "minLength": 3, "maxLength": 4}),
        json!({"type": "string", "pattern": "b", "minLength": 9}),
        json!({"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 3}),
        json!({"type": "array", "items": {"type": "boolean"}, "uniqueItems": true, "maxItems": 2}),
        json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": false}),
        json!({"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "null"}}),
        json!({"type": "array", "items": {"type": "integer"}, "contains": {"const": 5}, "minContains": 2}),
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a", "b"]}),
        json!({"type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 3}),
        json!({"type": "object", "patternProperties": {"^x_[a-z]+$": {"type": "integer"}}, "additionalProperties": false, "minProperties": 2}),
        json!({"type": "object", "properties": {"a": {}, "b": {}}, "dependentRequired": {"a": ["b"]}}),
        json!({"type": "object", "properties": {"a": {}, "b": {}, "c": {}}, "maxProperties": 1}),
        json!({"properties": {"a": {"type": "integer"}}}),
        json!({"allOf": [{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
            {"properties": {"a": {"minimum": 3}, "b": {"type": "string"}}, "required": ["b"]}]}),
        json!({"allOf": [{"type": "number"}, {"type": "integer", "maximum": 5}]}),
        json!({"anyOf": [{"type": "integer"}, {"type": "string", "format": "date"}, false]}),
        json!({"oneOf": [{"type": "integer"}, {"type": "string"}]}),
        json!({"oneOf": [{"properties": {"k": {"const": "a"}, "x": {"type": "integer"}}, "required": ["k", "x"]},
            {"properties": {"k": {"const": "b"}, "y": {"type": "string"}}, "required": ["k", "y"]}]}),
        json!({"type": "object", "properties": {"x": {"type": "string"}}, "required": ["x"],
            "anyOf": [{"required": ["y"]}, {"required": ["z"]}]}),
    ] {
        assert_conforms(&schema);
    }
}

#[test]
fn formats() {
    for format in [
        "date-time",
        "date",
        "time",
        "duration",
        "email",
        "hostname",
        "ipv4",
        "ipv6",
        "uuid",
        "uri",
        "uri-reference",
        "uri-template",
        "json-pointer",
        "relative-json-pointer",
        "regex",
        "unheard-of",
    ] {
        assert_conforms(&json!({"type": "string", "format": format}));
    }
}

#[test]
fn references_and_recursion() {
    assert_conforms(&json!({
        "type": "object",
        "properties": {"head": {"$ref": "#/$defs/node"}},
        "required": ["head"],
        "$defs": {"node": {
            "type": "object",
            "properties": {
                "value": {"type": "integer"},
                "next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]},
            },
            "required": ["value", "next"],
            "additionalProperties": false,
        }},
    }));
    assert_conforms(&json!({
        "type": "object",
        "properties": {"children": {"type": "array", "items": {"$ref": "#"}}, "name": {"type": "string"}},
        "required": ["children", "name"],
        "additionalProperties": false,
    }));
    assert_conforms(&json!({
        "$ref": "#/definitions/a~1b%20c",
        "definitions": {"a/b c": {"type": "integer", "minimum": 5}},
    }));
    // An expression tree: binary nodes recur twice, so only the bound ends them.
    assert_conforms(&json!({
        "$ref": "#/$defs/expr",
        "$defs": {"expr": {"anyOf": [
            {"type": "object", "properties": {"op": {"enum": ["+", "*"]}, "l": {"$ref": "#/$defs/expr"}, "r": {"$ref": "#/$defs/expr"}},
                "required": ["op", "l", "r"], "additionalProperties": false},
            {"type": "number"},
        ]}},
    }));
}

#[test]
fn hostile_schemas_end() {
    for schema in [
        json!({"$ref": "#"}),
        json!({"allOf": [{"$ref": "#"}, {"$ref": "#"}]}),
        json!({"$defs": {"a": {"type": "array", "minItems": 3, "items": {"$ref": "#/$defs/a"}}}, "$ref": "#/$defs/a"}),
        json!({"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]}),
        json!({"type": "array", "minItems": 4e18}),
        json!({"type": "string", "minLength": 1e300}),
        json!({"type": "integer", "minimum": 1e300, "multipleOf": 1e-300}),
        json!({"type": 5, "properties": [], "required": "x", "items": 3, "anyOf": {}, "enum": 4}),
        json!({"anyOf": []}),
        json!({"type": "string", "pattern": "("}),
        json!({"minimum": 5, "maximum": 3}),
        json!({"type": "object", "minProperties": 1e9}),
        json!(false),
        json!(7),
    ] {
        let _ = value(&schema, &mut Rng::new(1, &[]));
    }
}

#[test]
fn seeds_differ() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}, "required": ["a", "b"]});
    let values: std::collections::BTreeSet<String> = (0..20)
        .map(|seed| value(&schema, &mut Rng::new(seed, &[])).to_string())
        .collect();
    assert!(values.len() > 15);
}

mod any_schema {
    use proptest::prelude::*;
    use serde_json::{Map, Value, json};

    use super::assert_conforms;

    fn leaf() -> impl Strategy<Value = Value> {
        let bounds = (-50_i64..50, 0_i64..40, 1_i64..4);
        prop_oneof![
            Just(json!({"type": "boolean"})),
            Just(json!({"type": "null"})),
            Just(json!({"type": ["integer", "null"]})),
            Just(json!({"enum": ["red", "green", 3, null]})),
            Just(json!({"const": "fixed"})),
            Just(json!({"type": "string", "format": "date-time"})),
            Just(json!({"type": "string", "pattern": "^[a-f]{2,4}-\\d+$"})),
            Just(json!({"$ref": "#/$defs/tree"})),
            (0_u64..20, 0_u64..20).prop_map(|(least, more)| {
                json!({"type": "string", "minLength": least, "maxLength": least + more})
            }),
            bounds.clone().prop_map(|(low, span, step)| {
                json!({"type": "integer", "minimum": low, "maximum": low + span + step, "multipleOf": step})
            }),
            bounds.prop_map(|(low, span, _)| {
                json!({"type": "number", "exclusiveMinimum": low, "maximum": low + span + 1})
            }),
        ]
    }

    /// An object with these members, of which the flagged ones are required.
    fn object(members: Vec<(Value, bool)>, closed: bool) -> Value {
        let name = |at: usize| format!("p{at}");
        let required: Vec<String> = (0..members.len())
            .filter(|at| members[*at].1)
            .map(name)
            .collect();
        let properties: Map<String, Value> = members
            .into_iter()
            .enumerate()
            .map(|(at, (schema, _))| (name(at), schema))
            .collect();
        json!({"type": "object", "properties": properties, "required": required, "additionalProperties": !closed})
    }

    fn any_schema() -> impl Strategy<Value = Value> {
        leaf().prop_recursive(4, 24, 5, |inner| {
            let members = prop::collection::vec((inner.clone(), prop::bool::ANY), 0..5);
            prop_oneof![
                3 => (members, prop::bool::ANY).prop_map(|(members, closed)| object(members, closed)),
                1 => (inner.clone(), 0_u64..3, 0_u64..3).prop_map(|(items, least, more)| {
                    json!({"type": "array", "items": items, "minItems": least, "maxItems": least + more})
                }),
                1 => prop::collection::vec(inner.clone(), 1..4).prop_map(|all| json!({"type": "array", "prefixItems": all, "items": false})),
                1 => prop::collection::vec(inner.clone(), 1..4).prop_map(|all| json!({"anyOf": all})),
                1 => inner.prop_map(|schema| json!({"allOf": [schema, {"title": "same"}]})),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(96))]
        #[test]
        fn conforms(mut schema in any_schema()) {
            schema["$defs"] = json!({"tree": {
                "type": "object",
                "properties": {"leaf": {"type": "string"}, "left": {"$ref": "#/$defs/tree"}, "right": {"$ref": "#/$defs/tree"}},
                "required": ["leaf"],
                "additionalProperties": false,
            }});
            assert_conforms(&schema);
        }
    }
}
