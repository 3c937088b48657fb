//! The short way through the parts of a broken text that are not broken.
//!
//! Each answers only where the long way would come to the same; the tests that cut a text into
//! single bytes compare the two.

use super::look::WINDOW;
use crate::parser::{Input, Kind, Literal, Machine, Sink, number_value, plain_length};

impl Machine {
    /// Whether the quotation mark here ends the string beyond doubt.
    pub(crate) fn ends_plainly(&self, input: &Input<'_>) -> bool {
        let gap = self.mender.as_ref().is_some_and(|mender| mender.gap);
        if self.text.delimiter.inner > 0 || self.has_high_surrogate() || gap {
            return false;
        }
        let [_, after @ ..] = input.rest() else {
            return false;
        };
        if self.text.is_key {
            return after.first() == Some(&b':');
        }
        match (self.tree.top().map(|top| top.kind), after) {
            (Some(Kind::Object), [b'}', next, ..]) => {
                next.is_ascii() && !matches!(next, b'"' | b'\'' | b'`')
            }
            (Some(Kind::Object), [b',', rest @ ..]) => key_ahead(rest),
            (Some(Kind::Array), [b']' | b',', ..]) => true,
            _ => false,
        }
    }

    /// Takes an ordinary number or literal that ends beyond doubt.
    pub(crate) fn plain_scalar<S: Sink>(&mut self, input: &mut Input<'_>, sink: &mut S) -> bool {
        let rest = input.rest();
        let (length, literal) = match rest {
            [b't', ..] if rest.starts_with(b"true") => (4, Some(Literal::True)),
            [b'f', ..] if rest.starts_with(b"false") => (5, Some(Literal::False)),
            [b'n', ..] if rest.starts_with(b"null") => (4, Some(Literal::Null)),
            [b'-' | b'0'..=b'9', ..] => {
                let number = |b: &&u8| matches!(b, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
                (rest.iter().take_while(number).count(), None)
            }
            _ => return false,
        };
        let ends = match (self.tree.top().map(|top| top.kind), rest.get(length..)) {
            (Some(Kind::Object), Some([b',', rest @ ..])) => key_ahead(rest),
            (Some(Kind::Object), Some([b'}', ..]))
            | (Some(Kind::Array), Some([b']' | b',', ..])) => true,
            _ => false,
        };
        if !ends {
            return false;
        }
        let value = match literal {
            Some(literal) => literal.value(),
            None => match number_value(input.ahead(length)) {
                Some((value, None)) => value,
                _ => return false,
            },
        };
        input.pos += length;
        self.complete(value, sink);
        true
    }
}

/// Whether the quotation mark here opens an ordinary string.
pub(crate) fn opens_plainly(input: &Input<'_>) -> bool {
    matches!(input.rest(), [_, second, ..] if *second != b'"')
}

/// Whether an ordinary key and its colon are here, in sight.
fn key_ahead(rest: &[u8]) -> bool {
    let sight = rest.get(..rest.len().min(WINDOW / 2)).unwrap_or_default();
    let space = sight
        .iter()
        .take_while(|b| matches!(b, b' ' | b'\n' | b'\r' | b'\t'))
        .count();
    let Some([b'"', key @ ..]) = sight.get(space..) else {
        return false;
    };
    let length = plain_length(key);
    matches!(key.get(length..), Some([b'"', b':', next, ..]) if *next != b'/')
}
