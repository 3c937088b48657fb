//! What is tried again, and when.

mod after;
mod backoff;
mod policy;

pub(crate) use after::{retry_after, retry_after_in};
pub use policy::RetryPolicy;
