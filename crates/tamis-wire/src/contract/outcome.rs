//! What a response is that keeps the contract.

use std::fmt;

/// What a finished completion is.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// Text, which is not blank.
    Text(String),
    /// The model's own words for why it will not answer, which are not blank.
    Refusal(String),
    /// Calls of tools, at least one, in the order sent.
    ToolCalls(Vec<ToolCall>),
    /// The completion was cut short, whatever it holds.
    Incomplete(IncompleteReason),
}

/// The call of a function.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolCall {
    /// Unique in its message, and not empty.
    pub id: String,
    /// The function's name, not empty.
    pub name: String,
    /// The arguments as the model wrote them. They need not be JSON.
    pub arguments: String,
}

/// Why a completion was cut short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IncompleteReason {
    /// The limit on tokens was reached (`length`).
    Length,
    /// The provider's filter cut it (`content_filter`).
    ContentFilter,
}

impl IncompleteReason {
    /// The finish reason as sent.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Length => "length",
            Self::ContentFilter => "content_filter",
        }
    }
}

/// What it is and how long, not what it says.
impl fmt::Debug for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(formatter, "Text(<{} bytes>)", text.len()),
            Self::Refusal(text) => write!(formatter, "Refusal(<{} bytes>)", text.len()),
            Self::ToolCalls(calls) => formatter.debug_tuple("ToolCalls").field(calls).finish(),
            Self::Incomplete(reason) => formatter.debug_tuple("Incomplete").field(reason).finish(),
        }
    }
}

/// Without the arguments.
impl fmt::Debug for ToolCall {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ToolCall")
            .field("id", &self.id)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
