//! Decisions.

use axum::body::Bytes;
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

use super::answer::Asked;
use super::generated::{Answering, Body, invalid};
use crate::catalogue::Gives;
use crate::error_body::ErrorBody;
use crate::fault::tokens;
use crate::rng::Rng;

/// US dollars for a token in; those out are free.
const PRICE: f64 = 0.042e-6;

/// Tokens that every request costs.
const OVERHEAD: usize = 280;

pub(super) async fn decide(asked: Asked, body: Bytes) -> Response {
    match answer(&asked, &body) {
        Ok((answering, body)) => asked.answer_as(answering.facts, body).await,
        Err(error) => error.into_response(),
    }
}

fn answer(asked: &Asked, body: &[u8]) -> Result<(Answering, Value), ErrorBody> {
    let request = Body::read(body)?;
    let model = request.model(Gives::Decisions, "/api/alpha/decisions")?;
    request.check_names(&["session_id", "user"])?;
    let wrong = |what: &str| invalid(&format!("Invalid request parameters: {what}"));
    if request.get("images").is_some() {
        return Err(wrong("images"));
    }
    let state = request.get("state");
    let state = state.filter(|state| state.is_string() || state.is_object() || state.is_array());
    let state = state.ok_or_else(|| wrong("state"))?;
    let questions = request.get("questions").and_then(Value::as_object);
    let questions = questions
        .filter(|questions| !questions.is_empty())
        .ok_or_else(|| wrong("questions"))?;
    let answering = Answering::new(asked, &model, "dec");
    let mut answers = Map::new();
    for (id, question) in questions {
        let mut rng = answering.rng(&format!("question {id}"));
        let answer =
            decided(question, &mut rng).ok_or_else(|| wrong(&format!("questions.{id}")))?;
        answers.insert(id.clone(), answer);
    }
    // OpenRouter does not promise the order of the questions.
    answers.sort_keys();
    let read = tokens(&state.to_string()).saturating_add(OVERHEAD);
    #[expect(clippy::cast_precision_loss, reason = "a request has no 2^52 tokens")]
    let cost = read as f64 * PRICE;
    answering.remember(
        asked,
        "decisions",
        json!({"prompt_tokens": read, "completion_tokens": 70, "cost": cost}),
    );
    let facts = &answering.facts;
    let body = json!({
        "id": facts.id,
        "model": format!("{}-20260101", facts.model),
        "provider": facts.provider,
        "answers": answers,
        "usage": {"input_tokens": read, "output_tokens": 70, "cost": cost},
    });
    Ok((answering, body))
}

/// The answer; none where the question is no question.
fn decided(question: &Value, rng: &mut Rng) -> Option<Value> {
    let is_guidance = |value: &Value| value.is_string() || value.is_object() || value.is_array();
    question
        .get("instructions")
        .filter(|value| is_guidance(value))?;
    let criteria = question.get("criteria").filter(|value| !value.is_null());
    match question.get("type")?.as_str()? {
        "noul" => {
            if let Some(criteria) = criteria {
                criteria.get("true").filter(|value| is_guidance(value))?;
                criteria.get("false").filter(|value| is_guidance(value))?;
            }
            Some(json!({"type": "noul", "noul": rounded(rng.fraction())}))
        }
        "choice" => {
            let options: Vec<&String> = criteria?.as_object()?.keys().collect();
            let shares = shares(options.len(), rng)?;
            let best = highest(&shares);
            let probabilities: Map<String, Value> = options
                .iter()
                .zip(&shares)
                .map(|(option, share)| ((*option).clone(), json!(share)))
                .collect();
            Some(json!({
                "type": "choice",
                "choice": options.get(best)?,
                "probabilities": probabilities,
                "confidence": rounded(rng.fraction()),
            }))
        }
        "score" => {
            let levels = criteria?.as_array()?;
            let shares = shares(levels.len(), rng)?;
            let (mut score, mut place) = (0.0, 0.0);
            for share in &shares {
                score += place * share;
                place += 1.0;
            }
            // Shares are rounded, and the mean stays within the scale.
            let score = rounded(score.clamp(0.0, place - 1.0));
            let by_place = |values: Vec<Value>| -> Map<String, Value> {
                let places = (0..values.len()).map(|place| place.to_string());
                places.zip(values).collect()
            };
            Some(json!({
                "type": "score",
                "score": score,
                "probabilities": by_place(shares.iter().map(|share| json!(share)).collect()),
                "legend": by_place(levels.clone()),
                "confidence": rounded(rng.fraction()),
            }))
        }
        "box" => {
            let mut edges = || {
                let (one, other) = (rounded(rng.fraction()), rounded(rng.fraction()));
                (one.min(other), one.max(other))
            };
            let ((top, bottom), (left, right)) = (edges(), edges());
            Some(json!({
                "type": "box",
                "box": {"top": top, "bottom": bottom, "left": left, "right": right},
                "confidence": rounded(rng.fraction()),
            }))
        }
        _ => None,
    }
}

/// To two decimals, as most models do.
fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

/// So many probabilities, together about 1; none for fewer than two.
fn shares(count: usize, rng: &mut Rng) -> Option<Vec<f64>> {
    if count < 2 {
        return None;
    }
    let drawn: Vec<f64> = (0..count).map(|_| rng.fraction().powi(3) + 1e-6).collect();
    let sum: f64 = drawn.iter().sum();
    Some(drawn.iter().map(|share| rounded(share / sum)).collect())
}

fn highest(shares: &[f64]) -> usize {
    let by_share = |one: &(usize, &f64), other: &(usize, &f64)| one.1.total_cmp(other.1);
    let best = shares.iter().enumerate().max_by(by_share);
    best.map_or(0, |(place, _)| place)
}
