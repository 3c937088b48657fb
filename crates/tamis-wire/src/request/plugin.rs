//! OpenRouter's plugins.

use serde_json::Value;

use super::macros::{hide, tagged, words};
use crate::record::record;
use crate::usd::Usd;

tagged! {
    /// OpenRouter: something that is done to a request or its answer on the way.
    ///
    /// ```
    /// use tamis_wire::request::{Plugin, WebPlugin};
    ///
    /// let mut web = WebPlugin::default();
    /// web.max_results = Some(3);
    /// assert_eq!(
    ///     serde_json::to_string(&Plugin::from(web)).unwrap(),
    ///     r#"{"id":"web","max_results":3}"#
    /// );
    /// ```
    pub enum Plugin by "id" {
        /// The web is searched before the model is asked.
        Web(WebPlugin) = "web",
        /// Pages are read.
        WebFetch(WebFetchPlugin) = "web-fetch",
        /// Files are read.
        FileParser(FileParserPlugin) = "file-parser",
        /// JSON that is nearly right is mended.
        ResponseHealing(ResponseHealingPlugin) = "response-healing",
        /// What does not fit the model's context is left out in the middle.
        ContextCompression(ContextCompressionPlugin) = "context-compression",
        /// The input is moderated.
        Moderation(ModerationPlugin) = "moderation",
        /// A model is chosen for the request.
        AutoRouter(AutoRouterPlugin) = "auto-router",
        /// The same, in the making.
        AutoBetaRouter(AutoBetaRouterPlugin) = "auto-beta-router",
        /// The cheapest model that is good enough is chosen.
        ParetoRouter(ParetoRouterPlugin) = "pareto-router",
        /// Several models are asked, and their answers made one.
        Fusion(FusionPlugin) = "fusion",
    }
}

record! {
    (opaque)
    /// The web is searched.
    pub struct WebPlugin {
        /// Whether it is on; true by default.
        enabled: Option<bool>,
        /// `native`, `exa`, `firecrawl`, `parallel`, `perplexity`.
        engine: Option<String>,
        /// How many results.
        max_results: Option<u64>,
        /// What the model is told of the results.
        search_prompt: Option<String>,
        /// Only these domains.
        include_domains: Vec<String>,
        /// Not these.
        exclude_domains: Vec<String>,
        /// How often it may search.
        max_uses: Option<u64>,
        /// How thoroughly: `instant`, `fast`, `auto`, `deep`, …
        mode: Option<String>,
        /// Where the user is.
        user_location: Option<UserLocation>,
    }
}

tagged! {
    /// Where a user is.
    pub enum UserLocation by "type" {
        /// About there.
        Approximate(ApproximateLocation) = "approximate",
    }
}

record! {
    (opaque)
    /// About where a user is.
    pub struct ApproximateLocation {
        /// The city.
        city: Option<String>,
        /// The country, as two letters.
        country: Option<String>,
        /// The region.
        region: Option<String>,
        /// The time zone, as `Europe/Paris`.
        timezone: Option<String>,
    }
}

record! {
    /// Pages are read.
    pub struct WebFetchPlugin {
        /// How often.
        max_uses: Option<u64>,
        /// How many tokens of each.
        max_content_tokens: Option<u64>,
        /// Only these domains.
        allowed_domains: Vec<String>,
        /// Not these.
        blocked_domains: Vec<String>,
    }
}

record! {
    /// Files are read.
    pub struct FileParserPlugin {
        /// Whether it is on; true by default.
        enabled: Option<bool>,
        /// How PDFs are read.
        pdf: Option<PdfOptions>,
    }
}

record! {
    /// How PDFs are read.
    pub struct PdfOptions {
        /// `mistral-ocr`, `native`, `cloudflare-ai`.
        engine: Option<String>,
    }
}

record! {
    /// JSON that is nearly right is mended.
    pub struct ResponseHealingPlugin {
        /// Whether it is on; true by default.
        enabled: Option<bool>,
    }
}

record! {
    /// What does not fit the model's context is left out in the middle.
    pub struct ContextCompressionPlugin {
        /// Whether it is on; true by default.
        enabled: Option<bool>,
        /// `middle-out`.
        engine: Option<String>,
    }
}

record! {
    /// The input is moderated.
    pub struct ModerationPlugin {}
}

record! {
    /// A model is chosen for the request.
    pub struct AutoRouterPlugin {
        /// Whether it is on; true by default.
        enabled: Option<bool>,
        /// Patterns of the models that may be chosen: up to 1024, each of up to 1024 characters, together
        /// of up to 65 536.
        allowed_models: Vec<String>,
        /// Patterns of those that may not; the same limits.
        excluded_models: Vec<String>,
        /// How much they may cost.
        cost_tier: Option<CostTier>,
        /// 0 to 10, from the cheapest to the best; deprecated.
        cost_quality_tradeoff: Option<f64>,
        /// Whether a conversation keeps to its first model.
        pin_model: Option<bool>,
    }
}

record! {
    /// A model is chosen for the request, in the making.
    pub struct AutoBetaRouterPlugin {
        /// Whether it is on; true by default.
        enabled: Option<bool>,
        /// As of [`AutoRouterPlugin`].
        allowed_models: Vec<String>,
        /// As of [`AutoRouterPlugin`].
        excluded_models: Vec<String>,
        /// How much they may cost.
        cost_tier: Option<CostTier>,
        /// 0 to 10, from the cheapest to the best; deprecated.
        cost_quality_tradeoff: Option<f64>,
    }
}

words! {
    /// How much a model may cost.
    pub enum CostTier {
        /// Little.
        Low = "low",
        /// Some.
        Medium = "medium",
        /// Much.
        High = "high",
        /// Very much.
        Xhigh = "xhigh",
        /// Anything.
        Max = "max",
    }
}

record! {
    /// The cheapest model that is good enough is chosen.
    pub struct ParetoRouterPlugin {
        /// Whether it is on; true by default.
        enabled: Option<bool>,
        /// How good at code, from 0 to 1.
        min_coding_score: Option<f64>,
        /// The most that it may cost, 0 or more.
        max_price: Option<Usd>,
        /// Which price that is: `prompt` or `weighted_avg`.
        price_source: Option<String>,
    }
}

record! {
    /// Several models are asked, and their answers made one.
    pub struct FusionPlugin {
        /// Whether it is on; true by default.
        enabled: Option<bool>,
        /// `general-high`, `general-budget`, `general-fast`.
        preset: Option<String>,
        /// The models that are asked, 1 to 8.
        analysis_models: Vec<String>,
        /// The model that makes one answer of theirs.
        model: Option<String>,
        /// How often they may call tools, 1 to 16; 4 by default.
        max_tool_calls: Option<u64>,
        /// The tools, up to 8, as objects with a `type`.
        tools: Vec<Value>,
    }
}

hide!(WebPlugin, ApproximateLocation);
