//! Why a value could not be coerced.

use std::fmt;

use tamis_json::Pointer;

use crate::error::SchemaError;

/// Why no value came out. Its words hold nothing of the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoerceError {
    kind: CoerceErrorKind,
    pointer: Pointer,
    source: Option<SchemaError>,
}

/// The kinds of [`CoerceError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CoerceErrorKind {
    /// No coercions make the value conform.
    Impossible,
    /// Equally cheap coercions give different values.
    Ambiguous,
    /// The value or the schema is too large or too deep to find the cheapest coercions.
    Limit,
    /// The schema cannot be used.
    Schema,
}

impl CoerceError {
    pub(super) fn new(kind: CoerceErrorKind) -> Self {
        Self {
            kind,
            pointer: Pointer::root(),
            source: None,
        }
    }

    pub(super) fn ambiguous(pointer: Pointer) -> Self {
        Self {
            pointer,
            ..Self::new(CoerceErrorKind::Ambiguous)
        }
    }

    /// What kind of error it is.
    pub fn kind(&self) -> CoerceErrorKind {
        self.kind
    }

    /// Whether no coercions make the value conform.
    pub fn is_impossible(&self) -> bool {
        self.kind == CoerceErrorKind::Impossible
    }

    /// Whether equally cheap coercions give different values.
    pub fn is_ambiguous(&self) -> bool {
        self.kind == CoerceErrorKind::Ambiguous
    }

    /// Whether a limit was hit.
    pub fn is_limit(&self) -> bool {
        self.kind == CoerceErrorKind::Limit
    }

    /// Whether the schema cannot be used.
    pub fn is_schema(&self) -> bool {
        self.kind == CoerceErrorKind::Schema
    }

    /// Where two values that could have come out differ first; the root for the other kinds.
    pub fn pointer(&self) -> &Pointer {
        &self.pointer
    }
}

impl fmt::Display for CoerceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            CoerceErrorKind::Impossible => f.write_str("no coercions make the value conform"),
            CoerceErrorKind::Ambiguous if self.pointer.is_root() => {
                f.write_str("equally cheap coercions give different values")
            }
            CoerceErrorKind::Ambiguous => write!(
                f,
                "equally cheap coercions give different values at {}",
                self.pointer
            ),
            CoerceErrorKind::Limit => f.write_str("finding the cheapest coercions takes too much"),
            CoerceErrorKind::Schema => f.write_str("the schema is not usable"),
        }
    }
}

impl std::error::Error for CoerceError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|error| error as _)
    }
}

impl From<SchemaError> for CoerceError {
    fn from(error: SchemaError) -> Self {
        Self {
            source: Some(error),
            ..Self::new(CoerceErrorKind::Schema)
        }
    }
}
