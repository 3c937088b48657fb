//! The short way through the parts of a broken text that are not broken.
//!
//! Each answers only where the long way would come to the same; the tests that cut a text into
//! single bytes compare the two.

use super::bare::LONGEST_NAME;
use super::delimiter::{Delimiter, Quotes};
use super::look::WINDOW;
use super::report::RepairKind;
use crate::parser::{
    After, Fault, Flow, Input, Kind, Literal, Machine, Sink, State, number_value, plain_length,
};

/// What comes after a value that ends beyond doubt.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Follow {
    /// Left to the next step.
    Any,
    /// A comma, and an ordinary key with its colon.
    Key(PlainKey),
}

/// An ordinary key after a comma.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlainKey {
    /// How many spaces come before it.
    space: usize,
    /// Its length between the quotation marks.
    length: usize,
}

impl Machine {
    /// What follows, when the quotation mark here, of the string's own kind, ends it beyond doubt.
    pub(crate) fn ends_plainly(&self, input: &Input<'_>) -> Option<Follow> {
        let [_, after @ ..] = input.rest() else {
            return None;
        };
        let gap = self.mender.as_ref().is_some_and(|mender| mender.gap);
        if self.text.delimiter.inner > 0 || self.has_high_surrogate() || gap {
            return None;
        }
        if self.text.is_key {
            return (after.first() == Some(&b':')).then_some(Follow::Any);
        }
        match (self.tree.top().map(|top| top.kind), after) {
            (Some(Kind::Object), [b'}', next, ..]) => {
                let doubtful = !next.is_ascii() || matches!(next, b'"' | b'\'' | b'`');
                (!doubtful).then_some(Follow::Any)
            }
            (Some(Kind::Object), [b',', rest @ ..]) => key_ahead(rest).map(Follow::Key),
            (Some(Kind::Array), [b']' | b',', ..]) => Some(Follow::Any),
            _ => None,
        }
    }

    /// Takes an ordinary number or literal that ends beyond doubt.
    pub(crate) fn plain_scalar<S: Sink>(&mut self, input: &mut Input<'_>, sink: &mut S) -> bool {
        let rest = input.rest();
        let (length, word) = match rest {
            [b'-' | b'0'..=b'9', ..] => (rest.iter().take_while(|b| in_number(**b)).count(), None),
            [b't', b'r', b'u', b'e', ..] => (4, Some((Literal::True, false))),
            [b'f', b'a', b'l', b's', b'e', ..] => (5, Some((Literal::False, false))),
            [b'n', b'u', b'l', b'l', ..] => (4, Some((Literal::Null, false))),
            [b'T', b'r', b'u', b'e', ..] => (4, Some((Literal::True, true))),
            [b'F', b'a', b'l', b's', b'e', ..] => (5, Some((Literal::False, true))),
            [b'N', b'o', b'n', b'e', ..] => (4, Some((Literal::Null, true))),
            _ => return false,
        };
        let follow = match (self.tree.top().map(|top| top.kind), rest.get(length..)) {
            (Some(Kind::Object), Some([b',', rest @ ..])) => key_ahead(rest).map(Follow::Key),
            (Some(Kind::Object), Some([b'}', ..]))
            | (Some(Kind::Array), Some([b']' | b',', ..])) => Some(Follow::Any),
            _ => None,
        };
        let Some(follow) = follow else {
            return false;
        };
        let value = match word {
            Some((literal, respelled)) => {
                if respelled {
                    self.mend(RepairKind::Literal, input.offset(), length);
                }
                literal.value()
            }
            None => match number_value(input.ahead(length)) {
                Some((value, None)) => value,
                _ => return false,
            },
        };
        input.pos += length;
        self.complete(value, sink);
        if let Follow::Key(key) = follow {
            self.pass_plain_key(key, input, sink);
        }
        true
    }

    /// Takes a key without quotation marks that its colon follows at once.
    pub(crate) fn plain_name<S: Sink>(&mut self, input: &mut Input<'_>, sink: &mut S) -> bool {
        let rest = input.rest();
        let gap = self.mender.as_ref().is_some_and(|mender| mender.gap);
        let length = rest
            .iter()
            .take(LONGEST_NAME)
            .take_while(|b| b.is_ascii_alphanumeric() || **b == b'_')
            .count();
        let name = rest.first().is_some_and(|b| !b.is_ascii_digit());
        if gap || length == 0 || !name || rest.get(length) != Some(&b':') {
            return false;
        }
        let start = input.offset();
        self.mend(RepairKind::UnquotedKey, start, length);
        let key = input.ahead(length).to_owned();
        input.pos += length;
        self.finish_key(key, (start, length), sink);
        true
    }

    /// Begins a string at the single quotation mark here.
    pub(crate) fn single_quoted<S: Sink>(
        &mut self,
        is_key: bool,
        input: &mut Input<'_>,
        sink: &mut S,
    ) -> Result<Flow, Fault> {
        let start = input.offset();
        self.mend(RepairKind::WrongQuote, start, 1);
        input.pos += 1;
        self.begin_text(is_key, start, Delimiter::new(Quotes::Single));
        self.mend_text(input, sink)
    }

    /// Goes on from a value just completed to the next one, when an ordinary key was seen between
    /// them: it need not be looked for again.
    pub(crate) fn pass_plain_key<S: Sink>(
        &mut self,
        key: PlainKey,
        input: &mut Input<'_>,
        sink: &mut S,
    ) {
        let comma = input.offset();
        self.completed = false;
        self.value_end = comma;
        self.set_comma(comma);
        let start = comma + 1 + key.space;
        input.pos += 2 + key.space;
        let name = input.ahead(key.length).to_owned();
        // The closing quotation mark and the colon.
        input.pos += key.length + 2;
        self.finish_key(name, (start, key.length + 2), sink);
        self.state = State::Value(After::Colon);
    }
}

fn in_number(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')
}

/// Whether the quotation mark here opens an ordinary string.
pub(crate) fn opens_plainly(input: &Input<'_>) -> bool {
    matches!(input.rest(), [_, second, ..] if *second != b'"')
}

/// The ordinary key that is here, in sight, with its colon.
fn key_ahead(rest: &[u8]) -> Option<PlainKey> {
    let sight = rest.get(..rest.len().min(WINDOW / 2)).unwrap_or_default();
    let space = sight
        .iter()
        .take_while(|b| matches!(b, b' ' | b'\n' | b'\r' | b'\t'))
        .count();
    let [b'"', key @ ..] = sight.get(space..)? else {
        return None;
    };
    let length = plain_length(key);
    match key.get(length..)? {
        [b'"', b':', next, ..] if *next != b'/' => Some(PlainKey { space, length }),
        _ => None,
    }
}
