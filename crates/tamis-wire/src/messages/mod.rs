//! Anthropic's Messages protocol: the body, its content blocks, and the events of a stream.
//!
//! A [`Message`] keeps every field as it came, with views of those that are known; blocks and events of
//! types that are not known here are kept too. Source of the shapes: OpenRouter's documentation of
//! `/messages` and Anthropic's of the Messages API, 2026, and recordings of vLLM, llama.cpp and `LiteLLM`.

mod block;
mod complete;
mod event;
mod fold;

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

pub use block::Block;
pub use event::Event;
pub(crate) use fold::MessageFold;

use crate::completion::Usage;
use crate::native::{Fields, Object};

/// A message that the model gave, field by field as it came.
///
/// ```
/// use tamis_wire::messages::Message;
///
/// let message: Message = serde_json::from_str(r#"{"id":"msg_1","type":"message","role":"assistant",
///     "content":[{"type":"text","text":"Hello"}],"stop_reason":"end_turn","novel":1}"#)?;
/// assert_eq!(message.text(), "Hello");
/// assert_eq!(message.fields()["novel"], 1);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Message {
    fields: Fields,
    /// The blocks' inputs to the digit, in the order of the blocks; empty where they are not known.
    #[serde(skip)]
    inputs: Vec<Input>,
}

/// A block's input as it came; none where it has none, or where it is cut off.
pub(crate) type Input = Option<Box<RawValue>>;

impl From<Fields> for Message {
    fn from(fields: Fields) -> Self {
        Self {
            fields,
            inputs: Vec::new(),
        }
    }
}

impl PartialEq for Message {
    fn eq(&self, other: &Self) -> bool {
        self.fields == other.fields
    }
}

impl Message {
    /// Its id: `msg_…`, on OpenRouter `gen-…`.
    pub fn id(&self) -> Option<&str> {
        self.fields.str("id")
    }

    /// The model that answered.
    pub fn model(&self) -> Option<&str> {
        self.fields.str("model")
    }

    /// Why it ended: `end_turn`, `max_tokens`, `stop_sequence`, `tool_use`, `pause_turn`, `refusal`, …
    pub fn stop_reason(&self) -> Option<&str> {
        self.fields.str("stop_reason")
    }

    /// What the model gave: text, thinking, tool calls, and what else there may be.
    pub fn content(&self) -> impl Iterator<Item = Block<'_>> {
        self.fields
            .array("content")
            .iter()
            .filter_map(Value::as_object)
            .map(Block::new)
    }

    /// The text of all its blocks.
    pub fn text(&self) -> String {
        self.content().filter_map(Block::text).collect()
    }

    /// What it used, under the names of chat completions.
    pub fn usage(&self) -> Option<Usage> {
        complete::usage(self.fields.object("usage")?)
    }

    /// All its fields.
    pub fn fields(&self) -> &Fields {
        &self.fields
    }

    /// With the blocks' inputs as they came.
    pub(crate) fn with_inputs(mut self, inputs: Vec<Input>) -> Self {
        self.inputs = inputs;
        self
    }

    pub(crate) fn fields_mut(&mut self) -> &mut Fields {
        &mut self.fields
    }
}

/// Which one, not what it says.
impl fmt::Debug for Message {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Message")
            .field("id", &self.id())
            .field("stop_reason", &self.stop_reason())
            .field("content", &self.content().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

/// The inputs in a body, to the digit.
pub(crate) fn inputs(body: &[u8]) -> Vec<Input> {
    #[derive(Deserialize)]
    struct Body {
        content: Vec<Block>,
    }

    #[derive(Deserialize)]
    struct Block {
        input: Input,
    }

    if memchr::memmem::find(body, b"\"tool_use\"").is_none() {
        return Vec::new();
    }
    serde_json::from_slice::<Body>(body)
        .map(|body| body.content.into_iter().map(|block| block.input).collect())
        .unwrap_or_default()
}
