//! What may be mended: [`Policy`].

use crate::parser::Limits;

/// What [`repair`](crate::repair) may do to a text that is not JSON, and what it is told about it.
///
/// The default mends everything that can be mended without inventing: it takes the document out of
/// the text around it, mends syntax, and adds missing final brackets, and takes the text as all
/// that the model meant to say.
///
/// ```
/// use tamis_json::{Ending, Policy, repair};
///
/// let text = r#"```json
/// {"a": [1, 2"#;
/// assert!(repair(text, &Policy::default())?.complete);
/// let cut = Policy::default().ending(Ending::Truncated);
/// assert!(!repair(text, &cut)?.complete);
/// assert!(repair(text, &Policy::none()).is_err());
/// # Ok::<(), tamis_json::RepairError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    pub(crate) extraction: bool,
    pub(crate) syntax: bool,
    pub(crate) closing: bool,
    pub(crate) ending: Ending,
    pub(crate) wanted: Wanted,
    pub(crate) limits: Limits,
}

/// How the text came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[non_exhaustive]
pub enum Ending {
    /// The model stopped by itself: what is there is all that it meant to say.
    #[default]
    Natural,
    /// It was cut: a token limit, a broken or a stalled stream. Nothing closed by a repair is then
    /// complete.
    Truncated,
}

/// What kind of document the caller is after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[non_exhaustive]
pub enum Wanted {
    /// Any.
    #[default]
    Any,
    /// An object. A JSON string whose text is one is then taken for it.
    Object,
    /// An array. A JSON string whose text is one is then taken for it.
    Array,
}

impl Policy {
    /// Nothing is mended: strict JSON or an error.
    pub fn none() -> Self {
        Self {
            extraction: false,
            syntax: false,
            closing: false,
            ending: Ending::Natural,
            wanted: Wanted::Any,
            limits: Limits::default(),
        }
    }

    /// Whether the document may be taken out of the text around it: fences, prose, thinking,
    /// special tokens, a byte order mark, a JSON string around it, a second copy of it.
    pub fn extraction(mut self, on: bool) -> Self {
        self.extraction = on;
        self
    }

    /// Whether broken syntax may be mended: commas, colons, quotes, comments, literals, numbers,
    /// escapes, brackets inside the document.
    pub fn syntax(mut self, on: bool) -> Self {
        self.syntax = on;
        self
    }

    /// Whether what is open at the end of the text may be closed.
    pub fn closing(mut self, on: bool) -> Self {
        self.closing = on;
        self
    }

    /// How the text came to its end.
    pub fn ending(mut self, ending: Ending) -> Self {
        self.ending = ending;
        self
    }

    /// What kind of document the caller is after.
    pub fn wanting(mut self, wanted: Wanted) -> Self {
        self.wanted = wanted;
        self
    }

    /// How large and how deep the text may be.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::none().extraction(true).syntax(true).closing(true)
    }
}
