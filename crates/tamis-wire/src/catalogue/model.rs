//! A model.

use serde_json::{Number, Value};

use super::id::ModelId;
use super::names;
use super::pricing::Pricing;
use crate::record::record;

record! {
    /// A model, as `GET /models` lists it.
    pub struct Model {
        /// `author/slug`, with the variant where it is one of its own (`:free`).
        id: String,
        /// The slug of this version, with its date.
        canonical_slug: Option<String>,
        /// For people.
        name: Option<String>,
        /// When it was listed, in seconds since the Unix epoch.
        created: Option<i64>,
        /// For people.
        description: Option<String>,
        /// In tokens; that of an endpoint may be smaller.
        context_length: Option<u64>,
        /// What goes in and what comes out.
        architecture: Option<Architecture>,
        /// What it costs; what an endpoint asks for may differ.
        pricing: Option<Pricing>,
        /// What the provider that OpenRouter prefers for it allows.
        top_provider: Option<TopProvider>,
        /// What a single request may use, in tokens.
        per_request_limits: Option<PerRequestLimits>,
        /// The request fields that at least one of its endpoints takes.
        supported_parameters: Vec<String>,
        /// What is used where a request does not say.
        default_parameters: Option<DefaultParameters>,
        /// The voices it can speak with.
        supported_voices: Vec<String>,
        /// Where there is more to read.
        links: Option<ModelLinks>,
        /// Its name on Hugging Face.
        hugging_face_id: Option<String>,
        /// The date up to which it knows.
        knowledge_cutoff: Option<String>,
        /// The date on which it goes.
        expiration_date: Option<String>,
        /// For an alias (`~author/family-latest`): the model behind it.
        alias_target: Option<AliasTarget>,
        /// How it does in tests; grows, and is kept as it comes.
        benchmarks: Option<Value>,
        /// How its reasoning can be steered.
        reasoning: Option<ReasoningSupport>,
    }
}

impl Model {
    /// Whether one of its endpoints takes this request field, as `supported_parameters` says.
    pub fn supports(&self, parameter: &str) -> bool {
        names(&self.supported_parameters, parameter)
    }

    /// Whether one of its endpoints takes a `json_schema` response format. Not all of them need to:
    /// ask the endpoints.
    pub fn supports_structured_outputs(&self) -> bool {
        self.supports("structured_outputs")
    }

    /// Whether one of its endpoints takes tools.
    pub fn supports_tools(&self) -> bool {
        self.supports("tools")
    }

    /// Whether this is the model that an id means: by id, or by the slug with its date.
    pub fn is_called(&self, id: &str) -> bool {
        self.id == id || self.canonical_slug.as_deref() == Some(id)
    }

    /// Whether it is the free variant. A price of zero is another thing: free variants have limits of
    /// their own, and models without a price need not be one.
    pub fn is_free_variant(&self) -> bool {
        ModelId::parse(&self.id).is_some_and(|id| id.variant() == Some("free"))
    }
}

record! {
    /// What goes into a model and what comes out.
    pub struct Architecture {
        /// Both in one, such as `text+image->text`.
        modality: Option<String>,
        /// Of `text`, `image`, `file`, `audio`, `video`, and what comes to be.
        input_modalities: Vec<String>,
        /// Of `text`, `image`, `embeddings`, `audio`, `video`, `rerank`, `speech`, `transcription`, and
        /// what comes to be.
        output_modalities: Vec<String>,
        /// The family of its tokenizer.
        tokenizer: Option<String>,
        /// The template of its instructions.
        instruct_type: Option<String>,
    }
}

record! {
    /// What the provider that OpenRouter prefers for a model allows.
    pub struct TopProvider {
        /// In tokens.
        context_length: Option<u64>,
        /// In tokens.
        max_completion_tokens: Option<u64>,
        /// Whether the input is moderated.
        is_moderated: Option<bool>,
    }
}

record! {
    /// What a single request may use, in tokens.
    pub struct PerRequestLimits {
        /// In.
        prompt_tokens: Option<u64>,
        /// Out.
        completion_tokens: Option<u64>,
    }
}

record! {
    /// What is used where a request does not say.
    pub struct DefaultParameters {
        /// From 0 to 2.
        temperature: Option<Number>,
        /// From 0 to 1.
        top_p: Option<Number>,
        /// 0 or more.
        top_k: Option<Number>,
        /// From -2 to 2.
        frequency_penalty: Option<Number>,
        /// From -2 to 2.
        presence_penalty: Option<Number>,
        /// From 0 to 2.
        repetition_penalty: Option<Number>,
    }
}

record! {
    /// Where there is more to read.
    pub struct ModelLinks {
        /// The path of its endpoints.
        details: Option<String>,
    }
}

record! {
    /// The model behind an alias.
    pub struct AliasTarget {
        /// Its slug.
        slug: Option<String>,
        /// For people.
        name: Option<String>,
    }
}

record! {
    /// How a model's reasoning can be steered.
    pub struct ReasoningSupport {
        /// Whether it cannot be turned off.
        mandatory: Option<bool>,
        /// Whether it is on where a request does not say.
        default_enabled: Option<bool>,
        /// The effort where a request does not say.
        default_effort: Option<String>,
        /// The efforts it knows.
        supported_efforts: Vec<String>,
        /// Whether a budget in tokens can be given.
        supports_max_tokens: Option<bool>,
    }
}
