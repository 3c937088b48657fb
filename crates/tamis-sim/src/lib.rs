//! A simulated OpenRouter on loopback, with every documented fault on demand.
//!
//! For tests of anything that speaks the chat-completions protocol: the server answers as
//! OpenRouter does, and goes wrong in exactly the way a test asks for. Nothing in it calls a
//! model; a `json_schema` request gets a value generated from the schema.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> std::io::Result<()> {
//! use tamis_sim::{Fault, Sim};
//!
//! let sim = Sim::builder().seed(7).start().await?;
//! println!("export TAMIS_BASE_URL={}", sim.base_url());
//! for fault in Fault::everywhere() {
//!     println!("sim/{:<28} {}", fault.name(), fault.summary());
//! }
//! sim.shutdown().await;
//! # Ok(())
//! # }
//! ```
//!
//! # Models
//!
//! | id | behaviour |
//! | --- | --- |
//! | `sim/steady` | three providers, all of which enforce a schema natively |
//! | `sim/lottery` | a native provider, one that translates the schema, one that takes it as a hint; the last two get their JSON wrong at times |
//! | `sim/hint-only` | two providers that take a schema as a hint, and get it wrong often |
//! | `sim/unsupported` | two providers, none with structured outputs |
//! | `sim/embedder` | gives embeddings |
//! | `sim/decider` and `typesafe/…` | give decisions, and no completions |
//! | `sim/FAULT` | `sim/steady`, always with this fault |
//! | `sim/FAULT:0.3` | with this fault in three of ten requests |
//! | `sim/FAULT*2` | with this fault in the first two requests |
//! | `unknown/…` | not a valid model id |
//! | any other `author/slug` | as `sim/steady` |
//!
//! # Faults
//!
//! The request header `x-tamis-fault` asks for faults whatever the model: `NAME`, `NAME=0.3` (a
//! probability) or `NAME*2` (the first two requests for the model), several separated by commas,
//! of which the first that fires wins. It comes before the model's own fault, and that before the
//! faults of the provider that was drawn, so `conforming` there turns all others off. A fault that
//! does not apply to the kind of call (plain or stream) does nothing. [`Fault::all`] lists them.
//!
//! The checks of the request, the key and the routing come first: where they refuse, no fault is
//! played.
//!
//! # The catalogue and the account
//!
//! Models with their endpoints and prices, providers, the key, credits, activity, the management of
//! keys and single generations are answered as OpenRouter does. These calls take faults by the header
//! alone: those that come in an answer's place or break the connection, and those of
//! [`Fault::of_data`], which change nothing but them.
//!
//! # Decisions and embeddings
//!
//! `POST /api/alpha/decisions` gives decisions of models that do, and `POST /api/v1/embeddings` vectors of any
//! model but the simulator's own that give something else. Each checks its request as OpenRouter
//! documents it. Faults are asked for by the header alone: those that come in an answer's place or break
//! the connection, [`Fault::of_data`], and [`Fault::of_decisions`] or [`Fault::of_embeddings`].
//!
//! # Responses and Messages
//!
//! `/responses` and `/messages` give the same answers in their own protocols, with the same faults, as far
//! as these apply there: a fault of the chunks of chat completions alone changes nothing.
//! [`Fault::of_protocols`] has those that only they can have.
//!
//! # What an answer depends on
//!
//! On the seed, the model id, the request, and its number among the requests for that model id,
//! counted from 0 as they arrive; not on time, and not on requests for other models. (A
//! `Retry-After` date is the exception.) Concurrent requests get the same set of answers, in
//! whichever order they arrive. A request with the header `x-tamis-key: TEXT` has the text in
//! place of its number, so that its outcome does not depend on the order either; `NAME*2` still
//! counts requests.
//!
//! # What it does not do
//!
//! HTTP/1.1 only, and no TLS. No fallback to another provider or model after a fault. `sort` knows
//! `price`, and other preferences of `provider` are accepted and ignored. Request bodies over
//! 32 MiB are refused.

mod catalogue;
mod chat;
mod data;
mod error_body;
mod fault;
mod generate;
mod net;
mod object;
mod protocol;
mod received;
mod rng;
mod routes;
mod sim;
mod state;

pub use fault::{AppliesTo, Fault};
pub use received::Received;
pub use sim::{Builder, Sim};
