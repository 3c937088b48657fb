//! An OpenRouter account: its money, its keys, its use, and single generations.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let sim = tamis_sim::Sim::builder().start().await?;
//! # let client = tamis::Client::builder().base_url(sim.base_url()).openrouter(true).build()?;
//! use std::time::Duration;
//! use tamis::account::Lookup;
//!
//! let completion = client.chat("sim/steady").user("Hello").send().await?;
//! let id = completion.id.unwrap_or_default();
//! match client.await_generation(&id, Duration::from_secs(10)).await? {
//!     Lookup::Found(generation) => println!("${:?}", generation.total_cost),
//!     Lookup::NotYet { lookups } => println!("not yet there after {lookups} look-ups"),
//! }
//! println!("${:?} left", client.credits().await?.remaining());
//! # Ok(())
//! # }
//! ```

mod activity;
mod calls;
mod generation;
mod keys;

pub use activity::ActivityQuery;
pub use generation::Lookup;
pub use keys::{CreatedKey, KeyChanges, Keys, LimitReset, NewKey};
pub use tamis_wire::account::{
    Activity, Credits, DailyRequests, EffectiveBudget, Generation, KeyInfo, KeyRecord,
    ProviderResponse,
};
