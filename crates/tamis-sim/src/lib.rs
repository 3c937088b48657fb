//! A simulated OpenRouter on loopback, with every documented fault on demand.

mod catalogue;
mod chat;
mod error_body;
mod fault;
mod generate;
mod net;
mod object;
mod received;
mod rng;
mod routes;
mod sim;
mod state;

pub use fault::{AppliesTo, Fault};
pub use received::Received;
pub use sim::{Builder, Sim};
