//! JSON text without I/O: an incremental parser, a repairer, pointers.
//!
//! - [`Parser`] reads JSON while it arrives, cut anywhere, at a cost per byte that does not grow
//!   with the document. It tells [`Event`]s, shows a snapshot at any moment, and knows which
//!   values are complete.
//! - [`Items`] hands out the items of an array as `T`, each as soon as it is complete.
//! - [`repair`] gets the JSON out of text that is nearly JSON, with every change on record;
//!   [`Repairer`] does the same while the text arrives.
//! - [`Pointer`] is the address of one value in a document.
//!
//! Nothing here panics on any input, and the work is linear in its length.

mod error;
mod items;
mod note;
mod number;
mod parser;
mod pointer;
mod repair;

pub use error::{ParseError, ParseErrorKind, line_and_column};
pub use items::{ItemError, Items};
pub use note::{Note, NoteKind};
pub use parser::{Document, Event, Limits, Location, Parser, Partial, Scalar, Segment};
pub use pointer::{Pointer, PointerError};
pub use repair::{
    Ending, Found, Policy, Repair, RepairError, RepairErrorKind, RepairGroup, RepairKind, Repaired,
    Repairer, Wanted, choose, documents, repair,
};

/// Keeps the examples of the README true.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
