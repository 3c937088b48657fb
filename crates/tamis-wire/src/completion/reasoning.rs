//! Reasoning in OpenRouter's structured form.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::lenient::Tolerant;
use crate::lossless::{Object, Written};

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

    /// The same block with another text in one field.
    pub(crate) fn with(&self, name: &str, text: String) -> Self {
        let mut fields = self.0.clone();
        if let Some(value) = fields.get_mut(name) {
            *value = Value::String(text);
        }
        Self(fields)
    }

    fn str(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str()
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

/// Where the block of each index and type is, while a stream is folded.
///
/// A fragment with an index may belong to any earlier block, and one without continues the last; an
/// id that differs makes it another block. A block of a type that is not known here is never added
/// to: which of its fields come in pieces is not known either.
#[derive(Debug, Default)]
pub(crate) struct ReasoningPlaces {
    last: BTreeMap<(u64, String), usize>,
    by_id: BTreeMap<(u64, String, String), usize>,
}

impl ReasoningPlaces {
    /// Adds a fragment to the block it belongs to, or begins a new one.
    pub(crate) fn merge(&mut self, details: &mut Vec<ReasoningDetail>, more: &ReasoningDetail) {
        let place = self.find(details, more);
        if let Some(detail) = place.and_then(|place| details.get_mut(place)) {
            detail.extend(more);
        } else {
            details.push(more.clone());
        }
        let Some(index) = more.index() else { return };
        let place = place.unwrap_or(details.len() - 1);
        let kind = more.kind_name().to_owned();
        if let Some(id) = details.get(place).and_then(ReasoningDetail::id) {
            self.by_id
                .insert((index, kind.clone(), id.to_owned()), place);
        }
        self.last.insert((index, kind), place);
    }

    fn find(&self, details: &[ReasoningDetail], more: &ReasoningDetail) -> Option<usize> {
        if more.kind() == ReasoningDetailKind::Unknown {
            return None;
        }
        let fits = |place: &usize| {
            details.get(*place).is_some_and(|detail| {
                detail.kind_name() == more.kind_name()
                    && detail.index() == more.index()
                    && match (detail.id(), more.id()) {
                        (Some(id), Some(other)) => id == other,
                        _ => true,
                    }
            })
        };
        let Some(index) = more.index() else {
            return details.len().checked_sub(1).filter(fits);
        };
        let kind = more.kind_name().to_owned();
        let same_id = more.id().and_then(|id| {
            self.by_id
                .get(&(index, kind.clone(), id.to_owned()))
                .copied()
        });
        same_id.or_else(|| self.last.get(&(index, kind)).copied().filter(fits))
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

impl Written<'_> for ReasoningDetail {
    const MAP: bool = true;
}

impl Object<'_> for ReasoningDetail {}

impl<'de> serde::Deserialize<'de> for ReasoningDetail {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::lenient::object(deserializer)
    }
}
