//! What is logged, and where it goes.

use std::fmt;
use std::sync::Arc;

use super::LogLine;

type Sink = dyn Fn(&LogLine<'_>) + Send + Sync;

/// A log of requests; see [`ClientBuilder::log`](crate::ClientBuilder::log).
///
/// Each attempt is one line, told when it ended: when its body was read to the end, broke off, or was
/// given up.
#[derive(Clone)]
pub struct RequestLog {
    sink: Arc<Sink>,
    bodies: usize,
}

impl Default for RequestLog {
    fn default() -> Self {
        Self::new()
    }
}

impl RequestLog {
    /// As events of `tracing`, at the level `INFO`, with the target `tamis::requests`.
    pub fn new() -> Self {
        Self::to(trace)
    }

    /// To a function. It is called where the request is, so it must be quick, and it must not panic.
    pub fn to(sink: impl Fn(&LogLine<'_>) + Send + Sync + 'static) -> Self {
        Self {
            sink: Arc::new(sink),
            bodies: 0,
        }
    }

    /// Tells bodies as well: prompts and answers, so many bytes of each at most. None by default.
    ///
    /// The client's key is taken out, and what is no UTF-8 becomes `U+FFFD`.
    #[must_use]
    pub fn with_bodies(mut self, most_bytes: usize) -> Self {
        self.bodies = most_bytes;
        self
    }

    pub(super) fn bodies(&self) -> usize {
        self.bodies
    }

    pub(super) fn tell(&self, line: &LogLine<'_>) {
        (self.sink)(line);
    }
}

fn trace(line: &LogLine<'_>) {
    let millis = |time: std::time::Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    tracing::info!(
        target: "tamis::requests",
        method = line.method,
        path = line.path,
        status = line.status,
        attempt = line.attempt,
        headers_ms = line.to_headers.map(millis),
        elapsed_ms = millis(line.elapsed),
        sent = line.sent,
        received = line.received,
        whole = line.whole,
        failure = line.failure.map(tamis_wire::FailureKind::as_str),
        generation_id = line.generation_id,
        request_body = line.request_body,
        response_body = line.response_body,
    );
}

impl fmt::Debug for RequestLog {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("RequestLog")
            .field("bodies", &self.bodies)
            .finish_non_exhaustive()
    }
}
