//! Mends inside strings: where they end, what was not escaped.
#![expect(
    clippy::match_same_arms,
    reason = "each row of a decision table stands alone"
)]

use super::delimiter::Quotes;
use super::look::{Family, Guess, Look, quote};
use super::plain::Follow;
use super::report::RepairKind;
use super::role::Role;
use crate::parser::{After, Escape, Fault, Flow, Input, Kind, Machine, Sink, State, plain_before};

impl Machine {
    /// A quotation mark or a control character in a string that opened with `"`.
    /// `None` when the string goes on.
    pub(crate) fn mend_special<S: Sink>(
        &mut self,
        input: &mut Input<'_>,
        sink: &mut S,
    ) -> Result<Option<Flow>, Fault> {
        if self.has_high_surrogate() {
            self.lone_surrogate();
        }
        if input.byte() == Some(b'"') {
            self.mend_quote(1, input, sink)
        } else {
            self.control_characters(input);
            Ok(None)
        }
    }

    /// A string that did not open with `"`.
    pub(crate) fn mend_text<S: Sink>(
        &mut self,
        input: &mut Input<'_>,
        sink: &mut S,
    ) -> Result<Flow, Fault> {
        let quotes = self.text.delimiter.quotes;
        loop {
            if self.text.escape != Escape::None {
                if self.escape_step(input)? == Flow::Wait {
                    self.tell(sink);
                    return Ok(Flow::Wait);
                }
                continue;
            }
            let rest = input.rest();
            let length = match quotes {
                Quotes::Single => plain_before(b'\'', rest),
                _ => rest.iter().take_while(|b| !is_special(**b, quotes)).count(),
            };
            if length > 0 && self.has_high_surrogate() {
                self.lone_surrogate();
            }
            self.text.buffer.push_str(input.ahead(length));
            input.pos += length;
            let rest = rest.get(length..).unwrap_or_default();
            let Some(byte) = rest.first() else {
                self.tell(sink);
                return Ok(Flow::Wait);
            };
            let flow = match byte {
                b'\\' if quotes == Quotes::Escaped => self.escaped(input, sink)?,
                b'\\' if self.text.delimiter.raw => {
                    self.text.buffer.push('\\');
                    input.pos += 1;
                    None
                }
                b'\\' => {
                    input.pos += 1;
                    self.text.escape = Escape::Begun;
                    None
                }
                0..0x20 => {
                    self.control_characters(input);
                    None
                }
                _ => match closing(rest, quotes) {
                    None if rest.len() < 3 && !input.end && quotes == Quotes::Triple => {
                        Some(Flow::Wait)
                    }
                    None => {
                        let length = input.char().map_or(1, char::len_utf8);
                        self.text.buffer.push_str(input.ahead(length));
                        input.pos += length;
                        None
                    }
                    Some(length) => {
                        if self.has_high_surrogate() {
                            self.lone_surrogate();
                        }
                        if quotes == Quotes::Single
                            && let Some(follow) = self.ends_plainly(input)
                        {
                            input.pos += 1;
                            self.finish_text("", input.offset(), sink);
                            if let Follow::Key(key) = follow {
                                self.pass_plain_key(key, input, sink);
                            }
                            return Ok(Flow::Go);
                        }
                        self.mend_quote(length, input, sink)?
                    }
                },
            };
            if let Some(flow) = flow {
                self.tell(sink);
                return Ok(flow);
            }
        }
    }

    /// A backslash in a string that opened with `\"`: everything in it was escaped once more.
    fn escaped<S: Sink>(
        &mut self,
        input: &mut Input<'_>,
        sink: &mut S,
    ) -> Result<Option<Flow>, Fault> {
        match input.rest() {
            [_] if !input.end => Ok(Some(Flow::Wait)),
            [_, b'"', ..] => self.mend_quote(2, input, sink),
            [_, b'\\'] | [_, b'\\', b'\\'] if !input.end => Ok(Some(Flow::Wait)),
            [_, b'\\', b'"', ..] => {
                self.text.buffer.push('"');
                input.pos += 3;
                Ok(None)
            }
            [_, b'\\', b'\\', b'"', ..] => {
                self.text.buffer.push('"');
                input.pos += 4;
                Ok(None)
            }
            [_, b'\\', ..] => {
                input.pos += 2;
                self.text.escape = Escape::Begun;
                Ok(None)
            }
            _ => {
                input.pos += 1;
                self.text.escape = Escape::Begun;
                Ok(None)
            }
        }
    }

    fn control_characters(&mut self, input: &mut Input<'_>) {
        let start = input.offset();
        let length = input.rest().iter().take_while(|b| **b < 0x20).count();
        self.text.buffer.push_str(input.ahead(length));
        input.pos += length;
        // One repair for a run, wherever fragments cut it.
        match self
            .mender
            .as_mut()
            .and_then(|mender| mender.repairs.last_mut())
        {
            Some(last)
                if last.kind == RepairKind::ControlCharacter
                    && last.offset + last.length == start =>
            {
                last.length += length;
            }
            _ => self.mend(RepairKind::ControlCharacter, start, length),
        }
    }

    /// An escape that JSON does not know, after its backslash.
    pub(crate) fn mend_escape(&mut self, input: &mut Input<'_>) -> Flow {
        let start = input.offset() - 1;
        let Some(char) = input.char() else {
            return Flow::Wait;
        };
        self.text.escape = Escape::None;
        // The backslash before a quotation mark or a line break means nothing; before a letter it
        // was meant (`C:\Docs`, `\d+`).
        if !matches!(char, '\'' | '`' | '\n' | '\r') {
            self.text.buffer.push('\\');
        }
        self.text.buffer.push(char);
        input.pos += char.len_utf8();
        self.mend(RepairKind::BadEscape, start, 1 + char.len_utf8());
        Flow::Go
    }

    /// A `\u` without four digits: text.
    pub(crate) fn mend_unit(&mut self, digits: u8, value: u16, offset: usize) {
        let digits = usize::from(digits);
        self.text.escape = Escape::None;
        self.text.buffer.push_str("\\u");
        if digits > 0 {
            use std::fmt::Write as _;
            // Writing to a `String` cannot fail.
            let _ = write!(self.text.buffer, "{value:0digits$x}");
        }
        self.mend(RepairKind::BadEscape, offset - digits - 2, digits + 2);
    }

    /// A quotation mark that may end the string.
    fn mend_quote<S: Sink>(
        &mut self,
        length: usize,
        input: &mut Input<'_>,
        sink: &mut S,
    ) -> Result<Option<Flow>, Fault> {
        let start = input.offset();
        let role = self.role(length, input);
        match role {
            Role::Wait => {
                self.tell(sink);
                Ok(Some(Flow::Wait))
            }
            Role::Unclear => Err(Fault::syntax(start)),
            Role::Inner => {
                let quote = input.ahead(length);
                self.text.buffer.push_str(quote.trim_start_matches('\\'));
                self.text.delimiter.inner += 1;
                let spaced = Look::from(input, length).starts_with(b" ") == Guess::Yes;
                self.text.delimiter.closed_nothing = spaced && self.text.delimiter.is_inside();
                input.pos += length;
                self.mend(RepairKind::UnescapedQuote, start, length);
                Ok(None)
            }
            Role::Ends => {
                input.pos += length;
                if self.text.is_key {
                    let mut key = std::mem::take(&mut self.text.buffer);
                    if self.text.delimiter.inner > 0 {
                        if swallows_member(&key) {
                            return Err(Fault::syntax(self.text.start));
                        }
                        self.undouble(&mut key);
                    }
                    self.split_items(&key, self.text.start, sink)?;
                    self.text.buffer = key;
                } else if self.text.delimiter.inner == 1 && !swallows_syntax(&self.text.buffer) {
                    let mut text = std::mem::take(&mut self.text.buffer);
                    let length = text.len();
                    self.undouble(&mut text);
                    if text.len() < length {
                        self.text.told = self.text.told.min(text.len());
                    }
                    self.text.buffer = text;
                }
                if !self.text.is_key
                    && self.text.delimiter.inner % 2 == 1
                    && opens_quotation(&self.text.buffer)
                    && let Some(mender) = &mut self.mender
                {
                    // This mark may close the quotation in the text, and the text's own be missing.
                    mender.cut = true;
                }
                self.finish_text("", input.offset(), sink);
                Ok(Some(Flow::Go))
            }
            Role::Opens => {
                let trimmed = self.text.buffer.trim_end();
                let (text, comma) = match trimmed.strip_suffix(',') {
                    Some(text) => (text.trim_end(), true),
                    None => (trimmed, false),
                };
                let length = text.len();
                let behind = self.text.buffer.len() - length;
                self.text.buffer.truncate(length);
                self.text.told = self.text.told.min(length);
                self.doubt_list();
                let text_end = start - behind.min(start);
                self.unmend_controls(text_end);
                self.mend(RepairKind::MissingQuote, text_end, 0);
                self.finish_text("", start, sink);
                if comma {
                    let kind = self.tree.top().map_or(Kind::Array, |top| top.kind);
                    self.state = match kind {
                        Kind::Object => State::Key,
                        _ => State::Value(After::Comma),
                    };
                }
                Ok(Some(Flow::Go))
            }
            Role::EndsKey | Role::EndsFirstKey => {
                let start = self.text.start;
                self.mend(RepairKind::MissingBracket, start, 0);
                let key = std::mem::take(&mut self.text.buffer);
                if role == Role::EndsKey {
                    self.close(sink);
                } else {
                    self.open(Kind::Object, start, sink)?;
                }
                input.pos += length;
                let span = (self.text.start, input.offset() - self.text.start);
                self.finish_key(key, span, sink);
                Ok(Some(Flow::Go))
            }
        }
    }

    /// A text whose closing quotation mark is missing, and that has a comma in it, may be several items.
    pub(super) fn doubt_list(&mut self) {
        if self.text.buffer.contains(',')
            && let Some(mender) = &mut self.mender
        {
            mender.cut = true;
        }
    }

    /// A key with a quotation mark doubled, `""a""`, is the one inside.
    fn undouble(&mut self, key: &mut String) {
        let inside = key.strip_prefix('"').unwrap_or(key);
        let inside = inside.strip_suffix('"').unwrap_or(inside);
        if inside.len() == key.len() || inside.is_empty() || inside.contains('"') {
            return;
        }
        *key = inside.to_owned();
        let start = self.text.start;
        if let Some(mender) = &mut self.mender {
            for repair in mender.repairs.iter_mut().rev() {
                if repair.offset < start {
                    break;
                }
                if repair.kind == RepairKind::UnescapedQuote {
                    repair.kind = RepairKind::WrongQuote;
                }
            }
        }
    }
}

/// Whether the last quotation mark in a text opens a quotation rather than closes one, or stands
/// for inches: space before it, and none behind.
fn opens_quotation(text: &str) -> bool {
    let space = |char: Option<char>| char.is_none_or(char::is_whitespace);
    text.rsplit_once('"').is_some_and(|(before, after)| {
        space(before.chars().next_back()) && !space(after.chars().next())
    })
}

/// Whether a key with quotation marks in it holds more than a key: `{"a': 1, "b": 2}`.
fn swallows_member(key: &str) -> bool {
    key.contains([':', ',', '{', '}', '[', ']'])
}

/// Whether a text with quotation marks in it holds the end of another one, and a member or a bracket
/// after it that it did not open itself: `,"a":null`.
pub(crate) fn swallows_syntax(text: &str) -> bool {
    if text.trim_start().starts_with(',') || text.contains("\"\"") {
        return true;
    }
    let mut depth = 0_usize;
    let mut quoted = false;
    for byte in text.bytes() {
        match byte {
            b'{' | b'[' => depth += 1,
            b':' if quoted && depth == 0 => return true,
            b'}' | b']' if depth == 0 && quoted => return true,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        quoted = byte == b'"' || quoted && byte.is_ascii_whitespace();
    }
    false
}

/// Whether a byte may end or interrupt plain text.
fn is_special(byte: u8, quotes: Quotes) -> bool {
    match byte {
        b'\\' | 0..0x20 => true,
        b'"' => matches!(
            quotes,
            Quotes::Double | Quotes::Triple | Quotes::CurlyDouble
        ),
        b'\'' => matches!(quotes, Quotes::Single | Quotes::CurlySingle),
        b'`' => quotes == Quotes::Backtick,
        0xe2 | 0xc2 => matches!(quotes, Quotes::CurlyDouble | Quotes::CurlySingle),
        _ => false,
    }
}

/// The length of the closing quotation mark at the start.
fn closing(rest: &[u8], quotes: Quotes) -> Option<usize> {
    let family = match quotes {
        Quotes::Triple => return rest.starts_with(b"\"\"\"").then_some(3),
        Quotes::Double | Quotes::Single | Quotes::Backtick => return Some(1),
        Quotes::CurlyDouble => Family::Double,
        Quotes::CurlySingle => Family::Single,
        Quotes::Escaped => return None,
    };
    quote(rest)
        .filter(|(_, found)| *found == family)
        .map(|(length, _)| length)
}
