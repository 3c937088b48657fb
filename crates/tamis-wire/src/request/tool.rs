//! Tools.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::cache::CacheControl;
use super::macros::{tagged, words};
use super::plugin::UserLocation;
use crate::lenient::Tolerant;
use crate::record::record;

tagged! {
    /// A tool the model may ask for: a function of the caller's, or a tool that OpenRouter runs.
    ///
    /// ```
    /// use tamis_wire::request::{FunctionTool, Tool};
    ///
    /// let lamp: Tool = FunctionTool::new("lamp", serde_json::json!({"type": "object"})).into();
    /// assert_eq!(lamp.kind(), "function");
    /// ```
    pub enum Tool by "type" {
        /// A function that the caller runs.
        Function(FunctionDefinition) = "function",
        /// OpenRouter: searches the web.
        WebSearch(WebSearchTool) = "openrouter:web_search",
        /// OpenRouter: reads pages.
        WebFetch(WebFetchTool) = "openrouter:web_fetch",
        /// OpenRouter: tells the time.
        Datetime(DatetimeTool) = "openrouter:datetime",
    }
}

impl Tool {
    /// Any tool that the server runs, by its type, such as `openrouter:image_generation`; without
    /// parameters where they are empty.
    pub fn server(kind: &str, parameters: Map<String, Value>) -> Self {
        let mut fields = Map::new();
        fields.insert("type".to_owned(), kind.into());
        if !parameters.is_empty() {
            fields.insert("parameters".to_owned(), parameters.into());
        }
        fields.into()
    }

    /// Whether OpenRouter runs it.
    pub(super) fn is_openrouters(&self) -> bool {
        self.kind().starts_with("openrouter:")
    }
}

record! {
    /// A function, as an entry of `tools`.
    pub struct FunctionDefinition {
        /// The function.
        function: FunctionTool,
        /// OpenRouter: what comes before, and this, is to be kept in the provider's cache.
        cache_control: Option<CacheControl>,
    }
}

record! {
    /// A function that the caller runs.
    pub struct FunctionTool {
        /// Letters, digits, `_` and `-`; up to 64 of them.
        name: String,
        /// What it does; the model reads it.
        description: Option<String>,
        /// The schema of its arguments.
        parameters: Option<Value>,
        /// Whether the provider must enforce it.
        strict: Option<bool>,
    }
}

impl FunctionTool {
    /// A function with a schema for its arguments.
    pub fn new(name: impl Into<String>, parameters: Value) -> Self {
        Self {
            name: name.into(),
            parameters: Some(parameters),
            ..Self::default()
        }
    }
}

impl From<FunctionTool> for Tool {
    fn from(function: FunctionTool) -> Self {
        Self::Function(FunctionDefinition {
            function,
            ..FunctionDefinition::default()
        })
    }
}

record! {
    /// OpenRouter: a search of the web.
    pub struct WebSearchTool {
        /// How it searches.
        parameters: Option<WebSearch>,
    }
}

record! {
    /// How the web is searched.
    pub struct WebSearch {
        /// `native`, `exa`, `parallel`, `firecrawl`, `perplexity`, `auto`.
        engine: Option<String>,
        /// How many results for each search; 5 by default.
        max_results: Option<u64>,
        /// How many in all; 50 by default.
        max_total_results: Option<u64>,
        /// How often it may search.
        max_uses: Option<u64>,
        /// How much of each result.
        max_characters: Option<u64>,
        /// Only these; not beside `excluded_domains`.
        allowed_domains: Vec<String>,
        /// Not these.
        excluded_domains: Vec<String>,
        /// How much is read.
        search_context_size: Option<SearchContextSize>,
        /// How thoroughly.
        mode: Option<String>,
        /// Where the user is.
        user_location: Option<UserLocation>,
    }
}

words! {
    /// How much of what was found is read.
    pub enum SearchContextSize {
        /// Little.
        Low = "low",
        /// Some.
        Medium = "medium",
        /// Much.
        High = "high",
    }
}

record! {
    /// OpenRouter: pages are read.
    pub struct WebFetchTool {
        /// How they are read.
        parameters: Option<WebFetch>,
    }
}

record! {
    /// How pages are read.
    pub struct WebFetch {
        /// `auto`, `native`, `openrouter`, `exa`, `parallel`, `firecrawl`.
        engine: Option<String>,
        /// How often it may read.
        max_uses: Option<u64>,
        /// How many tokens of each page.
        max_content_tokens: Option<u64>,
        /// Only these.
        allowed_domains: Vec<String>,
        /// Not these.
        blocked_domains: Vec<String>,
    }
}

record! {
    /// OpenRouter: the time.
    pub struct DatetimeTool {
        /// How it is told.
        parameters: Option<Value>,
    }
}

tagged! {
    /// When the tools that OpenRouter runs are to stop; any one of several is enough.
    pub enum StopCondition by "type" {
        /// So many steps.
        StepCountIs(StepCountIs) = "step_count_is",
        /// A call of this tool.
        HasToolCall(HasToolCall) = "has_tool_call",
        /// So many tokens.
        MaxTokensUsed(MaxTokensUsed) = "max_tokens_used",
        /// So much money.
        MaxCost(MaxCost) = "max_cost",
        /// This finish reason.
        FinishReasonIs(FinishReasonIs) = "finish_reason_is",
    }
}

impl StopCondition {
    /// After so many steps; OpenRouter never takes more than 30.
    pub fn steps(step_count: u64) -> Self {
        Self::StepCountIs(StepCountIs {
            step_count: Some(step_count),
            ..StepCountIs::default()
        })
    }

    /// When this tool is called.
    pub fn tool_call(tool_name: impl Into<String>) -> Self {
        Self::HasToolCall(HasToolCall {
            tool_name: Some(tool_name.into()),
            ..HasToolCall::default()
        })
    }

    /// After so many tokens.
    pub fn tokens(max_tokens: u64) -> Self {
        Self::MaxTokensUsed(MaxTokensUsed {
            max_tokens: Some(max_tokens),
            ..MaxTokensUsed::default()
        })
    }

    /// After so many US dollars.
    pub fn cost(max_cost_in_dollars: f64) -> Self {
        Self::MaxCost(MaxCost {
            max_cost_in_dollars: Some(max_cost_in_dollars),
            ..MaxCost::default()
        })
    }

    /// When the model stops for this reason.
    pub fn finish_reason(reason: impl Into<String>) -> Self {
        Self::FinishReasonIs(FinishReasonIs {
            reason: Some(reason.into()),
            ..FinishReasonIs::default()
        })
    }
}

record! {
    /// After so many steps.
    pub struct StepCountIs {
        /// How many.
        step_count: Option<u64>,
    }
}

record! {
    /// When a tool is called.
    pub struct HasToolCall {
        /// Which.
        tool_name: Option<String>,
    }
}

record! {
    /// After so many tokens.
    pub struct MaxTokensUsed {
        /// How many.
        max_tokens: Option<u64>,
    }
}

record! {
    /// After so much money.
    pub struct MaxCost {
        /// How many US dollars.
        max_cost_in_dollars: Option<f64>,
    }
}

record! {
    /// When the model stops for a reason.
    pub struct FinishReasonIs {
        /// Which.
        reason: Option<String>,
    }
}

/// Whether, and which, tool the model must ask for.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ToolChoice {
    /// None.
    None,
    /// As it sees fit.
    Auto,
    /// At least one.
    Required,
    /// This function.
    Function(String),
    /// This tool of the server's, by its type.
    Server(String),
    /// Anything else.
    Other(Value),
}

impl From<Value> for ToolChoice {
    fn from(value: Value) -> Self {
        let kind = value.get("type").and_then(Value::as_str);
        let name = value.pointer("/function/name").and_then(Value::as_str);
        let choice = match (&value, kind, name) {
            (Value::String(word), ..) if word == "none" => Self::None,
            (Value::String(word), ..) if word == "auto" => Self::Auto,
            (Value::String(word), ..) if word == "required" => Self::Required,
            (Value::Object(_), Some("function"), Some(name)) => Self::Function(name.to_owned()),
            (Value::Object(_), Some(kind), None) if kind != "function" => {
                Self::Server(kind.to_owned())
            }
            _ => return Self::Other(value),
        };
        if serde_json::to_value(&choice).is_ok_and(|written| written == value) {
            choice
        } else {
            Self::Other(value)
        }
    }
}

impl Serialize for ToolChoice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::None => serializer.serialize_str("none"),
            Self::Auto => serializer.serialize_str("auto"),
            Self::Required => serializer.serialize_str("required"),
            Self::Function(name) => {
                json!({"type": "function", "function": {"name": name}}).serialize(serializer)
            }
            Self::Server(kind) => json!({"type": kind}).serialize(serializer),
            Self::Other(value) => value.serialize(serializer),
        }
    }
}

impl<'de> Tolerant<'de> for Option<ToolChoice> {
    fn from_text(text: std::borrow::Cow<'de, str>) -> Self {
        Some(Value::from(text).into())
    }

    fn from_map<A: serde::de::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        Ok(<Option<Value> as Tolerant>::from_map(map)?.map(ToolChoice::from))
    }
}
