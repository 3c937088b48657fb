//! What a request says of its schema, and what of it is sent.

use tamis_schema::Dialect;

use super::mode::SchemaMode;
use super::reask::Reask;

/// What the caller set.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    /// By hand, instead of by model and provider.
    pub(crate) dialect: Option<Dialect>,
    /// None where the request's own kind decides.
    pub(crate) lowering: Option<bool>,
    /// Whether an absent property and one that is null mean the same to the caller, as in types.
    pub(crate) absent_as_null: bool,
    pub(crate) mode: SchemaMode,
    pub(crate) coerce: bool,
    pub(crate) reask: Reask,
    /// Whether a stream is ended at its first violation.
    pub(crate) early_abort: Option<bool>,
}
