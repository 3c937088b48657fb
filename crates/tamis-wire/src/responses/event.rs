//! The events of a stream.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde_json::Value;

use super::Response;
use crate::error::ApiError;
use crate::native::{Fields, Object, text};

/// One event of a stream of the Responses protocol.
///
/// ```
/// use tamis_wire::responses::{Event, Piece};
///
/// let event = r#"{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"Hel"}"#;
/// let Event::Delta { piece, text, .. } = Event::read("", serde_json::from_str(event)?) else {
///     panic!("not a delta");
/// };
/// assert_eq!((piece, text.as_str()), (Piece::Text, "Hel"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// It began, or goes on: `response.created`, `response.queued`, `response.in_progress`.
    Progress(Response),
    /// It is over: `response.completed`, `response.incomplete`, `response.failed`, `response.cancelled`.
    End(Response),
    /// An item begins.
    ItemAdded {
        /// Which.
        at: Place,
        /// As far as it is known.
        item: Fields,
    },
    /// An item is whole.
    ItemDone {
        /// Which.
        at: Place,
        /// All of it.
        item: Fields,
    },
    /// A part of an item begins.
    PartAdded {
        /// Where.
        at: Place,
        /// Which kind of part.
        piece: Piece,
        /// As far as it is known.
        part: Fields,
    },
    /// A part of an item is whole.
    PartDone {
        /// Where.
        at: Place,
        /// Which kind of part.
        piece: Piece,
        /// All of it.
        part: Fields,
    },
    /// More text of a piece.
    Delta {
        /// Where.
        at: Place,
        /// Of what.
        piece: Piece,
        /// The text.
        text: String,
    },
    /// All the text of a piece.
    Done {
        /// Where.
        at: Place,
        /// Of what.
        piece: Piece,
        /// The text.
        text: String,
    },
    /// The stream failed: `error` or `response.error`.
    Error(ApiError),
    /// A sign of life.
    KeepAlive,
    /// Any other event, as it came.
    Other(Fields),
}

/// Where in the output something belongs. Some servers leave out one or the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The item's number.
    pub item: Option<u64>,
    /// The item's id.
    pub id: Option<String>,
    /// The part's number in the item.
    pub part: Option<u64>,
}

/// What a text is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Piece {
    /// A message's text.
    Text,
    /// A message's refusal.
    Refusal,
    /// Reasoning.
    Reasoning,
    /// A summary of reasoning.
    Summary,
    /// A function call's arguments.
    Arguments,
    /// A custom tool's input.
    Input,
}

impl Piece {
    /// The type of item that it is in.
    pub(super) const fn item(self) -> &'static str {
        match self {
            Self::Text | Self::Refusal => "message",
            Self::Reasoning | Self::Summary => "reasoning",
            Self::Arguments => "function_call",
            Self::Input => "custom_tool_call",
        }
    }

    /// The item's list of parts, the type of a part, and the part's field; none where the text is a field of
    /// the item itself.
    pub(super) const fn part(self) -> Option<(&'static str, &'static str, &'static str)> {
        match self {
            Self::Text => Some(("content", "output_text", "text")),
            Self::Refusal => Some(("content", "refusal", "refusal")),
            Self::Reasoning => Some(("content", "reasoning_text", "text")),
            Self::Summary => Some(("summary", "summary_text", "text")),
            Self::Arguments | Self::Input => None,
        }
    }

    /// The field that holds the text.
    pub(super) const fn field(self) -> &'static str {
        match self {
            Self::Refusal => "refusal",
            Self::Arguments => "arguments",
            Self::Input => "input",
            _ => "text",
        }
    }

    /// The piece that an event brings, and whether a part (`delta`) or the whole (`done`) of it.
    fn of_event(kind: &str) -> Option<(Self, &str)> {
        let (of, what) = kind.strip_prefix("response.")?.rsplit_once('.')?;
        let piece = match of {
            "output_text" => Self::Text,
            "refusal" => Self::Refusal,
            "reasoning_text" | "reasoning" => Self::Reasoning,
            "reasoning_summary_text" | "reasoning_summary" => Self::Summary,
            "function_call_arguments" => Self::Arguments,
            "custom_tool_call_input" => Self::Input,
            _ => return None,
        };
        Some((piece, what))
    }

    fn of_part(part: &Fields) -> Self {
        match part.str("type") {
            Some("refusal") => Self::Refusal,
            Some("reasoning_text") => Self::Reasoning,
            Some("summary_text") => Self::Summary,
            _ => Self::Text,
        }
    }
}

impl Event {
    /// Reads an event: its name in the stream, which its `type` comes before, and its data.
    pub fn read(name: &str, mut event: Fields) -> Self {
        let kind = text(&mut event, "type").filter(|kind| !kind.is_empty());
        let known = kind.as_deref().unwrap_or(name);
        let read = Self::known(known, &mut event);
        if let Some(read) = read {
            return read;
        }
        if let Some(kind) = kind {
            event.insert("type".to_owned(), kind.into());
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
        Some(match kind {
            "response.created" | "response.queued" | "response.in_progress" => {
                Self::Progress(Response::from(take(event, "response")?))
            }
            "response.completed"
            | "response.incomplete"
            | "response.failed"
            | "response.cancelled" => Self::End(ended(kind, event)),
            "response.output_item.added" => Self::ItemAdded {
                at: place(event),
                item: take(event, "item")?,
            },
            "response.output_item.done" => Self::ItemDone {
                at: place(event),
                item: take(event, "item")?,
            },
            "response.content_part.added" | "response.reasoning_summary_part.added" => {
                let part = take(event, "part")?;
                Self::PartAdded {
                    at: place(event),
                    piece: Piece::of_part(&part),
                    part,
                }
            }
            "response.content_part.done" | "response.reasoning_summary_part.done" => {
                let part = take(event, "part")?;
                Self::PartDone {
                    at: place(event),
                    piece: Piece::of_part(&part),
                    part,
                }
            }
            "error" | "response.error" => Self::Error(error(event)),
            "ping" | "keepalive" => Self::KeepAlive,
            _ => {
                let (piece, what) = Piece::of_event(kind)?;
                let text = match what {
                    "delta" => text(event, "delta")?,
                    "done" => text(event, piece.field())?,
                    _ => return None,
                };
                let at = place(event);
                if what == "delta" {
                    Self::Delta { at, piece, text }
                } else {
                    Self::Done { at, piece, text }
                }
            }
        })
    }
}

/// An event that brings a token's text, in the shape in which servers send it.
#[derive(Deserialize)]
pub(super) struct Token<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    pub(super) output_index: Option<u64>,
    #[serde(borrow)]
    pub(super) item_id: Option<Cow<'a, str>>,
    content_index: Option<u64>,
    summary_index: Option<u64>,
    #[serde(borrow)]
    pub(super) delta: Cow<'a, str>,
}

impl Token<'_> {
    /// Of what it is a part.
    pub(super) fn piece(&self) -> Option<Piece> {
        match Piece::of_event(&self.kind)? {
            (piece, "delta") => Some(piece),
            _ => None,
        }
    }

    /// The part's number in the item.
    pub(super) fn part(&self) -> Option<u64> {
        self.content_index.or(self.summary_index)
    }
}

/// The last event's response, with the status that the event's name says where it has none.
fn ended(kind: &str, event: &mut Fields) -> Response {
    let mut response = take(event, "response").unwrap_or_default();
    let said = response.str("status").is_some_and(|status| {
        matches!(status, "completed" | "incomplete" | "failed" | "cancelled")
    });
    if !said {
        let status = kind.strip_prefix("response.").unwrap_or(kind);
        response.insert("status".to_owned(), status.into());
    }
    // OpenRouter's type of the error may stand beside the response.
    if let Some(kind) = event.get("error_type")
        && !response.says("error_type")
    {
        response.insert("error_type".to_owned(), kind.clone());
    }
    Response::from(response)
}

/// An error in an event of its own: wrapped, or its fields bare.
fn error(event: &mut Fields) -> ApiError {
    if let Some(error) = ApiError::from_value(&Value::Object(event.clone())) {
        return error;
    }
    let mut error = ApiError::new(text(event, "message").unwrap_or_default());
    if let Some(kind) = event.get("error_type") {
        error.extra.insert("error_type", kind.clone());
    }
    error
}

fn place(event: &mut Fields) -> Place {
    Place {
        item: event.whole("output_index"),
        id: text(event, "item_id"),
        part: event
            .whole("content_index")
            .or_else(|| event.whole("summary_index")),
    }
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
        let name = match self {
            Self::Progress(_) => "Progress",
            Self::End(_) => "End",
            Self::ItemAdded { .. } => "ItemAdded",
            Self::ItemDone { .. } => "ItemDone",
            Self::PartAdded { .. } => "PartAdded",
            Self::PartDone { .. } => "PartDone",
            Self::Delta { piece, .. } => return write!(formatter, "Delta({piece:?})"),
            Self::Done { piece, .. } => return write!(formatter, "Done({piece:?})"),
            Self::Error(error) => return write!(formatter, "Error({error:?})"),
            Self::KeepAlive => "KeepAlive",
            Self::Other(_) => "Other",
        };
        formatter.write_str(name)
    }
}
