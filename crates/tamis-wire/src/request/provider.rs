//! OpenRouter's routing preferences.

use serde::Serialize;
use serde_json::{Map, Value};

/// Which providers may serve a request, and in which order they are tried.
///
/// ```
/// use tamis_wire::request::ProviderPreferences;
///
/// let pinned = ProviderPreferences::pin("azure");
/// assert_eq!(
///     serde_json::to_string(&pinned).unwrap(),
///     r#"{"order":["azure"],"allow_fallbacks":false}"#
/// );
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ProviderPreferences {
    /// Tried in this order; no load balancing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
    /// Only these.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// Not these.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<String>,
    /// Whether others may serve it where those of `order` cannot; true by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow_fallbacks: Option<bool>,
    /// Only endpoints that know every parameter of the request; false by default, which drops what
    /// an endpoint does not know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub require_parameters: Option<bool>,
    /// Whether providers that keep prompts may serve it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_collection: Option<DataCollection>,
    /// Only endpoints with zero data retention.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zdr: Option<bool>,
    /// Only these quantizations: `fp8`, `bf16`, …
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub quantizations: Vec<String>,
    /// What the order follows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sort: Option<Sort>,
    /// USD per million tokens under `prompt` and `completion`, USD under `request` and `image`; none
    /// may be negative.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub max_price: Map<String, Value>,
    /// Anything else; OpenRouter refuses keys that it does not know.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl ProviderPreferences {
    /// One provider and no other.
    pub fn pin(provider: impl Into<String>) -> Self {
        Self {
            order: vec![provider.into()],
            allow_fallbacks: Some(false),
            ..Self::default()
        }
    }

    /// Only endpoints that know every parameter of the request.
    pub fn require_parameters() -> Self {
        Self {
            require_parameters: Some(true),
            ..Self::default()
        }
    }
}

/// Whether providers that keep prompts may serve a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DataCollection {
    /// They may.
    Allow,
    /// They may not.
    Deny,
}

/// What the order of providers follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Sort {
    /// Cheapest first.
    Price,
    /// Most tokens a second first.
    Throughput,
    /// Quickest first token first.
    Latency,
    /// Best at tool calls first.
    Exacto,
}
