//! OpenRouter's word on whether a model can be had.

use serde::Serialize;

use crate::extra::Extra;
use crate::lenient::tolerant_object;
use crate::scalar::Scalar;

/// Why no endpoint could take the request, from `error.availability`.
///
/// `retryable` is authoritative: the same code can be either.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Availability {
    /// `no_endpoints`, `capacity_exhausted`, …; the list grows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Whether trying again can help.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retryable: Option<bool>,
    /// After how many seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<Scalar>,
    /// The models that were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requested_models: Vec<String>,
    /// The providers that are affected.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub affected_providers: Vec<String>,
    /// Which filters left nothing: `require_parameters`, `max_price`, …
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub excluded_by: Vec<String>,
    /// Models that could be asked in its place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fallback_models: Vec<String>,
    /// Where it is documented.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub docs_url: Option<String>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

tolerant_object!(<'de> Availability {
    "code" => code,
    "retryable" => retryable,
    "retry_after" => retry_after,
    "requested_models" => requested_models,
    "affected_providers" => affected_providers,
    "excluded_by" => excluded_by,
    "fallback_models" => fallback_models,
    "docs_url" => docs_url;
    extra
});
