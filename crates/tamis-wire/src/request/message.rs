//! Messages of a request.

use std::fmt;

use serde::Serialize;
use serde::de::SeqAccess;
use serde_json::Value;

use super::macros::words;
use super::part::InputPart;
use crate::completion::{Audio, Content, ContentPart, Message, ReasoningDetail, ToolCall};
use crate::lenient::Tolerant;
use crate::record::record;

words! {
    /// Who speaks.
    pub enum Role {
        /// Instructions.
        System = "system",
        /// Instructions, under the name that newer models use.
        Developer = "developer",
        /// The user.
        User = "user",
        /// The model.
        Assistant = "assistant",
        /// A tool's result.
        Tool = "tool",
    }
}

record! {
    (opaque)
    /// One message of a request.
    ///
    /// What the model said is sent back as `InputMessage::from(message)`, with its tool calls and its
    /// reasoning unchanged.
    pub struct InputMessage {
        /// Who speaks.
        role: Role,
        /// What they say; none is allowed beside tool calls only.
        content: Option<InputContent>,
        /// Who of several.
        name: Option<String>,
        /// Which call a tool's result answers.
        tool_call_id: Option<String>,
        /// The tools that the model asked for in an earlier turn.
        tool_calls: Vec<ToolCall>,
        /// Why the model declined in an earlier turn.
        refusal: Option<String>,
        /// The model's reasoning of an earlier turn, as text.
        reasoning: Option<String>,
        /// The same, under DeepSeek's and llama.cpp's name.
        reasoning_content: Option<String>,
        /// OpenRouter: the model's reasoning of an earlier turn, unchanged and in order.
        reasoning_details: Vec<ReasoningDetail>,
        /// OpenRouter: images that the model made in an earlier turn.
        images: Vec<Value>,
        /// Speech that the model made in an earlier turn.
        audio: Option<Audio>,
        /// OpenRouter: files that were read in an earlier turn, so that they are not read again.
        annotations: Vec<Value>,
        /// OpenRouter: the model that said it, for the router that keeps to a model.
        model: Option<String>,
    }
}

impl InputMessage {
    /// A message of a role.
    pub fn new(role: Role, content: impl Into<InputContent>) -> Self {
        Self {
            role,
            content: Some(content.into()),
            ..Self::default()
        }
    }

    /// Instructions.
    pub fn system(content: impl Into<InputContent>) -> Self {
        Self::new(Role::System, content)
    }

    /// Instructions, under the name that newer models use.
    pub fn developer(content: impl Into<InputContent>) -> Self {
        Self::new(Role::Developer, content)
    }

    /// The user's words.
    pub fn user(content: impl Into<InputContent>) -> Self {
        Self::new(Role::User, content)
    }

    /// The model's words, of an earlier turn.
    pub fn assistant(content: impl Into<InputContent>) -> Self {
        Self::new(Role::Assistant, content)
    }

    /// A tool's result.
    pub fn tool(call_id: impl Into<String>, content: impl Into<InputContent>) -> Self {
        Self {
            tool_call_id: Some(call_id.into()),
            ..Self::new(Role::Tool, content)
        }
    }

    /// Leaves out what only OpenRouter knows.
    pub(super) fn strip_openrouter_fields(&mut self) {
        self.reasoning_details.clear();
        self.images.clear();
        self.annotations.clear();
        self.model = None;
        if let Some(InputContent::Parts(parts)) = &mut self.content {
            for part in parts {
                if let InputPart::Text(text) = part {
                    text.cache_control = None;
                    text.prompt_cache_breakpoint = None;
                }
            }
        }
    }
}

/// What the model said, to be sent back in the next turn.
impl From<Message> for InputMessage {
    fn from(message: Message) -> Self {
        Self {
            role: message.role.as_deref().map_or(Role::Assistant, Role::from),
            content: message.content.map(InputContent::from),
            tool_calls: message.tool_calls,
            refusal: message.refusal,
            reasoning: message.reasoning,
            reasoning_content: message.reasoning_content,
            reasoning_details: message.reasoning_details,
            images: message.images,
            audio: message.audio,
            annotations: message.annotations,
            ..Self::default()
        }
    }
}

/// The role only: prompts are not printed.
impl fmt::Debug for InputMessage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("InputMessage")
            .field("role", &self.role)
            .finish_non_exhaustive()
    }
}

/// Text, or parts such as images.
#[derive(Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum InputContent {
    /// Text.
    Text(String),
    /// Parts.
    Parts(Vec<InputPart>),
}

impl fmt::Debug for InputContent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(formatter, "<{} bytes of text>", text.len()),
            Self::Parts(parts) => write!(formatter, "<{} parts>", parts.len()),
        }
    }
}

impl<'de> Tolerant<'de> for Option<InputContent> {
    fn from_text(text: std::borrow::Cow<'de, str>) -> Self {
        Some(InputContent::Text(text.into_owned()))
    }

    fn from_seq<A: SeqAccess<'de>>(seq: A) -> Result<Self, A::Error> {
        Ok(Some(InputContent::Parts(Tolerant::from_seq(seq)?)))
    }
}

impl From<&str> for InputContent {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for InputContent {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&String> for InputContent {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<InputPart> for InputContent {
    fn from(part: InputPart) -> Self {
        Self::Parts(vec![part])
    }
}

impl From<Vec<InputPart>> for InputContent {
    fn from(parts: Vec<InputPart>) -> Self {
        Self::Parts(parts)
    }
}

impl<const N: usize> From<[InputPart; N]> for InputContent {
    fn from(parts: [InputPart; N]) -> Self {
        Self::Parts(parts.into())
    }
}

/// Parts as JSON; what is no object is left out.
impl From<Vec<Value>> for InputContent {
    fn from(parts: Vec<Value>) -> Self {
        let objects = parts.into_iter().filter_map(|part| match part {
            Value::Object(fields) => Some(InputPart::from(fields)),
            _ => None,
        });
        Self::Parts(objects.collect())
    }
}

impl From<Content> for InputContent {
    fn from(content: Content) -> Self {
        match content {
            Content::Text(text) => Self::Text(text),
            Content::Parts(parts) => {
                let fields = parts.iter().map(ContentPart::fields);
                Self::Parts(fields.cloned().map(InputPart::from).collect())
            }
        }
    }
}
