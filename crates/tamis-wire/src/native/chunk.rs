//! Chunks made of another protocol's events.

use std::borrow::Cow;

use serde_json::Value;

use super::Fields;
use crate::chunk::{Chunk, ChunkChoice, Delta, DeltaContent, FunctionDelta, ToolCallDelta};
use crate::completion::{Arguments, Completion, Usage};
use crate::extra::Extra;
use crate::finish_reason::FinishReason;

fn of(delta: Delta<'static>) -> Chunk<'static> {
    Chunk {
        choices: vec![ChunkChoice {
            index: Some(0),
            delta,
            ..ChunkChoice::default()
        }],
        ..Chunk::default()
    }
}

/// New texts; none where there is none.
pub(crate) fn texts(texts: Texts) -> Option<Chunk<'static>> {
    if texts == Texts::default() {
        return None;
    }
    let own = |text: String| (!text.is_empty()).then_some(Cow::Owned(text));
    Some(of(Delta {
        content: own(texts.content).map(DeltaContent::Text),
        refusal: own(texts.refusal),
        reasoning: own(texts.reasoning),
        ..Delta::default()
    }))
}

/// The texts of an answer.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Texts {
    pub(crate) content: String,
    pub(crate) refusal: String,
    pub(crate) reasoning: String,
}

impl Texts {
    /// How many bytes they have.
    pub(crate) fn len(&self) -> usize {
        self.content.len() + self.refusal.len() + self.reasoning.len()
    }

    /// What is new since `old`, and whether anything of it was said otherwise before.
    pub(crate) fn since(self, old: &Self) -> (Self, bool) {
        let mut corrected = false;
        let mut more = |new: String, old: &str| {
            let more = new.strip_prefix(old);
            corrected |= more.is_none();
            more.unwrap_or_default().to_owned()
        };
        let new = Self {
            content: more(self.content, &old.content),
            refusal: more(self.refusal, &old.refusal),
            reasoning: more(self.reasoning, &old.reasoning),
        };
        (new, corrected)
    }
}

/// A tool call begins; `arguments` is what is known of them.
pub(crate) fn call(index: u64, id: Option<&str>, name: &str, arguments: &str) -> Chunk<'static> {
    of(Delta {
        tool_calls: vec![ToolCallDelta {
            index: Some(index),
            id: id.map(|id| Cow::Owned(id.to_owned())),
            kind: Some(Cow::Borrowed("function")),
            function: FunctionDelta {
                name: Some(Cow::Owned(name.to_owned())),
                arguments: Arguments::from(arguments),
                extra: Extra::default(),
            },
            extra: Extra::default(),
        }],
        ..Delta::default()
    })
}

/// More of a tool call's arguments.
pub(crate) fn arguments(index: u64, text: String) -> Chunk<'static> {
    of(Delta {
        tool_calls: vec![ToolCallDelta {
            index: Some(index),
            function: FunctionDelta {
                arguments: Arguments::Text(text),
                ..FunctionDelta::default()
            },
            ..ToolCallDelta::default()
        }],
        ..Delta::default()
    })
}

/// Who answers.
pub(crate) fn header(completion: &Completion) -> Chunk<'static> {
    let own = |text: &Option<String>| text.clone().map(Cow::Owned);
    Chunk {
        id: own(&completion.id),
        object: Some(Cow::Borrowed("chat.completion.chunk")),
        created: completion.created.clone(),
        model: own(&completion.model),
        provider: own(&completion.provider),
        service_tier: own(&completion.service_tier),
        usage: completion.usage.clone().map(Box::new),
        ..Chunk::default()
    }
}

/// Why it ended, and what it used.
pub(crate) fn end(
    finish: Option<FinishReason>,
    native: Option<String>,
    usage: Option<Usage>,
) -> Chunk<'static> {
    Chunk {
        choices: vec![ChunkChoice {
            index: Some(0),
            finish_reason: finish,
            native_finish_reason: native.map(Cow::Owned),
            ..ChunkChoice::default()
        }],
        usage: usage.map(Box::new),
        ..Chunk::default()
    }
}

/// An event that has no place in a chunk, as it came, in the extra field `event`.
pub(crate) fn other(event: Fields) -> Chunk<'static> {
    let mut chunk = Chunk::default();
    chunk.extra.insert("event", Value::Object(event));
    chunk
}
