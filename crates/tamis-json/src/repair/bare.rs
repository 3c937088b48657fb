//! Text without quotation marks: numbers and literals in any spelling, names, whole sentences.
#![expect(
    clippy::match_same_arms,
    reason = "each row of a decision table stands alone"
)]

use serde_json::Value;

use super::look::{Ahead, Family, Guess, Look};
use super::meaning::{
    Meaning, begins_literal, ends_as_no_number, is_literals, is_scalar, meaning, trimmed,
};
use super::report::RepairKind;
use super::strings::swallows_syntax;
use crate::parser::{Fault, Flow, Frame, Input, Kind, Machine, Sink, State};

/// A text without quotation marks in progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bare {
    pub(crate) is_key: bool,
}

/// A name without quotation marks is no longer than this.
pub(crate) const LONGEST_NAME: usize = 128;
/// A number or literal is recognised up to this length while more may come.
const LONGEST_SCALAR: usize = 64;

impl Machine {
    pub(crate) fn bare_step<S: Sink>(
        &mut self,
        bare: Bare,
        input: &mut Input<'_>,
        sink: &mut S,
    ) -> Result<Flow, Fault> {
        if bare.is_key {
            return self.bare_key_step(input, sink);
        }
        let kind = self.tree.top().map(|top| top.kind);
        loop {
            let rest = input.rest();
            let length = rest.iter().take_while(|b| is_plain(**b)).count();
            self.scratch.push_str(input.ahead(length));
            input.pos += length;
            let Some(byte) = rest.get(length) else {
                return Ok(Flow::Wait);
            };
            if let Some(kind) = kind {
                if matches!(byte, b'"' | b'\'')
                    && let Some(flow) = self.prefixed_string(*byte, kind, input)
                {
                    return Ok(flow);
                }
                if *byte == b':' && kind == Kind::Object {
                    match self.hides_member(input) {
                        Guess::More => return Ok(Flow::Wait),
                        Guess::Yes => return Err(Fault::syntax(input.offset())),
                        _ => {}
                    }
                }
            }
            let ends = match kind {
                None | Some(Kind::Bare) => Guess::Yes,
                Some(kind) => self.bare_ends(*byte, kind, input),
            };
            match ends {
                Guess::More => return Ok(Flow::Wait),
                Guess::Yes | Guess::Far => {
                    let quoted = matches!(byte, b'"' | b'\'') && kind.is_some();
                    if *byte == b'(' && self.begins_call() {
                        let start = self.scratch_start;
                        input.pos += 1;
                        self.mend(RepairKind::Call, start, input.offset() - start);
                        self.open(Kind::Call, start, sink)?;
                        return Ok(Flow::Go);
                    }
                    let closes = if quoted {
                        self.closes(1, input)
                    } else {
                        Guess::No
                    };
                    if closes == Guess::More {
                        return Ok(Flow::Wait);
                    }
                    if closes == Guess::Yes {
                        let same = self.scratch.bytes().filter(|b| b == byte).count();
                        if same % 2 == 1 {
                            // It closes a quotation in the text, or the text itself.
                            return Err(Fault::syntax(input.offset()));
                        }
                        input.pos += 1;
                        let start = self.scratch_start;
                        self.mend(RepairKind::MissingQuote, start, 0);
                        let text = std::mem::take(&mut self.scratch);
                        self.complete(Value::String(text), sink);
                        return Ok(Flow::Go);
                    }
                    if kind.is_some() && self.ends_in_sign() {
                        match Look::from(input, 0).next() {
                            Ahead::More => return Ok(Flow::Wait),
                            // A sign between a value and the next key or item: a comma, or text.
                            Ahead::Quote(Family::Double | Family::Single) => {
                                return Err(Fault::syntax(input.offset()));
                            }
                            _ => {}
                        }
                    }
                    return self.leave_bare(*byte, kind, input, sink);
                }
                Guess::No => {
                    let length = input.char().map_or(1, char::len_utf8);
                    self.scratch.push_str(input.ahead(length));
                    input.pos += length;
                }
            }
        }
    }

    /// The text ends before this byte: as a value, or because the document breaks off here.
    fn leave_bare<S: Sink>(
        &mut self,
        byte: u8,
        kind: Option<Kind>,
        input: &Input<'_>,
        sink: &mut S,
    ) -> Result<Flow, Fault> {
        let breaks_off = if matches!(byte, b',' | b'}' | b']' | b':') {
            Guess::No
        } else {
            Self::breaks_off(input)
        };
        match breaks_off {
            Guess::More => return Ok(Flow::Wait),
            Guess::Yes if kind.is_some() => {
                let closing = self
                    .mender
                    .as_ref()
                    .is_some_and(|mender| mender.policy.closing);
                if !closing && meaning(trimmed(&self.scratch)) == Meaning::Text {
                    return Err(Fault::syntax(input.offset()));
                }
                let cut = self.end_bare(sink);
                if let Some(mender) = &mut self.mender {
                    mender.cut |= cut;
                }
            }
            _ => self.finish_bare(sink)?,
        }
        Ok(Flow::Go)
    }

    /// Whether a byte ends a text without quotation marks.
    fn bare_ends(&self, byte: u8, kind: Kind, input: &Input<'_>) -> Guess {
        let object = kind == Kind::Object;
        let spaced = self.scratch.ends_with([' ', '\t', '\n', '\r']);
        match byte {
            b'}' if object => Guess::Yes,
            b']' if kind == Kind::Array => Guess::Yes,
            b')' if matches!(kind, Kind::Tuple | Kind::Call) => Guess::Yes,
            b'}' | b']' => {
                let open = self
                    .tree
                    .frames()
                    .iter()
                    .any(|frame| frame.is_object() == (byte == b'}'));
                if open || self.is_scalar() {
                    Guess::Yes
                } else {
                    Guess::No
                }
            }
            b',' if !object => Guess::Yes,
            b',' | b';' if self.is_scalar() => thousands_end(input),
            b',' | b';' => member_follows(1, input),
            0..0x20 if self.is_scalar() && !matches!(byte, b'\t' | b'\n' | b'\r') => Guess::Yes,
            b'\n' | b'\r' if !object => Guess::Yes,
            b'\n' | b'\r' => {
                let mut look = Look::from(input, 1);
                match look.next() {
                    Ahead::Byte(b',') => Guess::Yes,
                    _ => member_follows(0, input),
                }
            }
            b' ' | b'\t' => self.space_ends(object, input),
            b'"' | b'\'' => match self.closes(1, input) {
                Guess::No if (spaced || self.is_scalar()) && !object && byte == b'"' => Guess::Yes,
                // A number or a literal says that it is whole, even right before the next key.
                Guess::No if object && (spaced || self.is_scalar() || byte == b'"') => {
                    Look::from(input, 0).key()
                }
                Guess::No if byte == b'"' && !spaced && self.ends_in_sign() => {
                    Look::from(input, 0).quoted_item()
                }
                guess => guess,
            },
            b'(' if self.begins_call() => Guess::Yes,
            b'{' | b'[' if self.is_scalar() => Guess::Yes,
            b':' if kind == Kind::Array => Guess::No,
            b'/' => match input.rest() {
                [_] if !input.end => Guess::More,
                [_, b'*', ..] => Guess::Yes,
                [_, b'/', ..] if spaced || self.is_scalar() => Guess::Yes,
                _ => Guess::No,
            },
            b'#' if spaced => Guess::Yes,
            b'`' => match input.rest() {
                [b'`'] | [b'`', b'`'] if !input.end => Guess::More,
                rest if rest.starts_with(b"```") => Guess::Yes,
                _ => Guess::No,
            },
            b'\\' => match input.rest() {
                [_] if !input.end => Guess::More,
                [_, b'n', ..] => member_follows(2, input),
                [_, b'"', ..] => self.closes(2, input),
                _ => Guess::No,
            },
            b'<' => self.special_token_here(input),
            _ => Guess::No,
        }
    }

    /// Whether a space ends a number or a literal, or a text before a quoted key or item.
    fn space_ends(&self, object: bool, input: &Input<'_>) -> Guess {
        let mut look = Look::from(input, 1);
        match look.next() {
            Ahead::More => Guess::More,
            Ahead::Byte(b'}' | b']') | Ahead::Far => Guess::Yes,
            // What the last word is, is decided where the text ends.
            Ahead::Byte(b',') | Ahead::End => Guess::No,
            Ahead::Quote(_) if object => match look.key() {
                Guess::No if self.is_scalar() => Guess::Yes,
                guess => guess,
            },
            Ahead::Quote(_) => Guess::Yes,
            _ if object && self.is_scalar() => match look.key() {
                Guess::No if matches!(look.here(), Ahead::Byte(b'/' | b'#' | b'{' | b'[')) => {
                    Guess::Yes
                }
                guess => guess,
            },
            _ if self.is_scalar() => Guess::Yes,
            Ahead::Byte(_) => Guess::No,
        }
    }

    /// Whether a quotation mark here closes a text that was not opened by one.
    fn closes(&self, length: usize, input: &Input<'_>) -> Guess {
        let mut look = Look::from(input, length);
        match look.next() {
            Ahead::More => Guess::More,
            Ahead::End | Ahead::Byte(b'}' | b']') => Guess::Yes,
            Ahead::Byte(b',') => {
                if self.tree.top().is_some_and(Frame::is_object) {
                    match member_follows(look.at() + 1, input) {
                        Guess::Far => Guess::Yes,
                        guess => guess,
                    }
                } else {
                    Guess::Yes
                }
            }
            _ => Guess::No,
        }
    }

    /// Whether the document ends here without a bracket: at the end of the text, at a fence or at
    /// a token of the model's markup.
    fn breaks_off(input: &Input<'_>) -> Guess {
        let mut look = Look::from(input, 0);
        match look.next() {
            Ahead::More => Guess::More,
            Ahead::End => Guess::Yes,
            Ahead::Quote(Family::Backtick) => look.starts_with(b"```"),
            Ahead::Byte(b'<') => match look.starts_with(b"<|") {
                Guess::No => look.starts_with("<｜".as_bytes()),
                guess => guess,
            },
            _ => Guess::No,
        }
    }

    /// Whether the text is the name of a function or, after `new`, of a class.
    fn begins_call(&self) -> bool {
        if self.scratch.len() > LONGEST_SCALAR {
            return false;
        }
        let text = self.scratch.as_bytes();
        let name = match text.strip_prefix(b"new ") {
            // Classes have capital letters; places, as in `new york (ny)`, have none here.
            Some(class) if class.first().is_some_and(u8::is_ascii_uppercase) => class,
            _ => text,
        };
        name.first().is_some_and(u8::is_ascii_alphabetic)
            && name
                .iter()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.'))
    }

    fn is_scalar(&self) -> bool {
        self.scratch.len() <= LONGEST_SCALAR && is_scalar(trimmed(&self.scratch))
    }

    /// Takes the text without quotation marks for what it says.
    pub(crate) fn finish_bare<S: Sink>(&mut self, sink: &mut S) -> Result<(), Fault> {
        self.take_bare(meaning(trimmed(&self.scratch)), sink)
    }

    fn take_bare<S: Sink>(&mut self, meaning: Meaning, sink: &mut S) -> Result<(), Fault> {
        let start = self.scratch_start;
        let strict = self.tree.depth() == 0;
        if let Meaning::Value(_, Some(RepairKind::NumberSpelling)) = meaning
            && self.is_group()
        {
            return Err(Fault::syntax(start));
        }
        let text = trimmed(&self.scratch);
        let length = text.len();
        match meaning {
            Meaning::Value(value, repair) => {
                if strict && !matches!(repair, None | Some(RepairKind::Literal)) {
                    return Err(Fault::syntax(start));
                }
                if let Some(repair) = repair {
                    self.mend(repair, start, length);
                }
                self.complete(value, sink);
            }
            Meaning::Noted(value, note, repair) => {
                if strict && repair.is_some() {
                    return Err(Fault::syntax(start));
                }
                if let Some(repair) = repair {
                    self.mend(repair, start, length);
                }
                self.note(note, start, length);
                self.complete(value, sink);
            }
            Meaning::Text if strict || length == 0 => return Err(Fault::syntax(start)),
            Meaning::Text => {
                let value = Value::String(text.to_owned());
                // The comma between literals is missing, and nobody can say where.
                let doubtful = is_literals(text) || text.contains('"') && swallows_syntax(text);
                if doubtful && let Some(mender) = &mut self.mender {
                    mender.cut = true;
                }
                self.mend(RepairKind::UnquotedText, start, length);
                self.complete(value, sink);
            }
        }
        self.scratch.clear();
        Ok(())
    }

    /// A key without quotation marks, or with the closing one only.
    fn bare_key_step<S: Sink>(
        &mut self,
        input: &mut Input<'_>,
        sink: &mut S,
    ) -> Result<Flow, Fault> {
        loop {
            let Some(byte) = input.byte() else {
                return Ok(Flow::Wait);
            };
            let start = self.scratch_start;
            if self.scratch.len() > LONGEST_NAME {
                return Err(Fault::syntax(start));
            }
            let ends = match byte {
                b':' | b'=' | b'{' | b'[' => true,
                b'"' | b'\'' => {
                    let mut look = Look::from(input, 1);
                    match look.next() {
                        Ahead::More => return Ok(Flow::Wait),
                        Ahead::Byte(b':') => {
                            input.pos += 1;
                            self.mend(RepairKind::MissingQuote, start, 0);
                            let key = std::mem::take(&mut self.scratch);
                            let span = (start, input.offset() - start);
                            self.split_items(&key, start, sink)?;
                            self.finish_key(key, span, sink);
                            return Ok(Flow::Go);
                        }
                        _ if self.scratch.ends_with(' ') => true,
                        _ => return Err(Fault::syntax(input.offset())),
                    }
                }
                b'\\' => match input.rest() {
                    [_] if !input.end => return Ok(Flow::Wait),
                    _ => return Err(Fault::syntax(input.offset())),
                },
                b',' | b'}' | b']' | b')' => return Err(Fault::missing_value(input.offset())),
                b'\n' | b'\r' => {
                    let mut look = Look::from(input, 0);
                    match look.next() {
                        Ahead::More => return Ok(Flow::Wait),
                        Ahead::Byte(b':' | b'=') => true,
                        _ => return Err(Fault::missing_value(input.offset())),
                    }
                }
                _ => false,
            };
            if ends {
                let key = trimmed(&self.scratch).to_owned();
                self.scratch.clear();
                self.mend(RepairKind::UnquotedKey, start, key.len());
                self.split_items(&key, start, sink)?;
                let span = (start, key.len());
                self.finish_key(key, span, sink);
                return Ok(Flow::Go);
            }
            let length = input.char().map_or(1, char::len_utf8);
            self.scratch.push_str(input.ahead(length));
            input.pos += length;
        }
    }

    /// The text without quotation marks at the end of everything. Whether it may have been cut.
    pub(crate) fn end_bare<S: Sink>(&mut self, sink: &mut S) -> bool {
        let spaced = self.scratch.ends_with(char::is_whitespace);
        let text = trimmed(&self.scratch);
        let (start, length) = (self.scratch_start, text.len());
        let meaning = meaning(text);
        let cut = match meaning {
            Meaning::Value(_, Some(RepairKind::NumberSpelling)) => {
                !spaced && ends_as_no_number(text)
            }
            Meaning::Value(..) | Meaning::Noted(..) => false,
            Meaning::Text => {
                ends_as_no_number(text) || begins_literal(text) || self.tree.depth() == 0
            }
        };
        if cut {
            self.mend(RepairKind::CutTail, start, length);
            self.scratch.clear();
            self.state = State::Next;
            return true;
        }
        let whole = meaning != Meaning::Text;
        let failed = self.take_bare(meaning, sink).is_err();
        failed || !whole
    }
}

/// Whether the comma here ends a number rather than sets off its thousands.
fn thousands_end(input: &Input<'_>) -> Guess {
    let rest = input.rest();
    let digits = rest
        .iter()
        .skip(1)
        .take(4)
        .take_while(|b| b.is_ascii_digit())
        .count();
    if digits + 1 == rest.len() && digits < 4 && !input.end {
        return Guess::More;
    }
    if digits == 3 { Guess::No } else { Guess::Yes }
}

/// Whether a key, a closing bracket or the end follows so many bytes further.
fn member_follows(skip: usize, input: &Input<'_>) -> Guess {
    let mut look = Look::from(input, skip);
    match look.next() {
        Ahead::More => Guess::More,
        Ahead::End | Ahead::Far | Ahead::Byte(b'}' | b']' | b'{' | b'`') => Guess::Yes,
        Ahead::Byte(b'.') => look.starts_with(b"..."),
        Ahead::Byte(b',') => Guess::Yes,
        _ => look.key(),
    }
}

/// Bytes that never end a text without quotation marks.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || byte >= 0x80
        || matches!(
            byte,
            b'_' | b'-'
                | b'+'
                | b'.'
                | b'$'
                | b'%'
                | b'!'
                | b'?'
                | b'@'
                | b'*'
                | b'&'
                | b'|'
                | b'^'
                | b'~'
        )
}
