//! Reading an answer as JSON.

use tamis_json::{Ending, Policy, Repaired, repair};

use crate::completion::Completion;
use crate::failure::{Failure, FailureKind};
use crate::finish_reason::FinishReason;
use crate::outcome::malformed;

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
    ///    else `ProviderUnavailable`; `tool_calls`, and a turn that was paused: `Malformed`, since that is no
    ///    final answer
    /// 6. no content: `Malformed`
    /// 7. content that is not JSON, and cannot be mended without inventing: `Malformed`
    ///
    /// Text around the JSON, and slips in its syntax, are mended, and every mend is in the result's
    /// `repairs`; see [`Completion::parse_json_with`] to allow less, and [`Policy`] for what there is.
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
    pub fn parse_json(&self) -> Result<Repaired, Failure> {
        self.parse_json_with(&Policy::default())
    }

    /// The first choice's answer as JSON, mended as far as a policy allows.
    ///
    /// How the text ended is known here, whatever the policy says of it.
    ///
    /// # Errors
    ///
    /// As [`Completion::parse_json`]; the cause of the last one is a
    /// [`RepairError`](tamis_json::RepairError), which tells where.
    pub fn parse_json_with(&self, policy: &Policy) -> Result<Repaired, Failure> {
        let text = self.answer_text()?;
        let policy = policy.clone().ending(Ending::Natural);
        let repaired = repair(&text, &policy).map_err(|error| {
            malformed(self, &format!("the content is not JSON: {error}")).with_source(error)
        })?;
        if repaired.complete {
            Ok(repaired)
        } else {
            Err(malformed(
                self,
                "the content is not JSON: it ends in the middle",
            ))
        }
    }

    /// What can be read of the first choice's answer although it is none: it was cut off, or the
    /// stream broke off. For showing, not for using; its `complete` says no.
    ///
    /// None where there is no JSON in it.
    pub fn partial_json(&self) -> Option<Repaired> {
        let mut partial =
            repair(&self.text()?, &Policy::default().ending(Ending::Truncated)).ok()?;
        partial.complete = false;
        Some(partial)
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
            Some(reason) if reason.is_pause() => {
                return Err(malformed(
                    self,
                    "the server paused the turn, which is no final answer; it goes on where the turn is sent back",
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
