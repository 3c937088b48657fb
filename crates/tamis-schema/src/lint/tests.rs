//! Each rule, with what it finds and what it leaves alone.

use serde_json::{Value, json};

use super::{Finding, Severity, lint};
use crate::dialect::Dialect;

/// The rules that find an error, and where.
fn errors(schema: &Value, dialect: Dialect) -> Vec<String> {
    found(schema, dialect, Severity::Error)
}

fn found(schema: &Value, dialect: Dialect, severity: Severity) -> Vec<String> {
    lint(schema, dialect)
        .iter()
        .filter(|finding| finding.severity() == severity)
        .map(|finding| format!("{} {}", finding.rule(), finding.pointer()))
        .collect()
}

/// An object of these properties, as strict dialects want it.
fn object(properties: &Value) -> Value {
    let names: Vec<&String> = properties.as_object().unwrap().keys().collect();
    json!({"type": "object", "properties": properties, "required": names, "additionalProperties": false})
}

fn one(property: &Value) -> Value {
    object(&json!({"a": property}))
}

#[test]
fn a_plain_strict_schema_is_fine_everywhere() {
    let schema = object(&json!({
        "name": {"type": "string", "description": "Who."},
        "tags": {"type": "array", "items": {"type": "string"}},
        "kind": {"type": "string", "enum": ["a", "b"]},
        "inner": object(&json!({"n": {"type": ["integer", "null"]}})),
    }));
    for dialect in Dialect::all() {
        assert_eq!(errors(&schema, dialect), [""; 0], "{dialect}");
    }
}

#[test]
fn openai_s_rules() {
    let strict = Dialect::OPENAI_STRICT;
    let string = json!({"type": "string"});
    let rows = [
        (
            json!({"type": "array", "items": string}),
            vec!["root-object "],
        ),
        (
            json!({"anyOf": [object(&json!({"a": string}))]}),
            vec!["root-object ", "root-any-of /anyOf"],
        ),
        (
            json!({"$ref": "#/$defs/a", "$defs": {"a": object(&json!({}))}}),
            vec!["root-object "],
        ),
        (
            json!({"type": "object", "properties": {"a": string}, "required": ["a"]}),
            vec!["closed-objects "],
        ),
        (
            json!({"type": "object", "properties": {"a": string}, "additionalProperties": false}),
            vec!["required-properties "],
        ),
        (
            json!({"type": "object", "properties": {"a": string}, "required": ["a", "b"], "additionalProperties": false}),
            vec!["required-properties /required"],
        ),
        (
            one(&json!({"type": "object"})),
            vec!["closed-objects /properties/a"],
        ),
        (
            one(&json!({"type": "object", "additionalProperties": {"type": "string"}})),
            vec!["closed-objects /properties/a/additionalProperties"],
        ),
        (
            one(&json!({"oneOf": [string]})),
            vec!["keyword /properties/a/oneOf"],
        ),
        (
            one(&json!({"type": "string", "maxLength": 3})),
            vec!["keyword /properties/a/maxLength"],
        ),
        (
            one(&json!({"description": "any"})),
            vec!["type /properties/a"],
        ),
        (one(&json!(true)), vec!["type /properties/a"]),
        (
            one(&json!({"$ref": "#/$defs/none"})),
            vec!["reference /properties/a/$ref"],
        ),
        (
            one(&json!({"$ref": "https://example.org/x"})),
            vec!["reference /properties/a/$ref"],
        ),
        (
            one(&json!({"type": "string", "enum": []})),
            vec!["enum /properties/a/enum"],
        ),
        (
            one(
                &json!({"anyOf": [object(&json!({"x": string, "y": string})), object(&json!({"x": string}))]}),
            ),
            vec!["same-first-key /properties/a/anyOf/1"],
        ),
        // Annotations, formats of others and words of generators are taken.
        (
            one(
                &json!({"type": "string", "format": "uint32", "default": "x", "discriminator": {}, "title": "T"}),
            ),
            vec![],
        ),
        (
            one(&json!({"type": "number", "minimum": 1, "multipleOf": 2})),
            vec![],
        ),
        (
            one(&json!({"type": "array", "items": string, "minItems": 1, "maxItems": 3})),
            vec![],
        ),
    ];
    for (schema, expected) in rows {
        assert_eq!(errors(&schema, strict), expected, "{schema}");
        assert_eq!(
            errors(&schema, Dialect::OPENAI_STRICT_TOOLS),
            expected,
            "{schema}"
        );
    }
}

#[test]
fn openai_s_rules_of_references() {
    let strict = Dialect::OPENAI_STRICT;
    let mut with_sibling = one(&json!({"$ref": "#/$defs/d", "description": "x"}));
    with_sibling["$defs"] = json!({"d": {"type": "string"}});
    assert_eq!(
        errors(&with_sibling, strict),
        ["reference-siblings /properties/a/description"]
    );
    let mut recursive = one(&json!({"$ref": "#/$defs/n"}));
    recursive["$defs"] = json!({"n": object(&json!({"next": {"anyOf": [{"$ref": "#/$defs/n"}, {"type": "null"}]}}))});
    assert_eq!(errors(&recursive, strict), [""; 0]);
    assert_eq!(
        errors(&recursive, Dialect::CEREBRAS),
        ["recursion /$defs/n/properties/next/anyOf/0/$ref"]
    );
    assert_eq!(
        errors(&recursive, Dialect::GEMINI),
        ["recursion /$defs/n/properties/next/anyOf/0/$ref"]
    );
}

#[test]
fn limits_are_counted() {
    let strict = Dialect::OPENAI_STRICT;
    let many: serde_json::Map<String, Value> = (0..101)
        .map(|n| (format!("p{n}"), json!({"type": "string"})))
        .collect();
    let wide = object(&Value::Object(many));
    assert_eq!(errors(&wide, strict), [""; 0]);
    assert_eq!(errors(&wide, Dialect::AZURE), ["limit "]);
    let mut deep = json!({"type": "string"});
    for _ in 0..6 {
        deep = one(&deep);
    }
    assert_eq!(errors(&deep, strict), [""; 0]);
    assert_eq!(errors(&deep, Dialect::AZURE).len(), 1);
    let values: Vec<String> = (0..300).map(|n| format!("{n:060}")).collect();
    let large = one(&json!({"type": "string", "enum": values}));
    assert_eq!(errors(&large, strict), ["enum /properties/a/enum"]);
    let unions: serde_json::Map<String, Value> = (0..17)
        .map(|n| (format!("p{n}"), json!({"type": ["string", "null"]})))
        .collect();
    assert_eq!(
        errors(&object(&Value::Object(unions)), Dialect::ANTHROPIC),
        ["limit "]
    );
}

#[test]
fn other_upstreams_have_rules_of_their_own() {
    let string = json!({"type": "string"});
    let rows = [
        (
            Dialect::ANTHROPIC,
            one(&json!({"type": "array", "items": string, "minItems": 8})),
            vec!["bounds /properties/a/minItems"],
        ),
        (
            Dialect::ANTHROPIC,
            one(&json!({"type": "array", "items": string, "maxItems": 3})),
            vec!["keyword /properties/a/maxItems"],
        ),
        (
            Dialect::ANTHROPIC,
            one(&json!({"type": "string", "minLength": 6})),
            vec!["keyword /properties/a/minLength"],
        ),
        (
            Dialect::ANTHROPIC,
            one(&json!({"enum": [{"x": 1}]})),
            vec!["enum /properties/a/enum"],
        ),
        (
            Dialect::ANTHROPIC,
            one(&json!({"type": "string", "pattern": "(?=x)y"})),
            vec!["pattern /properties/a/pattern"],
        ),
        (
            Dialect::ANTHROPIC,
            one(&json!({"type": "string", "format": "int64"})),
            vec!["format /properties/a/format"],
        ),
        (
            Dialect::GEMINI,
            one(&json!({"enum": [true]})),
            vec!["enum /properties/a/enum"],
        ),
        (
            Dialect::CEREBRAS,
            one(&json!({"$ref": "#/definitions/d"})),
            vec!["reference /properties/a/$ref"],
        ),
        (Dialect::XAI, one(&json!(true)), vec!["type /properties/a"]),
        (
            Dialect::VLLM,
            one(&json!({"type": "string", "pattern": "x", "maxLength": 3})),
            vec!["pattern /properties/a/maxLength"],
        ),
        (
            Dialect::VLLM,
            one(&json!({"type": "array", "items": string, "uniqueItems": true})),
            vec!["keyword /properties/a/uniqueItems"],
        ),
        (
            Dialect::FIREWORKS,
            one(&json!({"oneOf": [string]})),
            vec!["keyword /properties/a/oneOf"],
        ),
        (Dialect::LLAMA_CPP, one(&json!({"not": string})), vec![]),
    ];
    for (dialect, schema, expected) in rows {
        assert_eq!(errors(&schema, dialect), expected, "{dialect} {schema}");
    }
}

#[test]
fn what_is_left_out_of_account_is_a_warning() {
    let rows = [
        (
            Dialect::GEMINI,
            json!({"type": "string", "pattern": "x"}),
            "keyword /properties/a/pattern",
        ),
        (
            Dialect::LLAMA_CPP,
            json!({"type": "number", "minimum": 1}),
            "bounds /properties/a/minimum",
        ),
        (
            Dialect::LLAMA_CPP,
            json!({"type": "string", "pattern": "x"}),
            "pattern /properties/a/pattern",
        ),
        (
            Dialect::OPENAI_STRICT,
            json!({"type": "string", "format": "uri"}),
            "format /properties/a/format",
        ),
        (
            Dialect::XAI,
            json!({"type": "string", "maxLength": 4096}),
            "bounds /properties/a/maxLength",
        ),
    ];
    for (dialect, property, expected) in rows {
        assert_eq!(
            found(&one(&property), dialect, Severity::Warning),
            [expected],
            "{dialect} {property}"
        );
        assert_eq!(
            errors(&one(&property), dialect),
            [""; 0],
            "{dialect} {property}"
        );
    }
}

#[test]
fn a_circle_of_references_is_named() {
    let schema = json!({"$ref": "#/definitions/A", "definitions": {
        "A": {"type": "object", "properties": {"b": {"$ref": "#/definitions/B", "description": "sib"}}},
        "B": {"type": "object", "properties": {"a": {"$ref": "#/definitions/A"}}}}});
    let findings = lint(&schema, Dialect::BEDROCK);
    let recursion: Vec<&Finding> = findings
        .iter()
        .filter(|finding| finding.rule() == "recursion")
        .collect();
    assert_eq!(recursion.len(), 1);
    assert!(
        recursion[0]
            .message()
            .contains("#/definitions/B → #/definitions/A"),
        "{}",
        recursion[0]
    );
    let endless = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}});
    assert!(
        errors(&endless, Dialect::MISTRAL)
            .iter()
            .any(|error| error.starts_with("recursion"))
    );
}

#[test]
fn words_that_are_none_get_a_hint() {
    let findings = lint(
        &one(&json!({"type": "string", "maxlength": 3, "propertis": {}})),
        Dialect::GEMINI,
    );
    let help: Vec<&str> = findings.iter().filter_map(Finding::help).collect();
    assert_eq!(
        help,
        ["\"maxLength\" may be meant", "\"properties\" may be meant"]
    );
    let findings = lint(&one(&json!({"type": "integer"})), Dialect::GEMINI);
    assert!(findings.is_empty());
    let id = object(&json!({"message_id": {"type": "integer"}}));
    assert_eq!(
        found(&id, Dialect::GEMINI, Severity::Info),
        ["integer-id /properties/message_id"]
    );
}

#[test]
fn nothing_is_too_odd_to_look_at() {
    for schema in [
        json!(true),
        json!([]),
        json!({"properties": 7, "required": "a", "enum": 1, "type": {}, "$ref": [], "anyOf": {}}),
        json!({"items": [[]], "$defs": {"a": 1}, "allOf": [1, null]}),
    ] {
        for dialect in Dialect::all() {
            lint(&schema, dialect);
        }
    }
}

/// So many of something, by their names.
fn named(count: usize, value: &Value) -> Value {
    let members = (0..count).map(|number| (format!("p{number}"), value.clone()));
    Value::Object(members.collect())
}

fn bytes(findings: &[Finding]) -> usize {
    let text = |finding: &Finding| finding.pointer().len() + finding.message().len();
    findings.iter().map(text).sum()
}

#[test]
fn what_there_is_no_room_for_is_counted_and_keeps_its_severity() {
    let long = "k".repeat(200_000);
    // 5,000 words that nobody knows, under one long name.
    let mut odd = named(5_000, &json!(0));
    odd["type"] = json!("string");
    odd["oneOf"] = json!([]);
    let schema = object(&json!({long.clone(): odd}));
    let findings = lint(&schema, Dialect::OPENAI_STRICT);
    assert!(bytes(&findings) < 40 << 20, "{}", bytes(&findings));
    let note = findings
        .iter()
        .find(|finding| finding.rule() == "too-many-findings")
        .unwrap();
    assert_eq!(note.severity(), Severity::Error, "{note}");
    // 5,000 schemas under one long name.
    let inner = json!({"type": "object", "properties": named(5_000, &json!({"type": "string"}))});
    let findings = lint(&object(&json!({long: inner})), Dialect::OPENAI_STRICT);
    assert!(bytes(&findings) < 40 << 20, "{}", bytes(&findings));
    let rules: Vec<&str> = findings.iter().map(Finding::rule).collect();
    assert!(rules.contains(&"too-many-schemas"), "{rules:?}");
}

#[test]
fn messages_quote_the_beginning_of_a_long_name() {
    let long = "k".repeat(10_000);
    let branch = object(&json!({long.clone(): {"type": "string"}}));
    let schema = json!({
        "type": "object",
        "properties": {"a": {"anyOf": [{"$ref": "#/$defs/b"}, {"$ref": "#/$defs/b"}]}},
        "$defs": {"b": branch, "c": {"format": long.clone(), long: 1}},
    });
    for dialect in Dialect::all() {
        for finding in lint(&schema, dialect) {
            assert!(finding.message().len() < 500, "{}", finding.rule());
        }
    }
}

#[test]
fn large_schemas_take_time_that_grows_as_they_do() {
    let text = json!({"type": "string"});
    let branches: Vec<Value> = (0..10_000)
        .map(|number| object(&json!({format!("k{number}"): text})))
        .collect();
    let values: Vec<Value> = (0..50_000).map(Value::from).collect();
    let names: Vec<String> = (0..10_000).map(|number| format!("p{number}")).collect();
    let reference = json!({"$ref": "#"});
    let ring: serde_json::Map<String, Value> = (0..5_000)
        .map(|number| {
            let next = json!({"$ref": format!("#/$defs/d{}", (number + 1) % 5_000)});
            let back = json!({"$ref": format!("#/$defs/d{}", number - i32::from(number > 0))});
            (
                format!("d{number}"),
                object(&json!({"next": next, "back": back})),
            )
        })
        .collect();
    for (what, schema) in [
        ("branches", one(&json!({"anyOf": branches}))),
        ("values", one(&json!({"enum": values}))),
        (
            "definitions",
            json!({"type": "object", "$defs": named(30_000, &text)}),
        ),
        (
            "recursive properties",
            json!({"type": "object", "properties": named(10_000, &reference), "required": names}),
        ),
        ("a ring", json!({"type": "object", "$defs": ring})),
    ] {
        for dialect in [Dialect::OPENAI_STRICT, Dialect::GEMINI] {
            let start = std::time::Instant::now();
            let findings = lint(&schema, dialect);
            let taken = start.elapsed();
            assert!(taken.as_secs() < 6, "{what}: {dialect}: {taken:?}");
            assert!(bytes(&findings) < 40 << 20, "{what}: {}", bytes(&findings));
        }
    }
}

#[test]
fn an_array_says_its_items_where_it_has_to() {
    let schema = one(&json!({"type": ["array", "null"]}));
    for dialect in [Dialect::OPENAI_STRICT_TOOLS, Dialect::PORTABLE] {
        assert!(errors(&schema, dialect).contains(&"items /properties/a".to_owned()));
        let lowered = crate::lower(&schema, dialect).unwrap();
        assert_eq!(errors(&lowered.schema, dialect), [""; 0], "{dialect}");
    }
    // Of response formats there is no such answer on record.
    assert_eq!(errors(&schema, Dialect::OPENAI_STRICT), [""; 0]);
}

#[test]
fn what_no_value_can_conform_to_is_said_whatever_the_dialect() {
    let string = json!({"type": "string"});
    let impossible = json!({
        "type": "object", "properties": {"a": string}, "required": ["a", "b"], "additionalProperties": false,
    });
    for dialect in Dialect::all() {
        assert!(
            errors(&json!(false), dialect).contains(&"impossible-root ".to_owned()),
            "{dialect}"
        );
        let said = lint(&impossible, dialect);
        assert!(
            said.iter()
                .any(|finding| finding.pointer() == "/required"
                    && finding.message().contains("\"b\"")),
            "{dialect}"
        );
    }
    let mut open = impossible;
    open["patternProperties"] = json!({"^b": string});
    assert_eq!(
        found(&open, Dialect::ANTHROPIC, Severity::Warning)
            .iter()
            .filter(|line| line.starts_with("impossible"))
            .count(),
        0
    );
}
