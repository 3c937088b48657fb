//! The Decisions API: questions about a state, and what was decided.
//!
//! A decision is asked for, not parsed out of a completion: a model that gives decisions answers each
//! question with a probability, an option, a level or a place. Source: OpenRouter's SDK 1.3.84 and its
//! reference of `POST /api/alpha/decisions`, as of November 2026.
//!
//! ```
//! use tamis_wire::decision::{DecisionRequest, DecisionResponse, Question};
//!
//! let request = DecisionRequest::new("typesafe/jev-1.14", "The parcel arrived crushed.")
//!     .question("refund", Question::yes_no("Does the writer ask for a refund?"));
//! request.check()?;
//! let body = br#"{"model":"typesafe/jev-1.14","answers":{"refund":{"type":"noul","noul":0.12}},
//!     "usage":{"input_tokens":291,"output_tokens":0}}"#;
//! let response = DecisionResponse::read(body)?;
//! let decisions = request.read(&response)?;
//! assert_eq!(decisions[0].1.as_yes_no().unwrap().probability, Some(0.12));
//! # Ok::<(), tamis_wire::Failure>(())
//! ```

mod check;
mod decided;
mod image;
mod question;
mod read;
mod request;
mod response;

pub use decided::{Chosen, Decision, Located, OtherDecision, Scored, YesNo};
pub use image::{image, image_bytes};
pub use question::{ChoiceOption, Question, QuestionKind};
pub use request::DecisionRequest;
pub use response::{Answers, DecisionResponse, DecisionUsage, InputTokensDetails};
