//! How deep a schema and a value are, measured without recursion.

use std::collections::BTreeSet;

use serde_json::Value;

/// How deep a schema may be nested.
pub const MAX_SCHEMA_DEPTH: usize = 128;

/// How deep a value may be nested to be checked.
pub const MAX_INSTANCE_DEPTH: usize = 512;

/// The arrays and objects on the longest way into the value, or `None` if they are more than `max`.
pub(crate) fn depth(value: &Value, max: usize) -> Option<usize> {
    let mut deepest = 0;
    walk(value, |depth, _| {
        deepest = deepest.max(depth);
        depth <= max
    })
    .then_some(deepest)
}

/// How long the JSON Pointers to all members and items are together, or `None` if that is more than `max`.
pub(crate) fn pointer_bytes(value: &Value, max: usize) -> Option<usize> {
    let mut sum: usize = 0;
    let mut open = vec![(0, value)];
    while let Some((length, value)) = open.pop() {
        match value {
            Value::Array(items) => {
                // A slash and some digits.
                let inner = length + 4;
                sum = sum.saturating_add(items.len().saturating_mul(inner));
                open.extend(
                    items
                        .iter()
                        .filter(|item| is_container(item))
                        .map(|item| (inner, item)),
                );
            }
            Value::Object(members) => {
                for (key, member) in members {
                    let inner = length + key.len() + 1;
                    sum = sum.saturating_add(inner);
                    if is_container(member) {
                        open.push((inner, member));
                    }
                }
            }
            _ => {}
        }
        if sum > max {
            return None;
        }
    }
    Some(sum)
}

/// How many places a schema's references lead to, at most.
pub(crate) fn reference_targets(schema: &Value) -> usize {
    let (mut targets, mut count, mut bases) = (BTreeSet::new(), 0_usize, 1_usize);
    walk(schema, |_, value| {
        if let Value::Object(object) = value {
            for key in ["$ref", "$dynamicRef", "$recursiveRef"] {
                if let Some(target) = object.get(key) {
                    count += 1;
                    targets.insert(target.as_str().unwrap_or_default());
                }
            }
            bases += usize::from(object.contains_key("$id") || object.contains_key("id"));
        }
        true
    });
    // The same text may mean another place under another base.
    count.min(targets.len().saturating_mul(bases))
}

/// Visits every array and object with its depth, from 1, until the visitor says no.
fn walk<'a>(value: &'a Value, mut visit: impl FnMut(usize, &'a Value) -> bool) -> bool {
    let mut open = vec![(1, value)];
    while let Some((depth, value)) = open.pop() {
        let inner = depth + 1;
        match value {
            Value::Array(items) => {
                open.extend(
                    items
                        .iter()
                        .filter(|item| is_container(item))
                        .map(|item| (inner, item)),
                );
            }
            Value::Object(members) => {
                open.extend(
                    members
                        .values()
                        .filter(|member| is_container(member))
                        .map(|member| (inner, member)),
                );
            }
            _ => continue,
        }
        if !visit(depth, value) {
            return false;
        }
    }
    true
}

fn is_container(value: &Value) -> bool {
    value.is_array() || value.is_object()
}

/// The JSON Pointer of the first string under one of the keys that the test accepts.
pub(crate) fn find_text(
    schema: &Value,
    keys: &[&str],
    accept: impl Fn(&str) -> bool,
) -> Option<String> {
    let mut open = vec![(String::new(), schema)];
    while let Some((pointer, value)) = open.pop() {
        let start = open.len();
        match value {
            Value::Array(items) => {
                for (index, item) in items
                    .iter()
                    .enumerate()
                    .filter(|(_, item)| is_container(item))
                {
                    open.push((format!("{pointer}/{index}"), item));
                }
            }
            Value::Object(members) => {
                for key in keys {
                    if members
                        .get(*key)
                        .and_then(Value::as_str)
                        .is_some_and(&accept)
                    {
                        return Some(format!("{pointer}/{key}"));
                    }
                }
                for (key, member) in members.iter().filter(|(_, member)| is_container(member)) {
                    let key = key.replace('~', "~0").replace('/', "~1");
                    open.push((format!("{pointer}/{key}"), member));
                }
            }
            _ => {}
        }
        // The first of the document is looked at first.
        if let Some(added) = open.get_mut(start..) {
            added.reverse();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn depth_counts_arrays_and_objects() {
        for (value, expected) in [
            (json!(1), 0),
            (json!("x"), 0),
            (json!([]), 1),
            (json!({"a": 1, "b": [1, {"c": {}}], "d": [[]]}), 4),
        ] {
            assert_eq!(depth(&value, 4), Some(expected));
        }
        assert_eq!(depth(&json!([[[]]]), 2), None);
    }

    #[test]
    fn pointers_are_measured_without_being_made() {
        let value = json!({"ab": {"c": 1, "d": [true, {}]}, "e": null});
        // /ab, /ab/c, /ab/d, two items, /e
        assert_eq!(pointer_bytes(&value, 100), Some(3 + 5 + 5 + 9 + 9 + 2));
        assert_eq!(pointer_bytes(&value, 32), None);
        let members: serde_json::Map<_, _> =
            (0..5_000).map(|n| (n.to_string(), json!({}))).collect();
        let long = json!({"k".repeat(200_000): members});
        assert_eq!(pointer_bytes(&long, 500 << 20), None);
    }

    #[test]
    fn targets_of_references_count_once() {
        let schema = json!({
            "$ref": "#/a",
            "a": {"$dynamicRef": "#b", "c": [{"$ref": "#"}, {"$ref": "#/a"}, 1]},
        });
        assert_eq!(reference_targets(&schema), 3);
        assert_eq!(reference_targets(&json!([schema, {"$id": "other"}])), 4);
        assert_eq!(reference_targets(&json!(true)), 0);
    }

    #[test]
    fn the_first_text_is_found() {
        let schema =
            json!({"a/b": [{"x": "no"}, {"~": {"x": "yes"}}], "z": {"x": "yes"}, "y": "yes"});
        let found = find_text(&schema, &["x"], |text| text == "yes");
        assert_eq!(found.as_deref(), Some("/a~1b/1/~0/x"));
        assert_eq!(find_text(&schema, &["x"], |text| text == "maybe"), None);
    }
}
