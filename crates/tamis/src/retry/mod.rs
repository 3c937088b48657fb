//! What is tried again, and when.

mod after;
mod backoff;
mod policy;

pub(crate) use after::retry_after;
pub use policy::RetryPolicy;
