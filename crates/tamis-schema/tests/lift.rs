//! What lowering and lifting do in particular places.

#![expect(
    clippy::unwrap_used,
    clippy::needless_pass_by_value,
    clippy::print_stderr,
    reason = "tests fail by panicking, say what they skip, and build schemas from literals"
)]

use std::path::PathBuf;

use serde_json::{Map, Value, json};
use tamis_schema::{
    ChangeKind, Dialect, Effect, LiftErrorKind, LiftKind, Lowered, Lowering, Severity, Validator,
    lint, lower,
};

fn object(properties: Value, required: Value) -> Value {
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

fn openai(schema: &Value) -> Lowered {
    lower(schema, Dialect::OPENAI_STRICT).unwrap()
}

#[test]
fn only_nulls_that_stand_for_absence_go() {
    let schema = object(
        json!({"a": {"type": "string"}, "b": {"type": ["string", "null"]}, "c": {"type": ["string", "null"]}}),
        json!(["c"]),
    );
    let lowered = openai(&schema);
    let lift = |value| lowered.lift.lift(value).unwrap().value;
    assert_eq!(
        lift(json!({"a": null, "b": null, "c": null})),
        json!({"b": null, "c": null})
    );
    assert_eq!(
        lift(json!({"a": null, "b": false, "c": null})),
        json!({"c": null})
    );
    // An upstream that left out what it might have is not blamed for it.
    assert_eq!(lift(json!({"c": "x"})), json!({"c": "x"}));

    let light = Lowering::new(Dialect::OPENAI_STRICT)
        .absent_as_null(true)
        .lower(&schema)
        .unwrap();
    assert_eq!(
        light.schema["properties"]["b"],
        json!({"type": ["string", "null"]})
    );
    assert_eq!(
        light.lift.lift(json!({"b": null})).unwrap().value,
        json!({"b": null})
    );
    assert!(
        light
            .changes
            .iter()
            .any(|change| change.pointer() == "/properties/b"
                && change.effect() == Effect::Narrowing)
    );
}

#[test]
fn a_free_object_stays_free() {
    for free in [
        json!({"type": "object"}),
        json!({"type": "object", "additionalProperties": true}),
        json!({"type": "object", "properties": {}}),
        json!({"type": "object", "additionalProperties": {"type": "integer"}}),
        json!({"type": "object", "patternProperties": {"^a": {"type": "integer"}}}),
        json!({"type": "object", "required": ["a"]}),
        json!({"type": "object", "minProperties": 1}),
    ] {
        for schema in [free.clone(), object(json!({"meta": free}), json!(["meta"]))] {
            for dialect in Dialect::all() {
                let lowered = lower(&schema, dialect).unwrap();
                let inner = json!({"a": 1});
                let value = if schema == free {
                    inner
                } else {
                    json!({"meta": inner})
                };
                let sent = lowered.lift.encode(&value).unwrap();
                assert!(
                    Validator::new(&lowered.schema).unwrap().is_valid(&sent),
                    "{dialect}: {sent} for {}",
                    lowered.schema
                );
                assert_eq!(lowered.lift.lift(sent).unwrap().value, value);
            }
        }
    }
}

#[test]
fn a_key_twice_is_no_map() {
    let lowered = openai(&object(
        json!({"m": {"type": "object", "additionalProperties": {"type": "integer"}}}),
        json!(["m"]),
    ));
    let twice = json!({"m": [{"key": "a", "value": 1}, {"key": "a", "value": 2}]});
    let error = lowered.lift.lift(twice).unwrap_err();
    assert_eq!(error.kind(), LiftErrorKind::DuplicateKey);
    assert_eq!(error.pointer(), "/m");
    // The caller's own shape is left as it is.
    let own = json!({"m": {"a": 1}});
    assert_eq!(lowered.lift.lift(own.clone()).unwrap().value, own);
}

#[test]
fn roots_are_wrapped() {
    let lowered = openai(&json!({"type": "array", "items": {"type": "integer"}}));
    assert_eq!(lowered.schema["type"], "object");
    let lifted = lowered.lift.lift(json!({"value": [1, 2]})).unwrap();
    assert_eq!(lifted.value, json!([1, 2]));
    assert_eq!(lifted.lifts[0].kind(), LiftKind::Unwrapped);
}

#[test]
fn recursion_is_unrolled_only_when_asked() {
    let schema = json!({
        "$ref": "#/$defs/Node",
        "$defs": {"Node": object(
            json!({"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}}}),
            json!(["name", "children"]),
        )},
    });
    let error = lower(&schema, Dialect::ANTHROPIC).unwrap_err();
    assert!(error.reasons()[0].message().contains("recursive"));
    let deep = json!({"name": "a", "children": [{"name": "b", "children": [
        {"name": "c", "children": [{"name": "d", "children": []}]},
    ]}]});
    for times in 0..4 {
        let lowered = Lowering::new(Dialect::ANTHROPIC)
            .unroll(times)
            .lower(&schema)
            .unwrap();
        let sent = lowered.lift.encode(&deep).unwrap();
        assert!(Validator::new(&lowered.schema).unwrap().is_valid(&sent));
        assert_eq!(lowered.lift.lift(sent).unwrap().value, deep);
    }
    let kept = openai(&schema);
    assert!(kept.lift.is_identity());
    assert!(kept.schema["$defs"]["Node"].is_object());
}

#[test]
fn limits_are_kept_where_there_is_another_way() {
    let mut many = Map::new();
    for number in 0..40 {
        many.insert(format!("p{number}"), json!({"type": "string"}));
    }
    let lowered = lower(&object(many.into(), json!([])), Dialect::ANTHROPIC).unwrap();
    assert_eq!(
        lowered.lift.lift(json!({"p30": null})).unwrap().value,
        json!({})
    );

    let mut nullable = Map::new();
    for number in 0..20 {
        nullable.insert(format!("p{number}"), json!({"type": ["string", "null"]}));
    }
    let names: Vec<String> = nullable.keys().cloned().collect();
    let schema = object(nullable.into(), json!(names));
    let lowered = lower(&schema, Dialect::ANTHROPIC).unwrap();
    let value: Value = names
        .iter()
        .map(|name| (name.clone(), Value::Null))
        .collect::<Map<_, _>>()
        .into();
    let sent = lowered.lift.encode(&value).unwrap();
    assert!(sent.as_object().unwrap().len() < 20);
    assert_eq!(lowered.lift.lift(sent).unwrap().value, value);

    let values: Vec<String> = (0..1500).map(|number| format!("v{number}")).collect();
    let lowered = openai(&object(json!({"e": {"enum": values}}), json!(["e"])));
    let property = &lowered.schema["properties"]["e"];
    assert_eq!(property["type"], "string");
    assert!(property.get("enum").is_none());
    assert!(property["description"].as_str().unwrap().contains("\"v1\""));
    assert!(
        lowered
            .changes
            .iter()
            .any(|change| change.kind() == ChangeKind::EnumDescribed
                && change.effect() == Effect::Widening)
    );
}

#[test]
fn what_cannot_be_is_said_with_every_reason() {
    let mut deep = json!({"type": "string"});
    for _ in 0..7 {
        deep = object(json!({"x": deep}), json!(["x"]));
    }
    let mut many = Map::new();
    for number in 0..150 {
        many.insert(format!("p{number}"), json!({"type": "string"}));
    }
    many.insert("deep".into(), deep);
    let error = lower(&object(many.into(), json!([])), Dialect::PORTABLE).unwrap_err();
    assert!(error.reasons().len() >= 2, "{error}");
    assert!(lower(&json!(false), Dialect::GEMINI).is_err());
    assert!(lower(&json!({"type": "nothing"}), Dialect::GEMINI).is_err());
}

#[test]
fn old_drafts_are_read_as_they_are() {
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$ref": "#/definitions/Root",
        "definitions": {
            "Root": object(json!({"a": {"$ref": "#/definitions/Item"}, "t": {"type": "array",
                "items": [{"type": "string"}, {"type": "integer"}], "additionalItems": false, "minItems": 2}}), json!(["a", "t"])),
            "Item": {"type": "integer", "exclusiveMinimum": 3},
        },
    });
    for dialect in Dialect::all() {
        let lowered = lower(&schema, dialect).unwrap();
        assert!(lowered.schema.get("definitions").is_none());
        let value = json!({"a": 4, "t": ["x", 1]});
        let sent = lowered.lift.encode(&value).unwrap();
        assert!(Validator::new(&lowered.schema).unwrap().is_valid(&sent));
        assert_eq!(lowered.lift.lift(sent).unwrap().value, value);
    }
}

#[test]
fn hostile_schemas_end() {
    let mut defs = Map::new();
    for number in 0..60 {
        let next = format!("#/$defs/d{}", number + 1);
        defs.insert(format!("d{number}"), object(
            json!({"a": {"$ref": next, "description": "x"}, "b": {"$ref": next, "description": "y"}}),
            json!(["a"]),
        ));
    }
    defs.insert("d60".into(), json!({"type": "string"}));
    let wide = json!({"$ref": "#/$defs/d0", "$defs": defs});
    let circle = json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"});
    let all =
        json!({"type": "object", "properties": {"x": {"allOf": [{"$ref": "#"}, {"$ref": "#"}]}}});
    let own =
        json!({"allOf": [{"$ref": "#"}], "type": "object", "properties": {"a": {"$ref": "#"}}});
    let mut nested = json!({"type": "string"});
    for _ in 0..60 {
        nested = json!({"anyOf": [{"type": "array", "items": nested}]});
    }
    for schema in [wide, circle, all, own, nested] {
        for dialect in Dialect::all() {
            for lowering in [Lowering::new(dialect), Lowering::new(dialect).unroll(8)] {
                let _ended = lowering.lower(&schema);
            }
        }
    }
}

fn shared(file: &str) -> Option<String> {
    let folder = std::env::var_os("TAMIS_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let text = std::fs::read_to_string(folder.join("cases").join(file)).ok();
    if text.is_none() {
        eprintln!("skipped: no shared folder");
    }
    text
}

#[test]
fn schemas_of_the_wild_lower_cleanly() {
    for file in ["schemas_openai.jsonl", "schemas_sent.jsonl"] {
        let Some(text) = shared(file) else { return };
        for line in text.lines() {
            let row: Value = serde_json::from_str(line).unwrap();
            for key in ["refused", "schema"] {
                let Some(schema) = row.get(key) else { continue };
                for dialect in Dialect::all() {
                    let lowered = match Lowering::new(dialect).unroll(2).lower(schema) {
                        Ok(lowered) => lowered,
                        Err(error) => {
                            eprintln!("{file}: {error}");
                            assert_eq!(dialect, Dialect::PORTABLE, "{error}\n{schema}");
                            continue;
                        }
                    };
                    let clean = lint(&lowered.schema, dialect)
                        .iter()
                        .all(|finding| finding.severity() != Severity::Error);
                    assert!(clean, "{dialect}: {schema}");
                }
            }
        }
    }
}

#[test]
fn changes_point_into_the_callers_schema() {
    let schema = json!({
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/A", "description": "an A"}, "b": {"allOf": [{"$ref": "#/$defs/A"}]}},
        "$defs": {"A": {"type": "object", "properties": {"x": {"type": "string", "minLength": 2}}}},
    });
    for dialect in Dialect::all() {
        for change in lower(&schema, dialect).unwrap().changes {
            assert!(
                schema.pointer(change.pointer()).is_some(),
                "{dialect}: {change}"
            );
        }
    }
}

#[test]
fn a_bound_that_excludes_is_said_in_the_dialect_s_words() {
    let schema = json!({"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 10});
    let schema = json!({"type": "object", "properties": {"n": schema}, "required": ["n"], "additionalProperties": false});
    let lowered = lower(&schema, Dialect::GEMINI).unwrap();
    assert_eq!(
        lowered.schema["properties"]["n"],
        json!({"type": "integer", "minimum": 1, "maximum": 9})
    );
    // Of other numbers there is no next one.
    let schema = json!({"type": "object", "properties": {"x": {"type": "number", "exclusiveMinimum": 0}}, "required": ["x"], "additionalProperties": false});
    let lowered = lower(&schema, Dialect::GEMINI).unwrap();
    assert!(lowered.schema["properties"]["x"].get("minimum").is_none());
}
