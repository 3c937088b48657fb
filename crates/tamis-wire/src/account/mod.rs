//! What OpenRouter says of an account: its money, its keys, its use, and single generations.
//!
//! Read tolerantly and written again as it came, nulls and unknown fields included.

mod activity;
mod credits;
mod generation;
mod key;

pub use activity::Activity;
pub use credits::Credits;
pub use generation::{Generation, ProviderResponse};
pub use key::{DailyRequests, EffectiveBudget, KeyInfo, KeyRecord};
