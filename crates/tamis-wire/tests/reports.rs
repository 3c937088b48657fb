//! Conditions that people reported in public, each with the behaviour that is right for it.
//!
//! Reads `cases/reports.jsonl` under `TAMIS_SHARED`, or `shared` beside the checkout, and passes
//! where there is none. Every row is either decided here or named as another crate's.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test may fail loudly, and says what it skips"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};
use tamis_wire::mend::NoteKind;
use tamis_wire::{
    Completion, Failure, FailureKind, FinishReason, Fold, FoldNote, Item, Outcome, StreamReader,
    read_response,
};

type Read = Result<Completion, Failure>;

/// What a row must read as.
enum Expected {
    Text(&'static str),
    Calls(&'static [(&'static str, &'static str, &'static str)]),
    Refusal(&'static str),
    /// Cut off: incomplete as an outcome, `ContextLength` as JSON.
    CutOff,
    /// Nothing in it, and no answer made of what is elsewhere.
    Empty,
    /// A failure, its message and status.
    Fails(FailureKind, &'static str, Option<u16>),
}

use Expected::{Calls, CutOff, Empty, Fails, Refusal, Text};
use FailureKind::{
    Authentication, Interrupted, InvalidRequest, Malformed, ProviderUnavailable, RateLimited,
};

const TABLE: &[(&str, &[Expected])] = &[
    ("br011", &[Text("*")]),
    ("br012", &[Calls(&[("c1", "get", " {\"a\":1}")])]),
    (
        "br014",
        &[Calls(&[("c1", "w", "{\"location\": \"Oslo\"}")])],
    ),
    ("br016", &[CutOff]),
    ("br018", &[Text("hi")]),
    ("br020", &[Calls(&[("c1", "f", "{\"a\":1}")])]),
    (
        "br021",
        &[Calls(&[("a", "f", "{\"x\":1}"), ("b", "g", "{\"y\":2}")])],
    ),
    (
        "br023",
        &[Calls(&[
            ("a", "get_weather", "{\"city\":\"Paris\"}"),
            ("b", "get_time", "{\"tz\":\"JST\"}"),
        ])],
    ),
    (
        "br024",
        &[Calls(&[
            ("a", "search", "{\"query\": \"Emma Bull\"}"),
            ("b", "search", "{\"query\": \"Virginia Woolf\"}"),
        ])],
    ),
    (
        "br025",
        &[Calls(&[
            ("a", "add_numbers", "{\"a\":2,\"b\":2}"),
            (
                "b",
                "get_weather",
                "{\"location\":\"Tokyo\",\"unit\":\"celsius\"}",
            ),
        ])],
    ),
    ("br028", &[Calls(&[("a", "f", "{\"k\":1}")])]),
    // Both documents stay, so that whoever reads the arguments as JSON sees that there are two.
    (
        "br029",
        &[Calls(&[(
            "call_1",
            "search_games",
            "{\"query\":\"tigers game time today\"}{\"city\":\"Detroit\"}",
        )])],
    ),
    ("br030", &[Calls(&[("a", "get_weather", "{}")])]),
    (
        "br040",
        &[Calls(&[("toolu_1", "find_education_content", "{}")])],
    ),
    ("br041", &[Calls(&[("t", "ping", "{}")])]),
    ("br042", &[Empty]),
    ("br043", &[Empty]),
    (
        "br048",
        &[Fails(
            ProviderUnavailable,
            "Worker local total request limit reached (33/32)",
            Some(502),
        )],
    ),
    (
        "br049",
        &[Fails(ProviderUnavailable, "Provider disconnected", None)],
    ),
    (
        "br051",
        &[Fails(ProviderUnavailable, "quota exceeded", None)],
    ),
    ("br053", &[CutOff]),
    ("br055", &[Fails(Interrupted, "", None)]),
    ("br056", &[Fails(Interrupted, "", None)]),
    ("br057", &[Text("hi")]),
    ("br058", &[Text("a")]),
    ("br064", &[Text("a")]),
    ("br065", &[Fails(Malformed, "event 1 of the stream", None)]),
    ("br066", &[Text("a")]),
    (
        "br075",
        &[Fails(Malformed, "the body holds no choices", None)],
    ),
    ("br077", &[Fails(RateLimited, "rate limit", Some(429))]),
    (
        "br079",
        &[Fails(
            ProviderUnavailable,
            "Internal Server Error",
            Some(500),
        )],
    ),
    ("br090", &[Calls(&[("c", "f", "{}")])]),
    (
        "br092",
        &[
            Text("你好 🙂"),
            Text("你好 🙂"),
            Text("你好 🙂"),
            Text("你好 🙂"),
            Text("你好 🙂"),
        ],
    ),
    ("br094", &[Fails(Interrupted, "", None)]),
    ("br095", &[Text("\u{fffd}\u{fffd}ok")]),
    (
        "br107",
        &[Fails(
            Malformed,
            "the body is a web page, not an API response: Just a moment...",
            None,
        )],
    ),
    (
        "br108",
        &[Fails(ProviderUnavailable, "502 Bad Gateway", Some(502))],
    ),
    (
        "br109",
        &[Fails(
            ProviderUnavailable,
            "Error 524: A timeout occurred: The origin took too long",
            Some(524),
        )],
    ),
    (
        "br121",
        &[Fails(
            InvalidRequest,
            "Provider returned error: Invalid schema",
            Some(400),
        )],
    ),
    (
        "br127",
        &[Fails(
            InvalidRequest,
            "No endpoints found that support",
            Some(404),
        )],
    ),
    ("br129", &[Text("a")]),
    ("br131", &[Calls(&[("function-call-1", "f", "{\"a\":1}")])]),
    ("br132", &[Text("a")]),
    ("br133", &[Text("A")]),
    ("br135", &[Text("hi")]),
    ("br136", &[Text("{\"a\": [1, 2]}")]),
    // Without the guard, which is tested below.
    ("br138", &[Text("The answer is 4The answer is 42")]),
    ("br139", &[Text("ab")]),
    (
        "br150",
        &[Refusal("I'm sorry, I can't assist with that request.")],
    ),
    ("br151", &[Refusal("I'm sorry")]),
    (
        "br153",
        &[Fails(Malformed, "Tool choice is required", Some(400))],
    ),
    (
        "br154",
        &[
            Fails(Authentication, "Invalid API Key", Some(401)),
            Fails(InvalidRequest, "Invalid model: x", Some(400)),
            Fails(InvalidRequest, "body.messages: Field required", Some(422)),
        ],
    ),
    (
        "br156",
        &[Fails(
            InvalidRequest,
            "Validation: Temperature must be between 0 and 2, got 100",
            Some(400),
        )],
    ),
    ("br161", &[Text("{\"answer\": 4}")]),
    ("br162", &[Text("ok")]),
    ("br164", &[Calls(&[("c1", "f", "{\"a\":1}")])]),
    ("br166", &[Calls(&[("call_9", "f", "{\"a\":1}")])]),
    (
        "br167",
        &[Calls(&[(
            "c",
            "query",
            "{\"snowflake\": 2512292042121000001}",
        )])],
    ),
    ("br171", &[Text("caf\u{fffd}")]),
    (
        "br181",
        &[Fails(
            InvalidRequest,
            "This response_format type is unavailable now",
            Some(400),
        )],
    ),
    ("br200", &[Text("a")]),
    ("br202", &[Text("ok")]),
    ("br203", &[Text("a")]),
    ("br205", &[Text("{\"ok\":true}")]),
];

fn rows() -> Option<BTreeMap<String, Value>> {
    let root = std::env::var_os("TAMIS_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let Ok(text) = fs::read_to_string(root.join("cases/reports.jsonl")) else {
        eprintln!("skipped: no shared folder");
        return None;
    };
    let rows = text.lines().map(|line| {
        let row: Value = serde_json::from_str(line).unwrap();
        (row["id"].as_str().unwrap().to_owned(), row)
    });
    Some(rows.collect())
}

fn stream(fragments: &[&[u8]]) -> Read {
    let mut reader = StreamReader::new();
    for fragment in fragments {
        reader.feed(fragment, |_| {});
    }
    reader.finish(|_| {})
}

fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text
        .chars()
        .map(|digit| u8::try_from(digit.to_digit(16).unwrap()).unwrap())
        .collect();
    digits
        .chunks(2)
        .map(|pair| pair[0] << 4 | pair[1])
        .collect()
}

fn body(status: &Value, body: &[u8]) -> Read {
    let status = u16::try_from(status.as_u64().unwrap_or(200)).unwrap();
    read_response(status, body).map(|received| received.completion)
}

/// Reads a row's input, whichever form it has.
fn read(input: &Value) -> Vec<Read> {
    match input {
        Value::Array(items) => items.iter().flat_map(read).collect(),
        Value::String(text) if text.starts_with('{') => vec![body(&Value::Null, text.as_bytes())],
        Value::String(text) => vec![stream(&[text.as_bytes()])],
        Value::Object(fields) => {
            if let Some(calls) = fields.get("tool_calls") {
                let message = json!({"tool_calls": calls});
                let whole =
                    json!({"choices": [{"finish_reason": "tool_calls", "message": message}]});
                return vec![body(&Value::Null, whole.to_string().as_bytes())];
            }
            if let Some(text) = fields.get("sse") {
                let bytes = text.as_str().unwrap().as_bytes();
                let places = fields["split_at_bytes"].as_array().unwrap().iter();
                let places = places.map(|place| usize::try_from(place.as_u64().unwrap()).unwrap());
                return places
                    .map(|place| stream(&[&bytes[..place], &bytes[place..]]))
                    .collect();
            }
            if let Some(text) = fields.get("sse_hex") {
                return vec![stream(&[&hex(text.as_str().unwrap())])];
            }
            let status = fields.get("http_status").unwrap_or(&Value::Null);
            let text = match (fields.get("body_text"), fields.get("body")) {
                (Some(text), _) => text.as_str().unwrap().to_owned(),
                (None, Some(value)) => value.to_string(),
                (None, None) => input.to_string(),
            };
            vec![body(status, text.as_bytes())]
        }
        _ => Vec::new(),
    }
}

fn check(id: &str, read: &Read, expected: &Expected) {
    if let Fails(kind, message, status) = expected {
        let failure = read.as_ref().unwrap_err();
        assert_eq!(failure.kind(), *kind, "{id}: {failure}");
        assert!(failure.message().starts_with(message), "{id}: {failure}");
        assert_eq!(failure.status(), *status, "{id}");
        let partial = failure.completion();
        assert!(
            partial
                .is_none_or(|partial| partial.parse_json().is_err() && partial.outcome().is_err())
        );
        return;
    }
    let completion = read
        .as_ref()
        .unwrap_or_else(|failure| unreachable_row(id, failure));
    let outcome = completion.outcome();
    let parsed = completion.parse_json().map(|repaired| repaired.value);
    match expected {
        Text(text) => {
            assert_eq!(outcome.unwrap(), Outcome::Text((*text).to_owned()), "{id}");
            let value: Option<Value> = serde_json::from_str(text).ok();
            assert_eq!(parsed.ok(), value, "{id}");
        }
        Calls(expected) => {
            let Ok(Outcome::ToolCalls(calls)) = outcome else {
                return assert!(outcome.is_ok(), "{id}: {outcome:?} is no call");
            };
            let calls: Vec<_> = calls
                .iter()
                .map(|call| {
                    let function = &call.function;
                    (
                        call.id.as_deref().unwrap_or_default(),
                        function.name.as_str(),
                        function.arguments.text_or_empty_object(),
                    )
                })
                .collect();
            assert_eq!(calls, *expected, "{id}");
            assert!(parsed.is_err(), "{id}");
        }
        Refusal(text) => {
            assert_eq!(
                outcome.unwrap(),
                Outcome::Refusal((*text).to_owned()),
                "{id}"
            );
            assert_eq!(
                parsed.unwrap_err().kind(),
                FailureKind::ContentPolicy,
                "{id}"
            );
        }
        CutOff => {
            assert_eq!(
                outcome.unwrap(),
                Outcome::Incomplete(FinishReason::Length),
                "{id}"
            );
            assert_eq!(
                parsed.unwrap_err().kind(),
                FailureKind::ContextLength,
                "{id}"
            );
        }
        Empty => {
            assert_eq!(outcome.unwrap_err().kind(), Malformed, "{id}");
            assert_eq!(
                parsed.unwrap_err().message(),
                "the message holds no content",
                "{id}"
            );
        }
        Fails(..) => {}
    }
}

#[expect(clippy::panic, reason = "says which row")]
fn unreachable_row(id: &str, failure: &Failure) -> &'static Completion {
    panic!("{id}: {failure}")
}

#[test]
fn every_row_reads_as_it_should() {
    let Some(mut rows) = rows() else { return };
    for (id, expected) in TABLE {
        let row = rows.remove(*id).unwrap();
        let read = read(&row["input"]);
        assert_eq!(read.len(), expected.len(), "{id}");
        for (read, expected) in read.iter().zip(*expected) {
            check(id, read, expected);
        }
    }
    // Checked below, by more than what they read as.
    for id in ["br176", "br179"] {
        rows.remove(id).unwrap();
    }
    let mut later: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (id, row) in &rows {
        let category = row["category"].as_str().unwrap().split('/').next().unwrap();
        later.entry(category).or_default().push(id);
    }
    eprintln!(
        "{} rows are covered; other crates' are {later:#?}",
        TABLE.len() + 2
    );
    // What is left is about schemas, the model's own text, or the network.
    for category in later.keys() {
        let others = [
            "healing",
            "json",
            "leak",
            "numbers",
            "partial",
            "retry-after",
            "runaway",
            "schema",
            "structured-output",
            "timeout",
            "tool_calls",
            "unicode",
        ];
        assert!(others.contains(category), "{category}");
    }
}

#[test]
fn what_more_some_rows_ask_for() {
    let Some(rows) = rows() else { return };
    let only = |id: &str| read(&rows[id]["input"]).remove(0);

    // The error that explains a cut is kept, and so is its usage.
    let cut = only("br053").unwrap();
    assert_eq!(cut.error.as_ref().unwrap().message, "Token limit reached");
    assert_eq!(cut.usage.unwrap().total_tokens, Some(53));
    assert_eq!(cut.choices[0].finish_reason, Some(FinishReason::Length));

    let problem = only("br109").unwrap_err();
    assert_eq!(problem.retry_after(), Some(Duration::from_mins(2)));
    assert!(only("br048").unwrap_err().is_transient() && only("br153").unwrap_err().is_transient());
    assert!(!only("br121").unwrap_err().is_transient());

    assert_eq!(
        only("br012").unwrap().fold_notes(),
        [FoldNote::ToolCallsInferred]
    );
    assert_eq!(
        only("br136").unwrap().fold_notes(),
        [FoldNote::CumulativeText]
    );
    assert_eq!(
        only("br018").unwrap().finish_reason().unwrap().as_str(),
        "eos"
    );
    assert_eq!(only("br129").unwrap().usage, None);
    assert_eq!(only("br139").unwrap().usage.unwrap().total_tokens, Some(5));
    let usage = only("br066").unwrap().usage.unwrap();
    assert_eq!(
        (
            usage.prompt_tokens,
            usage.completion_tokens,
            usage.total_tokens
        ),
        (Some(611), Some(13), Some(624))
    );
    assert_eq!(
        only("br161").unwrap().reasoning().unwrap(),
        "Let me see {\"draft\":1}"
    );
    assert_eq!(
        only("br042").unwrap().reasoning().unwrap(),
        "{\"fun_fact\":\"rings\",\"moons\":146,\"name\":\"Saturn\"}"
    );
    let created = only("br133").unwrap().created.unwrap();
    assert_eq!(created.as_f64(), Some(1_744_857_525.254_391));

    // What was mended is on record.
    let mut reader = StreamReader::new();
    reader.feed(rows["br171"]["input"].as_str().unwrap().as_bytes(), |_| {});
    assert_eq!(reader.mended()[0].1.kind, NoteKind::LoneSurrogate);
    let mut reader = StreamReader::new();
    reader.feed(
        &hex(rows["br094"]["input"]["sse_hex"].as_str().unwrap()),
        |_| {},
    );
    assert_eq!(reader.fold().text().unwrap(), "a\u{fffd}b");
    let body = rows["br205"]["input"].as_str().unwrap();
    assert_eq!(
        read_response(200, body.as_bytes()).unwrap().mended[0].kind,
        NoteKind::NonFiniteNumber
    );

    // The guard is the caller's choice.
    let mut reader = StreamReader::with(1 << 20, Fold::new().replay_guard(true));
    reader.feed(rows["br138"]["input"].as_str().unwrap().as_bytes(), |_| {});
    let guarded = reader.finish(|_| {}).unwrap();
    assert_eq!(guarded.text().unwrap(), "The answer is 42");
    assert_eq!(guarded.fold_notes(), [FoldNote::ReplayDropped]);
}

/// Comments and a role alone say that the server lives, and nothing of an answer.
#[test]
fn signs_of_life_are_no_progress() {
    let Some(rows) = rows() else { return };
    for id in ["br176", "br179"] {
        let mut seen = 0;
        for step in rows[id]["input"]["sse_script"].as_array().unwrap() {
            let Some(text) = step["send"].as_str() else {
                continue;
            };
            StreamReader::new().feed(text.as_bytes(), |item| {
                seen += 1;
                match item {
                    Item::KeepAlive => {}
                    Item::Chunk(chunk) => assert!(!chunk.is_meaningful(), "{id}"),
                    other => assert!(matches!(other, Item::KeepAlive), "{id}"),
                }
            });
        }
        assert!(seen > 0);
    }
}
