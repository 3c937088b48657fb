//! Which rule a response breaks.

use std::fmt;

/// A response that breaks the strict contract.
///
/// It names the rule and holds nothing of the response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractError {
    kind: ContractErrorKind,
}

/// The rule that a [`ContractError`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ContractErrorKind {
    /// The status is not 2xx.
    HttpStatus,
    /// The body is over the limit.
    BodyLimit,
    /// The body is not JSON.
    InvalidJson,
    /// The body is not a `chat.completion` object.
    WrongProtocol,
    /// `choices` is not an array of exactly one.
    ExpectedOneChoice,
    /// The choice is not an object with the index 0.
    InvalidChoice,
    /// The message is not an object with the role `assistant`.
    InvalidMessage,
    /// The finish reason is not a string, or a refusal did not stop with `stop`.
    InvalidFinishReason,
    /// The refusal is not a string, or blank, or beside tool calls.
    InvalidRefusal,
    /// The tool calls are not an array of at least one.
    InvalidToolCalls,
    /// A tool call is not of the type `function`.
    UnsupportedTool,
    /// A tool call lacks its id, function, name or arguments, or its id came before.
    InvalidFunctionCall,
    /// The finish reason is none that the contract knows, or tool calls came beside `stop`.
    UnsupportedFinishReason,
    /// The content is not a string, or blank.
    MissingText,
}

impl ContractErrorKind {
    const fn code_and_words(self) -> (&'static str, &'static str) {
        match self {
            Self::HttpStatus => ("http_status", "the HTTP status is not 2xx"),
            Self::BodyLimit => ("body_limit", "the body is larger than the limit"),
            Self::InvalidJson => ("invalid_json", "the body is not JSON"),
            Self::WrongProtocol => ("wrong_protocol", "the body is not a chat.completion object"),
            Self::ExpectedOneChoice => (
                "expected_one_choice",
                "choices is not an array of exactly one",
            ),
            Self::InvalidChoice => ("invalid_choice", "the choice is not an object with index 0"),
            Self::InvalidMessage => (
                "invalid_message",
                "the message is not an object with the role assistant",
            ),
            Self::InvalidFinishReason => (
                "invalid_finish_reason",
                "the finish reason is not a string, or a refusal did not stop with stop",
            ),
            Self::InvalidRefusal => (
                "invalid_refusal",
                "the refusal is not a string, is blank, or comes with tool calls",
            ),
            Self::InvalidToolCalls => (
                "invalid_tool_calls",
                "the tool calls are not an array of at least one",
            ),
            Self::UnsupportedTool => (
                "unsupported_tool",
                "a tool call is not of the type function",
            ),
            Self::InvalidFunctionCall => (
                "invalid_function_call",
                "a tool call lacks a unique id, a function, a name or string arguments",
            ),
            Self::UnsupportedFinishReason => (
                "unsupported_finish_reason",
                "the finish reason is unknown, or tool calls come with stop",
            ),
            Self::MissingText => ("missing_text", "the content is not a string, or is blank"),
        }
    }
}

impl ContractError {
    /// The rule that was broken.
    pub const fn kind(&self) -> ContractErrorKind {
        self.kind
    }

    /// The rule's code, as in the table of the [contract](super). Codes are stable.
    pub const fn code(&self) -> &'static str {
        self.kind.code_and_words().0
    }
}

impl From<ContractErrorKind> for ContractError {
    fn from(kind: ContractErrorKind) -> Self {
        Self { kind }
    }
}

impl fmt::Display for ContractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (code, words) = self.kind.code_and_words();
        write!(f, "{words} ({code})")
    }
}

impl std::error::Error for ContractError {}
