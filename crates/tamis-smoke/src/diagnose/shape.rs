//! A value that does not conform.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::text::double_encoded;
use crate::finding::{Finding, MOST_VIOLATIONS, Place};
use crate::problem::Problem;

/// A schema that refers to itself is followed so far.
const MOST_STEPS: usize = 32;

/// Names what is wrong with a value: these violations, of this schema.
pub(crate) fn value(value: &Value, text: &str, schema: &Value, violations: Vec<Place>) -> Finding {
    let mut finding = name(value, schema, &violations).with_offending(text);
    finding.violations = violations;
    finding.violations.truncate(MOST_VIOLATIONS);
    finding
}

fn name(value: &Value, schema: &Value, violations: &[Place]) -> Finding {
    let first = violations.first();
    if let Value::String(inner) = value
        && first.is_some_and(|place| place.instance.is_empty())
        && matches!(
            serde_json::from_str::<Value>(inner),
            Ok(Value::Object(_) | Value::Array(_))
        )
    {
        return double_encoded();
    }
    let wrong_type = violations
        .iter()
        .find(|place| place.instance.is_empty() && place.keyword == "type");
    if let Some(place) = wrong_type {
        return Finding::new(Problem::OtherShape, place.message.clone());
    }
    if let Value::Object(map) = value
        && is_foreign(map, schema)
    {
        return Finding::new(
            Problem::OtherShape,
            "none of its properties is in the schema",
        );
    }
    let Some(place) = first else {
        return Finding::new(Problem::Violation, "it does not conform");
    };
    let at = match place.instance.as_str() {
        "" => String::new(),
        pointer => format!("{pointer}: "),
    };
    let more = match violations.len() {
        1 => String::new(),
        count => format!(" (and {} more)", count - 1),
    };
    Finding::new(Problem::Violation, format!("{at}{}{more}", place.message))
}

/// Whether an object shares no property with a schema that names some.
fn is_foreign(map: &Map<String, Value>, schema: &Value) -> bool {
    let mut names = BTreeSet::new();
    let mut steps = MOST_STEPS;
    collect(schema, schema, &mut names, &mut steps);
    !names.is_empty() && !map.keys().any(|key| names.contains(key.as_str()))
}

/// The properties that the root may have, through references and branches.
fn collect<'a>(
    root: &'a Value,
    schema: &'a Value,
    names: &mut BTreeSet<&'a str>,
    steps: &mut usize,
) {
    let Some(left) = steps.checked_sub(1) else {
        return;
    };
    *steps = left;
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        names.extend(properties.keys().map(String::as_str));
    }
    let target = schema
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|reference| root.pointer(reference.strip_prefix('#')?));
    if let Some(target) = target {
        collect(root, target, names, steps);
    }
    for branches in ["allOf", "anyOf", "oneOf"] {
        let list = schema.get(branches).and_then(Value::as_array);
        for branch in list.into_iter().flatten() {
            collect(root, branch, names, steps);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::value;
    use crate::finding::Place;
    use crate::problem::Problem::{self, *};

    fn place(instance: &str, keyword: &str) -> Place {
        Place {
            instance: instance.to_owned(),
            schema: format!("/{keyword}"),
            keyword: keyword.to_owned(),
            message: format!("{keyword} does not hold"),
        }
    }

    fn name(answer: &Value, schema: &Value, places: Vec<Place>) -> Problem {
        value(answer, &answer.to_string(), schema, places).problem
    }

    #[test]
    fn each_value_has_its_name() {
        let schema =
            json!({"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a", "b"]});
        let branches = json!({"$ref": "#/$defs/x", "$defs": {"x": {"anyOf": [
            {"properties": {"a": {}}}, {"properties": {"b": {}}}]}}});
        let looping = json!({"$ref": "#"});
        let rows = [
            (json!([1]), &schema, place("", "type"), OtherShape),
            (json!("text"), &schema, place("", "type"), OtherShape),
            (
                json!("{\"a\":1}"),
                &schema,
                place("", "type"),
                DoubleEncoded,
            ),
            (json!({"z": 1}), &schema, place("", "required"), OtherShape),
            (json!({}), &schema, place("", "required"), OtherShape),
            (json!({"a": 1}), &schema, place("", "required"), Violation),
            (json!({"a": 1}), &schema, place("/a", "type"), Violation),
            (json!({"b": 1}), &branches, place("", "anyOf"), Violation),
            (json!({"z": 1}), &branches, place("", "anyOf"), OtherShape),
            (json!({"z": 1}), &looping, place("/z", "type"), Violation),
        ];
        for (answer, schema, place, problem) in rows {
            assert_eq!(name(&answer, schema, vec![place]), problem, "{answer}");
        }
    }

    #[test]
    fn a_violation_tells_its_place_and_how_many_more() {
        let schema = json!({"properties": {"a": {}}});
        let places = vec![place("/a", "type"), place("/b", "enum")];
        let finding = value(&json!({"a": 1}), "{\"a\":1}", &schema, places);
        assert_eq!(finding.detail, "/a: type does not hold (and 1 more)");
        assert_eq!(finding.violations.len(), 2);
    }
}
