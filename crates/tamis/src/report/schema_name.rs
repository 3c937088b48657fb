//! A name for a schema that has none.

use serde_json::Value;
use tamis_schema::MAX_NAME_LEN;

/// A name for a schema, made from its `title` and fit to be sent: `answer` where it has none.
///
/// ```
/// let schema = serde_json::json!({"title": "Shipping info (EU)", "type": "object"});
/// assert_eq!(tamis::report::schema_name(&schema), "Shipping_info_EU");
/// ```
pub fn schema_name(schema: &Value) -> String {
    let title = schema.get("title").and_then(Value::as_str);
    let mut name = String::new();
    for character in title.unwrap_or_default().chars() {
        if name.len() >= MAX_NAME_LEN {
            break;
        }
        if character.is_ascii_alphanumeric() || character == '-' {
            name.push(character);
        } else if !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
    }
    let name = name.trim_end_matches('_');
    if name.is_empty() { "answer" } else { name }.to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tamis_schema::check_name;

    use super::schema_name;

    #[test]
    fn every_title_gives_a_valid_name() {
        for title in [
            "",
            " ",
            "Adresse für Versand",
            "日本",
            "a\n",
            &"x".repeat(99),
            "__",
        ] {
            let name = schema_name(&json!({"title": title}));
            assert!(check_name(&name).is_ok(), "{title:?} gave {name:?}");
        }
        assert_eq!(schema_name(&json!({"title": 5})), "answer");
        assert_eq!(schema_name(&json!(true)), "answer");
    }
}
