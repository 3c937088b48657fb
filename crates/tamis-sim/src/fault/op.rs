//! What can happen to an answer between the provider and the client.

use super::Place;
use crate::net::{End, HeadStyle, Pause};

/// One change to a delivery. A fault is a list of these.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Op {
    /// Something else is sent instead.
    Instead(&'static Reply),
    /// A change to the JSON of the events (or of the one plain body).
    Tamper(Tampering),
    /// Everything from the first such piece on is missing.
    Truncate(Place),
    /// Everything after so many deltas is missing.
    KeepDeltas(usize),
    /// This text comes at the end.
    Append(&'static str),
    /// This text comes before every delta.
    Sprinkle(&'static str),
    /// This text comes before everything.
    Prefix(&'static str),
    /// The middle delta's JSON is broken off, its event is not.
    Corrupt,
    /// The first such piece stops halfway, and nothing follows.
    Halve(Place),
    /// Two writes meet inside a character.
    SplitChar,
    /// The body ends inside a character.
    CutChar,
    /// Other line ends than LF.
    Newlines(&'static str),
    /// `data:` without the space.
    NoSpace,
    /// Each event's JSON over several `data:` lines.
    ManyLines,
    /// The last event lacks its blank line.
    TrimEnd,
    /// Writes of so many bytes, with a pause in between.
    Slice(usize, Pause),
    /// More than 16 MiB in one event or body.
    Oversize,
    /// A small compressed body that inflates to 256 MiB.
    Bomb,
    /// A silent pause.
    Wait(Pause),
    /// This text at every beat until the hang is over.
    Beat(&'static str),
    /// The body promises this many bytes more than come.
    Overlong(usize),
    /// How the head comes.
    Head(HeadStyle),
    /// How it ends.
    End(End),
}

/// A whole answer to send instead.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// Header names in lower case, values as templates.
    pub(crate) headers: &'static [(&'static str, &'static str)],
    /// A template.
    pub(crate) body: &'static str,
}

/// A change to the JSON of a chunk or a completion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Tampering {
    /// No usage at all.
    NoUsage,
    /// OpenAI's habit: the usage chunk has no choices.
    UsageWithoutChoices,
    /// Usage so far in every chunk.
    UsageEverywhere,
    /// OpenAI's habit: the role in the first chunk only, no content where there is none.
    RoleOnce,
    /// Chunks without id, object, created, model.
    Anonymous,
    /// No finish reason anywhere.
    NoFinish,
    /// Wrong or missing tool-call indices.
    ToolIndex(ToolIndex),
    /// Tool calls' arguments as an object.
    ObjectArguments,
    /// Numbers as strings: `created`, token counts.
    StringNumbers,
    /// An event of a type that nobody knows before each of the others.
    UnknownEvents,
    /// No numbers of items, blocks and parts.
    NoPlaces,
    /// The last event's response without its output.
    NoOutputAtEnd,
    /// Something else than the decisions that were asked for.
    Decisions(DecisionSlip),
    /// Something else than the vectors that were asked for.
    Vectors(VectorSlip),
}

/// What is wrong with decisions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum DecisionSlip {
    /// The last answer is missing.
    Missing,
    /// The first answer is a refusal.
    Refused,
    /// Every answer is of another type.
    OtherType,
    /// Numbers beyond their range.
    OutOfRange,
    /// An option, or a level, that was not asked for.
    Unasked,
    /// The highest level stands for the lowest, and the other way round.
    LegendReversed,
}

/// What is wrong with vectors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum VectorSlip {
    /// The last one is missing.
    Missing,
    /// The last one comes twice.
    Doubled,
    /// The last one comes first; each says its place.
    Reordered,
    /// The last one is empty.
    Empty,
    /// The last one has half as many dimensions.
    Short,
    /// The last one holds what no number is.
    NotFinite,
}

/// What becomes of the index of a tool-call fragment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ToolIndex {
    /// All calls claim to be number 0.
    Zero,
    /// No fragment has one.
    Missing,
    /// Null.
    Null,
    /// Another one in each fragment; the id, in each fragment too, is right.
    Drifting,
    /// Right in a call's first fragment, neither index nor id in those after it.
    FirstOnly,
}
