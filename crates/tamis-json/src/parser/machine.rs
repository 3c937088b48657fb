//! The one state machine: strict, or mending as it goes.
//!
//! A step takes the cursor over what it can decide from the text at hand. Where a mend needs to
//! see more, the step waits and leaves the cursor where it is; the text from there on is kept and
//! tried again with the next fragment. No decision depends on where a fragment ended, so cutting
//! the text elsewhere changes nothing.

use serde_json::Value;

use super::event::{Event, Location, Scalar, Sink};
use super::input::Input;
use super::limits::Limits;
use super::text::Text;
use super::tree::{Kind, Tree};
use crate::error::{ParseError, ParseErrorKind};
use crate::note::{LONGEST_POINTER, MOST_NOTES, Note, NoteKind};
use crate::number::{self, Reading};
use crate::repair::{Bare, Delimiter, Mender, opens_plainly};

/// What the machine expects next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// A value.
    Value(After),
    /// The first key of an object, or its end.
    FirstKey,
    /// A key after a comma.
    Key,
    /// The colon after a key.
    Colon,
    /// A comma or the end of the container.
    Next,
    /// Nothing but space after the document.
    End,
    /// The rest of a string.
    Text,
    /// The rest of a number.
    Number,
    /// The rest of a literal.
    Literal { literal: Literal, matched: usize },
    /// The rest of a text without quotes.
    Bare(Bare),
    /// Prose around the document.
    Prose,
}

/// What a value comes after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum After {
    Nothing,
    Open,
    Colon,
    Comma,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Literal {
    True,
    False,
    Null,
}

impl Literal {
    fn text(self) -> &'static str {
        match self {
            Self::True => "true",
            Self::False => "false",
            Self::Null => "null",
        }
    }

    pub(crate) fn value(self) -> Value {
        match self {
            Self::True => Value::Bool(true),
            Self::False => Value::Bool(false),
            Self::Null => Value::Null,
        }
    }
}

/// What a step came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    Go,
    /// It needs text that has not arrived.
    Wait,
}

/// Why a step could not go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) kind: FaultKind,
    pub(crate) offset: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FaultKind {
    Syntax,
    MissingValue,
    TooDeep,
    TooLarge,
    Utf8,
    Incomplete,
}

impl Fault {
    pub(crate) fn syntax(offset: usize) -> Self {
        Self {
            kind: FaultKind::Syntax,
            offset,
        }
    }

    pub(crate) fn missing_value(offset: usize) -> Self {
        Self {
            kind: FaultKind::MissingValue,
            offset,
        }
    }
}

impl From<Fault> for ParseError {
    fn from(fault: Fault) -> Self {
        let kind = match fault.kind {
            FaultKind::Syntax | FaultKind::MissingValue => ParseErrorKind::Syntax,
            FaultKind::TooDeep => ParseErrorKind::TooDeep,
            FaultKind::TooLarge => ParseErrorKind::TooLarge,
            FaultKind::Utf8 => ParseErrorKind::Utf8,
            FaultKind::Incomplete => ParseErrorKind::Incomplete,
        };
        Self::new(kind, fault.offset)
    }
}

#[derive(Debug)]
pub(crate) struct Machine {
    pub(crate) tree: Tree,
    pub(crate) state: State,
    pub(crate) text: Text,
    /// The number or bare text in progress.
    pub(crate) scratch: String,
    /// Where it began.
    pub(crate) scratch_start: usize,
    /// How many bytes were passed.
    pub(crate) offset: usize,
    /// Text that a step could not decide on yet.
    pub(crate) kept: String,
    /// How long that must be to be worth another try.
    pub(crate) retry_at: usize,
    pub(crate) limits: Limits,
    pub(crate) notes: Vec<Note>,
    pub(crate) notes_left_out: usize,
    pub(crate) mender: Option<Mender>,
    /// Whether broken syntax is mended. The mender's policy says so too, but further away.
    mends: bool,
    pub(crate) failed: Option<Fault>,
    /// A character cut by the end of a fragment.
    pub(crate) cut_char: ([u8; 4], usize),
    /// Bytes looked at, for the tests of linearity.
    pub(crate) steps: u64,
    /// Where the last finished value ends.
    pub(crate) value_end: usize,
    /// Whether the last step finished a value.
    pub(crate) completed: bool,
}

impl Machine {
    pub(crate) fn new(limits: Limits, mender: Option<Mender>) -> Self {
        let mends = mender.as_ref().is_some_and(|mender| mender.policy.syntax);
        let prose = mender
            .as_ref()
            .is_some_and(|mender| mender.policy.extraction);
        let mut machine = Self {
            tree: Tree::default(),
            state: State::Prose,
            text: Text::default(),
            scratch: String::new(),
            scratch_start: 0,
            offset: 0,
            kept: String::new(),
            retry_at: 0,
            limits,
            notes: Vec::new(),
            notes_left_out: 0,
            mender,
            mends,
            failed: None,
            cut_char: ([0; 4], 0),
            steps: 0,
            value_end: 0,
            completed: false,
        };
        if !prose {
            machine.state = State::Value(After::Nothing);
        }
        machine
    }

    /// Whether broken syntax is mended.
    #[inline]
    pub(crate) fn mends(&self) -> bool {
        self.mends
    }

    /// Reads on until the text at hand is used up or a step waits for more.
    pub(crate) fn run<S: Sink>(
        &mut self,
        input: &mut Input<'_>,
        sink: &mut S,
    ) -> Result<(), Fault> {
        let mut last = (input.pos, 0);
        loop {
            match self.step(input, sink) {
                Ok(Flow::Go) => {}
                Ok(Flow::Wait) => return Ok(()),
                Err(fault) => self.give_up(fault, input)?,
            }
            if self.completed {
                self.completed = false;
                self.value_end = input.offset();
            }
            // A guard only: every step moves on, changes the state or closes a container.
            if last.0 == input.pos {
                last.1 += 1;
                if last.1 > 2 * Limits::DEEPEST {
                    return Err(Fault::syntax(input.offset()));
                }
            } else {
                self.steps += (input.pos - last.0) as u64;
                last = (input.pos, 0);
            }
        }
    }

    fn step<S: Sink>(&mut self, input: &mut Input<'_>, sink: &mut S) -> Result<Flow, Fault> {
        match self.state {
            State::Value(after) => self.value_step(after, input, sink),
            State::FirstKey | State::Key => self.key_step(input, sink),
            State::Colon => self.colon_step(input),
            State::Next => self.next_step(input, sink),
            State::Text => self.text_step(input, sink),
            State::Number => self.number_step(input, sink),
            State::Literal { literal, matched } => self.literal_step(literal, matched, input, sink),
            State::Bare(bare) => self.bare_step(bare, input, sink),
            State::Prose => self.prose_step(input, sink),
            State::End if self.mender.is_some() => self.mend_end(input, sink),
            State::End => {
                input.skip_space();
                match input.byte() {
                    None => Ok(Flow::Wait),
                    Some(_) => Err(Fault::syntax(input.offset())),
                }
            }
        }
    }

    pub(crate) fn value_step<S: Sink>(
        &mut self,
        after: After,
        input: &mut Input<'_>,
        sink: &mut S,
    ) -> Result<Flow, Fault> {
        input.skip_space();
        let Some(byte) = input.byte() else {
            return Ok(Flow::Wait);
        };
        let start = input.offset();
        match byte {
            b'"' if !self.mends() || opens_plainly(input) => {
                if !self.mends() {
                    self.begin_scalar(Scalar::String, sink);
                }
                input.pos += 1;
                self.begin_text(false, start, Delimiter::DOUBLE);
                self.text_step(input, sink)
            }
            b'{' => {
                input.pos += 1;
                self.open(Kind::Object, start, sink)?;
                Ok(Flow::Go)
            }
            b'[' => {
                input.pos += 1;
                self.open(Kind::Array, start, sink)?;
                Ok(Flow::Go)
            }
            b']' if after == After::Open
                && self.tree.top().is_some_and(|f| f.kind == Kind::Array) =>
            {
                input.pos += 1;
                self.close(sink);
                Ok(Flow::Go)
            }
            b'\'' if self.mends() => self.single_quoted(false, input, sink),
            _ if self.mends() => {
                if self.plain_scalar(input, sink) {
                    return Ok(Flow::Go);
                }
                self.mend_value(after, byte, input, sink)
            }
            b'-' | b'0'..=b'9' => {
                self.begin_scalar(Scalar::Number, sink);
                self.scratch.clear();
                self.scratch_start = start;
                self.number_step(input, sink)
            }
            b't' => {
                self.begin_scalar(Scalar::True, sink);
                self.literal_step(Literal::True, 0, input, sink)
            }
            b'f' => {
                self.begin_scalar(Scalar::False, sink);
                self.literal_step(Literal::False, 0, input, sink)
            }
            b'n' => {
                self.begin_scalar(Scalar::Null, sink);
                self.literal_step(Literal::Null, 0, input, sink)
            }
            _ => Err(Fault::syntax(start)),
        }
    }

    fn begin_scalar<S: Sink>(&self, kind: Scalar, sink: &mut S) {
        sink.event(Location::new(self.tree.frames()), Event::ScalarStart(kind));
    }

    fn key_step<S: Sink>(&mut self, input: &mut Input<'_>, sink: &mut S) -> Result<Flow, Fault> {
        input.skip_space();
        let Some(byte) = input.byte() else {
            return Ok(Flow::Wait);
        };
        let flow = match byte {
            b'"' => {
                let start = input.offset();
                input.pos += 1;
                self.begin_text(true, start, Delimiter::DOUBLE);
                self.text_step(input, sink)?
            }
            b'}' if self.state == State::FirstKey => {
                input.pos += 1;
                self.close(sink);
                return Ok(Flow::Go);
            }
            b'\'' if self.mends() => self.single_quoted(true, input, sink)?,
            _ if self.mends() => {
                if !self.plain_name(input, sink) {
                    return self.mend_key(byte, input, sink);
                }
                Flow::Go
            }
            _ => return Err(Fault::syntax(input.offset())),
        };
        if self.state == State::Colon && input.byte() == Some(b':') {
            input.pos += 1;
            self.state = State::Value(After::Colon);
            return self.value_step(After::Colon, input, sink);
        }
        Ok(flow)
    }

    fn colon_step(&mut self, input: &mut Input<'_>) -> Result<Flow, Fault> {
        input.skip_space();
        match input.byte() {
            None => Ok(Flow::Wait),
            Some(b':') => {
                input.pos += 1;
                self.state = State::Value(After::Colon);
                Ok(Flow::Go)
            }
            Some(byte) if self.mends() => self.mend_colon(byte, input),
            Some(_) => Err(Fault::syntax(input.offset())),
        }
    }

    fn next_step<S: Sink>(&mut self, input: &mut Input<'_>, sink: &mut S) -> Result<Flow, Fault> {
        input.skip_space();
        let Some(byte) = input.byte() else {
            return Ok(Flow::Wait);
        };
        let kind = self.tree.top().map_or(Kind::Array, |top| top.kind);
        match (byte, kind) {
            (b',', Kind::Object) => {
                self.set_comma(input.offset());
                input.pos += 1;
                self.state = State::Key;
                self.key_step(input, sink)
            }
            (b',', Kind::Array) => {
                self.set_comma(input.offset());
                input.pos += 1;
                self.state = State::Value(After::Comma);
                self.value_step(After::Comma, input, sink)
            }
            (b'}', Kind::Object) | (b']', Kind::Array) => {
                input.pos += 1;
                self.close(sink);
                Ok(Flow::Go)
            }
            _ if self.mends() || kind == Kind::Bare => self.mend_next(byte, kind, input, sink),
            _ => Err(Fault::syntax(input.offset())),
        }
    }

    fn number_step<S: Sink>(&mut self, input: &mut Input<'_>, sink: &mut S) -> Result<Flow, Fault> {
        let rest = input.rest();
        let length = rest
            .iter()
            .take_while(|b| matches!(b, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'))
            .count();
        let part = input.ahead(length);
        input.pos += length;
        if length == rest.len() && !input.end {
            self.scratch.push_str(part);
            self.state = State::Number;
            return Ok(Flow::Wait);
        }
        let value = if self.scratch.is_empty() {
            number_value(part)
        } else {
            self.scratch.push_str(part);
            number_value(&self.scratch)
        };
        let start = self.scratch_start;
        match value {
            Some((value, note)) => {
                if let Some(note) = note {
                    self.note(note, start, input.offset() - start);
                }
                self.complete(value, sink);
                Ok(Flow::Go)
            }
            None => Err(Fault::syntax(start)),
        }
    }

    fn literal_step<S: Sink>(
        &mut self,
        literal: Literal,
        matched: usize,
        input: &mut Input<'_>,
        sink: &mut S,
    ) -> Result<Flow, Fault> {
        let missing = literal.text().as_bytes().get(matched..).unwrap_or_default();
        let rest = input.rest();
        let same = missing.iter().zip(rest).take_while(|(a, b)| a == b).count();
        input.pos += same;
        if same == missing.len() {
            self.complete(literal.value(), sink);
            Ok(Flow::Go)
        } else if same == rest.len() {
            self.state = State::Literal {
                literal,
                matched: matched + same,
            };
            Ok(Flow::Wait)
        } else {
            Err(Fault::syntax(input.offset()))
        }
    }

    /// Opens a container.
    pub(crate) fn open<S: Sink>(
        &mut self,
        kind: Kind,
        start: usize,
        sink: &mut S,
    ) -> Result<(), Fault> {
        if self.tree.depth() >= self.limits.depth {
            return Err(Fault {
                kind: FaultKind::TooDeep,
                offset: start,
            });
        }
        let (event, state) = match kind {
            Kind::Object => (Event::ObjectStart, State::FirstKey),
            _ => (Event::ArrayStart, State::Value(After::Open)),
        };
        sink.event(Location::new(self.tree.frames()), event);
        self.tree.open(kind, start);
        self.state = state;
        Ok(())
    }

    /// Closes the innermost container.
    pub(crate) fn close<S: Sink>(&mut self, sink: &mut S) {
        if let Some(value) = self.tree.close() {
            let end = if value.is_object() {
                Event::ObjectEnd
            } else {
                Event::ArrayEnd
            };
            sink.event(Location::new(self.tree.frames()), end);
            self.complete(value, sink);
        }
    }

    /// Takes a finished value.
    pub(crate) fn complete<S: Sink>(&mut self, value: Value, sink: &mut S) {
        let at = Location::new(self.tree.frames());
        sink.event(at, Event::Complete(&value));
        if sink.keeps(at) {
            if self.tree.place(value) {
                let (offset, length) = self.tree.top().map_or((0, 0), |top| top.key_span);
                self.note(NoteKind::DuplicateKey, offset, length);
            }
        } else {
            self.tree.skip();
        }
        self.completed = true;
        self.state = if self.tree.depth() == 0 {
            State::End
        } else {
            State::Next
        };
    }

    /// Puts a note on record, at the value in progress.
    pub(crate) fn note(&mut self, kind: NoteKind, offset: usize, length: usize) {
        if self.notes.len() >= MOST_NOTES {
            self.notes_left_out += 1;
            return;
        }
        let mut at = self.tree.frames();
        if kind == NoteKind::LoneSurrogate && self.text.is_key {
            // The key has no address before it is complete; its object has.
            at = at.split_last().map_or(at, |(_, above)| above);
        }
        let pointer = Location::new(at).short_pointer(LONGEST_POINTER);
        self.notes.push(Note {
            kind,
            offset,
            length,
            pointer,
        });
    }
}

/// The value of a number's text, and what there is to note about it.
#[inline]
pub(crate) fn number_value(token: &str) -> Option<(Value, Option<NoteKind>)> {
    Some(match number::read(token)? {
        Reading::Exact(number) => (Value::Number(number), None),
        Reading::Rounded(number) => (Value::Number(number), Some(NoteKind::NumberRounded)),
        Reading::Inexact => (
            Value::String(token.to_owned()),
            Some(NoteKind::NumberAsText),
        ),
    })
}
