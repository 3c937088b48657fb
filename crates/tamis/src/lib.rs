//! Answers from language models that either conform to your schema or fail with a reason.
//!
//! A [`Client`] talks to OpenRouter, or to any server that speaks the same chat-completions
//! protocol. What it gives back is a value that conforms to the caller's schema, with a record of
//! how it came to be, or a [`Failure`] that says what kind it is and whether trying again can help.
//!
//! ```no_run
//! use serde::Deserialize;
//! use tamis::{Client, schemars::JsonSchema};
//!
//! #[derive(Deserialize, JsonSchema)]
//! struct Shipping {
//!     street: String,
//!     city: String,
//! }
//!
//! # async fn example() -> Result<(), tamis::Failure> {
//! let client = Client::from_env()?;
//! let answer = client
//!     .chat("openai/gpt-4o")
//!     .user("Ship it to 4 Rue de la Paix in Paris.")
//!     .structured::<Shipping>()
//!     .await?;
//! println!("{} (served by {:?})", answer.value.city, answer.provider);
//! # Ok(())
//! # }
//! ```
//!
//! The floors below are re-exported: [`wire`] is the protocol, [`schema`] JSON Schema and [`json`]
//! JSON text, each without I/O.

pub mod account;
mod answer;
mod api_key;
mod cached;
pub mod catalogue;
mod chat;
mod client;
mod data;
pub mod decide;
pub mod embeddings;
mod env;
mod failure;
pub mod logging;
mod native;
mod payload;
mod rejected;
pub mod report;
mod retry;
mod stream;
mod structured;
mod tap;
mod telemetry;
mod tools;
mod transport;
mod url;
mod wanted;

pub use answer::Answer;
pub use api_key::ApiKey;
pub use cached::CachedClient;
pub use chat::Chat;
pub use client::{Client, ClientBuilder, StallTimeouts};
pub use data::DataCall;
pub use native::{Messages, Responses};
pub use payload::Payload;
pub use rejected::{aborted, ledger, violations};
pub use retry::RetryPolicy;
pub use schemars;
pub use stream::{CompletionStream, Field, Fields, Snapshots};
pub use structured::{
    Aborted, LedgerEntry, Read, Reading, Reask, SchemaMode, Structured, UnknownMode,
};
pub use tamis_json as json;
pub use tamis_schema as schema;
pub use tamis_wire as wire;
pub use tamis_wire::request::{ChatRequest, InputMessage, ProviderPreferences, ResponseFormat};
pub use tamis_wire::{
    ApiError, Chunk, Completion, ErrorType, Failure, FailureKind, FinishReason, Outcome, ToolCall,
    Usage,
};
pub use tap::Tapped;
pub use tools::{
    ArgumentsForm, Call, CallError, CallErrorKind, RunError, ToolError, ToolReader, Toolbox, Turn,
};

/// The examples of the README and of the pages under `docs/`, compiled and run.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../../README.md")]
    struct Readme;

    #[doc = include_str!("../../../docs/account.md")]
    struct Account;

    #[doc = include_str!("../../../docs/catalogue.md")]
    struct Catalogue;

    #[doc = include_str!("../../../docs/decisions.md")]
    struct Decisions;

    #[doc = include_str!("../../../docs/embeddings.md")]
    struct Embeddings;

    #[doc = include_str!("../../../docs/messages.md")]
    struct Messages;

    #[doc = include_str!("../../../docs/requests.md")]
    struct Requests;

    #[doc = include_str!("../../../docs/responses.md")]
    struct Responses;

    #[doc = include_str!("../../../docs/structured.md")]
    struct Structured;

    #[doc = include_str!("../../../docs/tools.md")]
    struct Tools;
}
