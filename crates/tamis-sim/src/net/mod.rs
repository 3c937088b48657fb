//! The connection below axum: what an HTTP library would never let a server do.

mod listener;
mod play;
mod script;

pub(crate) use listener::{Accept, Wire};
pub(crate) use play::{Timing, play};
pub(crate) use script::{End, Framing, Head, HeadStyle, Pause, Script, Step};
