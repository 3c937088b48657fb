//! Why a choice ended.

use std::borrow::Cow;
use std::fmt;

use serde::{Serialize, Serializer};

use crate::lenient::Tolerant;
use crate::lossless::Written;

/// Why a choice ended, in the server's own spelling.
///
/// OpenRouter has five reasons; other servers, and every provider's native reason, have their own.
/// An unknown one keeps its text, and [`FinishReason::meaning`] tells what it stands for.
///
/// ```
/// use tamis_wire::FinishReason;
///
/// let reason = FinishReason::from("eos");
/// assert_eq!(reason.as_str(), "eos");
/// assert_eq!(reason.meaning(), FinishReason::Stop);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FinishReason {
    /// The model came to a natural end.
    Stop,
    /// A token limit cut the answer off.
    Length,
    /// The model asks for tools.
    ToolCalls,
    /// A filter withheld the answer or a part of it.
    ContentFilter,
    /// The provider failed.
    Error,
    /// Anything else, as it came; an empty text too.
    Other(String),
}

impl FinishReason {
    /// The server's spelling.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Stop => "stop",
            Self::Length => "length",
            Self::ToolCalls => "tool_calls",
            Self::ContentFilter => "content_filter",
            Self::Error => "error",
            Self::Other(text) => text,
        }
    }

    /// Whether it says nothing, as the `""` that some servers send in every chunk.
    pub fn is_blank(&self) -> bool {
        self.as_str().trim().is_empty()
    }

    /// Which of the five reasons this one stands for; an unknown one stands for itself.
    ///
    /// The spellings are those of the providers behind OpenRouter (their native reasons) and of
    /// common local servers.
    pub fn meaning(&self) -> Self {
        let Self::Other(text) = self else {
            return self.clone();
        };
        match text.as_str() {
            "eos" | "eos_token" | "end_turn" | "STOP" | "completed" | "complete" | "COMPLETE"
            | "stop_sequence" | "done" | "end" => Self::Stop,
            "max_tokens"
            | "MAX_TOKENS"
            | "max_output_tokens"
            | "max_completion_tokens"
            | "model_length"
            | "LENGTH"
            | "model_context_window_exceeded"
            | "ERROR_LIMIT"
            | "context_length"
            | "incomplete" => Self::Length,
            "tool_use" | "tool_call" | "TOOL_CALL" | "function_call" => Self::ToolCalls,
            "SAFETY"
            | "RECITATION"
            | "BLOCKLIST"
            | "PROHIBITED_CONTENT"
            | "SPII"
            | "IMAGE_SAFETY"
            | "refusal"
            | "sensitive"
            | "guardrail_intervened"
            | "content_filtered" => Self::ContentFilter,
            "ERROR"
            | "failed"
            | "abort"
            | "aborted"
            | "cancelled"
            | "insufficient_system_resource"
            | "network_error" => Self::Error,
            _ => self.clone(),
        }
    }

    /// Whether it says that the server laid the turn down in the middle, for the caller to send it back:
    /// Anthropic's `pause_turn` and `compaction`.
    pub fn is_pause(&self) -> bool {
        matches!(self.as_str(), "pause_turn" | "compaction")
    }

    /// Whether it says that a limit cut the answer off.
    pub fn is_truncation(&self) -> bool {
        self.meaning() == Self::Length
    }
}

impl From<&str> for FinishReason {
    fn from(text: &str) -> Self {
        match text {
            "stop" => Self::Stop,
            "length" => Self::Length,
            "tool_calls" => Self::ToolCalls,
            "content_filter" => Self::ContentFilter,
            "error" => Self::Error,
            _ => Self::Other(text.to_owned()),
        }
    }
}

impl fmt::Display for FinishReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl Serialize for FinishReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_str().serialize(serializer)
    }
}

impl Written<'_> for Option<FinishReason> {
    const TEXT: bool = true;
}

impl<'de> Tolerant<'de> for Option<FinishReason> {
    fn from_text(text: Cow<'de, str>) -> Self {
        Some(FinishReason::from(&*text))
    }
}

#[cfg(test)]
mod tests {
    use super::FinishReason;

    #[test]
    fn the_five_and_the_unknown_keep_their_spelling() {
        for text in [
            "stop",
            "length",
            "tool_calls",
            "content_filter",
            "error",
            "eos",
            "",
            "STOP",
        ] {
            assert_eq!(FinishReason::from(text).as_str(), text);
        }
    }

    #[test]
    fn a_native_reason_tells_of_truncation() {
        for text in [
            "length",
            "max_output_tokens",
            "MAX_TOKENS",
            "max_tokens",
            "model_length",
        ] {
            assert!(FinishReason::from(text).is_truncation(), "{text}");
        }
        for text in ["stop", "", "end_turn", "completed", "odd"] {
            assert!(!FinishReason::from(text).is_truncation(), "{text}");
        }
    }

    #[test]
    fn blank_says_nothing() {
        assert!(FinishReason::from("").is_blank());
        assert!(!FinishReason::from("eos").is_blank());
    }
}
