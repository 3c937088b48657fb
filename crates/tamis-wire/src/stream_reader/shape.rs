//! Reading a chunk by its likeness to an earlier one.
//!
//! Nearly all chunks of a stream are the same text but for the few new letters that each brings. Once
//! a chunk was parsed, the next one need only be compared with it: where everything outside the
//! strings that grow is the same, byte for byte, and each of these is a JSON string again, parsing it
//! would give the same chunk with the new strings. Whatever differs elsewhere is parsed in full.

use std::borrow::Cow;

use memchr::memchr2;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::chunk::{Chunk, ChunkChoice, Delta, DeltaContent, FunctionDelta, ToolCallDelta};
use crate::completion::Arguments;

/// A shape costs memory for as long as the stream lasts; one that is larger than this is not kept.
const MAX_BYTES: usize = 8 * 1024;

/// So many are kept: a stream may alternate between two choices, or between reasoning and text.
const MAX_SHAPES: usize = 4;

/// After so many chunks that no shape fitted, a new one is learnt only now and then.
const PATIENCE: u32 = 4;

/// The strings of a chunk that differ from one to the next.
#[derive(Clone, Copy, Debug)]
enum Hole {
    Content,
    Refusal,
    Reasoning,
    ReasoningContent,
    Arguments,
    /// A reasoning detail's text, by the name of its field.
    Detail(&'static str),
}

/// What the chunks of a stream look like, once two of them looked alike.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    known: Vec<Shape>,
    /// Which to forget next.
    oldest: usize,
    misses: u32,
}

#[derive(Debug)]
struct Shape {
    /// The chunk, with nothing in its holes.
    chunk: Chunk<'static>,
    /// What stands before each hole.
    fixed: Vec<(Vec<u8>, Hole)>,
    /// What stands after the last one.
    end: Vec<u8>,
}

impl Shapes {
    /// The chunk that this text is, if it looks like one that was learnt.
    pub(super) fn read<'a>(&'a mut self, data: &'a [u8]) -> Option<Chunk<'a>> {
        let chunk = self.known.iter().find_map(|shape| shape.read(data));
        self.misses = match chunk {
            Some(_) => 0,
            None => self.misses.saturating_add(1),
        };
        chunk
    }

    /// Learns from a chunk that had to be parsed.
    pub(super) fn learn(&mut self, data: &[u8], chunk: &Chunk<'_>) {
        let is_due = self.misses < PATIENCE || self.misses.is_multiple_of(64);
        if !is_due {
            return;
        }
        let Some(shape) = Shape::of(data, chunk) else {
            return;
        };
        match self.known.get_mut(self.oldest) {
            Some(place) => *place = shape,
            None => self.known.push(shape),
        }
        self.oldest = (self.oldest + 1) % MAX_SHAPES;
    }
}

impl Shape {
    fn of(data: &[u8], chunk: &Chunk<'_>) -> Option<Self> {
        if data.len() > MAX_BYTES || growing(chunk) == 0 || !is_plain(chunk) {
            return None;
        }
        let Outline {
            choices: (choice,), ..
        } = serde_json::from_slice(data).ok()?;
        if choice.message.is_some() {
            return None;
        }
        let delta = &choice.delta;
        let calls = delta.tool_calls.as_deref().unwrap_or_default();
        let call = calls.first().and_then(|call| call.function.as_ref());
        let details = delta.reasoning_details.as_deref().unwrap_or_default();
        let detail = details.first();
        let mut holes: Vec<(usize, usize, Hole)> = [
            (delta.content, Hole::Content),
            (delta.refusal, Hole::Refusal),
            (delta.reasoning, Hole::Reasoning),
            (delta.reasoning_content, Hole::ReasoningContent),
            (call.and_then(|call| call.arguments), Hole::Arguments),
            (detail.and_then(|detail| detail.text), Hole::Detail("text")),
            (
                detail.and_then(|detail| detail.summary),
                Hole::Detail("summary"),
            ),
            (detail.and_then(|detail| detail.data), Hole::Detail("data")),
        ]
        .into_iter()
        .filter_map(|(raw, hole)| {
            let inside = raw?.get().strip_prefix('"')?.strip_suffix('"')?;
            let start = inside.as_ptr().addr().checked_sub(data.as_ptr().addr())?;
            Some((start, start + inside.len(), hole))
        })
        .collect();
        // A text that was read from something else than a string, such as a number, has no hole.
        if holes.len() != growing(chunk) {
            return None;
        }
        holes.sort_by_key(|(start, ..)| *start);
        let mut at = 0;
        let mut fixed = Vec::with_capacity(holes.len());
        for (start, end, hole) in holes {
            fixed.push((data.get(at..start)?.to_vec(), hole));
            at = end;
        }
        Some(Self {
            chunk: chunk.clone().into_owned(),
            fixed,
            end: data.get(at..)?.to_vec(),
        })
    }

    fn read<'a>(&'a self, data: &'a [u8]) -> Option<Chunk<'a>> {
        // The end differs most often, where a finish reason or usage comes.
        let last = data.len().checked_sub(self.end.len())?;
        if data.get(last..)? != self.end {
            return None;
        }
        let mut at = 0;
        let mut delta = Delta::default();
        let (choice, like) = self
            .chunk
            .choices
            .first()
            .map(|choice| (choice, &choice.delta))?;
        for (before, hole) in &self.fixed {
            let start = at + before.len();
            if data.get(at..start)? != before {
                return None;
            }
            let (text, end) = literal(data, start)?;
            at = end;
            match hole {
                Hole::Content => delta.content = Some(DeltaContent::Text(text)),
                Hole::Refusal => delta.refusal = Some(text),
                Hole::Reasoning => delta.reasoning = Some(text),
                Hole::ReasoningContent => delta.reasoning_content = Some(text),
                Hole::Detail(name) => {
                    let detail = like.reasoning_details.first()?;
                    delta
                        .reasoning_details
                        .push(detail.with(name, text.into_owned()));
                }
                Hole::Arguments => {
                    let call = like.tool_calls.first()?;
                    delta.tool_calls.push(ToolCallDelta {
                        index: call.index,
                        id: lend(call.id.as_ref()),
                        kind: lend(call.kind.as_ref()),
                        function: FunctionDelta {
                            name: lend(call.function.name.as_ref()),
                            arguments: Arguments::Text(text.into_owned()),
                            ..FunctionDelta::default()
                        },
                        ..ToolCallDelta::default()
                    });
                }
            }
        }
        // The last string ends where the end begins, and so with its quote.
        if at != last {
            return None;
        }
        delta.role = lend(like.role.as_ref());
        let chunk = &self.chunk;
        Some(Chunk {
            id: lend(chunk.id.as_ref()),
            object: lend(chunk.object.as_ref()),
            created: chunk.created.clone(),
            model: lend(chunk.model.as_ref()),
            provider: lend(chunk.provider.as_ref()),
            system_fingerprint: lend(chunk.system_fingerprint.as_ref()),
            service_tier: lend(chunk.service_tier.as_ref()),
            choices: vec![ChunkChoice {
                index: choice.index,
                delta,
                finish_reason: choice.finish_reason.clone(),
                ..ChunkChoice::default()
            }],
            ..Chunk::default()
        })
    }
}

fn lend<'a>(text: Option<&'a Cow<'static, str>>) -> Option<Cow<'a, str>> {
    text.map(|text| Cow::Borrowed(text.as_ref()))
}

/// The string whose inside starts here, and where its closing quote is.
fn literal(data: &[u8], start: usize) -> Option<(Cow<'_, str>, usize)> {
    let mut end = start;
    let mut has_escapes = false;
    loop {
        let rest = data.get(end..)?;
        end += memchr2(b'"', b'\\', rest)?;
        if data.get(end) == Some(&b'"') {
            break;
        }
        has_escapes = true;
        end += 2;
    }
    if has_escapes {
        // With its quotes, which are there on both sides.
        let quoted = data.get(start.checked_sub(1)?..=end)?;
        let text: String = serde_json::from_slice(quoted).ok()?;
        return Some((Cow::Owned(text), end));
    }
    let inside = std::str::from_utf8(data.get(start..end)?).ok()?;
    let is_string = !inside.bytes().any(|byte| byte < 0x20);
    is_string.then_some((Cow::Borrowed(inside), end))
}

/// Whether there is nothing in a chunk but its header and strings that grow.
fn is_plain(chunk: &Chunk<'_>) -> bool {
    let [choice] = chunk.choices.as_slice() else {
        return false;
    };
    let delta = &choice.delta;
    let is_plain_call = |call: &ToolCallDelta<'_>| {
        call.extra.is_empty()
            && call.function.extra.is_empty()
            && matches!(call.function.arguments, Arguments::Text(_))
    };
    chunk.usage.is_none()
        && chunk.error.is_none()
        && chunk.openrouter_metadata.is_none()
        && chunk.extra.is_empty()
        && choice.native_finish_reason.is_none()
        && choice.logprobs.is_none()
        && choice.error.is_none()
        && choice.extra.is_empty()
        && !matches!(delta.content, Some(DeltaContent::Parts(_)))
        && delta.reasoning_details.len() <= 1
        && delta.tool_calls.len() <= 1
        && delta.tool_calls.iter().all(is_plain_call)
        && delta.annotations.is_empty()
        && delta.images.is_empty()
        && delta.audio.is_none()
        && delta.extra.is_empty()
}

/// How many strings that grow a plain chunk has.
fn growing(chunk: &Chunk<'_>) -> usize {
    let Some(choice) = chunk.choices.first() else {
        return 0;
    };
    let delta = &choice.delta;
    usize::from(delta.content.is_some())
        + usize::from(delta.refusal.is_some())
        + usize::from(delta.reasoning.is_some())
        + usize::from(delta.reasoning_content.is_some())
        + delta.tool_calls.len()
        + delta.reasoning_details.len()
}

/// Where the strings that grow stand in a chunk's text. A key that comes twice is an error here, so
/// that such a chunk has no shape.
#[derive(Deserialize)]
struct Outline<'a> {
    #[serde(borrow)]
    choices: (OutlineChoice<'a>,),
}

#[derive(Deserialize)]
struct OutlineChoice<'a> {
    #[serde(borrow)]
    delta: OutlineDelta<'a>,
    message: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct OutlineDelta<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    refusal: Option<&'a RawValue>,
    #[serde(borrow)]
    reasoning: Option<&'a RawValue>,
    #[serde(borrow)]
    reasoning_content: Option<&'a RawValue>,
    #[serde(borrow)]
    tool_calls: Option<Vec<OutlineCall<'a>>>,
    #[serde(borrow)]
    reasoning_details: Option<Vec<OutlineDetail<'a>>>,
}

#[derive(Deserialize)]
struct OutlineCall<'a> {
    #[serde(borrow)]
    function: Option<OutlineFunction<'a>>,
}

#[derive(Deserialize)]
struct OutlineFunction<'a> {
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct OutlineDetail<'a> {
    #[serde(borrow)]
    text: Option<&'a RawValue>,
    #[serde(borrow)]
    summary: Option<&'a RawValue>,
    #[serde(borrow)]
    data: Option<&'a RawValue>,
}
