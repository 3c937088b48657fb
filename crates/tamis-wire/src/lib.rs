//! The chat-completions protocol without I/O: types, SSE, fold, failures.

pub mod sse;
