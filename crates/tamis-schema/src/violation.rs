//! One place where a value breaks a schema.

use std::fmt;

use serde::Serialize;

/// One place where a value breaks the schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// The JSON Pointer to the place in the value.
    pub instance: String,
    /// The JSON Pointer to the keyword in the schema. Within a part that has its own `$id`, it starts
    /// at that part.
    pub schema: String,
    /// The keyword that is broken; `falseSchema` where the schema is `false`, and empty where the
    /// value could not be checked, or not be brought back from a lowered schema's shape.
    pub keyword: String,
    /// What is wrong, in plain words. It may quote the value, shortened if long. The wording may
    /// change.
    pub message: String,
    #[serde(skip)]
    pub(crate) masked: String,
}

impl Violation {
    /// What is wrong, in words that hold nothing of the value, neither its strings and numbers nor
    /// the names of its properties, unless the schema itself has them.
    pub fn masked_message(&self) -> &str {
        &self.masked
    }

    /// A value that could not be checked does not conform.
    pub(crate) fn unchecked(reason: &str) -> Self {
        Self {
            instance: String::new(),
            schema: String::new(),
            keyword: String::new(),
            message: reason.to_owned(),
            masked: reason.to_owned(),
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.instance.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{} at {}", self.message, self.instance)
        }
    }
}
