//! Strings: plain stretches, escapes, surrogate pairs, cut anywhere.

use std::mem;

use serde_json::Value;

use super::event::{Event, Location, Sink};
use super::input::Input;
use super::machine::{Fault, Flow, Machine, State};
use super::scan;
use crate::note::NoteKind;
use crate::repair::{Delimiter, Follow, swallows_syntax};

/// Where a string is in an escape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Escape {
    None,
    /// After the backslash.
    Begun,
    /// After `\u` and so many digits of this value.
    Unit {
        digits: u8,
        value: u16,
    },
}

/// The string in progress.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) buffer: String,
    pub(crate) is_key: bool,
    pub(crate) escape: Escape,
    /// The first half of a surrogate pair, and where it began.
    high: Option<(u16, usize)>,
    /// Where the opening quote is.
    pub(crate) start: usize,
    /// How much of the buffer was told in deltas.
    pub(crate) told: usize,
    /// What closes it, and what was found inside.
    pub(crate) delimiter: Delimiter,
}

impl Default for Text {
    fn default() -> Self {
        Self {
            buffer: String::new(),
            is_key: false,
            escape: Escape::None,
            high: None,
            start: 0,
            told: 0,
            delimiter: Delimiter::DOUBLE,
        }
    }
}

impl Machine {
    /// Starts a string whose opening quote has just been passed.
    #[inline]
    pub(crate) fn begin_text(&mut self, is_key: bool, start: usize, delimiter: Delimiter) {
        self.text.is_key = is_key;
        self.text.start = start;
        self.text.told = 0;
        self.text.escape = Escape::None;
        self.text.high = None;
        self.text.buffer.clear();
        self.text.delimiter = delimiter;
        self.state = State::Text;
    }

    pub(crate) fn text_step<S: Sink>(
        &mut self,
        input: &mut Input<'_>,
        sink: &mut S,
    ) -> Result<Flow, Fault> {
        if !self.text.delimiter.is_plain() {
            return self.mend_text(input, sink);
        }
        loop {
            if self.text.escape != Escape::None {
                if self.escape_step(input)? == Flow::Wait {
                    self.tell(sink);
                    return Ok(Flow::Wait);
                }
                continue;
            }
            let rest = input.rest();
            let length = scan::plain(rest);
            let plain = input.ahead(length);
            if length > 0 && self.text.high.is_some() {
                self.lone_surrogate();
            }
            input.pos += length;
            let Some(byte) = rest.get(length) else {
                self.text.buffer.push_str(plain);
                self.tell(sink);
                return Ok(Flow::Wait);
            };
            match byte {
                b'"' if !self.mends() => {
                    if self.text.high.is_some() {
                        self.lone_surrogate();
                    }
                    input.pos += 1;
                    self.finish_text(plain, input.offset(), sink);
                    return Ok(Flow::Go);
                }
                b'\\' => {
                    self.text.buffer.push_str(plain);
                    self.text.escape = Escape::Begun;
                    input.pos += 1;
                }
                _ if self.mends() => {
                    if *byte == b'"'
                        && let Some(follow) = self.ends_plainly(input)
                    {
                        input.pos += 1;
                        self.finish_text(plain, input.offset(), sink);
                        if let Follow::Key(key) = follow {
                            self.pass_plain_key(key, input, sink);
                        }
                        return Ok(Flow::Go);
                    }
                    self.text.buffer.push_str(plain);
                    if let Some(flow) = self.mend_special(input, sink)? {
                        return Ok(flow);
                    }
                }
                _ => return Err(Fault::syntax(input.offset())),
            }
        }
    }

    /// Reads on in an escape. `Wait` when the text at hand ends in it.
    pub(crate) fn escape_step(&mut self, input: &mut Input<'_>) -> Result<Flow, Fault> {
        let Some(byte) = input.byte() else {
            return Ok(Flow::Wait);
        };
        match self.text.escape {
            Escape::None => {}
            Escape::Begun => {
                let char = match byte {
                    b'"' => '"',
                    b'\\' => '\\',
                    b'/' => '/',
                    b'b' => '\u{8}',
                    b'f' => '\u{c}',
                    b'n' => '\n',
                    b'r' => '\r',
                    b't' => '\t',
                    b'u' => {
                        input.pos += 1;
                        self.text.escape = Escape::Unit {
                            digits: 0,
                            value: 0,
                        };
                        return Ok(Flow::Go);
                    }
                    _ if self.mends() => {
                        if self.text.high.is_some() {
                            self.lone_surrogate();
                        }
                        return Ok(self.mend_escape(input));
                    }
                    _ => return Err(Fault::syntax(input.offset())),
                };
                if self.text.high.is_some() {
                    self.lone_surrogate();
                }
                self.text.buffer.push(char);
                self.text.escape = Escape::None;
                input.pos += 1;
            }
            Escape::Unit { digits, value } => {
                let Some(digit) = char::from(byte).to_digit(16) else {
                    if self.mends() {
                        if self.text.high.is_some() {
                            self.lone_surrogate();
                        }
                        self.mend_unit(digits, value, input.offset());
                        return Ok(Flow::Go);
                    }
                    return Err(Fault::syntax(input.offset()));
                };
                input.pos += 1;
                // Four hexadecimal digits fit.
                let value = (value << 4) | u16::try_from(digit).unwrap_or_default();
                if digits < 3 {
                    self.text.escape = Escape::Unit {
                        digits: digits + 1,
                        value,
                    };
                } else {
                    self.text.escape = Escape::None;
                    self.unit(value, input.offset() - 6);
                }
            }
        }
        Ok(Flow::Go)
    }

    /// Takes one `\uXXXX`.
    fn unit(&mut self, unit: u16, offset: usize) {
        match (self.text.high.take(), unit) {
            (Some((high, _)), 0xdc00..=0xdfff) => {
                let code =
                    0x1_0000 + ((u32::from(high) - 0xd800) << 10) + (u32::from(unit) - 0xdc00);
                self.text
                    .buffer
                    .push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            (high, _) => {
                if high.is_some() {
                    self.text.high = high;
                    self.lone_surrogate();
                }
                match unit {
                    0xd800..=0xdbff => self.text.high = Some((unit, offset)),
                    _ => {
                        if let Some(char) = char::from_u32(u32::from(unit)) {
                            self.text.buffer.push(char);
                        } else {
                            self.text.high = Some((unit, offset));
                            self.lone_surrogate();
                        }
                    }
                }
            }
        }
    }

    /// Gives up on the other half of a surrogate pair.
    pub(crate) fn lone_surrogate(&mut self) {
        if let Some((_, offset)) = self.text.high.take() {
            self.text.buffer.push(char::REPLACEMENT_CHARACTER);
            self.note(NoteKind::LoneSurrogate, offset, 6);
        }
    }

    #[inline]
    pub(crate) fn has_high_surrogate(&self) -> bool {
        self.text.high.is_some()
    }

    /// Whether a string value is in progress that plain text continues.
    #[inline]
    pub(crate) fn in_plain_text(&self) -> bool {
        self.state == State::Text
            && !self.text.is_key
            && self.text.escape == Escape::None
            && self.text.high.is_none()
            && self.text.delimiter.is_plain()
    }

    /// Tells what the string grew by.
    pub(crate) fn tell<S: Sink>(&mut self, sink: &mut S) {
        if self.text.is_key {
            return;
        }
        let delta = self.text.buffer.get(self.text.told..).unwrap_or_default();
        if !delta.is_empty() {
            sink.event(Location::new(self.tree.frames()), Event::StringDelta(delta));
            self.text.told = self.text.buffer.len();
        }
    }

    /// Completes the string with its last plain stretch; `end` is the offset after the quote.
    pub(crate) fn finish_text<S: Sink>(&mut self, plain: &str, end: usize, sink: &mut S) {
        let text = if self.text.buffer.is_empty() {
            plain.to_owned()
        } else {
            self.text.buffer.push_str(plain);
            mem::take(&mut self.text.buffer)
        };
        if self.text.is_key {
            let start = self.text.start;
            self.finish_key(text, (start, end.saturating_sub(start)), sink);
        } else {
            if let Some(mender) = &mut self.mender
                && (self.text.delimiter.inner > 0 || !self.text.delimiter.is_plain())
                && swallows_syntax(&text)
            {
                // The rest of the object may be in the text.
                mender.cut = true;
            }
            if let Some(delta) = text.get(self.text.told..).filter(|delta| !delta.is_empty()) {
                sink.event(Location::new(self.tree.frames()), Event::StringDelta(delta));
            }
            self.complete(Value::String(text), sink);
        }
    }

    /// Takes the key of the next member.
    pub(crate) fn finish_key<S: Sink>(&mut self, key: String, span: (usize, usize), sink: &mut S) {
        if let Some(top) = self.tree.top_mut() {
            top.key = key;
            top.key_span = span;
        }
        if let Some(top) = self.tree.top() {
            sink.event(Location::new(self.tree.frames()), Event::Key(&top.key));
        }
        self.state = State::Colon;
    }
}
