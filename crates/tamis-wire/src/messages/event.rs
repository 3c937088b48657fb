//! The events of a stream.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde_json::Value;

use super::Message;
use crate::error::ApiError;
use crate::native::{Fields, Object, text};

/// One event of a stream of the Messages protocol.
///
/// ```
/// use tamis_wire::messages::Event;
///
/// let event = r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel"}}"#;
/// let Event::BlockDelta { delta, .. } = Event::read("", serde_json::from_str(event)?) else {
///     panic!("not a delta");
/// };
/// assert_eq!(delta["text"], "Hel");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// The message begins, without content yet.
    Start(Message),
    /// A block begins.
    BlockStart {
        /// Its number; some servers leave it out.
        index: Option<u64>,
        /// As far as it is known.
        block: Fields,
    },
    /// More of a block: `text_delta`, `thinking_delta`, `input_json_delta`, …
    BlockDelta {
        /// Which.
        index: Option<u64>,
        /// What is new.
        delta: Fields,
    },
    /// A block is whole.
    BlockStop {
        /// Which.
        index: Option<u64>,
    },
    /// Fields of the message itself, the stop reason among them.
    MessageDelta {
        /// The fields.
        delta: Fields,
        /// Tokens and cost so far.
        usage: Fields,
    },
    /// The message is whole.
    Stop,
    /// A sign of life.
    Ping,
    /// The stream failed.
    Error(ApiError),
    /// Any other event, as it came.
    Other(Fields),
}

impl Event {
    /// Reads an event: its name in the stream, which its `type` comes before, and its data.
    pub fn read(name: &str, mut event: Fields) -> Self {
        let kind = event.str("type").filter(|kind| !kind.is_empty());
        let kind = kind.unwrap_or(name).to_owned();
        if let Some(read) = Self::known(&kind, &mut event) {
            return read;
        }
        // A bare error, as OpenRouter's chat route sends it.
        if event.get("error").is_some_and(|error| !error.is_null())
            && let Some(error) = ApiError::from_value(&Value::Object(event.clone()))
        {
            return Self::Error(error);
        }
        Self::Other(event)
    }

    fn known(kind: &str, event: &mut Fields) -> Option<Self> {
        let index = event.whole("index");
        Some(match kind {
            "message_start" => Self::Start(Message::from(take(event, "message")?)),
            "content_block_start" => Self::BlockStart {
                index,
                block: take(event, "content_block")?,
            },
            "content_block_delta" => Self::BlockDelta {
                index,
                delta: take(event, "delta")?,
            },
            "content_block_stop" => Self::BlockStop { index },
            "message_delta" => Self::MessageDelta {
                delta: take(event, "delta").unwrap_or_default(),
                usage: take(event, "usage").unwrap_or_default(),
            },
            "message_stop" => Self::Stop,
            "ping" => Self::Ping,
            "error" => Self::Error(error(event)),
            _ => return None,
        })
    }
}

/// A text that comes bit by bit.
#[derive(Clone, Copy)]
pub(super) enum Piece {
    Text,
    Thinking,
    Signature,
    /// A tool's input, as JSON text.
    Input,
}

impl Piece {
    /// By the type of a delta.
    pub(super) fn of(kind: &str) -> Option<Self> {
        Some(match kind {
            "text_delta" => Self::Text,
            "thinking_delta" => Self::Thinking,
            "signature_delta" => Self::Signature,
            "input_json_delta" => Self::Input,
            _ => return None,
        })
    }

    /// The delta's field that holds it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Thinking => "thinking",
            Self::Signature => "signature",
            Self::Input => "partial_json",
        }
    }

    /// The type of block that it is in.
    pub(super) const fn block(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Thinking | Self::Signature => "thinking",
            Self::Input => "tool_use",
        }
    }
}

/// An event that brings a token's text, in the shape in which servers send it.
#[derive(Deserialize)]
pub(super) struct Token<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    index: Option<u64>,
    #[serde(borrow)]
    delta: Delta<'a>,
}

#[derive(Deserialize)]
struct Delta<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
    #[serde(borrow)]
    partial_json: Option<Cow<'a, str>>,
}

impl Token<'_> {
    /// The block's number, and what comes; none where it is another kind of event.
    pub(super) fn read(self) -> Option<(Option<u64>, Piece, String)> {
        if self.kind != "content_block_delta" {
            return None;
        }
        let piece = Piece::of(&self.delta.kind)?;
        let text = match piece {
            Piece::Text => self.delta.text?,
            Piece::Input => self.delta.partial_json?,
            Piece::Thinking | Piece::Signature => return None,
        };
        Some((self.index, piece, text.into_owned()))
    }
}

/// Wrapped, as Anthropic has it, or its fields bare.
fn error(event: &mut Fields) -> ApiError {
    ApiError::from_value(&Value::Object(event.clone()))
        .unwrap_or_else(|| ApiError::new(text(event, "message").unwrap_or_default()))
}

fn take(event: &mut Fields, name: &str) -> Option<Fields> {
    match event.get_mut(name)? {
        Value::Object(fields) => Some(std::mem::take(fields)),
        _ => None,
    }
}

/// Which kind, not what it says.
impl fmt::Debug for Event {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Start(_) => "Start",
            Self::BlockStart { .. } => "BlockStart",
            Self::BlockDelta { .. } => "BlockDelta",
            Self::BlockStop { .. } => "BlockStop",
            Self::MessageDelta { .. } => "MessageDelta",
            Self::Stop => "Stop",
            Self::Ping => "Ping",
            Self::Error(error) => return write!(formatter, "Error({error:?})"),
            Self::Other(_) => "Other",
        })
    }
}
