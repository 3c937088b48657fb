//! By which means a model is told of a schema.

use std::fmt;
use std::str::FromStr;

/// By which means a model is told of a schema.
///
/// Not every endpoint knows `json_schema`. What is used instead is never chosen in silence: it is
/// set by the caller ([`Chat::schema_mode`](crate::Chat::schema_mode)), by hand or from what an endpoint says it supports
/// ([`SchemaMode::for_parameters`]), and every answer says which it was. The answer is checked
/// against the schema on this side in each of them.
///
/// ```
/// use tamis::SchemaMode;
///
/// let supported = ["max_tokens", "tools", "tool_choice"];
/// assert_eq!(SchemaMode::for_parameters(supported), Some(SchemaMode::Tool));
/// assert_eq!(SchemaMode::for_parameters(["max_tokens"]), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SchemaMode {
    /// `response_format` with the schema, for the provider to enforce.
    #[default]
    JsonSchema,
    /// A single tool whose arguments are the answer, and which the model has to call.
    Tool,
    /// `response_format` that asks for some JSON object, with the schema in the instructions.
    JsonObject,
    /// The schema in the instructions, and nothing else.
    Prompt,
}

impl SchemaMode {
    /// Every mode, the one that enforces most first.
    pub const ALL: [Self; 4] = [Self::JsonSchema, Self::Tool, Self::JsonObject, Self::Prompt];

    /// The mode that enforces most of those an endpoint supports, by its `supported_parameters` as
    /// the catalogue lists them. None where it lists none of what any mode but [`SchemaMode::Prompt`]
    /// needs.
    pub fn for_parameters<S: AsRef<str>>(supported: impl IntoIterator<Item = S>) -> Option<Self> {
        let (mut structured, mut format, mut tools, mut choice) = (false, false, false, false);
        for parameter in supported {
            match parameter.as_ref() {
                "structured_outputs" => structured = true,
                "response_format" => format = true,
                "tools" => tools = true,
                "tool_choice" => choice = true,
                _ => {}
            }
        }
        if structured {
            Some(Self::JsonSchema)
        } else if tools && choice {
            Some(Self::Tool)
        } else if format {
            Some(Self::JsonObject)
        } else {
            None
        }
    }

    /// Whether the provider may be made to keep to the schema, which then has to fit its dialect.
    pub(super) const fn is_enforced(self) -> bool {
        matches!(self, Self::JsonSchema | Self::Tool)
    }

    /// Its name: `json-schema`, `tool`, `json-object`, `prompt`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::JsonSchema => "json-schema",
            Self::Tool => "tool",
            Self::JsonObject => "json-object",
            Self::Prompt => "prompt",
        }
    }
}

impl fmt::Display for SchemaMode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl FromStr for SchemaMode {
    type Err = UnknownMode;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|mode| mode.as_str() == name)
            .ok_or(UnknownMode(()))
    }
}

/// A name that is no [`SchemaMode`]'s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownMode(());

impl fmt::Display for UnknownMode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a schema mode is json-schema, tool, json-object or prompt")
    }
}

impl std::error::Error for UnknownMode {}

#[cfg(test)]
mod tests {
    use super::SchemaMode;

    #[test]
    fn names_are_read_back() {
        for mode in SchemaMode::ALL {
            assert_eq!(mode.to_string().parse(), Ok(mode));
        }
        assert!("json".parse::<SchemaMode>().is_err());
    }

    #[test]
    fn the_one_that_enforces_most_is_taken() {
        let rows: [(&[&str], Option<SchemaMode>); 5] = [
            (
                &[
                    "response_format",
                    "tools",
                    "tool_choice",
                    "structured_outputs",
                ],
                Some(SchemaMode::JsonSchema),
            ),
            (
                &["tool_choice", "response_format", "tools"],
                Some(SchemaMode::Tool),
            ),
            // A tool that cannot be forced is one that may not be called.
            (&["tools", "response_format"], Some(SchemaMode::JsonObject)),
            (&["tools"], None),
            (&[], None),
        ];
        for (supported, expected) in rows {
            assert_eq!(
                SchemaMode::for_parameters(supported),
                expected,
                "{supported:?}"
            );
        }
    }
}
