//! Answers while they come, and mended ones.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use serde::Deserialize;
use serde_json::{Value, json};
use tamis::json::{Policy, RepairKind};
use tamis::{Chat, Client, FailureKind, RetryPolicy};
use tamis_sim::Sim;

async fn server() -> (Sim, Client) {
    let sim = Sim::builder().seed(5).start().await.unwrap();
    let client = Client::builder()
        .base_url(sim.base_url())
        .openrouter(true)
        .retry(RetryPolicy::none())
        .build()
        .unwrap();
    (sim, client)
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "minLength": 12},
            "tags": {"type": "array", "items": {"type": "string"}, "minItems": 2},
            "place": {"type": "object", "properties": {"zip": {"type": "integer"}, "open": {"type": "boolean"}},
                "required": ["zip", "open"], "additionalProperties": false},
        },
        "required": ["name", "tags", "place"],
        "additionalProperties": false,
    })
}

fn ask(client: &Client, fault: &str) -> Chat {
    client
        .chat("openai/gpt-4o")
        .header("x-tamis-fault", fault)
        .user("Go.")
        .json_schema("x", schema())
        .header("x-tamis-key", "same")
}

#[tokio::test]
async fn fields_come_once_each_and_are_the_answers() {
    let (_sim, client) = server().await;
    for fault in [
        "conforming",
        "fenced",
        "prose-around",
        "bom",
        "trailing-comma",
    ] {
        let mut fields = ask(&client, fault).stream().await.unwrap().fields();
        let mut seen = Vec::new();
        while let Some(field) = fields.next().await {
            seen.push(field.unwrap());
        }
        let answer = fields.finish().await.unwrap().parse_json().unwrap().value;
        let mut pointers: Vec<String> =
            seen.iter().map(|field| field.pointer.to_string()).collect();
        for field in &seen {
            assert_eq!(
                answer.pointer(field.pointer.as_ref()),
                Some(&field.value),
                "{fault}"
            );
        }
        pointers.sort();
        let count = pointers.len();
        pointers.dedup();
        assert_eq!(pointers.len(), count, "{fault}");
        for pointer in ["/name", "/tags/1", "/place/zip", "/place/open"] {
            assert!(
                pointers.iter().any(|seen| seen == pointer),
                "{fault}: {pointer} in {pointers:?}"
            );
        }
    }
}

#[tokio::test]
async fn fields_of_a_cut_answer_are_no_answer() {
    let (_sim, client) = server().await;
    let mut fields = ask(&client, "eof-mid-answer")
        .stream()
        .await
        .unwrap()
        .fields();
    let mut last = None;
    while let Some(field) = fields.next().await {
        last = Some(field);
    }
    assert_eq!(last.unwrap().unwrap_err().kind(), FailureKind::Interrupted);
    let failure = fields.finish().await.unwrap_err();
    assert_eq!(failure.kind(), FailureKind::Interrupted);
    let partial = failure.completion().unwrap().partial_json();
    assert!(partial.is_none_or(|partial| !partial.complete));
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Thing {
    name: String,
    tags: Vec<String>,
}

#[tokio::test]
async fn snapshots_grow() {
    let (_sim, client) = server().await;
    let mut snapshots = ask(&client, "conforming")
        .stream()
        .await
        .unwrap()
        .snapshots::<Thing>();
    let mut names: Vec<String> = Vec::new();
    let mut tags = 0;
    while let Some(thing) = snapshots.next().await {
        let thing = thing.unwrap();
        assert!(
            names
                .last()
                .is_none_or(|before| thing.name.starts_with(before.as_str()))
        );
        assert!(thing.tags.len() >= tags);
        tags = thing.tags.len();
        names.push(thing.name);
    }
    names.dedup();
    assert!(names.len() > 2, "{names:?}");
    let whole = snapshots
        .finish()
        .await
        .unwrap()
        .parse_json()
        .unwrap()
        .value;
    assert_eq!(
        whole.pointer("/name").and_then(Value::as_str),
        names.last().map(String::as_str)
    );
}

#[tokio::test]
async fn what_was_mended_is_on_record_and_can_be_forbidden() {
    let (_sim, client) = server().await;
    let as_sent = ask(&client, "conforming").answer().await.unwrap();
    assert!(as_sent.repairs.is_empty());
    for (fault, kind) in [
        ("fenced", RepairKind::Fence),
        ("prose-around", RepairKind::Prose),
        ("trailing-comma", RepairKind::ExtraComma),
    ] {
        let answer = ask(&client, fault).answer().await.unwrap();
        assert!(
            answer.repairs.iter().any(|repair| repair.kind == kind),
            "{fault}: {:?}",
            answer.repairs
        );
        assert_eq!(answer.value, as_sent.value, "{fault}");
        let failure = ask(&client, fault)
            .repair(Policy::none())
            .answer()
            .await
            .unwrap_err();
        assert_eq!(failure.kind(), FailureKind::Malformed, "{fault}");
    }
    // A string that holds the object is the object, where an object is wanted.
    let answer = ask(&client, "double-encoded").answer().await.unwrap();
    assert_eq!(
        (&answer.value, answer.repairs.is_empty()),
        (&as_sent.value, false)
    );
}

#[tokio::test]
async fn nothing_is_mended_into_an_answer_that_was_cut() {
    let (_sim, client) = server().await;
    for (fault, kind) in [
        ("truncated", FailureKind::ContextLength),
        ("truncated-but-parses", FailureKind::ContextLength),
        ("prose-only", FailureKind::Malformed),
    ] {
        let failure = ask(&client, fault).answer().await.unwrap_err();
        assert_eq!(failure.kind(), kind, "{fault}");
    }
}
