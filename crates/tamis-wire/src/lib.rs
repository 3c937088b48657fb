//! The chat-completions protocol without I/O: types, SSE, fold, failures.

pub mod mend;
pub mod sse;
