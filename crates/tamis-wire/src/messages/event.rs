//! The events of a stream.

use std::fmt;

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
