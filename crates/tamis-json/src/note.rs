//! What a reader of a document should know about it, though nothing in it was changed.

use std::fmt;

use serde::Serialize;

use crate::pointer::Pointer;

/// One thing in valid JSON that a value cannot show: a number kept as text, a key that came
/// twice, half of a surrogate pair.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Note {
    /// What it is.
    pub kind: NoteKind,
    /// Where it begins, in bytes of the text given.
    pub offset: usize,
    /// How many bytes it covers.
    pub length: usize,
    /// The address of the value it is about; `None` when that address is longer than 1,024 bytes.
    pub pointer: Option<Pointer>,
}

/// The kinds of [`Note`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NoteKind {
    /// A number that neither `i64`, `u64` nor `f64` holds without loss: the value has its digits
    /// as a string.
    NumberAsText,
    /// A number whose last digits an `f64` cannot tell apart: the value has the nearest one.
    NumberRounded,
    /// A key that its object already had: the last value counts, at the place of the first.
    DuplicateKey,
    /// An escaped surrogate without its other half: the value has U+FFFD there.
    LoneSurrogate,
}

impl NoteKind {
    /// A sentence about it.
    pub fn message(self) -> &'static str {
        match self {
            Self::NumberAsText => {
                "A number that no JSON number type holds exactly is kept as text."
            }
            Self::NumberRounded => "A number is the nearest that a float can hold.",
            Self::DuplicateKey => "A key comes twice in one object; the last value counts.",
            Self::LoneSurrogate => "Half of a surrogate pair is replaced by U+FFFD.",
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.offset, self.kind.message())
    }
}

/// How many notes one document keeps; the rest are counted only.
pub(crate) const MOST_NOTES: usize = 256;
/// The longest address a note keeps, so that notes stay small beside the document.
pub(crate) const LONGEST_POINTER: usize = 1024;
