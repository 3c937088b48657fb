//! What several test files need.

use serde_json::{Value, json};
use tamis_wire::{Completion, Failure, StreamReader};

/// Folds the bytes of a stream.
pub fn fold_bytes(bytes: &[u8]) -> Result<Completion, Failure> {
    let mut reader = StreamReader::new();
    reader.feed(bytes, |_| {});
    reader.finish(|_| {})
}

/// A stream of chunks, with the end marker.
pub fn stream(chunks: &[Value]) -> String {
    chunks
        .iter()
        .map(|chunk| format!("data: {chunk}\n\n"))
        .chain(["data: [DONE]\n\n".to_owned()])
        .collect()
}

/// Folds chunks, with the end marker after them.
pub fn fold(chunks: &[Value]) -> Result<Completion, Failure> {
    fold_bytes(stream(chunks).as_bytes())
}

/// A chunk with one choice.
pub fn delta(delta: Value) -> Value {
    json!({"id": "gen-1", "choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

/// The chunk that ends a choice.
pub fn end(reason: &str) -> Value {
    json!({"id": "gen-1", "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
}
