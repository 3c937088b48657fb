//! Why a decoder gave up.

use std::fmt;

/// An event stream that cannot be read on.
///
/// The decoder that returned it stays failed: every later call returns the same error, since what
/// follows cannot be told apart from the rest of the event that was lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SseError {
    kind: SseErrorKind,
}

/// What kind of [`SseError`] it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SseErrorKind {
    /// An event is larger than the decoder's limit.
    EventTooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
    /// The events of the previous fragment were not read to their end before the next was fed.
    UnreadEvents,
}

impl SseError {
    pub(super) const fn new(kind: SseErrorKind) -> Self {
        Self { kind }
    }

    /// The kind of the error.
    pub const fn kind(&self) -> SseErrorKind {
        self.kind
    }

    /// Whether an event was larger than the decoder's limit.
    pub const fn is_event_too_large(&self) -> bool {
        matches!(self.kind, SseErrorKind::EventTooLarge { .. })
    }
}

impl fmt::Display for SseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            SseErrorKind::EventTooLarge { limit } => {
                write!(
                    f,
                    "an event of the stream is larger than the limit of {limit} bytes"
                )
            }
            SseErrorKind::UnreadEvents => {
                f.write_str("a fragment was fed before the events of the previous one were read")
            }
        }
    }
}

impl std::error::Error for SseError {}
