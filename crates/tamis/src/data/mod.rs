//! Calls that look something up, or have it worked out by a model: one list of them, one way to send them, one way to read them.

mod call;
mod options;
mod payloads;
mod send;

pub use call::DataCall;
pub(crate) use options::{CallOptions, call_options};
pub(crate) use payloads::Deleted;
pub(crate) use send::refused;
