//! Setters of a request's fields, by the fields' own names.

use serde_json::{Map, Value};
use tamis_wire::request::{
    AudioOptions, CacheControl, DebugOptions, Effort, Modality, Plugin, Prediction,
    ProviderPreferences, Reasoning, ResponseFormat, ServiceTier, StopCondition, Tool, ToolChoice,
    Trace, Verbosity,
};

use super::Chat;

/// Setters of the request's fields; on a request given as JSON they set the JSON's.
macro_rules! fields {
    ($($(#[$doc:meta])* $name:ident: $kind:ty,)*) => {
        $(
            $(#[$doc])*
            pub fn $name(self, value: $kind) -> Self {
                self.set(stringify!($name), value, |request, value| request.$name = Some(value))
            }
        )*
    };
    (into: $($(#[$doc:meta])* $name:ident: $kind:ty,)*) => {
        $(
            $(#[$doc])*
            pub fn $name(self, value: impl Into<$kind>) -> Self {
                let value: $kind = value.into();
                self.set(stringify!($name), value, |request, value| request.$name = Some(value))
            }
        )*
    };
}

impl Chat {
    fields! {
        /// From 0 to 2.
        temperature: f64,
        /// From 0 to 1.
        top_p: f64,
        /// 0 or more.
        top_k: u64,
        /// From -2 to 2.
        frequency_penalty: f64,
        /// From -2 to 2.
        presence_penalty: f64,
        /// The same seed gives, at best, the same answer.
        seed: i64,
        /// At most so many tokens out.
        max_tokens: u64,
        /// At most so many tokens out, under the newer name.
        max_completion_tokens: u64,
        /// Whether log probabilities come with the answer.
        logprobs: bool,
        /// How many alternatives for each token, 0 to 20.
        top_logprobs: u64,
        /// Whether the model may ask for several tools at once.
        parallel_tool_calls: bool,
        /// From 0 to 1.
        min_p: f64,
        /// From 0 to 2.
        repetition_penalty: f64,
    }

    fields! { into:
        /// Whether, and which, tool it must ask for.
        tool_choice: ToolChoice,
        /// OpenRouter: how much it thinks: an [`Effort`], or a [`Reasoning`] that says more.
        reasoning: Reasoning,
        /// How much it thinks, under OpenAI's name.
        reasoning_effort: Effort,
        /// How much it says.
        verbosity: Verbosity,
        /// OpenRouter: which providers may serve it.
        provider: ProviderPreferences,
        /// The tier that it is served by.
        service_tier: ServiceTier,
        /// OpenRouter: keeps a conversation at one provider; at most 256 characters.
        session_id: String,
        /// OpenRouter: what it is called in the logs that it is broadcast to.
        trace: Trace,
        /// What the answer is likely to be, to have it quicker.
        prediction: Prediction,
        /// OpenRouter: up to its last place that can be kept, it is to be kept in the provider's cache.
        cache_control: CacheControl,
        /// Requests of the same key are likelier to find each other's cache.
        prompt_cache_key: String,
        /// OpenRouter: settings that are kept under a name.
        preset: String,
        /// OpenRouter: what a stream tells for debugging.
        debug: DebugOptions,
        /// The sound of the answer.
        audio: AudioOptions,
        /// The form of the answer.
        response_format: ResponseFormat,
    }

    /// Your end user's id, the request's `user`; [`Chat::user`] is what the user says.
    pub fn user_id(self, id: impl Into<String>) -> Self {
        self.set("user", id.into(), |request, id| request.user = Some(id))
    }

    /// OpenRouter: models to fall back on, in order.
    pub fn models<S: Into<String>>(self, models: impl IntoIterator<Item = S>) -> Self {
        let models: Vec<String> = models.into_iter().map(Into::into).collect();
        self.set("models", models, |request, models| request.models = models)
    }

    /// OpenRouter: what is done to the request and its answer on the way.
    pub fn plugins<P: Into<Plugin>>(self, plugins: impl IntoIterator<Item = P>) -> Self {
        let plugins: Vec<Plugin> = plugins.into_iter().map(Into::into).collect();
        self.set("plugins", plugins, |request, plugins| {
            request.plugins = plugins;
        })
    }

    /// What the answer is made of.
    pub fn modalities(self, modalities: impl IntoIterator<Item = Modality>) -> Self {
        let modalities: Vec<Modality> = modalities.into_iter().collect();
        self.set("modalities", modalities, |request, modalities| {
            request.modalities = modalities;
        })
    }

    /// OpenRouter: when the tools that it runs are to stop; any one of several is enough.
    pub fn stop_server_tools_when(
        self,
        conditions: impl IntoIterator<Item = StopCondition>,
    ) -> Self {
        let conditions: Vec<StopCondition> = conditions.into_iter().collect();
        self.set(
            "stop_server_tools_when",
            conditions,
            |request, conditions| {
                request.stop_server_tools_when = conditions;
            },
        )
    }

    /// Pairs that are kept with the request: at most 16, keys up to 64 characters, values up to 512.
    pub fn metadata<K: Into<String>, V: Into<String>>(
        self,
        pairs: impl IntoIterator<Item = (K, V)>,
    ) -> Self {
        let pairs = pairs.into_iter();
        let metadata: Map<String, Value> = pairs
            .map(|(key, value)| (key.into(), Value::String(value.into())))
            .collect();
        self.set("metadata", metadata, |request, metadata| {
            request.metadata = metadata;
        })
    }

    /// Texts that end the answer, at most four.
    pub fn stop<S: Into<String>>(self, stop: impl IntoIterator<Item = S>) -> Self {
        let stop: Vec<String> = stop.into_iter().map(Into::into).collect();
        self.set("stop", stop, |request, stop| request.stop = stop)
    }

    /// The tools the model may ask for.
    pub fn tools(self, tools: impl IntoIterator<Item = Tool>) -> Self {
        let tools: Vec<Tool> = tools.into_iter().collect();
        self.set("tools", tools, |request, tools| request.tools = tools)
    }
}
