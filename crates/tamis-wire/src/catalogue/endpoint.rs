//! An endpoint: one provider serving one model.

use serde_json::Number;

use super::model::Architecture;
use super::names;
use super::pricing::Pricing;
use crate::record::record;

record! {
    /// A model, and who serves it.
    pub struct ModelEndpoints {
        /// `author/slug`.
        id: String,
        /// For people.
        name: Option<String>,
        /// When it was listed, in seconds since the Unix epoch.
        created: Option<i64>,
        /// For people.
        description: Option<String>,
        /// What goes in and what comes out.
        architecture: Option<Architecture>,
        /// Who serves it.
        endpoints: Vec<Endpoint>,
    }
}

record! {
    /// One provider serving one model. Support for a request field is decided here, and can change.
    pub struct Endpoint {
        /// Provider and model.
        name: Option<String>,
        /// The model, as `author/slug`.
        model_id: Option<String>,
        /// The model, for people.
        model_name: Option<String>,
        /// The provider's display name, as a completion's `provider` tells it.
        provider_name: Option<String>,
        /// The slug with its variant, as `provider.order` and `provider.only` take it.
        tag: Option<String>,
        /// In tokens.
        context_length: Option<u64>,
        /// In tokens.
        max_completion_tokens: Option<u64>,
        /// In tokens.
        max_prompt_tokens: Option<u64>,
        /// What it costs here.
        pricing: Option<Pricing>,
        /// How the weights are stored: `fp8`, `bf16`, `unknown`, …
        quantization: Option<String>,
        /// The request fields that it takes.
        supported_parameters: Vec<String>,
        /// Whether repeated prompts are cached without being asked for.
        supports_implicit_caching: Option<bool>,
        /// Whether it can speak with a voice it is given.
        supports_voice_cloning: Option<bool>,
        /// 0 where nothing is known against it; what the negative numbers mean is not documented.
        status: Option<i64>,
        /// Percent of the last five minutes; requests that were rate-limited do not count.
        uptime_last_5m: Option<Number>,
        /// Percent of the last half hour.
        uptime_last_30m: Option<Number>,
        /// Percent of the last day.
        uptime_last_1d: Option<Number>,
        /// To the first token, over the last half hour. Documented as milliseconds, while documented
        /// samples look like seconds; only told to requests with a key.
        latency_last_30m: Option<Percentiles>,
        /// Tokens a second, over the last half hour; only told to requests with a key.
        throughput_last_30m: Option<Percentiles>,
    }
}

impl Endpoint {
    /// Whether it takes this request field, as `supported_parameters` says.
    pub fn supports(&self, parameter: &str) -> bool {
        names(&self.supported_parameters, parameter)
    }

    /// Whether it takes a `json_schema` response format.
    pub fn supports_structured_outputs(&self) -> bool {
        self.supports("structured_outputs")
    }

    /// Whether it takes `response_format` at all: JSON mode at the least.
    pub fn supports_response_format(&self) -> bool {
        self.supports("response_format")
    }

    /// Whether it takes tools.
    pub fn supports_tools(&self) -> bool {
        self.supports("tools")
    }

    /// Whether it takes `tool_choice`.
    pub fn supports_tool_choice(&self) -> bool {
        self.supports("tool_choice")
    }

    /// Whether it takes `reasoning`.
    pub fn supports_reasoning(&self) -> bool {
        self.supports("reasoning")
    }

    /// Whether the same seed may give the same answer.
    pub fn supports_seed(&self) -> bool {
        self.supports("seed")
    }

    /// Whether `provider.order`, `only` or `ignore` means this endpoint by this name: its tag, the tag
    /// without the variant, or the display name.
    pub fn is_called(&self, name: &str) -> bool {
        let tag = self.tag.as_deref().unwrap_or_default();
        let base = tag.split('/').next().unwrap_or_default();
        !name.is_empty()
            && (tag == name
                || base == name
                || self
                    .provider_name
                    .as_ref()
                    .is_some_and(|own| own.eq_ignore_ascii_case(name)))
    }
}

record! {
    /// How a measure is spread.
    pub struct Percentiles {
        /// Half of the requests did no worse.
        p50: Option<Number>,
        /// Three of four.
        p75: Option<Number>,
        /// Nine of ten.
        p90: Option<Number>,
        /// Ninety-nine of a hundred.
        p99: Option<Number>,
    }
}
