//! Why a text is not JSON.

use std::fmt;

/// Why the incremental parser stopped: what kind of fault, and at which byte.
///
/// The text never holds anything of the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    kind: ParseErrorKind,
    offset: usize,
}

/// The kinds of fault that stop the incremental parser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// A byte that the grammar does not allow at this place.
    Syntax,
    /// Bytes that are not UTF-8.
    Utf8,
    /// The text ended before the document did.
    Incomplete,
    /// More nested arrays and objects than the limit allows.
    TooDeep,
    /// More bytes than the limit allows.
    TooLarge,
}

impl ParseError {
    pub(crate) fn new(kind: ParseErrorKind, offset: usize) -> Self {
        Self { kind, offset }
    }

    /// The kind of fault.
    pub fn kind(&self) -> ParseErrorKind {
        self.kind
    }

    /// The offset of the fault in bytes, counted over everything pushed.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Whether the text was right as far as it went.
    pub fn is_incomplete(&self) -> bool {
        self.kind == ParseErrorKind::Incomplete
    }

    /// Whether a limit was hit, rather than the grammar broken.
    pub fn is_limit(&self) -> bool {
        matches!(
            self.kind,
            ParseErrorKind::TooDeep | ParseErrorKind::TooLarge
        )
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            ParseErrorKind::Syntax => "not JSON",
            ParseErrorKind::Utf8 => "not UTF-8",
            ParseErrorKind::Incomplete => "the text ends before the document",
            ParseErrorKind::TooDeep => "nested deeper than the limit",
            ParseErrorKind::TooLarge => "longer than the limit",
        };
        write!(f, "{what}, at byte {}", self.offset)
    }
}

impl std::error::Error for ParseError {}

/// The line and column (both from 1, the column in characters) of a byte offset in a text.
///
/// ```
/// assert_eq!(tamis_json::line_and_column("{\n  é: 1}", 6), (2, 4));
/// ```
pub fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text
        .as_bytes()
        .get(..offset.min(text.len()))
        .unwrap_or_default();
    let line = memchr::memchr_iter(b'\n', before).count() + 1;
    let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    let tail = before.get(start..).unwrap_or_default();
    // Every byte but the continuation bytes begins a character.
    (line, tail.iter().filter(|b| **b & 0xc0 != 0x80).count() + 1)
}
