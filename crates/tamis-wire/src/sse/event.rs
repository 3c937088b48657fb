//! What a decoder lends out.

use std::fmt;

/// One thing that an event stream said.
///
/// It borrows from the decoder or from the fragment, so it lives until the next call.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A dispatched event.
    Message(Message<'a>),
    /// A comment line (`: text`), without its colon and one space after it. Servers send them to
    /// keep a connection open. At most the first [`MAX_COMMENT_BYTES`](super::MAX_COMMENT_BYTES)
    /// of the line are kept.
    Comment(&'a [u8]),
    /// A reconnection time in milliseconds (`retry: 3000`). A number too large for the type reads
    /// as its maximum; the caller must bound it anyway.
    Retry(u64),
}

/// A dispatched event: it had at least one `data` line, and its closing blank line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Message<'a> {
    pub(super) data: &'a [u8],
    pub(super) event: &'a str,
    pub(super) id: &'a str,
}

impl<'a> Message<'a> {
    /// The values of the `data` lines, joined by line feeds.
    ///
    /// These are the bytes as sent: they are UTF-8 only if the server kept to the standard.
    pub const fn data(&self) -> &'a [u8] {
        self.data
    }

    /// The event's name; `message` where the stream gave none.
    ///
    /// Bytes that are not UTF-8 read as U+FFFD.
    pub const fn event(&self) -> &'a str {
        named(self.event)
    }

    /// The last `id` of the stream so far, which outlives its event; empty where there was none.
    ///
    /// Bytes that are not UTF-8 read as U+FFFD.
    pub const fn id(&self) -> &'a str {
        self.id
    }
}

/// An event that lacked its closing blank line when the stream ended.
///
/// The standard discards it. A stream that ends so was cut off, or comes from a server that forgets
/// the last line end; only the caller can tell which, so it gets to see it, under a type that cannot
/// be taken for a dispatched event.
#[derive(Clone, PartialEq, Eq)]
pub struct Tail {
    pub(super) data: Vec<u8>,
    pub(super) event: String,
    pub(super) id: String,
    pub(super) line_cut: bool,
}

impl Tail {
    /// The values of the `data` lines so far, joined by line feeds, with that of an unfinished last
    /// line.
    pub fn data(&self) -> &[u8] {
        &self.data
    }

    /// The event's name so far; `message` where the stream gave none.
    pub const fn event(&self) -> &str {
        named(self.event.as_str())
    }

    /// The last `id` of the stream; empty where there was none.
    pub const fn id(&self) -> &str {
        self.id.as_str()
    }

    /// Whether the stream ended inside a line, so that [`data`](Self::data) may be cut short too.
    /// Otherwise only the closing blank line is missing.
    pub const fn is_line_cut(&self) -> bool {
        self.line_cut
    }
}

const fn named(event: &str) -> &str {
    if event.is_empty() { "message" } else { event }
}

/// How much, not what.
impl fmt::Debug for Event<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message(message) => message.fmt(formatter),
            Self::Comment(text) => write!(formatter, "Comment(<{} bytes>)", text.len()),
            Self::Retry(milliseconds) => write!(formatter, "Retry({milliseconds})"),
        }
    }
}

/// Without the data.
impl fmt::Debug for Message<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "Message({:?}, <{} bytes>)",
            self.event(),
            self.data.len()
        )
    }
}

/// Without the data.
impl fmt::Debug for Tail {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "Tail({:?}, <{} bytes>)",
            self.event(),
            self.data.len()
        )
    }
}
