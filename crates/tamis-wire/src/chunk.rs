//! One event of a stream.

use std::borrow::Cow;
use std::fmt;

use serde::de::MapAccess;
use serde_json::Value;

use crate::completion::{Arguments, Audio, Content, Logprobs, ReasoningDetail, Usage};
use crate::error::ApiError;
use crate::extra::Extra;
use crate::finish_reason::FinishReason;
use crate::lenient::{Any, Key, Tolerant, object, tolerant_object};
use crate::scalar::Scalar;

type Text<'a> = Option<Cow<'a, str>>;

/// One chunk of a stream, borrowed from the event's bytes where it can be.
///
/// Every field may be missing, `choices` included: usage, errors and debug output come in chunks
/// without choices. [`Chunk::into_owned`] cuts the tie to the bytes.
///
/// ```
/// let event = r#"{"choices":[{"index":0,"delta":{"content":"Hel"},"finish_reason":null}]}"#;
/// let chunk: tamis_wire::Chunk<'_> = serde_json::from_str(event)?;
/// assert_eq!(chunk.text(), Some("Hel"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Chunk<'a> {
    /// The generation id.
    pub id: Text<'a>,
    /// `chat.completion.chunk`.
    pub object: Text<'a>,
    /// Seconds since the Unix epoch; some servers change it from chunk to chunk.
    pub created: Option<Scalar>,
    /// The model that answers.
    pub model: Text<'a>,
    /// OpenRouter: the provider that serves it.
    pub provider: Text<'a>,
    /// The provider's back-end configuration.
    pub system_fingerprint: Text<'a>,
    /// The tier that serves it.
    pub service_tier: Text<'a>,
    /// What is new, choice by choice.
    pub choices: Vec<ChunkChoice<'a>>,
    /// Tokens and cost so far; the last one counts.
    pub usage: Option<Box<Usage>>,
    /// The stream failed.
    pub error: Option<Box<ApiError>>,
    /// OpenRouter's routing record, in the last chunk.
    pub openrouter_metadata: Option<Box<Value>>,
    /// Everything else.
    pub extra: Extra,
}

tolerant_object!(<'de> Chunk<'de> {
    "id" => id,
    "object" => object,
    "created" => created,
    "model" => model,
    "provider" => provider,
    "system_fingerprint" => system_fingerprint,
    "service_tier" => service_tier,
    "choices" => choices,
    "usage" => usage,
    "error" => error,
    "openrouter_metadata" => openrouter_metadata;
    extra
});

impl Chunk<'_> {
    /// The text that is new in the first choice.
    pub fn text(&self) -> Option<&str> {
        self.choices.first()?.delta.text()
    }

    /// Whether it brings anything of an answer: text, a refusal, reasoning, a tool call, an image,
    /// sound, or a reason for the end. A role alone, an empty text or usage do not.
    pub fn is_meaningful(&self) -> bool {
        self.error.is_some()
            || self.choices.iter().any(|choice| {
                choice.delta.is_meaningful()
                    || choice.error.is_some()
                    || choice
                        .finish_reason
                        .as_ref()
                        .is_some_and(|reason| !reason.is_blank())
            })
    }

    /// About how many bytes a fold keeps of it, whose text has this many bytes.
    pub(crate) fn held_bytes(&self, len: usize) -> usize {
        let texts: Option<usize> = self.choices.iter().map(ChunkChoice::text_bytes).sum();
        match texts {
            Some(bytes) if self.error.is_none() && self.extra.is_empty() => bytes,
            _ => len,
        }
    }

    /// The same chunk, on its own.
    pub fn into_owned(self) -> Chunk<'static> {
        Chunk {
            id: own(self.id),
            object: own(self.object),
            created: self.created,
            model: own(self.model),
            provider: own(self.provider),
            system_fingerprint: own(self.system_fingerprint),
            service_tier: own(self.service_tier),
            choices: self
                .choices
                .into_iter()
                .map(ChunkChoice::into_owned)
                .collect(),
            usage: self.usage,
            error: self.error,
            openrouter_metadata: self.openrouter_metadata,
            extra: self.extra,
        }
    }
}

fn own(text: Text<'_>) -> Text<'static> {
    text.map(|text| Cow::Owned(text.into_owned()))
}

/// What is new in one choice.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ChunkChoice<'a> {
    /// Which choice; missing means the one at this place.
    pub index: Option<u64>,
    /// What is new.
    pub delta: Delta<'a>,
    /// Why it ended; some servers repeat it, and some send it before the last fragments.
    pub finish_reason: Option<FinishReason>,
    /// The provider's own word for it.
    pub native_finish_reason: Text<'a>,
    /// Log probabilities of the new tokens.
    pub logprobs: Option<Box<Logprobs>>,
    /// What went wrong.
    pub error: Option<Box<ApiError>>,
    /// Everything else.
    pub extra: Extra,
    /// The delta was sent as a whole `message`, which may repeat what earlier deltas said.
    pub(crate) is_message: bool,
}

// By hand, because a choice may hold a whole `message` in place of a `delta`, or beside it.
impl<'de> Tolerant<'de> for ChunkChoice<'de> {
    fn from_map<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let mut out = Self::default();
        let mut delta = None;
        let mut message = None;
        while let Some(Key(key)) = map.next_key()? {
            match &*key {
                "index" => out.index = map.next_value::<Any<_>>()?.0,
                "delta" => delta = map.next_value::<Any<Option<Delta<'_>>>>()?.0,
                "message" => message = map.next_value::<Any<Option<Delta<'_>>>>()?.0,
                "finish_reason" => out.finish_reason = map.next_value::<Any<_>>()?.0,
                "native_finish_reason" => out.native_finish_reason = map.next_value::<Any<_>>()?.0,
                "logprobs" => out.logprobs = map.next_value::<Any<_>>()?.0,
                "error" => out.error = map.next_value::<Any<_>>()?.0,
                _ => out.extra.insert_known(&key, map.next_value()?),
            }
        }
        let says_more = |message: &Delta<'_>| {
            message.is_meaningful() && !delta.as_ref().is_some_and(Delta::is_meaningful)
        };
        if let Some(message) = message.filter(says_more) {
            out.delta = message;
            out.is_message = true;
        } else {
            out.delta = delta.unwrap_or_default();
        }
        Ok(out)
    }
}

impl ChunkChoice<'_> {
    /// The bytes of its texts; none where it brings anything else that is kept.
    fn text_bytes(&self) -> Option<usize> {
        let delta = &self.delta;
        let only_texts = self.logprobs.is_none()
            && self.error.is_none()
            && self.extra.is_empty()
            && delta.extra.is_empty()
            && delta.reasoning_details.is_empty()
            && delta.annotations.is_empty()
            && delta.images.is_empty()
            && delta.audio.is_none()
            && !matches!(delta.content, Some(DeltaContent::Parts(_)));
        let len = |text: &Text<'_>| text.as_ref().map_or(0, |text| text.len());
        let calls = delta.tool_calls.iter().map(|call| {
            // A call has its own place, even without any text.
            128 + len(&call.function.name) + call.function.arguments.text().len()
        });
        only_texts.then(|| {
            delta.text().map_or(0, str::len)
                + len(&delta.refusal)
                + len(&delta.reasoning)
                + len(&delta.reasoning_content)
                + calls.sum::<usize>()
        })
    }

    fn into_owned(self) -> ChunkChoice<'static> {
        ChunkChoice {
            index: self.index,
            delta: self.delta.into_owned(),
            finish_reason: self.finish_reason,
            native_finish_reason: own(self.native_finish_reason),
            logprobs: self.logprobs,
            error: self.error,
            extra: self.extra,
            is_message: self.is_message,
        }
    }
}

/// A piece of a message.
#[derive(Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Delta<'a> {
    /// `assistant`; some servers repeat it in every delta.
    pub role: Text<'a>,
    /// New text or parts.
    pub content: Option<DeltaContent<'a>>,
    /// New text of a refusal.
    pub refusal: Text<'a>,
    /// New reasoning, under OpenRouter's and vLLM's name.
    pub reasoning: Text<'a>,
    /// New reasoning, under DeepSeek's and llama.cpp's name.
    pub reasoning_content: Text<'a>,
    /// New reasoning in OpenRouter's structured form.
    pub reasoning_details: Vec<ReasoningDetail>,
    /// Fragments of tool calls.
    pub tool_calls: Vec<ToolCallDelta<'a>>,
    /// Citations and parsed files.
    pub annotations: Vec<Value>,
    /// Images.
    pub images: Vec<Value>,
    /// Sound.
    pub audio: Option<Box<Audio>>,
    /// Everything else.
    pub extra: Extra,
}

tolerant_object!(<'de> Delta<'de> {
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

impl Delta<'_> {
    /// The new text; none where parts came.
    pub fn text(&self) -> Option<&str> {
        match self.content.as_ref()? {
            DeltaContent::Text(text) => Some(text),
            DeltaContent::Parts(_) => None,
        }
    }

    pub(crate) fn is_meaningful(&self) -> bool {
        let any = |text: &Text<'_>| text.as_ref().is_some_and(|text| !text.is_empty());
        any(&self.refusal)
            || any(&self.reasoning)
            || any(&self.reasoning_content)
            || match &self.content {
                None => false,
                Some(DeltaContent::Text(text)) => !text.is_empty(),
                Some(DeltaContent::Parts(_)) => true,
            }
            || !self.reasoning_details.is_empty()
            || !self.tool_calls.is_empty()
            || !self.annotations.is_empty()
            || !self.images.is_empty()
            || self.audio.is_some()
            || self.extra.get("function_call").is_some()
    }

    fn into_owned(self) -> Delta<'static> {
        Delta {
            role: own(self.role),
            content: self.content.map(|content| match content {
                DeltaContent::Text(text) => DeltaContent::Text(Cow::Owned(text.into_owned())),
                DeltaContent::Parts(parts) => DeltaContent::Parts(parts),
            }),
            refusal: own(self.refusal),
            reasoning: own(self.reasoning),
            reasoning_content: own(self.reasoning_content),
            reasoning_details: self.reasoning_details,
            tool_calls: self
                .tool_calls
                .into_iter()
                .map(ToolCallDelta::into_owned)
                .collect(),
            annotations: self.annotations,
            images: self.images,
            audio: self.audio,
            extra: self.extra,
        }
    }
}

/// Which parts it has, not what they say.
impl fmt::Debug for Delta<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Delta")
            .field("role", &self.role)
            .field("content", &self.content)
            .field("tool_calls", &self.tool_calls)
            .finish_non_exhaustive()
    }
}

/// New text, or new parts.
#[derive(Clone, PartialEq)]
pub enum DeltaContent<'a> {
    /// Text.
    Text(Cow<'a, str>),
    /// Parts; always [`Content::Parts`].
    Parts(Box<Content>),
}

impl DeltaContent<'_> {
    pub(crate) fn to_content(&self) -> Content {
        match self {
            Self::Text(text) => Content::Text(text.clone().into_owned()),
            Self::Parts(parts) => (**parts).clone(),
        }
    }
}

/// The length only.
impl fmt::Debug for DeltaContent<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(formatter, "<{} bytes of text>", text.len()),
            Self::Parts(parts) => parts.fmt(formatter),
        }
    }
}

impl<'de> Tolerant<'de> for Option<DeltaContent<'de>> {
    fn from_text(text: Cow<'de, str>) -> Self {
        Some(DeltaContent::Text(text))
    }

    fn from_number(number: serde_json::Number) -> Self {
        Some(DeltaContent::Text(Cow::Owned(number.to_string())))
    }

    fn from_seq<A: serde::de::SeqAccess<'de>>(seq: A) -> Result<Self, A::Error> {
        let content = <Option<Content> as Tolerant>::from_seq(seq)?;
        Ok(content.map(|content| DeltaContent::Parts(Box::new(content))))
    }

    fn from_map<A: MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let content = <Option<Content> as Tolerant>::from_map(map)?;
        Ok(content.map(|content| DeltaContent::Parts(Box::new(content))))
    }
}

/// A piece of a tool call. The protocol promises its `index` only, and some servers not even that.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ToolCallDelta<'a> {
    /// Which call of the message.
    pub index: Option<u64>,
    /// The call's id; in the first fragment, and in some servers' in every one.
    pub id: Text<'a>,
    /// `function`.
    pub kind: Text<'a>,
    /// A piece of the name and of the arguments.
    pub function: FunctionDelta<'a>,
    /// Everything else.
    pub extra: Extra,
}

tolerant_object!(<'de> ToolCallDelta<'de> {
    "index" => index,
    "id" => id,
    "type" => kind,
    "function" => function;
    extra
});

impl ToolCallDelta<'_> {
    fn into_owned(self) -> ToolCallDelta<'static> {
        ToolCallDelta {
            index: self.index,
            id: own(self.id),
            kind: own(self.kind),
            function: FunctionDelta {
                name: own(self.function.name),
                arguments: self.function.arguments,
                extra: self.function.extra,
            },
            extra: self.extra,
        }
    }
}

/// A piece of a function call.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct FunctionDelta<'a> {
    /// The name, or a piece of it.
    pub name: Text<'a>,
    /// A piece of the arguments.
    pub arguments: Arguments,
    /// Everything else.
    pub extra: Extra,
}

// By hand, because the arguments are read as raw JSON to keep every digit of an object.
impl<'de> Tolerant<'de> for FunctionDelta<'de> {
    fn from_map<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let mut out = Self::default();
        while let Some(Key(key)) = map.next_key()? {
            match &*key {
                "name" => out.name = map.next_value::<Any<_>>()?.0,
                "arguments" => out.arguments = map.next_value()?,
                _ => out.extra.insert_known(&key, map.next_value()?),
            }
        }
        Ok(out)
    }
}

impl<'de> serde::Deserialize<'de> for FunctionDelta<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        object(deserializer)
    }
}
