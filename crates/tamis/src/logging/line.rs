//! One line of the log.

use std::fmt;
use std::time::Duration;

use tamis_wire::FailureKind;

/// What is told of one attempt at a request, after it ended.
#[derive(Debug)]
#[non_exhaustive]
pub struct LogLine<'a> {
    /// `GET`, `POST`.
    pub method: &'a str,
    /// The path, without the query.
    pub path: &'a str,
    /// Which attempt, from 1.
    pub attempt: u32,
    /// The HTTP status; none where no response began.
    pub status: Option<u16>,
    /// From the request to the response's headers.
    pub to_headers: Option<Duration>,
    /// From the request to the end.
    pub elapsed: Duration,
    /// Bytes of the request's body.
    pub sent: usize,
    /// Bytes of the response's body that were read, decompressed.
    pub received: usize,
    /// Whether the response's body was read to its end, or to a stream's end marker.
    pub whole: bool,
    /// Why it got no response, or why its body broke off. What an answer says of itself, an error
    /// under 200 among it, is the answer's.
    pub failure: Option<FailureKind>,
    /// The generation id, to look the call up.
    pub generation_id: Option<&'a str>,
    /// The beginning of the request's body, where bodies are turned on.
    pub request_body: Option<&'a str>,
    /// The beginning of the response's body, where bodies are turned on. Never that of a call that
    /// brings a secret.
    pub response_body: Option<&'a str>,
}

/// One line of text, without the bodies.
impl fmt::Display for LogLine<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}: ", self.method, self.path)?;
        match (self.status, self.failure) {
            (Some(status), None) => write!(formatter, "{status}")?,
            (Some(status), Some(failure)) => write!(formatter, "{status}, {failure}")?,
            (None, Some(failure)) => write!(formatter, "{failure}")?,
            (None, None) => formatter.write_str("given up")?,
        }
        let milliseconds = self.elapsed.as_secs_f64() * 1000.0;
        write!(
            formatter,
            " in {milliseconds:.1} ms, {} bytes out, {} in",
            self.sent, self.received
        )?;
        if self.status.is_some() && !self.whole {
            formatter.write_str(" (not to the end)")?;
        }
        if self.attempt > 1 {
            write!(formatter, ", attempt {}", self.attempt)?;
        }
        if let Some(id) = self.generation_id {
            write!(formatter, ", {id}")?;
        }
        Ok(())
    }
}
