//! The part of the user's file that a finding is about.

use crate::console::is_hidden;

/// How many characters of a line are shown.
const WIDTH: usize = 100;

/// A part of one line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Window {
    /// What is shown. Nothing in it moves the cursor.
    pub(super) shown: String,
    /// How many characters of that are before the place.
    pub(super) before: usize,
    /// How many characters the place takes.
    pub(super) width: usize,
}

impl Window {
    /// Around a place, given in bytes. Of a long line no more is read than is shown.
    pub(super) fn new(text: &str, offset: usize) -> Self {
        let is_in_line = |character: &char| !matches!(character, '\n' | '\r');
        let (above, rest) = text.split_at_checked(offset).unwrap_or_default();
        let mut before: Vec<char> = above
            .chars()
            .rev()
            .take_while(is_in_line)
            .take(WIDTH + 1)
            .collect();
        before.reverse();
        let after: Vec<char> = rest
            .chars()
            .take_while(is_in_line)
            .take(WIDTH + 1)
            .collect();
        let kept_before = if before.len() + after.len() <= WIDTH {
            before.len()
        } else {
            before.len().min(WIDTH - after.len().min(WIDTH / 2))
        };
        let kept_after = after.len().min(WIDTH - kept_before);
        let cut_before = before.len() - kept_before;
        let mut shown = String::new();
        if cut_before > 0 {
            shown.push('…');
        }
        shown.extend(before.iter().skip(cut_before).map(|sign| visible(*sign)));
        shown.extend(after.iter().take(kept_after).map(|sign| visible(*sign)));
        if kept_after < after.len() {
            shown.push('…');
        }
        Self {
            shown,
            before: kept_before + usize::from(cut_before > 0),
            width: token(&after).min(kept_after.max(1)),
        }
    }
}

/// A character, or what stands for one that is not for a terminal.
fn visible(character: char) -> char {
    match character {
        '\t' => ' ',
        character if is_hidden(character) => char::REPLACEMENT_CHARACTER,
        character => character,
    }
}

/// How many characters the key or the value's first sign takes.
fn token(line: &[char]) -> usize {
    let Some(('"', inside)) = line.split_first() else {
        return 1;
    };
    let mut escaped = false;
    for (count, character) in inside.iter().enumerate() {
        match character {
            '"' if !escaped => return count + 2,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    // It goes on where nothing is shown.
    line.len()
}

#[cfg(test)]
mod tests {
    use super::{WIDTH, Window};

    fn window(text: &str, sign: &str) -> (String, usize, usize) {
        let window = Window::new(text, text.find(sign).unwrap());
        (window.shown, window.before, window.width)
    }

    #[test]
    fn a_short_line_is_shown_whole() {
        for end in ["\n", "\r\n"] {
            let text = ["{", "\t\"é\": 1,", "  \"b\\\"c\": 2", "}"].join(end);
            assert_eq!(window(&text, "\"é"), (" \"é\": 1,".to_owned(), 1, 3));
            let quoted = "  \"b\\\"c\": 2".to_owned();
            assert_eq!(window(&text, "\"b"), (quoted, 2, 6));
            assert_eq!(window(&text, "}"), ("}".to_owned(), 0, 1));
        }
        assert_eq!(window("", ""), (String::new(), 0, 1));
    }

    #[test]
    fn of_a_long_line_what_is_around_the_place() {
        let filler = "x".repeat(500);
        for (text, cut_before, cut_after) in [
            (format!("{filler}\"key\"{filler}"), true, true),
            (format!("\"key\"{filler}"), false, true),
            (format!("{filler}\"key\""), true, false),
        ] {
            let (shown, before, width) = window(&text, "\"key");
            assert_eq!(
                (shown.starts_with('…'), shown.ends_with('…')),
                (cut_before, cut_after)
            );
            assert!(shown.chars().count() <= WIDTH + 2, "{shown}");
            assert_eq!(width, 5);
            let place: String = shown.chars().skip(before).take(width).collect();
            assert_eq!(place, "\"key\"");
        }
        let (shown, _, width) = window(&format!("\"{filler}\""), "\"");
        assert!(width <= WIDTH && shown.ends_with('…'));
    }

    #[test]
    fn nothing_that_a_terminal_obeys() {
        let (shown, before, _) = window("\u{1b}[31m\u{9b}0m\u{202e}\u{7f} \"a\"", "\"a");
        assert_eq!(
            (shown.as_str(), before),
            ("\u{fffd}[31m\u{fffd}0m\u{fffd}\u{fffd} \"a\"", 11)
        );
    }
}
