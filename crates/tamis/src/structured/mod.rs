//! Answers to a schema: what is sent for it, and how what comes is read.

mod billing;
pub(crate) mod derived;
pub(crate) mod dialect;
mod early;
mod ledger;
mod mode;
mod options;
mod prepare;
mod reading;
mod reask;
mod typed;

pub use early::Aborted;
pub(crate) use early::EarlyCheck;
pub use ledger::LedgerEntry;
pub use mode::{SchemaMode, UnknownMode};
pub(crate) use options::Options;
pub(crate) use prepare::{Prepared, prepare};
pub(crate) use reading::Unreadable;
pub use reading::{Read, Reading};
pub use reask::Reask;
pub(crate) use reask::{Spent, Wrong, complaint, returned};
pub use typed::Structured;
