//! Streams of other protocols than chat completions.

use serde_json::Value;

use super::{Item, State, is_keep_alive};
use crate::completion::{Completion, Ending};
use crate::error::ApiError;
use crate::failure::{Failure, FailureKind};
use crate::fold::{Broken, Fold, FoldNote};
use crate::mend;
use crate::native::{Fields, NativeFold, Step};
use crate::sse::is_done;
use crate::stream_reader::Problem;

impl State {
    pub(super) fn read_native(
        &mut self,
        name: &[u8],
        data: &[u8],
        sink: &mut impl FnMut(Item<'_>),
    ) {
        if is_done(data) {
            // The end of the stream, but not of the answer: that has an event of its own.
            self.ended = true;
            return sink(Item::Done);
        }
        if is_keep_alive(name, data) {
            return sink(Item::KeepAlive);
        }
        if let Some(native) = &mut self.native
            && let Some(step) = native.push_token(name, data)
        {
            return self.step(step, sink);
        }
        let event = match self.event(name, data) {
            Ok(event) => event,
            Err(error) => return self.fail_or_break(error, sink),
        };
        let Some(native) = &mut self.native else {
            return;
        };
        let name = str::from_utf8(name).unwrap_or_default();
        let step = native.push(name, event, data.len());
        self.step(step, sink);
    }

    fn step(&mut self, step: Step, sink: &mut impl FnMut(Item<'_>)) {
        self.held = self.held.saturating_add(step.held);
        if self.held > self.max_answer_bytes {
            let limit = self.max_answer_bytes;
            let message = format!("the answer is larger than {limit} bytes");
            self.malformed = Some(Failure::new(FailureKind::Malformed, message));
            return sink(Item::Malformed);
        }
        if step.corrected {
            self.fold.push_note(FoldNote::CorrectedAtEnd);
        }
        let nothing = step.chunks.is_empty() && step.error.is_none() && !step.ended;
        let mut finished = false;
        for chunk in step.chunks {
            finished |= chunk
                .choices
                .iter()
                .any(|choice| choice.finish_reason.is_some());
            self.fold.push(&chunk);
            sink(Item::Chunk(chunk));
        }
        if let Some(error) = step.error {
            self.ended = true;
            return self.fail(error, sink);
        }
        if step.ended {
            self.ended = true;
            if finished {
                self.fold.push_done();
            }
            sink(Item::Done);
        } else if nothing {
            sink(Item::KeepAlive);
        }
    }

    /// The event's JSON, once what cannot be data was replaced.
    fn event(&mut self, name: &[u8], data: &[u8]) -> Result<Fields, Unreadable> {
        let value = match serde_json::from_slice(data) {
            Ok(value) => value,
            Err(problem) => {
                let mended = mend::envelope(data).and_then(|mended| {
                    let value = serde_json::from_slice(&mended.bytes).ok()?;
                    Some((value, mended.notes))
                });
                match mended {
                    Some((value, notes)) => {
                        let number = self.events;
                        self.mended.extend(notes.iter().map(|note| (number, *note)));
                        value
                    }
                    None if name == b"error" => {
                        return Err(Unreadable::Error(Box::default()));
                    }
                    None => {
                        let words = Problem(&problem).to_string();
                        return Err(Unreadable::Malformed(words));
                    }
                }
            }
        };
        match value {
            Value::Object(event) => Ok(event),
            other => Err(match ApiError::from_value(&other) {
                Some(error) => Unreadable::Error(Box::new(error)),
                None => Unreadable::Malformed("not a JSON object".to_owned()),
            }),
        }
    }

    fn fail_or_break(&mut self, unreadable: Unreadable, sink: &mut impl FnMut(Item<'_>)) {
        match unreadable {
            Unreadable::Error(error) => {
                self.ended = true;
                self.fail(*error, sink);
            }
            Unreadable::Malformed(problem) => {
                let number = self.events;
                let words = format!("event {number} of the stream cannot be read: {problem}");
                self.malformed = Some(Failure::new(FailureKind::Malformed, words));
                sink(Item::Malformed);
            }
        }
    }
}

/// Why an event is none.
enum Unreadable {
    Error(Box<ApiError>),
    Malformed(String),
}

/// What came to: the body in its own shape decides what the answer is, the chunks whether it is finished.
pub(super) fn finish(native: NativeFold, fold: Fold) -> Result<Completion, Broken> {
    let completion = native.finish();
    match fold.finish() {
        Ok(folded) => Ok(Completion {
            notes: folded.notes,
            ending: folded.ending,
            error: folded.error,
            ..completion
        }),
        Err(broken) => Err(broken.with(|folded| Completion {
            notes: std::mem::take(&mut folded.notes),
            error: folded.error.take(),
            ending: Ending::BrokeOff,
            ..completion
        })),
    }
}
