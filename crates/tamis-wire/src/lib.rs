//! The chat-completions protocol without I/O: types, SSE, fold, failures.
//!
//! Everything that OpenRouter and servers that speak the same protocol put on the wire, read
//! tolerantly: unknown fields and enum values never fail a parse, an explicit `null` counts as
//! missing, a value of an unexpected type reads as missing, and the raw spelling of what is
//! interpreted stays available. Nothing in this crate does I/O, knows an async runtime, or panics
//! on any input.
//!
//! The way of a stream, from bytes to a completion:
//!
//! ```
//! use tamis_wire::{Fold, StreamReader};
//!
//! let bytes = b"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"4\"}}]}\n\n\
//!               data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n\
//!               data: [DONE]\n\n";
//! let mut reader = StreamReader::new();
//! for fragment in bytes.chunks(7) {
//!     reader.feed(fragment, |_item| {});
//! }
//! let completion = reader.finish(|_item| {})?;
//! assert_eq!(completion.text().as_deref(), Some("4"));
//! # Ok::<(), tamis_wire::Failure>(())
//! ```

pub mod account;
pub mod catalogue;
mod chunk;
mod completion;
pub mod contract;
pub mod decision;
pub mod embedding;
mod error;
mod extra;
mod failure;
mod finish_reason;
mod fold;
mod lenient;
mod lossless;
pub mod mend;
pub mod messages;
mod native;
mod outcome;
mod parse_json;
mod protocol;
mod read;
mod record;
pub mod request;
pub mod responses;
mod scalar;
pub mod sse;
mod stream_reader;
mod usd;

pub use chunk::{Chunk, ChunkChoice, Delta, DeltaContent, FunctionDelta, ToolCallDelta};
pub use completion::{
    Arguments, Audio, Choice, Completion, CompletionTokensDetails, Content, ContentPart,
    CostDetails, FunctionCall, Logprobs, Message, PromptTokensDetails, ReasoningDetail,
    ReasoningDetailKind, TokenLogprob, ToolCall, Usage,
};
pub use error::{ApiError, Availability, ErrorMetadata, ErrorType, PreviousError};
pub use extra::Extra;
pub use failure::{Failure, FailureKind};
pub use finish_reason::FinishReason;
pub use fold::{Broken, Fold, FoldNote};
pub use native::{check_json_as, read_response_as};
pub use outcome::Outcome;
pub use protocol::Protocol;
pub use read::{Received, is_event_stream, read_completion, read_error, read_response};
pub use request::ChatRequest;
pub use rust_decimal::Decimal;
pub use scalar::Scalar;
pub use stream_reader::{Item, StreamReader};
pub use usd::Usd;
