//! Turning a stream's chunks into the completion that a non-streaming call would have returned.

mod choice;
mod cumulative;
mod tool_calls;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use choice::ChoiceFold;

use crate::chunk::Chunk;
use crate::completion::{Completion, Ending, Usage};
use crate::error::ApiError;
use crate::failure::{Failure, FailureKind};
use crate::finish_reason::FinishReason;
use crate::mend::Note;

/// Fields that only pad a stream, against guessing texts from sizes.
const PADDING: [&str; 2] = ["obfuscation", "p"];

/// Chunks in, a completion out.
///
/// It holds the completion so far and nothing of the chunks. Every choice index is folded; text,
/// refusal and reasoning are appended; tool calls are told apart by index and id; reasoning details
/// are merged by index and type; the last usage counts; a repeated role or finish reason changes
/// nothing, and a later finish reason replaces an earlier one.
///
/// ```
/// use tamis_wire::{Chunk, Fold};
///
/// let mut fold = Fold::new();
/// for event in [
///     r#"{"choices":[{"index":0,"delta":{"role":"assistant","content":"Hel"}}]}"#,
///     r#"{"choices":[{"index":0,"delta":{"content":"lo"}}]}"#,
/// ] {
///     fold.push(&serde_json::from_str::<Chunk<'_>>(event)?);
/// }
/// // Nothing said that it was finished, so this is no completion yet.
/// let broken = fold.finish().unwrap_err();
/// assert_eq!(broken.completion().text().as_deref(), Some("Hello"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Fold {
    completion: Completion,
    choices: Vec<ChoiceFold>,
    /// Where the choice of each index is, once there are several.
    places: BTreeMap<u64, usize>,
    usage: Option<Box<Usage>>,
    error: Option<Box<ApiError>>,
    done: bool,
    /// The bytes ended inside an event.
    cut: bool,
    replay_guard: bool,
    allow_missing_finish: bool,
    notes: Vec<FoldNote>,
}

/// Something about a stream that the fold put right, for the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FoldNote {
    /// Every delta held the whole text so far, and was read that way.
    CumulativeText,
    /// A delta that repeated the whole text so far was left out; see [`Fold::replay_guard`].
    ReplayDropped,
    /// No finish reason came, but complete tool calls and the end marker did.
    ToolCallsInferred,
    /// Where the last event of a stream brings the whole answer, it brought another one than had been
    /// streamed, and that counts.
    CorrectedAtEnd,
}

impl fmt::Display for FoldNote {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::CumulativeText => "every delta held the whole text so far; only what was new counts",
            Self::ReplayDropped => "a delta that repeated the whole text so far was left out",
            Self::ToolCallsInferred => {
                "no finish reason came; complete tool calls before the end marker count as tool_calls"
            }
            Self::CorrectedAtEnd => {
                "the whole answer that came at the end is not the one that was streamed; it counts"
            }
        })
    }
}

impl Fold {
    /// An empty fold.
    pub fn new() -> Self {
        Self::default()
    }

    /// Leaves out a delta that repeats the whole text so far, of at least 8 bytes, as some
    /// providers send now and then. Off by default: a text may well repeat itself.
    pub fn replay_guard(mut self, on: bool) -> Self {
        self.replay_guard = on;
        self
    }

    /// Takes a stream that ended cleanly for finished although no finish reason came, from a server
    /// known never to send one. The completion is marked as *unconfirmed*. Off by default.
    pub fn allow_missing_finish(mut self, on: bool) -> Self {
        self.allow_missing_finish = on;
        self
    }

    /// Takes in a chunk.
    pub fn push(&mut self, chunk: &Chunk<'_>) {
        self.push_header(chunk);
        let single = chunk.choices.len() == 1;
        for (place, choice) in chunk.choices.iter().enumerate() {
            let place = if single { 0 } else { place as u64 };
            let index = choice.index.unwrap_or(place);
            let position = self.place(index);
            if let Some(fold) = self.choices.get_mut(position) {
                fold.push(choice, self.replay_guard, &mut self.notes);
            }
        }
    }

    /// Where the choice with this index is; it is begun if it is new.
    fn place(&mut self, index: u64) -> usize {
        // Nearly every stream has one choice.
        if self.choices.first().is_some_and(|fold| fold.index == index) {
            return 0;
        }
        let next = self.choices.len();
        let position = *self.places.entry(index).or_insert(next);
        if position == next {
            self.choices.push(ChoiceFold::new(index));
        }
        position
    }

    fn push_header(&mut self, chunk: &Chunk<'_>) {
        let completion = &mut self.completion;
        first(&mut completion.id, chunk.id.as_ref());
        first(&mut completion.model, chunk.model.as_ref());
        first(&mut completion.provider, chunk.provider.as_ref());
        first(
            &mut completion.system_fingerprint,
            chunk.system_fingerprint.as_ref(),
        );
        first(&mut completion.service_tier, chunk.service_tier.as_ref());
        if completion.created.is_none() {
            completion.created.clone_from(&chunk.created);
        }
        if let Some(usage) = &chunk.usage {
            self.usage = Some(usage.clone());
        }
        if let Some(metadata) = &chunk.openrouter_metadata {
            completion.openrouter_metadata = Some((**metadata).clone());
        }
        if self.error.is_none() {
            self.error.clone_from(&chunk.error);
        }
        if !chunk.extra.is_empty() {
            for (name, value) in chunk.extra.iter() {
                if !value.is_null() && !PADDING.contains(&name) {
                    completion.extra.insert(name, value.clone());
                }
            }
        }
    }

    /// Takes in an error that came outside a chunk; the first one counts.
    pub fn push_error(&mut self, error: ApiError) {
        self.error.get_or_insert_with(|| Box::new(error));
    }

    /// The error that came so far, in a chunk or outside one.
    pub fn error(&self) -> Option<&ApiError> {
        self.error.as_deref()
    }

    /// Takes in the end marker, `[DONE]`.
    pub fn push_done(&mut self) {
        self.done = true;
    }

    /// Whether the end marker came.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Whether every choice so far said why it ended, and nothing failed.
    ///
    /// An error that comes after every choice was cut off at a token limit explains it, and changes
    /// nothing: what was cut off is never read as an answer anyway. Where more text comes after a
    /// finish reason, that reason was premature, and another one or the end marker has to follow.
    pub fn is_finished(&self) -> bool {
        let is_cut_off = |fold: &ChoiceFold| fold.choice.is_truncated();
        let is_finished =
            |fold: &ChoiceFold| fold.is_finished() && (self.done || !fold.is_reopened());
        (self.error.is_none() || self.choices.iter().all(is_cut_off))
            && !self.cut
            && !self.choices.is_empty()
            && self.choices.iter().all(is_finished)
    }

    /// What was put right so far; all of it is in [`Completion::fold_notes`].
    pub fn notes(&self) -> &[FoldNote] {
        &self.notes
    }

    /// The text of the first choice so far.
    ///
    /// ```
    /// use tamis_wire::{Chunk, Fold};
    ///
    /// let mut fold = Fold::new();
    /// let event = r#"{"choices":[{"index":0,"delta":{"content":"Hel"}}]}"#;
    /// fold.push(&serde_json::from_str::<Chunk<'_>>(event)?);
    /// assert_eq!(fold.text().as_deref(), Some("Hel"));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn text(&self) -> Option<Cow<'_, str>> {
        let fold = self
            .choices
            .iter()
            .find(|fold| fold.index == 0)
            .or(self.choices.first())?;
        fold.text()
    }

    /// The provider that serves it, as soon as a chunk has named it.
    pub fn provider(&self) -> Option<&str> {
        self.completion.provider.as_deref()
    }

    /// The completion.
    ///
    /// # Errors
    ///
    /// [`Broken`], with what came so far, where the stream did not say that it was finished, or
    /// where an error came in it.
    pub fn finish(mut self) -> Result<Completion, Broken> {
        let finished = self.is_finished() || self.infer_tool_calls();
        let unconfirmed = !finished && self.may_end_unsaid();
        let nothing_came =
            self.choices.is_empty() && self.completion.id.is_none() && self.usage.is_none();
        let ended_in_error = self
            .choices
            .iter()
            .any(|fold| fold.choice.finish() == Some(FinishReason::Error));

        let mut completion = self.completion;
        completion.object = Some("chat.completion".to_owned());
        completion.usage = self.usage.map(|usage| *usage);
        completion.error.clone_from(&self.error);
        completion.notes = self.notes;
        if !self.done {
            self.choices
                .iter_mut()
                .filter(|fold| fold.is_reopened())
                .for_each(ChoiceFold::forget_finish);
        }
        self.choices.sort_by_key(|fold| fold.index);
        completion.choices = self.choices.into_iter().map(ChoiceFold::finish).collect();
        if finished {
            return Ok(completion);
        }
        let error = self.error.or_else(|| {
            let mut choices = completion.choices.iter();
            choices.find_map(|choice| choice.error.clone())
        });
        let failed = error.is_some() || ended_in_error;
        if unconfirmed && !failed {
            completion.ending = Ending::Unconfirmed;
            return Ok(completion);
        }
        completion.ending = Ending::BrokeOff;
        Err(Broken {
            completion: Box::new(completion),
            error,
            failed,
            nothing_came,
            done: self.done,
        })
    }

    /// Complete tool calls before the end marker are what the finish reason `tool_calls` would have
    /// said; text could have gone on, so it never is.
    fn infer_tool_calls(&mut self) -> bool {
        let infer = self.done
            && self.error.is_none()
            && !self.choices.is_empty()
            && self.choices.iter().all(|fold| {
                fold.choice.error.is_none()
                    && match fold.choice.finish() {
                        None => fold.has_only_complete_tool_calls(),
                        Some(reason) => reason != FinishReason::Error,
                    }
            });
        if infer {
            for fold in &mut self.choices {
                if fold.choice.finish().is_none() {
                    fold.choice.finish_reason = Some(FinishReason::ToolCalls);
                }
            }
            self.notes.push(FoldNote::ToolCallsInferred);
        }
        infer
    }

    /// Says that the stream was cut, so that its end cannot pass for a clean one.
    pub(crate) fn push_cut(&mut self) {
        self.cut = true;
    }

    /// Notes what was put right outside the fold, once.
    pub(crate) fn push_note(&mut self, note: FoldNote) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    fn may_end_unsaid(&self) -> bool {
        self.allow_missing_finish && !self.cut && self.error.is_none() && !self.choices.is_empty()
    }
}

/// A stream that broke off: what it brought, and why it is no completion.
///
/// Reading its completion never gives an answer: it knows that it is unfinished.
#[derive(Debug)]
pub struct Broken {
    completion: Box<Completion>,
    error: Option<Box<ApiError>>,
    failed: bool,
    nothing_came: bool,
    done: bool,
}

impl Broken {
    /// What came; the finish reasons are what the stream said, so none where it said none.
    pub fn completion(&self) -> &Completion {
        &self.completion
    }

    /// The error that came in the stream.
    pub fn error(&self) -> Option<&ApiError> {
        self.error.as_deref()
    }

    pub(crate) fn with_mended(mut self, mended: Vec<(u64, Note)>) -> Self {
        self.completion.mended = mended;
        self
    }

    /// With another reading of what came.
    pub(crate) fn with(mut self, read: impl FnOnce(&mut Completion) -> Completion) -> Self {
        *self.completion = read(&mut self.completion);
        self
    }

    /// What came, on its own.
    pub fn into_completion(self) -> Completion {
        *self.completion
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.failed {
            "the stream reported an error"
        } else if self.nothing_came {
            "the stream ended without any chunk"
        } else if self.done {
            "the stream ended with [DONE] but without a finish reason"
        } else {
            "the stream ended before it said it was finished"
        })
    }
}

impl std::error::Error for Broken {}

impl From<Broken> for Failure {
    fn from(broken: Broken) -> Self {
        let message = broken.to_string();
        let failure = match broken.error {
            Some(error) => Self::from_inline(*error),
            None if broken.failed => Self::new(
                FailureKind::ProviderUnavailable,
                "the stream ended with the finish reason error and no explanation",
            ),
            None => Self::new(FailureKind::Interrupted, message),
        };
        let id = broken.completion.id.clone();
        failure
            .with_generation_id(id)
            .with_completion(*broken.completion)
    }
}

/// The first text that is not blank stays.
fn first(place: &mut Option<String>, text: Option<&Cow<'_, str>>) {
    if place.is_none()
        && let Some(text) = text
        && !text.is_empty()
    {
        *place = Some(text.clone().into_owned());
    }
}

/// Appends text to what may be missing yet.
pub(crate) fn append(place: &mut Option<String>, text: Option<&str>) {
    if let Some(text) = text {
        place.get_or_insert_default().push_str(text);
    }
}
