//! Text without quotation marks: numbers and literals in any spelling, names, whole sentences.
#![expect(
    clippy::match_same_arms,
    reason = "each row of a decision table stands alone"
)]

use serde_json::Value;

use super::look::{Ahead, Family, Guess, Look};
use super::report::RepairKind;
use crate::note::NoteKind;
use crate::parser::{Fault, Flow, Frame, Input, Kind, Literal, Machine, Sink, State, number_value};

/// A text without quotation marks in progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bare {
    pub(crate) is_key: bool,
}

/// A name without quotation marks is no longer than this.
pub(crate) const LONGEST_NAME: usize = 128;
/// A number or literal is recognised up to this length while more may come.
const LONGEST_SCALAR: usize = 64;

/// What a text without quotation marks says.
#[derive(Debug, PartialEq)]
pub(crate) enum Meaning {
    /// A value, and the repair that made it one.
    Value(Value, Option<RepairKind>),
    /// A number that no number type holds without loss, and what else was done to read it.
    Noted(Value, NoteKind, Option<RepairKind>),
    Text,
}

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
                    match Self::breaks_off(input) {
                        Guess::More => return Ok(Flow::Wait),
                        Guess::Yes if kind.is_some() => {
                            let cut = self.end_bare(sink);
                            if let Some(mender) = &mut self.mender {
                                mender.cut |= cut;
                            }
                        }
                        _ => self.finish_bare(sink)?,
                    }
                    return Ok(Flow::Go);
                }
                Guess::No => {
                    let length = input.char().map_or(1, char::len_utf8);
                    self.scratch.push_str(input.ahead(length));
                    input.pos += length;
                }
            }
        }
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

    fn begins_call(&self) -> bool {
        self.scratch.len() <= LONGEST_SCALAR
            && self
                .scratch
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'.')
            && self
                .scratch
                .bytes()
                .next()
                .is_some_and(|b| b.is_ascii_alphabetic())
    }

    fn is_scalar(&self) -> bool {
        self.scratch.len() <= LONGEST_SCALAR && meaning(self.scratch.trim_end()) != Meaning::Text
    }

    /// Takes the text without quotation marks for what it says.
    pub(crate) fn finish_bare<S: Sink>(&mut self, sink: &mut S) -> Result<(), Fault> {
        let start = self.scratch_start;
        let text = self.scratch.trim_end();
        let length = text.len();
        let strict = self.tree.depth() == 0;
        let meaning = meaning(text);
        if let Meaning::Value(_, Some(RepairKind::NumberSpelling)) = meaning {
            let text = text.to_owned();
            if self.is_group(&text) {
                return Err(Fault::syntax(start));
            }
        }
        let text = self.scratch.trim_end();
        match meaning {
            Meaning::Value(value, repair) => {
                if strict && repair.is_some() {
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
                if is_literals(text)
                    && let Some(mender) = &mut self.mender
                {
                    // The comma between them is missing, and nobody can say where.
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
                let key = self.scratch.trim_end().to_owned();
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
        let text = self.scratch.trim_end();
        let (start, length) = (self.scratch_start, text.len());
        let cut = match meaning(text) {
            Meaning::Value(_, Some(RepairKind::NumberSpelling)) => {
                !spaced && ends_as_no_number(text)
            }
            Meaning::Value(..) | Meaning::Noted(..) => false,
            Meaning::Text => {
                ends_as_no_number(text)
                    || LITERALS
                        .iter()
                        .any(|(word, ..)| !text.is_empty() && word.starts_with(text))
                    || self.tree.depth() == 0
            }
        };
        if cut {
            self.mend(RepairKind::CutTail, start, length);
            self.scratch.clear();
            self.state = State::Next;
            return true;
        }
        let whole = meaning(text) != Meaning::Text;
        let failed = self.finish_bare(sink).is_err();
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

/// Literals, and what else stands for one.
const LITERALS: [(&str, Option<Literal>, Option<RepairKind>); 26] = {
    use Literal::{False, Null, True};
    use RepairKind::{Literal as Spelling, NotANumber};
    [
        ("true", Some(True), None),
        ("false", Some(False), None),
        ("null", Some(Null), None),
        ("True", Some(True), Some(Spelling)),
        ("False", Some(False), Some(Spelling)),
        ("None", Some(Null), Some(Spelling)),
        ("TRUE", Some(True), Some(Spelling)),
        ("FALSE", Some(False), Some(Spelling)),
        ("NULL", Some(Null), Some(Spelling)),
        ("Null", Some(Null), Some(Spelling)),
        ("nil", Some(Null), Some(Spelling)),
        ("<nil>", Some(Null), Some(Spelling)),
        ("undefined", Some(Null), Some(Spelling)),
        ("NaN", Some(Null), Some(NotANumber)),
        ("nan", Some(Null), Some(NotANumber)),
        ("-NaN", Some(Null), Some(NotANumber)),
        ("Infinity", Some(Null), Some(NotANumber)),
        ("-Infinity", Some(Null), Some(NotANumber)),
        ("+Infinity", Some(Null), Some(NotANumber)),
        ("infinity", Some(Null), Some(NotANumber)),
        ("-infinity", Some(Null), Some(NotANumber)),
        ("inf", Some(Null), Some(NotANumber)),
        ("-inf", Some(Null), Some(NotANumber)),
        ("+inf", Some(Null), Some(NotANumber)),
        ("Inf", Some(Null), Some(NotANumber)),
        ("-Inf", Some(Null), Some(NotANumber)),
    ]
};

pub(crate) fn meaning(text: &str) -> Meaning {
    if let Some((value, note)) = number_value(text) {
        return match note {
            None => Meaning::Value(value, None),
            Some(note) => Meaning::Noted(value, note, None),
        };
    }
    for (word, literal, repair) in LITERALS {
        if word == text {
            let value = literal.map_or(Value::Null, Literal::value);
            return Meaning::Value(value, repair);
        }
    }
    match respelled(text).and_then(|number| number_value(&number)) {
        Some((value, None)) => Meaning::Value(value, Some(RepairKind::NumberSpelling)),
        Some((value, Some(note))) => Meaning::Noted(value, note, Some(RepairKind::NumberSpelling)),
        None if is_long_hex(text) => {
            let value = Value::String(text.to_owned());
            Meaning::Noted(
                value,
                NoteKind::NumberAsText,
                Some(RepairKind::UnquotedText),
            )
        }
        None => Meaning::Text,
    }
}

/// Whether a text is literals and a number without anything between them.
fn is_literals(text: &str) -> bool {
    let number = |b: char| b.is_ascii_digit() || matches!(b, '-' | '.');
    let mut rest = text.trim_start_matches(number);
    while let Some(after) = ["null", "true", "false"]
        .iter()
        .find_map(|word| rest.strip_prefix(word))
    {
        rest = after;
    }
    rest.len() < text.len() && rest.chars().all(number) && text.contains(char::is_alphabetic)
}

/// Whether a text is a hexadecimal number that no JSON number type holds.
fn is_long_hex(text: &str) -> bool {
    let digits = text.trim_start_matches(['-', '+']);
    let hex = digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"));
    hex.is_some_and(|hex| hex.len() > 16 && hex.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// A number in a spelling that JSON does not know, in the one that it knows.
fn respelled(text: &str) -> Option<String> {
    let (sign, digits) = match text.split_at_checked(1)? {
        ("-", rest) => ("-", rest),
        ("+", rest) => ("", rest),
        _ => ("", text),
    };
    if !digits.bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    if let Some(hex) = digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"))
    {
        return u64::from_str_radix(hex, 16)
            .ok()
            .map(|number| format!("{sign}{number}"));
    }
    if !digits
        .bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b',' | b'_' | b'e' | b'E' | b'+' | b'-'))
    {
        return None;
    }
    let (mantissa, exponent) = match digits.find(['e', 'E']) {
        Some(at) => digits.split_at(at),
        None => (digits, ""),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if mantissa.len() < 2 && !mantissa.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    if fraction.contains([',', '_']) || exponent.contains([',', '_']) || !separated(whole) {
        return None;
    }
    let whole: String = whole.chars().filter(char::is_ascii_digit).collect();
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let point = if fraction.is_empty() { "" } else { "." };
    Some(format!("{sign}{whole}{point}{fraction}{exponent}"))
}

/// Whether separators, if any, stand where a reader of numbers puts them.
fn separated(whole: &str) -> bool {
    if whole.contains(',') {
        let mut groups = whole.split(',');
        let first = groups.next().unwrap_or_default();
        return (1..=3).contains(&first.len())
            && first.bytes().all(|b| b.is_ascii_digit())
            && groups.all(|g| g.len() == 3 && g.bytes().all(|b| b.is_ascii_digit()));
    }
    whole
        .split('_')
        .all(|group| group.bytes().all(|b| b.is_ascii_digit()))
        && !whole.starts_with('_')
        && !whole.ends_with('_')
}

/// Whether a text is the beginning of a number, but none.
fn ends_as_no_number(text: &str) -> bool {
    let number = text.strip_prefix('-').unwrap_or(text);
    match number.as_bytes() {
        [] => !text.is_empty(),
        [head @ .., b'.' | b'e' | b'E'] | [head @ .., b'e' | b'E', b'+' | b'-'] => {
            !head.is_empty() && head.iter().all(|b| b.is_ascii_digit() || *b == b'.')
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_in_other_spellings() {
        for (text, value) in [
            ("+5", json!(5)),
            ("007", json!(7)),
            ("-012", json!(-12)),
            (".5", json!(0.5)),
            ("5.", json!(5)),
            ("1_000", json!(1000)),
            ("1,234.50", json!(1234.5)),
            ("-2,000.00", json!(-2000.0)),
            ("0x1F", json!(31)),
        ] {
            let expected = Meaning::Value(value, Some(RepairKind::NumberSpelling));
            assert_eq!(meaning(text), expected, "{text}");
        }
        for text in [
            "1.1.1",
            "1/3",
            "2notanumber",
            "-e5",
            "e",
            "05e",
            "1,23",
            "12,3456",
            "-",
            ".",
        ] {
            assert_eq!(meaning(text), Meaning::Text, "{text}");
        }
    }

    #[test]
    fn literals_of_other_languages() {
        assert_eq!(
            meaning("True"),
            Meaning::Value(json!(true), Some(RepairKind::Literal))
        );
        assert_eq!(
            meaning("-Infinity"),
            Meaning::Value(json!(null), Some(RepairKind::NotANumber))
        );
        assert_eq!(meaning("null"), Meaning::Value(json!(null), None));
        assert_eq!(meaning("truely"), Meaning::Text);
    }
}
