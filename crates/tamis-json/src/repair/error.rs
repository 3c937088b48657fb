//! Why a text could not be mended.

use std::fmt;

use crate::error::{ParseError, ParseErrorKind};
use crate::parser::{Fault, FaultKind};

/// Why no value came out of a text. Its words never hold anything of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepairError {
    kind: RepairErrorKind,
    offset: usize,
    other: Option<usize>,
}

/// The kinds of [`RepairError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RepairErrorKind {
    /// There is no JSON in the text.
    NoJson,
    /// Two documents that differ.
    Ambiguous,
    /// A key or a colon without a value, which a mend would have to invent.
    MissingValue,
    /// Something that can be read in no way, or in several.
    Syntax,
    /// The document is not complete, and the policy does not allow to close it.
    Incomplete,
    /// More nested arrays and objects than the limit allows.
    TooDeep,
    /// More bytes than the limit allows.
    TooLarge,
    /// Bytes that are not UTF-8.
    Utf8,
}

impl RepairError {
    pub(crate) fn new(kind: RepairErrorKind, offset: usize) -> Self {
        Self {
            kind,
            offset,
            other: None,
        }
    }

    pub(crate) fn ambiguous(first: usize, second: usize) -> Self {
        Self {
            kind: RepairErrorKind::Ambiguous,
            offset: first,
            other: Some(second),
        }
    }

    /// The kind of fault.
    pub fn kind(&self) -> RepairErrorKind {
        self.kind
    }

    /// Where, in bytes; of two documents that differ, the first.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Of two documents that differ, where the second begins.
    pub fn other_offset(&self) -> Option<usize> {
        self.other
    }

    /// Whether there is no JSON in the text.
    pub fn is_no_json(&self) -> bool {
        self.kind == RepairErrorKind::NoJson
    }

    /// Whether there are two documents that differ.
    pub fn is_ambiguous(&self) -> bool {
        self.kind == RepairErrorKind::Ambiguous
    }

    /// Whether a limit was hit.
    pub fn is_limit(&self) -> bool {
        matches!(
            self.kind,
            RepairErrorKind::TooDeep | RepairErrorKind::TooLarge
        )
    }
}

impl fmt::Display for RepairError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            RepairErrorKind::NoJson => return f.write_str("no JSON in the text"),
            RepairErrorKind::Ambiguous => "two documents that differ",
            RepairErrorKind::MissingValue => "a value is missing",
            RepairErrorKind::Syntax => "not JSON, and not to be mended without guessing",
            RepairErrorKind::Incomplete => "the text ends before the document",
            RepairErrorKind::TooDeep => "nested deeper than the limit",
            RepairErrorKind::TooLarge => "longer than the limit",
            RepairErrorKind::Utf8 => "not UTF-8",
        };
        match self.other {
            Some(other) => write!(f, "{what}, at bytes {} and {other}", self.offset),
            None => write!(f, "{what}, at byte {}", self.offset),
        }
    }
}

impl std::error::Error for RepairError {}

impl From<Fault> for RepairError {
    fn from(fault: Fault) -> Self {
        let kind = match fault.kind {
            FaultKind::Syntax => RepairErrorKind::Syntax,
            FaultKind::MissingValue => RepairErrorKind::MissingValue,
            FaultKind::TooDeep => RepairErrorKind::TooDeep,
            FaultKind::TooLarge => RepairErrorKind::TooLarge,
            FaultKind::Utf8 => RepairErrorKind::Utf8,
            FaultKind::Incomplete => RepairErrorKind::Incomplete,
        };
        Self::new(kind, fault.offset)
    }
}

impl From<ParseError> for RepairError {
    fn from(error: ParseError) -> Self {
        let kind = match error.kind() {
            ParseErrorKind::Syntax => RepairErrorKind::Syntax,
            ParseErrorKind::Utf8 => RepairErrorKind::Utf8,
            ParseErrorKind::Incomplete => RepairErrorKind::Incomplete,
            ParseErrorKind::TooDeep => RepairErrorKind::TooDeep,
            ParseErrorKind::TooLarge => RepairErrorKind::TooLarge,
        };
        Self::new(kind, error.offset())
    }
}
