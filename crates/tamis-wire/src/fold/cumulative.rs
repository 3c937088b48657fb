//! Servers whose deltas hold the whole text so far.
//!
//! `{"a"`, then `{"a": [1`, then `{"a": [1, 2]}`: appended, these give nonsense. The first three
//! deltas decide. Each must extend the one before, the first must be at least four bytes of more
//! than one kind, and must not recur in the third, so that a text that merely repeats itself is
//! not mistaken for one that is sent again. If one of the next few deltas does not extend the text
//! either, it was a coincidence, and the deltas count as pieces after all.

/// The shortest first delta that says anything.
const MIN_FIRST: usize = 4;

/// After so many deltas that each held the text so far it is no coincidence.
const CERTAIN: usize = 8;

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
    /// Deltas replace; the length of each, until it is certain.
    Likely(Vec<usize>),
    /// Deltas replace, without doubt.
    Certain,
}

/// What a delta changed beside the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Nothing,
    /// It settled that deltas replace.
    Replaces,
    /// It showed that they do not, after all.
    Appends,
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

    /// Takes a later delta into the text.
    pub(super) fn push(&mut self, text: &mut String, delta: &str) -> Verdict {
        if delta.is_empty() {
            return Verdict::Nothing;
        }
        match self {
            Self::No => text.push_str(delta),
            Self::Unknown => {
                self.begin(delta);
                text.push_str(delta);
            }
            Self::Certain => text.push_str(delta.strip_prefix(text.as_str()).unwrap_or(delta)),
            Self::Likely(lengths) => {
                let Some(new) = delta.strip_prefix(text.as_str()) else {
                    *text = pieces(text, lengths);
                    text.push_str(delta);
                    *self = Self::No;
                    return Verdict::Appends;
                };
                text.push_str(new);
                lengths.push(delta.len());
                if lengths.len() >= CERTAIN {
                    *self = Self::Certain;
                }
            }
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
                        *self = Self::Likely(vec![*first, last.len(), delta.len()]);
                        delta.clone_into(text);
                        return Verdict::Replaces;
                    }
                }
            }
        }
        Verdict::Nothing
    }
}

/// The deltas one after another, each of which is a beginning of the text.
fn pieces(text: &str, lengths: &[usize]) -> String {
    lengths
        .iter()
        .filter_map(|&length| text.get(..length))
        .collect()
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
            &["item", "item1", "item12", "item3"],
            &["item", "item1", "item12", "item12x", "item3"],
        ] {
            assert_eq!(fold(deltas), deltas.concat(), "{deltas:?}");
        }
    }

    #[test]
    fn after_many_a_slip_changes_nothing() {
        let whole = "One two three four five six seven";
        let mut deltas: Vec<&str> = (4..14)
            .map(|end| whole.get(..end).unwrap_or_default())
            .collect();
        deltas.push("!");
        assert_eq!(fold(&deltas), "One two three!");
    }
}
