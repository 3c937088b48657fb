//! What is asked about a state.

use std::fmt;

use serde_json::{Map, Value, json};

/// A question about a state.
///
/// Instructions, criteria and levels are *guidance*: text, or an object or a list where that says it
/// better.
///
/// ```
/// use tamis_wire::decision::Question;
///
/// let queue = Question::choice(
///     "Which queue takes this message?",
///     [("shipping", "Delivery or damage."), ("billing", "Invoices and charges.")],
/// );
/// assert_eq!(queue.type_name(), "choice");
/// ```
#[derive(Clone, PartialEq)]
pub struct Question {
    pub(super) instructions: Value,
    pub(super) kind: QuestionKind,
}

/// Of which kind a question is, with its criteria.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum QuestionKind {
    /// Yes or no.
    YesNo {
        /// What counts as yes and what as no, where the instructions do not say it.
        criteria: Option<(Value, Value)>,
    },
    /// One of several options.
    Choice {
        /// The options.
        options: Vec<ChoiceOption>,
    },
    /// How much, on a scale of levels.
    Score {
        /// The levels, the lowest first.
        levels: Vec<Value>,
    },
    /// Where in the image of the state.
    Locate,
    /// A kind that this crate does not know.
    Other {
        /// The name of its type.
        name: String,
        /// Its fields besides `type` and `instructions`.
        fields: Map<String, Value>,
    },
}

/// An option of a choice.
#[derive(Clone, PartialEq)]
pub struct ChoiceOption {
    pub(super) name: String,
    /// Null where the name says it.
    pub(super) guidance: Value,
}

impl ChoiceOption {
    /// An option with what it stands for.
    pub fn new(name: impl Into<String>, guidance: impl Into<Value>) -> Self {
        Self {
            name: name.into(),
            guidance: guidance.into(),
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it stands for; null where its name says it.
    pub fn guidance(&self) -> &Value {
        &self.guidance
    }
}

impl From<&str> for ChoiceOption {
    fn from(name: &str) -> Self {
        Self::new(name, Value::Null)
    }
}

impl From<String> for ChoiceOption {
    fn from(name: String) -> Self {
        Self::new(name, Value::Null)
    }
}

impl<N: Into<String>, G: Into<Value>> From<(N, G)> for ChoiceOption {
    fn from((name, guidance): (N, G)) -> Self {
        Self::new(name, guidance)
    }
}

impl Question {
    fn new(instructions: impl Into<Value>, kind: QuestionKind) -> Self {
        Self {
            instructions: instructions.into(),
            kind,
        }
    }

    /// A question that is answered with yes or no.
    pub fn yes_no(instructions: impl Into<Value>) -> Self {
        Self::new(instructions, QuestionKind::YesNo { criteria: None })
    }

    /// The same, with what counts as yes and what as no.
    pub fn yes_no_by(
        instructions: impl Into<Value>,
        yes: impl Into<Value>,
        no: impl Into<Value>,
    ) -> Self {
        let criteria = Some((yes.into(), no.into()));
        Self::new(instructions, QuestionKind::YesNo { criteria })
    }

    /// A question that is answered with one of at least two options: names, or names with what they
    /// stand for.
    pub fn choice<O: Into<ChoiceOption>>(
        instructions: impl Into<Value>,
        options: impl IntoIterator<Item = O>,
    ) -> Self {
        let options = options.into_iter().map(Into::into).collect();
        Self::new(instructions, QuestionKind::Choice { options })
    }

    /// A question that is answered on a scale of at least two levels, the lowest first.
    pub fn score<L: Into<Value>>(
        instructions: impl Into<Value>,
        levels: impl IntoIterator<Item = L>,
    ) -> Self {
        let levels = levels.into_iter().map(Into::into).collect();
        Self::new(instructions, QuestionKind::Score { levels })
    }

    /// Where something is in the state's image. A place is given even where it is not in there: ask
    /// [yes or no](Question::yes_no) beside it.
    pub fn locate(what: impl Into<Value>) -> Self {
        Self::new(what, QuestionKind::Locate)
    }

    /// A question of a kind that this crate does not know, with its fields besides `type` and
    /// `instructions`. Its answer is a [`Decision::Other`](super::Decision::Other).
    pub fn other(
        type_name: impl Into<String>,
        instructions: impl Into<Value>,
        fields: Map<String, Value>,
    ) -> Self {
        let name = type_name.into();
        Self::new(instructions, QuestionKind::Other { name, fields })
    }

    /// A question as [`Question::to_json`] writes it; none where the value has not the shape of one. What is
    /// in it is not looked at: [`DecisionRequest::check`](super::DecisionRequest::check) does.
    pub fn from_json(question: &Value) -> Option<Self> {
        let instructions = question.get("instructions").cloned().unwrap_or_default();
        let criteria = question
            .get("criteria")
            .filter(|criteria| !criteria.is_null());
        let kind = match question.get("type")?.as_str()? {
            "noul" => QuestionKind::YesNo {
                criteria: match criteria {
                    None => None,
                    Some(criteria) => Some((
                        criteria.get("true")?.clone(),
                        criteria.get("false")?.clone(),
                    )),
                },
            },
            "choice" => QuestionKind::Choice {
                options: criteria?
                    .as_object()?
                    .iter()
                    .map(|(name, guidance)| ChoiceOption::new(name, guidance.clone()))
                    .collect(),
            },
            "score" => QuestionKind::Score {
                levels: criteria?.as_array()?.clone(),
            },
            "box" => QuestionKind::Locate,
            name => QuestionKind::Other {
                name: name.to_owned(),
                fields: question
                    .as_object()?
                    .iter()
                    .filter(|(name, _)| !matches!(name.as_str(), "type" | "instructions"))
                    .map(|(name, value)| (name.clone(), value.clone()))
                    .collect(),
            },
        };
        Some(Self { instructions, kind })
    }

    /// What it asks.
    pub fn instructions(&self) -> &Value {
        &self.instructions
    }

    /// Of which kind it is.
    pub fn kind(&self) -> &QuestionKind {
        &self.kind
    }

    /// The name of its type on the wire, which its answer has too.
    pub fn type_name(&self) -> &str {
        match &self.kind {
            QuestionKind::YesNo { .. } => "noul",
            QuestionKind::Choice { .. } => "choice",
            QuestionKind::Score { .. } => "score",
            QuestionKind::Locate => "box",
            QuestionKind::Other { name, .. } => name,
        }
    }

    /// The question as it is sent.
    pub fn to_json(&self) -> Value {
        let mut question = Map::new();
        question.insert("type".to_owned(), self.type_name().into());
        question.insert("instructions".to_owned(), self.instructions.clone());
        match &self.kind {
            QuestionKind::YesNo {
                criteria: Some((yes, no)),
            } => {
                let criteria = json!({"true": yes, "false": no});
                question.insert("criteria".to_owned(), criteria);
            }
            QuestionKind::Choice { options } => {
                let criteria: Map<String, Value> = options
                    .iter()
                    .map(|option| (option.name.clone(), option.guidance.clone()))
                    .collect();
                question.insert("criteria".to_owned(), criteria.into());
            }
            QuestionKind::Score { levels } => {
                question.insert("criteria".to_owned(), levels.clone().into());
            }
            QuestionKind::Other { fields, .. } => {
                question.extend(
                    fields
                        .iter()
                        .map(|(name, value)| (name.clone(), value.clone())),
                );
            }
            QuestionKind::YesNo { criteria: None } | QuestionKind::Locate => {}
        }
        question.into()
    }
}

/// Its type: what it asks is not printed.
impl fmt::Debug for Question {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Question")
            .field("type", &self.type_name())
            .finish_non_exhaustive()
    }
}

/// Without what it says.
impl fmt::Debug for QuestionKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::YesNo { .. } => "YesNo",
            Self::Choice { .. } => "Choice",
            Self::Score { .. } => "Score",
            Self::Locate => "Locate",
            Self::Other { .. } => "Other",
        })
    }
}

/// Without what it says.
impl fmt::Debug for ChoiceOption {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ChoiceOption")
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::{ChoiceOption, Question};

    #[test]
    fn what_is_sent() {
        let fields = json!({"top": 3, "instructions": "taken from the fields"});
        for (question, sent) in [
            (
                Question::yes_no("?"),
                json!({"type": "noul", "instructions": "?"}),
            ),
            (
                Question::yes_no_by("?", "a", json!({"b": 1})),
                json!({"type": "noul", "instructions": "?", "criteria": {"true": "a", "false": {"b": 1}}}),
            ),
            (
                Question::choice("?", ["red", "green"]),
                json!({"type": "choice", "instructions": "?", "criteria": {"red": null, "green": null}}),
            ),
            (
                Question::choice("?", [("red", "warm".into()), ("green", json!(["cold"]))]),
                json!({"type": "choice", "instructions": "?", "criteria": {"red": "warm", "green": ["cold"]}}),
            ),
            (
                Question::score(json!({"how": "?"}), ["low", "high"]),
                json!({"type": "score", "instructions": {"how": "?"}, "criteria": ["low", "high"]}),
            ),
            (
                Question::locate("the dog"),
                json!({"type": "box", "instructions": "the dog"}),
            ),
            (
                Question::other("rank", "?", fields.as_object().unwrap().clone()),
                json!({"type": "rank", "instructions": "taken from the fields", "top": 3}),
            ),
        ] {
            assert_eq!(question.to_json(), sent);
            assert_eq!(Question::from_json(&sent).unwrap().to_json(), sent);
        }
        for none in [
            json!(null),
            json!("?"),
            json!({"instructions": "?"}),
            json!({"type": 1, "instructions": "?"}),
            json!({"type": "choice", "instructions": "?", "criteria": ["a", "b"]}),
            json!({"type": "score", "instructions": "?"}),
            json!({"type": "noul", "instructions": "?", "criteria": {"true": "a"}}),
        ] {
            assert!(Question::from_json(&none).is_none(), "{none}");
        }
    }

    #[test]
    fn nothing_of_it_is_printed() {
        for question in [
            Question::yes_no_by("secret", "secret", "secret"),
            Question::choice("secret", [("secret", "secret")]),
            Question::other("rank", "secret", Map::new()),
        ] {
            let printed = format!("{question:?} {:?}", question.kind());
            assert!(!printed.contains("secret"), "{printed}");
        }
        assert!(!format!("{:?}", ChoiceOption::from("secret")).contains("secret"));
    }
}
