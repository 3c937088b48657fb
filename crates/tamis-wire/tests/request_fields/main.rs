//! Every field of a request: typed, checked, left out elsewhere where it is OpenRouter's own.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

mod rows;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use rows::rows;
use serde_json::{Map, Value, json};
use tamis_wire::FailureKind;
use tamis_wire::request::{ChatRequest, FIELDS, Whose, check_json};

fn whole() -> Map<String, Value> {
    rows()
        .into_iter()
        .map(|(name, value, _)| (name.to_owned(), value))
        .collect()
}

fn typed(request: Map<String, Value>) -> ChatRequest {
    serde_json::from_value(request.into()).unwrap()
}

#[test]
fn a_row_for_every_field() {
    let names: BTreeSet<&str> = rows().iter().map(|(name, ..)| *name).collect();
    assert_eq!(names, FIELDS.iter().map(|(name, _)| *name).collect());
    assert_eq!(rows().len(), FIELDS.len());
    assert_eq!(FIELDS.len(), 50);
}

#[test]
fn every_field_has_a_type_that_says_all_of_it() {
    let request = typed(whole());
    request.check().unwrap();
    assert_eq!(request.to_json().unwrap(), whole());
    // What is typed is not among what is not.
    assert_eq!(request.extra.iter().count(), 0);
    let extras = format!("{:?}", request.provider.unwrap().extra);
    assert_eq!(extras, r#"["novel"]"#);
    for plugin in &request.plugins[..request.plugins.len() - 1] {
        assert!(!plugin.kind().is_empty());
        assert!(
            !matches!(plugin, tamis_wire::request::Plugin::Other(_)),
            "{plugin:?}"
        );
    }
}

#[test]
fn what_is_refused_names_its_field() {
    let mut count = 0;
    for (name, _, wrong) in rows() {
        for (value, starts) in wrong {
            let mut request = whole();
            // One model is enough.
            if name == "model" {
                request.remove("models");
            }
            request.insert(name.to_owned(), value);
            let failure = check_json(&request).unwrap_err();
            assert_eq!(failure.kind(), FailureKind::Validation);
            assert!(
                failure.message().starts_with(starts),
                "{name}: {failure}, not {starts}"
            );
            count += 1;
        }
    }
    assert!(count > 130, "{count}");
}

#[test]
fn null_counts_as_missing() {
    for (name, ..) in rows() {
        if ["model", "messages", "logprobs"].contains(&name) {
            continue;
        }
        let mut request = whole();
        request.insert(name.to_owned(), Value::Null);
        check_json(&request).unwrap();
        assert_eq!(typed(request.clone()).to_json().unwrap(), request);
    }
}

#[test]
fn elsewhere_openrouters_own_fields_are_left_out() {
    for (name, whose) in FIELDS {
        let mut request = ChatRequest::new("a/b");
        let value = whole()[*name].clone();
        let mut fields = Map::new();
        fields.insert((*name).to_owned(), value.clone());
        let mut stripped = typed(fields);
        stripped.strip_openrouter_fields();
        let sent = stripped.to_json().unwrap();
        assert_eq!(
            sent.contains_key(*name),
            *whose == Whose::Protocol,
            "{name}"
        );
        // Set by hand, it is sent.
        request.extra.insert(name, value.clone());
        request.strip_openrouter_fields();
        assert_eq!(request.to_json().unwrap()[*name], value, "{name}");
    }
    let of_openrouter = FIELDS
        .iter()
        .filter(|(_, whose)| *whose == Whose::OpenRouter);
    assert_eq!(of_openrouter.count(), 17);
}

#[test]
fn elsewhere_messages_and_tools_lose_openrouters_own() {
    let mut request = typed(whole());
    request.strip_openrouter_fields();
    let sent = Value::from(request.to_json().unwrap());
    let kinds: Vec<&str> = sent["tools"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|tool| tool["type"].as_str())
        .collect();
    assert_eq!(kinds, ["function", "web_search_preview"]);
    let text = sent.to_string();
    for gone in [
        "cache_control",
        "reasoning_details",
        "annotations",
        "prompt_cache_breakpoint",
        "images",
    ] {
        assert!(!text.contains(&format!("\"{gone}\"")), "{gone}");
    }
    assert!(sent["messages"][3].get("model").is_none());
    assert_eq!(sent["messages"][3]["reasoning"], "r");
}

#[test]
fn what_is_in_extra_comes_first() {
    let mut request = typed(whole());
    request.extra.insert("temperature", json!(1.5));
    assert_eq!(request.to_json().unwrap()["temperature"], json!(1.5));
    // What a field was read from does not stand in the way of setting it.
    let mut request = typed(
        json!({"stream": false, "stop": [], "user": null, "temperature": 0})
            .as_object()
            .unwrap()
            .clone(),
    );
    request.stream = true;
    request.stop.push("END".to_owned());
    request.user = Some("u".to_owned());
    request.temperature = Some(0.5);
    assert_eq!(
        Value::from(request.to_json().unwrap()),
        json!({"stream": true, "stop": ["END"], "user": "u", "temperature": 0.5})
    );
}

/// Whole floats may have become integers, or the other way about.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .zip(other)
                    .all(|(one, other)| is_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(name, one)| other.get(name).is_some_and(|other| is_same(one, other)))
        }
        _ => one == other,
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e9..1e9_f64).prop_map(Value::from),
        prop::sample::select(vec![
            "", "text", "user", "web", "function", "content", "low", "0.5"
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 30, 4, |inner| {
        let name = prop::sample::select(vec![
            "type",
            "id",
            "role",
            "content",
            "text",
            "function",
            "name",
            "parameters",
            "effort",
            "max_tokens",
            "sort",
            "by",
            "order",
            "max_price",
            "prompt",
            "p50",
            "pdf",
            "ttl",
            "odd",
        ]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((name, inner), 0..5).prop_map(|fields| {
                let fields = fields
                    .into_iter()
                    .map(|(name, value)| (name.to_owned(), value));
                fields.collect::<Map<_, _>>().into()
            }),
        ]
    })
}

proptest! {
    #[test]
    fn any_request_is_read_and_written_again(place in 0..FIELDS.len(), value in any_json()) {
        let request = json!({FIELDS[place].0: value, "odd": null});
        let read: ChatRequest = serde_json::from_value(request.clone()).unwrap();
        let written = serde_json::to_value(&read).unwrap();
        prop_assert!(is_same(&written, &request), "{} became {}", request, written);
        let _ = check_json(written.as_object().unwrap());
    }
}

/// The recordings: of `TAMIS_SHARED`, or of `shared` beside the checkout.
#[test]
fn recorded_requests() {
    let root = std::env::var_os("TAMIS_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let Ok(index) = fs::read_to_string(root.join("wire/index.jsonl")) else {
        eprintln!("skipped: no shared folder");
        return;
    };
    let (mut all, mut refused) = (0, Vec::new());
    for line in index.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let Some(name) = row["request_file"].as_str() else {
            continue;
        };
        let bytes = fs::read(root.join("wire").join(name)).unwrap();
        let request: Map<String, Value> = serde_json::from_slice(&bytes).unwrap();
        let read = typed(request.clone());
        let written = read.to_json().unwrap();
        assert!(
            is_same(&written.clone().into(), &request.clone().into()),
            "{name}"
        );
        all += 1;
        if row["status"] == 200
            && let Err(failure) = check_json(&request)
        {
            refused.push(format!("{name}: {failure}"));
        }
    }
    eprintln!("{all} requests");
    assert!(all > 200);
    assert_eq!(refused, [""; 0]);
}
