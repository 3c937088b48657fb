//! `OpenAI`'s Responses protocol: the body, its items, and the events of a stream.
//!
//! A [`Response`] keeps every field as it came, with views of those that are known; items and events of
//! types that are not known here are kept too. Source of the shapes: OpenRouter's documentation of
//! `/responses`, 2026, and recordings of vLLM, llama.cpp and `LiteLLM`.

mod complete;
mod event;
mod fold;
mod item;

use std::fmt;

use serde::Serialize;
use serde_json::Value;

pub(crate) use complete::{money, read_arguments};
pub use event::{Event, Piece, Place};
pub(crate) use fold::ResponseFold;
pub use item::Item;

use crate::completion::Usage;
use crate::error::ApiError;
use crate::native::{Fields, Object};

/// A response, field by field as it came.
///
/// ```
/// use tamis_wire::responses::Response;
///
/// let response: Response = serde_json::from_str(r#"{"id":"resp_1","status":"completed","output":[
///     {"type":"message","content":[{"type":"output_text","text":"Hello"}]}],"novel":1}"#)?;
/// assert_eq!(response.text(), "Hello");
/// assert_eq!(response.fields()["novel"], 1);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Default, PartialEq, Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Response(Fields);

impl From<Fields> for Response {
    fn from(fields: Fields) -> Self {
        Self(fields)
    }
}

impl Response {
    /// Its id: `resp_…`, on OpenRouter `gen-…`.
    pub fn id(&self) -> Option<&str> {
        self.0.str("id")
    }

    /// `completed`, `incomplete`, `failed`, `cancelled`, or one that is not over yet.
    pub fn status(&self) -> Option<&str> {
        self.0.str("status")
    }

    /// The model that answered.
    pub fn model(&self) -> Option<&str> {
        self.0.str("model")
    }

    /// What the model gave: messages, calls, reasoning, and what else there may be.
    pub fn output(&self) -> impl Iterator<Item = Item<'_>> {
        self.0
            .array("output")
            .iter()
            .filter_map(Value::as_object)
            .map(Item::new)
    }

    /// The text of all its messages.
    pub fn text(&self) -> String {
        self.output().map(Item::text).collect()
    }

    /// Why an incomplete one is: `max_output_tokens`, `content_filter`, …
    pub fn incomplete_reason(&self) -> Option<&str> {
        self.0.object("incomplete_details")?.str("reason")
    }

    /// What went wrong, with OpenRouter's `error_type` where it stands beside it.
    pub fn error(&self) -> Option<ApiError> {
        self.0.get("error").filter(|error| !error.is_null())?;
        ApiError::from_value(&Value::Object(
            ["error", "error_type"]
                .iter()
                .filter_map(|name| Some(((*name).to_owned(), self.0.get(*name)?.clone())))
                .collect(),
        ))
    }

    /// What it used, under the names of chat completions.
    pub fn usage(&self) -> Option<Usage> {
        complete::usage(self.0.object("usage")?)
    }

    /// All its fields.
    pub fn fields(&self) -> &Fields {
        &self.0
    }

    pub(crate) fn fields_mut(&mut self) -> &mut Fields {
        &mut self.0
    }
}

/// Which one, not what it says.
impl fmt::Debug for Response {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Response")
            .field("id", &self.id())
            .field("status", &self.status())
            .field("output", &self.output().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}
