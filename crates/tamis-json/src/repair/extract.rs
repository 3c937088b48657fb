//! Finding the document in the text around it.
#![expect(
    clippy::match_same_arms,
    reason = "each row of a decision table stands alone"
)]

use serde_json::Value;

use super::look::{Ahead, Guess, Look, begins_name, in_name, odd_space, quote};
use super::markup::{LONGEST_TOKEN, is_bracket_token, opens_tag, starts};
use super::mender::{Candidate, Mender, Rank, Started};
use super::policy::Ending;
use super::report::{Kinds, Repair, RepairKind};
use crate::note::{Note, NoteKind};
use crate::parser::{After, Fault, Flow, Input, Kind, Machine, Sink, State};

/// What comes after a comma behind a finished document.
enum More {
    Item,
    Member,
    Nothing,
    Wait,
}

impl Machine {
    /// Passes text until a document begins.
    pub(crate) fn prose_step<S: Sink>(
        &mut self,
        input: &mut Input<'_>,
        sink: &mut S,
    ) -> Result<Flow, Fault> {
        loop {
            let mends = self.mends();
            let Some(mender) = &mut self.mender else {
                return Err(Fault::syntax(input.offset()));
            };
            if let Some((tag, start)) = mender.thinking {
                let rest = input.rest_text();
                if let Some(found) = find_tag(rest, tag) {
                    input.pos += found + tag.len();
                    mender.thinking = None;
                    mender.piece(RepairKind::Thinking, start, input.offset());
                    continue;
                }
                // Keeps what may be the start of the tag.
                let keep = if input.end { 0 } else { tag.len() - 1 };
                let mut pass = rest.len().saturating_sub(keep);
                while !rest.is_char_boundary(pass) {
                    pass -= 1;
                }
                input.pos += pass;
                if input.end {
                    // The answer was still to come, whatever came before.
                    mender.thinking = None;
                    mender.begun = Some(Rank::Fenced);
                    mender.piece(RepairKind::Thinking, start, input.offset());
                }
                return Ok(Flow::Wait);
            }
            let Some(byte) = input.byte() else {
                return Ok(Flow::Wait);
            };
            let start = input.offset();
            match byte {
                b'\n' => {
                    mender.words = false;
                    input.pos += 1;
                }
                b' ' | b'\t' | b'\r' => input.pos += 1,
                b'`' | b'~' => {
                    if self.fence(input) == Flow::Wait {
                        return Ok(Flow::Wait);
                    }
                }
                b'<' | 0xe2 if input.char().is_some_and(opens_tag) => {
                    if self.tag(input) == Flow::Wait {
                        return Ok(Flow::Wait);
                    }
                }
                _ if mender.code => self.pass(input),
                b'[' if is_bracket_token(input.sight(LONGEST_TOKEN)) != Guess::No => {
                    match is_bracket_token(input.sight(LONGEST_TOKEN)) {
                        Guess::Yes => self.bracket_token(input),
                        _ if !input.end => return Ok(Flow::Wait),
                        _ => return self.start_candidate(input, false, sink),
                    }
                }
                b'{' | b'[' => match self.begins(input) {
                    Guess::More => return Ok(Flow::Wait),
                    Guess::No => self.pass(input),
                    Guess::Yes | Guess::Far => return self.start_candidate(input, false, sink),
                },
                0xef if odd_space(input.rest()).is_some() && start == 0 => {
                    input.pos += 3;
                    mender.piece(RepairKind::ByteOrderMark, 0, 3);
                }
                b'/' if mender.fresh && mends => match self.comment(input) {
                    Some(Flow::Wait) => return Ok(Flow::Wait),
                    Some(Flow::Go) => {
                        if let Some(mender) = &mut self.mender
                            && let Some(comment) = mender.repairs.pop()
                        {
                            mender.pieces.push(comment);
                        }
                    }
                    None => self.pass(input),
                },
                b'\\' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n' | b'T' | b'F' | b'N'
                    if mender.fresh =>
                {
                    match self.begins_scalar(byte, input) {
                        Guess::More => return Ok(Flow::Wait),
                        Guess::No => self.pass(input),
                        _ => return self.start_candidate(input, true, sink),
                    }
                }
                _ => self.pass(input),
            }
        }
    }

    /// Takes a stretch as prose.
    pub(crate) fn pass(&mut self, input: &mut Input<'_>) {
        let start = input.offset();
        let sign = input.byte().unwrap_or_default();
        let space = if sign.is_ascii_graphic() {
            input.pos += 1;
            false
        } else {
            let space = odd_space(input.rest()).is_some();
            input.pos += input.char().map_or(1, char::len_utf8);
            space
        };
        if in_name(sign) && !space {
            // The rest of the word at once.
            input.pos += input
                .rest()
                .iter()
                .take_while(|b| b.is_ascii_alphanumeric())
                .count();
        }
        let end = input.offset();
        if let Some(mender) = &mut self.mender
            && !space
        {
            let after_text = mender.orphan_key || mender.last_sign == b'"';
            mender.orphan_key = sign == b':' && after_text;
            mender.last_sign = sign;
            mender.fresh = false;
            mender.words = true;
            mender.add_prose(start, end);
        }
    }

    /// Whether the bracket here may begin a document rather than be part of the prose.
    fn begins(&self, input: &Input<'_>) -> Guess {
        let Some(mender) = &self.mender else {
            return Guess::No;
        };
        if mender.fresh || !self.mends() {
            return Guess::Yes;
        }
        let object = input.byte() == Some(b'{');
        let mut look = Look::from(input, 1);
        match look.next() {
            Ahead::More => Guess::More,
            Ahead::End | Ahead::Far | Ahead::Quote(_) => Guess::Yes,
            Ahead::Byte(b'{' | b'[') => Guess::Yes,
            Ahead::Byte(b'}') if object => Guess::Yes,
            Ahead::Byte(b']') if !object => Guess::Yes,
            Ahead::Byte(b'\\') => Guess::Yes,
            Ahead::Byte(_) if object => look.key(),
            Ahead::Byte(b'-' | b'0'..=b'9') => Guess::Yes,
            Ahead::Byte(b) if begins_name(b) => {
                if mender.words {
                    look.word(&["true", "false", "null", "True", "False", "None"])
                } else {
                    Guess::Yes
                }
            }
            Ahead::Byte(_) => Guess::No,
        }
    }

    /// Whether a scalar that is the whole document may begin here.
    fn begins_scalar(&self, byte: u8, input: &Input<'_>) -> Guess {
        match byte {
            b'"' => Guess::Yes,
            b'\\' => match input.rest() {
                [_] if !input.end => Guess::More,
                [_, b'"', ..] if self.mends() => Guess::Yes,
                _ => Guess::No,
            },
            b'-' => match input.rest() {
                [_] if !input.end => Guess::More,
                [_, b'0'..=b'9', ..] => Guess::Yes,
                [_] => Guess::Yes,
                _ => Guess::No,
            },
            b'0'..=b'9' => Guess::Yes,
            _ => {
                let look = Look::from(input, 0);
                let words: &[&str] = if self.mends() {
                    &["true", "false", "null", "True", "False", "None"]
                } else {
                    &["true", "false", "null"]
                };
                match look.word(words) {
                    Guess::No if input.end && is_cut_literal(input.rest()) => Guess::Yes,
                    guess => guess,
                }
            }
        }
    }

    fn start_candidate<S: Sink>(
        &mut self,
        input: &mut Input<'_>,
        scalar: bool,
        sink: &mut S,
    ) -> Result<Flow, Fault> {
        if let Some(mender) = &mut self.mender {
            mender.started = Some(Started {
                start: input.offset(),
                fenced: mender.fenced,
                words: mender.words,
                scalar,
            });
            mender.fresh = false;
            mender.orphan = std::mem::take(&mut mender.orphan_key);
            // It is a member of an object whose first bracket is lost.
            mender.cut = std::mem::take(&mut mender.headless) && mender.orphan && !mender.fenced;
            mender.empty_item = false;
            mender.reopened = false;
            mender.begun = None;
            mender.end_prose();
        }
        self.state = State::Value(After::Nothing);
        self.value_step(After::Nothing, input, sink)
    }

    /// After the document: another item, the end, or prose again.
    pub(crate) fn mend_end<S: Sink>(
        &mut self,
        input: &mut Input<'_>,
        sink: &mut S,
    ) -> Result<Flow, Fault> {
        let _ = sink;
        let end = self.value_end;
        input.skip_space();
        let start = input.offset();
        let Some(byte) = input.byte() else {
            if input.end {
                self.finish_candidate(end, true);
            }
            return Ok(Flow::Wait);
        };
        let mends = self.mends();
        match byte {
            b',' if mends => match self.after_comma(input) {
                More::Wait => return Ok(Flow::Wait),
                More::Member => {
                    self.mend(RepairKind::StrayBracket, end.saturating_sub(1), 1);
                    input.pos += 1;
                    self.reopen();
                    self.set_comma(start);
                    self.state = State::Key;
                    return Ok(Flow::Go);
                }
                More::Item => {
                    let root = self.candidate_start();
                    self.mend(RepairKind::MissingBracket, root, 0);
                    input.pos += 1;
                    self.tree.reopen_root(Kind::Bare, root);
                    self.set_comma(start);
                    self.state = State::Value(After::Comma);
                    return Ok(Flow::Go);
                }
                More::Nothing => {
                    self.mend(RepairKind::ExtraComma, start, 1);
                    input.pos += 1;
                    // What the comma promised was cut off.
                    let cut = Look::from(input, 0).next() == Ahead::End;
                    if let Some(mender) = &mut self.mender {
                        mender.cut |= cut && mender.policy.ending == Ending::Truncated;
                    }
                    return Ok(Flow::Go);
                }
            },
            b'}' | b']' if mends => {
                self.mend(RepairKind::StrayBracket, start, 1);
                input.pos += 1;
                return Ok(Flow::Go);
            }
            b':' if matches!(self.tree.root(), Some(Value::String(_))) => {
                if let Some(mender) = &mut self.mender {
                    mender.orphan_key = true;
                    mender.headless = true;
                }
            }
            b'"' if mends && matches!(self.tree.root(), Some(Value::Object(_))) => {
                match Look::from(input, 0).key() {
                    Guess::More => return Ok(Flow::Wait),
                    Guess::Yes => {
                        self.mend(RepairKind::StrayBracket, end.saturating_sub(1), 1);
                        self.mend(RepairKind::MissingComma, start, 0);
                        self.reopen();
                        self.state = State::Key;
                        return Ok(Flow::Go);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        if mends
            && self
                .mender
                .as_ref()
                .is_some_and(|mender| !mender.policy.extraction)
        {
            // Without extraction only comments may follow.
            return match self.between(byte, input) {
                Some(flow) => Ok(flow),
                None => Err(Fault::syntax(start)),
            };
        }
        if self
            .mender
            .as_ref()
            .is_some_and(|mender| !mender.policy.extraction)
        {
            return Err(Fault::syntax(start));
        }
        Ok(self.leave_document(byte, end, input))
    }

    /// What comes here is no part of the document.
    fn leave_document(&mut self, byte: u8, end: usize, input: &Input<'_>) -> Flow {
        if self.mends() {
            match goes_on(byte, input.offset() == end, input) {
                Guess::More => return Flow::Wait,
                Guess::Yes => {
                    if let Some(mender) = &mut self.mender {
                        mender.cut = true;
                    }
                }
                _ => {}
            }
        }
        let alone = match byte {
            b'`' => match input.rest() {
                [b'`'] | [b'`', b'`'] if !input.end => return Flow::Wait,
                rest => rest.starts_with(b"```"),
            },
            b'<' => true,
            _ => odd_space(input.rest()).is_some(),
        };
        self.finish_candidate(end, alone);
        Flow::Go
    }

    /// What comes after a comma behind the finished document.
    fn after_comma(&self, input: &Input<'_>) -> More {
        let mut look = Look::from(input, 1);
        let ahead = look.next();
        if let Ahead::More = ahead {
            return More::Wait;
        }
        if matches!(self.tree.root(), Some(Value::Object(_))) && !matches!(ahead, Ahead::End) {
            match look.key() {
                Guess::Yes => return More::Member,
                Guess::More => return More::Wait,
                _ => {}
            }
        }
        match ahead {
            Ahead::Byte(b'{' | b'[' | b'-' | b'0'..=b'9') => More::Item,
            Ahead::Quote(_) if matches!(quote(look.rest()), Some((1, _))) => More::Item,
            Ahead::Byte(b't' | b'f' | b'n' | b'T' | b'F' | b'N') => {
                match look.word(&["true", "false", "null", "True", "False", "None"]) {
                    Guess::Yes => More::Item,
                    Guess::More => More::Wait,
                    _ => More::Nothing,
                }
            }
            _ => More::Nothing,
        }
    }

    pub(crate) fn candidate_start(&self) -> usize {
        self.mender
            .as_ref()
            .and_then(|mender| mender.started)
            .map_or(0, |started| started.start)
    }

    pub(crate) fn set_comma(&mut self, offset: usize) {
        if let Some(mender) = &mut self.mender {
            mender.comma = offset;
        }
    }

    /// A list without brackets goes on, or ends.
    pub(crate) fn next_bare_item<S: Sink>(
        &mut self,
        byte: u8,
        input: &mut Input<'_>,
        sink: &mut S,
    ) -> Flow {
        if byte == b',' {
            let start = input.offset();
            match self.after_comma(input) {
                More::Wait => return Flow::Wait,
                More::Item | More::Member => {
                    input.pos += 1;
                    self.set_comma(start);
                    self.state = State::Value(After::Comma);
                    return Flow::Go;
                }
                More::Nothing => {}
            }
        }
        self.close_bare(sink);
        Flow::Go
    }

    /// Ends a list without brackets after its last item.
    pub(crate) fn close_bare<S: Sink>(&mut self, sink: &mut S) {
        let end = self.value_end;
        self.mend(RepairKind::MissingBracket, end, 0);
        if let Some(mender) = &mut self.mender {
            // Nothing says that this was the last item.
            mender.cut |= mender.policy.ending == Ending::Truncated;
        }
        self.close(sink);
        // The list ends where its last item does.
        self.completed = false;
    }

    /// The bracket that closed the object came too early.
    fn reopen(&mut self) {
        self.tree.reopen_root(Kind::Object, self.candidate_start());
        if let Some(mender) = &mut self.mender {
            mender.reopened = true;
        }
    }

    /// Without extraction the document is the whole text.
    #[cold]
    fn finish_whole(&mut self, end: usize) {
        if let (Some(mender), Some(value)) = (&mut self.mender, self.tree.take()) {
            let candidate = Candidate {
                value,
                start: 0,
                end,
                rank: Rank::Plain,
                complete: !mender.cut,
                repairs: std::mem::take(&mut mender.repairs),
                notes: std::mem::take(&mut self.notes),
            };
            mender.add(candidate);
        }
        self.state = State::Prose;
    }

    /// Puts the finished document among those found.
    pub(crate) fn finish_candidate(&mut self, end: usize, alone: bool) {
        let Some(mender) = &mut self.mender else {
            return;
        };
        let Some(started) = mender.started.take() else {
            self.finish_whole(end);
            return;
        };
        let repairs = std::mem::take(&mut mender.repairs);
        let notes = std::mem::take(&mut self.notes);
        let value = self.tree.take();
        self.state = State::Prose;
        mender.inner_fences = 0;
        let Some(value) = value else { return };
        mender.cut |= is_doubtful(mender, started, &repairs, &notes);
        if started.scalar && !alone {
            // A word, a number or a quotation at the start of a text.
            mender.add_prose(started.start, end);
            return;
        }
        let rank = if started.fenced {
            Rank::Fenced
        } else if (started.words || is_label(&value, &repairs)) && is_aside(&value, &repairs) {
            Rank::Aside
        } else {
            Rank::Plain
        };
        if mender.cut && rank == Rank::Aside {
            mender.begun = Some(Rank::Plain);
        }
        mender.add(Candidate {
            value,
            start: started.start,
            end,
            rank,
            complete: !mender.cut,
            repairs,
            notes,
        });
    }
}

/// Whether what follows the document, `close` to it where no space is between, is rather a part of it,
/// which its last bracket cut off: it holds a bracket that it did not open itself.
fn goes_on(byte: u8, close: bool, input: &Input<'_>) -> Guess {
    let word = byte.is_ascii_alphabetic() || matches!(byte, b'\'' | b'_');
    if !(byte.is_ascii_digit() || byte == b'"' || close && word) {
        return Guess::No;
    }
    let mut depth = 0_usize;
    for byte in input.rest().iter().take(LONGEST_TOKEN) {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth == 0 => return Guess::Yes,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
    }
    if input.rest().len() < LONGEST_TOKEN && !input.end {
        Guess::More
    } else {
        Guess::No
    }
}

/// Whether what was mended fits together badly, so that it may have been something else: an object that
/// closed too early and another bracket too many, a bracket
/// that was moved and put two members of one name together, a list without brackets in which one is
/// of the wrong kind, an item that seems to lack and a bracket that does, or a bracket after what is
/// none of its kind.
fn is_doubtful(mender: &Mender, started: Started, repairs: &[Repair], notes: &[Note]) -> bool {
    let mut kinds = Kinds::default();
    let mut count = 0;
    let mut bare = false;
    for repair in repairs {
        kinds.add(repair.kind);
        count += usize::from(MOVED.contains(repair.kind));
        bare |= repair.kind == RepairKind::MissingBracket
            && (repair.offset, repair.length) == (started.start, 0);
    }
    if !kinds.meets(MOVED) && !kinds.meets(LACKING) {
        return false;
    }
    let twice = notes.iter().any(|note| note.kind == NoteKind::DuplicateKey);
    let (moved, lacking) = (kinds.meets(MOVED), kinds.meets(LACKING));
    twice
        || bare && moved
        || mender.empty_item && lacking
        || mender.reopened && count > 1
        || kinds.contains(RepairKind::StrayBracket) && kinds.contains(RepairKind::MissingBracket)
        || mender.orphan
        || started.scalar && kinds.contains(RepairKind::StrayBracket)
        || kinds.contains(RepairKind::MissingQuote) && lacking
}

/// Brackets that were not where they belong.
const MOVED: Kinds = Kinds::of(&[RepairKind::StrayBracket, RepairKind::WrongBracket]);
/// Brackets that were not there.
const LACKING: Kinds = Kinds::of(&[RepairKind::MissingBracket, RepairKind::ClosedBracket]);

fn is_cut_literal(rest: &[u8]) -> bool {
    ["true", "false", "null"]
        .iter()
        .any(|word| word.as_bytes().starts_with(rest))
}

/// Where a tag is, in whatever case.
fn find_tag(text: &str, tag: &str) -> Option<usize> {
    let mut places = text.match_indices(opens_tag).map(|(at, _)| at);
    places.find(|at| text.get(*at..).is_some_and(|rest| starts(rest, tag)))
}

/// Whether a document is a label at the start of the text, such as `[note]`: one bare word in brackets.
fn is_label(value: &Value, repairs: &[Repair]) -> bool {
    let word = |item: &Value| {
        let text = item.as_str().unwrap_or_default();
        !text.is_empty() && text.chars().all(char::is_alphabetic)
    };
    repairs
        .iter()
        .any(|repair| repair.kind == RepairKind::UnquotedText)
        && matches!(value, Value::Array(items) if items.len() == 1 && items.iter().all(word))
}

/// Whether a document in running text is rather a remark: brackets with nothing but numbers or
/// bare words.
fn is_aside(value: &Value, repairs: &[Repair]) -> bool {
    match value {
        Value::Object(map) => map.is_empty(),
        Value::Array(items) => items.iter().all(|item| match item {
            Value::Number(_) => true,
            Value::String(_) => repairs.iter().any(|r| r.kind == RepairKind::UnquotedText),
            _ => false,
        }),
        _ => true,
    }
}
