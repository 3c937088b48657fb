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
    ApiError::from_value(&serde_json::from_slice(body).ok()?)
}

/// Whether a body is an event stream: its first line is a comment or a field.
pub fn is_event_stream(body: &[u8]) -> bool {
    let body = body
        .strip_prefix(b"\xEF\xBB\xBF")
        .unwrap_or(body)
        .trim_ascii_start();
    [&b"data"[..], b":", b"event", b"id:", b"retry:"]
        .iter()
        .any(|start| body.starts_with(start))
}

fn read_body(body: &[u8]) -> Result<Received, Failure> {
    if body.trim_ascii().is_empty() {
        return Err(Failure::new(FailureKind::Malformed, "the body is empty"));
    }
    let (value, mended) = match serde_json::from_slice::<Value>(body) {
        Ok(value) => (value, Vec::new()),
        Err(error) => mend_body(body).ok_or_else(|| not_json(body, &error))?,
    };
    if let Some(error) = ApiError::from_value(&value) {
        let choices = value.get("choices").and_then(Value::as_array);
        let failure = Failure::from_inline(error);
        return Err(match choices {
            Some(_) => match serde_json::from_value::<Completion>(value) {
                Ok(completion) => failure
                    .with_generation_id(completion.id.clone())
                    .with_completion(completion),
                Err(_) => failure,
            },
            None => failure,
        });
    }
    // Read again from the text where it can be, so that arguments sent as an object keep every digit.
    let completion: Completion = if mended.is_empty() {
        serde_json::from_slice(body)
    } else {
        serde_json::from_value(value)
    }
    .map_err(|_| Failure::new(FailureKind::Malformed, "the body is not a JSON object"))?;
    if completion.choices.is_empty() {
        return Err(
            Failure::new(FailureKind::Malformed, "the body holds no choices")
                .with_generation_id(completion.id.clone())
                .with_completion(completion),
        );
    }
    Ok(Received { completion, mended })
}

fn mend_body(body: &[u8]) -> Option<(Value, Vec<Note>)> {
    let mended = mend::envelope(body)?;
    Some((serde_json::from_slice(&mended.bytes).ok()?, mended.notes))
}

fn read_error_response(status: u16, body: &[u8]) -> Failure {
    let value = serde_json::from_slice::<Value>(body).ok();
    let error = value.as_ref().and_then(ApiError::from_value);
    let error = error.unwrap_or_else(|| {
        let page = page_title(body);
        ApiError::new(match page {
            Some(title) => format!("{title} (a web page, not an API response)"),
            None => String::new(),
        })
    });
    Failure::from_status(status, error)
}

fn not_json(body: &[u8], error: &serde_json::Error) -> Failure {
    let message = match page_title(body) {
        Some(title) => format!("the body is a web page, not an API response: {title}"),
        None => format!("the body is not JSON: {}", Problem(error)),
    };
    Failure::new(FailureKind::Malformed, message)
}

/// The title of an HTML page, or what page it is where it has none.
fn page_title(body: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(body.get(..body.len().min(16 * 1024))?).ok()?;
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
