//! The end of the text: what is open is closed, what was cut is said to be.

use super::mender::Rank;
use super::policy::Ending;
use super::report::RepairKind;
use crate::parser::{After, Escape, Fault, FaultKind, Frame, Input, Kind, Machine, Sink, State};

impl Machine {
    /// Closes everything open at the cursor, where the document must end.
    pub(crate) fn close_open<S: Sink>(&mut self, input: &mut Input<'_>, sink: &mut S) {
        let end = input.offset();
        let policy = self
            .mender
            .as_ref()
            .map(|mender| (mender.policy.closing, mender.policy.ending));
        let Some((closing, ending)) = policy else {
            return;
        };
        let open = self.tree.depth() > 0 || self.state == State::Text;
        if open && !closing {
            self.lose(Fault {
                kind: FaultKind::Incomplete,
                offset: end,
            });
            return;
        }
        if self.is_lone_bracket() {
            if let Some(mender) = &mut self.mender
                && let Some(started) = mender.started.take()
            {
                mender.add_prose(started.start, end);
                mender.repairs.clear();
                mender.begun = Some(Rank::Plain);
            }
            self.tree.take();
            self.state = State::Prose;
            return;
        }
        let inside = ending == Ending::Natural && self.brackets_inside_string(end, sink);
        let cut = !inside && self.close_scalar(end, sink);
        let mut just_opened = false;
        while let Some((kind, count)) = self.tree.top().map(|top| (top.kind, top.count)) {
            just_opened |= count == 0 && !cut && !inside;
            if !inside && kind != Kind::Bare {
                self.mend(RepairKind::ClosedBracket, end, 0);
            }
            if kind == Kind::Bare {
                self.close_bare(sink);
            } else if self.close_top(sink, end).is_err() {
                self.lose(Fault::missing_value(end));
                return;
            }
        }
        let truncated = ending == Ending::Truncated && open;
        let at = self.value_end.max(end);
        if let Some(mender) = &mut self.mender {
            mender.cut |= cut || just_opened || truncated;
        }
        self.completed = false;
        self.value_end = at;
    }

    /// Whether there is nothing but an opening bracket behind prose.
    fn is_lone_bracket(&self) -> bool {
        let empty = matches!(self.tree.frames(), [root] if root.count == 0 && root.key.is_empty())
            && matches!(self.state, State::FirstKey | State::Value(After::Open));
        empty
            && self
                .mender
                .as_ref()
                .is_some_and(|mender| mender.any_prose && mender.started.is_some_and(|s| !s.fenced))
    }

    /// Drops the document in progress for good.
    fn lose(&mut self, fault: Fault) {
        if let Some(mender) = &mut self.mender {
            let (start, fenced) = mender
                .started
                .take()
                .map_or((0, false), |started| (started.start, started.fenced));
            let rank = if fenced { Rank::Fenced } else { Rank::Plain };
            if mender.lost.is_none() {
                mender.lost = Some((fault, start, rank));
            }
            mender.repairs.clear();
        }
        self.tree.take();
        self.state = State::Prose;
    }

    /// Ends the scalar or the key in progress. Whether something was cut.
    fn close_scalar<S: Sink>(&mut self, end: usize, sink: &mut S) -> bool {
        match self.state {
            State::Text if self.text.is_key => {
                let start = self.text.start;
                self.mend(RepairKind::CutTail, start, end - start);
                true
            }
            State::Text => {
                self.mend(RepairKind::ClosedString, end, 0);
                self.text.escape = Escape::None;
                self.finish_text("", end, sink);
                true
            }
            State::Bare(bare) if bare.is_key => {
                let start = self.scratch_start;
                self.mend(RepairKind::CutTail, start, end - start);
                true
            }
            State::Bare(_) => self.end_bare(sink),
            State::Number | State::Literal { .. } => {
                self.mend(RepairKind::CutTail, end, 0);
                true
            }
            State::Colon | State::Value(After::Colon) => {
                let (start, _) = self.tree.top().map_or((end, 0), |top| top.key_span);
                self.mend(RepairKind::CutTail, start, end - start);
                true
            }
            State::Key | State::Value(After::Comma) => {
                let comma = self.mender.as_ref().map_or(end, |mender| mender.comma);
                self.mend(RepairKind::CutTail, comma, 1);
                true
            }
            State::Value(After::Nothing) => true,
            _ => false,
        }
    }

    /// When the text of an unfinished string ends with the very brackets that are open, its
    /// closing quotation mark is what is missing.
    fn brackets_inside_string<S: Sink>(&mut self, end: usize, sink: &mut S) -> bool {
        let fits = self.state == State::Text
            && !self.text.is_key
            && self.text.escape == Escape::None
            && self.text.delimiter.inner == 0
            && self.mends()
            && self.tree.depth() > 0;
        if !fits {
            return false;
        }
        let Some(length) = without_brackets(&self.text.buffer, self.tree.frames()) else {
            return false;
        };
        let behind = self.text.buffer.len() - length;
        self.text.buffer.truncate(length);
        self.text.told = self.text.told.min(length);
        self.doubt_list();
        let text_end = end.saturating_sub(behind);
        self.unmend_controls(text_end);
        self.mend(RepairKind::MissingQuote, text_end, 0);
        self.finish_text("", end, sink);
        true
    }
}

/// How much of a text stays when the brackets that the frames lack are taken off its end. `None`
/// when they are not there, or close what the text itself has opened.
fn without_brackets(text: &str, frames: &[Frame]) -> Option<usize> {
    let mut end = text.len();
    let mut missing = Vec::new();
    for frame in frames {
        let bracket = match frame.kind {
            Kind::Object => '}',
            Kind::Array => ']',
            Kind::Tuple | Kind::Call => ')',
            Kind::Bare => continue,
        };
        end = text.get(..end)?.trim_end().strip_suffix(bracket)?.len();
        missing.push(bracket);
    }
    let rest = text.get(..end)?.trim_end();
    let open = |opening, closing| {
        rest.bytes().fold(0_usize, |open, byte| match byte {
            b if b == opening => open + 1,
            b if b == closing => open.saturating_sub(1),
            _ => open,
        })
    };
    let own = |(opening, closing): (u8, u8)| {
        missing.iter().any(|b| *b == char::from(closing)) && open(opening, closing) > 0
    };
    let balanced = ![(b'{', b'}'), (b'[', b']'), (b'(', b')')]
        .into_iter()
        .any(own);
    (balanced && !rest.is_empty()).then_some(rest.len())
}
