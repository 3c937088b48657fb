//! Reading a whole body in another protocol than chat completions.

use serde_json::Value;

use super::Fields;
use crate::completion::{Completion, Ending};
use crate::error::ApiError;
use crate::failure::{Failure, FailureKind};
use crate::finish_reason::FinishReason;
use crate::mend::{self, Note};
use crate::protocol::Protocol;
use crate::read::{Received, is_event_stream, not_json, read_response};
use crate::stream_reader::StreamReader;
use crate::{messages, responses};

/// Reads a response of a protocol: its status and its body.
///
/// A body that turns out to be an event stream is read and folded as one, whatever was asked for.
///
/// ```
/// use tamis_wire::{Protocol, read_response_as};
///
/// let body = br#"{"id":"resp_1","object":"response","status":"completed","output":[{"type":"message",
///     "role":"assistant","content":[{"type":"output_text","text":"4"}]}]}"#;
/// let received = read_response_as(Protocol::Responses, 200, body)?;
/// assert_eq!(received.completion.text().as_deref(), Some("4"));
/// assert_eq!(received.completion.response().unwrap().status(), Some("completed"));
/// # Ok::<(), tamis_wire::Failure>(())
/// ```
///
/// # Errors
///
/// As [`read_response`]: the server's error, be it under its own status, as an envelope under a 2xx or
/// inside the body (`status: failed`); `Malformed` for a body that is neither an answer nor an error, and
/// `Interrupted` for one that says itself that it is not finished.
pub fn read_response_as(protocol: Protocol, status: u16, body: &[u8]) -> Result<Received, Failure> {
    if protocol == Protocol::ChatCompletions || !(200..300).contains(&status) {
        return read_response(status, body);
    }
    if is_event_stream(body) {
        let mut reader = StreamReader::new().protocol(protocol);
        reader.feed(body, |_| {});
        reader.end(|_| {});
        let mended = reader.mended().iter().map(|(_, note)| *note).collect();
        return Ok(Received {
            completion: reader.into_completion()?,
            mended,
        });
    }
    if body.trim_ascii().is_empty() {
        return Err(Failure::new(FailureKind::Malformed, "the body is empty"));
    }
    let (value, mended) = parse(body)?;
    let completion = read_value(protocol, value, body)?;
    let events = mended.iter().map(|note| (0, *note)).collect();
    Ok(Received {
        completion: completion.with_mended(events),
        mended,
    })
}

fn parse(body: &[u8]) -> Result<(Value, Vec<Note>), Failure> {
    let problem = match serde_json::from_slice(body) {
        Ok(value) => return Ok((value, Vec::new())),
        Err(problem) => problem,
    };
    mend::envelope(body)
        .and_then(|mended| {
            let value = serde_json::from_slice(&mended.bytes).ok()?;
            Some((value, mended.notes))
        })
        .ok_or_else(|| not_json(body, &problem))
}

fn read_value(protocol: Protocol, value: Value, body: &[u8]) -> Result<Completion, Failure> {
    let (holds, what) = match protocol {
        Protocol::Messages => ("content", "content"),
        _ => ("output", "output"),
    };
    let is_answer =
        |fields: &Fields| fields.get(holds).is_some_and(Value::is_array) && !is_error(fields);
    let fields = match value {
        Value::Object(fields) if is_answer(&fields) => fields,
        value => return Err(no_answer(&value, what)),
    };
    let completion = if protocol == Protocol::Messages {
        messages::Message::from(fields)
            .with_inputs(messages::inputs(body))
            .into_completion()
    } else {
        finished(responses::Response::from(fields))?
    };
    let failed =
        completion.error.is_some() || completion.finish_reason() == Some(&FinishReason::Error);
    match completion.choice().filter(|_| failed) {
        Some(choice) => Err(completion
            .choice_failure(choice)
            .with_completion(completion.clone())),
        None => Ok(completion),
    }
}

/// Anthropic's errors say so.
fn is_error(fields: &Fields) -> bool {
    fields.get("type").and_then(Value::as_str) == Some("error")
}

/// A response that is over, by its status; one that is not known here may be.
fn finished(response: responses::Response) -> Result<Completion, Failure> {
    let words = match response.status() {
        Some("queued") => "the response says that it is queued",
        Some("in_progress") => "the response says that it is in progress",
        _ => return Ok(response.into_completion()),
    };
    let mut partial = response.into_completion();
    partial.ending = Ending::BrokeOff;
    Err(Failure::new(FailureKind::Interrupted, words)
        .with_generation_id(partial.id.clone())
        .with_completion(partial))
}

fn no_answer(value: &Value, what: &str) -> Failure {
    match ApiError::from_value(value) {
        Some(error) => Failure::from_inline(error),
        None if value.is_object() => {
            Failure::new(FailureKind::Malformed, format!("the body holds no {what}"))
        }
        None => Failure::new(FailureKind::Malformed, "the body is not a JSON object"),
    }
    .with_generation_id(value.get("id").and_then(Value::as_str).map(str::to_owned))
}
