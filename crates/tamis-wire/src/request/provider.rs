//! OpenRouter's routing preferences.

use serde::{Serialize, Serializer};
use serde_json::{Map, Number, Value};

use super::macros::words;
use crate::lenient::Tolerant;
use crate::record::record;
use crate::usd::Usd;

record! {
    /// Which providers may serve a request, and in which order they are tried.
    ///
    /// OpenRouter refuses keys that it does not know.
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
    pub struct ProviderPreferences {
        /// Tried in this order; no load balancing.
        order: Vec<String>,
        /// Only these.
        only: Vec<String>,
        /// Not these.
        ignore: Vec<String>,
        /// Whether others may serve it where those of `order` cannot; true by default.
        allow_fallbacks: Option<bool>,
        /// Only endpoints that know every parameter of the request; false by default, which drops what
        /// an endpoint does not know.
        require_parameters: Option<bool>,
        /// Whether providers that keep prompts may serve it.
        data_collection: Option<DataCollection>,
        /// Only endpoints with zero data retention.
        zdr: Option<bool>,
        /// Only models whose makers allow their output to be trained on.
        enforce_distillable_text: Option<bool>,
        /// Only these quantizations.
        quantizations: Vec<Quantization>,
        /// What the order follows.
        sort: Option<Sort>,
        /// The most that it may cost.
        max_price: Option<MaxPrice>,
        /// Tokens a second, below which an endpoint is tried last.
        preferred_min_throughput: Option<Cutoff>,
        /// Seconds to the first token, above which an endpoint is tried last.
        preferred_max_latency: Option<Cutoff>,
        /// Options of a provider's own, under its slug.
        options: Map<String, Value>,
    }
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

words! {
    /// Whether providers that keep prompts may serve a request.
    pub enum DataCollection {
        /// They may.
        Allow = "allow",
        /// They may not.
        Deny = "deny",
    }
}

words! {
    /// In how many bits, and how, the weights are kept.
    pub enum Quantization {
        /// Integers of 4 bits.
        Int4 = "int4",
        /// Integers of 8 bits.
        Int8 = "int8",
        /// Floats of 4 bits.
        Fp4 = "fp4",
        /// Floats of 4 bits with shared exponents.
        Mxfp4 = "mxfp4",
        /// NVIDIA's floats of 4 bits.
        Nvfp4 = "nvfp4",
        /// Floats of 6 bits.
        Fp6 = "fp6",
        /// Floats of 8 bits.
        Fp8 = "fp8",
        /// Floats of 8 bits with shared exponents.
        Mxfp8 = "mxfp8",
        /// Floats of 16 bits.
        Fp16 = "fp16",
        /// Floats of 16 bits with a long exponent.
        Bf16 = "bf16",
        /// Floats of 32 bits.
        Fp32 = "fp32",
        /// It is not known.
        Unknown = "unknown",
    }
}

words! {
    /// What the order of endpoints follows.
    pub enum SortBy {
        /// Cheapest first.
        Price = "price",
        /// Most tokens a second first.
        Throughput = "throughput",
        /// Quickest first token first.
        Latency = "latency",
        /// Best at tool calls first.
        Exacto = "exacto",
    }
}

words! {
    /// Within what endpoints are sorted.
    pub enum Partition {
        /// Within each model, in the order of the models.
        Model = "model",
        /// Those of all models together.
        None = "none",
    }
}

/// What the order of endpoints follows: a word, or an object that says more.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Sort {
    /// By this.
    By(SortBy),
    /// By this, and within that.
    Object(SortObject),
}

impl Sort {
    /// By this, over the endpoints of all models together.
    pub fn across_models(by: SortBy) -> Self {
        Self::Object(SortObject {
            by: Some(by),
            partition: Some(Partition::None),
            ..SortObject::default()
        })
    }
}

impl From<SortBy> for Sort {
    fn from(by: SortBy) -> Self {
        Self::By(by)
    }
}

impl<'de> Tolerant<'de> for Option<Sort> {
    fn from_text(word: std::borrow::Cow<'de, str>) -> Self {
        Some(Sort::By(SortBy::from(&*word)))
    }

    fn from_map<A: serde::de::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        <SortObject as Tolerant>::from_map(map).map(|object| Some(Sort::Object(object)))
    }
}

record! {
    /// An order, and within what.
    pub struct SortObject {
        /// What it follows.
        by: Option<SortBy>,
        /// Within what; within each model by default.
        partition: Option<Partition>,
    }
}

record! {
    /// The most that a request may cost, in US dollars; none may be negative.
    ///
    /// ```
    /// use tamis_wire::{Decimal, request::MaxPrice};
    ///
    /// let mut price = MaxPrice::default();
    /// price.completion = Some(Decimal::new(15, 1).into()); // 1.5 a million tokens
    /// assert_eq!(serde_json::to_string(&price).unwrap(), r#"{"completion":"1.5"}"#);
    /// ```
    pub struct MaxPrice {
        /// For a million tokens in.
        prompt: Option<Usd>,
        /// For a million tokens out.
        completion: Option<Usd>,
        /// For an image.
        image: Option<Usd>,
        /// For sound.
        audio: Option<Usd>,
        /// For a request.
        request: Option<Usd>,
    }
}

/// A limit on what half of the recent requests, or more of them, came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Cutoff {
    /// On the median.
    Median(Number),
    /// On several percentiles.
    Percentiles(Percentiles),
}

impl Cutoff {
    /// On the median; none where the number is infinite or none.
    pub fn median(limit: f64) -> Option<Self> {
        Number::from_f64(limit).map(Self::Median)
    }
}

impl From<u32> for Cutoff {
    fn from(limit: u32) -> Self {
        Self::Median(limit.into())
    }
}

impl From<Percentiles> for Cutoff {
    fn from(percentiles: Percentiles) -> Self {
        Self::Percentiles(percentiles)
    }
}

impl Serialize for Cutoff {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Median(limit) => limit.serialize(serializer),
            Self::Percentiles(percentiles) => percentiles.serialize(serializer),
        }
    }
}

impl<'de> Tolerant<'de> for Option<Cutoff> {
    fn from_number(number: Number) -> Self {
        Some(Cutoff::Median(number))
    }

    fn from_map<A: serde::de::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let percentiles = <Percentiles as Tolerant>::from_map(map)?;
        Ok(Some(Cutoff::Percentiles(percentiles)))
    }
}

record! {
    /// Limits on percentiles of the last five minutes.
    pub struct Percentiles {
        /// On the median.
        p50: Option<f64>,
        /// On three quarters.
        p75: Option<f64>,
        /// On nine tenths.
        p90: Option<f64>,
        /// On all but a hundredth.
        p99: Option<f64>,
    }
}
