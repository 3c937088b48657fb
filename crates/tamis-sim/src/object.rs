//! Members of a JSON value that is known to be an object.

use serde_json::Value;

/// Sets a member; a value that is no object stays as it is.
pub(crate) fn set(object: &mut Value, key: &str, value: impl Into<Value>) {
    if let Some(object) = object.as_object_mut() {
        object.insert(key.to_owned(), value.into());
    }
}
