//! Reading a whole response body.

use serde_json::Value;

use crate::completion::Completion;
use crate::error::ApiError;
use crate::failure::{Failure, FailureKind};
use crate::mend::{self, Note};
use crate::stream_reader::{Problem, StreamReader};

/// A completion, and what had to be put right before it could be read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Received {
    /// The completion.
    pub completion: Completion,
    /// What was not JSON in the body.
    pub mended: Vec<Note>,
}

/// Reads a response: its status and its body.
///
/// A body that turns out to be an event stream is read and folded as one, whatever was asked for.
///
/// # Errors
///
/// The server's error where the status is not 2xx, or where the body is an error envelope under a
/// 2xx; `Malformed` where it is neither a completion nor an error; `Interrupted` for an event stream
/// that broke off.
pub fn read_response(status: u16, body: &[u8]) -> Result<Received, Failure> {
    if !(200..300).contains(&status) {
        return Err(read_error_response(status, body));
    }
    if is_event_stream(body) {
        let mut reader = StreamReader::new();
        reader.feed(body, |_| {});
        reader.end(|_| {});
        let mended = reader.mended().iter().map(|(_, note)| *note).collect();
        return Ok(Received {
            completion: reader.into_completion()?,
            mended,
        });
    }
    read_body(body)
}

/// Reads a body that came with a 2xx.
///
/// # Errors
///
/// As [`read_response`].
pub fn read_completion(body: &[u8]) -> Result<Completion, Failure> {
    read_response(200, body).map(|received| received.completion)
}

/// Reads an error body, whichever of the known shapes it has; none where it has none of them.
pub fn read_error(body: &[u8]) -> Option<ApiError> {
    let value = match serde_json::from_slice(body) {
        Ok(value) => value,
        Err(_) => mend_body(body)?.0,
    };
    ApiError::from_value(&value)
}

/// Whether a body is an event stream: its first line is a comment, or one of the four fields.
pub fn is_event_stream(body: &[u8]) -> bool {
    let body = body
        .strip_prefix(b"\xEF\xBB\xBF")
        .unwrap_or(body)
        .trim_ascii_start();
    if body.starts_with(b":") {
        return true;
    }
    [&b"data"[..], b"event", b"id", b"retry"]
        .iter()
        .any(|name| {
            body.strip_prefix(*name)
                .is_some_and(|rest| matches!(rest.first(), None | Some(b':' | b'\n' | b'\r')))
        })
}

fn read_body(body: &[u8]) -> Result<Received, Failure> {
    if body.trim_ascii().is_empty() {
        return Err(Failure::new(FailureKind::Malformed, "the body is empty"));
    }
    match serde_json::from_slice::<Completion>(body) {
        Ok(completion) if completion.error.is_none() && !completion.choices.is_empty() => {
            Ok(Received {
                completion,
                mended: Vec::new(),
            })
        }
        Ok(completion) => Err(no_answer(completion, || serde_json::from_slice(body).ok())),
        Err(error) => read_odd_body(body, &error),
    }
}

/// A body that is no JSON object: mended, an error in an array, or nothing that can be read.
fn read_odd_body(body: &[u8], problem: &serde_json::Error) -> Result<Received, Failure> {
    let (value, mended) = match serde_json::from_slice::<Value>(body) {
        Ok(value) => (value, Vec::new()),
        Err(_) => mend_body(body).ok_or_else(|| not_json(body, problem))?,
    };
    match serde_json::from_value::<Completion>(value.clone()) {
        Ok(completion) if completion.error.is_none() && !completion.choices.is_empty() => {
            let events = mended.iter().map(|note| (0, *note)).collect();
            Ok(Received {
                completion: completion.with_mended(events),
                mended,
            })
        }
        Ok(completion) => Err(no_answer(completion, || Some(value))),
        Err(_) => Err(match ApiError::from_value(&value) {
            Some(error) => Failure::from_inline(error),
            None => Failure::new(FailureKind::Malformed, "the body is not a JSON object"),
        }),
    }
}

/// Why a completion that has an error or no choices is none.
fn no_answer(completion: Completion, body: impl FnOnce() -> Option<Value>) -> Failure {
    let failure = match body().as_ref().and_then(ApiError::from_value) {
        Some(error) => Failure::from_inline(error),
        None => Failure::new(FailureKind::Malformed, "the body holds no choices"),
    };
    failure
        .with_generation_id(completion.id.clone())
        .with_completion(completion)
}

fn mend_body(body: &[u8]) -> Option<(Value, Vec<Note>)> {
    let mended = mend::envelope(body)?;
    Some((serde_json::from_slice(&mended.bytes).ok()?, mended.notes))
}

fn read_error_response(status: u16, body: &[u8]) -> Failure {
    let error = read_error(body)
        .or_else(|| first_error(body))
        .unwrap_or_else(|| {
            ApiError::new(match page_title(body) {
                Some(title) => format!("{title} (a web page, not an API response)"),
                None => plain_text(body).unwrap_or_default(),
            })
        });
    Failure::from_status(status, error)
}

/// The error that an event stream under an error status begins with.
fn first_error(body: &[u8]) -> Option<ApiError> {
    if !is_event_stream(body) {
        return None;
    }
    let mut reader = StreamReader::new();
    reader.feed(body, |_| {});
    reader.end(|_| {});
    reader.fold().error().cloned()
}

/// The first line of a text that a proxy or a framework sends in place of JSON.
fn plain_text(body: &[u8]) -> Option<String> {
    let text = valid_start(body, 4 * 1024).trim_start();
    if text.starts_with(['{', '[', '<']) || text.contains('\0') {
        return None;
    }
    let line = text.lines().next()?.trim();
    let line: String = line.chars().take(200).collect();
    (!line.is_empty()).then_some(line)
}

/// As much of the first `limit` bytes as is UTF-8.
fn valid_start(body: &[u8], limit: usize) -> &str {
    let start = body.get(..limit).unwrap_or(body);
    start.utf8_chunks().next().map_or("", |chunk| chunk.valid())
}

pub(crate) fn not_json(body: &[u8], error: &serde_json::Error) -> Failure {
    let message = match page_title(body) {
        Some(title) => format!("the body is a web page, not an API response: {title}"),
        None => format!("the body is not JSON: {}", Problem(error)),
    };
    Failure::new(FailureKind::Malformed, message)
}

/// The title of an HTML page, or what page it is where it has none.
fn page_title(body: &[u8]) -> Option<String> {
    let text = valid_start(body, 16 * 1024);
    let lower = text.to_ascii_lowercase();
    let start = lower.trim_start();
    if !start.starts_with("<!doctype html")
        && !start.starts_with("<html")
        && !start.starts_with("<head")
    {
        return None;
    }
    let title = lower.find("<title").and_then(|open| {
        let begin = open + lower.get(open..)?.find('>')? + 1;
        let end = begin + lower.get(begin..)?.find("</title")?;
        text.get(begin..end)
    });
    let title: String = title
        .unwrap_or("untitled page")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    Some(title.chars().take(120).collect())
}
