//! The models there are, and the providers behind them.

use serde_json::{Value, json};

use crate::fault::{self, Selection};

/// What a provider makes of a `json_schema`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Enforcement {
    /// Decodes against the schema: keys in the schema's order, compact.
    Native,
    /// Rewrites the schema into its own format: conforms, keys in alphabetical order, indented.
    Translated,
    /// Shows the schema to the model, and hopes.
    Hint,
    /// Does not know the parameter.
    None,
}

/// One provider serving one model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Endpoint {
    /// The display name, as in an answer's `provider`.
    pub(crate) provider: &'static str,
    /// The slug, as in `provider.order`.
    pub(crate) slug: &'static str,
    /// The share of requests, relative to the other endpoints' weights.
    pub(crate) weight: usize,
    pub(crate) enforcement: Enforcement,
    /// Faults of this endpoint's own, each with its probability; the first that fires wins.
    pub(crate) faults: &'static [(&'static str, f64)],
    /// US dollars per million tokens.
    pub(crate) prompt_price: f64,
    /// US dollars per million tokens.
    pub(crate) completion_price: f64,
}

const fn endpoint(
    provider: &'static str,
    slug: &'static str,
    weight: usize,
    enforcement: Enforcement,
    faults: &'static [(&'static str, f64)],
    price: f64,
) -> Endpoint {
    Endpoint {
        provider,
        slug,
        weight,
        enforcement,
        faults,
        prompt_price: price,
        completion_price: price * 4.0,
    }
}

const STEADY: &[Endpoint] = &[
    endpoint("Granite", "granite", 5, Enforcement::Native, &[], 0.5),
    endpoint("Basalt", "basalt", 3, Enforcement::Native, &[], 0.4),
    endpoint("Pumice", "pumice", 2, Enforcement::Native, &[], 0.2),
];

const LOTTERY: &[Endpoint] = &[
    endpoint("Granite", "granite", 5, Enforcement::Native, &[], 0.5),
    endpoint(
        "Basalt",
        "basalt",
        3,
        Enforcement::Translated,
        &[("missing-property", 0.15), ("enum-case", 0.1)],
        0.4,
    ),
    endpoint(
        "Pumice",
        "pumice",
        3,
        Enforcement::Hint,
        &[
            ("fenced", 0.25),
            ("prose-around", 0.15),
            ("other-shape", 0.15),
            ("trivial-answer", 0.1),
            ("truncated", 0.05),
        ],
        0.2,
    ),
];

const HINT_ONLY: &[Endpoint] = &[
    endpoint(
        "Pumice",
        "pumice",
        3,
        Enforcement::Hint,
        &[
            ("fenced", 0.25),
            ("prose-around", 0.15),
            ("other-shape", 0.15),
        ],
        0.2,
    ),
    endpoint(
        "Tuff",
        "tuff",
        2,
        Enforcement::Hint,
        &[
            ("wrong-type", 0.2),
            ("extra-property", 0.2),
            ("fenced", 0.2),
        ],
        0.1,
    ),
];

const UNSUPPORTED: &[Endpoint] = &[
    endpoint("Shale", "shale", 3, Enforcement::None, &[], 0.1),
    endpoint("Chalk", "chalk", 2, Enforcement::None, &[], 0.1),
];

/// All of OpenRouter's capability names.
const PARAMETERS: &[&str] = &[
    "temperature",
    "top_p",
    "top_k",
    "min_p",
    "top_a",
    "frequency_penalty",
    "presence_penalty",
    "repetition_penalty",
    "max_tokens",
    "max_completion_tokens",
    "logit_bias",
    "logprobs",
    "top_logprobs",
    "prediction",
    "seed",
    "response_format",
    "structured_outputs",
    "stop",
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "include_reasoning",
    "reasoning",
    "reasoning_effort",
    "web_search_options",
    "verbosity",
];

impl Endpoint {
    /// Whether the endpoint lists this capability.
    pub(crate) fn supports(&self, parameter: &str) -> bool {
        let lacking: &[&str] = match self.enforcement {
            Enforcement::Native => &[],
            Enforcement::Translated => &["logit_bias", "prediction"],
            Enforcement::Hint => &["logit_bias", "prediction", "logprobs", "top_logprobs"],
            Enforcement::None => &["structured_outputs", "logit_bias", "prediction"],
        };
        PARAMETERS.contains(&parameter) && !lacking.contains(&parameter)
    }

    fn parameters(&self) -> Vec<&'static str> {
        PARAMETERS
            .iter()
            .copied()
            .filter(|parameter| self.supports(parameter))
            .collect()
    }

    /// Whether `provider.order`, `only` or `ignore` means this endpoint: by slug, by a slug with a
    /// variant (`granite/fp8`), or by display name.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        let base = name.split('/').next().unwrap_or(name);
        base.eq_ignore_ascii_case(self.slug) || name.eq_ignore_ascii_case(self.provider)
    }

    fn pricing(&self) -> Value {
        let per_token = |million: f64| format!("{:.10}", million / 1e6);
        json!({"prompt": per_token(self.prompt_price), "completion": per_token(self.completion_price)})
    }
}

/// A model that the simulator knows.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Model {
    pub(crate) id: String,
    pub(crate) endpoints: &'static [Endpoint],
    /// The fault that the model's own name asks for.
    pub(crate) faults: Vec<Selection>,
}

/// The model behind an id; none if OpenRouter would call it an invalid id.
///
/// `sim/steady`, `sim/lottery`, `sim/hint-only` and `sim/unsupported` are models, `sim/FAULT` is
/// `sim/steady` with that fault, anything of the shape `author/slug` behaves like `sim/steady`,
/// and nothing under `unknown/` exists.
pub(crate) fn find(id: &str) -> Option<Model> {
    let (author, slug) = id.split_once('/')?;
    if author.is_empty() || slug.is_empty() || author == "unknown" || id.len() > LONGEST_ID {
        return None;
    }
    let mut faults = Vec::new();
    let endpoints = match (author, slug) {
        ("sim", "lottery") => LOTTERY,
        ("sim", "hint-only") => HINT_ONLY,
        ("sim", "unsupported") => UNSUPPORTED,
        ("sim", "steady") => STEADY,
        ("sim", name) => {
            faults.push(fault::parse_one(&name.replacen(':', "=", 1)).ok()?);
            STEADY
        }
        _ => STEADY,
    };
    Some(Model {
        id: id.to_owned(),
        endpoints,
        faults,
    })
}

/// Longer than any real id, and short enough to be counted and quoted.
const LONGEST_ID: usize = 256;

/// Every id that a catalogue lists: the ordinary models, then one per fault.
pub(crate) fn ids() -> Vec<String> {
    ["steady", "lottery", "hint-only", "unsupported"]
        .into_iter()
        .chain(fault::Fault::all().iter().map(fault::Fault::name))
        .map(|name| format!("sim/{name}"))
        .collect()
}

impl Model {
    /// The entry in `GET /models`.
    pub(crate) fn listing(&self) -> Value {
        let (mut parameters, mut cheapest) = (Vec::new(), None::<&Endpoint>);
        for endpoint in self.endpoints {
            for parameter in endpoint.parameters() {
                if !parameters.contains(&parameter) {
                    parameters.push(parameter);
                }
            }
            if cheapest.is_none_or(|best| endpoint.prompt_price < best.prompt_price) {
                cheapest = Some(endpoint);
            }
        }
        json!({
            "id": self.id,
            "canonical_slug": self.id,
            "name": format!("Sim: {}", self.id),
            "created": CREATED,
            "description": self.description(),
            "context_length": CONTEXT,
            "architecture": architecture(),
            "pricing": cheapest.map(Endpoint::pricing),
            "top_provider": {"context_length": CONTEXT, "max_completion_tokens": 16_384, "is_moderated": false},
            "per_request_limits": null,
            "supported_parameters": parameters,
            "default_parameters": null,
            "supported_voices": null,
            "links": {"details": format!("/api/v1/models/{}/endpoints", self.id)},
        })
    }

    /// The answer to `GET /models/{author}/{slug}/endpoints`.
    pub(crate) fn endpoint_listing(&self) -> Value {
        let endpoints: Vec<Value> = self
            .endpoints
            .iter()
            .map(|endpoint| {
                json!({
                    "name": format!("{} | {}", endpoint.provider, self.id),
                    "model_id": self.id,
                    "model_name": format!("Sim: {}", self.id),
                    "provider_name": endpoint.provider,
                    "tag": endpoint.slug,
                    "context_length": CONTEXT,
                    "max_completion_tokens": 16_384,
                    "max_prompt_tokens": null,
                    "pricing": endpoint.pricing(),
                    "quantization": "unknown",
                    "supported_parameters": endpoint.parameters(),
                    "supports_implicit_caching": false,
                    "status": 0,
                    "uptime_last_5m": 100.0,
                    "uptime_last_30m": 100.0,
                    "uptime_last_1d": 99.9,
                    "latency_last_30m": null,
                    "throughput_last_30m": null,
                })
            })
            .collect();
        json!({
            "id": self.id,
            "name": format!("Sim: {}", self.id),
            "created": CREATED,
            "description": self.description(),
            "architecture": architecture(),
            "endpoints": endpoints,
        })
    }

    fn description(&self) -> String {
        match self.faults.first() {
            Some(selection) => selection.fault().summary().to_owned(),
            None => match self.id.as_str() {
                "sim/lottery" => "One model, three providers: one enforces a schema, one translates it, one takes it as a hint",
                "sim/hint-only" => "Providers that take a schema as a hint",
                "sim/unsupported" => "Providers without structured outputs",
                _ => "Three providers that enforce a schema",
            }
            .to_owned(),
        }
    }
}

/// 1 January 2026: the simulator's clock starts there, so that answers do not depend on the day.
pub(crate) const CREATED: u64 = 1_767_225_600;
const CONTEXT: u64 = 128_000;

fn architecture() -> Value {
    json!({
        "modality": "text->text",
        "input_modalities": ["text"],
        "output_modalities": ["text"],
        "tokenizer": "Other",
        "instruct_type": null,
    })
}

#[cfg(test)]
mod tests {
    use super::{Enforcement, find, ids};
    use crate::fault::Fault;

    #[test]
    fn ids_resolve() {
        assert!(ids().iter().all(|id| find(id).is_some()));
        assert_eq!(find("openai/gpt-4o").unwrap().endpoints.len(), 3);
        assert!(find("sim/fenced:0.3").is_some());
        for bad in [
            "",
            "gpt-4o",
            "/x",
            "x/",
            "unknown/x",
            "sim/nonsense",
            "sim/fenced:7",
        ] {
            assert_eq!(find(bad), None, "{bad}");
        }
    }

    #[test]
    fn an_endpoints_faults_exist() {
        for id in ids() {
            for endpoint in find(&id).unwrap().endpoints {
                for (name, probability) in endpoint.faults {
                    assert!(Fault::named(name).is_some(), "{name}");
                    assert!((0.0..=1.0).contains(probability));
                }
            }
        }
    }

    #[test]
    fn only_the_unsupported_lack_structured_outputs() {
        for endpoint in find("sim/unsupported").unwrap().endpoints {
            assert_eq!(endpoint.enforcement, Enforcement::None);
            assert!(!endpoint.supports("structured_outputs"));
            assert!(endpoint.supports("response_format"));
        }
    }
}
