//! Asking again, with what was wrong.

use std::fmt::Write as _;

use tamis_json::RepairError;
use tamis_schema::Violation;
use tamis_wire::Usage;

/// Of violations, the model is told the first so many.
const TOLD: usize = 20;

/// So much of an answer is sent back, in bytes; what is longer is left out of the conversation.
const MOST_TEXT: usize = 64 << 10;

/// How often an answer that is none may be asked for again, and at what expense.
///
/// An answer that is not JSON, or that breaks the schema, is sent back to the model with what is
/// wrong with it. That costs what a request costs, each time more than the last, since the
/// conversation grows; nothing is asked again unless this says so.
///
/// ```
/// use tamis::Reask;
///
/// let reask = Reask::times(2).max_tokens(20_000).max_cost(0.05);
/// assert_eq!(reask, Reask::times(2).max_cost(0.05).max_tokens(20_000));
/// assert_eq!(Reask::from(2), Reask::times(2));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reask {
    times: u32,
    max_tokens: Option<u64>,
    max_cost: Option<f64>,
}

impl Reask {
    /// At most so many times after the first.
    pub const fn times(times: u32) -> Self {
        Self {
            times,
            max_tokens: None,
            max_cost: None,
        }
    }

    /// Only while all requests together, the next one counted like the last, use at most so many
    /// tokens, in and out. A server that does not say what a request used is not asked again.
    pub const fn max_tokens(mut self, tokens: u64) -> Self {
        self.max_tokens = Some(tokens);
        self
    }

    /// Only while all requests together, the next one counted like the last, cost at most so many
    /// USD. A server that does not say what a request cost is not asked again.
    pub const fn max_cost(mut self, usd: f64) -> Self {
        self.max_cost = Some(usd);
        self
    }
}

impl From<u32> for Reask {
    fn from(times: u32) -> Self {
        Self::times(times)
    }
}

/// What was spent so far.
#[derive(Debug, Default)]
pub(crate) struct Spent {
    asked: u32,
    tokens: Option<u64>,
    last_tokens: Option<u64>,
    cost: Option<f64>,
    last_cost: Option<f64>,
}

impl Spent {
    /// One more request, and what it took.
    pub(crate) fn add(&mut self, usage: Option<&Usage>, cost: Option<f64>) {
        let tokens = usage.and_then(|usage| {
            usage.total_tokens.or_else(|| {
                Some(
                    usage
                        .prompt_tokens?
                        .saturating_add(usage.completion_tokens?),
                )
            })
        });
        let first = self.asked == 0;
        self.tokens = sum(first, self.tokens, tokens, u64::saturating_add);
        self.cost = sum(first, self.cost, cost, |a, b| a + b);
        (self.last_tokens, self.last_cost) = (tokens, cost);
        self.asked += 1;
    }

    /// Whether it may be asked once more.
    pub(crate) fn allows(&self, reask: &Reask) -> bool {
        let tokens = reask.max_tokens.is_none_or(|most| {
            let next = self.tokens.zip(self.last_tokens);
            next.is_some_and(|(spent, last)| spent.saturating_add(last) <= most)
        });
        let cost = reask.max_cost.is_none_or(|most| {
            let next = self.cost.zip(self.last_cost);
            next.is_some_and(|(spent, last)| spent + last <= most)
        });
        self.asked <= reask.times && tokens && cost
    }
}

/// One request of which nothing is known leaves nothing known of all.
fn sum<N>(first: bool, sum: Option<N>, one: Option<N>, add: impl Fn(N, N) -> N) -> Option<N> {
    if first { one } else { Some(add(sum?, one?)) }
}

/// What was wrong with an answer.
pub(crate) enum Wrong<'a> {
    /// It is not JSON, or two documents that differ.
    Unreadable(Option<&'a RepairError>),
    /// It breaks the schema.
    Violations(&'a [Violation]),
}

/// What the model is told.
pub(crate) fn complaint(wrong: &Wrong<'_>) -> String {
    let mut words = String::new();
    match wrong {
        Wrong::Unreadable(error) => {
            words.push_str("Your answer could not be read as one JSON document");
            if let Some(error) = error {
                let _ = write!(words, ": {error}");
            }
            words.push_str(".\n");
        }
        Wrong::Violations(violations) => {
            words.push_str("Your answer is JSON, and it does not conform to the schema:\n");
            for violation in violations.iter().take(TOLD) {
                let place = match violation.instance.as_str() {
                    "" => "the whole value",
                    pointer => pointer,
                };
                let _ = writeln!(words, "- {place}: {}", violation.message);
            }
            match violations.len().saturating_sub(TOLD) {
                0 => {}
                more => {
                    let _ = writeln!(words, "- and {more} more");
                }
            }
        }
    }
    words.push_str(
        "Answer again, with the whole corrected JSON document and nothing else: no explanation, no \
         Markdown.",
    );
    words
}

/// The answer as it goes back to the model.
pub(crate) fn returned(text: &str) -> Option<&str> {
    (!text.trim().is_empty() && text.len() <= MOST_TEXT).then_some(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tamis_wire::Usage;

    use super::{Reask, Spent};

    fn usage(tokens: u64) -> Usage {
        serde_json::from_value(json!({"total_tokens": tokens})).unwrap()
    }

    #[test]
    fn so_many_times() {
        let mut spent = Spent::default();
        for asked in 1..=4 {
            spent.add(None, None);
            assert_eq!(spent.allows(&Reask::times(2)), asked <= 2, "{asked}");
            assert!(!spent.allows(&Reask::default()));
        }
    }

    #[test]
    fn the_next_request_is_expected_to_take_what_the_last_took() {
        let mut spent = Spent::default();
        spent.add(Some(&usage(100)), Some(0.25));
        assert!(spent.allows(&Reask::times(5).max_tokens(200)));
        assert!(!spent.allows(&Reask::times(5).max_tokens(199)));
        assert!(spent.allows(&Reask::times(5).max_cost(0.5)));
        assert!(!spent.allows(&Reask::times(5).max_cost(0.49)));
        spent.add(Some(&usage(150)), None);
        assert!(spent.allows(&Reask::times(5).max_tokens(400)));
        assert!(!spent.allows(&Reask::times(5).max_tokens(399)));
        // What nobody knows cannot be kept within a limit.
        assert!(!spent.allows(&Reask::times(5).max_cost(100.0)));
    }
}
