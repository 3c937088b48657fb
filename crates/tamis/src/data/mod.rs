//! Calls that look something up: one list of them, one way to send them, one way to read them.

mod call;
mod payloads;
mod send;

pub use call::DataCall;
pub(crate) use payloads::Deleted;
pub(crate) use send::refused;
