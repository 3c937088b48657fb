//! Checking values, and refusing schemas that are none.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tamis_schema::{MAX_INSTANCE_DEPTH, MAX_SCHEMA_DEPTH, Validator, check_schema};

fn validator(schema: &Value) -> Validator {
    Validator::new(schema).unwrap()
}

#[test]
fn a_violation_serializes_in_its_field_order() {
    let validator = validator(&json!({"properties": {"a/b": {"type": "integer"}}}));
    let violations = validator.violations(&json!({"a/b": "x"}));
    assert_eq!(
        serde_json::to_string(&violations).unwrap(),
        r#"[{"instance":"/a~1b","schema":"/properties/a~1b/type","keyword":"type","message":"\"x\" is not of type \"integer\""}]"#
    );
    assert_eq!(
        violations[0].to_string(),
        "\"x\" is not of type \"integer\" at /a~1b"
    );
}

#[test]
fn violations_point_into_value_and_schema() {
    let schema = json!({
        "type": "object",
        "properties": {
            "kind": {"enum": ["a", "b"]},
            "rows": {"type": "array", "items": {"$ref": "#/$defs/row"}, "minItems": 1},
        },
        "required": ["kind", "rows"],
        "additionalProperties": false,
        "$defs": {"row": {"type": "object", "required": ["id"], "properties": {"id": {"minimum": 1}}}},
    });
    let validator = validator(&schema);
    assert!(validator.is_valid(&json!({"kind": "a", "rows": [{"id": 1}]})));
    let value = json!({"kind": "c", "rows": [{"id": 0}, {}, 7], "extra": 1});
    let mut found: Vec<_> = validator
        .violations(&value)
        .into_iter()
        .map(|v| (v.instance, v.schema, v.keyword))
        .collect();
    found.sort();
    let expected = [
        ("", "/additionalProperties", "additionalProperties"),
        ("/kind", "/properties/kind/enum", "enum"),
        ("/rows/0/id", "/$defs/row/properties/id/minimum", "minimum"),
        ("/rows/1", "/$defs/row/required", "required"),
        ("/rows/2", "/$defs/row/type", "type"),
    ];
    assert_eq!(
        found,
        expected.map(|(i, s, k)| (i.to_owned(), s.to_owned(), k.to_owned()))
    );
    for (instance, pointer, _) in found {
        assert!(value.pointer(&instance).is_some() && schema.pointer(&pointer).is_some());
    }
}

#[test]
fn the_draft_is_what_the_schema_says() {
    let tuple = json!([1, "x"]);
    for (draft, schema, valid) in [
        // `exclusiveMinimum` was a flag in draft 4.
        (
            "http://json-schema.org/draft-04/schema#",
            json!({"minimum": 1, "exclusiveMinimum": true}),
            false,
        ),
        (
            "http://json-schema.org/draft-06/schema#",
            json!({"exclusiveMinimum": 1}),
            false,
        ),
        (
            "http://json-schema.org/draft-07/schema#",
            json!({"if": true, "then": false}),
            false,
        ),
        // `if` is newer than draft 6.
        (
            "http://json-schema.org/draft-06/schema#",
            json!({"if": true, "then": false}),
            true,
        ),
        (
            "https://json-schema.org/draft/2019-09/schema",
            json!({"exclusiveMinimum": 1}),
            false,
        ),
        (
            "https://json-schema.org/draft/2020-12/schema",
            json!({"exclusiveMinimum": 1}),
            false,
        ),
    ] {
        let mut schema = schema;
        schema["$schema"] = json!(draft);
        assert_eq!(validator(&schema).is_valid(&json!(1)), valid, "{schema}");
    }
    let mut schema = json!({"prefixItems": [{"type": "string"}]});
    assert!(
        !validator(&schema).is_valid(&tuple),
        "2020-12 is the default"
    );
    schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    assert!(validator(&schema).is_valid(&tuple));
    assert!(Validator::new(&json!({"minimum": 1, "exclusiveMinimum": true})).is_err());

    assert!(validator(&json!(true)).is_valid(&tuple));
    assert_eq!(
        validator(&json!(false)).violations(&tuple)[0].keyword,
        "falseSchema"
    );
    assert!(validator(&json!({})).violations(&tuple).is_empty());
}

#[test]
fn a_schema_that_is_none_says_where_and_why() {
    for (schema, pointer, reason) in [
        (json!(1), "", "a schema is an object or a boolean"),
        (json!(null), "", "a schema is an object or a boolean"),
        (json!([{}]), "", "a schema is an object or a boolean"),
        (json!("{}"), "", "a schema is an object or a boolean"),
        (json!({"type": "strin"}), "/type", "it is not a JSON type"),
        (
            json!({"items": [{"type": "string"}]}),
            "/items",
            "a list here is of drafts up to 2019-09",
        ),
        (
            json!({"properties": {"a/b": {"type": ["string", "string"]}}}),
            "/properties/a~1b/type",
            "it is not",
        ),
        (
            json!({"properties": {"a": {"minimum": "x"}}}),
            "/properties/a/minimum",
            "\"x\" is not of type \"number\"",
        ),
        (
            json!({"required": "a"}),
            "/required",
            "\"a\" is not of type \"array\"",
        ),
        (
            json!({"properties": []}),
            "/properties",
            "[] is not of type \"object\"",
        ),
        (
            json!({"items": {"pattern": "("}}),
            "/items/pattern",
            "\"(\" is not a \"regex\"",
        ),
        (
            json!({"$schema": 7}),
            "/$schema",
            "7 is not of type \"string\"",
        ),
        (
            json!({"$schema": "https://example.com/mine"}),
            "/$schema",
            "'https://example.com/mine' is not a draft",
        ),
        (
            json!({"$schema": "http://json-schema.org/draft-03/schema#"}),
            "/$schema",
            "'http://json-schema.org/draft-03/schema#' is not a draft",
        ),
        (
            json!({"$defs": {"a": {}}, "items": {"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/none"}]}}),
            "/items/anyOf/1/$ref",
            "Pointer '/$defs/none' does not exist",
        ),
        (
            json!({"items": {"$ref": "https://example.com/x.json"}}),
            "/items/$ref",
            "'https://example.com/x.json' is not in the schema, and nothing is fetched",
        ),
        (
            json!({"$id": "https://example.com/a/b", "not": {"$ref": "c.json"}}),
            "/not/$ref",
            "'https://example.com/a/c.json' is not in the schema",
        ),
        (
            json!({"items": {"$ref": "other.json"}}),
            "/items/$ref",
            "'other.json' is not in the schema",
        ),
        (
            json!({"items": {"$ref": "%%"}}),
            "/items/$ref",
            "Invalid URI reference '%%'",
        ),
    ] {
        let error = Validator::new(&schema).unwrap_err();
        assert_eq!(error.pointer(), pointer, "{schema}: {error}");
        assert!(error.reason().starts_with(reason), "{schema}: {error}");
    }
    let error = Validator::new(&json!({"type": "strin"})).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("the schema is not usable at /type: it is not a JSON type")
    );
    let error = Validator::new(&json!(1)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the schema is not usable: a schema is an object or a boolean"
    );
}

#[test]
fn nothing_is_fetched() {
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    server.set_nonblocking(true).unwrap();
    let url = format!("http://{}/schema.json", server.local_addr().unwrap());
    assert!(Validator::new(&json!({"$ref": url})).is_err());
    assert!(Validator::new(&json!({"$schema": url})).is_err());
    assert_eq!(
        server.accept().unwrap_err().kind(),
        std::io::ErrorKind::WouldBlock
    );

    // A file that is there, and is JSON.
    let path = std::env::temp_dir().join(format!("tamis-schema-{}.json", std::process::id()));
    std::fs::write(&path, "true").unwrap();
    for reference in [
        format!("file://{}", path.display()),
        path.display().to_string(),
    ] {
        assert!(
            Validator::new(&json!({"$ref": reference})).is_err(),
            "{reference}"
        );
    }
    std::fs::remove_file(&path).unwrap();

    // The drafts' own schemas are at hand.
    let meta = validator(&json!({"$ref": "https://json-schema.org/draft/2020-12/schema"}));
    assert!(meta.is_valid(&json!({"type": "string"})) && !meta.is_valid(&json!({"type": 1})));
}

#[test]
fn formats_are_asserted_only_when_asked_for() {
    for draft in [
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2020-12/schema",
    ] {
        let schema = json!({"$schema": draft, "format": "date"});
        let asserting = Validator::options()
            .assert_formats(true)
            .build(&schema)
            .unwrap();
        let plain = validator(&schema);
        for (value, is_date) in [(json!("2024-02-30"), false), (json!("2024-02-29"), true)] {
            assert!(plain.is_valid(&value));
            assert_eq!(asserting.is_valid(&value), is_date);
            assert_eq!(asserting.violations(&value).is_empty(), is_date);
        }
    }
}

#[test]
fn a_masked_message_holds_nothing_of_the_value() {
    let schema = json!({
        "properties": {
            "type": {"type": "integer"},
            "enum": {"enum": ["a"]},
            "const": {"const": 1},
            "number": {"maximum": 1, "minimum": 3, "multipleOf": 7, "exclusiveMaximum": 0, "exclusiveMinimum": 5},
            "string": {"maxLength": 1, "pattern": "^$", "format": "date", "minLength": 999},
            "array": {"items": {"type": "null"}, "contains": {"type": "null"}, "uniqueItems": true, "maxItems": 1, "minItems": 9},
            "tuple": {"prefixItems": [true], "items": false},
            "unevaluated": {"unevaluatedItems": false},
            "object": {"propertyNames": {"maxLength": 3}, "additionalProperties": false, "maxProperties": 0, "minProperties": 9, "required": ["r"]},
            "rest": {"unevaluatedProperties": false},
            "any": {"anyOf": [{"type": "null"}], "oneOf": [{"type": "null"}], "not": {}},
            "both": {"oneOf": [true, true]},
            "false": false,
        },
    });
    let validator = Validator::options()
        .assert_formats(true)
        .build(&schema)
        .unwrap();
    let secret = json!("SECRET");
    let object = json!({"SECRET": "SECRET", "SECRET2": 1});
    let value = json!({
        "type": secret, "enum": secret, "const": secret, "number": 1234.5, "string": secret, "array": [secret, secret],
        "tuple": [1, secret], "unevaluated": [secret], "object": object, "rest": object,
        "any": secret, "both": secret, "false": secret,
    });
    let mut violations = validator.violations(&value);
    let broken: BTreeSet<_> = violations
        .iter()
        .map(|violation| violation.instance.split('/').nth(1).unwrap().to_owned())
        .collect();
    assert!(
        value
            .as_object()
            .unwrap()
            .keys()
            .all(|key| broken.contains(key)),
        "{broken:?}"
    );
    // Draft 7 asserts contents. A pattern that was given up counts where nothing else is broken.
    let draft = "http://json-schema.org/draft-07/schema#";
    for (schema, value) in [
        (
            json!({"$schema": draft, "contentEncoding": "base64"}),
            "SECRET!",
        ),
        (
            json!({"$schema": draft, "contentMediaType": "application/json"}),
            "SECRET",
        ),
        (
            json!({"$schema": draft, "contentEncoding": "base64", "contentMediaType": "application/json"}),
            "/w==",
        ),
        (
            json!({"pattern": "^(a|a)*(?=b)$"}),
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ),
    ] {
        let found = self::validator(&schema).violations(&json!(value));
        assert!(!found.is_empty(), "{schema}");
        violations.extend(found);
    }
    for violation in &violations {
        let masked = violation.masked_message();
        assert!(!masked.is_empty());
        for told in ["SECRET", "1234", "aaaa"] {
            assert!(!masked.contains(told), "{violation:?}");
        }
    }
    assert!(
        violations
            .iter()
            .any(|violation| violation.message.contains("SECRET"))
    );
}

#[test]
fn a_long_value_is_not_quoted_whole() {
    let value = json!(vec!["\u{e9}".repeat(1000); 1000]);
    for violation in
        validator(&json!({"type": "null", "items": {"type": "null"}})).violations(&value)
    {
        assert!(violation.message.len() < 600);
    }
}

/// A value that is `depth` objects deep.
fn nested(depth: usize) -> Value {
    (0..depth).fold(json!(1), |inner, _| json!({"a": inner}))
}

#[test]
fn deep_values_and_schemas_do_not_overflow() {
    // A recursive schema that is deep itself, and all of it is walked for each level of the value.
    let inner = json!({"additionalProperties": {"$ref": "#"}, "type": "object", "unevaluatedProperties": false});
    let deep = (0..MAX_SCHEMA_DEPTH / 2 - 2).fold(inner, |inner, _| json!({"anyOf": [inner]}));
    let deep = validator(&json!({"oneOf": [deep, {"type": "integer"}]}));
    assert!(deep.is_valid(&nested(100)));
    for depth in [MAX_INSTANCE_DEPTH, MAX_INSTANCE_DEPTH - 1] {
        let value = nested(depth);
        assert_eq!(deep.is_valid(&value), deep.violations(&value).is_empty());
    }

    let too_deep = nested(MAX_INSTANCE_DEPTH + 1);
    // Nothing of a value is gone through that the schema does not lead to.
    let anything = validator(&json!({}));
    assert!(anything.is_valid(&too_deep) && anything.violations(&too_deep).is_empty());
    let number = validator(&json!({"type": "number"}));
    assert!(!number.is_valid(&too_deep));
    for (schema, words) in [
        (
            number,
            "the value is nested too deeply to say what is wrong",
        ),
        (
            validator(&json!({"additionalProperties": {"$ref": "#"}})),
            "the value is nested too deeply to be checked",
        ),
    ] {
        assert!(!schema.is_valid(&too_deep));
        let violations = schema.violations(&too_deep);
        assert_eq!(violations.len(), 1);
        assert_eq!(violations[0].keyword, "");
        assert_eq!(violations[0].masked_message(), words);
    }

    let schema = (1..MAX_SCHEMA_DEPTH).fold(json!({}), |inner, _| json!({"not": inner}));
    assert!(Validator::new(&schema).is_ok());
    let error = Validator::new(&json!({"not": schema})).unwrap_err();
    assert_eq!(
        error.reason(),
        format!("it is nested deeper than {MAX_SCHEMA_DEPTH} levels")
    );
}

#[test]
fn references_that_lead_far_or_nowhere_end() {
    let count = 5000;
    let mut defs: Map<String, Value> = (0..count)
        .map(|n| {
            (
                format!("d{n}"),
                json!({"$ref": format!("#/$defs/d{}", n + 1)}),
            )
        })
        .collect();
    defs.insert(format!("d{count}"), json!({"type": "integer"}));
    let chain = validator(&json!({"$ref": "#/$defs/d0", "$defs": defs}));
    assert!(chain.is_valid(&json!(1)) && !chain.is_valid(&json!("x")));

    for schema in [
        json!({"$ref": "#"}),
        json!({"allOf": [{"$ref": "#"}]}),
        json!({"not": {"$ref": "#"}}),
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}),
        json!({"$dynamicAnchor": "x", "anyOf": [{"$dynamicRef": "#x"}]}),
    ] {
        // What such a schema means is not defined; that it ends is what counts.
        let validator = validator(&schema);
        assert_eq!(
            validator.is_valid(&json!(1)),
            validator.violations(&json!(1)).is_empty(),
            "{schema}"
        );
    }
}

/// A schema of a few plain keywords.
fn schema() -> impl Strategy<Value = Value> {
    let kind = proptest::sample::select(vec![
        "null", "boolean", "integer", "number", "string", "array", "object",
    ]);
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        kind.prop_map(|kind| json!({"type": kind})),
        (-3..3, -3..3).prop_map(|(low, high)| json!({"minimum": low, "maximum": high})),
        Just(json!({"enum": [1, "a", null, [], {"a": 1}]})),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            inner
                .clone()
                .prop_map(|items| json!({"type": "array", "items": items})),
            (inner.clone(), inner.clone(), any::<bool>()).prop_map(|(a, b, closed)| json!({
                "properties": {"a": a, "b": b}, "required": ["a"], "additionalProperties": !closed,
            })),
            proptest::collection::vec(inner.clone(), 1..3).prop_map(|any| json!({"anyOf": any})),
            inner.prop_map(|not| json!({"not": not})),
        ]
    })
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Value::from),
        (-4..4).prop_map(Value::from),
        Just(json!(1.5)),
        Just(json!(2.0)),
        Just(json!("a")),
    ];
    leaf.prop_recursive(3, 10, 3, |inner| {
        let key = proptest::sample::select(vec!["a", "b", "c"]).prop_map(str::to_owned);
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            proptest::collection::btree_map(key, inner, 0..3)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// The same keywords, read from the specification in the plainest way.
fn conforms(schema: &Value, value: &Value) -> bool {
    let Value::Object(schema) = schema else {
        return schema == &json!(true);
    };
    schema.iter().all(|(keyword, rule)| match keyword.as_str() {
        "type" => match rule.as_str().unwrap() {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "number" => value.is_number(),
            "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
            "string" => value.is_string(),
            "array" => value.is_array(),
            _ => value.is_object(),
        },
        "minimum" => value
            .as_f64()
            .is_none_or(|number| number >= rule.as_f64().unwrap()),
        "maximum" => value
            .as_f64()
            .is_none_or(|number| number <= rule.as_f64().unwrap()),
        "enum" => rule.as_array().unwrap().contains(value),
        "items" => value
            .as_array()
            .is_none_or(|items| items.iter().all(|item| conforms(rule, item))),
        "properties" => value.as_object().is_none_or(|object| {
            object
                .iter()
                .all(|(key, member)| rule.get(key).is_none_or(|rule| conforms(rule, member)))
        }),
        "required" => value
            .as_object()
            .is_none_or(|object| object.contains_key("a")),
        "additionalProperties" => value.as_object().is_none_or(|object| {
            rule == &json!(true) || object.keys().all(|key| key == "a" || key == "b")
        }),
        "anyOf" => rule
            .as_array()
            .unwrap()
            .iter()
            .any(|rule| conforms(rule, value)),
        _ => !conforms(rule, value),
    })
}

proptest! {
    #[test]
    fn it_agrees_with_the_specification(schema in schema(), value in value()) {
        let validator = validator(&schema);
        let violations = validator.violations(&value);
        prop_assert_eq!(validator.is_valid(&value), conforms(&schema, &value));
        prop_assert_eq!(violations.is_empty(), conforms(&schema, &value));
        for violation in violations {
            prop_assert!(value.pointer(&violation.instance).is_some(), "{:?}", violation);
            prop_assert!(schema.pointer(&violation.schema).is_some(), "{:?}", violation);
            prop_assert!(!violation.keyword.is_empty() && !violation.message.is_empty());
        }
    }

    #[test]
    fn any_json_makes_a_validator_or_an_error(schema in value()) {
        if let Err(error) = Validator::new(&schema) {
            prop_assert!(schema.pointer(error.pointer()).is_some());
        }
    }
}

#[test]
fn a_schema_is_checked_without_its_references() {
    for schema in [
        json!(true),
        json!({"$ref": "https://example.org/x", "properties": {"a": {"$ref": "#/$defs/none"}}}),
        json!({"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"$ref": "a.json"}]}),
        json!({"pattern": "^(?!a)b$", "patternProperties": {"^x-": {}}}),
    ] {
        assert_eq!(check_schema(&schema), Ok(()), "{schema}");
    }
    for (schema, pointer) in [
        (json!([]), ""),
        (json!(7), ""),
        (
            json!({"$ref": "a.json", "properties": {"a": {"type": "wibble"}}}),
            "/properties/a/type",
        ),
        (
            json!({"$schema": "https://example.org/draft-99"}),
            "/$schema",
        ),
        (
            json!({"$ref": "a.json", "items": {"pattern": "("}}),
            "/items/pattern",
        ),
        (
            json!({"patternProperties": {"(": {}}}),
            "/patternProperties",
        ),
    ] {
        assert_eq!(
            check_schema(&schema).unwrap_err().pointer(),
            pointer,
            "{schema}"
        );
    }
    let mut deep = json!({});
    for _ in 0..=MAX_SCHEMA_DEPTH {
        deep = Value::Object(Map::from_iter([("not".to_owned(), deep)]));
    }
    assert!(check_schema(&deep).is_err());
}

#[test]
fn a_long_name_over_much_is_refused_before_it_costs() {
    let members: Map<String, Value> = (0..5_000)
        .map(|number| (format!("p{number}"), json!({"type": "string"})))
        .collect();
    let of = |name: &str| {
        let inner = Map::from_iter([("properties".to_owned(), Value::Object(members.clone()))]);
        json!({"properties": {name: inner}})
    };
    assert!(Validator::new(&of("k")).is_ok());
    let error = Validator::new(&of(&"k".repeat(200_000))).unwrap_err();
    assert!(error.reason().contains("too long"), "{error}");
}
