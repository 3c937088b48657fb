//! What can go wrong with one request, by name.

use std::fmt;

use serde::{Serialize, Serializer};

/// What went wrong with one request.
///
/// The names are stable: scripts may match on them.
///
/// ```
/// use tamis_smoke::Problem;
///
/// assert_eq!(Problem::OtherShape.name(), "other-shape");
/// assert_eq!(Problem::named("fenced"), Some(Problem::Fenced));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Problem {
    // An answer came, and it does not parse as sent.
    /// The JSON stands in a Markdown fence.
    Fenced,
    /// Text stands around the JSON, or in its place.
    Prose,
    /// The answer is almost JSON.
    BrokenJson,
    /// The answer is empty.
    Empty,
    /// The content is empty, and the JSON is in the reasoning.
    InReasoning,
    /// A limit cut the answer off.
    Truncated,
    /// The model declined.
    Refusal,
    /// A filter withheld the answer, or refused the prompt.
    ContentFilter,
    /// The model asks for tools, and does not answer.
    ToolCalls,
    // It parses, and does not conform.
    /// Valid JSON that has nothing of the schema's shape.
    OtherShape,
    /// The JSON comes as the text of a JSON string.
    DoubleEncoded,
    /// The schema's shape, with a violation in it.
    Violation,
    // It conforms, and is not right.
    /// Neither what was expected, nor what the judge calls right.
    Wrong,
    // No answer came.
    /// No byte, or nothing that carries on the answer, for longer than the timeouts allow.
    Hang,
    /// The stream ended before it said it was finished.
    Interrupted,
    /// The response is no completion.
    Malformed,
    /// The model or its endpoints do not take `json_schema`.
    Unsupported,
    /// The upstream does not take this schema.
    SchemaRejected,
    /// The upstream does not take this `tool_choice`.
    ToolChoiceRejected,
    /// No such model, or no endpoint of it is allowed.
    NoEndpoint,
    /// The prompt is longer than the context.
    ContextLength,
    /// The request was refused for another reason.
    Rejected,
    /// Too many requests.
    RateLimited,
    /// The key is missing, unknown, or may not do this.
    Authentication,
    /// Nothing left to spend.
    InsufficientCredits,
    /// The provider, or the service in front of it, failed.
    ProviderError,
    /// The connection failed.
    Network,
    /// Anything else.
    Unknown,
}

impl Problem {
    /// All of them, in the order in which a table lists them.
    pub const ALL: &'static [Self] = &[
        Self::Fenced,
        Self::Prose,
        Self::BrokenJson,
        Self::Empty,
        Self::InReasoning,
        Self::Truncated,
        Self::Refusal,
        Self::ContentFilter,
        Self::ToolCalls,
        Self::OtherShape,
        Self::DoubleEncoded,
        Self::Violation,
        Self::Wrong,
        Self::Hang,
        Self::Interrupted,
        Self::Malformed,
        Self::Unsupported,
        Self::SchemaRejected,
        Self::ToolChoiceRejected,
        Self::NoEndpoint,
        Self::ContextLength,
        Self::Rejected,
        Self::RateLimited,
        Self::Authentication,
        Self::InsufficientCredits,
        Self::ProviderError,
        Self::Network,
        Self::Unknown,
    ];

    /// The stable name, in kebab case.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// One line that says what it means.
    pub fn summary(self) -> &'static str {
        self.row().1
    }

    /// The problem of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|problem| problem.name() == name)
    }

    fn row(self) -> (&'static str, &'static str) {
        match self {
            Self::Fenced => ("fenced", "the JSON stands in a Markdown fence"),
            Self::Prose => ("prose", "text stands around the JSON, or in its place"),
            Self::BrokenJson => ("broken-json", "the answer is almost JSON"),
            Self::Empty => ("empty", "the answer is empty"),
            Self::InReasoning => (
                "in-reasoning",
                "the content is empty, and the JSON is in the reasoning",
            ),
            Self::Truncated => ("truncated", "the answer is cut off"),
            Self::Refusal => ("refusal", "the model declined"),
            Self::ContentFilter => (
                "content-filter",
                "a filter withheld the answer, or refused the prompt",
            ),
            Self::ToolCalls => ("tool-calls", "the model asks for tools instead"),
            Self::OtherShape => (
                "other-shape",
                "valid JSON that has nothing of the schema's shape",
            ),
            Self::DoubleEncoded => (
                "double-encoded",
                "the JSON comes as the text of a JSON string",
            ),
            Self::Violation => ("violation", "the JSON breaks the schema"),
            Self::Wrong => ("wrong", "the answer conforms, and is not right"),
            Self::Hang => ("hang", "nothing came for too long"),
            Self::Interrupted => (
                "interrupted",
                "the stream ended before it said it was finished",
            ),
            Self::Malformed => ("malformed", "the response is no completion"),
            Self::Unsupported => ("unsupported", "json_schema is not supported"),
            Self::SchemaRejected => ("schema-rejected", "the upstream rejects the schema"),
            Self::ToolChoiceRejected => (
                "tool-choice-rejected",
                "the upstream rejects the tool_choice",
            ),
            Self::NoEndpoint => (
                "no-endpoint",
                "no such model, or no endpoint of it is allowed",
            ),
            Self::ContextLength => (
                "context-length",
                "the prompt is longer than the model's context",
            ),
            Self::Rejected => ("rejected", "the request was refused"),
            Self::RateLimited => ("rate-limited", "too many requests"),
            Self::Authentication => ("authentication", "the key was refused"),
            Self::InsufficientCredits => ("insufficient-credits", "nothing left to spend"),
            Self::ProviderError => ("provider-error", "the provider failed"),
            Self::Network => ("network", "the connection failed"),
            Self::Unknown => ("unknown", "something else went wrong"),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl Serialize for Problem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Problem;

    #[test]
    fn names_are_unique_kebab_case_and_found_again() {
        let mut seen = BTreeSet::new();
        for problem in Problem::ALL {
            let name = problem.name();
            assert!(seen.insert(name), "{name} twice");
            assert!(name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'));
            assert!(!problem.summary().ends_with('.'), "{name}");
            assert_eq!(Problem::named(name), Some(*problem));
        }
        assert_eq!(Problem::named("nonsense"), None);
    }
}
