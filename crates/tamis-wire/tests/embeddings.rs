//! Embeddings: a vector for each input, and none in the place of another.

use proptest::prelude::*;
use serde_json::{Value, json};
use tamis_wire::FailureKind;
use tamis_wire::embedding::{EmbeddingInput, EmbeddingRequest};

fn request() -> EmbeddingRequest {
    EmbeddingRequest::new("openai/text-embedding-3-small", ["a", "b", "c"])
}

fn body() -> Value {
    json!({
        "object": "list",
        "id": "gen-emb-1",
        "provider": "Granite",
        "model": "openai/text-embedding-3-small",
        "data": [
            {"object": "embedding", "index": 0, "embedding": [0.5, -0.25]},
            {"object": "embedding", "index": 1, "embedding": [1, 2]},
            {"object": "embedding", "index": 2, "embedding": "AACAPwAAAMA="},
        ],
        "usage": {"prompt_tokens": 3, "total_tokens": 3, "cost": 0.000_000_06, "later": 1},
        "later": {"a": 1},
    })
}

fn read(body: &Value) -> Result<tamis_wire::embedding::Embeddings, tamis_wire::Failure> {
    request().read(body.to_string().as_bytes())
}

#[test]
fn vectors_and_what_comes_with_them() {
    let embeddings = read(&body()).unwrap();
    assert_eq!(embeddings.vectors, [[0.5, -0.25], [1.0, 2.0], [1.0, -2.0]]);
    assert_eq!(embeddings.dimensions(), 2);
    assert_eq!(embeddings.id.as_deref(), Some("gen-emb-1"));
    assert_eq!(embeddings.provider.as_deref(), Some("Granite"));
    let usage = embeddings.usage.clone().unwrap();
    assert_eq!(usage.cost.unwrap().to_string(), "0.00000006");
    assert_eq!(embeddings.extra.get("later"), Some(&json!({"a": 1})));
    let printed = format!("{embeddings:?}");
    assert!(!printed.contains("0.25"), "{printed}");
    // An index is optional.
    let mut bare = body();
    for item in bare["data"].as_array_mut().unwrap() {
        item.as_object_mut().unwrap().shift_remove("index");
    }
    assert_eq!(read(&bare).unwrap().vectors, embeddings.vectors);
}

#[test]
fn a_vector_is_never_taken_for_another_ones() {
    type Break = fn(&mut Value);
    let rows: &[(&str, Break)] = &[
        ("3 vectors were asked for, and 2 came", |body| {
            body["data"].as_array_mut().unwrap().remove(1);
        }),
        ("3 vectors were asked for, and 4 came", |body| {
            let again = body["data"][2].clone();
            body["data"].as_array_mut().unwrap().push(again);
        }),
        ("place 1 says it belongs to another", |body| {
            body["data"][1]["index"] = 0.into();
        }),
        ("place 0 says it belongs to another", |body| {
            body["data"].as_array_mut().unwrap().swap(0, 2);
        }),
        ("place 1 says it belongs to another", |body| {
            body["data"][1]["index"] = "1".into();
        }),
        ("place 2 is missing", |body| {
            body["data"][2]["embedding"] = Value::Null;
        }),
        ("place 2 is missing", |body| {
            body["data"][2]["embedding"] = json!([]);
        }),
        ("place 2 is missing", |body| {
            body["data"][2]["embedding"] = json!("");
        }),
        ("place 2 is missing", |body| {
            body["data"][2]["embedding"] = json!([0.1, null]);
        }),
        ("place 2 is missing", |body| {
            body["data"][2]["embedding"] = json!([0.1, "x", 3]);
        }),
        ("place 2 is missing", |body| {
            body["data"][2]["embedding"] = json!("AACAPwAAAM");
        }),
        ("place 2 is missing", |body| {
            body["data"][2]["embedding"] = json!({"0": 1});
        }),
        ("place 0 is missing", |body| {
            body["data"][0] = json!([0.5, 0.25]);
        }),
        ("place 0 is missing", |body| body["data"][0] = Value::Null),
        ("place 1 has 3 dimensions, and not 2", |body| {
            body["data"][1]["embedding"] = json!([1, 2, 3]);
        }),
        ("place 1 holds what is not a finite", |body| {
            body["data"][1]["embedding"] = json!([1e300, 0]);
        }),
        // NaN and 1.
        ("place 1 holds what is not a finite", |body| {
            body["data"][1]["embedding"] = json!("AADAfwAAgD8=");
        }),
        ("holds no vectors", |body| body["data"] = json!({"0": []})),
        ("holds no vectors", |body| body["data"] = Value::Null),
    ];
    for (words, spoil) in rows {
        let mut body = body();
        spoil(&mut body);
        let failure = read(&body).unwrap_err();
        assert_eq!(failure.kind(), FailureKind::Malformed, "{failure}");
        assert!(failure.message().contains(words), "{failure} / {words}");
        assert_eq!(failure.generation_id(), Some("gen-emb-1"));
    }
    let mut request = request();
    request.dimensions = Some(256);
    let failure = request.read(body().to_string().as_bytes()).unwrap_err();
    assert!(failure.message().contains("has 2 dimensions, and not 256"));
}

#[test]
fn one_input_is_one_vector() {
    let one = json!({"data": [{"embedding": [1.0]}]}).to_string();
    for input in ["a".into(), EmbeddingInput::Tokens(vec![1, 2, 3])] {
        let request = EmbeddingRequest::new("a/b", input);
        assert_eq!(request.read(one.as_bytes()).unwrap().vectors, [[1.0]]);
        assert!(request.read(body().to_string().as_bytes()).is_err());
    }
}

#[test]
fn what_is_no_response() {
    for (body, kind) in [
        ("", FailureKind::Malformed),
        ("null", FailureKind::Malformed),
        ("[]", FailureKind::Malformed),
        ("{}", FailureKind::Malformed),
        ("<html>", FailureKind::Malformed),
        (
            r#"{"data":[{"embedding":[1e999]}]}"#,
            FailureKind::Malformed,
        ),
        (
            r#"{"error":{"code":401,"message":"x"}}"#,
            FailureKind::Authentication,
        ),
        (
            r#"[{"error":{"code":503,"message":"x"}}]"#,
            FailureKind::ProviderUnavailable,
        ),
        (
            r#"{"data":[],"error":{"message":"x"}}"#,
            FailureKind::ProviderUnavailable,
        ),
    ] {
        let failure = request().read(body.as_bytes()).unwrap_err();
        assert_eq!(failure.kind(), kind, "{body}");
    }
}

proptest! {
    #[test]
    fn any_vectors_come_back(
        vectors in (1_usize..5, 1_usize..9).prop_flat_map(|(count, length)| {
            prop::collection::vec(prop::collection::vec(any::<f32>().prop_filter("finite", |f| f.is_finite()), length), count)
        }),
    ) {
        let texts: Vec<String> = vectors.iter().map(|_| "x".to_owned()).collect();
        let data: Vec<Value> = vectors.iter().map(|vector| {
            // As JSON writes doubles, which hold singles exactly.
            let numbers: Vec<f64> = vector.iter().copied().map(f64::from).collect();
            json!({"embedding": numbers})
        }).collect();
        let body = json!({"data": data}).to_string();
        let read = EmbeddingRequest::new("a/b", texts).read(body.as_bytes()).unwrap();
        prop_assert_eq!(read.vectors, vectors);
    }

    #[test]
    fn any_damage_is_a_failure_or_as_many_vectors(at in 0_usize..400, byte in any::<u8>(), cut in any::<bool>()) {
        let mut bytes = body().to_string().into_bytes();
        let at = at % bytes.len();
        if cut { bytes.truncate(at) } else { bytes[at] = byte }
        if let Ok(read) = request().read(&bytes) {
            prop_assert_eq!(read.vectors.len(), 3);
            prop_assert!(read.vectors.iter().all(|vector| vector.len() == read.dimensions()));
        }
    }
}
