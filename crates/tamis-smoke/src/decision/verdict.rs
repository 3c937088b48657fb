//! The four verdicts.

use std::fmt;

use serde::Serialize;

/// Whether the endpoint may be trusted with the schema; a later one is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Verdict {
    /// The measurement was ended before it could say.
    Undecided,
    /// Too little passes: take another model.
    Switch,
    /// It depends on which provider serves: pin the one that is named.
    Pin,
    /// Enough passes, and it is clear who serves.
    Ship,
}

impl Verdict {
    /// The word, as in the JSON report.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Undecided => "undecided",
            Self::Switch => "switch",
            Self::Pin => "pin",
            Self::Ship => "ship",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}
