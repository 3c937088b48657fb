//! A single generation, looked up after it ended.

use serde_json::Number;

use crate::record::record;
use crate::usd::Usd;

record! {
    /// What OpenRouter knows of a generation, some time after it ended.
    pub struct Generation {
        /// Its id.
        id: String,
        /// The request it belongs to.
        request_id: Option<String>,
        /// The provider's own id for it.
        upstream_id: Option<String>,
        /// The model.
        model: Option<String>,
        /// The provider that served it.
        provider_name: Option<String>,
        /// The router that picked the model.
        router: Option<String>,
        /// The preset that was used.
        preset_id: Option<String>,
        /// What was called: `completions`, `embeddings`, `rerank`, …
        api_type: Option<String>,
        /// When it was made, as an ISO 8601 time.
        created_at: Option<String>,
        /// Whether it was streamed.
        streamed: Option<bool>,
        /// Whether it was broken off.
        cancelled: Option<bool>,
        /// Why it ended.
        finish_reason: Option<String>,
        /// The same in the provider's words.
        native_finish_reason: Option<String>,
        /// To the first token, in milliseconds.
        latency: Option<Number>,
        /// In milliseconds.
        generation_time: Option<Number>,
        /// In milliseconds.
        moderation_latency: Option<Number>,
        /// Tokens in, by a tokenizer that is the same for all models.
        tokens_prompt: Option<u64>,
        /// Tokens out, by that tokenizer.
        tokens_completion: Option<u64>,
        /// Tokens in, by the model's own; what is charged.
        native_tokens_prompt: Option<u64>,
        /// Tokens out, by the model's own.
        native_tokens_completion: Option<u64>,
        /// Of these, spent on reasoning.
        native_tokens_reasoning: Option<u64>,
        /// Of those in, read from a cache.
        native_tokens_cached: Option<u64>,
        /// Of those out, of images.
        native_tokens_completion_images: Option<u64>,
        /// Images and the like in.
        num_media_prompt: Option<u64>,
        /// Images and the like out.
        num_media_completion: Option<u64>,
        /// Sounds in.
        num_input_audio_prompt: Option<u64>,
        /// Results of web searches.
        num_search_results: Option<u64>,
        /// Pages fetched.
        num_fetches: Option<u64>,
        /// Charged, in US dollars.
        total_cost: Option<Usd>,
        /// The same.
        usage: Option<Usd>,
        /// What the provider charged; means something only with the account's own provider key.
        upstream_inference_cost: Option<Usd>,
        /// Saved by a cache, in US dollars.
        cache_discount: Option<Usd>,
        /// Whether the account's own provider key was used.
        is_byok: Option<bool>,
        /// The tier that served it.
        service_tier: Option<String>,
        /// Where it was served: `global`, `europe`, `us`.
        data_region: Option<String>,
        /// The session it belongs to.
        session_id: Option<String>,
        /// The workspace it belongs to.
        workspace_id: Option<String>,
        /// The app it is attributed to.
        app_id: Option<i64>,
        /// Where the request came from.
        origin: Option<String>,
        /// The app's address.
        http_referer: Option<String>,
        /// The client's name.
        user_agent: Option<String>,
        /// The end user, as the request named them.
        external_user: Option<String>,
        /// What searched the web.
        web_search_engine: Option<String>,
        /// The generation whose answer was served again from the response cache.
        response_cache_source_id: Option<String>,
        /// The attempts at providers, in their order.
        provider_responses: Vec<ProviderResponse>,
    }
}

record! {
    /// One attempt at a provider.
    pub struct ProviderResponse {
        /// Its HTTP status.
        status: Option<u64>,
        /// The provider.
        provider_name: Option<String>,
        /// The endpoint.
        endpoint_id: Option<String>,
        /// The provider's own id.
        id: Option<String>,
        /// The model, with the date of its version.
        model_permaslug: Option<String>,
        /// In milliseconds.
        latency: Option<Number>,
        /// Whether the account's own provider key was used.
        is_byok: Option<bool>,
        /// The tier that it was sent to.
        routed_service_tier: Option<String>,
    }
}
