//! A chat-completions request.

mod check;
mod message;
mod provider;
mod response_format;
mod tool;

use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value};

pub use check::check_json;
pub use message::{InputContent, InputMessage, Role};
pub use provider::{DataCollection, ProviderPreferences, Sort};
pub use response_format::{JsonSchemaFormat, ResponseFormat};
pub use tool::{FunctionTool, Tool, ToolChoice};

/// A chat-completions request, field by field as OpenRouter documents it.
///
/// What is `None` or empty is not sent, so that the provider's own default applies. Anything that
/// has no field here can be added to `extra`.
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
#[derive(Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ChatRequest {
    /// The model, as `author/slug` on OpenRouter.
    pub model: String,
    /// OpenRouter: models to fall back on, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<String>,
    /// The conversation; at least one message.
    pub messages: Vec<InputMessage>,
    /// Whether the answer comes as a stream.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stream: bool,
    /// Whether a stream on a server that is not OpenRouter ends with its usage.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream_options: Option<StreamOptions>,
    /// At most so many tokens out; at least 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_completion_tokens: Option<u64>,
    /// The older name of the same limit, which some servers know only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// 0 to 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    /// 0 or more; 0 is off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_k: Option<u64>,
    /// 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_a: Option<f64>,
    /// 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_p: Option<f64>,
    /// -2 to 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frequency_penalty: Option<f64>,
    /// -2 to 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presence_penalty: Option<f64>,
    /// 0 to 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repetition_penalty: Option<f64>,
    /// The same seed gives, at best, the same answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<i64>,
    /// Texts that end the answer; at most four.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stop: Vec<String>,
    /// Biases by token id.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub logit_bias: Map<String, Value>,
    /// Whether log probabilities come with the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logprobs: Option<bool>,
    /// How many alternatives for each token; 0 to 20, and only with `logprobs`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_logprobs: Option<u64>,
    /// The tools the model may ask for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<Tool>,
    /// Whether, and which, tool it must ask for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_choice: Option<ToolChoice>,
    /// Whether it may ask for several at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parallel_tool_calls: Option<bool>,
    /// The form of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_format: Option<ResponseFormat>,
    /// OpenRouter: how much the model thinks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<Value>,
    /// OpenRouter: which providers may serve it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<ProviderPreferences>,
    /// OpenRouter: plugins.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub plugins: Vec<Value>,
    /// OpenRouter: keeps a conversation at one provider; at most 256 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// Your end user's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// At most 16 pairs; keys up to 64 characters, values up to 512.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
    /// Anything else.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
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

/// What a stream adds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct StreamOptions {
    /// Whether it ends with its usage.
    pub include_usage: bool,
}

impl StreamOptions {
    /// Usage at the end.
    pub fn with_usage() -> Self {
        Self {
            include_usage: true,
        }
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

    /// Leaves out the fields that only OpenRouter knows, which strict servers refuse.
    pub fn strip_openrouter_fields(&mut self) {
        self.models.clear();
        self.provider = None;
        self.plugins.clear();
        self.reasoning = None;
        self.session_id = None;
    }
}
