//! The smoke test that decides whether an endpoint may be trusted with a schema.
//!
//! A [`Plan`] says what is asked: N identical requests with a strict schema. [`run`] makes them,
//! scores each answer on three bars (it parses, as sent or after repair; it conforms; it is right),
//! names what went wrong ([`Problem`]), finds out which provider served it, and decides ([`Verdict`]): ship, pin one
//! provider, or switch to another model. The [`Report`] is serialised as the JSON that
//! `tamis smoke --format json` prints; [`Text`] is the same for people.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use tamis_smoke::{Plan, Verdict};
//!
//! let sim = tamis_sim::Sim::builder().seed(1).start().await?;
//! let client = tamis::Client::builder()
//!     .base_url(sim.base_url())
//!     .openrouter(true)
//!     .build()?;
//! let plan = Plan::example().model("sim/wrong-type")?.simulated(true);
//! let report = tamis_smoke::run(&client, &plan, |_| {}, std::future::pending()).await?;
//! assert_eq!(report.models[0].decision.verdict, Verdict::Switch);
//! # Ok(())
//! # }
//! ```
//!
//! What counts is what a caller of Tamis can rely on: an answer that parses after
//! [repair](tamis::json::repair), conforms and is right passes all bars. That it was not sent as
//! JSON stays on record: in [`Row::parses_as_sent`], in the problem it is named by, in its
//! [`Sample::repairs`], and in the decision's words. Of providers that pass alike, the one that
//! needs fewer repairs is pinned.

mod attribution;
mod decision;
mod diagnose;
mod error;
mod example;
mod expect;
mod finding;
mod judge;
mod plan;
mod problem;
mod report;
mod run;
mod sample;
mod save;
mod score;
mod stats;
mod text;

pub use decision::{Decision, ENOUGH, Verdict, provider_block};
pub use error::SmokeError;
pub use expect::{Expectation, Mismatch};
pub use finding::{EXCERPT_CHARACTERS, Excerpt, Finding, Place};
pub use judge::Judge;
pub use plan::Plan;
pub use problem::Problem;
pub use report::{Conclusion, Distinct, ModelReport, Report, Row, Run, Setup};
pub use run::{Progress, run};
pub use sample::{Attribution, Bars, FirstViolation, Sample, ServiceFailure, Step};
pub use score::Truth;
pub use stats::Percentiles;
pub use text::Text;
