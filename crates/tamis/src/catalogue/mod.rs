//! OpenRouter's catalogue: which models there are, who serves them, and what they cost.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let sim = tamis_sim::Sim::builder().start().await?;
//! # let client = tamis::Client::builder().base_url(sim.base_url()).openrouter(true).build()?;
//! use tamis::catalogue::ModelsQuery;
//!
//! let query = ModelsQuery::new().structured_outputs().limit(20);
//! for model in client.models(&query).await?.models {
//!     let price = model.pricing.and_then(|pricing| pricing.prompt?.per_million());
//!     println!("{} at ${price:?} for a million tokens in", model.id);
//! }
//! # Ok(())
//! # }
//! ```

mod calls;
mod find;
mod list;
mod query;

pub(crate) use calls::{is_not_found, model_id};
pub use find::{Found, FoundBy};
pub(crate) use find::{Source, find};
pub use list::ModelList;
pub use query::{ModelSort, ModelsQuery, Region};
pub use tamis_wire::catalogue::{
    AliasTarget, Architecture, DefaultParameters, Endpoint, Model, ModelEndpoints, ModelId,
    ModelLinks, PerRequestLimits, Percentiles, PriceOverride, Pricing, Provider, ReasoningSupport,
    TopProvider, UtcTime,
};
pub use tamis_wire::{Decimal, Usd};
