//! Why a smoke test could not be made.

use std::fmt;

/// Why a smoke test could not be made: a mistake in what it was asked to do. What an endpoint does
/// wrong is no such error, but a finding.
#[derive(Debug)]
pub struct SmokeError {
    message: String,
}

impl SmokeError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
        }
    }
}

impl fmt::Display for SmokeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for SmokeError {}
