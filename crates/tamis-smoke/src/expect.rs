//! What an answer must contain.

use serde_json::Value;

/// JSON that a right answer contains.
///
/// - An object is contained in an object that has each of its properties with a value that
///   contains the expected one; further properties do not matter.
/// - A list is contained in a list that has items containing the expected ones in the same order;
///   further items before, between and after them do not matter.
/// - Numbers are compared by value (`1` is `1.0`), everything else has to be equal.
///
/// ```
/// use serde_json::json;
/// use tamis_smoke::Expectation;
///
/// let expected = Expectation::new(json!({"items": [{"sku": "B"}]}));
/// assert_eq!(expected.mismatch(&json!({"id": 7, "items": [{"sku": "A"}, {"sku": "B", "n": 2}]})), None);
/// let mismatch = expected.mismatch(&json!({"items": []})).unwrap();
/// assert_eq!(mismatch.pointer, "/items");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    value: Value,
}

/// Where an answer does not contain what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mismatch {
    /// JSON Pointer into the answer.
    pub pointer: String,
    /// What is wrong, in words.
    pub message: String,
}

impl Expectation {
    /// Answers must contain this.
    pub fn new(value: Value) -> Self {
        Self { value }
    }

    /// The first place where the answer does not contain what is expected; none where it does.
    ///
    /// Takes time linear in the answer and the expectation.
    pub fn mismatch(&self, answer: &Value) -> Option<Mismatch> {
        compare(&self.value, answer, "").err()
    }
}

fn compare(expected: &Value, actual: &Value, pointer: &str) -> Result<(), Mismatch> {
    match (expected, actual) {
        (Value::Object(expected), Value::Object(actual)) => {
            for (key, wanted) in expected {
                let place = format!("{pointer}/{}", escape(key));
                let Some(found) = actual.get(key) else {
                    return Err(mismatch(
                        &place,
                        format!("expected {}, and it is missing", brief(wanted)),
                    ));
                };
                compare(wanted, found, &place)?;
            }
            Ok(())
        }
        (Value::Array(expected), Value::Array(actual)) => {
            let mut rest = actual.iter();
            for (index, wanted) in expected.iter().enumerate() {
                // The first item that fits is never a worse choice than a later one.
                if !rest.any(|found| contains(wanted, found)) {
                    return Err(mismatch(
                        pointer,
                        format!("no item contains expected item {index}, {}", brief(wanted)),
                    ));
                }
            }
            Ok(())
        }
        (expected, actual) if equal(expected, actual) => Ok(()),
        (expected, actual) => Err(mismatch(
            pointer,
            format!("expected {}, got {}", brief(expected), brief(actual)),
        )),
    }
}

fn contains(expected: &Value, actual: &Value) -> bool {
    match (expected, actual) {
        (Value::Object(expected), Value::Object(actual)) => expected
            .iter()
            .all(|(key, wanted)| actual.get(key).is_some_and(|found| contains(wanted, found))),
        (Value::Array(expected), Value::Array(actual)) => {
            let mut rest = actual.iter();
            expected
                .iter()
                .all(|wanted| rest.any(|found| contains(wanted, found)))
        }
        (expected, actual) => equal(expected, actual),
    }
}

fn equal(expected: &Value, actual: &Value) -> bool {
    match (expected, actual) {
        (Value::Number(a), Value::Number(b)) => {
            a == b
                || match (a.as_i128(), b.as_i128()) {
                    (Some(a), Some(b)) => a == b,
                    _ => a.as_f64().is_some() && a.as_f64() == b.as_f64(),
                }
        }
        (expected, actual) => expected == actual,
    }
}

fn mismatch(pointer: &str, message: String) -> Mismatch {
    Mismatch {
        pointer: pointer.to_owned(),
        message,
    }
}

fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// A value on one short line.
fn brief(value: &Value) -> String {
    const MOST: usize = 80;
    let text = value.to_string();
    match text.char_indices().nth(MOST) {
        None => text,
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::{Expectation, contains};

    #[test]
    fn contained_or_not() {
        let rows = [
            (json!({}), json!({"a": 1}), true),
            (json!({"a": 1}), json!({"a": 1.0, "b": 2}), true),
            (json!({"a": 1}), json!({"a": "1"}), false),
            (json!({"a": null}), json!({}), false),
            (
                json!({"a": {"b": [2]}}),
                json!({"a": {"b": [1, 2, 3]}}),
                true,
            ),
            (json!([1, 2]), json!([1, 5, 2]), true),
            (json!([2, 1]), json!([1, 2]), false),
            (json!([1, 1]), json!([1]), false),
            (json!([]), json!([1]), true),
            (json!([]), json!({}), false),
            (json!({}), json!([]), false),
            (json!(true), json!(1), false),
            (json!("x"), json!("X"), false),
            (
                json!(9_007_199_254_740_993_i64),
                json!(9_007_199_254_740_992_i64),
                false,
            ),
        ];
        for (expected, answer, holds) in rows {
            let mismatch = Expectation::new(expected.clone()).mismatch(&answer);
            assert_eq!(mismatch.is_none(), holds, "{expected} in {answer}");
        }
    }

    #[test]
    fn says_where() {
        let expected = Expectation::new(json!({"a/b": [{"x": 1}], "c": {"d~": 2}}));
        let at = |answer: Value| expected.mismatch(&answer).map(|found| found.pointer);
        assert_eq!(at(json!({"c": {}})).as_deref(), Some("/a~1b"));
        assert_eq!(
            at(json!({"a/b": [{"x": 1}], "c": {"d~": 3}})).as_deref(),
            Some("/c/d~0")
        );
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (-3_i64..3).prop_map(Value::from),
            "[ab]{0,2}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("[abc]", inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn everything_contains_itself_and_a_verdict_is_one(a in any_json(), b in any_json()) {
            prop_assert_eq!(Expectation::new(a.clone()).mismatch(&a), None);
            let found = Expectation::new(a.clone()).mismatch(&b);
            prop_assert_eq!(found.is_none(), contains(&a, &b));
        }
    }
}
