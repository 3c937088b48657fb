//! One pass over the text, which knows no more than whether it is inside a string.

use super::note::{Mended, Note, NoteKind};

const BOM: &[u8] = b"\xef\xbb\xbf";

pub(super) struct Scanner<'a> {
    input: &'a [u8],
    /// Up to here the input is in `output`.
    copied: usize,
    output: Vec<u8>,
    notes: Vec<Note>,
    in_string: bool,
}

impl<'a> Scanner<'a> {
    pub(super) const fn new(input: &'a [u8]) -> Self {
        Self {
            input,
            copied: 0,
            output: Vec::new(),
            notes: Vec::new(),
            in_string: false,
        }
    }

    pub(super) fn run(mut self) -> Option<Mended> {
        let mut at = 0;
        while self.from(at).starts_with(BOM) {
            self.replace(NoteKind::ByteOrderMark, at, BOM.len(), b"");
            at += BOM.len();
        }
        for chunk in self.from(at).utf8_chunks() {
            let (valid, invalid) = (chunk.valid(), chunk.invalid());
            self.text(valid.as_bytes(), at);
            at += valid.len();
            if !invalid.is_empty() {
                self.replace(
                    NoteKind::InvalidUtf8,
                    at,
                    invalid.len(),
                    "\u{fffd}".as_bytes(),
                );
                at += invalid.len();
            }
        }
        if self.notes.is_empty() {
            return None;
        }
        self.copy_up_to(self.input.len());
        Some(Mended {
            bytes: self.output,
            notes: self.notes,
        })
    }

    fn from(&self, at: usize) -> &'a [u8] {
        self.input.get(at..).unwrap_or_default()
    }

    fn copy_up_to(&mut self, at: usize) {
        self.output
            .extend_from_slice(self.input.get(self.copied..at).unwrap_or_default());
        self.copied = at;
    }

    fn replace(&mut self, kind: NoteKind, offset: usize, len: usize, with: &[u8]) {
        self.copy_up_to(offset);
        self.output.extend_from_slice(with);
        self.copied = offset + len;
        self.notes.push(Note { kind, offset, len });
    }

    /// Reads a part that is valid UTF-8 and starts at `base` of the input.
    fn text(&mut self, text: &[u8], base: usize) {
        let mut at = 0;
        while let Some(&byte) = text.get(at) {
            let rest = text.get(at..).unwrap_or_default();
            at += match byte {
                b'"' => {
                    self.in_string = !self.in_string;
                    1
                }
                b'\\' if self.in_string => self.escape(rest, base + at),
                0..0x20 if self.in_string => {
                    self.control(byte, base + at);
                    1
                }
                _ if self.in_string => 1,
                _ if is_word(byte) => self.word(rest, base + at),
                _ => 1,
            };
        }
    }

    /// Reads an escape and returns its length.
    fn escape(&mut self, rest: &[u8], offset: usize) -> usize {
        match (unit(rest), rest.get(6..).and_then(unit)) {
            (Some(0xd800..0xdc00), Some(0xdc00..0xe000)) => 12,
            (Some(0xd800..0xe000), _) => {
                self.replace(NoteKind::LoneSurrogate, offset, 6, b"\\ufffd");
                6
            }
            (Some(_), _) => 6,
            // A quote or a backslash is read with the backslash before it. A broken escape stays as it
            // is, and so does a control character in it: an escape would only hide it.
            (None, _) => 1 + usize::from(rest.get(1).is_some_and(u8::is_ascii)),
        }
    }

    fn control(&mut self, byte: u8, offset: usize) {
        let escaped = match byte {
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            _ => &format!("\\u{byte:04x}"),
        };
        self.replace(NoteKind::ControlCharacter, offset, 1, escaped.as_bytes());
    }

    /// Reads a run of letters, digits and signs outside strings, and returns its length.
    fn word(&mut self, rest: &[u8], offset: usize) -> usize {
        let len = rest
            .iter()
            .position(|&byte| !is_word(byte))
            .unwrap_or(rest.len());
        if matches!(rest.get(..len), Some(b"NaN" | b"Infinity" | b"-Infinity")) {
            self.replace(NoteKind::NonFiniteNumber, offset, len, b"null");
        }
        len
    }
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.' | b'_')
}

/// The code unit that `\uXXXX` at the start of the text names.
fn unit(text: &[u8]) -> Option<u16> {
    let digits = text.strip_prefix(b"\\u")?.get(..4)?;
    digits.iter().try_fold(0_u16, |unit, &digit| {
        let value = char::from(digit).to_digit(16)?;
        Some(unit << 4 | u16::try_from(value).ok()?)
    })
}
