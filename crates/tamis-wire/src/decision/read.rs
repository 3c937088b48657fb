//! From answers to decisions: each one that was asked for, of the type that was asked for.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::decided::{Chosen, Decision, Located, OtherDecision, Scored, YesNo};
use super::{ChoiceOption, DecisionRequest, DecisionResponse, Question, QuestionKind};
use crate::extra::Extra;
use crate::failure::{Failure, FailureKind};

impl DecisionRequest {
    /// The decisions in a response, in the order in which the questions were asked.
    ///
    /// Answers to questions that were not asked are left where they are.
    ///
    /// # Errors
    ///
    /// `Malformed` where an answer is missing, of another type than its question, names an option or a
    /// level that was not asked for, or holds a number out of its range. Its words name the question.
    pub fn read(&self, response: &DecisionResponse) -> Result<Vec<(String, Decision)>, Failure> {
        let decisions = self.questions.iter().map(|(id, question)| {
            let decision = match response.answers.get(id) {
                None | Some(Value::Null) => Err("no answer".to_owned()),
                Some(Value::Object(answer)) => question.decision(answer),
                Some(_) => Err("the answer is not an object".to_owned()),
            };
            match decision {
                Ok(decision) => Ok((id.clone(), decision)),
                Err(problem) => Err(Failure::new(
                    FailureKind::Malformed,
                    format!("question {id:?}: {problem}"),
                )
                .with_generation_id(response.id.clone())),
            }
        });
        decisions.collect()
    }
}

/// A decision, or what is wrong with it.
type Read<T> = Result<T, String>;

impl Question {
    fn decision(&self, answer: &Map<String, Value>) -> Read<Decision> {
        let asked = self.type_name();
        match answer.get("type").and_then(Value::as_str) {
            Some(name) if name == asked => {}
            Some(name) => {
                return Err(format!(
                    "an answer of the type {asked} was asked for, and one of {} came",
                    quotable(name)
                ));
            }
            None => return Err("the answer has no type".to_owned()),
        }
        match &self.kind {
            QuestionKind::YesNo { .. } => yes_no(answer).map(Decision::YesNo),
            QuestionKind::Choice { options } => choice(answer, options).map(Decision::Choice),
            QuestionKind::Score { levels } => score(answer, levels).map(Decision::Score),
            QuestionKind::Locate => location(answer).map(Decision::Location),
            QuestionKind::Other { name, .. } => Ok(Decision::Other(OtherDecision {
                type_name: name.clone(),
                fields: answer.clone(),
            })),
        }
    }
}

/// A type's name, unless it may be something else.
fn quotable(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    if name.is_empty() || name.len() > 32 || !name.bytes().all(plain) {
        return "another".to_owned();
    }
    name.to_owned()
}

fn yes_no(answer: &Map<String, Value>) -> Read<YesNo> {
    Ok(YesNo {
        confidence: confidence(answer)?,
        extra: rest(answer, &["noul"]),
        ..YesNo::by_probability(fraction(answer.get("noul"), "the probability")?)
    })
}

fn choice(answer: &Map<String, Value>, options: &[ChoiceOption]) -> Read<Chosen> {
    let option = answer.get("choice").and_then(Value::as_str);
    let option = option.ok_or("the answer names no option")?;
    let places: BTreeMap<&str, usize> = options.iter().map(ChoiceOption::name).zip(0..).collect();
    if !places.contains_key(option) {
        return Err("an option that was not asked for".to_owned());
    }
    let given = probabilities(answer, options.len(), |name| places.get(name).copied())?;
    let named = given
        .iter()
        .filter_map(|(place, probability)| Some((options.get(*place)?.name.clone(), *probability)));
    Ok(Chosen {
        option: option.to_owned(),
        probabilities: named.collect(),
        confidence: confidence(answer)?,
        extra: rest(answer, &["choice", "probabilities"]),
    })
}

fn score(answer: &Map<String, Value>, levels: &[Value]) -> Read<Scored> {
    let score = answer.get("score").and_then(Value::as_f64);
    let score = score.ok_or("the score is not a number")?;
    let highest = as_f64(levels.len()) - 1.0;
    if !(0.0..=highest).contains(&score) {
        return Err(format!("the score is out of its range, 0 to {highest}"));
    }
    check_legend(answer, levels)?;
    Ok(Scored {
        score,
        probabilities: probabilities(answer, levels.len(), |name| place(name, levels.len()))?,
        legend: levels.to_vec(),
        confidence: confidence(answer)?,
        extra: rest(answer, &["score", "probabilities", "legend"]),
    })
}

fn location(answer: &Map<String, Value>) -> Read<Located> {
    let edges = answer.get("box").and_then(Value::as_object);
    let edges = edges.ok_or("the answer holds no box")?;
    let edge = |name: &str| fraction(edges.get(name), &format!("the box's {name}"));
    let located = Located {
        confidence: confidence(answer)?,
        extra: rest(answer, &["box"]),
        ..Located::new(edge("top")?, edge("bottom")?, edge("left")?, edge("right")?)
    };
    if !located.is_sound() {
        return Err("the box's edges are in the wrong order".to_owned());
    }
    Ok(located)
}

/// A level's place, in the only spelling that it has.
fn place(name: &str, levels: usize) -> Option<usize> {
    let place: usize = name.parse().ok()?;
    (place < levels && place.to_string() == name).then_some(place)
}

/// Whether the legend, where there is one, is that of the levels asked for: the model's own words for a
/// level may differ, but a level that stands in the place of another turns every score around.
fn check_legend(answer: &Map<String, Value>, levels: &[Value]) -> Read<()> {
    let legend = match answer.get("legend") {
        None | Some(Value::Null) => return Ok(()),
        Some(Value::Object(legend)) => legend,
        Some(_) => return Err("the legend is not an object".to_owned()),
    };
    let known: BTreeMap<String, usize> = levels.iter().map(ToString::to_string).zip(0..).collect();
    for (name, meaning) in legend {
        let place =
            place(name, levels.len()).ok_or("the legend has a level that was not asked for")?;
        let is_another = known.contains_key(&meaning.to_string());
        if is_another && levels.get(place) != Some(meaning) {
            return Err("the legend has the levels in another order".to_owned());
        }
    }
    Ok(())
}

/// How probable each of several things is, by its place. None is missing that was given, and together
/// they make about 1 where all are there.
fn probabilities(
    answer: &Map<String, Value>,
    count: usize,
    place: impl Fn(&str) -> Option<usize>,
) -> Read<Vec<(usize, f64)>> {
    let given = match answer.get("probabilities") {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Object(given)) => given,
        Some(_) => return Err("the probabilities are not an object".to_owned()),
    };
    let mut by_place = Vec::with_capacity(given.len().min(count));
    let mut sum = 0.0;
    for (name, probability) in given {
        let place = place(name).ok_or("a probability of something that was not asked for")?;
        let probability = fraction(Some(probability), "a probability")?;
        sum += probability;
        by_place.push((place, probability));
    }
    by_place.sort_by_key(|(place, _)| *place);
    // Each may be rounded to two decimals.
    let drift = (0.005 * as_f64(count)).max(0.02) + 1e-9;
    if sum > 1.0 + drift || (by_place.len() == count && sum < 1.0 - drift) {
        return Err("the probabilities do not make 1 together".to_owned());
    }
    Ok(by_place)
}

/// Absent, null and what is no number count as missing.
fn confidence(answer: &Map<String, Value>) -> Read<Option<f64>> {
    match answer.get("confidence") {
        Some(number @ Value::Number(_)) => fraction(Some(number), "the confidence").map(Some),
        _ => Ok(None),
    }
}

fn fraction(value: Option<&Value>, what: &str) -> Read<f64> {
    let number = value.and_then(Value::as_f64);
    let number = number.ok_or_else(|| format!("{what} is not a number"))?;
    if (0.0..=1.0).contains(&number) {
        return Ok(number);
    }
    Err(format!("{what} is out of its range, 0 to 1"))
}

/// The fields that have no place of their own.
fn rest(answer: &Map<String, Value>, known: &[&str]) -> Extra {
    let is_known = |name: &str| matches!(name, "type" | "confidence") || known.contains(&name);
    answer
        .iter()
        .filter(|(name, value)| !is_known(name) && !value.is_null())
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

#[expect(
    clippy::cast_precision_loss,
    reason = "nobody asks for more options than a double counts"
)]
fn as_f64(count: usize) -> f64 {
    count as f64
}
