//! Text from elsewhere, made safe for a terminal.

/// One line, without control characters and without what turns the direction of the text.
pub(super) fn plain(text: &str) -> String {
    lines(text).replace('\n', "\\n")
}

/// The same with its line breaks.
pub(super) fn lines(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => safe.push(c),
            '\t' => safe.push_str("    "),
            c if c.is_control() || is_directional(c) => safe.extend(c.escape_unicode()),
            c => safe.push(c),
        }
    }
    safe
}

fn is_directional(c: char) -> bool {
    matches!(c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Each line behind four spaces.
pub(super) fn indent(text: &str) -> String {
    let mut indented = String::new();
    for line in text.lines() {
        indented.push_str("    ");
        indented.push_str(line);
        indented.push('\n');
    }
    indented
}

#[cfg(test)]
mod tests {
    use super::{indent, lines, plain};

    #[test]
    fn a_terminal_is_not_told_what_to_do() {
        assert_eq!(plain("a\u{1b}[2Jb"), "a\\u{1b}[2Jb");
        assert_eq!(plain("a\nb\u{202e}"), "a\\nb\\u{202e}");
        assert_eq!(lines("é\n\tx"), "é\n    x");
        assert_eq!(indent("a\nb"), "    a\n    b\n");
    }
}
