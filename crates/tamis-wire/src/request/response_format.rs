//! The form of the answer.

use serde::Serialize;
use serde_json::Value;

/// The form of the answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ResponseFormat {
    /// Text.
    Text,
    /// Some JSON object; the prompt must ask for JSON too.
    JsonObject,
    /// JSON that conforms to a schema.
    JsonSchema {
        /// The schema.
        json_schema: JsonSchemaFormat,
    },
}

/// A named schema for the answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct JsonSchemaFormat {
    /// Letters, digits, `_` and `-`; 1 to 64 of them.
    pub name: String,
    /// What it is for; the model reads it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether the provider must enforce it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strict: Option<bool>,
    /// The schema.
    pub schema: Value,
}

impl JsonSchemaFormat {
    /// A schema that the provider must enforce.
    pub fn strict(name: impl Into<String>, schema: Value) -> Self {
        Self {
            name: name.into(),
            description: None,
            strict: Some(true),
            schema,
        }
    }
}

impl From<JsonSchemaFormat> for ResponseFormat {
    fn from(json_schema: JsonSchemaFormat) -> Self {
        Self::JsonSchema { json_schema }
    }
}
