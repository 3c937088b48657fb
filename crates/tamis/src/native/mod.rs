//! Requests of the Responses and the Messages protocol.

mod common;
mod messages;
mod responses;

pub use messages::Messages;
pub use responses::Responses;
