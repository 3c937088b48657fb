//! Values as text that is the same for equal values.

use serde_json::{Number, Value};

/// A value's text; none where it holds a number of which two spellings may be equal and are not known
/// to be.
pub(super) fn canonical(value: &Value) -> Option<String> {
    let mut text = String::new();
    write(value, &mut text)?;
    Some(text)
}

/// The parser's depth limit bounds the recursion.
fn write(value: &Value, text: &mut String) -> Option<()> {
    match value {
        Value::Number(number) => text.push_str(&canonical_number(number)?),
        Value::Array(items) => {
            text.push('[');
            for item in items {
                write(item, text)?;
                text.push(',');
            }
            text.push(']');
        }
        Value::Object(members) => {
            // Equal objects may differ in their order.
            let mut names: Vec<&String> = members.keys().collect();
            names.sort_unstable();
            text.push('{');
            for name in names {
                text.push_str(&Value::String(name.clone()).to_string());
                text.push(':');
                write(members.get(name)?, text)?;
                text.push(',');
            }
            text.push('}');
        }
        scalar => text.push_str(&scalar.to_string()),
    }
    Some(())
}

/// 1 and 1.0 are equal.
fn canonical_number(number: &Number) -> Option<String> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.is_i64() || number.is_u64() {
        return Some(number.to_string());
    }
    let float = number.as_f64()?;
    if float.fract() == 0.0 {
        // Beyond this two integers may be one float.
        return (float.abs() < EXACT).then(|| format!("{float:.0}").replace("-0", "0"));
    }
    Some(number.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::canonical;

    #[test]
    fn equal_values_have_the_same_text() {
        for (a, b) in [
            (json!(1), json!(1.0)),
            (json!(0), json!(-0.0)),
            (json!({"a": 1, "b": [2]}), json!({"b": [2.0], "a": 1})),
        ] {
            assert_eq!(canonical(&a), canonical(&b), "{a} {b}");
        }
        for (a, b) in [
            (json!(1), json!("1")),
            (json!([1, 2]), json!([12])),
            (json!({"a": "b,"}), json!({"a": "b", "": ""})),
            (json!(1), json!(true)),
            (json!(10), json!(-10)),
        ] {
            assert_ne!(canonical(&a), canonical(&b), "{a} {b}");
        }
        assert_eq!(canonical(&json!([1e300])), None);
    }
}
