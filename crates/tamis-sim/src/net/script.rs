//! What a connection plays: a head, steps and an end.

use std::collections::VecDeque;

use axum::http::{HeaderMap, StatusCode};
use bytes::Bytes;

/// One whole answer on the wire.
#[derive(Debug, Clone)]
pub(crate) struct Script {
    pub(crate) head: Head,
    pub(crate) framing: Framing,
    pub(crate) steps: VecDeque<Step>,
    pub(crate) end: End,
}

/// Status and headers.
#[derive(Debug, Clone)]
pub(crate) struct Head {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) style: HeadStyle,
}

/// How the head comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HeadStyle {
    /// At once.
    Prompt,
    /// After the hang, which is longer than a client waits.
    Late,
    /// A few bytes at a time.
    Dripped,
    /// Not at all.
    Absent,
}

/// How the body's end is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    /// The HTTP library's business: a length where it is known, else chunked.
    Usual,
    /// A `Content-Length` that promises this many bytes more than come.
    Overlong(usize),
}

/// How an answer ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// As HTTP asks; the connection stays open.
    Complete,
    /// As HTTP asks, and then the server closes the connection without having announced it.
    CompleteThenClose,
    /// As HTTP asks; the next request on the connection is closed without an answer.
    CompleteThenDoom,
    /// The connection is closed before the body has ended.
    Close,
    /// The connection is closed inside of a chunk of the chunked coding.
    Torn,
    /// The connection is reset.
    Reset,
}

/// One step of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// Bytes in one write.
    Send(Bytes),
    /// The same bytes, so many times. Costs no memory.
    Repeat(Bytes, usize),
    /// Nothing for a while.
    Wait(Pause),
    /// The same bytes at every beat until the hang is over.
    Beat(Bytes),
}

/// How long nothing comes. The lengths are the builder's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pause {
    /// Between two tokens.
    Pace,
    /// Between two writes that must not be joined.
    Tick,
    /// Between two writes of a slow answer.
    Drip,
    /// Longer than any client waits.
    Hang,
}

impl Script {
    /// Whether the HTTP library could not send this.
    pub(crate) fn is_raw(&self) -> bool {
        !matches!(self.end, End::Complete | End::CompleteThenDoom)
            || self.framing != Framing::Usual
            || matches!(self.head.style, HeadStyle::Dripped | HeadStyle::Absent)
    }

    /// The body's length, where it is known without playing it.
    pub(crate) fn length(&self) -> Option<usize> {
        self.steps.iter().try_fold(0_usize, |sum, step| match step {
            Step::Send(bytes) => sum.checked_add(bytes.len()),
            Step::Repeat(bytes, times) => sum.checked_add(bytes.len().checked_mul(*times)?),
            Step::Wait(_) => Some(sum),
            Step::Beat(_) => None,
        })
    }
}
