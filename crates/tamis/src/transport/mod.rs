//! Sending a request and reading what comes back.

mod attempt;
mod body;
mod call;
mod classify;

pub(crate) use attempt::Head;
pub(crate) use body::{Body, stalled};
pub(crate) use call::{Call, Method};
