//! What a provider is asked to keep in its cache.

use super::macros::{tagged, words};
use crate::record::record;

tagged! {
    /// How long the provider is to keep what comes before this place in its cache.
    ///
    /// On a request it stands for the last place that can be kept.
    pub enum CacheControl by "type" {
        /// For a while.
        Ephemeral(EphemeralCache) = "ephemeral",
    }
}

impl CacheControl {
    /// For the provider's own while: five minutes at Anthropic's.
    pub fn ephemeral() -> Self {
        EphemeralCache::default().into()
    }

    /// For an hour.
    pub fn one_hour() -> Self {
        Self::Ephemeral(EphemeralCache {
            ttl: Some(CacheTtl::OneHour),
            ..EphemeralCache::default()
        })
    }
}

record! {
    /// A cache for a while.
    pub struct EphemeralCache {
        /// How long.
        ttl: Option<CacheTtl>,
    }
}

words! {
    /// How long something stays in a cache.
    pub enum CacheTtl {
        /// Five minutes.
        FiveMinutes = "5m",
        /// One hour.
        OneHour = "1h",
    }
}

record! {
    /// A place up to which a prompt is kept, in OpenAI's words.
    pub struct CacheBreakpoint {
        /// `explicit`.
        mode: Option<String>,
    }
}

record! {
    /// How OpenAI keeps a prompt.
    pub struct PromptCacheOptions {
        /// `explicit`; needed.
        mode: Option<String>,
        /// How long.
        ttl: Option<String>,
    }
}
