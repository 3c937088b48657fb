//! Everything that is printed goes through here.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use clap::builder::styling::{AnsiColor, Style};

use tamis::json::Repair;
use tamis::report::repairs_in_words;

use crate::error::Error;
use crate::secrets::Secrets;

/// Stdout for results, stderr for everything else, and no key on either.
#[derive(Debug)]
pub(crate) struct Console {
    secrets: Secrets,
    /// Text of a stream that may be the beginning of a key.
    pending: String,
    found: bool,
    told: bool,
    colour_out: bool,
    colour_err: bool,
    terminal_out: bool,
}

/// What a word means, and so its colour.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Tone {
    Good,
    Warning,
    Bad,
    Quiet,
}

impl Tone {
    fn style(self) -> Style {
        match self {
            Self::Good => AnsiColor::Green.on_default().bold(),
            Self::Warning => AnsiColor::Yellow.on_default().bold(),
            Self::Bad => AnsiColor::Red.on_default().bold(),
            Self::Quiet => Style::new().dimmed(),
        }
    }
}

impl Console {
    pub(crate) fn new(secrets: Secrets) -> Self {
        Self {
            secrets,
            pending: String::new(),
            found: false,
            told: false,
            colour_out: AutoStream::choice(&io::stdout()) != ColorChoice::Never,
            terminal_out: io::stdout().is_terminal(),
            colour_err: AutoStream::choice(&io::stderr()) != ColorChoice::Never,
        }
    }

    /// Adds a key that must not be printed.
    pub(crate) fn hide(&mut self, key: &str) {
        self.secrets.add(key);
    }

    /// A word in its colour, for stdout.
    pub(crate) fn paint(&self, tone: Tone, word: &str) -> String {
        paint(self.colour_out, tone, word)
    }

    /// A line of the result.
    pub(crate) fn line(&mut self, line: impl AsRef<str>) -> Result<(), Error> {
        self.text(line)?;
        self.text("\n")?;
        self.flush()
    }

    /// A piece of the result, as it comes. Text that may be the beginning of a key waits for more.
    pub(crate) fn text(&mut self, text: impl AsRef<str>) -> Result<(), Error> {
        self.pending.push_str(text.as_ref());
        let held_back = self.secrets.held_back(&self.pending);
        let rest = self.pending.split_off(self.pending.len() - held_back);
        let ready = std::mem::replace(&mut self.pending, rest);
        self.write(&ready)?;
        Ok(io::stdout().flush()?)
    }

    /// A piece of what a model or a server wrote. On a terminal its control characters are shown, not
    /// obeyed; into a pipe or a file it goes as it is.
    pub(crate) fn content(&mut self, text: &str) -> Result<(), Error> {
        if self.terminal_out {
            self.text(visible(text))
        } else {
            self.text(text)
        }
    }

    /// Bytes of the result that are no text from a server.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.flush()?;
        let mut stdout = io::stdout();
        stdout.write_all(bytes)?;
        Ok(stdout.flush()?)
    }

    /// A remark, on stderr.
    pub(crate) fn note(&mut self, text: impl fmt::Display) {
        self.tell(Tone::Quiet, "note", &text);
    }

    /// What was mended, on stderr, a line each.
    pub(crate) fn repairs(&mut self, prefix: &str, repairs: &[Repair]) {
        for repair in repairs_in_words(repairs) {
            self.tell(Tone::Quiet, "repair", &format_args!("{prefix}{repair}"));
        }
    }

    /// What went wrong, on stderr. A reader that went away is no news to anybody.
    pub(crate) fn error(&mut self, error: &Error) {
        match error {
            Error::ReaderGone => {}
            Error::Interrupted => self.tell(Tone::Warning, "interrupted", &""),
            error => self.tell(Tone::Bad, "error", error),
        }
    }

    /// A labelled line on stderr.
    pub(crate) fn tell(&mut self, tone: Tone, label: &str, text: &dyn fmt::Display) {
        let (text, found) = self.secrets.redact(&text.to_string());
        self.found |= found;
        // A server's words must not look like a line of our own.
        let text = indented(&visible(&text));
        let label = paint(self.colour_err, tone, label);
        let separator = if text.is_empty() { "" } else { ": " };
        // Where stderr cannot be written there is nowhere left to say so.
        let _ = writeln!(io::stderr(), "{label}{separator}{text}");
    }

    /// A word in its colour, for stderr.
    pub(crate) fn paint_aside(&self, tone: Tone, word: &str) -> String {
        paint(self.colour_err, tone, word)
    }

    /// Whether stderr takes colours.
    pub(crate) fn colours_aside(&self) -> bool {
        self.colour_err
    }

    /// Lines on stderr, as they are.
    pub(crate) fn aside(&mut self, lines: &str) {
        let (lines, found) = self.secrets.redact(lines);
        self.found |= found;
        let _ = io::stderr().write_all(lines.as_bytes());
    }

    /// What waited is printed, and a key that was left out is mentioned.
    pub(crate) fn finish(&mut self) -> Result<(), Error> {
        let flushed = self.flush();
        if self.found && !self.told {
            self.told = true;
            self.note("the server sent the API key back; it was left out here");
        }
        flushed
    }

    fn flush(&mut self) -> Result<(), Error> {
        let rest = std::mem::take(&mut self.pending);
        self.write(&rest)?;
        Ok(io::stdout().flush()?)
    }

    fn write(&mut self, text: &str) -> Result<(), Error> {
        let (text, found) = self.secrets.redact(text);
        self.found |= found;
        Ok(io::stdout().write_all(text.as_bytes())?)
    }
}

/// A text whose lines after the first one are indented.
fn indented(text: &str) -> String {
    let mut lines = text.split('\n');
    let mut whole = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        whole.push_str(if line.is_empty() || line.starts_with(' ') {
            "\n"
        } else {
            "\n  "
        });
        whole.push_str(line);
    }
    whole
}

/// Whether a terminal obeys a character, or shows nothing or something else for it: control characters, and
/// those that turn the direction of the text around them.
pub(crate) fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}'
        )
}

/// A name in one line, with what is hidden escaped.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    escaped(text, is_hidden)
}

/// A text with its control characters escaped, but for line ends and tabs.
fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, |character| {
        character.is_control() && !matches!(character, '\n' | '\t')
    })
}

fn escaped(text: &str, is_hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_hidden(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

fn paint(colour: bool, tone: Tone, word: &str) -> String {
    if colour {
        let style = tone.style();
        format!("{style}{word}{style:#}")
    } else {
        word.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn control_characters_are_shown() {
        assert_eq!(visible("a\tb\nc é"), "a\tb\nc é");
        assert_eq!(visible("\u{1b}[31m\r\0"), "\\u{1b}[31m\\r\\u{0}");
    }
}
