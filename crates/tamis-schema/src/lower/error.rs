//! Why a schema cannot be lowered.

use std::fmt;

/// A schema that cannot be made acceptable to a dialect, with every reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LowerError {
    dialect: &'static str,
    reasons: Vec<LowerReason>,
}

/// One reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LowerReason {
    pointer: String,
    message: String,
}

impl LowerReason {
    pub(crate) fn new(pointer: &str, message: impl Into<String>) -> Self {
        Self {
            pointer: pointer.to_owned(),
            message: message.into(),
        }
    }

    /// The JSON Pointer to the place: in the caller's schema, or, where a limit is passed, in the
    /// lowered one.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// What stands in the way, in plain words. The wording may change. It may quote the schema.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl LowerError {
    pub(crate) fn new(dialect: &'static str, reasons: Vec<LowerReason>) -> Self {
        Self { dialect, reasons }
    }

    /// Every reason.
    pub fn reasons(&self) -> &[LowerReason] {
        &self.reasons
    }

    /// The dialect's name.
    pub fn dialect(&self) -> &'static str {
        self.dialect
    }
}

impl fmt::Display for LowerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the schema cannot be lowered to {}", self.dialect)?;
        for (index, reason) in self.reasons.iter().enumerate() {
            f.write_str(if index == 0 { ": " } else { "; " })?;
            if reason.pointer.is_empty() {
                f.write_str(&reason.message)?;
            } else {
                write!(f, "{} at {}", reason.message, reason.pointer)?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for LowerError {}
