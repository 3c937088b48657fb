//! The models there are, and the providers behind them.

use serde_json::{Value, json};

use crate::fault::{self, Selection};
use crate::object::set;

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
        let mut pricing = json!({
            "prompt": per_token(self.prompt_price),
            "completion": per_token(self.completion_price),
            "request": "0",
            "image": "0",
            "web_search": "0",
            "internal_reasoning": "0",
            "input_cache_read": per_token(self.prompt_price / 10.0),
            "discount": 0,
        });
        if self.slug == "basalt" {
            let dearer = json!([{
                "min_prompt_tokens": 64_000,
                "prompt": per_token(self.prompt_price * 2.0),
                "completion": per_token(self.completion_price * 1.5),
            }]);
            set(&mut pricing, "overrides", dearer);
        }
        pricing
    }

    /// How the weights are stored; percent of the last day; median milliseconds to the first token and
    /// tokens a second.
    fn figures(&self) -> (&'static str, f64, f64, f64) {
        match self.slug {
            "granite" => ("bf16", 99.98, 420.0, 55.0),
            "basalt" => ("fp8", 99.4, 610.0, 40.5),
            "pumice" => ("fp4", 97.25, 280.0, 121.0),
            "tuff" => ("int4", 95.0, 190.0, 160.0),
            _ => ("unknown", 98.5, 700.0, 30.0),
        }
    }

    /// Whether it keeps nothing of what it is sent.
    fn keeps_no_data(&self) -> bool {
        matches!(self.slug, "granite" | "tuff")
    }

    /// The entry in a list of endpoints. How fast it is, is told only to somebody.
    fn listing(&self, model: &Model, known: bool) -> Value {
        let (quantization, uptime, latency, throughput) = self.figures();
        let spread = |middle: f64, factors: [f64; 3]| {
            let [p75, p90, p99] = factors.map(|factor| (middle * factor).round());
            known.then(|| json!({"p50": middle, "p75": p75, "p90": p90, "p99": p99}))
        };
        json!({
            "name": format!("{} | {}", self.provider, model.id),
            "model_id": model.id,
            "model_name": format!("Sim: {}", model.id),
            "provider_name": self.provider,
            "tag": self.slug,
            "context_length": CONTEXT,
            "max_completion_tokens": 16_384,
            "max_prompt_tokens": null,
            "pricing": self.pricing(),
            "quantization": quantization,
            "supported_parameters": self.parameters(),
            "supports_implicit_caching": false,
            "status": 0,
            "uptime_last_5m": 100.0,
            "uptime_last_30m": 100.0,
            "uptime_last_1d": uptime,
            "latency_last_30m": spread(latency, [1.5, 2.5, 6.0]),
            "throughput_last_30m": spread(throughput, [0.75, 0.5, 0.25]),
        })
    }
}

/// What comes out of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gives {
    Text,
    Embeddings,
    Decisions,
}

impl Gives {
    /// Its name among the output modalities.
    fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Embeddings => "embeddings",
            Self::Decisions => "decisions",
        }
    }
}

/// A model that the simulator knows.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Model {
    pub(crate) id: String,
    pub(crate) gives: Gives,
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
    let whole = id;
    let (author, slug) = id.strip_suffix(DATE).unwrap_or(id).split_once('/')?;
    let slug = VARIANTS
        .iter()
        .find_map(|variant| slug.strip_suffix(variant))
        .unwrap_or(slug);
    if author.is_empty() || slug.is_empty() || author == "unknown" || id.len() > LONGEST_ID {
        return None;
    }
    let mut faults = Vec::new();
    let endpoints = match (author, slug) {
        ("sim", "lottery") => LOTTERY,
        ("sim", "hint-only") => HINT_ONLY,
        ("sim", "unsupported") => UNSUPPORTED,
        ("sim", "steady" | EMBEDDER | DECIDER) => STEADY,
        ("sim", name) => {
            faults.push(fault::parse_one(&name.replacen(':', "=", 1)).ok()?);
            STEADY
        }
        _ => STEADY,
    };
    Some(Model {
        id: whole.to_owned(),
        gives: match (author, slug) {
            ("sim", EMBEDDER) => Gives::Embeddings,
            ("sim", DECIDER) | ("typesafe" | "~typesafe", _) => Gives::Decisions,
            _ => Gives::Text,
        },
        endpoints,
        faults,
    })
}

/// What a slug with its date ends in.
const DATE: &str = "-20260101";

/// Variants of any model but the simulator's own faults, after whose names a probability stands.
const VARIANTS: &[&str] = &[":free", ":nitro", ":floor", ":exacto", ":thinking"];

/// The model that gives embeddings.
const EMBEDDER: &str = "embedder";

/// The model that gives decisions.
const DECIDER: &str = "decider";

/// The alias that the catalogue lists, and what is behind it.
const ALIAS: (&str, &str) = ("~sim/steady-latest", "sim/steady");

/// The model that an id means in the catalogue, where aliases lead to what is behind them.
pub(crate) fn resolve(id: &str) -> Option<Model> {
    let (alias, target) = ALIAS;
    find(if id == alias { target } else { id })
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

/// Every model that is listed, whatever it gives.
pub(crate) fn listed() -> Vec<Model> {
    let (alias, _) = ALIAS;
    let more = [
        format!("sim/{EMBEDDER}"),
        format!("sim/{DECIDER}"),
        alias.to_owned(),
    ];
    ids()
        .iter()
        .chain(&more)
        .filter_map(|id| find(id))
        .collect()
}

/// Every endpoint that keeps no data, of the ordinary models.
pub(crate) fn zdr_listing(known: bool) -> Vec<Value> {
    let models = ids().into_iter().take(ORDINARY).filter_map(|id| find(&id));
    models
        .flat_map(|model| {
            let endpoints = model.endpoints.iter();
            let safe = endpoints.filter(|endpoint| endpoint.keeps_no_data());
            safe.map(|endpoint| endpoint.listing(&model, known))
                .collect::<Vec<_>>()
        })
        .collect()
}

/// The first ids are those of models, the others those of faults.
const ORDINARY: usize = 4;

/// Every provider.
pub(crate) fn providers() -> Vec<Value> {
    let mut named: Vec<(&str, &str)> = Vec::new();
    for endpoint in [STEADY, LOTTERY, HINT_ONLY, UNSUPPORTED].concat() {
        let name = (endpoint.provider, endpoint.slug);
        if !named.contains(&name) {
            named.push(name);
        }
    }
    let entry = |(name, slug): &(&str, &str)| {
        json!({
            "name": name,
            "slug": slug,
            "privacy_policy_url": format!("https://{slug}.invalid/privacy"),
            "terms_of_service_url": format!("https://{slug}.invalid/terms"),
            "status_page_url": null,
            "headquarters": "IS",
            "datacenters": ["IS", "NO"],
        })
    };
    named.iter().map(entry).collect()
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
        let base = self.id.split(':').next().unwrap_or_default();
        let mut listing = json!({
            "id": self.id,
            "canonical_slug": format!("{}{DATE}", base.strip_suffix(DATE).unwrap_or(base)),
            "name": format!("Sim: {}", self.id),
            "created": CREATED,
            "description": self.description(),
            "context_length": CONTEXT,
            "architecture": self.architecture(),
            "pricing": cheapest.map(Endpoint::pricing),
            "top_provider": {"context_length": CONTEXT, "max_completion_tokens": 16_384, "is_moderated": false},
            "per_request_limits": null,
            "supported_parameters": parameters,
            "default_parameters": null,
            "supported_voices": null,
            "links": {"details": format!("/api/v1/models/{}/endpoints", self.id)},
            "hugging_face_id": "",
            "knowledge_cutoff": "2025-06-30",
            "expiration_date": null,
            "reasoning": {"mandatory": false, "default_enabled": false, "supported_efforts": ["high", "medium", "low"], "supports_max_tokens": true},
        });
        let (alias, target) = ALIAS;
        if self.id == alias {
            set(&mut listing, "canonical_slug", alias);
            set(
                &mut listing,
                "alias_target",
                json!({"slug": target, "name": format!("Sim: {target}")}),
            );
        }
        listing
    }

    /// The answer to `GET /models/{author}/{slug}/endpoints`.
    pub(crate) fn endpoint_listing(&self, known: bool) -> Value {
        let endpoints: Vec<Value> = self
            .endpoints
            .iter()
            .map(|endpoint| endpoint.listing(self, known))
            .collect();
        json!({
            "id": self.id,
            "name": format!("Sim: {}", self.id),
            "created": CREATED,
            "description": self.description(),
            "architecture": self.architecture(),
            "endpoints": endpoints,
        })
    }

    /// Whether this provider, by slug or display name, serves it.
    pub(crate) fn is_served_by(&self, provider: &str) -> bool {
        let mut endpoints = self.endpoints.iter();
        endpoints.any(|endpoint| endpoint.is_called(provider))
    }

    /// Whether somebody who keeps nothing serves it.
    pub(crate) fn has_zdr(&self) -> bool {
        self.endpoints.iter().any(Endpoint::keeps_no_data)
    }

    /// The lowest prices, in US dollars per million tokens in and out.
    pub(crate) fn prices(&self) -> (f64, f64) {
        let least = |price: fn(&Endpoint) -> f64| {
            let prices = self.endpoints.iter().map(price);
            prices.fold(f64::INFINITY, f64::min)
        };
        (
            least(|endpoint| endpoint.prompt_price),
            least(|endpoint| endpoint.completion_price),
        )
    }

    fn architecture(&self) -> Value {
        let output = self.gives.as_str();
        json!({
            "modality": format!("text->{output}"),
            "input_modalities": ["text"],
            "output_modalities": [output],
            "tokenizer": "Other",
            "instruct_type": null,
        })
    }

    fn description(&self) -> String {
        match self.faults.first() {
            Some(selection) => selection.fault().summary().to_owned(),
            None => match self.id.as_str() {
                "sim/lottery" => "One model, three providers: one enforces a schema, one translates it, one takes it as a hint",
                "sim/hint-only" => "Providers that take a schema as a hint",
                "sim/embedder" => "A model that gives embeddings",
                "sim/decider" => "A model that gives decisions",
                "sim/unsupported" => "Providers without structured outputs",
                _ => "Three providers that enforce a schema",
            }
            .to_owned(),
        }
    }
}

/// 1 January 2026: the simulator's clock starts there, so that answers do not depend on the day.
pub(crate) const CREATED: u64 = 1_767_225_600;
pub(crate) const CONTEXT: u64 = 128_000;

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
