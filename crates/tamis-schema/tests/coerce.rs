//! Each kind of coercion, each keyword that it is guided by, and what is declined.
#![expect(clippy::panic, reason = "a test may fail loudly")]

use serde_json::{Value, json};
use tamis_schema::{CoerceErrorKind, Coercer, CoercionKind, JsonKind, ValidatorOptions, coerce};

/// What comes out, and what was done: `kind@pointer`.
fn coerced(value: &Value, schema: &Value) -> (Value, Vec<String>) {
    let coerced = coerce(value, schema).unwrap_or_else(|e| panic!("{value} {schema}: {e}"));
    let done = coerced.coercions.iter();
    let done = done.map(|one| format!("{}@{}", one.kind, one.pointer));
    (coerced.value, done.collect())
}

#[track_caller]
fn check(schema: &Value, rows: &[(Value, Value, &[&str])]) {
    for (value, expected, done) in rows {
        let (got, record) = coerced(value, schema);
        // Compared as text: 1 and 1.0 are the same number and not the same spelling.
        assert_eq!(got.to_string(), expected.to_string(), "{value} {schema}");
        assert_eq!(record, *done, "{value} {schema}");
    }
}

#[track_caller]
fn declined(schema: &Value, kind: CoerceErrorKind, values: &[Value]) {
    for value in values {
        match coerce(value, schema) {
            Ok(coerced) => panic!("{value} became {} by {coerced:?}", coerced.value),
            Err(error) => assert_eq!(error.kind(), kind, "{value} {schema}"),
        }
    }
}

#[test]
fn a_text_to_a_number() {
    let integer = json!({"type": "integer"});
    let to = &["text_to_number@"][..];
    check(
        &integer,
        &[
            (json!("5"), json!(5), to),
            (json!("-12"), json!(-12), to),
            (json!("5.0"), json!(5.0), to),
            (json!("1e2"), json!(100.0), to),
            (json!("18446744073709551615"), json!(u64::MAX), to),
            (
                json!(" 5\n"),
                json!(5),
                &["white_space@", "text_to_number@"],
            ),
        ],
    );
    let number = json!({"type": "number"});
    check(&number, &[(json!("0.1"), json!(0.1), to)]);
    declined(
        &number,
        CoerceErrorKind::Impossible,
        &[
            json!("18446744073709551617"),
            json!("1e400"),
            json!("0.12345678901234567890123"),
            json!("1,000"),
            json!("1/5"),
            json!("$5"),
            json!("5%"),
            json!("05"),
            json!("+5"),
            json!("five"),
            json!(""),
            json!(true),
            json!(null),
            json!([5]),
        ],
    );
    declined(
        &integer,
        CoerceErrorKind::Impossible,
        &[json!("5.5"), json!(5.5)],
    );
}

#[test]
fn an_integer_to_its_digits() {
    let to = &["number_to_text@"][..];
    check(
        &json!({"type": "string", "maxLength": 20}),
        &[
            (json!(5), json!("5"), to),
            (json!(-5), json!("-5"), to),
            (json!(u64::MAX), json!("18446744073709551615"), to),
        ],
    );
    declined(
        &json!({"type": "string"}),
        CoerceErrorKind::Impossible,
        // What a float was spelled like is not known any more.
        &[
            json!(3.1),
            json!(5.0),
            json!(true),
            json!(null),
            json!([1, 2]),
        ],
    );
    check(
        &json!({"type": "string", "pattern": "^0"}),
        &[(json!(0), json!("0"), to)],
    );
    declined(
        &json!({"type": "string", "pattern": "^0"}),
        CoerceErrorKind::Impossible,
        &[json!(5)],
    );
}

#[test]
fn a_text_to_a_truth_value() {
    check(
        &json!({"type": "boolean"}),
        &[
            (json!("true"), json!(true), &["text_to_boolean@"]),
            (json!("False"), json!(false), &["text_to_boolean@"]),
            (
                json!(" TRUE "),
                json!(true),
                &["white_space@", "text_to_boolean@"],
            ),
        ],
    );
    declined(
        &json!({"type": "boolean"}),
        CoerceErrorKind::Impossible,
        &[
            json!("yes"),
            json!("1"),
            json!(1),
            json!("the answer is true"),
        ],
    );
}

#[test]
fn a_single_value_to_an_array() {
    let integers = json!({"type": "array", "items": {"type": "integer"}});
    check(
        &integers,
        &[
            (json!(5), json!([5]), &["single_to_array@"]),
            (
                json!("5"),
                json!([5]),
                &["single_to_array@", "text_to_number@/0"],
            ),
        ],
    );
    check(
        &json!({"type": "array", "items": integers}),
        &[(
            json!(5),
            json!([[5]]),
            &["single_to_array@", "single_to_array@/0"],
        )],
    );
    check(
        &json!({"type": "array", "items": {"type": "object"}}),
        &[(json!({"a": 1}), json!([{"a": 1}]), &["single_to_array@"])],
    );
    let any = json!({"type": "array"});
    check(&any, &[(json!("a"), json!(["a"]), &["single_to_array@"])]);
    declined(
        &any,
        CoerceErrorKind::Impossible,
        &[json!(null), json!("[1,]")],
    );
    declined(
        &json!({"type": "array", "minItems": 2}),
        CoerceErrorKind::Impossible,
        &[json!(1)],
    );
    // A recursive array is no tower without end.
    declined(
        &json!({"type": "array", "items": {"$ref": "#"}, "minItems": 1}),
        CoerceErrorKind::Impossible,
        &[json!("5")],
    );
}

#[test]
fn a_named_text_in_another_case() {
    let colours = json!({"enum": ["RED", "Blue", "stra\u{df}e"]});
    check(
        &colours,
        &[
            (json!("red"), json!("RED"), &["case@"]),
            (json!("BLUE"), json!("Blue"), &["case@"]),
            (json!("\u{a0}red"), json!("RED"), &["white_space@", "case@"]),
            (json!("Stra\u{df}e"), json!("stra\u{df}e"), &["case@"]),
        ],
    );
    check(
        &json!({"const": "TWO"}),
        &[(json!("two"), json!("TWO"), &["case@"])],
    );
    declined(
        &colours,
        CoerceErrorKind::Impossible,
        &[
            json!("green"),
            json!("RED!"),
            json!("RED: the colour"),
            json!("the answer is red"),
            json!("RED or Blue"),
            json!("re"),
        ],
    );
    declined(
        &json!({"enum": ["Foo", "FOO"]}),
        CoerceErrorKind::Ambiguous,
        &[json!("foo")],
    );
}

#[test]
fn white_space_around_a_text() {
    check(
        &json!({"type": "string", "pattern": "^[a-z]+$"}),
        &[(json!("\t a \n"), json!("a"), &["white_space@"])],
    );
    check(
        &json!({"enum": ["a b"]}),
        &[(json!(" a b"), json!("a b"), &["white_space@"])],
    );
    declined(
        &json!({"enum": ["a b"]}),
        CoerceErrorKind::Impossible,
        &[json!("a  b")],
    );
}

#[test]
fn an_object_around_the_value() {
    let point = json!({
        "type": "object",
        "properties": {"x": {"type": "integer"}},
        "required": ["x"],
        "additionalProperties": false,
    });
    check(
        &point,
        &[
            (json!({"point": {"x": 1}}), json!({"x": 1}), &["wrapper@"]),
            (
                json!({"a": {"b": {"x": 1}}}),
                json!({"x": 1}),
                &["wrapper@", "wrapper@"],
            ),
            (
                json!({"point": {"x": "1"}}),
                json!({"x": 1}),
                &["wrapper@", "text_to_number@/x"],
            ),
        ],
    );
    declined(
        &point,
        CoerceErrorKind::Impossible,
        &[
            // More than one key, or a key that the schema knows.
            json!({"a": {"x": 1}, "b": 2}),
            json!({"a": {"x": 1}, "x": 2}),
            json!({"x": {"x": "one"}}),
            json!({}),
            json!([{"x": 1}]),
        ],
    );
    check(
        &json!({"type": "integer"}),
        &[(
            json!({"answer": "5"}),
            json!(5),
            &["wrapper@", "text_to_number@"],
        )],
    );
    // A map has a place for every key, and a pattern for those that it matches.
    declined(
        &json!({"type": "object", "additionalProperties": {"type": "integer"}}),
        CoerceErrorKind::Impossible,
        &[json!({"a": {"b": 1, "c": 2}})],
    );
    let pattern = json!({
        "type": "object", "patternProperties": {"^x": {"type": "integer"}}, "additionalProperties": false,
    });
    declined(
        &pattern,
        CoerceErrorKind::Impossible,
        &[json!({"xa": {"xb": 1, "xc": 2}})],
    );
    check(
        &pattern,
        &[(json!({"a": {"xb": 1}}), json!({"xb": 1}), &["wrapper@"])],
    );
    // A key that only another branch knows is known.
    declined(
        &json!({"anyOf": [
            {"type": "integer"},
            {"type": "object", "properties": {"n": {"type": "boolean"}}, "additionalProperties": false},
        ]}),
        CoerceErrorKind::Impossible,
        &[json!({"n": 1})],
    );
}

#[test]
fn what_is_merely_let_be_is_not_wanted() {
    let rows = [
        (json!({"not": {"type": "string"}}), json!("1")),
        (json!({"required": ["a"]}), json!({"b": "x"})),
        (
            json!({"properties": {"a": {"type": "integer"}}}),
            json!({"a": "x"}),
        ),
        (json!({"minLength": 2}), json!("[")),
        (json!({"minLength": 3}), json!("[]")),
    ];
    for (schema, value) in rows {
        declined(&schema, CoerceErrorKind::Impossible, &[value]);
    }
}

#[test]
fn json_in_a_text() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": false});
    check(
        &schema,
        &[
            (json!("{\"a\": 1}"), json!({"a": 1}), &["stringified@"]),
            (
                json!(" {\"a\": \"1\"}\n"),
                json!({"a": 1}),
                &["stringified@", "text_to_number@/a"],
            ),
        ],
    );
    declined(
        &schema,
        CoerceErrorKind::Impossible,
        &[
            json!("\"{}\""),
            json!("{\"a\": 1,}"),
            json!("{\"a\": 1, \"a\": 2}"),
            json!("{\"a\": 1e400}"),
            json!("here: {\"a\": 1}"),
            json!("{\"b\": 1}"),
        ],
    );
    // A text that is a list is not a single value.
    check(
        &json!({"type": "array", "items": {"type": "string"}}),
        &[
            (json!("[\"a\"]"), json!(["a"]), &["stringified@"]),
            (
                json!("{\"a\": 1}"),
                json!(["{\"a\": 1}"]),
                &["single_to_array@"],
            ),
        ],
    );
}

#[test]
fn a_tie_is_an_error_and_says_where() {
    let schema = json!({"properties": {"a": {"items": {"enum": ["Foo", "FOO", "x"]}}}});
    let error = coerce(&json!({"a": ["x", "foo"]}), &schema).unwrap_err();
    assert!(error.is_ambiguous());
    assert_eq!(error.pointer().as_str(), "/a/1");
    assert!(!format!("{error} {error:?}").contains("foo"));
    // The same value on two ways is no tie.
    check(
        &json!({"anyOf": [{"type": "integer"}, {"type": "integer", "minimum": 0}]}),
        &[(json!("5"), json!(5), &["text_to_number@"])],
    );
}

#[test]
fn the_cheapest_branch_wins() {
    let rows = [
        (
            json!({"type": ["integer", "boolean"]}),
            json!("5"),
            json!(5),
        ),
        (
            json!({"anyOf": [{"type": "array"}, {"type": "string"}]}),
            json!(5),
            json!("5"),
        ),
        (
            json!({"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "integer"}]}),
            json!("5"),
            json!(5),
        ),
        (
            json!({"anyOf": [{"type": "object"}, {"type": "array"}]}),
            json!("{}"),
            json!(["{}"]),
        ),
        (
            json!({"oneOf": [{"type": "integer", "minimum": 10}, {"type": "string", "pattern": "^[0-9]$"}]}),
            json!(5),
            json!("5"),
        ),
        (
            json!({"anyOf": [{"type": "integer"}, {"type": "null"}]}),
            json!("5"),
            json!(5),
        ),
        (json!({"type": ["integer", "null"]}), json!("5"), json!(5)),
    ];
    for (schema, value, expected) in rows {
        assert_eq!(coerced(&value, &schema).0, expected, "{value} {schema}");
    }
    declined(
        &json!({"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        CoerceErrorKind::Impossible,
        &[json!("null"), json!(""), json!("None")],
    );
}

#[test]
fn the_keywords_that_lead_to_a_place() {
    let integer = json!({"type": "integer"});
    let rows = [
        (
            json!({"properties": {"a": integer}}),
            json!({"a": "1"}),
            json!({"a": 1}),
        ),
        (
            json!({"patternProperties": {"^a": integer}}),
            json!({"ab": "1", "b": "1"}),
            json!({"ab": 1, "b": "1"}),
        ),
        (
            json!({"properties": {"b": {}}, "additionalProperties": integer}),
            json!({"a": "1", "b": "1"}),
            json!({"a": 1, "b": "1"}),
        ),
        (
            json!({"allOf": [{"properties": {"b": {}}}], "unevaluatedProperties": integer}),
            json!({"a": "1", "b": "1"}),
            json!({"a": 1, "b": "1"}),
        ),
        (
            json!({"prefixItems": [integer, {"type": "string"}], "items": {"type": "boolean"}}),
            json!(["1", 1, "true"]),
            json!([1, "1", true]),
        ),
        (
            json!({"prefixItems": [{}], "unevaluatedItems": integer}),
            json!(["1", "1"]),
            json!(["1", 1]),
        ),
        (
            json!({"$schema": "http://json-schema.org/draft-07/schema#", "items": [integer], "additionalItems": {"type": "string"}}),
            json!(["1", 1]),
            json!([1, "1"]),
        ),
        (
            json!({"allOf": [{"properties": {"a": integer}}, {"properties": {"a": {"minimum": 1}}}]}),
            json!({"a": "1"}),
            json!({"a": 1}),
        ),
        (
            json!({"$ref": "#/$defs/a%20b", "$defs": {"a b": integer}}),
            json!("1"),
            json!(1),
        ),
        (
            json!({"$ref": "#here", "$defs": {"x": {"$anchor": "here", "type": "integer"}}}),
            json!("1"),
            json!(1),
        ),
        (
            json!({"items": {"$ref": "https://example.org/n"}, "$id": "https://example.org/s",
            "$defs": {"n": {"$id": "https://example.org/n", "type": "integer"}}}),
            json!(["1"]),
            json!([1]),
        ),
        (
            json!({"properties": {"kind": {"enum": ["n", "s"]}},
                "if": {"properties": {"kind": {"const": "n"}}},
                "then": {"properties": {"v": integer}}, "else": {"properties": {"v": {"type": "string"}}}}),
            json!({"kind": "s", "v": 1}),
            json!({"kind": "s", "v": "1"}),
        ),
        (
            json!({"dependentSchemas": {"a": {"properties": {"b": integer}}}}),
            json!({"a": 0, "b": "1"}),
            json!({"a": 0, "b": 1}),
        ),
        (
            json!({"items": integer, "uniqueItems": true}),
            json!(["1", 2]),
            json!([1, 2]),
        ),
    ];
    for (schema, value, expected) in rows {
        let result = coerce(&value, &schema);
        let result = result.unwrap_or_else(|e| panic!("{value} {schema}: {e}"));
        assert_eq!(result.value, expected, "{value} {schema}");
    }
}

#[test]
fn branches_are_told_by_their_constants() {
    let schema = json!({"anyOf": [
        {"type": "object", "properties": {"kind": {"const": "circle"}, "r": {"type": "integer"}},
            "required": ["kind", "r"], "additionalProperties": false},
        {"type": "object", "properties": {"kind": {"const": "label"}, "r": {"type": "string"}},
            "required": ["kind", "r"], "additionalProperties": false},
    ]});
    check(
        &schema,
        &[
            (
                json!({"kind": "circle", "r": "1"}),
                json!({"kind": "circle", "r": 1}),
                &["text_to_number@/r"],
            ),
            (
                json!({"kind": "label", "r": 1}),
                json!({"kind": "label", "r": "1"}),
                &["number_to_text@/r"],
            ),
            (
                json!({"kind": "Label", "r": 1}),
                json!({"kind": "label", "r": "1"}),
                &["case@/kind", "number_to_text@/r"],
            ),
        ],
    );
}

#[test]
fn recursion_is_followed() {
    let tree = json!({"$ref": "#/$defs/node", "$defs": {"node": {
        "type": "object",
        "properties": {"n": {"type": "integer"}, "children": {"type": "array", "items": {"$ref": "#/$defs/node"}}},
        "required": ["n"], "additionalProperties": false,
    }}});
    let (mut value, mut expected) = (json!({"n": "1"}), json!({"n": 1}));
    for _ in 0..30 {
        value = json!({"n": "1", "children": [value]});
        expected = json!({"n": 1, "children": [expected]});
    }
    let (got, done) = coerced(&value, &tree);
    assert_eq!(got, expected);
    assert_eq!(done.len(), 31);
    // Every level may need an array, or be a text in a text.
    let (mut single, mut text, mut expected) = (json!({"n": 1}), json!({"n": 1}), json!({"n": 1}));
    for level in 0..20 {
        single = json!({"n": 1, "children": single});
        if level < 8 {
            text = json!({"n": 1, "children": [text.to_string()]});
            assert_eq!(coerced(&text, &tree).1.len(), level + 1);
        }
        expected = json!({"n": 1, "children": [expected]});
    }
    let (got, done) = coerced(&single, &tree);
    assert_eq!((got, done.len()), (expected, 20));
    check(
        &tree,
        &[(
            json!({"n": 1, "children": {"n": "2"}}),
            json!({"n": 1, "children": [{"n": 2}]}),
            &["single_to_array@/children", "text_to_number@/children/0/n"],
        )],
    );
}

#[test]
fn the_record_says_what_was_and_is_there_and_no_more() {
    let coerced = coerce(
        &json!({"a": "5"}),
        &json!({"properties": {"a": {"type": "integer"}}}),
    )
    .unwrap();
    let [one] = coerced.coercions.as_slice() else {
        panic!("{coerced:?}");
    };
    assert_eq!(
        (one.kind, one.pointer.as_str(), one.from, one.to),
        (
            CoercionKind::TextToNumber,
            "/a",
            JsonKind::String,
            JsonKind::Number
        )
    );
    assert!(!format!("{coerced:?}").contains('5'));
}

#[test]
fn large_values_are_coerced_and_hostile_ones_given_up() {
    let schema = json!({"type": "array", "items": {"type": "object", "properties": {
        "id": {"type": "integer"}, "tag": {"enum": ["A", "B"]}}}});
    let rows: Vec<Value> = (0..3000)
        .map(|n| json!({"id": n.to_string(), "tag": "a"}))
        .collect();
    let coerced = coerce(&Value::Array(rows), &schema).unwrap();
    assert_eq!(coerced.coercions.len(), 6000);

    let union: Vec<Value> = (0..40)
        .map(|n| json!({"anyOf": [{"minimum": n}, {"type": "string"}]}))
        .collect();
    declined(
        &json!({"allOf": union, "type": "boolean"}),
        CoerceErrorKind::Limit,
        &[json!("x")],
    );

    let mut deep = json!(1);
    for _ in 0..600 {
        deep = json!([deep]);
    }
    declined(&json!({"type": "integer"}), CoerceErrorKind::Limit, &[deep]);
    let text = format!("{}{}", "[".repeat(500), "]".repeat(500));
    declined(
        &json!({"type": "integer"}),
        CoerceErrorKind::Impossible,
        &[json!(text)],
    );
}

#[test]
fn a_schema_that_is_none_is_refused() {
    assert!(
        coerce(&json!(1), &json!({"type": "text"}))
            .unwrap_err()
            .is_schema()
    );
    assert!(
        coerce(&json!(1), &json!({"$ref": "https://example.org/x"}))
            .unwrap_err()
            .is_schema()
    );
    assert!(
        coerce(&json!("1"), &json!(false))
            .unwrap_err()
            .is_impossible()
    );
    assert_eq!(coerce(&json!("1"), &json!(true)).unwrap().value, json!("1"));
}

#[test]
fn formats_are_asserted_where_asked_for() {
    let schema = json!({"properties": {"at": {"type": "string", "format": "date"}}});
    let value = json!({"at": " 2024-01-31 "});
    let lenient = Coercer::new(&schema).unwrap();
    assert!(lenient.coerce(&value).unwrap().coercions.is_empty());
    let options = ValidatorOptions::default().assert_formats(true);
    let strict = Coercer::with_options(&schema, &options).unwrap();
    assert_eq!(
        strict.coerce(&value).unwrap().value,
        json!({"at": "2024-01-31"})
    );
}
