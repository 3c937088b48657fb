//! A chat-completions request.

mod cache;
mod check;
mod fields;
pub(crate) mod macros;
mod message;
mod options;
mod part;
mod plugin;
mod provider;
mod reasoning;
mod response_format;
mod tool;

use std::fmt;

use serde_json::{Map, Value};

pub use cache::{CacheBreakpoint, CacheControl, CacheTtl, EphemeralCache, PromptCacheOptions};
pub use check::check_json;
pub use fields::{FIELDS, Whose};
pub use message::{InputContent, InputMessage, Role};
pub use options::{
    AudioOptions, DebugOptions, Modality, PredictedContent, Prediction, Route, ServiceTier,
    StreamOptions, Trace, UsageOptions, Verbosity,
};
pub use part::{
    AudioPart, Detail, FilePart, ImagePart, ImageUrl, InputAudio, InputFile, InputPart, TextPart,
    VideoPart, VideoUrl,
};
pub use plugin::{
    ApproximateLocation, AutoBetaRouterPlugin, AutoRouterPlugin, ContextCompressionPlugin,
    CostTier, FileParserPlugin, FusionPlugin, ModerationPlugin, ParetoRouterPlugin, PdfOptions,
    Plugin, ResponseHealingPlugin, UserLocation, WebFetchPlugin, WebPlugin,
};
pub use provider::{
    Cutoff, DataCollection, MaxPrice, Partition, Percentiles, ProviderPreferences, Quantization,
    Sort, SortBy, SortObject,
};
pub use reasoning::{Effort, Reasoning, ReasoningSummary};
pub use response_format::{
    GrammarFormat, JsonObjectFormat, JsonSchemaFormat, PythonFormat, ResponseFormat, SchemaFormat,
    TextFormat,
};
pub use tool::{
    DatetimeTool, FinishReasonIs, FunctionDefinition, FunctionTool, HasToolCall, MaxCost,
    MaxTokensUsed, SearchContextSize, StepCountIs, StopCondition, Tool, ToolChoice, WebFetch,
    WebFetchTool, WebSearch, WebSearchTool,
};

use crate::record::record;

record! {
    (opaque, NAMES)
    /// A chat-completions request, field by field as OpenRouter documents it.
    ///
    /// What is `None` or empty is not sent, so that the provider's own default applies. Anything that
    /// has no field here, or is not to be checked against its type, can be added to `extra`, which comes
    /// before a field of its name. A request is also read from JSON, and written as it was read.
    ///
    /// [`FIELDS`] tells which of the fields are OpenRouter's own.
    ///
    /// ```
    /// use tamis_wire::request::{ChatRequest, InputMessage};
    ///
    /// let mut request = ChatRequest::new("openai/gpt-4o");
    /// request.messages.push(InputMessage::user("Hi"));
    /// request.temperature = Some(0.2);
    /// request.check()?;
    /// assert_eq!(
    ///     serde_json::to_string(&request).unwrap(),
    ///     r#"{"model":"openai/gpt-4o","messages":[{"role":"user","content":"Hi"}],"temperature":0.2}"#
    /// );
    /// # Ok::<(), tamis_wire::Failure>(())
    /// ```
    pub struct ChatRequest {
        /// The model, as `author/slug` on OpenRouter.
        model: String,
        /// OpenRouter: models to fall back on, in order.
        models: Vec<String>,
        /// The conversation; at least one message.
        messages: Vec<InputMessage>,
        /// Whether the answer comes as a stream.
        stream: bool,
        /// Whether a stream on a server that is not OpenRouter ends with its usage.
        stream_options: Option<StreamOptions>,
        /// OpenRouter: whether usage comes with the answer; it does anyway.
        usage: Option<UsageOptions>,
        /// At most so many tokens out; at least 1.
        max_completion_tokens: Option<u64>,
        /// The older name of the same limit, which some servers know only.
        max_tokens: Option<u64>,
        /// 0 to 2.
        temperature: Option<f64>,
        /// 0 to 1.
        top_p: Option<f64>,
        /// 0 or more; 0 is off.
        top_k: Option<u64>,
        /// OpenRouter: 0 to 1.
        top_a: Option<f64>,
        /// 0 to 1.
        min_p: Option<f64>,
        /// -2 to 2.
        frequency_penalty: Option<f64>,
        /// -2 to 2.
        presence_penalty: Option<f64>,
        /// 0 to 2.
        repetition_penalty: Option<f64>,
        /// The same seed gives, at best, the same answer.
        seed: Option<i64>,
        /// Texts that end the answer; at most four.
        stop: Vec<String>,
        /// Biases by token id, -100 to 100.
        logit_bias: Map<String, Value>,
        /// Whether log probabilities come with the answer.
        logprobs: Option<bool>,
        /// How many alternatives for each token; 0 to 20, and only with `logprobs`.
        top_logprobs: Option<u64>,
        /// The tools the model may ask for.
        tools: Vec<Tool>,
        /// Whether, and which, tool it must ask for.
        tool_choice: Option<ToolChoice>,
        /// Whether it may ask for several at once.
        parallel_tool_calls: Option<bool>,
        /// OpenRouter: when the tools that it runs are to stop.
        stop_server_tools_when: Vec<StopCondition>,
        /// The form of the answer.
        response_format: Option<ResponseFormat>,
        /// OpenRouter: whether the answer must have that form; `provider.require_parameters` says it
        /// better.
        structured_outputs: Option<bool>,
        /// OpenRouter: how much the model thinks.
        reasoning: Option<Reasoning>,
        /// The same, under OpenAI's name; where both are given they must agree.
        reasoning_effort: Option<Effort>,
        /// OpenRouter: whether reasoning comes with the answer, under the name of old.
        include_reasoning: Option<bool>,
        /// How much the model says.
        verbosity: Option<Verbosity>,
        /// What the answer is made of.
        modalities: Vec<Modality>,
        /// OpenRouter: options for images, of the provider's own.
        image_config: Map<String, Value>,
        /// The sound of the answer.
        audio: Option<AudioOptions>,
        /// What the answer is likely to be.
        prediction: Option<Prediction>,
        /// OpenRouter: which providers may serve it.
        provider: Option<ProviderPreferences>,
        /// OpenRouter: what comes after a failure; deprecated for `provider.sort`.
        route: Option<Route>,
        /// OpenRouter: what is done to the request and its answer on the way.
        plugins: Vec<Plugin>,
        /// OpenRouter: no longer there; the plugin `context-compression` took its place.
        transforms: Vec<String>,
        /// OpenRouter: settings that are kept under a name.
        preset: Option<String>,
        /// OpenAI's search of the web.
        web_search_options: Option<WebSearchOptions>,
        /// The tier that it is served by.
        service_tier: Option<ServiceTier>,
        /// OpenRouter: keeps a conversation at one provider; at most 256 characters.
        session_id: Option<String>,
        /// Your end user's id.
        user: Option<String>,
        /// At most 16 pairs; keys up to 64 characters, values up to 512.
        metadata: Map<String, Value>,
        /// OpenRouter: what it is called in the logs that it is broadcast to.
        trace: Option<Trace>,
        /// OpenRouter: up to its last place that can be kept, it is to be kept in the provider's cache.
        cache_control: Option<CacheControl>,
        /// Requests of the same key are likelier to find each other's cache.
        prompt_cache_key: Option<String>,
        /// How OpenAI keeps it in its cache.
        prompt_cache_options: Option<PromptCacheOptions>,
        /// OpenRouter: what a stream tells for debugging.
        debug: Option<DebugOptions>,
    }
}

// A field that is added has to be added to the table too.
const _: () = assert!(NAMES.len() == FIELDS.len());

record! {
    /// OpenAI's search of the web.
    pub struct WebSearchOptions {
        /// How much is read.
        search_context_size: Option<SearchContextSize>,
        /// Where the user is.
        user_location: Option<Value>,
    }
}

/// What kind of request it is, not what it says: texts, metadata and unknown fields are left out.
impl fmt::Debug for ChatRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ChatRequest")
            .field("model", &self.model)
            .field("messages", &self.messages)
            .field("stream", &self.stream)
            .field("tools", &self.tools.len())
            .field("response_format", &self.response_format.is_some())
            .field("provider", &self.provider)
            .finish_non_exhaustive()
    }
}

impl ChatRequest {
    /// A request for a model, without messages yet.
    pub fn new(model: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            ..Self::default()
        }
    }

    /// Leaves out what only OpenRouter knows, which strict servers refuse: the fields that are its own
    /// by [`FIELDS`], the tools that it runs, and of messages `reasoning_details`, `images`,
    /// `annotations`, `model` and the `cache_control` of texts and tools.
    ///
    /// What was set by hand stays: all that is in an `extra`.
    pub fn strip_openrouter_fields(&mut self) {
        for (name, whose) in FIELDS {
            if *whose == Whose::OpenRouter {
                self.clear(name);
            }
        }
        self.tools.retain(|tool| !tool.is_openrouters());
        for tool in &mut self.tools {
            if let Tool::Function(definition) = tool {
                definition.cache_control = None;
            }
        }
        self.messages
            .iter_mut()
            .for_each(InputMessage::strip_openrouter_fields);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{FIELDS, NAMES};

    #[test]
    fn the_table_has_every_field_once() {
        let fields: BTreeSet<&str> = FIELDS.iter().map(|(name, _)| *name).collect();
        assert_eq!(fields.len(), FIELDS.len());
        assert_eq!(fields, NAMES.iter().copied().collect());
    }
}
