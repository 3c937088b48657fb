//! Servers whose deltas hold the whole text so far.
//!
//! `{"a"`, then `{"a": [1`, then `{"a": [1, 2]}`: appended, these give nonsense. The first three
//! deltas decide. Each must extend the one before, the first must be at least four bytes of more
//! than one kind, and must not recur in the third, so that a text that merely repeats itself is
//! not mistaken for one that is sent again.

/// The shortest first delta that says anything.
const MIN_FIRST: usize = 4;

#[derive(Debug, Default)]
pub(super) enum Cumulative {
    /// No text came yet.
    #[default]
    Unknown,
    /// Every delta so far extended the one before.
    Suspected {
        first: usize,
        last_start: usize,
        deltas: usize,
    },
    /// Deltas are appended.
    No,
    /// Deltas replace.
    Yes,
}

impl Cumulative {
    /// Takes in the first delta.
    pub(super) fn begin(&mut self, delta: &str) {
        if !delta.is_empty() {
            let kinds = delta.bytes().any(|byte| Some(byte) != delta.bytes().next());
            *self = if delta.len() >= MIN_FIRST && kinds {
                Self::Suspected {
                    first: delta.len(),
                    last_start: 0,
                    deltas: 1,
                }
            } else {
                Self::No
            };
        }
    }

    /// Takes a later delta into the text; true where this one settled that deltas replace.
    pub(super) fn push(&mut self, text: &mut String, delta: &str) -> bool {
        if delta.is_empty() {
            return false;
        }
        match self {
            Self::Unknown => {
                self.begin(delta);
                text.push_str(delta);
            }
            Self::No => text.push_str(delta),
            Self::Yes => match delta.strip_prefix(text.as_str()) {
                Some(new) => text.push_str(new),
                None => text.push_str(delta),
            },
            Self::Suspected {
                first,
                last_start,
                deltas,
            } => {
                let last = text.get(*last_start..).unwrap_or_default();
                if delta.len() <= last.len() || !delta.starts_with(last) {
                    *self = Self::No;
                    text.push_str(delta);
                } else if *deltas == 1 {
                    (*last_start, *deltas) = (text.len(), 2);
                    text.push_str(delta);
                } else {
                    let opening = delta.get(..*first).unwrap_or_default();
                    if delta.matches(opening).count() > 1 {
                        *self = Self::No;
                        text.push_str(delta);
                    } else {
                        *self = Self::Yes;
                        delta.clone_into(text);
                        return true;
                    }
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::Cumulative;

    fn fold(deltas: &[&str]) -> String {
        let mut text = String::new();
        let mut cumulative = Cumulative::default();
        for delta in deltas {
            cumulative.push(&mut text, delta);
        }
        text
    }

    #[test]
    fn texts_sent_again_and_again_are_read_once() {
        assert_eq!(
            fold(&["{\"a\"", "{\"a\": [1", "{\"a\": [1, 2]}"]),
            "{\"a\": [1, 2]}"
        );
        assert_eq!(
            fold(&[
                "",
                "One d",
                "One dog",
                "One dog r",
                "One dog r",
                "One dog ran"
            ]),
            "One dog ran"
        );
    }

    #[test]
    fn texts_that_repeat_themselves_are_kept() {
        for deltas in [
            &["ha", "haha", "hahaha"][..],
            &["aaaa", "aaaaa", "aaaaaa"],
            &["<td>", "<td><td>", "<td><td><td>"],
            &["abcd", "abcde", "abcd"],
            &["Hello", "Hello there"],
            &["abcd", "abcdX", "abcdXabcd"],
        ] {
            assert_eq!(fold(deltas), deltas.concat(), "{deltas:?}");
        }
    }
}
