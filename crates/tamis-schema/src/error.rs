//! Why a schema cannot be used.

use std::fmt;

/// A schema that is not valid JSON Schema, or that cannot be used without fetching something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError {
    pointer: String,
    reason: String,
}

impl SchemaError {
    pub(crate) fn new(pointer: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            pointer: pointer.into(),
            reason: reason.into(),
        }
    }

    /// The JSON Pointer to the place in the schema; empty for its root, and where the place is not
    /// known.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// What is wrong there, in plain words. The wording may change. It may quote the schema.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pointer.is_empty() {
            write!(f, "the schema is not usable: {}", self.reason)
        } else {
            write!(
                f,
                "the schema is not usable at {}: {}",
                self.pointer, self.reason
            )
        }
    }
}

impl std::error::Error for SchemaError {}
