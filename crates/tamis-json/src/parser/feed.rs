//! Fragments in, snapshots out.

use std::cell::Cell;

use serde_json::Value;

use super::event::{Event, Location, Sink};
use super::input::Input;
use super::machine::{After, Fault, FaultKind, Machine, State, number_value};
use super::scan::plain as plain_length;
use super::snapshot::Partial;
use crate::pointer::Pointer;

/// An unfinished number longer than this is not shown, so that showing it costs no more than
/// reading it.
const LONGEST_SHOWN: usize = 256;

impl Machine {
    /// Reads one more fragment.
    pub(crate) fn push<S: Sink>(&mut self, bytes: &[u8], sink: &mut S) -> Result<(), Fault> {
        if let Some(fault) = self.failed {
            return Err(fault);
        }
        let result = self.push_bytes(bytes, sink);
        if let Err(fault) = result {
            self.failed = Some(fault);
        }
        result
    }

    /// Reads a whole text at once, where nothing was pushed before: as one fragment that is the
    /// last, so that no step waits for more.
    pub(crate) fn read_whole<S: Sink>(&mut self, text: &str, sink: &mut S) -> Result<(), Fault> {
        if text.len() > self.limits.bytes {
            return Err(self.too_large());
        }
        self.feed(text, true, sink)
    }

    fn too_large(&self) -> Fault {
        Fault {
            kind: FaultKind::TooLarge,
            offset: self.limits.bytes,
        }
    }

    fn push_bytes<S: Sink>(&mut self, mut bytes: &[u8], sink: &mut S) -> Result<(), Fault> {
        let (mut cut, mut held) = self.cut_char;
        let received = self.offset + self.kept.len() + held;
        if bytes.len() > self.limits.bytes.saturating_sub(received) {
            return Err(self.too_large());
        }
        if held == 0 && self.push_plain(bytes, sink) {
            return Ok(());
        }
        self.resume();
        while held > 0 {
            let Some((first, rest)) = bytes.split_first() else {
                self.cut_char = (cut, held);
                return Ok(());
            };
            bytes = rest;
            if let Some(place) = cut.get_mut(held) {
                *place = *first;
            }
            held += 1;
            let sequence = cut.get(..held).unwrap_or_default();
            match std::str::from_utf8(sequence) {
                Ok(text) => {
                    self.cut_char.1 = 0;
                    self.feed(text, false, sink)?;
                    held = 0;
                }
                Err(error) if error.error_len().is_some() => return Err(self.not_utf8()),
                Err(_) => {}
            }
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => self.feed(text, false, sink),
            Err(error) => {
                let (valid, rest) = bytes.split_at(error.valid_up_to().min(bytes.len()));
                self.feed(std::str::from_utf8(valid).unwrap_or_default(), false, sink)?;
                if error.error_len().is_some() {
                    return Err(self.not_utf8());
                }
                for (place, byte) in self.cut_char.0.iter_mut().zip(rest) {
                    *place = *byte;
                }
                self.cut_char.1 = rest.len();
                Ok(())
            }
        }
    }

    /// The short way for what comes most often: more plain text of the string in progress.
    fn push_plain<S: Sink>(&mut self, bytes: &[u8], sink: &mut S) -> bool {
        if !self.in_plain_text() || !self.kept.is_empty() || plain_length(bytes) < bytes.len() {
            return false;
        }
        let Ok(text) = std::str::from_utf8(bytes) else {
            return false;
        };
        let buffer = match self.tree.shown_text() {
            // The last snapshot shows the string, so it grows where it is.
            Some(shown) => shown,
            None => &mut self.text.buffer,
        };
        buffer.push_str(text);
        self.text.told = buffer.len();
        self.offset += text.len();
        self.steps += text.len() as u64;
        if !text.is_empty() {
            sink.event(Location::new(self.tree.frames()), Event::StringDelta(text));
        }
        true
    }

    fn not_utf8(&self) -> Fault {
        Fault {
            kind: FaultKind::Utf8,
            offset: self.offset + self.kept.len(),
        }
    }

    /// Reads more text; `end` when it is the last.
    fn feed<S: Sink>(&mut self, text: &str, end: bool, sink: &mut S) -> Result<(), Fault> {
        if self.kept.is_empty() {
            let looked = Cell::new(0);
            let mut input = Input::new(text, self.offset, end, &looked);
            let result = self.run(&mut input, sink);
            self.offset = input.offset();
            self.steps += looked.get();
            result?;
            self.keep(input.rest_text());
            return Ok(());
        }
        self.kept.push_str(text);
        if self.kept.len() < self.retry_at && !end {
            return Ok(());
        }
        let mut kept = std::mem::take(&mut self.kept);
        let looked = Cell::new(0);
        let mut input = Input::new(&kept, self.offset, end, &looked);
        let result = self.run(&mut input, sink);
        self.offset = input.offset();
        self.steps += looked.get();
        let done = input.pos;
        result?;
        self.steps += kept.len() as u64;
        kept.drain(..done);
        self.kept = kept;
        self.retry_at = self.kept.len() + 1 + self.kept.len() / 8;
        Ok(())
    }

    fn keep(&mut self, rest: &str) {
        if !rest.is_empty() {
            self.kept.push_str(rest);
            // A longer wait after each vain try keeps the whole cost linear.
            self.retry_at = rest.len() + 1 + rest.len() / 8;
        }
    }

    /// Says that nothing comes any more.
    pub(crate) fn end<S: Sink>(&mut self, sink: &mut S) -> Result<(), Fault> {
        if let Some(fault) = self.failed {
            return Err(fault);
        }
        self.resume();
        if self.cut_char.1 > 0 && self.mender.is_none() {
            return Err(self.not_utf8());
        }
        self.feed("", true, sink)
    }

    /// Takes the unfinished scalar of the last snapshot back out of the tree.
    pub(crate) fn resume(&mut self) {
        if let Some(Value::String(text)) = self.tree.resume()
            && self.state == State::Text
        {
            self.text.buffer = text;
        }
    }

    /// The document so far.
    pub(crate) fn snapshot(&mut self, partial: Partial) -> Option<&Value> {
        let text = self.state == State::Text && !self.text.is_key;
        if text && partial == Partial::TrailingStrings && self.tree.shows() {
            return self.tree.root();
        }
        self.resume();
        let scalar = match self.state {
            State::Text if partial == Partial::TrailingStrings && !self.text.is_key => {
                Some(Value::String(std::mem::take(&mut self.text.buffer)))
            }
            State::Number | State::Bare(_)
                if partial != Partial::Settled && self.scratch.len() <= LONGEST_SHOWN =>
            {
                if matches!(self.state, State::Bare(bare) if bare.is_key) {
                    None
                } else {
                    number_value(self.scratch.trim_end()).map(|(value, _)| value)
                }
            }
            _ => None,
        };
        self.tree.show(scalar);
        self.tree.root()
    }

    /// Whether no value is in progress in the innermost container.
    fn between_members(&self) -> bool {
        match self.state {
            State::Next | State::FirstKey | State::Key => true,
            State::Value(after) => matches!(after, After::Open | After::Comma),
            State::Text => self.text.is_key,
            State::Bare(bare) => bare.is_key,
            _ => false,
        }
    }

    /// Whether the value at this address is there and will not change.
    pub(crate) fn is_complete(&self, pointer: &Pointer) -> bool {
        let frames = self.tree.frames();
        if frames.is_empty() {
            return self.state == State::End
                && self
                    .tree
                    .root()
                    .is_some_and(|root| pointer.resolve(root).is_some());
        }
        let mut segments = pointer.segments();
        for (depth, frame) in frames.iter().enumerate() {
            let Some(segment) = segments.next() else {
                return false;
            };
            let innermost = depth + 1 == frames.len();
            let in_progress = !innermost || !self.between_members();
            let here = if frame.is_object() {
                in_progress && frame.key == segment
            } else {
                segment.parse() == Ok(frame.count)
            };
            if here {
                if innermost {
                    return false;
                }
                continue;
            }
            let found = match self.tree.container(depth) {
                Some(Value::Object(map)) => map.get(segment.as_ref()),
                Some(Value::Array(items)) => segment
                    .parse::<usize>()
                    .ok()
                    .and_then(|index| items.get(index)),
                _ => None,
            };
            return found.is_some_and(|value| {
                segments
                    .try_fold(value, |at, segment| match at {
                        Value::Object(map) => map.get(segment.as_ref()),
                        Value::Array(items) => items.get(segment.parse::<usize>().ok()?),
                        _ => None,
                    })
                    .is_some()
            });
        }
        false
    }
}
