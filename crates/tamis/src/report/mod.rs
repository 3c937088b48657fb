//! What a response is, as one report: behind `tamis check` and `tamis ask --format json`.
//!
//! [`Check`] says what is asked of a response, and reads it; [`Report`] is the answer, an object
//! whose keys and exit code scripts can depend on. [`Heal`] does the same for a bare text.
//!
//! | what came | outcome | exit |
//! | --- | --- | --- |
//! | text | `text` | 0 |
//! | text, where JSON was asked for: it parses, as sent or after repair | `json` | 0 |
//! | … it parses, and breaks the schema | `json`, with its violations | 1 |
//! | … it is not JSON, and no repair that is allowed makes it that | `failure`, `Malformed` | 1 |
//! | a refusal | `refusal` | 1 |
//! | tool calls | `tool_calls` | 0 |
//! | … where JSON was asked for, or where arguments are not JSON | `tool_calls` | 1 |
//! | an answer that a token limit or a filter cut off | `incomplete` | 1 |
//! | a message with nothing in it, a choice without a message | `failure`, `Malformed` | 1 |
//! | a choice that ended with an error | `failure`, of the error's kind | 3, 4 |
//! | a stream that broke off before it said it was finished | `failure`, `Interrupted` | 4 |
//! | a stream with an event that cannot be read | `failure`, `Malformed` | 4 |
//! | an error: a status that is not 2xx, an envelope, an event | `failure`, of the error's kind | 3, 4 |
//! | no API response: a web page, no body, no choices, anything else | `failure`, `Malformed` | 4 |
//!
//! Where there are two numbers, 3 is for a failure that trying again cannot help, and 4 for one that
//! it can. A refusal, tool calls and an incomplete answer keep their outcome where JSON was asked for,
//! and the report's `failure` then says why they are none. So it does where the server reports an error
//! that explains why a token limit cut the answer off: that is `incomplete`, by `ContextLength`, in
//! the server's words.
//!
//! *Finished* is an answer that says so: its finish reason is not blank, is no error, and no stream
//! broke off after it. A whole body without a finish reason is judged like any other, since a body
//! that was cut is no JSON, but is not finished.
//!
//! Under the [strict contract](tamis_wire::contract) the outcome is the contract's. A broken rule is
//! `failure`, with the rule's code and nothing of the body; the kind is the status's for
//! `http_status` and else `Malformed`. The rules up to `expected_one_choice` say that no completion
//! came, which exits 3 or 4 by the kind; the rules after it judge one, which exits 1.
//!
//! The keys, in their order; every one is always there, and null or `[]` where there is nothing,
//! unless the table says otherwise:
//!
//! | key | what it holds |
//! | --- | --- |
//! | `outcome` | `text`, `json`, `refusal`, `tool_calls`, `incomplete` or `failure` |
//! | `finished` | whether the answer said that it was finished |
//! | `finish_reason`, `native_finish_reason` | in the server's own spelling |
//! | `id`, `model`, `provider` | of the generation |
//! | `content`, `reasoning`, `refusal` | the first choice's texts; of a stream that broke off, so far |
//! | `tool_calls` | `id`, `name`, `arguments` (JSON text, `{}` for none); `arguments_error` only where that is no JSON |
//! | `value`, `violations` | only where JSON was asked for; a violation has `instance`, `schema`, `keyword`, `message` |
//! | `repairs` | only where JSON was asked for: what was mended in the content, with `kind`, `offset`, `length` (bytes of the content) and `message` |
//! | `lifts` | what was undone of the schema's lowering; only where there is something |
//! | `coercions` | what was changed for the schema's sake; only where there is something |
//! | `failure` | `kind`, `transient`, `code` (the server's, in its spelling), `message`, `status` |
//! | `usage` | tokens and cost, as the server says |
//! | `cost` | USD; only where the server says |
//! | `attempts` | requests sent; only where it is known |
//! | `ledger` | each completion that was asked for: `provider`, `model`, `generation_id`, `attempts`, `usage`, `cost`, `problem`, `violations`; only where it was more than one |
//! | `aborted` | where a stream was ended because of a violation: `offset` (bytes of the content), `billing_stops`, `saved_tokens_at_most`; only then |
//! | `notes` | what was put right before the response could be read; only where there is something |

mod check;
mod exit;
mod heal;
mod judge;
mod model;
mod notes;
mod policy;
mod schema_name;
mod strict;
mod words;

#[cfg(test)]
mod tests;

pub use check::Check;
pub use exit::Exit;
pub use heal::{Heal, HealError, Healed};
pub use model::{Parsed, Report, ReportOutcome, ReportedFailure, ReportedToolCall};
pub use notes::stream_notes;
pub use policy::policy_for;
pub use schema_name::schema_name;
pub use words::repairs_in_words;
