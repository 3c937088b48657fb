//! Mends inside strings: where they end, what was not escaped.
#![expect(
    clippy::match_same_arms,
    reason = "each row of a decision table stands alone"
)]

use serde_json::Value;

use super::delimiter::Quotes;
use super::look::{Ahead, Family, Guess, Look, quote};
use super::plain::Follow;
use super::report::RepairKind;
use crate::parser::{
    After, Escape, Fault, Flow, Frame, Input, Kind, Machine, Sink, State, plain_before,
};

/// What a quotation mark inside a string does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It ends the string.
    Ends,
    /// It is part of the text.
    Inner,
    /// It opens the next key or item: the one that ends this string is missing.
    Opens,
    /// It ends a key of the object around the array, whose bracket is missing.
    EndsKey,
    /// It ends the first key of an item, whose opening bracket is missing.
    EndsFirstKey,
    Wait,
    /// It can be read in several ways.
    Unclear,
}

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
                self.mend(RepairKind::MissingQuote, start - behind.min(start), 0);
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

    /// What a quotation mark of this length does here. Where the strict reading is possible as far
    /// as can be seen, it is taken, so that valid JSON is never read otherwise.
    fn role(&mut self, length: usize, input: &Input<'_>) -> Role {
        if self.text.delimiter.quotes == Quotes::Triple {
            return Role::Ends;
        }
        let look = Look::from(input, length);
        if self.text.is_key {
            return Self::key_role(look);
        }
        match self.tree.top().map(|top| top.kind) {
            None | Some(Kind::Bare) => Role::Ends,
            Some(Kind::Object) => self.member_role(look, input),
            Some(_) => self.item_role(look, input),
        }
    }

    fn key_role(mut look: Look<'_>) -> Role {
        match look.next() {
            Ahead::More => Role::Wait,
            Ahead::Byte(b':' | b',' | b'}' | b'{' | b'[' | b'-' | b'0'..=b'9' | b'=') => Role::Ends,
            Ahead::End | Ahead::Far => Role::Ends,
            // `"a" "b"` lacks a colon; `"a""` has a quotation mark too many.
            Ahead::Quote(_) if look.space => Role::Ends,
            Ahead::Byte(_) => {
                match look.word(&["true", "false", "null", "True", "False", "None"]) {
                    Guess::Yes => Role::Ends,
                    Guess::More => Role::Wait,
                    _ => Role::Inner,
                }
            }
            Ahead::Quote(_) => Role::Inner,
        }
    }

    /// In a member's value.
    fn member_role(&mut self, look: Look<'_>, input: &Input<'_>) -> Role {
        let inside = self.text.delimiter.is_inside();
        let mut next = look;
        let ahead = next.next();
        match ahead {
            Ahead::More => Role::Wait,
            // The quotation ends here, and what came after it was cut.
            Ahead::End if inside => Role::Inner,
            Ahead::End | Ahead::Far => Role::Ends,
            Ahead::Byte(b',') => {
                next.skip(1);
                let mut after = next;
                match after.next() {
                    Ahead::More => Role::Wait,
                    Ahead::End | Ahead::Far => Role::Ends,
                    Ahead::Byte(b'}' | b']' | b'{' | b',' | b'.') => {
                        if self.in_brackets() {
                            Role::Inner
                        } else {
                            Role::Ends
                        }
                    }
                    Ahead::Byte(_) | Ahead::Quote(_) => match after.key() {
                        Guess::Yes | Guess::Far => Role::Ends,
                        Guess::More => Role::Wait,
                        // The continuation cannot be a member. A quotation that is open ends
                        // here; otherwise a second quoted text stays an error.
                        Guess::No if inside => Role::Inner,
                        Guess::No => match after.here() {
                            Ahead::Quote(_) => Role::Ends,
                            _ => match after.key_without_colon() {
                                Guess::Yes => Role::Unclear,
                                Guess::More => Role::Wait,
                                _ => Role::Inner,
                            },
                        },
                    },
                }
            }
            Ahead::Byte(b'}') => {
                if self.in_brackets() {
                    return Role::Inner;
                }
                next.skip(1);
                match next.here() {
                    Ahead::More => Role::Wait,
                    // A quotation mark right after the bracket: both are part of the text.
                    Ahead::Quote(Family::Double | Family::Single) => Role::Inner,
                    _ => Role::Ends,
                }
            }
            Ahead::Byte(b']') => {
                if self.in_brackets() {
                    Role::Inner
                } else {
                    Role::Ends
                }
            }
            Ahead::Byte(b':') => {
                if self.in_brackets() {
                    Role::Inner
                } else {
                    Role::Unclear
                }
            }
            Ahead::Byte(b';') => Role::Ends,
            Ahead::Byte(b'+') => {
                next.skip(1);
                match next.next() {
                    Ahead::More => Role::Wait,
                    Ahead::Quote(_) => Role::Ends,
                    _ => self.inner_or_opens(look, input),
                }
            }
            Ahead::Byte(b'`' | b'<') => self.inner_or_opens(look, input),
            Ahead::Quote(_) | Ahead::Byte(_) => {
                let adjacent = matches!(ahead, Ahead::Quote(Family::Double));
                if next.line_break || ((next.space || adjacent) && !inside) {
                    match next.key() {
                        Guess::Yes => return Role::Ends,
                        Guess::More => return Role::Wait,
                        _ => {}
                    }
                    if let Ahead::Quote(Family::Backtick) = ahead {
                        match next.starts_with(b"```") {
                            Guess::Yes => return Role::Ends,
                            Guess::More => return Role::Wait,
                            _ => {}
                        }
                    }
                    // `"x" "b" "y"`: strings without commas or colons, or quotations in one.
                    if next.space && !inside && ahead == Ahead::Quote(Family::Double) {
                        return Role::Unclear;
                    }
                }
                if !inside {
                    match next.scalar() {
                        Guess::Yes => return Role::Unclear,
                        Guess::More => return Role::Wait,
                        _ => {}
                    }
                }
                self.inner_or_opens(look, input)
            }
        }
    }

    /// In an array's item.
    fn item_role(&mut self, look: Look<'_>, input: &Input<'_>) -> Role {
        let inside = self.text.delimiter.is_inside();
        let mut next = look;
        match next.next() {
            Ahead::More => Role::Wait,
            Ahead::End if inside => Role::Inner,
            Ahead::End | Ahead::Far => Role::Ends,
            Ahead::Byte(b']' | b'}' | b')') => {
                if self.in_brackets() {
                    Role::Inner
                } else {
                    Role::Ends
                }
            }
            Ahead::Byte(b',') => {
                next.skip(1);
                let mut after = next;
                match after.next() {
                    Ahead::More => Role::Wait,
                    Ahead::Byte(byte) if inside && byte.is_ascii_alphabetic() => {
                        match after.word(&["true", "false", "null"]) {
                            Guess::Yes => Role::Ends,
                            Guess::More => Role::Wait,
                            _ => Role::Inner,
                        }
                    }
                    _ => Role::Ends,
                }
            }
            Ahead::Byte(b':') => {
                let object_around = {
                    let frames = self.tree.frames();
                    let above = frames.len().checked_sub(2).and_then(|i| frames.get(i));
                    above.is_some_and(Frame::is_object)
                };
                if self.in_brackets() {
                    return Role::Inner;
                }
                if self.text.delimiter.inner > 0 {
                    return Role::Unclear;
                }
                // After an item that is an object, the key may begin the next item.
                match self.tree.last_item() {
                    Some(Value::Object(map)) if map.contains_key(&self.text.buffer) => {
                        Role::EndsFirstKey
                    }
                    Some(Value::Object(_)) => Role::Unclear,
                    _ if object_around => Role::EndsKey,
                    _ => Role::Unclear,
                }
            }
            Ahead::Byte(b'+') => {
                next.skip(1);
                match next.next() {
                    Ahead::More => Role::Wait,
                    Ahead::Quote(_) => Role::Ends,
                    _ => Role::Inner,
                }
            }
            Ahead::Byte(b'{' | b'[' | b';') if !inside => Role::Ends,
            Ahead::Quote(Family::Double | Family::Single) if next.line_break => Role::Ends,
            Ahead::Quote(Family::Double | Family::Single) if next.space && !inside => Role::Ends,
            Ahead::Quote(Family::Backtick) if next.line_break => Role::Ends,
            Ahead::Byte(b'.') => match next.starts_with(b"...") {
                Guess::Yes => Role::Ends,
                Guess::More => Role::Wait,
                _ => self.inner_or_opens(look, input),
            },
            _ if !inside => match next.scalar() {
                Guess::Yes => Role::Ends,
                Guess::More => Role::Wait,
                _ => self.inner_or_opens(look, input),
            },
            _ => self.inner_or_opens(look, input),
        }
    }

    /// Neither a comma nor a bracket follows: part of the text, unless it opens what comes next.
    fn inner_or_opens(&self, after: Look<'_>, input: &Input<'_>) -> Role {
        let text = self.text.buffer.as_str();
        let trimmed = text.trim_end();
        if self.text.delimiter.closed_nothing && trimmed.len() < text.len() {
            // The one before closed a quotation that nothing opened, and this one opens another:
            // both may be the ends of strings.
            match after.here() {
                Ahead::More => return Role::Wait,
                Ahead::Byte(b' ') => {}
                _ => return Role::Unclear,
            }
        }
        let line_break = text
            .get(trimmed.len()..)
            .is_some_and(|space| space.contains('\n'));
        let comma = trimmed.ends_with(',');
        if !(comma || line_break) {
            return Role::Inner;
        }
        let here = Look::from(input, 0);
        let object = self.tree.top().is_some_and(Frame::is_object);
        let opens = if object {
            here.key()
        } else if comma && (trimmed.len() < text.len()) {
            here.quoted_item()
        } else {
            Guess::No
        };
        match opens {
            Guess::Yes => Role::Opens,
            Guess::More => Role::Wait,
            _ => Role::Inner,
        }
    }

    /// Whether the text has brackets open since a quotation mark in it was taken as text.
    fn in_brackets(&mut self) -> bool {
        if self.text.delimiter.inner == 0 {
            return false;
        }
        self.text.delimiter.count(&self.text.buffer);
        self.text.delimiter.brackets > 0
    }
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
