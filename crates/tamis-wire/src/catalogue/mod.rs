//! What OpenRouter's catalogue says: models, the endpoints that serve them, prices and providers.
//!
//! Read tolerantly and written again as it came, nulls and unknown fields included.
//!
//! ```
//! use tamis_wire::catalogue::Model;
//!
//! let json = r#"{"id":"acme/gravel-1","canonical_slug":"acme/gravel-1-20260101",
//!     "pricing":{"prompt":"0.00000020","completion":"0.0000008"},
//!     "supported_parameters":["structured_outputs"],"per_request_limits":null,"mascot":"a stone"}"#;
//! let model: Model = serde_json::from_str(json)?;
//! assert!(model.supports_structured_outputs());
//! let price = model.pricing.as_ref().and_then(|pricing| pricing.prompt.clone()).unwrap();
//! assert_eq!(price.per_million().unwrap().to_string(), "0.2");
//!
//! let again: serde_json::Value = serde_json::to_value(&model)?;
//! assert_eq!(again, serde_json::from_str::<serde_json::Value>(json)?);
//! # Ok::<(), serde_json::Error>(())
//! ```

mod endpoint;
mod id;
mod model;
mod pricing;
mod provider;

pub use endpoint::{Endpoint, ModelEndpoints, Percentiles};
pub use id::ModelId;
pub use model::{
    AliasTarget, Architecture, DefaultParameters, Model, ModelLinks, PerRequestLimits,
    ReasoningSupport, TopProvider,
};
pub use pricing::{PriceOverride, Pricing, UtcTime};
pub use provider::Provider;

/// The capability names that decide what a structured request may hope for.
pub(crate) fn names(parameters: &[String], parameter: &str) -> bool {
    parameters.iter().any(|name| name == parameter)
}
