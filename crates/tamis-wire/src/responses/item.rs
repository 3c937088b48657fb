//! An item of a response's output.

use std::fmt;

use serde_json::Value;

use crate::native::{Fields, Object};

/// An item of a response's output: a view of its fields.
#[derive(Clone, Copy, PartialEq)]
pub struct Item<'a>(&'a Fields);

impl<'a> Item<'a> {
    pub(crate) fn new(fields: &'a Fields) -> Self {
        Self(fields)
    }

    /// Its type: `message`, `function_call`, `reasoning`, `web_search_call`, …; empty where it has none.
    pub fn kind(self) -> &'a str {
        self.0.str("type").unwrap_or_default()
    }

    /// Its id.
    pub fn id(self) -> Option<&'a str> {
        self.0.str("id")
    }

    /// `completed`, `incomplete` or `in_progress`.
    pub fn status(self) -> Option<&'a str> {
        self.0.str("status")
    }

    /// The text of a message.
    pub fn text(self) -> String {
        if self.kind() != "message" {
            return String::new();
        }
        self.joined("content", &["output_text", "text"], "text")
    }

    /// The refusal in a message.
    pub fn refusal(self) -> String {
        if self.kind() != "message" {
            return String::new();
        }
        self.joined("content", &["refusal"], "refusal")
    }

    /// The reasoning of a reasoning item: as text where the server shows it, else its summary.
    pub fn reasoning(self) -> String {
        if self.kind() != "reasoning" {
            return String::new();
        }
        let text = self.joined("content", &["reasoning_text", "text"], "text");
        if text.is_empty() {
            self.joined("summary", &["summary_text", "text"], "text")
        } else {
            text
        }
    }

    /// The name of the function or tool that the caller is to carry out.
    pub fn call_name(self) -> Option<&'a str> {
        matches!(self.kind(), "function_call" | "custom_tool_call")
            .then(|| self.0.str("name").unwrap_or_default())
    }

    /// All its fields.
    pub fn fields(self) -> &'a Fields {
        self.0
    }

    fn joined(self, list: &str, kinds: &[&str], name: &str) -> String {
        self.0
            .array(list)
            .iter()
            .filter_map(Value::as_object)
            .filter(|part| part.str("type").is_some_and(|kind| kinds.contains(&kind)))
            .filter_map(|part| part.str(name))
            .collect()
    }
}

/// What kind, not what it says.
impl fmt::Debug for Item<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "<{} item>", self.kind())
    }
}
