//! Tools.

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// A tool the model may ask for.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Tool {
    /// A function that the caller runs.
    Function {
        /// The function.
        function: FunctionTool,
    },
    /// A tool that the server runs, or any other, as JSON with its `type`.
    #[serde(untagged)]
    Other(Value),
}

/// A function that the caller runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FunctionTool {
    /// Letters, digits, `_` and `-`; up to 64 of them.
    pub name: String,
    /// What it does; the model reads it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The schema of its arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Value>,
    /// Whether the provider must enforce it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strict: Option<bool>,
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
        Self::Function { function }
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
        }
    }
}
