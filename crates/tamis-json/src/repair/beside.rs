//! What a text without quotation marks may hide: a prefixed string, another member, a group of digits.

use serde_json::Value;

use super::delimiter::{Delimiter, Quotes};
use super::look::{Guess, Look, begins_name, in_name};
use super::report::RepairKind;
use crate::parser::{Flow, Input, Kind, Machine};

impl Machine {
    /// A string with another language's prefix (`u'x'`, `r"\d"`, `@"C:\"`), when one begins here.
    pub(super) fn prefixed_string(
        &mut self,
        byte: u8,
        kind: Kind,
        input: &mut Input<'_>,
    ) -> Option<Flow> {
        const PREFIXES: [&str; 10] = ["u", "b", "r", "f", "rb", "br", "fr", "rf", "@", "$"];
        let prefix = self.scratch.as_str();
        if !PREFIXES
            .iter()
            .any(|known| known.eq_ignore_ascii_case(prefix))
        {
            return None;
        }
        if kind == Kind::Object {
            match Look::from(input, 0).key() {
                Guess::Yes => return None,
                Guess::More => return Some(Flow::Wait),
                _ => {}
            }
        }
        let (quotes, length) = match (byte, input.rest()) {
            (_, [b'"'] | [b'"', b'"']) if !input.end => return Some(Flow::Wait),
            (_, [b'"', b'"', b'"', ..]) => (Quotes::Triple, 3),
            (b'"', _) => (Quotes::Double, 1),
            _ => (Quotes::Single, 1),
        };
        let start = self.scratch_start;
        let raw = prefix.contains(['r', 'R', '@']);
        self.mend(RepairKind::WrongQuote, start, prefix.len() + length);
        self.scratch.clear();
        input.pos += length;
        self.begin_text(false, start, Delimiter::new(quotes));
        self.text.delimiter.raw = raw;
        Some(Flow::Go)
    }

    /// Whether the colon here rather belongs to another member, whose comma is missing: `x b: y`.
    pub(super) fn hides_member(&self, input: &Input<'_>) -> Guess {
        let text = super::meaning::trimmed(&self.scratch);
        let name = text
            .bytes()
            .rev()
            .take_while(|b| in_name(*b))
            .take(65)
            .count();
        let before = text.get(..text.len() - name).unwrap_or(text);
        let named = text
            .as_bytes()
            .get(before.len())
            .is_some_and(|first| begins_name(*first));
        if !named || before.is_empty() || !before.ends_with(char::is_whitespace) {
            return Guess::No;
        }
        match input.rest() {
            [_] | [_, b'/'] if !input.end => Guess::More,
            [_, b'/', b'/', ..] => Guess::No,
            _ => Guess::Yes,
        }
    }

    /// Whether the text so far ends in a sign that may stand for a comma.
    pub(super) fn ends_in_sign(&self) -> bool {
        super::meaning::trimmed(&self.scratch).ends_with([
            ':', '|', '/', '=', '&', '+', '-', '*', '^', '~', '<', '>', '\\',
        ])
    }

    /// Whether the number is rather a group of the number before it: `1,000`.
    pub(super) fn is_group(&mut self) -> bool {
        let text = super::meaning::trimmed(&self.scratch);
        let digits = text.len() == 3 && text.bytes().all(|b| b.is_ascii_digit());
        let comma = self.mender.as_ref().map_or(0, |mender| mender.comma);
        digits
            && self.scratch_start == comma + 1
            && self.value_end == comma
            && matches!(self.tree.last_item(), Some(Value::Number(_)))
    }
}
