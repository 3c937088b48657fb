//! From a stream's bytes to chunks and a completion.

mod native;
mod shape;

use std::fmt;

use serde_json::Value;

use crate::chunk::Chunk;
use crate::completion::Completion;
use crate::error::ApiError;
use crate::failure::{Failure, FailureKind};
use crate::fold::{Fold, FoldNote};
use crate::mend::{self, Mended, Note};
use crate::native::NativeFold;
use crate::protocol::Protocol;
use crate::sse::{Decoder, Event, is_done};
use shape::Shapes;

/// Decodes a stream's bytes, reads its chunks and folds them.
///
/// The fragments may be cut anywhere. After the first event that cannot be read the stream is
/// malformed: text may have been lost, so nothing more is folded.
///
/// See the crate's documentation for an example.
#[derive(Default)]
pub struct StreamReader {
    decoder: Decoder,
    state: State,
}

/// The most that an answer may hold by default, in bytes.
const MAX_ANSWER_BYTES: usize = 64 * 1024 * 1024;

#[derive(Debug)]
struct State {
    fold: Fold,
    /// About how many bytes the fold holds, and how many it may.
    held: usize,
    max_answer_bytes: usize,
    /// Events so far, to name a broken one.
    events: u64,
    malformed: Option<Failure>,
    shapes: Shapes,
    mended: Vec<(u64, Note)>,
    /// For other protocols than chat completions.
    native: Option<Box<NativeFold>>,
    /// The other protocol's last event came.
    ended: bool,
}

impl Default for State {
    fn default() -> Self {
        Self {
            fold: Fold::default(),
            held: 0,
            max_answer_bytes: MAX_ANSWER_BYTES,
            events: 0,
            malformed: None,
            shapes: Shapes::default(),
            mended: Vec::new(),
            native: None,
            ended: false,
        }
    }
}

/// What a stream brought.
#[derive(Debug)]
#[non_exhaustive]
pub enum Item<'a> {
    /// A chunk; already folded.
    Chunk(Chunk<'a>),
    /// A sign of life without meaning: a comment, an empty event, a ping.
    KeepAlive,
    /// The end marker.
    Done,
    /// An error that came as an event of its own, not as a chunk; already folded.
    Error(ApiError),
    /// An event that cannot be read. It ends the stream.
    Malformed,
}

/// Without the bytes that wait for the rest of their event.
impl fmt::Debug for StreamReader {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("StreamReader")
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

impl StreamReader {
    /// A reader with the default event-size limit.
    pub fn new() -> Self {
        Self::default()
    }

    /// A reader with an event-size limit in bytes, and a fold with its options set.
    pub fn with(max_event_bytes: usize, fold: Fold) -> Self {
        Self {
            decoder: Decoder::with_max_event_bytes(max_event_bytes),
            state: State {
                fold,
                ..State::default()
            },
        }
    }

    /// Reads another protocol's events, each as the chunks that it comes to. What they fold into is the
    /// completion that a call without a stream would have given, see
    /// [`read_response_as`](crate::read_response_as).
    pub fn protocol(mut self, protocol: Protocol) -> Self {
        self.state.native = NativeFold::new(protocol).map(Box::new);
        self
    }

    /// The most that the answer may hold, in bytes; 64 MiB. A longer one makes the stream malformed.
    pub fn max_answer_bytes(mut self, limit: usize) -> Self {
        self.state.max_answer_bytes = limit;
        self
    }

    /// Takes in a fragment, and hands out what it completes. What comes after the end marker is not
    /// looked at.
    pub fn feed(&mut self, fragment: &[u8], mut sink: impl FnMut(Item<'_>)) {
        if self.state.is_over() {
            return;
        }
        let mut events = self.decoder.feed(fragment);
        loop {
            match events.next() {
                Ok(None) => break,
                Ok(Some(Event::Message(message))) => {
                    self.state.read(message.event(), message.data(), &mut sink);
                }
                Ok(Some(_)) => sink(Item::KeepAlive),
                Err(error) => {
                    self.state.malformed = Some(
                        Failure::new(FailureKind::Malformed, error.to_string()).with_source(error),
                    );
                    sink(Item::Malformed);
                }
            }
            if self.state.is_over() {
                break;
            }
        }
    }

    /// Whether every choice said why it ended, and nothing failed or broke.
    pub fn is_finished(&self) -> bool {
        self.state.malformed.is_none() && self.state.fold.is_finished()
    }

    /// Whether the end marker came.
    pub fn is_done(&self) -> bool {
        self.state.fold.is_done()
    }

    /// The fold so far.
    pub fn fold(&self) -> &Fold {
        &self.state.fold
    }

    /// What the fold put right.
    pub fn notes(&self) -> &[FoldNote] {
        self.state.fold.notes()
    }

    /// What was not JSON in an event and was put right before it was read, with the event's number
    /// from 1.
    pub fn mended(&self) -> &[(u64, Note)] {
        &self.state.mended
    }

    /// The end of the bytes: hands out an event that lacked its closing blank line, and the
    /// completion.
    ///
    /// # Errors
    ///
    /// `Interrupted` where the stream did not say that it was finished, the kind of the error where
    /// one came in it, `Malformed` where an event could not be read.
    pub fn finish(mut self, mut sink: impl FnMut(Item<'_>)) -> Result<Completion, Failure> {
        self.end(&mut sink);
        self.into_completion()
    }

    /// The end of the bytes, without consuming the reader.
    pub fn end(&mut self, mut sink: impl FnMut(Item<'_>)) {
        if self.state.is_over() {
            return;
        }
        // A server that closes right after its last event may leave the blank line out. If the event
        // is whole, it counts; if it was cut, the stream was, which is no fault of the server's
        // spelling.
        let Some(tail) = self.decoder.finish() else {
            return;
        };
        let data = tail.data();
        let is_whole = || match &self.state.native {
            Some(_) => serde_json::from_slice::<serde::de::IgnoredAny>(data).is_ok(),
            None => Read::new(data).is_ok(),
        };
        if is_done(data) || is_keep_alive(tail.event().as_bytes(), data) || is_whole() {
            self.state.read(tail.event(), data, &mut sink);
        } else {
            self.state.fold.push_cut();
        }
    }

    /// What came to, after [`StreamReader::end`].
    ///
    /// # Errors
    ///
    /// As [`StreamReader::finish`].
    pub fn into_completion(self) -> Result<Completion, Failure> {
        let mended = self.state.mended;
        let folded = match self.state.native {
            Some(native) => native::finish(*native, self.state.fold),
            None => self.state.fold.finish(),
        };
        let folded = match folded {
            Ok(completion) => Ok(completion.with_mended(mended)),
            Err(broken) => Err(broken.with_mended(mended)),
        };
        match self.state.malformed {
            None => folded.map_err(Failure::from),
            Some(failure) => {
                let mut partial = match folded {
                    Ok(completion) => completion,
                    Err(broken) => broken.into_completion(),
                };
                partial.ending = crate::completion::Ending::BrokeOff;
                Err(failure
                    .with_generation_id(partial.id.clone())
                    .with_completion(partial))
            }
        }
    }
}

impl State {
    /// Whether nothing that comes can matter any more.
    fn is_over(&self) -> bool {
        self.malformed.is_some() || self.ended || self.fold.is_done()
    }

    /// Counts what a chunk adds to the answer; false where that is too much.
    fn may_hold(&mut self, chunk: &Chunk<'_>, data: &[u8]) -> bool {
        self.held = self.held.saturating_add(chunk.held_bytes(data.len()));
        if self.held <= self.max_answer_bytes {
            return true;
        }
        let limit = self.max_answer_bytes;
        let message = format!("the answer is larger than {limit} bytes");
        self.malformed = Some(Failure::new(FailureKind::Malformed, message));
        false
    }

    fn read(&mut self, event: impl AsRef<[u8]>, data: &[u8], sink: &mut impl FnMut(Item<'_>)) {
        self.events += 1;
        if self.native.is_some() {
            return self.read_native(event.as_ref(), data, sink);
        }
        if is_done(data) {
            self.fold.push_done();
            return sink(Item::Done);
        }
        let event = event.as_ref();
        if is_keep_alive(event, data) {
            return sink(Item::KeepAlive);
        }
        let known = self
            .shapes
            .read(data)
            .map(|chunk| (chunk.held_bytes(data.len()), chunk));
        if let Some((bytes, chunk)) = known {
            self.held = self.held.saturating_add(bytes);
            if self.held <= self.max_answer_bytes {
                self.fold.push(&chunk);
                return sink(Item::Chunk(chunk));
            }
        }
        match Read::new(data) {
            Ok(Read::Chunk(chunk)) => {
                self.shapes.learn(data, &chunk);
                self.take(event, chunk, data, sink);
            }
            Ok(Read::Mended(mended)) => {
                let number = self.events;
                self.mended
                    .extend(mended.notes.iter().map(|note| (number, *note)));
                // Read again, because the chunk borrows from the mended bytes.
                if let Ok(chunk) = serde_json::from_slice(&mended.bytes) {
                    self.take(event, chunk, &mended.bytes, sink);
                }
            }
            Ok(Read::Error(error)) => self.fail(*error, sink),
            Err(_) if event == b"error" => self.fail(ApiError::default(), sink),
            Err(error) => {
                self.malformed = Some(not_a_chunk(self.events, &error));
                sink(Item::Malformed);
            }
        }
    }

    fn take(
        &mut self,
        event: &[u8],
        chunk: Chunk<'_>,
        data: &[u8],
        sink: &mut impl FnMut(Item<'_>),
    ) {
        if let Some(error) = error_in_disguise(event, &chunk, data) {
            return self.fail(error, sink);
        }
        if !self.may_hold(&chunk, data) {
            return sink(Item::Malformed);
        }
        self.fold.push(&chunk);
        sink(Item::Chunk(chunk));
    }

    fn fail(&mut self, error: ApiError, sink: &mut impl FnMut(Item<'_>)) {
        self.fold.push_error(error.clone());
        sink(Item::Error(error));
    }
}

/// An event's data, read.
enum Read<'a> {
    Chunk(Chunk<'a>),
    /// A chunk, once what cannot be data was replaced.
    Mended(Mended),
    /// An error that is no JSON object: Gemini sends `[{"error":…}]`.
    Error(Box<ApiError>),
}

impl<'a> Read<'a> {
    fn new(data: &'a [u8]) -> Result<Self, serde_json::Error> {
        // Checked at once, so that each string in it need not be.
        let read = match std::str::from_utf8(data) {
            Ok(text) => serde_json::from_str(text),
            Err(_) => serde_json::from_slice(data),
        };
        let problem = match read {
            Ok(chunk) => return Ok(Self::Chunk(chunk)),
            Err(problem) => problem,
        };
        if let Some(mended) = mend::envelope(data)
            && serde_json::from_slice::<Chunk<'_>>(&mended.bytes).is_ok()
        {
            return Ok(Self::Mended(mended));
        }
        let error = serde_json::from_slice(data)
            .ok()
            .and_then(|value: Value| ApiError::from_value(&value));
        error
            .map(|error| Self::Error(Box::new(error)))
            .ok_or(problem)
    }
}

/// Nothing, a comment sent as data, a JSON null, or an event named ping.
fn is_keep_alive(event: &[u8], data: &[u8]) -> bool {
    let data = data.trim_ascii();
    data.is_empty() || data.starts_with(b":") || data == b"null" || event == b"ping"
}

/// An error in a shape that is no chunk: named so by the event, or one of the shapes of error bodies.
fn error_in_disguise(event: &[u8], chunk: &Chunk<'_>, data: &[u8]) -> Option<ApiError> {
    // An error member without a message may be explained by what stands beside it.
    let explained = chunk
        .error
        .as_ref()
        .is_some_and(|error| !error.message.is_empty() && error.code.is_some());
    let bare =
        chunk.choices.is_empty() && chunk.usage.is_none() && chunk.id.is_none() && !explained;
    if !bare || (chunk.extra.is_empty() && event != b"error") {
        return None;
    }
    let value: Value = serde_json::from_slice(data).ok()?;
    ApiError::from_value(&value).or_else(|| {
        (event == b"error").then(|| {
            let message = value.get("message").and_then(Value::as_str);
            ApiError::new(message.unwrap_or_default())
        })
    })
}

fn not_a_chunk(number: u64, error: &serde_json::Error) -> Failure {
    let problem = Problem(error);
    Failure::new(
        FailureKind::Malformed,
        format!("event {number} of the stream is not a chunk: {problem}"),
    )
}

/// What kind of JSON error, and where: serde's own message may quote the text.
pub(crate) struct Problem<'a>(pub(crate) &'a serde_json::Error);

impl fmt::Display for Problem<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.0.classify() {
            serde_json::error::Category::Eof => "the JSON ends too early",
            serde_json::error::Category::Data => "not a JSON object",
            // Fixed texts of serde's, which quote nothing; they have no category of their own.
            _ if self.0.to_string().starts_with("recursion limit") => "nested too deep",
            _ if self.0.to_string().starts_with("trailing characters") => {
                "more text follows the JSON"
            }
            _ => "not JSON",
        };
        match (self.0.line(), self.0.column()) {
            // A text of another kind altogether has no place that says more.
            (_, 0) => formatter.write_str(what),
            (line, column) => write!(formatter, "{what} (line {line}, column {column})"),
        }
    }
}
