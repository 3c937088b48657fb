//! Embeddings.

use axum::body::Bytes;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::answer::Asked;
use super::generated::{Answering, Body, invalid};
use crate::catalogue::Gives;
use crate::error_body::ErrorBody;
use crate::fault::tokens;
use crate::rng::Rng;

/// Dimensions where the request names none, and at most.
const USUAL: u64 = 8;
const MOST: u64 = 4096;

/// US dollars for a token.
const PRICE: f64 = 0.02e-6;

pub(super) async fn embed(asked: Asked, body: Bytes) -> Response {
    match answer(&asked, &body) {
        Ok((answering, body)) => asked.answer_as(answering.facts, body).await,
        Err(error) => error.into_response(),
    }
}

fn answer(asked: &Asked, body: &[u8]) -> Result<(Answering, Value), ErrorBody> {
    let request = Body::read(body)?;
    let model = request.model(Gives::Embeddings, "embeddings")?;
    request.check_names(&["user", "input_type"])?;
    let wrong = |what: &str| invalid(&format!("Invalid request parameters: {what}"));
    let inputs = request.get("input").and_then(inputs);
    let inputs = inputs.ok_or_else(|| wrong("input"))?;
    let dimensions = match request.get("dimensions") {
        None => USUAL,
        Some(wanted) => {
            let wanted = wanted.as_u64().filter(|wanted| (1..=MOST).contains(wanted));
            wanted.ok_or_else(|| wrong("dimensions"))?
        }
    };
    let in_base64 = match request.get("encoding_format").map(Value::as_str) {
        None | Some(Some("float")) => false,
        Some(Some("base64")) => true,
        Some(_) => return Err(wrong("encoding_format")),
    };
    let answering = Answering::new(asked, &model, "emb");
    let data: Vec<Value> = inputs
        .iter()
        .enumerate()
        .map(|(index, input)| {
            let vector = vector(&model.id, input, dimensions);
            let vector = if in_base64 {
                json!(base64(&vector))
            } else {
                let numbers: Vec<f64> = vector.iter().copied().map(f64::from).collect();
                json!(numbers)
            };
            json!({"object": "embedding", "index": index, "embedding": vector})
        })
        .collect();
    let read = inputs.iter().map(|input| tokens(input)).sum::<usize>();
    #[expect(clippy::cast_precision_loss, reason = "a request has no 2^52 tokens")]
    let cost = read as f64 * PRICE;
    let usage = json!({"prompt_tokens": read, "total_tokens": read, "cost": cost});
    answering.remember(asked, "embeddings", usage.clone());
    let body = json!({
        "object": "list",
        "data": data,
        "model": answering.facts.model,
        "id": answering.facts.id,
        "provider": answering.facts.provider,
        "usage": usage,
    });
    Ok((answering, body))
}

/// What is embedded, each as text; none where it is nothing that can be.
fn inputs(input: &Value) -> Option<Vec<String>> {
    let list = match input {
        Value::String(text) => return (!text.is_empty()).then(|| vec![text.clone()]),
        Value::Array(list) if !list.is_empty() => list,
        _ => return None,
    };
    if list.iter().all(Value::is_u64) {
        return Some(vec![input.to_string()]);
    }
    list.iter()
        .map(|input| match input {
            Value::String(text) if !text.is_empty() => Some(text.clone()),
            Value::Array(tokens) if !tokens.is_empty() && tokens.iter().all(Value::is_u64) => {
                Some(input.to_string())
            }
            Value::Object(parts) => {
                let content = parts.get("content")?.as_array()?;
                (!content.is_empty()).then(|| input.to_string())
            }
            _ => None,
        })
        .collect()
}

/// A unit vector: the same for the same text, whenever it is asked for.
fn vector(model: &str, text: &str, dimensions: u64) -> Vec<f32> {
    let mut rng = Rng::new(0, &[model, text, "vector"]);
    let drawn: Vec<f64> = (0..dimensions).map(|_| rng.fraction() - 0.5).collect();
    let length = drawn
        .iter()
        .map(|number| number * number)
        .sum::<f64>()
        .sqrt();
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a vector's numbers are single floats"
    )]
    drawn
        .iter()
        .map(|number| (number / length.max(f64::MIN_POSITIVE)) as f32)
        .collect()
}

/// Little-endian, with padding.
fn base64(vector: &[f32]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bytes: Vec<u8> = vector
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect();
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let mut whole = [0_u8; 4];
        for (place, byte) in whole.iter_mut().skip(1).zip(group) {
            *place = *byte;
        }
        let bits = u32::from_be_bytes(whole);
        for (digit, shift) in [18, 12, 6, 0].into_iter().enumerate() {
            let at = usize::try_from(bits >> shift & 63).unwrap_or_default();
            let character = DIGITS.get(at).copied().map_or('=', char::from);
            text.push(if digit <= group.len() { character } else { '=' });
        }
    }
    text
}
