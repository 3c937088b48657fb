//! Mends between the tokens: commas, colons, brackets, comments, odd spaces.
#![expect(
    clippy::match_same_arms,
    reason = "each row of a decision table stands alone"
)]

use serde_json::Value;

use super::bare::Bare;
use super::delimiter::{Delimiter, Quotes};
use super::look::{Ahead, Family, Guess, Look, begins_name, quote};
use super::report::RepairKind;
use crate::parser::{After, Fault, Flow, Input, Kind, Machine, Sink, State};

impl Machine {
    /// A value is expected, and this is not the start of a strict one.
    pub(crate) fn mend_value<S: Sink>(
        &mut self,
        after: After,
        byte: u8,
        input: &mut Input<'_>,
        sink: &mut S,
    ) -> Result<Flow, Fault> {
        let start = input.offset();
        if let Some(flow) = self.between(byte, input) {
            return Ok(flow);
        }
        if let Some(flow) = self.quote_opens(input, false) {
            return Ok(flow);
        }
        match byte {
            b',' | b';' => match after {
                After::Open | After::Comma => {
                    if after == After::Open
                        && let Some(mender) = &mut self.mender
                    {
                        mender.empty_item = true;
                    }
                    self.mend(RepairKind::ExtraComma, start, 1);
                    input.pos += 1;
                    Ok(Flow::Go)
                }
                _ => Err(Fault::missing_value(start)),
            },
            b':' if after == After::Colon => {
                self.mend(RepairKind::ExtraColon, start, 1);
                input.pos += 1;
                Ok(Flow::Go)
            }
            b']' | b'}' | b')' => {
                if after == After::Colon {
                    return Err(Fault::missing_value(start));
                }
                self.close_with(byte, input, sink)
            }
            b'(' => {
                self.mend(RepairKind::WrongBracket, start, 1);
                input.pos += 1;
                self.open(Kind::Tuple, start, sink)?;
                Ok(Flow::Go)
            }
            b'.' | 0xe2 => match self.ellipsis(input) {
                Some(Flow::Wait) => Ok(Flow::Wait),
                Some(Flow::Go) if after == After::Colon || after == After::Nothing => {
                    Err(Fault::missing_value(start))
                }
                Some(Flow::Go) => {
                    self.state = State::Next;
                    Ok(Flow::Go)
                }
                None => self.begin_bare(false, input, sink),
            },
            b'`' => self.fence_inside(input, sink),
            b'<' if self.special_token_here(input) == Guess::More => Ok(Flow::Wait),
            b'<' if self.special_token_here(input) == Guess::Yes => {
                self.close_open(input, sink);
                Ok(Flow::Go)
            }
            b'-' | b'+' | b'0'..=b'9' | b'/' | b'<' | b'%' | b'~' | b'@' | b'*' => {
                self.begin_bare(false, input, sink)
            }
            _ if begins_name(byte) => self.begin_bare(false, input, sink),
            _ => Err(Fault::syntax(start)),
        }
    }

    /// A key is expected, and this is no quotation mark.
    pub(crate) fn mend_key<S: Sink>(
        &mut self,
        byte: u8,
        input: &mut Input<'_>,
        sink: &mut S,
    ) -> Result<Flow, Fault> {
        let start = input.offset();
        if let Some(flow) = self.between(byte, input) {
            return Ok(flow);
        }
        if let Some(flow) = self.quote_opens(input, true) {
            return Ok(flow);
        }
        match byte {
            b',' | b';' => {
                if self.state == State::FirstKey
                    && let Some(mender) = &mut self.mender
                {
                    mender.empty_item = true;
                }
                self.mend(RepairKind::ExtraComma, start, 1);
                input.pos += 1;
                Ok(Flow::Go)
            }
            b'}' | b']' | b')' => self.close_with(byte, input, sink),
            b'{' if self.state == State::FirstKey => {
                self.mend(RepairKind::StrayBracket, start, 1);
                input.pos += 1;
                Ok(Flow::Go)
            }
            b'{' if self.in_array() => {
                self.mend(RepairKind::MissingBracket, start, 0);
                self.close(sink);
                self.state = State::Value(After::Comma);
                Ok(Flow::Go)
            }
            b'.' | 0xe2 => match self.ellipsis(input) {
                Some(Flow::Go) => {
                    self.state = State::Next;
                    Ok(Flow::Go)
                }
                Some(Flow::Wait) => Ok(Flow::Wait),
                None => self.begin_bare(true, input, sink),
            },
            b'`' => self.fence_inside(input, sink),
            b'<' if self.special_token_here(input) == Guess::More => Ok(Flow::Wait),
            b'<' if self.special_token_here(input) == Guess::Yes => {
                self.close_open(input, sink);
                Ok(Flow::Go)
            }
            b'0'..=b'9' | b'-' | b'@' => self.begin_bare(true, input, sink),
            _ if begins_name(byte) => self.begin_bare(true, input, sink),
            _ => Err(Fault::syntax(start)),
        }
    }

    /// A colon is expected, and this is none.
    pub(crate) fn mend_colon(&mut self, byte: u8, input: &mut Input<'_>) -> Result<Flow, Fault> {
        let start = input.offset();
        if let Some(flow) = self.between(byte, input) {
            return Ok(flow);
        }
        match byte {
            b'=' => {
                let length = match input.rest() {
                    [_] if !input.end => return Ok(Flow::Wait),
                    [_, b'>', ..] => 2,
                    _ => 1,
                };
                self.mend(RepairKind::MissingColon, start, length);
                input.pos += length;
            }
            b',' | b'}' | b']' | b')' | b';' => return Err(Fault::missing_value(start)),
            _ => self.mend(RepairKind::MissingColon, start, 0),
        }
        self.state = State::Value(After::Colon);
        Ok(Flow::Go)
    }

    /// A comma or a closing bracket is expected, and this is neither.
    pub(crate) fn mend_next<S: Sink>(
        &mut self,
        byte: u8,
        kind: Kind,
        input: &mut Input<'_>,
        sink: &mut S,
    ) -> Result<Flow, Fault> {
        let start = input.offset();
        if let Some(flow) = self.between(byte, input) {
            return Ok(flow);
        }
        if kind == Kind::Bare {
            return Ok(self.next_bare_item(byte, input, sink));
        }
        match byte {
            b',' if kind == Kind::Call => Err(Fault::syntax(start)),
            b',' => {
                if let Some(top) = self.tree.top_mut() {
                    top.comma = true;
                }
                input.pos += 1;
                self.set_comma(start);
                self.state = State::Value(After::Comma);
                Ok(Flow::Go)
            }
            b';' => {
                self.mend(RepairKind::MissingComma, start, 1);
                input.pos += 1;
                self.set_comma(start);
                self.expect_item(kind);
                Ok(Flow::Go)
            }
            b'}' | b']' | b')' => self.close_with(byte, input, sink),
            b'+' => self.join(input),
            b'.' | 0xe2 if !matches!(Look::from(input, 0).here(), Ahead::Quote(_)) => {
                match self.ellipsis(input) {
                    Some(flow) => Ok(flow),
                    None => Err(Fault::syntax(start)),
                }
            }
            b'`' if input.rest().starts_with(b"```") => self.fence_inside(input, sink),
            b'`' if b"```".starts_with(input.rest()) && !input.end => Ok(Flow::Wait),
            b'<' => match self.special_token_here(input) {
                Guess::More => Ok(Flow::Wait),
                Guess::Yes => {
                    self.close_open(input, sink);
                    Ok(Flow::Go)
                }
                _ => Err(Fault::syntax(start)),
            },
            _ if kind == Kind::Object => self.missing_comma_in_object(byte, input, sink),
            b'{' | b'[' | b'"' | b'-' | b'0'..=b'9' => Ok(self.missing_comma(start, kind)),
            _ if quote(input.rest()).is_some() => Ok(self.missing_comma(start, kind)),
            b't' | b'f' | b'n' | b'T' | b'F' | b'N' => {
                let look = Look::from(input, 0);
                match look.word(&["true", "false", "null", "True", "False", "None", "NaN"]) {
                    Guess::Yes => Ok(self.missing_comma(start, kind)),
                    Guess::More => Ok(Flow::Wait),
                    _ => Err(Fault::syntax(start)),
                }
            }
            _ => Err(Fault::syntax(start)),
        }
    }

    fn missing_comma(&mut self, start: usize, kind: Kind) -> Flow {
        self.mend(RepairKind::MissingComma, start, 0);
        self.expect_item(kind);
        Flow::Go
    }

    fn expect_item(&mut self, kind: Kind) {
        self.state = if kind == Kind::Object {
            State::Key
        } else {
            State::Value(After::Comma)
        };
    }

    fn missing_comma_in_object<S: Sink>(
        &mut self,
        byte: u8,
        input: &mut Input<'_>,
        sink: &mut S,
    ) -> Result<Flow, Fault> {
        let start = input.offset();
        if byte == b'{' && self.in_array() {
            self.mend(RepairKind::MissingBracket, start, 0);
            self.close(sink);
            return Ok(Flow::Go);
        }
        let look = Look::from(input, 0);
        match look.key() {
            Guess::Yes | Guess::Far => {
                if let Some(mender) = &mut self.mender {
                    mender.gap = true;
                }
                Ok(self.missing_comma(start, Kind::Object))
            }
            Guess::More => Ok(Flow::Wait),
            Guess::No => Err(Fault::syntax(start)),
        }
    }

    /// Before a key after a missing comma: when the object has the key already, two items of an
    /// array have lost the brackets between them.
    pub(crate) fn split_items<S: Sink>(
        &mut self,
        key: &str,
        offset: usize,
        sink: &mut S,
    ) -> Result<(), Fault> {
        let gap = self
            .mender
            .as_mut()
            .is_some_and(|mender| std::mem::take(&mut mender.gap));
        if gap && self.in_array() && self.tree.has_key(key) {
            self.mend(RepairKind::MissingBracket, offset, 0);
            self.close(sink);
            self.open(Kind::Object, offset, sink)?;
        }
        Ok(())
    }

    /// Whether the innermost container is an item of an array.
    pub(crate) fn in_array(&self) -> bool {
        let frames = self.tree.frames();
        frames
            .len()
            .checked_sub(2)
            .and_then(|i| frames.get(i))
            .is_some_and(|f| !f.is_object())
    }

    /// A closing bracket, after a comma or not.
    fn close_with<S: Sink>(
        &mut self,
        byte: u8,
        input: &mut Input<'_>,
        sink: &mut S,
    ) -> Result<Flow, Fault> {
        let comma = matches!(self.state, State::Key | State::Value(After::Comma));
        let flow = self.close_whatever(byte, input, sink)?;
        if comma && flow == Flow::Go {
            let at = self.mender.as_ref().map_or(0, |mender| mender.comma);
            self.mend(RepairKind::ExtraComma, at, 1);
        }
        Ok(flow)
    }

    /// A closing bracket, whatever is open.
    fn close_whatever<S: Sink>(
        &mut self,
        byte: u8,
        input: &mut Input<'_>,
        sink: &mut S,
    ) -> Result<Flow, Fault> {
        let start = input.offset();
        let fits = |kind: Kind| match byte {
            b'}' => kind == Kind::Object,
            b']' => kind == Kind::Array,
            _ => matches!(kind, Kind::Tuple | Kind::Call),
        };
        let frames = self.tree.frames();
        if frames.last().is_some_and(|top| fits(top.kind)) {
            input.pos += 1;
            return self.close_top(sink, start);
        }
        self.tree.walked += frames.len() as u64;
        if self
            .tree
            .frames()
            .iter()
            .rev()
            .any(|frame| fits(frame.kind))
        {
            self.mend(RepairKind::MissingBracket, start, 0);
            return self.close_top(sink, start);
        }
        if self.tree.top().is_some_and(|top| top.kind == Kind::Bare) {
            self.close_bare(sink);
            return Ok(Flow::Go);
        }
        // It closes nothing. Before another closing bracket or the end it is one too many;
        // otherwise it stands for the right one.
        let mut look = Look::from(input, 1);
        match look.next() {
            Ahead::More => return Ok(Flow::Wait),
            ahead @ (Ahead::Byte(b'}' | b']') | Ahead::End) => {
                self.mend(RepairKind::StrayBracket, start, 1);
                input.pos += 1;
                if matches!(self.state, State::Value(After::Comma) | State::Key) {
                    self.state = State::Next;
                    if ahead != Ahead::End
                        && let Some(mender) = &mut self.mender
                    {
                        // The item that the comma promised may have lost all but its end.
                        mender.cut = true;
                    }
                }
            }
            _ => {
                self.mend(RepairKind::WrongBracket, start, 1);
                input.pos += 1;
                return self.close_top(sink, start);
            }
        }
        Ok(Flow::Go)
    }

    /// Closes the innermost container, and takes a single value out of a tuple or a call.
    pub(crate) fn close_top<S: Sink>(
        &mut self,
        sink: &mut S,
        offset: usize,
    ) -> Result<Flow, Fault> {
        let Some((kind, count, comma)) =
            self.tree.top().map(|top| (top.kind, top.count, top.comma))
        else {
            return Ok(Flow::Go);
        };
        let single = match kind {
            Kind::Call if count != 1 => return Err(Fault::missing_value(offset)),
            Kind::Call => true,
            Kind::Tuple => count == 1 && !comma,
            _ => false,
        };
        if single {
            if let Some(Value::Array(mut items)) = self.tree.close() {
                self.complete(items.pop().unwrap_or_default(), sink);
            }
        } else {
            self.close(sink);
        }
        Ok(Flow::Go)
    }

    /// A plus between two strings.
    fn join(&mut self, input: &mut Input<'_>) -> Result<Flow, Fault> {
        let start = input.offset();
        let mut look = Look::from(input, 1);
        match look.next() {
            Ahead::More => return Ok(Flow::Wait),
            Ahead::Quote(_) => {}
            _ => return Err(Fault::syntax(start)),
        }
        let Some((length, family)) = quote(look.rest()) else {
            return Err(Fault::syntax(start));
        };
        match self.tree.reopen_last() {
            Some(Value::String(text)) => {
                let quotes = quotes_of(length, family);
                self.mend(RepairKind::Concatenation, start, 1);
                input.pos += look.at();
                let quote_at = input.offset();
                input.pos += length;
                self.begin_text(false, quote_at, Delimiter::new(quotes));
                self.text.told = text.len();
                self.text.delimiter.counted = text.len();
                self.text.buffer = text;
                if quotes != Quotes::Double {
                    self.mend(RepairKind::WrongQuote, quote_at, length);
                }
                Ok(Flow::Go)
            }
            _ => Err(Fault::syntax(start)),
        }
    }

    /// A quotation mark that opens a string, when one is here.
    fn quote_opens(&mut self, input: &mut Input<'_>, is_key: bool) -> Option<Flow> {
        let start = input.offset();
        let rest = input.rest();
        let (length, quotes) = match rest {
            [b'\\'] if !input.end => return Some(Flow::Wait),
            [b'\\', b'"', ..] => (2, Quotes::Escaped),
            [b'"'] | [b'"', b'"'] if !input.end && !is_key => return Some(Flow::Wait),
            [b'"', b'"', b'"', ..] if !is_key => (3, Quotes::Triple),
            [b'`'] | [b'`', b'`'] if !input.end => return Some(Flow::Wait),
            [b'`', b'`', b'`', ..] => return None,
            _ => match quote(rest) {
                None => return None,
                Some((length, family)) => (length, quotes_of(length, family)),
            },
        };
        if quotes != Quotes::Double {
            self.mend(RepairKind::WrongQuote, start, length);
        }
        input.pos += length;
        self.begin_text(is_key, start, Delimiter::new(quotes));
        Some(Flow::Go)
    }

    fn begin_bare<S: Sink>(
        &mut self,
        is_key: bool,
        input: &mut Input<'_>,
        sink: &mut S,
    ) -> Result<Flow, Fault> {
        self.scratch.clear();
        self.scratch_start = input.offset();
        let bare = Bare { is_key };
        self.state = State::Bare(bare);
        self.bare_step(bare, input, sink)
    }
}

fn quotes_of(length: usize, family: Family) -> Quotes {
    match (length, family) {
        (1, Family::Double) => Quotes::Double,
        (1, Family::Single) => Quotes::Single,
        (_, Family::Backtick) => Quotes::Backtick,
        (_, Family::Double) => Quotes::CurlyDouble,
        (_, Family::Single) => Quotes::CurlySingle,
    }
}
