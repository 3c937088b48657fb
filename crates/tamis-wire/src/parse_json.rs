//! Reading an answer as JSON.

use serde_json::Value;

use crate::completion::Completion;
use crate::failure::{Failure, FailureKind};
use crate::finish_reason::FinishReason;
use crate::outcome::malformed;
use crate::stream_reader::Problem;

impl Completion {
    /// The first choice's answer as JSON.
    ///
    /// The first rule that applies decides:
    ///
    /// 1. what was folded from a stream that broke off: `Interrupted`
    /// 2. no choice or no message: `Malformed`
    /// 3. a refusal that is not blank: `ContentPolicy`, whatever the finish reason
    /// 4. the finish reason `length`, or a native reason that tells of truncation under another one:
    ///    `ContextLength`, even if the cut-off text parses or is empty
    /// 5. `content_filter`: `ContentPolicy`; `error`, or an error beside any other reason: its kind,
    ///    else `ProviderUnavailable`; `tool_calls`: `Malformed`, since a turn that asks for tools is no
    ///    final answer
    /// 6. no content: `Malformed`
    /// 7. content that is not JSON: `Malformed`
    ///
    /// This reads OpenRouter. [`contract::classify`](crate::contract::classify) reads a narrow OpenAI
    /// contract, and differs where that contract does: there, a refusal under `content_filter` is
    /// incomplete, here the refusal wins.
    ///
    /// ```
    /// use tamis_wire::{FailureKind, read_completion};
    ///
    /// let body = br#"{"choices":[{"index":0,"finish_reason":"length",
    ///     "message":{"role":"assistant","content":"{\"a\":1}"}}]}"#;
    /// let failure = read_completion(body)?.parse_json().unwrap_err();
    /// assert_eq!(failure.kind(), FailureKind::ContextLength);
    /// # Ok::<(), tamis_wire::Failure>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As above. No message quotes the content.
    pub fn parse_json(&self) -> Result<Value, Failure> {
        let text = self.answer_text()?;
        serde_json::from_str(&text).map_err(|error| {
            malformed(
                self,
                &format!("the content is not JSON: {}", Problem(&error)),
            )
        })
    }

    /// The first choice's text, where it may be read as an answer: rules 1 to 6 of
    /// [`Completion::parse_json`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn answer_text(&self) -> Result<std::borrow::Cow<'_, str>, Failure> {
        self.check_finished()?;
        let choice = self
            .choice()
            .ok_or_else(|| malformed(self, "the completion holds no choice"))?;
        let message = choice
            .message
            .as_ref()
            .ok_or_else(|| malformed(self, "the choice holds no message"))?;
        if message.refusal_text().is_some() {
            return Err(self.failure(FailureKind::ContentPolicy, "the model declined to answer"));
        }
        if choice.is_truncated() {
            return Err(self.failure(
                FailureKind::ContextLength,
                "a token limit cut the answer off",
            ));
        }
        match choice.finish() {
            Some(FinishReason::ContentFilter) => {
                return Err(self.failure(
                    FailureKind::ContentPolicy,
                    "a content filter withheld the answer",
                ));
            }
            Some(FinishReason::Error) => return Err(self.choice_failure(choice)),
            Some(FinishReason::ToolCalls) => {
                return Err(malformed(
                    self,
                    "the model asks for tools, which is no final answer",
                ));
            }
            _ if choice.error.is_some() || self.error.is_some() => {
                return Err(self.choice_failure(choice));
            }
            _ => {}
        }
        match message.text() {
            Some(text) if !text.trim().is_empty() => Ok(text),
            _ => Err(malformed(self, "the message holds no content")),
        }
    }

    fn failure(&self, kind: FailureKind, message: &str) -> Failure {
        Failure::new(kind, message).with_generation_id(self.id.clone())
    }
}
