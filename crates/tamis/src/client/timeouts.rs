//! How long is waited for what.

use std::time::Duration;

/// How long a stream may go without anything meaningful.
///
/// Comments and empty deltas are signs of life, not of progress, and reset none of these; text,
/// reasoning and fragments of tool calls do. Time in which the caller does not ask for the next
/// chunk does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StallTimeouts {
    /// From the response's headers to the first event that is not a comment. 120 s.
    pub first_event: Duration,
    /// From the response's headers to the first text, reasoning or tool call. 120 s.
    pub first_content: Duration,
    /// From then on, between two of them. 60 s.
    pub between: Duration,
}

impl StallTimeouts {
    /// The same for all three.
    pub fn all(limit: Duration) -> Self {
        Self {
            first_event: limit,
            first_content: limit,
            between: limit,
        }
    }
}

impl Default for StallTimeouts {
    fn default() -> Self {
        Self {
            first_event: Duration::from_mins(2),
            first_content: Duration::from_mins(2),
            between: Duration::from_mins(1),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Timeouts {
    /// To a connection.
    pub(crate) connect: Duration,
    /// From the request to the response's headers.
    pub(crate) first_byte: Duration,
    /// For a whole call, its retries and its stream included.
    pub(crate) total: Duration,
    pub(crate) stall: StallTimeouts,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            first_byte: Duration::from_mins(5),
            total: Duration::from_mins(10),
            stall: StallTimeouts::default(),
        }
    }
}
