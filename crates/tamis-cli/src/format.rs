//! How results are printed.

use clap::ValueEnum;

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people; the wording may change
    Text,
    /// For programs
    Json,
}
