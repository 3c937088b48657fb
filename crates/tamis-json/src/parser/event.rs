//! What happens while text arrives, and where.

use std::fmt;

use serde_json::Value;

use super::tree::Frame;
use crate::pointer::{Pointer, push_escaped};

/// One thing that happened in the document, told to the function given to
/// [`Parser::push_with`](crate::Parser::push_with).
///
/// Cutting the text elsewhere changes nothing but where a string's text is cut into deltas.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// Text, a number or a literal began; `Complete` follows. Not told where syntax is mended: what a
    /// mend makes of a value is known at its end.
    ScalarStart(Scalar),
    /// An object began.
    ObjectStart,
    /// An object ended; `Complete` follows with its value.
    ObjectEnd,
    /// An array began.
    ArrayStart,
    /// An array ended; `Complete` follows with its value.
    ArrayEnd,
    /// The key of a member is complete; the location is the member's own.
    Key(&'a str),
    /// More text of the string value at this location, already unescaped.
    StringDelta(&'a str),
    /// The value at this location is complete and will not change.
    Complete(&'a Value),
}

/// What kind of value began, as its first byte tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// Text.
    String,
    /// A number. One that no JSON number type holds becomes text when it is complete.
    Number,
    /// `true`.
    True,
    /// `false`.
    False,
    /// `null`.
    Null,
}

/// Where an event happened. Its pointer is made only when asked for.
#[derive(Clone, Copy)]
pub struct Location<'a> {
    frames: &'a [Frame],
}

/// One step down a [`Location`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Segment<'a> {
    /// To the member with this key.
    Key(&'a str),
    /// To the array item at this index.
    Index(usize),
}

impl<'a> Location<'a> {
    pub(crate) fn new(frames: &'a [Frame]) -> Self {
        Self { frames }
    }

    /// How many steps it is from the root.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// The steps from the root down.
    pub fn segments(&self) -> impl DoubleEndedIterator<Item = Segment<'a>> + use<'a> {
        self.frames.iter().map(|frame| {
            if frame.is_object() {
                Segment::Key(&frame.key)
            } else {
                Segment::Index(frame.count)
            }
        })
    }

    /// The JSON Pointer of this place.
    pub fn pointer(&self) -> Pointer {
        let mut pointer = Pointer::root();
        for segment in self.segments() {
            match segment {
                Segment::Key(key) => pointer.push_key(key),
                Segment::Index(index) => pointer.push_index(index),
            }
        }
        pointer
    }

    /// The pointer, unless it is longer than `limit` bytes.
    pub(crate) fn short_pointer(&self, limit: usize) -> Option<Pointer> {
        let mut length = 0;
        for segment in self.segments() {
            length += match segment {
                Segment::Key(key) => 1 + key.len(),
                Segment::Index(_) => 2,
            };
            if length > limit {
                return None;
            }
        }
        Some(self.pointer())
    }
}

impl fmt::Display for Location<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        for segment in self.segments() {
            match segment {
                Segment::Index(index) => write!(f, "/{index}")?,
                Segment::Key(key) => {
                    text.clear();
                    push_escaped(&mut text, key);
                    write!(f, "/{text}")?;
                }
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Location<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Location({self})")
    }
}

/// Who is told of events.
pub(crate) trait Sink {
    fn event(&mut self, at: Location<'_>, event: Event<'_>);

    /// Whether the value just completed stays in the document.
    fn keeps(&mut self, _at: Location<'_>) -> bool {
        true
    }
}

/// Nobody.
pub(crate) struct Silent;

impl Sink for Silent {
    fn event(&mut self, _at: Location<'_>, _event: Event<'_>) {}
}

/// A function.
pub(crate) struct Tell<F>(pub(crate) F);

impl<F: FnMut(Location<'_>, Event<'_>)> Sink for Tell<F> {
    #[expect(
        clippy::inline_always,
        reason = "an event that is handed on through memory costs more than most do that hear of it"
    )]
    #[inline(always)]
    fn event(&mut self, at: Location<'_>, event: Event<'_>) {
        (self.0)(at, event);
    }
}
