//! Gathers a line while an attempt goes on.

use std::time::Duration;

use bytes::Bytes;
use tamis_wire::{Failure, FailureKind};
use tokio::time::Instant;

use super::{LogLine, RequestLog};
use crate::api_key::ApiKey;

/// Bytes that hold a stream's end marker with the line ends after it.
const TAIL: usize = 16;

/// What is known of an attempt so far. Dropped, it tells its line.
pub(crate) struct Recorder {
    log: RequestLog,
    key: Option<ApiKey>,
    method: &'static str,
    path: String,
    attempt: u32,
    began: Instant,
    status: Option<u16>,
    to_headers: Option<Duration>,
    request: Option<Bytes>,
    received: usize,
    /// The beginning of the response's body.
    response: Vec<u8>,
    /// The end of it so far.
    tail: Vec<u8>,
    /// Whether the response may not be shown whatever is turned on.
    secret: bool,
    generation_id: Option<String>,
    failure: Option<FailureKind>,
    whole: bool,
}

impl Recorder {
    pub(crate) fn new(
        log: &RequestLog,
        key: Option<&ApiKey>,
        method: &'static str,
        path: &str,
        attempt: u32,
    ) -> Self {
        Self {
            log: log.clone(),
            key: key.cloned(),
            method,
            path: path.to_owned(),
            attempt,
            began: Instant::now(),
            status: None,
            to_headers: None,
            request: None,
            received: 0,
            response: Vec::new(),
            tail: Vec::new(),
            secret: false,
            generation_id: None,
            failure: None,
            whole: false,
        }
    }

    /// The request's body, and whether the response brings a secret.
    pub(crate) fn sends(&mut self, body: Option<Bytes>, secret: bool) {
        self.request = body;
        self.secret = secret;
    }

    pub(crate) fn began_to_answer(&mut self, status: u16, generation_id: Option<String>) {
        self.status = Some(status);
        self.to_headers = Some(self.began.elapsed());
        self.generation_id = generation_id;
    }

    pub(crate) fn receives(&mut self, bytes: &[u8]) {
        self.received = self.received.saturating_add(bytes.len());
        let last = bytes.len().saturating_sub(TAIL);
        self.tail
            .extend_from_slice(bytes.get(last..).unwrap_or(bytes));
        let surplus = self.tail.len().saturating_sub(TAIL);
        self.tail.drain(..surplus);
        let most = self.log.bodies();
        if most == 0 || self.secret {
            return;
        }
        // A key that begins inside what is shown must be there to its end, to be found.
        let room = most.saturating_add(self.key_length());
        let rest = room.saturating_sub(self.response.len());
        self.response
            .extend_from_slice(bytes.get(..rest).unwrap_or(bytes));
    }

    pub(crate) fn fails(&mut self, failure: &Failure) {
        self.failure = Some(failure.kind());
    }

    /// The connection broke while the body came.
    pub(crate) fn breaks_off(&mut self) {
        self.failure = Some(FailureKind::Network);
    }

    /// The body came to its end; tells the line.
    pub(crate) fn ends(mut self) {
        self.whole = true;
    }

    fn key_length(&self) -> usize {
        self.key.as_ref().map_or(0, |key| key.expose().len())
    }

    /// The beginning of a body, without the key.
    fn shown(&self, body: &[u8]) -> String {
        let most = self.log.bodies();
        let reach = most.saturating_add(self.key_length());
        let begin = body.get(..reach).unwrap_or(body);
        let clean = match &self.key {
            Some(key) => key.redact(begin),
            None => begin.into(),
        };
        // Where more would follow, the last bytes may be the beginning of a key.
        let cut = if begin.len() >= reach {
            clean.len().saturating_sub(self.key_length())
        } else {
            clean.len()
        };
        let shown = clean.get(..cut.min(most)).unwrap_or(&clean);
        let mut text = String::with_capacity(shown.len());
        for chunk in shown.utf8_chunks() {
            text.push_str(chunk.valid());
            if !chunk.invalid().is_empty() {
                text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        text
    }

    fn clean(&self, text: &str) -> String {
        match &self.key {
            Some(key) if !key.expose().is_empty() => text.replace(key.expose(), "[redacted]"),
            _ => text.to_owned(),
        }
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        let bodies = self.log.bodies() > 0;
        let request = self
            .request
            .as_ref()
            .filter(|_| bodies)
            .map(|body| self.shown(body));
        let response =
            (bodies && !self.secret && self.status.is_some()).then(|| self.shown(&self.response));
        let path = self.clean(&self.path);
        let id = self.generation_id.as_deref().map(|id| self.clean(id));
        self.log.tell(&LogLine {
            method: self.method,
            path: &path,
            attempt: self.attempt,
            status: self.status,
            to_headers: self.to_headers,
            elapsed: self.began.elapsed(),
            sent: self.request.as_ref().map_or(0, Bytes::len),
            received: self.received,
            // Nobody reads on behind a stream's end marker.
            whole: self.whole || self.tail.trim_ascii_end().ends_with(b"[DONE]"),
            failure: self.failure,
            generation_id: id.as_deref(),
            request_body: request.as_deref(),
            response_body: response.as_deref(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::Recorder;
    use crate::api_key::ApiKey;
    use crate::logging::RequestLog;

    const KEY: &str = "sk-a-rather-long-key-0123456789";

    fn shown(body: &str, most: usize, fragment: usize) -> String {
        let log = RequestLog::to(|_| {}).with_bodies(most);
        let key = ApiKey::from(KEY);
        let mut recorder = Recorder::new(&log, Some(&key), "GET", "/", 1);
        for fragment in body.as_bytes().chunks(fragment) {
            recorder.receives(fragment);
        }
        recorder.shown(&recorder.response)
    }

    #[test]
    fn no_part_of_a_key_is_shown_wherever_the_cut_is() {
        let body = format!("ä{KEY}{KEY} and {KEY}!");
        for most in 1..120 {
            for fragment in [1, 7, 200] {
                let text = shown(&body, most, fragment);
                assert!(!text.contains("sk-a"), "{most}: {text}");
                assert!(text.len() <= most + 3, "{most}: {text}");
            }
        }
        assert_eq!(
            shown(&body, 1000, 9),
            "ä[redacted][redacted] and [redacted]!"
        );
    }

    #[test]
    fn a_short_body_is_shown_whole() {
        assert_eq!(shown("abc", 100, 2), "abc");
        assert_eq!(shown("abcdef", 3, 2), "abc");
    }
}
