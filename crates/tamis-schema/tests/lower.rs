//! Lowering and lifting: for every dialect, generated schemas and values that conform to them.

#![expect(
    clippy::unwrap_used,
    clippy::too_many_lines,
    clippy::indexing_slicing,
    clippy::expect_used,
    clippy::panic,
    reason = "tests fail by panicking; one arm for each kind of schema"
)]

use generate::case;
use jsonschema::canonical::Containment;
use proptest::prelude::*;
use serde_json::{Value, json};
use tamis_schema::{Dialect, Effect, Lowering, Severity, Validator, lint};

#[path = "common/gen.rs"]
mod generate;

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
