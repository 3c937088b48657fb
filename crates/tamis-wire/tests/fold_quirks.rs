//! Every kind of quirk seen on the wire, as a small stream or body of our own, and what it gives.
//!
//! `fixtures/streams` and `fixtures/bodies` hold one file for each, and `expected.json` beside them
//! what it reads as. Fields that are not named there are absent.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use tamis_wire::mend::NoteKind;
use tamis_wire::{Completion, Failure, FailureKind, Fold, FoldNote, StreamReader, read_response};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name)
}

fn fold(bytes: &[u8], fragment: usize) -> Result<Completion, Failure> {
    let mut reader = StreamReader::new();
    for fragment in bytes.chunks(fragment) {
        reader.feed(fragment, |_| {});
    }
    reader.finish(|_| {})
}

/// What came, in the words of `expected.json`.
fn summary(result: &Result<Completion, Failure>) -> Map<String, Value> {
    let mut summary = Map::new();
    let mut put = |name: &str, value: Value| {
        if !value.is_null() {
            summary.insert(name.to_owned(), value);
        }
    };
    let completion = match result {
        Ok(completion) => Some(completion),
        Err(failure) => {
            put("failure", json!(failure.kind()));
            put("message", json!(failure.message()));
            put("status", json!(failure.status()));
            put(
                "retry_after",
                json!(failure.retry_after().map(|wait| wait.as_secs())),
            );
            failure.completion()
        }
    };
    if let Some(completion) = completion {
        put("content", json!(completion.text()));
        put("reasoning", json!(completion.reasoning()));
        put(
            "refusal",
            json!(
                completion
                    .message()
                    .and_then(|message| message.refusal_text())
            ),
        );
        put("finish_reason", json!(completion.finish_reason()));
        let usage = completion.usage.as_ref();
        put(
            "total_tokens",
            json!(usage.and_then(|usage| usage.total_tokens)),
        );
        let calls = completion.message().map(|message| &message.tool_calls);
        let calls: Vec<Value> = calls
            .into_iter()
            .flatten()
            .map(|call| json!([call.id, call.function.name, call.function.arguments.text()]))
            .collect();
        if !calls.is_empty() {
            put("tool_calls", calls.into());
        }
        put(
            "outcome",
            json!(match completion.outcome() {
                Ok(outcome) => format!("{outcome:?}"),
                Err(failure) => failure.kind().to_string(),
            }),
        );
    }
    summary
}

/// The outcome and a failure's message are compared only where they are expected.
fn check(name: &str, expected: &Value, result: &Result<Completion, Failure>) {
    let mut summary = summary(result);
    for optional in ["outcome", "message"] {
        if expected.get(optional).is_none() {
            summary.remove(optional);
        }
    }
    let mut expected = expected.as_object().unwrap().clone();
    expected.remove("http");
    assert_eq!(
        Value::from(summary),
        Value::from(expected),
        "{name}: {result:?}"
    );
    if let Err(failure) = result
        && let Some(partial) = failure.completion()
    {
        assert!(partial.parse_json().is_err(), "{name}");
    }
}

/// Name, what is expected, and the bytes of each fixture of a folder.
fn fixtures(name: &str, extension: &str) -> Vec<(String, Value, Vec<u8>)> {
    let folder = folder(name);
    let expected: Map<String, Value> =
        serde_json::from_slice(&fs::read(folder.join("expected.json")).unwrap()).unwrap();
    let files = fs::read_dir(&folder).unwrap().count();
    assert_eq!(
        files,
        expected.len() + 1,
        "{name}: a file without expectations"
    );
    expected
        .into_iter()
        .map(|(name, expected)| {
            let bytes = fs::read(folder.join(format!("{name}.{extension}"))).unwrap();
            (name, expected, bytes)
        })
        .collect()
}

#[test]
fn streams() {
    for (name, expected, bytes) in fixtures("streams", "sse") {
        for fragment in [1, 2, 3, 7, 61, usize::MAX] {
            check(&name, &expected, &fold(&bytes, fragment));
        }
        // A stream is recognised as one where a body was asked for, if there is anything in it.
        if bytes.is_empty()
            || bytes.starts_with(
                b"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"},\"safe",
            )
        {
            continue;
        }
        let read = read_response(200, &bytes).map(|received| received.completion);
        check(&name, &expected, &read);
    }
}

/// What real servers sent to requests of ours.
#[test]
fn recorded() {
    for (name, kind) in [
        ("llama-server", None),
        ("llama-server-tools", None),
        ("vllm", None),
        // It ends with [DONE] all the same: a newer request had taken its place.
        (
            "llama-cpp-python-interrupted",
            Some(FailureKind::Interrupted),
        ),
        ("vllm-killed", Some(FailureKind::ProviderUnavailable)),
        // The proxy lost the finish reason of the second choice.
        ("litellm-two-choices", Some(FailureKind::Interrupted)),
    ] {
        let bytes = fs::read(folder("recorded").join(format!("{name}.sse"))).unwrap();
        for fragment in [1, 100, usize::MAX] {
            let read = fold(&bytes, fragment);
            assert_eq!(read.as_ref().err().map(Failure::kind), kind, "{name}");
            let completion = match &read {
                Ok(completion) => completion,
                Err(failure) => failure.completion().unwrap(),
            };
            assert_eq!(completion.outcome().is_ok(), kind.is_none(), "{name}");
            assert!(completion.model.is_some(), "{name}");
        }
    }
}

#[test]
fn bodies() {
    for (name, expected, bytes) in fixtures("bodies", "body") {
        let status = u16::try_from(expected["http"].as_u64().unwrap()).unwrap();
        let read = read_response(status, &bytes).map(|received| received.completion);
        check(&name, &expected, &read);
        // No prefix of a body is a completion.
        if read.is_ok() && !tamis_wire::is_event_stream(&bytes) {
            for end in 0..bytes.len() {
                assert!(read_response(200, &bytes[..end]).is_err(), "{name} {end}");
            }
        }
    }
}

#[test]
fn what_was_put_right_is_on_record() {
    let stream = |name: &str| fs::read(folder("streams").join(name)).unwrap();
    for (name, kind) in [
        ("lone_surrogate.sse", NoteKind::LoneSurrogate),
        ("bytes_that_are_not_utf8.sse", NoteKind::InvalidUtf8),
        ("minus_infinity.sse", NoteKind::NonFiniteNumber),
    ] {
        let mut reader = StreamReader::new();
        reader.feed(&stream(name), |_| {});
        let kinds: Vec<_> = reader
            .mended()
            .iter()
            .map(|(event, note)| (*event, note.kind))
            .collect();
        assert_eq!(kinds, [(1, kind)], "{name}");
    }
    let received = read_response(
        200,
        &fs::read(folder("bodies").join("minus_infinity.body")).unwrap(),
    );
    assert_eq!(received.unwrap().mended[0].kind, NoteKind::NonFiniteNumber);

    let cumulative = fold(&stream("cumulative.sse"), usize::MAX).unwrap();
    assert_eq!(cumulative.fold_notes(), [FoldNote::CumulativeText]);
    assert_eq!(
        fold(&stream("openai_habits.sse"), 9).unwrap().fold_notes(),
        []
    );
}

#[test]
fn the_text_so_far_can_be_read_at_any_time() {
    let bytes = fs::read(folder("streams").join("crlf.sse")).unwrap();
    let mut reader = StreamReader::new();
    assert_eq!(reader.fold().text(), None);
    reader.feed(&bytes[..bytes.len() / 2], |_| {});
    assert_eq!(reader.fold().text().as_deref(), Some("a"));
    assert!(!reader.is_finished() && !reader.is_done());
    reader.feed(&bytes[bytes.len() / 2..], |_| {});
    assert!(reader.is_finished() && reader.is_done());
}

#[test]
fn a_replay_is_left_out_where_asked_and_never_when_short() {
    let long = "The quick brown fox jumps over the lazy dog, and then it does so once more. ";
    for (text, guarded) in [
        (long, long.to_owned() + "End"),
        ("One ", "One One End".to_owned()),
    ] {
        let event = |text: &str| {
            format!(
                "data: {}\n\n",
                json!({"choices": [{"delta": {"content": text}}]})
            )
        };
        let end = "data: {\"choices\":[{\"delta\":{\"content\":\"End\"},\"finish_reason\":\"stop\"}]}\n\n";
        let bytes = event(text) + &event(text) + end;
        let mut reader = StreamReader::with(1 << 20, Fold::new().replay_guard(true));
        reader.feed(bytes.as_bytes(), |_| {});
        let completion = reader.finish(|_| {}).unwrap();
        assert_eq!(completion.text().unwrap(), guarded);
        let plain = fold(bytes.as_bytes(), usize::MAX).unwrap();
        assert_eq!(plain.text().unwrap(), format!("{text}{text}End"));
    }
}

#[test]
fn a_server_that_never_says_so_may_be_believed_where_asked() {
    let read = |name: &str| {
        let bytes = fs::read(folder("streams").join(name)).unwrap();
        let mut reader = StreamReader::with(1 << 20, Fold::new().allow_missing_finish(true));
        reader.feed(&bytes, |_| {});
        reader.finish(|_| {})
    };
    for name in [
        "no_finish_reason.sse",
        "neither.sse",
        "finish_reason_blank_to_the_end.sse",
    ] {
        let completion = read(name).unwrap();
        assert!(completion.is_unconfirmed() && completion.is_finished());
        assert_eq!(completion.finish_reason(), None);
    }
    assert!(!read("openai_habits.sse").unwrap().is_unconfirmed());
    for name in [
        "nothing_at_all.sse",
        "end_marker_alone.sse",
        "cut_inside_an_event.sse",
        "cut_inside_a_character.sse",
        "error_midway.sse",
        "error_without_a_word.sse",
        "comment_inside_an_event.sse",
    ] {
        assert!(read(name).is_err(), "{name}");
    }
}
