//! Constraints that an upstream does not take, put into words for the model.

use std::fmt::Write as _;

use serde_json::{Map, Value};

/// How much of a keyword's own JSON is quoted, in bytes.
const MAX_QUOTE: usize = 400;
/// How much of a list of values is quoted, in bytes.
const MAX_LIST: usize = 4000;

/// One sentence for a constraint; `None` where it says nothing.
pub(crate) fn sentence(keyword: &str, value: &Value) -> Option<String> {
    let count = |what: &str| {
        let plural = if value.as_u64() == Some(1) { "" } else { "s" };
        format!("{value} {what}{plural}")
    };
    let text = match keyword {
        "minLength" | "minItems" | "minProperties" if value.as_f64() == Some(0.0) => return None,
        "minLength" => format!("At least {}.", count("character")),
        "maxLength" => format!("At most {}.", count("character")),
        "minItems" => format!("At least {}.", count("item")),
        "maxItems" => format!("At most {}.", count("item")),
        "minProperties" => format!("At least {} present.", count("key")),
        "maxProperties" => format!("At most {} present.", count("key")),
        "uniqueItems" => {
            if *value == Value::Bool(false) {
                return None;
            }
            "No two items are equal.".to_owned()
        }
        "minimum" => format!("At least {value}."),
        "maximum" => format!("At most {value}."),
        "exclusiveMinimum" => format!("More than {value}."),
        "exclusiveMaximum" => format!("Less than {value}."),
        "multipleOf" => format!("A multiple of {value}."),
        "pattern" => format!("Matches the regular expression {}", quote(value)),
        "format" => format!("Format: {}.", plain(value)),
        "const" => format!("Always {}.", quote(value)),
        "enum" => match value {
            Value::Array(values) => format!("One of: {}.", list(values)),
            _ => return None,
        },
        "default" => {
            if value.is_null() {
                return None;
            }
            format!("Default: {}.", quote(value))
        }
        "examples" => match value {
            Value::Array(values) if !values.is_empty() => {
                format!("For example: {}.", short(&list(values)))
            }
            _ => return None,
        },
        "not" => format!("Must not conform to {}.", quote(value)),
        "contains" => format!("At least one item conforms to {}.", quote(value)),
        "propertyNames" => format!("Every key conforms to {}.", quote(value)),
        _ => format!("{keyword}: {}.", quote(value)),
    };
    Some(text)
}

/// Each value as JSON, as many as fit.
pub(crate) fn list(values: &[Value]) -> String {
    let mut text = String::new();
    for (index, value) in values.iter().enumerate() {
        let one = value.to_string();
        if text.len() + one.len() > MAX_LIST {
            let left = values.len() - index;
            let _written = write!(text, ", and {left} more");
            break;
        }
        if index > 0 {
            text.push_str(", ");
        }
        text.push_str(&one);
    }
    text
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| quote(value), short)
}

fn quote(value: &Value) -> String {
    short(&value.to_string())
}

fn short(text: &str) -> String {
    if text.len() <= MAX_QUOTE {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(MAX_QUOTE);
    format!("{}\u{2026}", text.get(..end).unwrap_or_default())
}

/// Adds sentences to a schema's description.
pub(crate) fn describe(schema: &mut Map<String, Value>, sentences: &[String]) {
    if sentences.is_empty() {
        return;
    }
    let words = sentences.join(" ");
    let text = match schema.get("description").and_then(Value::as_str) {
        Some("") | None => words,
        Some(text) if text.ends_with(['.', '!', '?', ':', '\n']) => format!("{text} {words}"),
        Some(text) => format!("{text}. {words}"),
    };
    schema.insert("description".to_owned(), Value::String(text));
}
