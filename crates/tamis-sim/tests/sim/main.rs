//! The simulator over real loopback connections.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests may fail loudly"
)]

mod client;
mod conforming;
mod data;
mod decisions;
mod determinism;
mod embeddings;
mod expect;
mod faults;
mod native;
mod routes;
mod routing;
mod server;
