//! Whether a name matches a pattern, by the engine that validates.

use serde_json::{Value, json};

use crate::validate::Validator;

/// A pattern that cannot be read matches nothing.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    Validator::new(&json!({"pattern": pattern}))
        .is_ok_and(|validator| validator.is_valid(&Value::String(name.to_owned())))
}
