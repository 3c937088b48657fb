//! A whole completion, as a non-streaming call returns it and as a stream folds into.

mod arguments;
mod content;
mod logprobs;
mod message;
mod reasoning;
mod usage;

use std::borrow::Cow;

use serde_json::Value;

pub use arguments::Arguments;
pub use content::{Content, ContentPart};
pub use logprobs::{Logprobs, TokenLogprob};
pub use message::{Audio, FunctionCall, Message, ToolCall};
pub(crate) use reasoning::ReasoningPlaces;
pub use reasoning::{ReasoningDetail, ReasoningDetailKind};
pub use usage::{CompletionTokensDetails, CostDetails, PromptTokensDetails, Usage};

use crate::error::ApiError;
use crate::extra::Extra;
use crate::finish_reason::FinishReason;
use crate::fold::FoldNote;
use crate::lossless::{Kept, lossless_object};
use crate::mend::Note;
use crate::native::Native;
use crate::scalar::Scalar;
use crate::{messages, responses};

/// A completion.
///
/// Read from a body with [`read_completion`](crate::read_completion), which also tells an error
/// envelope apart, or folded from a stream with [`Fold`](crate::Fold). Fields that are not known
/// here are in `extra`, on every level, and so is the value of a field that did not fit its type, as it
/// came.
///
/// One that was read is written again as it came, field for field, but for what was changed since: null
/// stays null, an empty array stays empty, and what was not there is not written. For equality null and
/// nothing are the same.
///
/// ```
/// let body = r#"{"id":"gen-1","object":"chat.completion","created":1700000000,
///     "model":"openai/gpt-4o","provider":"OpenAI","choices":[{"index":0,
///     "message":{"role":"assistant","content":"4"},"finish_reason":"stop"}]}"#;
/// let completion = tamis_wire::read_completion(body.as_bytes())?;
/// assert_eq!(completion.text().as_deref(), Some("4"));
/// assert_eq!(completion.provider.as_deref(), Some("OpenAI"));
/// assert_eq!(serde_json::to_value(&completion).unwrap(), serde_json::from_str::<serde_json::Value>(body).unwrap());
/// # Ok::<(), tamis_wire::Failure>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Completion {
    /// The generation id, on OpenRouter `gen-…`; pass it to the generation lookup.
    pub id: Option<String>,
    /// `chat.completion`.
    pub object: Option<String>,
    /// When it was made, in seconds since the Unix epoch.
    pub created: Option<Scalar>,
    /// The model that answered; with fallbacks not always the one that was asked.
    pub model: Option<String>,
    /// OpenRouter: the display name of the provider that served it.
    pub provider: Option<String>,
    /// The provider's back-end configuration.
    pub system_fingerprint: Option<String>,
    /// The tier that served it.
    pub service_tier: Option<String>,
    /// The choices; one, unless more were asked for.
    pub choices: Vec<Choice>,
    /// Tokens and cost; a usage object without any field reads as missing.
    pub usage: Option<Usage>,
    /// An error beside, or in place of, the choices.
    pub error: Option<Box<ApiError>>,
    /// OpenRouter's routing record, where it was asked for.
    pub openrouter_metadata: Option<Value>,
    /// Everything else.
    pub extra: Extra,
    /// How what is missing came; not on the wire.
    pub(crate) kept: Kept,
    /// How far it may be trusted; not on the wire.
    pub(crate) ending: Ending,
    /// What the fold put right; not on the wire.
    pub(crate) notes: Vec<FoldNote>,
    /// What was not JSON on the wire; not on it.
    pub(crate) mended: Vec<(u64, Note)>,
    /// What it was read from, where that was another protocol.
    pub(crate) native: Option<Native>,
}

/// Whether the server said that it was finished.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It did, or it is a whole body.
    #[default]
    Said,
    /// The stream ended cleanly without a finish reason, from a server known never to send one.
    Unconfirmed,
    /// The stream broke off.
    BrokeOff,
}

lossless_object!(Completion {
    "id" => id,
    "object" => object,
    "created" => created,
    "model" => model,
    "provider" => provider,
    "system_fingerprint" => system_fingerprint,
    "service_tier" => service_tier,
    "choices" => choices always,
    "usage" => usage,
    "error" => error,
    "openrouter_metadata" => openrouter_metadata
});

impl Completion {
    /// The choice with index 0, or the first one.
    pub fn choice(&self) -> Option<&Choice> {
        self.choices
            .iter()
            .find(|choice| choice.index == Some(0))
            .or_else(|| self.choices.first())
    }

    /// The first choice's message.
    pub fn message(&self) -> Option<&Message> {
        self.choice()?.message.as_ref()
    }

    /// The first choice's text; the text parts joined, where the content is an array.
    pub fn text(&self) -> Option<Cow<'_, str>> {
        self.message()?.content.as_ref()?.text()
    }

    /// The first choice's reasoning as text, under whichever name the server sent it.
    pub fn reasoning(&self) -> Option<Cow<'_, str>> {
        self.message()?.reasoning_text()
    }

    /// The first choice's finish reason.
    pub fn finish_reason(&self) -> Option<&FinishReason> {
        self.choice()?.finish_reason.as_ref()
    }

    /// USD charged to the account, where the server says.
    pub fn cost(&self) -> Option<f64> {
        self.usage.as_ref()?.total_cost()
    }

    /// What was put right where it was folded from a stream, for the record.
    pub fn fold_notes(&self) -> &[FoldNote] {
        &self.notes
    }

    /// What was not JSON on the wire, and was put right before it was read: the number of the
    /// stream's event, from 1, or 0 for a whole body, and what it was.
    pub fn mended(&self) -> &[(u64, Note)] {
        &self.mended
    }

    /// The response that it was read from, where the protocol was Responses.
    pub fn response(&self) -> Option<&responses::Response> {
        match self.native.as_ref()? {
            Native::Response(response) => Some(response),
            Native::Message(_) => None,
        }
    }

    /// The message that it was read from, where the protocol was Messages.
    pub fn native_message(&self) -> Option<&messages::Message> {
        match self.native.as_ref()? {
            Native::Message(message) => Some(message),
            Native::Response(_) => None,
        }
    }

    pub(crate) fn with_mended(mut self, mended: Vec<(u64, Note)>) -> Self {
        self.mended = mended;
        self
    }

    /// False for what was folded from a stream that broke off.
    pub fn is_finished(&self) -> bool {
        self.ending != Ending::BrokeOff
    }

    /// True where the stream ended without a finish reason, and the caller had said that this
    /// server never sends one.
    pub fn is_unconfirmed(&self) -> bool {
        self.ending == Ending::Unconfirmed
    }
}

/// One choice of a completion.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Choice {
    /// Its number, from 0.
    pub index: Option<u64>,
    /// What the model said.
    pub message: Option<Message>,
    /// Why it ended; none means that the server did not say.
    pub finish_reason: Option<FinishReason>,
    /// The provider's own word for why it ended.
    pub native_finish_reason: Option<String>,
    /// Log probabilities, where they were asked for.
    pub logprobs: Option<Logprobs>,
    /// What went wrong, beside the finish reason `error`.
    pub error: Option<Box<ApiError>>,
    /// Everything else.
    pub extra: Extra,
    /// How what is missing came; not on the wire.
    pub(crate) kept: Kept,
}

lossless_object!(Choice {
    "index" => index,
    "message" => message,
    "finish_reason" => finish_reason always,
    "native_finish_reason" => native_finish_reason,
    "logprobs" => logprobs,
    "error" => error
});

impl Choice {
    /// Whether a token limit cut it off: by its finish reason, or by the provider's own reason where
    /// the finish reason says something else.
    pub fn is_truncated(&self) -> bool {
        self.finish_reason
            .as_ref()
            .is_some_and(FinishReason::is_truncation)
            || self
                .native_finish_reason
                .as_deref()
                .is_some_and(|native| FinishReason::from(native).is_truncation())
    }

    /// What the finish reason stands for; none where it is missing or blank.
    pub fn finish(&self) -> Option<FinishReason> {
        let reason = self.finish_reason.as_ref()?;
        (!reason.is_blank()).then(|| reason.meaning())
    }
}
