//! Folding one choice.

use std::borrow::Cow;

use serde_json::Value;

use super::cumulative::{Cumulative, Verdict};
use super::tool_calls::ToolCallFold;
use super::{FoldNote, append};
use crate::chunk::{ChunkChoice, Delta, DeltaContent};
use crate::completion::{Audio, Choice, Content, Logprobs, Message, ReasoningPlaces};
use crate::finish_reason::FinishReason;

/// Below this many bytes a repeated text is more likely meant than replayed.
const REPLAY_BYTES: usize = 8;

#[derive(Debug)]
pub(super) struct ChoiceFold {
    pub(super) index: u64,
    pub(super) choice: Choice,
    message: Message,
    tool_calls: ToolCallFold,
    reasoning_places: ReasoningPlaces,
    cumulative: Cumulative,
    /// A delta brought something, so a whole message can only repeat it.
    streamed: bool,
    /// Something came after the finish reason, which was premature then.
    reopened: bool,
}

impl ChoiceFold {
    pub(super) fn new(index: u64) -> Self {
        Self {
            index,
            choice: Choice {
                index: Some(index),
                ..Choice::default()
            },
            message: Message::default(),
            tool_calls: ToolCallFold::default(),
            reasoning_places: ReasoningPlaces::default(),
            cumulative: Cumulative::default(),
            streamed: false,
            reopened: false,
        }
    }

    pub(super) fn push(
        &mut self,
        more: &ChunkChoice<'_>,
        replay_guard: bool,
        notes: &mut Vec<FoldNote>,
    ) {
        let ended_before = self.choice.finish().is_some();
        let ends_now = more
            .finish_reason
            .as_ref()
            .is_some_and(|reason| !reason.is_blank());
        self.reopened =
            !ends_now && (self.reopened || (ended_before && more.delta.is_meaningful()));
        if more.is_message {
            if !self.streamed {
                self.push_delta(&more.delta, replay_guard, notes);
            }
        } else {
            self.streamed = self.streamed || more.delta.is_meaningful();
            self.push_delta(&more.delta, replay_guard, notes);
        }
        let choice = &mut self.choice;
        if let Some(reason) = more
            .finish_reason
            .as_ref()
            .filter(|reason| !reason.is_blank())
        {
            choice.finish_reason = Some(reason.clone());
        }
        if let Some(native) = more
            .native_finish_reason
            .as_ref()
            .filter(|native| !native.is_empty())
        {
            choice.native_finish_reason = Some(native.clone().into_owned());
        }
        if let Some(logprobs) = &more.logprobs {
            choice
                .logprobs
                .get_or_insert_with(Logprobs::default)
                .merge(logprobs);
        }
        if choice.error.is_none() {
            choice.error.clone_from(&more.error);
        }
        if !more.extra.is_empty() {
            choice.extra.merge(&more.extra);
        }
    }

    fn push_delta(&mut self, delta: &Delta<'_>, replay_guard: bool, notes: &mut Vec<FoldNote>) {
        if let Some(content) = &delta.content {
            self.push_content(content, replay_guard, notes);
        }
        let message = &mut self.message;
        super::first(&mut message.role, delta.role.as_ref());
        append(&mut message.refusal, delta.refusal.as_deref());
        append(&mut message.reasoning, delta.reasoning.as_deref());
        append(
            &mut message.reasoning_content,
            delta.reasoning_content.as_deref(),
        );
        for detail in &delta.reasoning_details {
            self.reasoning_places
                .merge(&mut message.reasoning_details, detail);
        }
        for fragment in &delta.tool_calls {
            self.tool_calls.push(fragment);
        }
        message.annotations.extend_from_slice(&delta.annotations);
        message.images.extend_from_slice(&delta.images);
        if let Some(audio) = &delta.audio {
            message
                .audio
                .get_or_insert_with(Audio::default)
                .merge(audio);
        }
        if !delta.extra.is_empty() {
            merge_unknown(message, delta);
        }
    }

    fn push_content(
        &mut self,
        more: &DeltaContent<'_>,
        replay_guard: bool,
        notes: &mut Vec<FoldNote>,
    ) {
        match (&mut self.message.content, more) {
            (None, more) => {
                if let DeltaContent::Text(text) = more {
                    self.cumulative.begin(text);
                }
                self.message.content = Some(more.to_content());
            }
            (Some(Content::Text(text)), DeltaContent::Text(more)) => {
                if replay_guard && more.len() >= REPLAY_BYTES && **text == **more {
                    notes.push(FoldNote::ReplayDropped);
                } else {
                    match self.cumulative.push(text, more) {
                        Verdict::Nothing => {}
                        Verdict::Replaces => notes.push(FoldNote::CumulativeText),
                        Verdict::Appends => {
                            notes.retain(|note| *note != FoldNote::CumulativeText);
                        }
                    }
                }
            }
            (Some(content), more) => content.merge(&more.to_content()),
        }
    }

    pub(super) fn text(&self) -> Option<Cow<'_, str>> {
        self.message.text()
    }

    /// Whether more came after it had said why it ended, so that only the end marker can tell
    /// whether that was all.
    pub(super) fn is_reopened(&self) -> bool {
        self.reopened
    }

    /// Takes a premature finish reason back.
    pub(super) fn forget_finish(&mut self) {
        self.choice.finish_reason = None;
        self.choice.native_finish_reason = None;
    }

    /// Whether it said why it ended, and that was no failure; a token limit's own failure is none.
    pub(super) fn is_finished(&self) -> bool {
        let choice = &self.choice;
        choice.finish().is_some_and(|reason| {
            choice.is_truncated() || (choice.error.is_none() && reason != FinishReason::Error)
        })
    }

    pub(super) fn has_only_complete_tool_calls(&self) -> bool {
        let no_text = self
            .message
            .text()
            .is_none_or(|text| text.trim().is_empty());
        no_text && self.message.refusal_text().is_none() && self.tool_calls.all_complete()
    }

    pub(super) fn finish(mut self) -> Choice {
        self.message.tool_calls = self.tool_calls.finish();
        self.choice.message = Some(self.message);
        self.choice
    }
}

/// Unknown fields: the last one counts, but the arguments of the function call of old grow.
fn merge_unknown(message: &mut Message, delta: &Delta<'_>) {
    for (name, value) in delta.extra.iter().filter(|(_, value)| !value.is_null()) {
        let grows = message
            .extra
            .get_mut(name)
            .is_some_and(|known| extend_call(known, value));
        if !grows {
            message.extra.insert(name, value.clone());
        }
    }
}

/// Appends the arguments of a function call to those that came before; false where either is none.
fn extend_call(known: &mut Value, more: &Value) -> bool {
    let (Some(known), Some(more)) = (known.as_object_mut(), more.as_object()) else {
        return false;
    };
    let (Some(Value::String(text)), Some(Value::String(fragment))) =
        (known.get_mut("arguments"), more.get("arguments"))
    else {
        return false;
    };
    text.push_str(fragment);
    for (name, value) in more {
        if !value.is_null() && !known.contains_key(name) {
            known.insert(name.clone(), value.clone());
        }
    }
    true
}
