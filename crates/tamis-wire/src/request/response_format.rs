//! The form of the answer.

use serde_json::Value;

use super::macros::tagged;
use crate::record::record;

tagged! {
    /// The form of the answer.
    pub enum ResponseFormat by "type" {
        /// Text.
        Text(TextFormat) = "text",
        /// Some JSON object; the prompt must ask for JSON too.
        JsonObject(JsonObjectFormat) = "json_object",
        /// JSON that conforms to a schema.
        JsonSchema(SchemaFormat) = "json_schema",
        /// Text of a grammar, such as GBNF; few providers take it.
        Grammar(GrammarFormat) = "grammar",
        /// Python; few providers take it.
        Python(PythonFormat) = "python",
    }
}

impl ResponseFormat {
    /// Text.
    pub fn text() -> Self {
        TextFormat::default().into()
    }

    /// Some JSON object; the prompt must ask for JSON too.
    pub fn json_object() -> Self {
        JsonObjectFormat::default().into()
    }

    /// Text of a grammar.
    pub fn grammar(grammar: impl Into<String>) -> Self {
        Self::Grammar(GrammarFormat {
            grammar: grammar.into(),
            ..GrammarFormat::default()
        })
    }

    /// Python.
    pub fn python() -> Self {
        PythonFormat::default().into()
    }
}

record! {
    /// Text.
    pub struct TextFormat {}
}

record! {
    /// Some JSON object.
    pub struct JsonObjectFormat {}
}

record! {
    /// JSON that conforms to a schema.
    pub struct SchemaFormat {
        /// The schema.
        json_schema: JsonSchemaFormat,
    }
}

record! {
    /// Text of a grammar.
    pub struct GrammarFormat {
        /// The grammar.
        grammar: String,
    }
}

record! {
    /// Python.
    pub struct PythonFormat {}
}

record! {
    /// A named schema for the answer.
    pub struct JsonSchemaFormat {
        /// Letters, digits, `_` and `-`; 1 to 64 of them.
        name: String,
        /// What it is for; the model reads it.
        description: Option<String>,
        /// Whether the provider must enforce it.
        strict: Option<bool>,
        /// The schema.
        schema: Option<Value>,
    }
}

impl JsonSchemaFormat {
    /// A schema that the provider must enforce.
    pub fn strict(name: impl Into<String>, schema: Value) -> Self {
        Self {
            name: name.into(),
            strict: Some(true),
            schema: Some(schema),
            ..Self::default()
        }
    }
}

impl From<JsonSchemaFormat> for ResponseFormat {
    fn from(json_schema: JsonSchemaFormat) -> Self {
        Self::JsonSchema(SchemaFormat {
            json_schema,
            ..SchemaFormat::default()
        })
    }
}
