//! JSON while it arrives: [`Parser`].

mod event;
mod feed;
mod input;
mod limits;
mod machine;
mod scan;
mod snapshot;
mod text;
mod tree;

use serde_json::Value;

pub use event::{Event, Location, Scalar, Segment};
pub(crate) use event::{Silent, Sink, Tell};
pub(crate) use input::Input;
pub use limits::Limits;
pub(crate) use machine::{After, Fault, FaultKind, Flow, Literal, Machine, State, number_value};
pub(crate) use scan::{plain as plain_length, plain_before};
pub use snapshot::Partial;
pub(crate) use text::Escape;
pub(crate) use tree::{Frame, Kind};

use crate::error::{ParseError, ParseErrorKind};
use crate::note::Note;
use crate::pointer::Pointer;

/// A strict JSON parser that takes its text in fragments, cut anywhere.
///
/// It accepts what `serde_json` accepts, with two additions that keep an answer instead of losing
/// it, each on record as a [`Note`]: half a surrogate pair (`"\ud800"`) becomes U+FFFD, and a
/// number beyond the range of `f64` (`1e400`) is kept as text like every number that cannot be
/// held exactly. It rejects what `serde_json` rejects, a byte order mark and NUL bytes included.
/// Limits are [`Limits`]: 128 levels and 64 MiB unless set.
///
/// The cost of a push is that of its bytes, whatever came before; a snapshot costs a walk down the
/// open path.
///
/// ```
/// use tamis_json::{Event, Parser, Partial};
/// use serde_json::json;
///
/// let mut parser = Parser::new();
/// let mut fields = Vec::new();
/// for fragment in [r#"{"name": "Ad"#, r#"a", "born": 18"#] {
///     parser.push_with(fragment.as_bytes(), |at, event| {
///         if let Event::Complete(value) = event {
///             fields.push((at.to_string(), value.clone()));
///         }
///     })?;
/// }
/// assert_eq!(fields, [("/name".to_owned(), json!("Ada"))]);
/// assert_eq!(parser.snapshot(Partial::Values), Some(&json!({"name": "Ada", "born": 18})));
/// assert!(!parser.is_complete(&"/born".parse()?));
///
/// parser.push(b"15}")?;
/// assert_eq!(parser.finish()?.value, json!({"name": "Ada", "born": 1815}));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Parser {
    machine: Machine,
}

/// A document that was read to its end.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Document {
    /// The value.
    pub value: Value,
    /// What the value cannot show: numbers kept as text, duplicate keys, lone surrogates.
    pub notes: Vec<Note>,
}

impl Default for Parser {
    fn default() -> Self {
        Self::new()
    }
}

impl Parser {
    /// A parser with the default limits.
    pub fn new() -> Self {
        Self::with_limits(Limits::default())
    }

    /// A parser with these limits.
    pub fn with_limits(limits: Limits) -> Self {
        Self {
            machine: Machine::new(limits, None),
        }
    }

    /// Reads one more fragment.
    ///
    /// # Errors
    /// At the first byte that cannot belong to a JSON document, or when a limit is passed. The
    /// parser stays where it was: every later push gives the same error, and a snapshot shows what
    /// came before.
    pub fn push(&mut self, fragment: &[u8]) -> Result<(), ParseError> {
        Ok(self.machine.push(fragment, &mut Silent)?)
    }

    /// Reads one more fragment and tells what happens in it.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    pub fn push_with(
        &mut self,
        fragment: &[u8],
        tell: impl FnMut(Location<'_>, Event<'_>),
    ) -> Result<(), ParseError> {
        Ok(self.machine.push(fragment, &mut Tell(tell))?)
    }

    pub(crate) fn push_into(
        &mut self,
        fragment: &[u8],
        sink: &mut impl Sink,
    ) -> Result<(), ParseError> {
        Ok(self.machine.push(fragment, sink)?)
    }

    /// Everything received so far; `None` while there is nothing to show.
    ///
    /// Takes `&mut self` because the value is put together in place, and taken apart again by the
    /// next push; nothing is copied.
    pub fn snapshot(&mut self, partial: Partial) -> Option<&Value> {
        self.machine.snapshot(partial)
    }

    /// Whether the value at this address is there, whole, and final.
    ///
    /// A number is complete when the byte after it has come.
    pub fn is_complete(&self, pointer: &Pointer) -> bool {
        self.machine.is_complete(pointer)
    }

    /// Whether the document is complete: only white space can follow.
    pub fn is_done(&self) -> bool {
        self.machine.failed.is_none() && self.machine.state == State::End
    }

    /// What was noted so far, up to 256 notes.
    pub fn notes(&self) -> &[Note] {
        &self.machine.notes
    }

    /// How many notes were left out beyond those.
    pub fn notes_left_out(&self) -> usize {
        self.machine.notes_left_out
    }

    /// How many bytes were received.
    pub fn offset(&self) -> usize {
        self.machine.offset + self.machine.cut_char.1
    }

    /// Says that the text has ended, and hands out the document.
    ///
    /// # Errors
    /// When the document is not complete, and the error of the failed push when there was one.
    pub fn finish(self) -> Result<Document, ParseError> {
        self.finish_with(|_, _| {})
    }

    /// As [`finish`](Self::finish), and tells what the end of the text completes: a number at the
    /// root.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn finish_with(
        mut self,
        tell: impl FnMut(Location<'_>, Event<'_>),
    ) -> Result<Document, ParseError> {
        self.machine.end(&mut Tell(tell))?;
        let complete = self.machine.state == State::End;
        match self.machine.tree.take() {
            Some(value) if complete => Ok(Document {
                value,
                notes: self.machine.notes,
            }),
            _ => Err(ParseError::new(
                ParseErrorKind::Incomplete,
                self.machine.offset,
            )),
        }
    }

    /// Work done so far, in bytes looked at and links followed.
    #[doc(hidden)]
    pub fn steps(&self) -> u64 {
        self.machine.steps + self.machine.tree.walked
    }
}
