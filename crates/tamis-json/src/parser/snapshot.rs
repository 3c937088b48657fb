//! Which unfinished values a snapshot shows.

/// What a snapshot shows of the scalar that is still arriving. Unfinished objects and arrays are
/// always shown with what they hold so far; a key without any value never is, nor a literal or a
/// number cut where it is no number (`1.`, `-`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[non_exhaustive]
pub enum Partial {
    /// Nothing of it: what is shown never changes again and never disappears.
    Settled,
    /// A number as far as it is one, but no string. What jiter calls `on`.
    #[default]
    Values,
    /// A number as far as it is one, and a string as far as it goes. What jiter calls
    /// `trailing-strings`.
    TrailingStrings,
}
