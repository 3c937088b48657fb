//! What a response is that keeps the contract.

/// What a finished completion is.
#[derive(Clone, Debug, PartialEq, Eq)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
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
