//! What a finished completion is.

use std::fmt;

use crate::completion::{Choice, Completion, Message, ToolCall};
use crate::failure::{Failure, FailureKind};
use crate::finish_reason::FinishReason;

/// What a finished completion is.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// Text, to its natural end.
    Text(String),
    /// The model declined, in its own words.
    Refusal(String),
    /// The model asks for tools, and every call is whole.
    ToolCalls(Vec<ToolCall>),
    /// A token limit or a filter cut it off, or the server laid it down in the middle
    /// ([`FinishReason::is_pause`]).
    Incomplete(FinishReason),
}

/// Which it is, and the length of its text.
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

impl Completion {
    /// What the first choice is.
    ///
    /// # Errors
    ///
    /// `Interrupted` for what was folded from a stream that broke off; the kind of the choice's
    /// error where it ended with one; `Malformed` where there is no choice, no message, or nothing in
    /// it.
    pub fn outcome(&self) -> Result<Outcome, Failure> {
        self.check_finished()?;
        let choice = self
            .choice()
            .ok_or_else(|| malformed(self, "the completion holds no choice"))?;
        // Azure leaves the message out where its filter withheld it: the reason says enough.
        let message = choice.message.as_ref();
        if let Some(refusal) = message.and_then(Message::refusal_text) {
            return Ok(Outcome::Refusal(refusal.to_owned()));
        }
        if choice.is_truncated() || has_cut_arguments(choice) {
            return Ok(Outcome::Incomplete(FinishReason::Length));
        }
        match choice.finish() {
            Some(FinishReason::ContentFilter) => {
                return Ok(Outcome::Incomplete(FinishReason::ContentFilter));
            }
            Some(FinishReason::Error) => return Err(self.choice_failure(choice)),
            Some(reason) if reason.is_pause() => return Ok(Outcome::Incomplete(reason)),
            _ if choice.error.is_some() || self.error.is_some() => {
                return Err(self.choice_failure(choice));
            }
            _ => {}
        }
        let message = message.ok_or_else(|| malformed(self, "the choice holds no message"))?;
        if !message.tool_calls.is_empty() {
            return Ok(Outcome::ToolCalls(message.tool_calls.clone()));
        }
        match message.text() {
            Some(text) if !text.trim().is_empty() => Ok(Outcome::Text(text.into_owned())),
            _ => Err(malformed(self, "the message is empty")),
        }
    }

    /// What was folded from a broken stream is never read as an answer.
    pub(crate) fn check_finished(&self) -> Result<(), Failure> {
        if self.is_finished() {
            return Ok(());
        }
        Err(Failure::new(
            FailureKind::Interrupted,
            "the stream ended before it said it was finished",
        )
        .with_generation_id(self.id.clone()))
    }

    /// The failure of a choice that ended with an error.
    pub(crate) fn choice_failure(&self, choice: &Choice) -> Failure {
        match choice.error.as_ref().or(self.error.as_ref()) {
            Some(error) => Failure::from_inline((**error).clone()),
            None => Failure::new(
                FailureKind::ProviderUnavailable,
                "the provider failed while it answered, and did not say why",
            ),
        }
        .with_generation_id(self.id.clone())
    }
}

pub(crate) fn malformed(completion: &Completion, message: &str) -> Failure {
    Failure::new(FailureKind::Malformed, message).with_generation_id(completion.id.clone())
}

/// Whether the arguments of a tool call end in the middle: JSON that began and did not end.
fn has_cut_arguments(choice: &Choice) -> bool {
    let calls = choice
        .message
        .iter()
        .flat_map(|message| &message.tool_calls);
    calls
        .map(|call| call.function.arguments.text_or_empty_object())
        .any(|text| {
            serde_json::from_str::<serde::de::IgnoredAny>(text).is_err_and(|error| error.is_eof())
        })
}
