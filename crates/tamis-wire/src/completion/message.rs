//! A choice's message.

use std::borrow::Cow;
use std::fmt;

use serde_json::Value;

use super::{Arguments, Content, ReasoningDetail};
use crate::extra::Extra;
use crate::lossless::{Kept, lossless_object};
use crate::scalar::Scalar;

/// What the model said.
#[derive(Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Message {
    /// `assistant`.
    pub role: Option<String>,
    /// Text or parts; none where the server sent null or nothing.
    pub content: Option<Content>,
    /// Why the model declined, in its own words.
    pub refusal: Option<String>,
    /// Reasoning, under OpenRouter's and vLLM's name.
    pub reasoning: Option<String>,
    /// Reasoning, under DeepSeek's and llama.cpp's name.
    pub reasoning_content: Option<String>,
    /// Reasoning in OpenRouter's structured form; send it back unchanged to continue.
    pub reasoning_details: Vec<ReasoningDetail>,
    /// The tools the model asks for.
    pub tool_calls: Vec<ToolCall>,
    /// Citations and parsed files.
    pub annotations: Vec<Value>,
    /// Images the model made.
    pub images: Vec<Value>,
    /// Speech the model made.
    pub audio: Option<Audio>,
    /// Everything else.
    pub extra: Extra,
    /// How what is missing came; not on the wire.
    pub(crate) kept: Kept,
}

lossless_object!(Message {
    "role" => role,
    "content" => content always,
    "refusal" => refusal,
    "reasoning" => reasoning,
    "reasoning_content" => reasoning_content,
    "reasoning_details" => reasoning_details,
    "tool_calls" => tool_calls,
    "annotations" => annotations,
    "images" => images,
    "audio" => audio
});

impl Message {
    /// The text; see [`Content::text`].
    pub fn text(&self) -> Option<Cow<'_, str>> {
        self.content.as_ref()?.text()
    }

    /// The refusal, unless it is blank.
    pub fn refusal_text(&self) -> Option<&str> {
        self.refusal
            .as_deref()
            .filter(|refusal| !refusal.trim().is_empty())
    }

    /// The reasoning as text, under whichever name it came.
    pub fn reasoning_text(&self) -> Option<Cow<'_, str>> {
        [&self.reasoning, &self.reasoning_content]
            .into_iter()
            .flatten()
            .find(|text| !text.is_empty())
            .map(|text| Cow::Borrowed(text.as_str()))
            .or_else(|| self.content.as_ref()?.thinking().map(Cow::Owned))
            .or_else(|| {
                let text: String = self
                    .reasoning_details
                    .iter()
                    .filter_map(ReasoningDetail::text)
                    .collect();
                (!text.is_empty()).then_some(Cow::Owned(text))
            })
    }
}

/// Which parts it has, not what they say.
impl fmt::Debug for Message {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Message")
            .field("role", &self.role)
            .field("content", &self.content)
            .field("refusal", &self.refusal.is_some())
            .field("reasoning", &self.reasoning_text().map(|text| text.len()))
            .field("tool_calls", &self.tool_calls)
            .finish_non_exhaustive()
    }
}

/// A tool the model asks for.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ToolCall {
    /// The server's id of the call; send it back with the tool's result.
    pub id: Option<String>,
    /// `function`.
    pub kind: Option<String>,
    /// Which function, with what.
    pub function: FunctionCall,
    /// Everything else, the `index` that some servers leave in whole messages among it.
    pub extra: Extra,
    /// How what is missing came; not on the wire.
    pub(crate) kept: Kept,
}

lossless_object!(ToolCall { "id" => id, "type" => kind, "function" => function always });

impl ToolCall {
    /// A call of a function: its id, the function's name and the JSON text of its arguments.
    ///
    /// ```
    /// let call = tamis_wire::ToolCall::function("call_1", "lamp", r#"{"on":true}"#);
    /// assert_eq!(call.function.arguments.text(), r#"{"on":true}"#);
    /// ```
    pub fn function(id: impl Into<String>, name: impl Into<String>, arguments: &str) -> Self {
        Self {
            id: Some(id.into()),
            kind: Some("function".to_owned()),
            function: FunctionCall {
                name: name.into(),
                arguments: arguments.into(),
                ..FunctionCall::default()
            },
            ..Self::default()
        }
    }
}

/// A function's name and arguments.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct FunctionCall {
    /// The function's name.
    pub name: String,
    /// Its arguments.
    pub arguments: Arguments,
    /// Everything else.
    pub extra: Extra,
    /// How what is missing came; not on the wire.
    pub(crate) kept: Kept,
}

lossless_object!(FunctionCall { "name" => name always, "arguments" => arguments });

/// Speech the model made.
#[derive(Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Audio {
    /// Its id, to refer to it in a later request.
    pub id: Option<String>,
    /// The sound, base64.
    pub data: Option<String>,
    /// What is said.
    pub transcript: Option<String>,
    /// Until when the id may be used, in seconds since the Unix epoch.
    pub expires_at: Option<Scalar>,
    /// Everything else.
    pub extra: Extra,
    /// How what is missing came; not on the wire.
    pub(crate) kept: Kept,
}

lossless_object!(Audio {
    "id" => id,
    "data" => data,
    "transcript" => transcript,
    "expires_at" => expires_at
});

impl Audio {
    pub(crate) fn merge(&mut self, more: &Self) {
        crate::fold::append(&mut self.data, more.data.as_deref());
        crate::fold::append(&mut self.transcript, more.transcript.as_deref());
        if more.id.is_some() {
            self.id.clone_from(&more.id);
        }
        if more.expires_at.is_some() {
            self.expires_at.clone_from(&more.expires_at);
        }
        self.extra.merge(&more.extra);
    }
}

impl fmt::Debug for Audio {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Audio")
            .field("id", &self.id)
            .field("data", &self.data.as_ref().map(String::len))
            .finish_non_exhaustive()
    }
}
