//! Reasoning in OpenRouter's structured form.

use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::lenient::Tolerant;

/// One block of a model's reasoning: its fields as they came, with views of those that are known.
///
/// Providers check that the blocks come back unchanged and in order, so nothing is dropped.
///
/// ```
/// use tamis_wire::{ReasoningDetail, ReasoningDetailKind};
///
/// let detail: ReasoningDetail =
///     serde_json::from_str(r#"{"type":"reasoning.summary","summary":"Adding.","index":0}"#)?;
/// assert_eq!(detail.kind(), ReasoningDetailKind::Summary);
/// assert_eq!(detail.text(), Some("Adding."));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct ReasoningDetail(Map<String, Value>);

/// The types of reasoning blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReasoningDetailKind {
    /// `reasoning.text`: plain reasoning, perhaps with a signature.
    Text,
    /// `reasoning.summary`: a summary of it.
    Summary,
    /// `reasoning.encrypted`: readable by the provider only.
    Encrypted,
    /// `reasoning.server_tool_call`: a tool that ran on the server while the model thought.
    ServerToolCall,
    /// A type that is not known here.
    Unknown,
}

impl ReasoningDetail {
    /// Its type.
    pub fn kind(&self) -> ReasoningDetailKind {
        match self.kind_name() {
            "reasoning.text" => ReasoningDetailKind::Text,
            "reasoning.summary" => ReasoningDetailKind::Summary,
            "reasoning.encrypted" => ReasoningDetailKind::Encrypted,
            "reasoning.server_tool_call" => ReasoningDetailKind::ServerToolCall,
            _ => ReasoningDetailKind::Unknown,
        }
    }

    /// Its type, as the server spells it.
    pub fn kind_name(&self) -> &str {
        self.str("type").unwrap_or_default()
    }

    /// Its text, or its summary.
    pub fn text(&self) -> Option<&str> {
        match self.kind() {
            ReasoningDetailKind::Text => self.str("text"),
            ReasoningDetailKind::Summary => self.str("summary"),
            _ => None,
        }
    }

    /// The provider's signature over the text.
    pub fn signature(&self) -> Option<&str> {
        self.str("signature")
    }

    /// The encrypted block.
    pub fn data(&self) -> Option<&str> {
        self.str("data")
    }

    /// The format, such as `anthropic-claude-v1`.
    pub fn format(&self) -> Option<&str> {
        self.str("format")
    }

    /// The block's id.
    pub fn id(&self) -> Option<&str> {
        self.str("id")
    }

    /// The block's number.
    pub fn index(&self) -> Option<u64> {
        self.0.get("index")?.as_u64()
    }

    /// All its fields.
    pub fn fields(&self) -> &Map<String, Value> {
        &self.0
    }

    fn str(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str()
    }

    /// Whether `more` is a later fragment of this block: same type, and neither the index nor the
    /// id says otherwise.
    fn continues_with(&self, more: &Self) -> bool {
        let same_id = match (self.id(), more.id()) {
            (Some(id), Some(other)) => id == other,
            _ => true,
        };
        self.kind_name() == more.kind_name() && self.index() == more.index() && same_id
    }

    /// Adds a fragment to the block it belongs to, or begins a new one.
    ///
    /// A fragment with an index may belong to any earlier block; one without continues the last.
    pub(crate) fn merge_into(details: &mut Vec<Self>, more: &Self) {
        let place = if more.index().is_some() {
            details
                .iter_mut()
                .rev()
                .find(|detail| detail.continues_with(more))
        } else {
            details.last_mut().filter(|last| {
                last.continues_with(more) && more.kind() != ReasoningDetailKind::Unknown
            })
        };
        match place {
            Some(detail) => detail.extend(more),
            None => details.push(more.clone()),
        }
    }

    fn extend(&mut self, more: &Self) {
        for (name, value) in &more.0 {
            match (self.0.get_mut(name), value) {
                (_, Value::Null) => {}
                (Some(Value::String(text)), Value::String(more)) if is_streamed(name) => {
                    text.push_str(more);
                }
                _ => {
                    self.0.insert(name.clone(), value.clone());
                }
            }
        }
    }
}

/// The fields that come in pieces; the others are repeated, or come once.
fn is_streamed(field: &str) -> bool {
    matches!(
        field,
        "text" | "summary" | "data" | "signature" | "arguments" | "result"
    )
}

/// Type, index and id, not what was thought.
impl fmt::Debug for ReasoningDetail {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ReasoningDetail")
            .field("type", &self.kind_name())
            .field("index", &self.index())
            .field("id", &self.id())
            .finish_non_exhaustive()
    }
}

impl<'de> Tolerant<'de> for ReasoningDetail {
    fn from_map<A: serde::de::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        Ok(match <Option<Value> as Tolerant>::from_map(map)? {
            Some(Value::Object(fields)) => Self(fields),
            _ => Self::default(),
        })
    }
}

impl<'de> serde::Deserialize<'de> for ReasoningDetail {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::lenient::object(deserializer)
    }
}
