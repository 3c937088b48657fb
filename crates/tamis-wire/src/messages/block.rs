//! A block of a message's content.

use std::fmt;

use serde_json::Value;

use crate::native::{Fields, Object};

/// A block of a message's content: a view of its fields.
#[derive(Clone, Copy, PartialEq)]
pub struct Block<'a>(&'a Fields);

impl<'a> Block<'a> {
    pub(crate) fn new(fields: &'a Fields) -> Self {
        Self(fields)
    }

    /// Its type: `text`, `thinking`, `tool_use`, `server_tool_use`, …; empty where it has none.
    pub fn kind(self) -> &'a str {
        self.0.str("type").unwrap_or_default()
    }

    /// The text of a text block.
    pub fn text(self) -> Option<&'a str> {
        (self.kind() == "text").then(|| self.0.str("text"))?
    }

    /// The thinking of a thinking block.
    pub fn thinking(self) -> Option<&'a str> {
        (self.kind() == "thinking").then(|| self.0.str("thinking"))?
    }

    /// The name of the tool that the caller is to carry out.
    pub fn call_name(self) -> Option<&'a str> {
        (self.kind() == "tool_use").then(|| self.0.str("name").unwrap_or_default())
    }

    /// A tool call's input. In a stream that broke off in the middle of it, the text of what came.
    pub fn input(self) -> Option<&'a Value> {
        self.0.get("input")
    }

    /// All its fields.
    pub fn fields(self) -> &'a Fields {
        self.0
    }
}

/// What kind, not what it says.
impl fmt::Debug for Block<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "<{} block>", self.kind())
    }
}
