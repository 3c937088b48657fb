//! What changed between a text and the JSON that came out of it.

use std::borrow::Cow;
use std::ops::Range;
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use crate::console::Tone;

/// Lines shown around a change.
const CONTEXT: usize = 2;

/// What differs all over is compared for so long, and less closely from then on.
const PATIENCE: Duration = Duration::from_secs(2);

/// White space, to JSON.
const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

/// The text, token by token, with what was left out and what was added. White space between tokens
/// is the text's own, and is no change.
#[derive(Debug)]
pub(crate) struct Diff {
    pieces: Vec<Piece>,
}

#[derive(Debug)]
struct Piece {
    change: Change,
    text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Same,
    Out,
    In,
}

/// A token, and the white space after it.
struct Token<'a> {
    core: &'a str,
    gap: &'a str,
}

impl Diff {
    pub(crate) fn new(before: &str, after: &str) -> Self {
        let (lead, old) = tokens(before);
        let (_, new) = tokens(after);
        let mut diff = Self { pieces: Vec::new() };
        diff.push(Change::Same, lead);
        let deadline = Instant::now().checked_add(PATIENCE);
        let operations =
            capture_diff_slices_deadline(Algorithm::Myers, &cores(&old), &cores(&new), deadline);
        for operation in operations {
            let was = part(&old, operation.old_range());
            if let DiffOp::Equal { .. } = operation {
                diff.keep(was);
            } else {
                diff.leave_out(was);
                diff.add(part(&new, operation.new_range()));
            }
        }
        diff
    }

    /// The lines in which something changed, with those around them. `paint` colours a piece, or
    /// leaves it to marks.
    pub(crate) fn render(&self, paint: impl Fn(Tone, &str) -> Option<String>) -> String {
        let mut lines = vec![(String::new(), false)];
        for piece in &self.pieces {
            for (index, text) in piece.text.split('\n').enumerate() {
                if index > 0 {
                    lines.push((String::new(), false));
                }
                let Some((line, changed)) = lines.last_mut() else {
                    continue;
                };
                *changed |= piece.change != Change::Same;
                if text.is_empty() {
                    continue;
                }
                let text = harmless(text);
                line.push_str(&match piece.change {
                    Change::Same => text.into_owned(),
                    Change::Out => paint(Tone::Bad, &text).unwrap_or(format!("[-{text}-]")),
                    Change::In => paint(Tone::Good, &text).unwrap_or(format!("{{+{text}+}}")),
                });
            }
        }
        around_changes(&lines, &paint)
    }

    fn keep(&mut self, tokens: &[Token<'_>]) {
        for token in tokens {
            self.push(Change::Same, token.core);
            self.push(Change::Same, token.gap);
        }
    }

    /// White space at the end of what goes stays, so that lines keep their ends.
    fn leave_out(&mut self, tokens: &[Token<'_>]) {
        for (index, token) in tokens.iter().enumerate() {
            self.push(Change::Out, token.core);
            let last = index + 1 == tokens.len();
            self.push(if last { Change::Same } else { Change::Out }, token.gap);
        }
    }

    /// Before the white space that stands there, unless that ends a line's beginning.
    fn add(&mut self, tokens: &[Token<'_>]) {
        if tokens.is_empty() {
            return;
        }
        let added: String = tokens
            .iter()
            .flat_map(|token| [token.core, token.gap])
            .collect();
        let gap = self
            .pieces
            .pop_if(|piece| piece.change == Change::Same && piece.text.trim().is_empty());
        let follows_out = self
            .pieces
            .last()
            .is_some_and(|piece| piece.change == Change::Out);
        match gap {
            Some(gap) if follows_out || gap.text.contains('\n') => {
                self.push(Change::In, &added);
                self.pieces.push(gap);
            }
            gap => {
                self.pieces.extend(gap);
                self.push(Change::In, &added);
            }
        }
    }

    fn push(&mut self, change: Change, text: &str) {
        if text.is_empty() {
            return;
        }
        match self.pieces.last_mut() {
            // White space that is kept stays a piece of its own, for what is added before it.
            Some(last)
                if last.change == change
                    && (change != Change::Same || text.trim().is_empty() == last.is_blank()) =>
            {
                last.text.push_str(text);
            }
            _ => self.pieces.push(Piece {
                change,
                text: text.to_owned(),
            }),
        }
    }
}

impl Piece {
    fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }
}

fn cores<'a>(tokens: &[Token<'a>]) -> Vec<&'a str> {
    tokens.iter().map(|token| token.core).collect()
}

fn part<'a, 't>(tokens: &'t [Token<'a>], range: Range<usize>) -> &'t [Token<'a>] {
    tokens.get(range).unwrap_or_default()
}

/// White space at the beginning, and the tokens: words, and every other character alone.
fn tokens(text: &str) -> (&str, Vec<Token<'_>>) {
    let start = text.trim_start_matches(SPACE).len();
    let (lead, mut rest) = text.split_at(text.len() - start);
    let mut tokens = Vec::new();
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let end = if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (core, after) = rest.split_at(end);
        rest = after.trim_start_matches(SPACE);
        let (gap, _) = after.split_at(after.len() - rest.len());
        tokens.push(Token { core, gap });
    }
    (lead, tokens)
}

fn around_changes(
    lines: &[(String, bool)],
    paint: &impl Fn(Tone, &str) -> Option<String>,
) -> String {
    let mut shown = String::new();
    let mut next = 0;
    for (at, _) in lines.iter().enumerate().filter(|(_, line)| line.1) {
        let from = at.saturating_sub(CONTEXT).max(next);
        if next == 0 || from > next {
            let place = format!("@@ line {} @@", from + 1);
            shown.push_str(&paint(Tone::Quiet, &place).unwrap_or(place));
            shown.push('\n');
        }
        let to = (at + CONTEXT + 1).min(lines.len());
        for (line, _) in lines.get(from..to).unwrap_or_default() {
            shown.push_str(line);
            shown.push('\n');
        }
        next = next.max(to);
    }
    shown
}

/// Without what would steer a terminal, and what nobody would see.
fn harmless(text: &str) -> Cow<'_, str> {
    let steers = |c: char| {
        (c.is_control() && c != '\t')
            || matches!(c, '\u{a0}' | '\u{feff}' | '\u{200b}'..='\u{200f}')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}')
    };
    if text.contains(steers) {
        let mut safe = String::with_capacity(text.len());
        for c in text.chars() {
            if steers(c) {
                safe.extend(c.escape_unicode());
            } else {
                safe.push(c);
            }
        }
        Cow::Owned(safe)
    } else {
        Cow::Borrowed(text)
    }
}
