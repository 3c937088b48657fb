//! The decoder: lines out of fragments, events out of lines.

use std::{fmt, mem};

use memchr::memchr2;

use super::error::{SseError, SseErrorKind};
use super::event::{Event, Message, Tail};
use super::line::{Field, milliseconds, set_text, split};

/// The default limit on one event's size: 8 MiB, enough for an image in a data URL.
pub const MAX_EVENT_BYTES: usize = 8 << 20;

/// How many bytes of a comment line are kept, its colon included. The rest is read and forgotten, so
/// that a comment that never ends costs nothing.
pub const MAX_COMMENT_BYTES: usize = 1024;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// Reads an event stream from byte fragments.
///
/// Limits: an event's lines (all but comments, without their line ends) may hold
/// [`MAX_EVENT_BYTES`] or what [`with_max_event_bytes`](Self::with_max_event_bytes) says. The
/// decoder keeps no more than one event in memory. Time is linear in the bytes fed, however they are
/// cut, and an event whose lines lie within one fragment is lent from that fragment without a copy
/// if it has one `data` line. See the [module](super) for an example.
pub struct Decoder {
    max_event_bytes: usize,
    /// The start of a line whose end has not come yet. Never empty inside a line.
    line: Vec<u8>,
    /// The data of the event that is being read, from `data_start` on.
    data: Vec<u8>,
    data_start: usize,
    has_data: bool,
    /// The bytes of the event's complete lines, for the limit.
    size: usize,
    event: String,
    id: String,
    /// How many bytes of a byte order mark have matched; all of them once the start is behind us.
    bom: usize,
    /// The last byte was a CR that ended a line; an LF now belongs to it.
    after_cr: bool,
    /// What was lent out, and is to be forgotten at the next step.
    lent: Lent,
    /// A fragment was fed and has not been read to its end.
    unread: bool,
    failed: Option<SseError>,
}

/// Which of a decoder's buffers an event was lent from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lent {
    Nothing,
    /// The data, the name and the id.
    Event,
    /// The line: a comment.
    Line,
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Decoder {
    /// A decoder at the start of a stream, with the default limit.
    pub const fn new() -> Self {
        Self::with_max_event_bytes(MAX_EVENT_BYTES)
    }

    /// A decoder at the start of a stream that refuses events of more than `limit` bytes.
    pub const fn with_max_event_bytes(limit: usize) -> Self {
        Self {
            max_event_bytes: limit,
            line: Vec::new(),
            data: Vec::new(),
            data_start: 0,
            has_data: false,
            size: 0,
            event: String::new(),
            id: String::new(),
            bom: 0,
            after_cr: false,
            lent: Lent::Nothing,
            unread: false,
            failed: None,
        }
    }

    /// Takes the next bytes of the stream, cut anywhere, and lends out what they complete.
    ///
    /// Read the events to their end (`Ok(None)`) before feeding the next fragment; otherwise the
    /// decoder fails with [`SseErrorKind::UnreadEvents`] instead of losing events.
    pub fn feed<'d, 'f>(&'d mut self, fragment: &'f [u8]) -> Events<'d, 'f> {
        if self.unread {
            self.fail(SseErrorKind::UnreadEvents);
        }
        let rest = if self.bom < BOM.len() {
            self.skip_bom(fragment)
        } else {
            fragment
        };
        self.unread = !rest.is_empty();
        Events {
            decoder: self,
            rest,
            whole: None,
        }
    }

    /// Ends the stream: returns an event that lacked its closing blank line, if it had any data.
    ///
    /// After that the decoder is as new, for another stream. A decoder that failed, or whose last
    /// fragment was not read to its end, has no tail.
    pub fn finish(&mut self) -> Option<Tail> {
        let limit = self.max_event_bytes;
        let mut ended = mem::replace(self, Self::with_max_event_bytes(limit));
        if ended.failed.is_some() || ended.unread {
            return None;
        }
        ended.forget_lent();
        let line = mem::take(&mut ended.line);
        let line_cut = !line.is_empty();
        // Of an unfinished line only data is of use: half a name or an id is a wrong one, and
        // without its colon the line may yet have become another field.
        if line.starts_with(b"data:") {
            ended.keep_data_line(line);
        }
        ended.has_data.then(|| Tail {
            data: ended.data().to_vec(),
            event: ended.event,
            id: ended.id,
            line_cut,
        })
    }

    /// Drops a byte order mark at the start of the stream, which may be cut as well.
    fn skip_bom<'f>(&mut self, fragment: &'f [u8]) -> &'f [u8] {
        let mut rest = fragment;
        while let Some(expected) = BOM.get(self.bom) {
            match rest.split_first() {
                Some((byte, after)) if byte == expected => {
                    rest = after;
                    self.bom += 1;
                }
                Some(_) => {
                    // It was the start of a line that only began like one.
                    self.line
                        .extend_from_slice(BOM.get(..self.bom).unwrap_or_default());
                    self.bom = BOM.len();
                }
                None => break,
            }
        }
        rest
    }

    fn fail(&mut self, kind: SseErrorKind) -> SseError {
        // A failed decoder needs no memory.
        self.line = Vec::new();
        self.data = Vec::new();
        self.failed.get_or_insert(SseError::new(kind)).clone()
    }

    fn check_size(&mut self, line: usize) -> Result<(), SseError> {
        if self.size.saturating_add(line) > self.max_event_bytes {
            return Err(self.fail(SseErrorKind::EventTooLarge {
                limit: self.max_event_bytes,
            }));
        }
        Ok(())
    }

    /// Adds to the line whose end has not come yet.
    fn push_partial(&mut self, part: &[u8]) -> Result<(), SseError> {
        if self.line.first().or(part.first()) == Some(&b':') {
            let room = MAX_COMMENT_BYTES.saturating_sub(self.line.len());
            self.line
                .extend_from_slice(part.get(..room).unwrap_or(part));
            return Ok(());
        }
        self.check_size(self.line.len().saturating_add(part.len()))?;
        self.line.extend_from_slice(part);
        Ok(())
    }

    /// Adds a `data` line's value to the event's data.
    fn push_data(&mut self, value: &[u8]) {
        if self.has_data {
            self.data.push(b'\n');
        }
        self.data.extend_from_slice(value);
        self.has_data = true;
    }

    /// Adds an owned `data` line. The first one becomes the data without a copy.
    fn keep_data_line(&mut self, line: Vec<u8>) {
        let (_, value) = split(&line);
        if self.has_data {
            self.push_data(value);
        } else {
            self.data_start = line.len() - value.len();
            self.line = mem::replace(&mut self.data, line);
            self.has_data = true;
        }
        self.line.clear();
    }

    /// The data of an event that was not whole within its fragment.
    fn data(&self) -> &[u8] {
        self.data.get(self.data_start..).unwrap_or_default()
    }

    fn forget_lent(&mut self) {
        match mem::replace(&mut self.lent, Lent::Nothing) {
            Lent::Nothing => {}
            Lent::Event => self.forget_event(),
            Lent::Line => self.line.clear(),
        }
    }

    fn forget_event(&mut self) {
        self.data.clear();
        self.data_start = 0;
        self.has_data = false;
        self.size = 0;
        self.event.clear();
    }
}

/// The events that one fragment completes, lent one at a time.
///
/// It is not an [`Iterator`], because an event borrows from it until the next call.
#[must_use = "a fragment's events must be read to their end"]
pub struct Events<'d, 'f> {
    decoder: &'d mut Decoder,
    rest: &'f [u8],
    /// The only data so far of the event that is being read, whole within the fragment.
    whole: Option<&'f [u8]>,
}

/// What a step found. It borrows from the fragment at most, so that the decoder stays free.
enum Step<'f> {
    /// With its data, if that is in the fragment; otherwise the decoder has it.
    Message(Option<&'f [u8]>),
    Comment(&'f [u8]),
    /// The comment line is in the decoder's line buffer.
    CutComment,
    Retry(u64),
}

impl Events<'_, '_> {
    /// The next event, or `None` when the fragment holds no more.
    ///
    /// # Errors
    /// The event is larger than the limit, or the previous fragment's events were not read to their
    /// end. The decoder stays failed.
    #[expect(
        clippy::should_implement_trait,
        reason = "lends, which `Iterator` cannot"
    )]
    pub fn next(&mut self) -> Result<Option<Event<'_>>, SseError> {
        let step = self.step()?;
        let decoder = &*self.decoder;
        Ok(step.map(|step| match step {
            Step::Message(data) => Event::Message(Message {
                data: data.unwrap_or_else(|| decoder.data()),
                event: &decoder.event,
                id: &decoder.id,
            }),
            Step::Comment(text) => Event::Comment(text),
            Step::CutComment => Event::Comment(split(&decoder.line).1),
            Step::Retry(milliseconds) => Event::Retry(milliseconds),
        }))
    }
}

impl<'f> Events<'_, 'f> {
    fn step(&mut self) -> Result<Option<Step<'f>>, SseError> {
        if let Some(error) = &self.decoder.failed {
            return Err(error.clone());
        }
        self.decoder.forget_lent();
        let step = self.scan()?;
        if self.rest.is_empty() {
            self.leave_fragment();
        }
        Ok(step)
    }

    /// Reads lines until one of them says something.
    fn scan(&mut self) -> Result<Option<Step<'f>>, SseError> {
        loop {
            let Some(&first) = self.rest.first() else {
                return Ok(None);
            };
            if mem::take(&mut self.decoder.after_cr) && first == b'\n' {
                self.advance(1);
                continue;
            }
            let fresh = self.decoder.line.is_empty();
            let end = if first == b'\n' || first == b'\r' {
                Some(0)
            } else {
                memchr2(b'\n', b'\r', self.rest)
            };
            let Some(end) = end else {
                let part = mem::take(&mut self.rest);
                self.decoder.push_partial(part)?;
                return Ok(None);
            };
            let line = self.take_line(end);
            let step = if fresh {
                self.fresh_line(line)?
            } else {
                self.cut_line(line)?
            };
            if step.is_some() {
                return Ok(step);
            }
        }
    }

    fn advance(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }

    /// Takes a line of `end` bytes, and its line end, off the rest of the fragment.
    fn take_line(&mut self, end: usize) -> &'f [u8] {
        let (line, rest) = self.rest.split_at_checked(end).unwrap_or_default();
        self.rest = match rest {
            [b'\r'] => {
                self.decoder.after_cr = true;
                &[]
            }
            [b'\r', b'\n', rest @ ..] | [_, rest @ ..] => rest,
            [] => &[],
        };
        line
    }

    /// A line that lies within the fragment.
    fn fresh_line(&mut self, line: &'f [u8]) -> Result<Option<Step<'f>>, SseError> {
        if line.is_empty() {
            return Ok(self.dispatch());
        }
        let (field, value) = split(line);
        if field == Field::Comment {
            let kept = line.get(..MAX_COMMENT_BYTES).unwrap_or(line);
            return Ok(Some(Step::Comment(split(kept).1)));
        }
        self.decoder.check_size(line.len())?;
        self.decoder.size += line.len();
        if field == Field::Data {
            if self.whole.is_none() && !self.decoder.has_data {
                self.whole = Some(value);
            } else {
                self.copy_whole();
                self.decoder.push_data(value);
            }
            return Ok(None);
        }
        Ok(self.other_field(field, value))
    }

    /// A line whose start came in an earlier fragment.
    fn cut_line(&mut self, end: &[u8]) -> Result<Option<Step<'f>>, SseError> {
        self.decoder.push_partial(end)?;
        let line = mem::take(&mut self.decoder.line);
        let (field, value) = split(&line);
        if field == Field::Comment {
            self.decoder.line = line;
            self.decoder.lent = Lent::Line;
            return Ok(Some(Step::CutComment));
        }
        self.decoder.size += line.len();
        if field == Field::Data {
            self.decoder.keep_data_line(line);
            return Ok(None);
        }
        let step = self.other_field(field, value);
        self.decoder.line = line;
        self.decoder.line.clear();
        Ok(step)
    }

    fn other_field(&mut self, field: Field, value: &[u8]) -> Option<Step<'f>> {
        match field {
            Field::Event => set_text(&mut self.decoder.event, value),
            Field::Id if !value.contains(&0) => set_text(&mut self.decoder.id, value),
            Field::Retry => return milliseconds(value).map(Step::Retry),
            _ => {}
        }
        None
    }

    /// A blank line ends the event, which counts only if it has data.
    fn dispatch(&mut self) -> Option<Step<'f>> {
        let whole = self.whole.take();
        if whole.is_none() && !self.decoder.has_data {
            self.decoder.forget_event();
            return None;
        }
        self.decoder.lent = Lent::Event;
        Some(Step::Message(whole))
    }

    /// Moves data that was only pointed at into the decoder.
    fn copy_whole(&mut self) {
        if let Some(value) = self.whole.take() {
            self.decoder.push_data(value);
        }
    }

    /// The fragment is used up, and what is still wanted of it must be copied.
    fn leave_fragment(&mut self) {
        self.copy_whole();
        self.decoder.unread = false;
    }
}

/// How much it holds, not what.
impl fmt::Debug for Decoder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Decoder")
            .field("held", &(self.line.len() + self.data.len()))
            .field("failed", &self.failed)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Events<'_, '_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Events(<{} bytes left>)", self.rest.len())
    }
}
