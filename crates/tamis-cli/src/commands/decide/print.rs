//! Decisions, for people and for programs.

use serde_json::{Map, Value, json};
use tamis::decide::{Decided, Decision, Via};

use crate::console::Console;
use crate::error::Error;
use crate::money::amount;
use crate::table::{NOTHING, Table};

pub(super) fn text(decided: &Decided, console: &mut Console) -> Result<(), Error> {
    let head = ["QUESTION", "ANSWER", "PROBABILITY", "CONFIDENCE"];
    let mut table = Table::new(&head, 2..3);
    for (id, decision) in &decided.decisions {
        let (answer, probability, confidence) = cells(decision);
        let number = |number: Option<f64>| number.map_or_else(|| NOTHING.to_owned(), short);
        table.row([id.clone(), answer, number(probability), number(confidence)]);
    }
    table.print(console)?;
    let mut by = decided.model.clone().unwrap_or_default();
    if let Some(provider) = &decided.provider {
        by = format!("{by} at {provider}");
    }
    let means = match decided.via() {
        Via::Decisions => "by the Decisions API",
        _ => "by a completion, so without probabilities",
    };
    console.note(format!(
        "decided by {by}, {means} (known by: {})",
        decided.known_by
    ));
    if let Some(cost) = amount(decided.cost.as_ref()) {
        console.note(format!("cost: {cost}"));
    }
    Ok(())
}

/// The answer, how probable it is, and the confidence.
fn cells(decision: &Decision) -> (String, Option<f64>, Option<f64>) {
    match decision {
        Decision::YesNo(answer) => {
            let word = if answer.yes { "yes" } else { "no" };
            let own = |yes: f64| if answer.yes { yes } else { 1.0 - yes };
            (
                word.to_owned(),
                answer.probability.map(own),
                answer.confidence,
            )
        }
        Decision::Choice(answer) => (
            answer.option.clone(),
            answer.probability(&answer.option),
            answer.confidence,
        ),
        Decision::Score(answer) => {
            let score = short(answer.score);
            let (word, probability) = match answer.nearest() {
                Some((level, Value::String(name))) => {
                    (format!("{score} ({name})"), answer.probability(level))
                }
                Some((level, _)) => (score, answer.probability(level)),
                None => (score, None),
            };
            (word, probability, answer.confidence)
        }
        Decision::Location(place) => {
            let [top, bottom, left, right] =
                [place.top, place.bottom, place.left, place.right].map(short);
            let words = format!("top {top}, bottom {bottom}, left {left}, right {right}");
            (words, None, place.confidence)
        }
        Decision::Other(other) => (Value::from(other.fields.clone()).to_string(), None, None),
        _ => (NOTHING.to_owned(), None, None),
    }
}

/// To four decimals, as the most precise of the models.
fn short(number: f64) -> String {
    let text = format!("{number:.4}");
    let text = text.trim_end_matches('0');
    text.strip_suffix('.').unwrap_or(text).to_owned()
}

pub(super) fn json(decided: &Decided) -> Result<String, Error> {
    let decisions: Map<String, Value> = decided
        .decisions
        .iter()
        .map(|(id, decision)| (id.clone(), object(decision)))
        .collect();
    let object = json!({
        "via": decided.via().as_str(),
        "known_by": decided.known_by.as_str(),
        "model": decided.model,
        "provider": decided.provider,
        "id": decided.generation_id,
        "attempts": decided.attempts,
        "usage": {
            "input_tokens": decided.input_tokens,
            "output_tokens": decided.output_tokens,
            "cost": decided.cost,
        },
        "decisions": decisions,
    });
    Ok(serde_json::to_string_pretty(&object)?)
}

fn object(decision: &Decision) -> Value {
    match decision {
        Decision::YesNo(answer) => json!({
            "type": "yes_no",
            "yes": answer.yes,
            "probability": answer.probability,
            "confidence": answer.confidence,
        }),
        Decision::Choice(answer) => {
            let named = |(name, probability): &(String, f64)| (name.clone(), json!(probability));
            let probabilities: Map<String, Value> =
                answer.probabilities.iter().map(named).collect();
            json!({
                "type": "choice",
                "option": answer.option,
                "probabilities": some(probabilities),
                "confidence": answer.confidence,
            })
        }
        Decision::Score(answer) => {
            let named =
                |(level, probability): &(usize, f64)| (level.to_string(), json!(probability));
            let probabilities: Map<String, Value> =
                answer.probabilities.iter().map(named).collect();
            json!({
                "type": "score",
                "score": answer.score,
                "level": answer.nearest().map(|(level, _)| level),
                "legend": answer.legend,
                "probabilities": some(probabilities),
                "confidence": answer.confidence,
            })
        }
        Decision::Location(place) => json!({
            "type": "location",
            "top": place.top,
            "bottom": place.bottom,
            "left": place.left,
            "right": place.right,
            "confidence": place.confidence,
        }),
        Decision::Other(other) => Value::from(other.fields.clone()),
        _ => Value::Null,
    }
}

/// Null where the model said nothing.
fn some(probabilities: Map<String, Value>) -> Value {
    if probabilities.is_empty() {
        Value::Null
    } else {
        probabilities.into()
    }
}
