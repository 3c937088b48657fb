//! Why an answer could not be brought back.

use std::fmt;

use crate::violation::Violation;

/// An answer that cannot be brought back to the caller's shape, or a value that cannot be encoded.
///
/// The text never quotes the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiftError {
    kind: LiftErrorKind,
    pointer: String,
}

/// What stood in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LiftErrorKind {
    /// A map was answered as pairs, and two of them have the same key. Which one is meant cannot be
    /// known.
    DuplicateKey,
    /// A string that should hold a value's JSON text holds something else.
    NotJson,
    /// A tuple was answered with an element missing before one that is there.
    Gap,
    /// The value is nested more than [`MAX_INSTANCE_DEPTH`](crate::MAX_INSTANCE_DEPTH) deep.
    TooDeep,
    /// To encode only: the value conforms to no branch of a union.
    NoBranch,
    /// To encode only: finding each union's branch took too many steps.
    TooMuch,
}

impl LiftError {
    pub(crate) fn new(kind: LiftErrorKind, pointer: &str) -> Self {
        Self {
            kind,
            pointer: pointer.to_owned(),
        }
    }

    /// What stood in the way.
    pub fn kind(&self) -> LiftErrorKind {
        self.kind
    }

    /// The JSON Pointer to the place in the value that was given. It may name keys that a model wrote.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }
}

impl fmt::Display for LiftError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            LiftErrorKind::DuplicateKey => "a map was answered with the same key twice",
            LiftErrorKind::NotJson => "a string that should hold JSON holds something else",
            LiftErrorKind::Gap => "a tuple was answered with a gap",
            LiftErrorKind::TooDeep => "the value is nested too deeply",
            LiftErrorKind::NoBranch => "the value conforms to no branch of a union",
            LiftErrorKind::TooMuch => "finding the branches of its unions takes too long",
        })
    }
}

impl std::error::Error for LiftError {}

/// What could not be brought back does not conform.
impl From<LiftError> for Violation {
    fn from(error: LiftError) -> Self {
        Self {
            message: error.to_string(),
            masked: error.to_string(),
            instance: error.pointer,
            schema: String::new(),
            keyword: String::new(),
        }
    }
}
