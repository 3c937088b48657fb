//! A choice's message.

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;
use serde::de::MapAccess;
use serde_json::Value;

use super::{Arguments, Content, ReasoningDetail};
use crate::extra::Extra;
use crate::lenient::{Any, Key, Tolerant, object, tolerant_object};
use crate::scalar::Scalar;

/// What the model said.
#[derive(Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Message {
    /// `assistant`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Text or parts; none where the server sent null or nothing.
    pub content: Option<Content>,
    /// Why the model declined, in its own words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
    /// Reasoning, under OpenRouter's and vLLM's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// Reasoning, under DeepSeek's and llama.cpp's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_content: Option<String>,
    /// Reasoning in OpenRouter's structured form; send it back unchanged to continue.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasoning_details: Vec<ReasoningDetail>,
    /// The tools the model asks for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// Citations and parsed files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub annotations: Vec<Value>,
    /// Images the model made.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<Value>,
    /// Speech the model made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audio: Option<Audio>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

tolerant_object!(<'de> Message {
    "role" => role,
    "content" => content,
    "refusal" => refusal,
    "reasoning" => reasoning,
    "reasoning_content" => reasoning_content,
    "reasoning_details" => reasoning_details,
    "tool_calls" => tool_calls,
    "annotations" => annotations,
    "images" => images,
    "audio" => audio;
    extra
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
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ToolCall {
    /// The server's id of the call; send it back with the tool's result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// `function`.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Which function, with what.
    pub function: FunctionCall,
    /// Everything else, the `index` that some servers leave in whole messages among it.
    #[serde(flatten)]
    pub extra: Extra,
}

tolerant_object!(<'de> ToolCall { "id" => id, "type" => kind, "function" => function; extra });

/// A function's name and arguments.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FunctionCall {
    /// The function's name.
    pub name: String,
    /// Its arguments.
    #[serde(skip_serializing_if = "Arguments::is_missing")]
    pub arguments: Arguments,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

// By hand, because the arguments are read as raw JSON to keep every digit of an object.
impl<'de> Tolerant<'de> for FunctionCall {
    fn from_map<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let mut out = Self::default();
        while let Some(Key(key)) = map.next_key()? {
            match &*key {
                "name" => out.name = map.next_value::<Any<String>>()?.0,
                "arguments" => out.arguments = map.next_value()?,
                _ => out.extra.insert_known(&key, map.next_value()?),
            }
        }
        Ok(out)
    }
}

impl<'de> serde::Deserialize<'de> for FunctionCall {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        object(deserializer)
    }
}

/// Speech the model made.
#[derive(Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Audio {
    /// Its id, to refer to it in a later request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The sound, base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
    /// What is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transcript: Option<String>,
    /// Until when the id may be used, in seconds since the Unix epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Scalar>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

tolerant_object!(<'de> Audio {
    "id" => id,
    "data" => data,
    "transcript" => transcript,
    "expires_at" => expires_at;
    extra
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
