//! The chat-completions protocol without I/O: types, SSE, fold, failures.

pub mod contract;
pub mod mend;
pub mod sse;
