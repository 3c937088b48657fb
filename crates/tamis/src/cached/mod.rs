//! A client that remembers the catalogue.

mod client;
mod store;

pub use client::CachedClient;
