//! Looking ahead, at most a window: what comes after a quotation mark, a comma, a bracket.
#![expect(
    clippy::match_same_arms,
    reason = "each row of a decision table stands alone"
)]

use std::cell::Cell;

use crate::parser::Input;

/// How far a decision may look. What lies beyond is taken to be in order.
pub(crate) const WINDOW: usize = 512;

/// The next thing that is neither space nor comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ahead {
    /// An ASCII byte, or the first byte of another character.
    Byte(u8),
    /// A quotation mark of a kind.
    Quote(Family),
    /// The end of the text.
    End,
    /// The end of the window.
    Far,
    /// The end of the text at hand; more will come.
    More,
}

/// Quotation marks that close each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    Double,
    Single,
    Backtick,
}

/// An answer that may need more text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Guess {
    Yes,
    No,
    /// Not to be seen in the window.
    Far,
    More,
}

/// A cursor ahead of the machine's.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look<'a> {
    bytes: &'a [u8],
    at: usize,
    edge: Ahead,
    /// Whether a line break was passed.
    pub(crate) line_break: bool,
    /// Whether any space was passed.
    pub(crate) space: bool,
    looked: &'a Cell<u64>,
}

/// The length in bytes of a quotation mark at the start, its family, and whether it is plain.
pub(crate) fn quote(bytes: &[u8]) -> Option<(usize, Family)> {
    match bytes {
        [b'"', ..] => Some((1, Family::Double)),
        [b'\'', ..] => Some((1, Family::Single)),
        [b'`', ..] => Some((1, Family::Backtick)),
        // “ ” „ ‟ and « ».
        [0xe2, 0x80, 0x9c..=0x9f, ..] => Some((3, Family::Double)),
        [0xc2, 0xab | 0xbb, ..] => Some((2, Family::Double)),
        // ‘ ’ ‚ ‛ and the acute and grave accents.
        [0xe2, 0x80, 0x98..=0x9b, ..] => Some((3, Family::Single)),
        [0xc2, 0xb4, ..] => Some((2, Family::Single)),
        _ => None,
    }
}

/// The length of a space that JSON does not know, at the start.
pub(crate) fn odd_space(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [0xc2, 0xa0 | 0x85, ..] => Some(2),
        // The spaces from U+2000 to U+200F, the separators, and U+202F, U+205F, U+2060, U+3000, U+FEFF.
        [0xe2, 0x80, 0x80..=0x8f | 0xa8..=0xa9 | 0xaf, ..]
        | [0xe2, 0x81, 0x9f | 0xa0, ..]
        | [0xe3, 0x80, 0x80, ..]
        | [0xef, 0xbb, 0xbf, ..] => Some(3),
        [0x0b | 0x0c, ..] => Some(1),
        _ => None,
    }
}

/// Whether a name without quotes may begin with this byte.
pub(crate) fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

/// Whether a name without quotes may go on with this byte.
pub(crate) fn in_name(byte: u8) -> bool {
    begins_name(byte) || byte.is_ascii_digit() || byte == b'-'
}

impl<'a> Look<'a> {
    /// From so many bytes after the machine's cursor.
    pub(crate) fn from(input: &Input<'a>, skip: usize) -> Self {
        let rest = input.rest();
        let bytes = rest
            .get(..rest.len().min(WINDOW + skip))
            .unwrap_or_default();
        let edge = if bytes.len() < rest.len() || rest.len() >= WINDOW + skip {
            Ahead::Far
        } else if input.end {
            Ahead::End
        } else {
            Ahead::More
        };
        Self {
            bytes,
            at: skip,
            edge,
            line_break: false,
            space: false,
            looked: input.looked,
        }
    }

    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn skip(&mut self, length: usize) {
        self.at += length;
    }

    /// The byte right here, without passing space.
    pub(crate) fn here(&self) -> Ahead {
        match self.rest() {
            [] => self.edge,
            rest => match quote(rest) {
                Some((_, family)) => Ahead::Quote(family),
                // A character cut at the edge may be a quotation mark.
                None if matches!(rest, [0xe2 | 0xc2] | [0xe2, 0x80]) => self.edge,
                None => rest.first().map_or(self.edge, |b| Ahead::Byte(*b)),
            },
        }
    }

    /// At the edge nothing speaks against what was looked for, so at the end of the text, too, it
    /// counts as out of sight: a key that was cut is one.
    fn guess_edge(&self) -> Guess {
        if self.edge == Ahead::More {
            Guess::More
        } else {
            Guess::Far
        }
    }

    /// Counts what was looked at since `from`; all there is, at the edge.
    fn count(&self, from: usize, edge: bool) {
        let to = if edge { self.bytes.len() } else { self.at };
        self.looked
            .set(self.looked.get() + to.saturating_sub(from) as u64 + 1);
    }

    /// Passes space and comments; what comes then.
    pub(crate) fn next(&mut self) -> Ahead {
        let from = self.at;
        let ahead = self.pass_space();
        self.count(from, ahead == self.edge);
        ahead
    }

    fn pass_space(&mut self) -> Ahead {
        loop {
            match self.rest() {
                [b' ' | b'\t' | b'\r', ..] => {
                    self.space = true;
                    self.at += 1;
                }
                [b'\n', ..] => {
                    self.space = true;
                    self.line_break = true;
                    self.at += 1;
                }
                [b'/'] => return self.edge,
                [b'/', b'/', rest @ ..] => {
                    self.line_break = true;
                    match memchr::memchr(b'\n', rest) {
                        Some(end) => self.at += end + 3,
                        None => return self.edge,
                    }
                }
                [b'/', b'*', rest @ ..] => match memchr::memmem::find(rest, b"*/") {
                    Some(end) => self.at += end + 4,
                    None => return self.edge,
                },
                rest => match odd_space(rest) {
                    Some(length) => {
                        self.space = true;
                        self.at += length;
                    }
                    None if matches!(rest, [0xe2 | 0xef | 0xe3] | [0xe2, _] | [0xef, 0xbb]) => {
                        return self.edge;
                    }
                    None => return self.here(),
                },
            }
        }
    }

    /// Whether a member's key and its colon are here: `"key":`, `key:`, `key":`.
    pub(crate) fn key(mut self) -> Guess {
        let rest = self.rest();
        if let [b'\\'] = rest {
            return self.guess_edge();
        }
        if let [b'\\', b'"', ..] = rest {
            self.at += 1;
            return self
                .quoted(true)
                .map_or_else(|edge| edge, |mut look| look.colon());
        }
        if quote(rest).is_some() {
            return self
                .quoted(false)
                .map_or_else(|edge| edge, |mut look| look.colon());
        }
        let Some(first) = rest.first() else {
            return self.guess_edge();
        };
        if !begins_name(*first) {
            return Guess::No;
        }
        let name = rest.iter().take_while(|b| in_name(**b)).take(65).count();
        self.count(self.at, false);
        if name > 64 {
            return Guess::No;
        }
        if name == rest.len() {
            return self.guess_edge();
        }
        self.at += name;
        if let [b'"' | b'\'', ..] = self.rest() {
            self.at += 1;
        }
        self.colon()
    }

    fn colon(&mut self) -> Guess {
        match self.next() {
            Ahead::Byte(b':') => match self.rest() {
                // A web address, not a key.
                [_, b'/', b'/', ..] => Guess::No,
                [_] | [_, b'/'] => match self.edge {
                    Ahead::End => Guess::Yes,
                    _ => self.guess_edge(),
                },
                _ => Guess::Yes,
            },
            Ahead::More => Guess::More,
            Ahead::Far | Ahead::End => Guess::Far,
            _ => Guess::No,
        }
    }

    /// Passes a quoted text on one line.
    fn quoted(self, escaped: bool) -> Result<Self, Guess> {
        let result = self.pass_quoted(escaped);
        match &result {
            Ok(behind) => behind.count(self.at, false),
            Err(_) => self.count(self.at, true),
        }
        result
    }

    fn pass_quoted(mut self, escaped: bool) -> Result<Self, Guess> {
        let Some((opening, family)) = quote(self.rest()) else {
            return Err(Guess::No);
        };
        self.at += opening;
        loop {
            let rest = self.rest();
            match rest {
                [] => return Err(self.guess_edge()),
                [b'\n', ..] => return Err(Guess::No),
                [b'\\', b'"', ..] if escaped => {
                    self.at += 2;
                    return Ok(self);
                }
                [b'\\'] => return Err(self.guess_edge()),
                [b'\\', _, ..] => self.at += 2,
                _ => match quote(rest) {
                    // A typographic mark is closed by any of its family, a plain one by itself.
                    Some((length, other))
                        if other == family && !escaped && (opening > 1 || length == 1) =>
                    {
                        self.at += length;
                        return Ok(self);
                    }
                    Some((length, _)) => self.at += length,
                    None => self.at += 1,
                },
            }
        }
    }

    /// Whether a quoted text here is followed by a comma or a closing bracket.
    pub(crate) fn quoted_item(self) -> Guess {
        match self.quoted(false) {
            Err(guess) => guess,
            Ok(mut look) => match look.next() {
                Ahead::Byte(b',' | b']' | b'}') => Guess::Yes,
                Ahead::More => Guess::More,
                Ahead::Far => Guess::Far,
                _ => Guess::No,
            },
        }
    }

    /// Whether a number or a literal is here, with a comma or a closing bracket behind it.
    pub(crate) fn scalar(mut self) -> Guess {
        let rest = self.rest();
        let length = rest
            .iter()
            .take_while(|b| in_name(**b) || matches!(b, b'.' | b'+'))
            .take(65)
            .count();
        self.count(self.at, false);
        if length == 0 || length > 64 {
            return Guess::No;
        }
        if length == rest.len() {
            return self.guess_edge();
        }
        let word = rest.get(..length).unwrap_or_default();
        let literal = [&b"true"[..], b"false", b"null", b"True", b"False", b"None"].contains(&word);
        let number = matches!(word, [b'0'..=b'9', ..] | [b'-', b'0'..=b'9', ..])
            && word
                .iter()
                .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+' | b'e' | b'E'));
        if !literal && !number {
            return Guess::No;
        }
        self.at += length;
        match self.next() {
            Ahead::Byte(b',' | b']' | b'}') => Guess::Yes,
            Ahead::More => Guess::More,
            Ahead::Far => Guess::Far,
            _ => Guess::No,
        }
    }

    /// Whether a name is here, and behind a space the start of a value: a member without its colon.
    pub(crate) fn key_without_colon(mut self) -> Guess {
        let rest = self.rest();
        if !rest.first().is_some_and(|first| begins_name(*first)) {
            return Guess::No;
        }
        let name = rest.iter().take_while(|b| in_name(**b)).take(65).count();
        self.count(self.at, false);
        if name > 64 {
            return Guess::No;
        }
        if name == rest.len() {
            return self.guess_edge();
        }
        self.at += name;
        (self.space, self.line_break) = (false, false);
        match self.next() {
            Ahead::More => Guess::More,
            Ahead::Quote(Family::Double) | Ahead::Byte(b'{' | b'[' | b'-' | b'0'..=b'9')
                if self.space =>
            {
                Guess::Yes
            }
            _ => Guess::No,
        }
    }

    /// Whether this text is here.
    pub(crate) fn starts_with(&self, text: &[u8]) -> Guess {
        let rest = self.rest();
        if rest.starts_with(text) {
            Guess::Yes
        } else if text.starts_with(rest) && self.edge == Ahead::More {
            Guess::More
        } else {
            Guess::No
        }
    }

    /// Whether a word of these is here, whole.
    pub(crate) fn word(&self, words: &[&str]) -> Guess {
        let rest = self.rest();
        let length = rest.iter().take_while(|b| in_name(**b)).count();
        if length == rest.len() && self.edge == Ahead::More {
            return Guess::More;
        }
        let word = rest.get(..length).unwrap_or_default();
        if words.iter().any(|w| w.as_bytes() == word) {
            Guess::Yes
        } else {
            Guess::No
        }
    }
}
