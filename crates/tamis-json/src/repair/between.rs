//! What stands between tokens and is none: comments, odd spaces, ellipses, fences, special tokens.

use super::look::{Guess, odd_space};
use super::markup::{LONGEST_TOKEN, may_become_token, special_token};
use super::report::RepairKind;
use crate::parser::{Fault, Flow, Input, Machine, Sink};

impl Machine {
    /// Comments, odd spaces and escapes between tokens. `None` when it is something else.
    pub(crate) fn between(&mut self, byte: u8, input: &mut Input<'_>) -> Option<Flow> {
        let start = input.offset();
        match byte {
            b'/' => self.comment(input),
            b'#' => {
                let rest = input.rest();
                let length = match memchr::memchr(b'\n', rest) {
                    Some(end) => end,
                    None if input.end => rest.len(),
                    None => return Some(Flow::Wait),
                };
                self.mend(RepairKind::Comment, start, length);
                input.pos += length;
                Some(Flow::Go)
            }
            b'\\' => match input.rest() {
                [_] if !input.end => Some(Flow::Wait),
                // A line break that was escaped once too often.
                [_, b'n' | b't' | b'r' | b'\n', ..] => {
                    self.mend(RepairKind::WrongSpace, start, 2);
                    input.pos += 2;
                    Some(Flow::Go)
                }
                _ => None,
            },
            0..0x20 | 0x7f => {
                self.mend(RepairKind::ControlCharacter, start, 1);
                input.pos += 1;
                Some(Flow::Go)
            }
            _ => match odd_space(input.rest()) {
                Some(length) => {
                    self.mend(RepairKind::WrongSpace, start, length);
                    input.pos += length;
                    Some(Flow::Go)
                }
                None => None,
            },
        }
    }

    /// A comment, when it is one.
    pub(crate) fn comment(&mut self, input: &mut Input<'_>) -> Option<Flow> {
        let start = input.offset();
        let length = match input.rest() {
            [_] if !input.end => return Some(Flow::Wait),
            [_, b'/', rest @ ..] => match memchr::memchr(b'\n', rest) {
                Some(end) => end + 2,
                None if input.end => rest.len() + 2,
                None => return Some(Flow::Wait),
            },
            [_, b'*', rest @ ..] => match memchr::memmem::find(rest, b"*/") {
                Some(end) => end + 4,
                None if input.end => {
                    if let Some(mender) = &mut self.mender {
                        mender.cut = true;
                    }
                    rest.len() + 2
                }
                None => return Some(Flow::Wait),
            },
            _ => return None,
        };
        self.mend(RepairKind::Comment, start, length);
        input.pos += length;
        Some(Flow::Go)
    }

    /// `...` or `…` in place of items.
    pub(crate) fn ellipsis(&mut self, input: &mut Input<'_>) -> Option<Flow> {
        let rest = input.rest();
        let length = if rest.starts_with("…".as_bytes()) {
            3
        } else {
            let dots = rest.iter().take_while(|b| **b == b'.').count();
            if dots == rest.len() && !input.end {
                return Some(Flow::Wait);
            }
            dots
        };
        if length < 3 {
            return None;
        }
        self.mend(RepairKind::Ellipsis, input.offset(), length);
        input.pos += length;
        Some(Flow::Go)
    }

    /// A fence inside the document: its end when the document is in it, a stray one otherwise.
    pub(crate) fn fence_inside<S: Sink>(
        &mut self,
        input: &mut Input<'_>,
        sink: &mut S,
    ) -> Result<Flow, Fault> {
        let start = input.offset();
        let rest = input.rest();
        let marks = rest.iter().take_while(|b| **b == b'`').count();
        let extracts = self
            .mender
            .as_ref()
            .is_some_and(|mender| mender.policy.extraction);
        if marks < 3 || !extracts {
            return Err(Fault::syntax(start));
        }
        let after = rest.get(marks..).unwrap_or_default();
        let tag = after
            .iter()
            .take_while(|b| b.is_ascii_alphanumeric())
            .count();
        if tag == after.len() && !input.end {
            return Ok(Flow::Wait);
        }
        let Some(mender) = &mut self.mender else {
            return Err(Fault::syntax(start));
        };
        if mender.started.is_some_and(|started| started.fenced)
            && mender.inner_fences == 0
            && tag == 0
        {
            self.close_open(input, sink);
            return Ok(Flow::Go);
        }
        if mender.inner_fences > 0 {
            mender.inner_fences -= 1;
        } else {
            mender.inner_fences += 1;
        }
        self.mend(RepairKind::Fence, start, marks + tag);
        input.pos += marks + tag;
        Ok(Flow::Go)
    }

    /// Whether a token of the model's own markup ends the document here.
    pub(crate) fn special_token_here(&self, input: &Input<'_>) -> Guess {
        let extracts = self
            .mender
            .as_ref()
            .is_some_and(|mender| mender.policy.extraction);
        let sight = input.sight(2 * LONGEST_TOKEN);
        if !extracts {
            Guess::No
        } else if special_token(sight).is_some() {
            Guess::Yes
        } else if !input.end && may_become_token(sight) {
            Guess::More
        } else {
            Guess::No
        }
    }
}
