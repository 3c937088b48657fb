//! A text made JSON, as one report.

use std::fmt;

use serde::Serialize;
use serde_json::Value;
use tamis_json::{Ending, Note, Policy, Repair, RepairError, RepairErrorKind, repair};

use super::exit::Exit;

/// How a text is made JSON: behind `tamis heal`.
///
/// ```
/// use tamis::report::Heal;
///
/// let healed = Heal::new().text("```json\n{\"a\": [1, 2,]}\n```");
/// assert_eq!(healed.value, Some(serde_json::json!({"a": [1, 2]})));
/// let kinds: Vec<&str> = healed.repairs.iter().map(|repair| repair.kind.name()).collect();
/// assert_eq!(kinds, ["fence", "extra_comma", "fence"]);
/// assert_eq!(healed.exit().code(), 0);
///
/// let cut = Heal::new().text("{\"a\": [1, 2, \"thr");
/// assert!(cut.value.is_none() && cut.error.is_some());
/// assert_eq!(cut.exit().code(), 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Heal {
    policy: Policy,
    partial: bool,
}

/// A text made JSON, or why it is none.
///
/// The keys of the report, in their order; every one is always there:
///
/// | key | what it holds |
/// | --- | --- |
/// | `value` | the JSON; null where there is none to give, and `error` then says why |
/// | `complete` | whether `value` is all that the text was to be |
/// | `repairs` | what was mended, in the order of the text: `kind`, `offset`, `length` (bytes of the text), `message` |
/// | `notes` | what the value cannot show, such as a key that came twice: `kind`, `offset`, `length`, `pointer` |
/// | `error` | null, or `kind`, `message`, `offset`, and `other_offset` where there are two documents that differ, else null |
///
/// The error's kinds are `no_json`, `ambiguous`, `missing_value`, `syntax`, `incomplete`, `too_deep`
/// and `too_large`. A value that is not complete is given only where that was asked for; elsewhere
/// it is the error `incomplete`, at the end of the text, and the repairs that would have closed it
/// are listed all the same.
#[derive(Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Healed {
    /// The value.
    pub value: Option<Value>,
    /// Whether it is all that the text was to be.
    pub complete: bool,
    /// What was mended.
    pub repairs: Vec<Repair>,
    /// What the value cannot show.
    pub notes: Vec<Note>,
    /// Why there is no value.
    pub error: Option<HealError>,
    /// A value that is not complete, and was not asked for.
    #[serde(skip)]
    withheld: Option<Value>,
}

/// Why no value comes out of a text. Nothing of the text is in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct HealError {
    /// Its name.
    pub kind: &'static str,
    /// What is wrong, in words.
    pub message: String,
    /// Where, in bytes of the text; of two documents that differ, the first.
    pub offset: usize,
    /// Of two documents that differ, where the second begins.
    pub other_offset: Option<usize>,
}

impl Heal {
    /// Mends what can be mended, and gives complete values only.
    pub fn new() -> Self {
        Self::default()
    }

    /// What may be mended, and what is known of the text.
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// Whether the text was cut off: a token limit, a stream that broke off. Otherwise it is taken as
    /// all that the model meant to say.
    pub fn truncated(mut self, yes: bool) -> Self {
        self.policy = self.policy.ending(if yes {
            Ending::Truncated
        } else {
            Ending::Natural
        });
        self
    }

    /// Whether a value that is not complete is given too.
    pub fn partial(mut self, yes: bool) -> Self {
        self.partial = yes;
        self
    }

    /// Reads a text.
    pub fn text(&self, text: &str) -> Healed {
        match repair(text, &self.policy) {
            Ok(repaired) => {
                let given = repaired.complete || self.partial;
                let (value, withheld) = if given {
                    (Some(repaired.value), None)
                } else {
                    (None, Some(repaired.value))
                };
                Healed {
                    value,
                    complete: repaired.complete,
                    repairs: repaired.repairs,
                    notes: repaired.notes,
                    withheld,
                    error: (!given).then(|| HealError::unfinished(text.len())),
                }
            }
            Err(error) => Healed {
                value: None,
                complete: false,
                repairs: Vec::new(),
                notes: Vec::new(),
                error: Some(HealError::from(&error)),
                withheld: None,
            },
        }
    }
}

impl Healed {
    /// The exit code of a command that ends with this.
    pub fn exit(&self) -> Exit {
        if self.complete {
            Exit::Conforms
        } else {
            Exit::NotTrustworthy
        }
    }

    /// Whether there is a value that is not complete, and was not asked for.
    pub fn is_withheld(&self) -> bool {
        self.withheld.is_some()
    }

    /// The value as far as it goes, whether or not it was asked for; for showing.
    pub fn value_so_far(&self) -> Option<&Value> {
        self.value.as_ref().or(self.withheld.as_ref())
    }
}

impl HealError {
    /// A value that is there, and not complete.
    fn unfinished(end: usize) -> Self {
        Self {
            kind: kind(RepairErrorKind::Incomplete),
            message: format!("the text ends before the document, at byte {end}"),
            offset: end,
            other_offset: None,
        }
    }
}

impl From<&RepairError> for HealError {
    fn from(error: &RepairError) -> Self {
        Self {
            kind: kind(error.kind()),
            message: error.to_string(),
            offset: error.offset(),
            other_offset: error.other_offset(),
        }
    }
}

impl fmt::Display for HealError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

/// How much, not what.
impl fmt::Debug for Healed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Healed")
            .field("value", &self.value.is_some())
            .field("complete", &self.complete)
            .field("repairs", &self.repairs)
            .field("error", &self.error)
            .finish_non_exhaustive()
    }
}

fn kind(kind: RepairErrorKind) -> &'static str {
    match kind {
        RepairErrorKind::NoJson => "no_json",
        RepairErrorKind::Ambiguous => "ambiguous",
        RepairErrorKind::MissingValue => "missing_value",
        RepairErrorKind::Incomplete => "incomplete",
        RepairErrorKind::TooDeep => "too_deep",
        RepairErrorKind::TooLarge => "too_large",
        // Text is UTF-8 already, and a kind that is new to this is a fault of the text too.
        _ => "syntax",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};
    use tamis_json::Policy;

    use super::Heal;

    #[test]
    fn each_way_it_can_end() {
        let (whole, cut) = (Heal::new(), Heal::new().truncated(true));
        let (partial, none) = (
            Heal::new().partial(true),
            Heal::new().policy(Policy::none()),
        );
        let rows: &[(&Heal, &str, Value, bool, Option<&str>)] = &[
            (&whole, "{\"a\":1}", json!({"a": 1}), true, None),
            (&whole, "null", Value::Null, true, None),
            (&whole, "{'a':1", json!({"a": 1}), true, None),
            (&whole, "{\"a\":\"x", Value::Null, false, Some("incomplete")),
            (&partial, "{\"a\":\"x", json!({"a": "x"}), false, None),
            (&cut, "{\"a\":1", Value::Null, false, Some("incomplete")),
            (&cut, "{\"a\":1}", json!({"a": 1}), true, None),
            (&whole, "Sorry.", Value::Null, false, Some("no_json")),
            (
                &partial,
                "{\"a\":}",
                Value::Null,
                false,
                Some("missing_value"),
            ),
            (
                &whole,
                "{\"a\":1} or {\"a\":2}",
                Value::Null,
                false,
                Some("ambiguous"),
            ),
            (&none, "{'a':1}", Value::Null, false, Some("syntax")),
        ];
        for (heal, text, value, complete, error) in rows {
            let healed = heal.text(text);
            let report = serde_json::to_value(&healed).unwrap();
            assert_eq!(report["value"], *value, "{text}");
            assert_eq!(report["complete"], *complete, "{text}");
            assert_eq!(report["error"]["kind"].as_str(), *error, "{text}");
            assert_eq!(healed.exit().code() == 0, *complete, "{text}");
            assert_eq!(healed.value.is_none(), error.is_some(), "{text}");
        }
    }

    #[test]
    fn two_that_differ_are_both_placed() {
        let error = Heal::new().text("{\"a\":1} or {\"a\":2}").error.unwrap();
        assert_eq!((error.offset, error.other_offset), (0, Some(11)));
    }

    proptest! {
        #[test]
        fn a_value_or_an_error(text in "[{}\\[\\]:,'\"a1 \\n`]{0,40}|\\PC{0,40}", cut: bool) {
            for partial in [false, true] {
                let healed = Heal::new().truncated(cut).partial(partial).text(&text);
                prop_assert_eq!(healed.value.is_some(), healed.error.is_none());
                prop_assert!(healed.value.is_some() || !healed.complete);
                prop_assert!(partial || healed.value.is_some() == healed.complete);
            }
        }
    }
}
