//! What was changed.

use std::fmt;

/// An envelope with what cannot be data replaced.
#[derive(Clone, PartialEq, Eq)]
pub struct Mended {
    /// The new text; it is valid UTF-8.
    pub bytes: Vec<u8>,
    /// What was changed, in the order of the text. Never empty.
    pub notes: Vec<Note>,
}

/// One change: where, and of what kind. It holds nothing of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Note {
    /// What was changed.
    pub kind: NoteKind,
    /// Where the change starts, in bytes from the start of the text as sent.
    pub offset: usize,
    /// How many bytes of the text as sent it replaces.
    pub len: usize,
}

/// What kind of change a [`Note`] tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoteKind {
    /// A byte order mark at the start was dropped.
    ByteOrderMark,
    /// Bytes that are not UTF-8 became U+FFFD, one for each sequence that could not be completed.
    InvalidUtf8,
    /// The escape of a lone surrogate in a string became that of U+FFFD.
    LoneSurrogate,
    /// `NaN`, `Infinity` or `-Infinity` became `null`.
    NonFiniteNumber,
    /// A control character in a string became its escape.
    ControlCharacter,
}

/// The notes, not the text.
impl fmt::Debug for Mended {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Mended")
            .field("notes", &self.notes)
            .finish_non_exhaustive()
    }
}
