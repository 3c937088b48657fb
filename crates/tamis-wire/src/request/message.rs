//! Messages of a request.

use serde::Serialize;
use serde_json::Value;

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Role {
    /// Instructions.
    System,
    /// Instructions, under the name that newer models use.
    Developer,
    /// The user.
    User,
    /// The model.
    Assistant,
    /// A tool's result.
    Tool,
}

/// One message of a request.
#[derive(Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct InputMessage {
    /// Who speaks.
    pub role: Role,
    /// What they say; none is allowed beside tool calls only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<InputContent>,
    /// Who of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Which call a tool's result answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// The tools that the model asked for in an earlier turn.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<Value>,
    /// The model's reasoning of an earlier turn, unchanged.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasoning_details: Vec<Value>,
}

impl InputMessage {
    /// A message of a role.
    pub fn new(role: Role, content: impl Into<InputContent>) -> Self {
        Self {
            role,
            content: Some(content.into()),
            name: None,
            tool_call_id: None,
            tool_calls: Vec::new(),
            reasoning_details: Vec::new(),
        }
    }

    /// Instructions.
    pub fn system(content: impl Into<InputContent>) -> Self {
        Self::new(Role::System, content)
    }

    /// The user's words.
    pub fn user(content: impl Into<InputContent>) -> Self {
        Self::new(Role::User, content)
    }

    /// The model's words, of an earlier turn.
    pub fn assistant(content: impl Into<InputContent>) -> Self {
        Self::new(Role::Assistant, content)
    }

    /// A tool's result.
    pub fn tool(call_id: impl Into<String>, content: impl Into<InputContent>) -> Self {
        Self {
            tool_call_id: Some(call_id.into()),
            ..Self::new(Role::Tool, content)
        }
    }
}

/// The role only: prompts are not printed.
impl std::fmt::Debug for InputMessage {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("InputMessage")
            .field("role", &self.role)
            .finish_non_exhaustive()
    }
}

/// Text, or parts such as images, as JSON.
#[derive(Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum InputContent {
    /// Text.
    Text(String),
    /// Parts.
    Parts(Vec<Value>),
}

impl std::fmt::Debug for InputContent {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(text) => write!(formatter, "<{} bytes of text>", text.len()),
            Self::Parts(parts) => write!(formatter, "<{} parts>", parts.len()),
        }
    }
}

impl From<&str> for InputContent {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for InputContent {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&String> for InputContent {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<Vec<Value>> for InputContent {
    fn from(parts: Vec<Value>) -> Self {
        Self::Parts(parts)
    }
}
