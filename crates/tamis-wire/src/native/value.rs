//! Looking into JSON objects.

use serde_json::{Map, Value};

/// An object's fields.
pub(crate) type Fields = Map<String, Value>;

/// Fields read as what they should be; what they are not reads as missing.
pub(crate) trait Object {
    fn str(&self, name: &str) -> Option<&str>;
    fn object(&self, name: &str) -> Option<&Fields>;
    fn array(&self, name: &str) -> &[Value];
    fn whole(&self, name: &str) -> Option<u64>;
    /// Whether the field is there, and is neither null nor an empty text, array or object.
    fn says(&self, name: &str) -> bool;
}

impl Object for Fields {
    fn str(&self, name: &str) -> Option<&str> {
        self.get(name)?.as_str()
    }

    fn object(&self, name: &str) -> Option<&Fields> {
        self.get(name)?.as_object()
    }

    fn array(&self, name: &str) -> &[Value] {
        self.get(name)
            .and_then(Value::as_array)
            .map(Vec::as_slice)
            .unwrap_or_default()
    }

    fn whole(&self, name: &str) -> Option<u64> {
        self.get(name)?.as_u64()
    }

    fn says(&self, name: &str) -> bool {
        self.get(name).is_some_and(says)
    }
}

/// Whether a value is neither null nor an empty text, array or object.
pub(crate) fn says(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        _ => true,
    }
}

/// Takes a text out.
pub(crate) fn text(fields: &mut Fields, name: &str) -> Option<String> {
    match fields.get_mut(name)? {
        Value::String(text) => Some(std::mem::take(text)),
        _ => None,
    }
}
