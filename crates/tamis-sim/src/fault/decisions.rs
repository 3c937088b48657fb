//! Faults of calls for decisions: what comes is an answer to another question.

use serde_json::{Map, Value, json};

use super::op::DecisionSlip;
use super::{Fault, Op, Tampering};

macro_rules! slip {
    ($name:literal, $slip:ident, $summary:literal) => {
        Fault::decisions(
            $name,
            $summary,
            &[Op::Tamper(Tampering::Decisions(DecisionSlip::$slip))],
        )
    };
}

pub(super) const TABLE: &[Fault] = &[
    slip!("answer-missing", Missing, "The last question has no answer"),
    slip!(
        "answer-refused",
        Refused,
        "The first question's answer is a refusal, a type that was not asked for"
    ),
    slip!(
        "answer-of-another-type",
        OtherType,
        "Yes or no where an option was asked for, and an option where yes or no was"
    ),
    slip!(
        "probability-out-of-range",
        OutOfRange,
        "Probabilities, scores and edges beyond their ranges"
    ),
    slip!(
        "option-unasked",
        Unasked,
        "An option, or the probability of a level, that was not asked for"
    ),
    slip!(
        "legend-reversed",
        LegendReversed,
        "The legend of a score has the levels the other way round"
    ),
];

impl DecisionSlip {
    pub(super) fn spoil(self, body: &mut Map<String, Value>) {
        let Some(answers) = body.get_mut("answers").and_then(Value::as_object_mut) else {
            return;
        };
        match self {
            Self::Missing => {
                let last = answers.keys().next_back().cloned();
                answers.shift_remove(last.as_deref().unwrap_or_default());
            }
            Self::Refused => {
                if let Some(first) = answers.values_mut().next() {
                    *first = json!({"type": "refusal", "refusal": "I cannot decide that."});
                }
            }
            _ => {
                for answer in answers.values_mut().filter_map(Value::as_object_mut) {
                    self.spoil_answer(answer);
                }
            }
        }
    }

    fn spoil_answer(self, answer: &mut Map<String, Value>) {
        let kind = answer.get("type").and_then(Value::as_str);
        let kind = kind.unwrap_or_default().to_owned();
        let mut set = |name: &str, value: Value| {
            answer.insert(name.to_owned(), value);
        };
        match (self, kind.as_str()) {
            (Self::OtherType, "noul") => {
                answer.clear();
                answer.insert("type".to_owned(), json!("choice"));
                answer.insert("choice".to_owned(), json!("yes"));
            }
            (Self::OtherType, _) => {
                answer.clear();
                answer.insert("type".to_owned(), json!("noul"));
                answer.insert("noul".to_owned(), json!(0.5));
            }
            (Self::OutOfRange, "noul") => set("noul", json!(1.2)),
            (Self::OutOfRange, "score") => set("score", json!(-1)),
            (Self::OutOfRange, "choice") => set("confidence", json!(73)),
            (Self::OutOfRange, "box") => {
                set(
                    "box",
                    json!({"top": 64, "bottom": 400, "left": 12, "right": 220}),
                );
            }
            (Self::Unasked, "choice") => set("choice", json!("none of these")),
            (Self::Unasked, "score") => set("probabilities", json!({"255": 1})),
            (Self::LegendReversed, "score") => {
                if let Some(legend) = answer.get_mut("legend").and_then(Value::as_object_mut) {
                    let mut levels: Vec<Value> = legend.values().cloned().collect();
                    for level in legend.values_mut() {
                        *level = levels.pop().unwrap_or_default();
                    }
                }
            }
            _ => {}
        }
    }
}
