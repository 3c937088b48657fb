//! The protocols in which an answer can be asked for.

use std::fmt;

/// The protocols in which an answer can be asked for, and comes back.
///
/// OpenRouter and several local servers speak all three. Whatever the protocol, what comes is read as a
/// [`Completion`](crate::Completion); the body in the protocol's own shape stays with it, see
/// [`Completion::response`](crate::Completion::response) and
/// [`Completion::native_message`](crate::Completion::native_message).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Protocol {
    /// Chat completions.
    #[default]
    ChatCompletions,
    /// `OpenAI`'s Responses.
    Responses,
    /// Anthropic's Messages.
    Messages,
}

impl Protocol {
    /// The route after the base URL.
    pub const fn path(self) -> &'static str {
        match self {
            Self::ChatCompletions => "chat/completions",
            Self::Responses => "responses",
            Self::Messages => "messages",
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::ChatCompletions => "chat completions",
            Self::Responses => "Responses",
            Self::Messages => "Messages",
        })
    }
}
