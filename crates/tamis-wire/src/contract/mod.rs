//! The strict contract: a deliberately narrow reading of one non-streaming response.
//!
//! It is for callers who want an explicit error over any guess. [`classify`] applies these rules in
//! this order, and the first one that is broken decides:
//!
//! | rule | code |
//! | --- | --- |
//! | the status is 2xx; the body is not looked at otherwise | `http_status` |
//! | the body is within [`Limits`] | `body_limit` |
//! | the body is JSON | `invalid_json` |
//! | it is an object whose `object` is exactly `chat.completion` | `wrong_protocol` |
//! | `choices` is an array of exactly one | `expected_one_choice` |
//! | the choice is an object whose `index` is the integer 0 | `invalid_choice` |
//! | its message is an object with the role `assistant` | `invalid_message` |
//! | its `finish_reason` is a string | `invalid_finish_reason` |
//! | **`length` or `content_filter` is [`Incomplete`](Outcome::Incomplete)** | |
//! | a refusal that is not null is a string that is not blank, without tool calls | `invalid_refusal` |
//! | and it stops with `stop`: **[`Refusal`](Outcome::Refusal)** | `invalid_finish_reason` |
//! | `tool_calls` comes with an array of at least one call | `invalid_tool_calls` |
//! | each call has the type `function` | `unsupported_tool` |
//! | and an id, unique and not empty, and a function with a name, not empty, and string arguments: **[`ToolCalls`](Outcome::ToolCalls)** | `invalid_function_call` |
//! | any other reason is `stop`, and has no tool calls | `unsupported_finish_reason` |
//! | the content is a string that is not blank: **[`Text`](Outcome::Text)** | `missing_text` |
//!
//! What the words mean here:
//!
//! - *JSON* is what RFC 8259 calls so, if its meaning is plain. A key that comes twice in one object,
//!   the escape of a lone surrogate, a number beyond the range of a double, nesting deeper than 128,
//!   or a byte order mark makes it `invalid_json`.
//! - *The integer 0* is written without fraction and exponent: `0.0`, `-0` and `false` are not it.
//! - *Blank* is empty or of white space only, as Unicode defines it.
//! - A key that is missing reads as `null`. *No tool calls* are missing, null or an empty array;
//!   anything else, of any type, counts as tool calls.
//! - Calls are read one after another, so the first broken call decides.
//!
//! # Beside `parse_json`
//! Reading a completion as JSON answers the same question for OpenRouter, whose traffic is wider
//! than this contract, and they differ where a refusal meets another finish reason. Here the finish
//! reason comes first: a refusal under `content_filter` or `length` is `Incomplete`, because the
//! narrow `OpenAI` contract promises a whole refusal under `stop` only, so that a refusal under
//! another reason may be cut short. There a refusal that is not blank wins over every finish reason,
//! because OpenRouter's providers set the reason at will and the refusal is what the model said.
//!
//! ```
//! use tamis_wire::contract::{self, Limits, Outcome};
//!
//! let body = br#"{
//!     "object": "chat.completion",
//!     "choices": [{
//!         "index": 0,
//!         "message": {"role": "assistant", "content": "Hello."},
//!         "finish_reason": "stop"
//!     }]
//! }"#;
//! let outcome = contract::classify(200, body, &Limits::default());
//! assert_eq!(outcome, Ok(Outcome::Text("Hello.".into())));
//!
//! let error = contract::classify(502, body, &Limits::default()).unwrap_err();
//! assert_eq!(error.code(), "http_status");
//! ```

mod error;
mod json;
mod outcome;
mod rules;

pub use error::{ContractError, ContractErrorKind};
pub use outcome::{IncompleteReason, Outcome, ToolCall};

/// What [`classify`] is willing to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    body_bytes: usize,
}

impl Default for Limits {
    /// A body of at most 1 MiB.
    fn default() -> Self {
        Self {
            body_bytes: 1 << 20,
        }
    }
}

impl Limits {
    /// Sets the most bytes that a body may have.
    pub const fn with_body_bytes(mut self, bytes: usize) -> Self {
        self.body_bytes = bytes;
        self
    }

    /// The most bytes that a body may have.
    pub const fn body_bytes(&self) -> usize {
        self.body_bytes
    }
}

/// Says what one non-streaming response is, by its HTTP status and its body.
///
/// # Errors
/// The response breaks a rule of the [contract](self); the error's code says which.
pub fn classify(status: u16, body: &[u8], limits: &Limits) -> Result<Outcome, ContractError> {
    if !(200..300).contains(&status) {
        return Err(ContractErrorKind::HttpStatus.into());
    }
    if body.len() > limits.body_bytes {
        return Err(ContractErrorKind::BodyLimit.into());
    }
    let body = json::parse(body).ok_or(ContractErrorKind::InvalidJson)?;
    rules::outcome(&body).map_err(ContractError::from)
}
