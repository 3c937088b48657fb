//! Decisions: questions about a state, answered with what is true of it, which option, how much, or where.
//!
//! A model that gives decisions is asked by the Decisions API, and says how probable each answer is. Any
//! other model is asked for a completion that conforms to a schema of the allowed answers, and says which one
//! and not how probable. Which of the two it was is in the [result](Decided::origin).
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let sim = tamis_sim::Sim::builder().start().await?;
//! # let client = tamis::Client::builder().base_url(sim.base_url()).openrouter(true).build()?;
//! let decided = client
//!     .decide("typesafe/jev-1.14")
//!     .state("The parcel arrived crushed and I want my money back.")
//!     .yes_no("refund", "Does the writer ask for a refund?")
//!     .choice("queue", "Which queue takes this?", ["shipping", "billing", "other"])
//!     .score("anger", "How angry is the writer?", ["calm", "annoyed", "furious"])
//!     .send()
//!     .await?;
//! if let Some(refund) = decided.yes_no("refund") {
//!     println!("refund: {} ({:?})", refund.yes, refund.probability);
//! }
//! # Ok(())
//! # }
//! ```

mod call;
mod completion;
mod decided;
mod route;
mod unsound;

pub use call::Decide;
pub use decided::{Decided, Origin};
pub(crate) use route::Routes;
pub use route::{KnownBy, Via};
pub use tamis_wire::decision::{
    ChoiceOption, Chosen, Decision, DecisionRequest, DecisionResponse, DecisionUsage, Located,
    OtherDecision, Question, QuestionKind, Scored, YesNo, image, image_bytes,
};
pub use unsound::response;
