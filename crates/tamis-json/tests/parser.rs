//! The strict parser: as `serde_json` decides, as jiter shows, however the text is cut.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::format_push_string,
    reason = "tests may fail loudly, and share helpers that each uses a part of"
)]

#[path = "common/gen.rs"]
mod generate;
#[path = "common/same.rs"]
mod same;

use generate::{cut, cuts, nearly, printed};
use jiter::{JsonValue, PartialMode};
use proptest::prelude::*;
use same::same;
use serde_json::{Value, json};
use tamis_json::{Document, Event, Limits, NoteKind, ParseError, ParseErrorKind, Parser, Partial};

/// What a parser tells, with the deltas of one string joined.
#[derive(Debug, Default, PartialEq)]
struct Told(Vec<(String, String)>);

impl Told {
    fn tell(&mut self, at: String, event: Event<'_>) {
        if let (Event::StringDelta(delta), Some((last_at, last))) = (event, self.0.last_mut())
            && *last_at == at
            && last.starts_with("delta ")
        {
            last.push_str(delta);
            return;
        }
        let event = match event {
            Event::StringDelta(delta) => format!("delta {delta}"),
            other => format!("{other:?}"),
        };
        self.0.push((at, event));
    }
}

fn read(parts: &[&[u8]]) -> (Told, Result<Document, ParseError>) {
    let mut parser = Parser::new();
    let mut told = Told::default();
    for part in parts {
        if let Err(error) = parser.push_with(part, |at, event| told.tell(at.to_string(), event)) {
            return (told, Err(error));
        }
    }
    let result = parser.finish_with(|at, event| told.tell(at.to_string(), event));
    (told, result)
}

fn parse(text: &str) -> Result<Document, ParseError> {
    read(&[text.as_bytes()]).1
}

fn from_jiter(value: &JsonValue<'_>) -> Value {
    match value {
        JsonValue::Null => Value::Null,
        JsonValue::Bool(b) => json!(b),
        JsonValue::Int(n) => json!(n),
        JsonValue::Float(n) => json!(n),
        JsonValue::Str(text) => json!(text),
        JsonValue::Array(items) => items.iter().map(from_jiter).collect(),
        JsonValue::Object(members) => members
            .iter()
            .map(|(key, value)| (key.to_string(), from_jiter(value)))
            .collect(),
    }
}

/// Whether a text holds an integer that jiter, built without big integers, refuses.
fn beyond_i64(value: &Value) -> bool {
    match value {
        Value::Number(n) => n.is_u64() && !n.is_i64(),
        Value::Array(items) => items.iter().any(beyond_i64),
        Value::Object(map) => map.values().any(beyond_i64),
        Value::String(text) => text.len() > 18 && text.bytes().all(|b| b.is_ascii_digit()),
        _ => false,
    }
}

fn agrees_with_jiter(text: &str) -> Result<(), TestCaseError> {
    for end in 0..=text.len() {
        let prefix = &text.as_bytes()[..end];
        for (mode, theirs) in [
            (Partial::Values, PartialMode::On),
            (Partial::TrailingStrings, PartialMode::TrailingStrings),
        ] {
            let mut parser = Parser::new();
            parser.push(prefix).unwrap();
            let ours = parser.snapshot(mode).cloned();
            if ours.as_ref().is_some_and(beyond_i64) {
                continue;
            }
            let theirs = JsonValue::parse_with_config(prefix, true, theirs).ok();
            match (&ours, theirs.as_ref().map(from_jiter)) {
                (None, None) => {}
                (Some(ours), Some(theirs)) if same(ours, &theirs) => {}
                (_, theirs) => {
                    return Err(TestCaseError::fail(format!(
                        "{mode:?} of {}: {ours:?}, jiter {theirs:?}",
                        prefix.escape_ascii()
                    )));
                }
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn valid_json_is_read_as_serde_json_reads_it(text in printed()) {
        let expected: Value = serde_json::from_str(&text).unwrap();
        let read = parse(&text).unwrap();
        prop_assert_eq!(read.value, expected);
    }

    #[test]
    fn what_serde_json_refuses_is_refused(text in nearly()) {
        let ours = parse(&text);
        match serde_json::from_str::<Value>(&text) {
            Ok(value) => {
                let ours = ours.unwrap();
                // Numbers that serde_json rounds are kept as text.
                if ours.notes.iter().all(|note| note.kind != NoteKind::NumberAsText) {
                    prop_assert_eq!(ours.value, value);
                }
            }
            // The two documented additions.
            Err(_) if ours.as_ref().is_ok_and(|d| !d.notes.is_empty()) => {}
            Err(_) => prop_assert!(ours.is_err(), "{:?}", ours),
        }
    }

    #[test]
    fn cutting_the_text_changes_nothing(text in prop_oneof![printed(), nearly()], cuts in cuts()) {
        let whole = read(&[text.as_bytes()]);
        let (told, result) = read(&cut(text.as_bytes(), &cuts));
        prop_assert_eq!(&result, &whole.1);
        if result.is_ok() {
            prop_assert_eq!(told, whole.0);
        }
    }

    #[test]
    fn snapshots_change_nothing(text in printed(), cuts in cuts(), modes in prop::collection::vec(0_u8..4, 13)) {
        let mut parser = Parser::new();
        for (part, mode) in cut(text.as_bytes(), &cuts).iter().zip(modes) {
            parser.push(part).unwrap();
            match mode {
                0 => parser.snapshot(Partial::Settled),
                1 => parser.snapshot(Partial::Values),
                2 => parser.snapshot(Partial::TrailingStrings),
                _ => None,
            };
        }
        prop_assert_eq!(parser.finish().unwrap(), parse(&text).unwrap());
    }

    #[test]
    fn a_snapshot_does_not_depend_on_those_before(text in printed(), end in any::<prop::sample::Index>()) {
        let end = end.index(text.len() + 1);
        for mode in [Partial::Settled, Partial::Values, Partial::TrailingStrings] {
            let mut fresh = Parser::new();
            fresh.push(&text.as_bytes()[..end]).unwrap();
            let mut used = Parser::new();
            for (i, byte) in text.as_bytes()[..end].iter().enumerate() {
                used.push(&[*byte]).unwrap();
                used.snapshot([Partial::TrailingStrings, Partial::Settled, Partial::Values][i % 3]);
            }
            prop_assert_eq!(fresh.snapshot(mode), used.snapshot(mode));
        }
    }

    #[test]
    fn snapshots_are_jiters(text in printed()) {
        agrees_with_jiter(&text)?;
    }

    #[test]
    fn what_is_complete_stays(text in printed()) {
        let mut parser = Parser::new();
        let mut complete = Vec::new();
        for byte in text.as_bytes() {
            parser.push_with(&[*byte], |at, event| {
                if let Event::Complete(value) = event {
                    complete.push((at.pointer(), value.clone()));
                }
            }).unwrap();
            for (pointer, value) in &complete {
                // A key that comes twice has its second value.
                if parser.notes().is_empty() {
                    prop_assert!(parser.is_complete(pointer), "{pointer} of {text}");
                    let shown = parser.snapshot(Partial::Settled);
                    prop_assert_eq!(shown.and_then(|shown| pointer.resolve(shown)), Some(value));
                }
            }
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..40), cuts in cuts()) {
        let whole = read(&[&bytes]).1;
        let parts = read(&cut(&bytes, &cuts)).1;
        prop_assert_eq!(whole.is_ok(), parts.is_ok());
        prop_assert_eq!(whole.is_ok(), serde_json::from_slice::<Value>(&bytes).is_ok() || whole.is_ok_and(|d| !d.notes.is_empty()));
    }
}

#[test]
fn a_value_is_not_complete_before_its_end() {
    let text = r#"{"a": [1, {"b": "x"}], "c": 12}"#;
    let mut parser = Parser::new();
    let at = |pointer: &str| pointer.parse().unwrap();
    for (byte, incomplete, complete) in [
        (8, vec!["/a", "/a/0", ""], vec![]),
        (9, vec!["/a"], vec!["/a/0"]),
        (18, vec!["/a", "/a/1", "/a/1/b"], vec!["/a/0"]),
        (19, vec!["/a", "/a/1"], vec!["/a/1/b"]),
        (20, vec!["/a", "", "/a/2"], vec!["/a/1", "/a/1/b"]),
        (21, vec!["", "/c"], vec!["/a", "/a/1/b"]),
        (30, vec!["", "/c"], vec!["/a"]),
        (31, vec!["/d"], vec!["", "/a", "/c"]),
    ] {
        let pushed = parser.offset();
        parser.push(&text.as_bytes()[pushed..byte]).unwrap();
        for pointer in incomplete {
            assert!(!parser.is_complete(&at(pointer)), "{pointer} after {byte}");
        }
        for pointer in complete {
            assert!(parser.is_complete(&at(pointer)), "{pointer} after {byte}");
        }
    }
}

#[test]
fn a_settled_snapshot_never_takes_back_what_it_showed() {
    let text = r#"{"float": 1.0, "text": "abc", "list": [10, 20, 3]}"#;
    let mut parser = Parser::new();
    let mut shown = 0;
    for byte in text.bytes() {
        parser.push(&[byte]).unwrap();
        let now = parser
            .snapshot(Partial::Settled)
            .map_or(0, |v| v.to_string().len());
        assert!(now >= shown);
        shown = now;
    }
}

#[test]
fn odd_documents_have_a_documented_result() {
    assert_eq!(parse("-0").unwrap().value, json!(-0.0));
    for (text, kept) in [
        ("1e400", "1e400"),
        ("[-1e-400]", "-1e-400"),
        ("123456789012345678901", "123456789012345678901"),
    ] {
        let read = parse(text).unwrap();
        assert_eq!(read.notes[0].kind, NoteKind::NumberAsText, "{text}");
        assert!(
            read.value.to_string().contains(&format!("\"{kept}\"")),
            "{text}"
        );
    }
    assert_eq!(
        parse("2512292042121000001").unwrap().value,
        json!(2_512_292_042_121_000_001_u64)
    );

    let read = parse(r#"{"a": 1, "b": {"k": 1, "k": 2}, "a": 3}"#).unwrap();
    assert_eq!(read.value.to_string(), r#"{"a":3,"b":{"k":2}}"#);
    let notes: Vec<_> = read
        .notes
        .iter()
        .map(|n| (n.offset, n.length, n.pointer.clone().unwrap().to_string()))
        .collect();
    assert_eq!(
        notes,
        [(23, 3, "/b/k".to_owned()), (32, 3, "/a".to_owned())]
    );

    let read = parse(r#"["\ud800", "x\udc00y", "\ud83d\ud83d\ude00", "\ud800\n"]"#).unwrap();
    assert_eq!(
        read.value,
        json!(["\u{fffd}", "x\u{fffd}y", "\u{fffd}😀", "\u{fffd}\n"])
    );
    assert_eq!(read.notes.len(), 4);
    assert_eq!((read.notes[1].offset, read.notes[1].length), (13, 6));

    let deep = "[".repeat(5_000);
    let error = parse(&deep).unwrap_err();
    assert_eq!(
        (error.kind(), error.offset()),
        (ParseErrorKind::TooDeep, 128)
    );
    let mut parser = Parser::with_limits(Limits::default().depth(5_000));
    let error = parser.push(deep.as_bytes()).unwrap_err();
    assert_eq!(error.offset(), Limits::DEEPEST);

    for text in [
        "\u{feff}{}",
        "1\0",
        "\"a\0b\"",
        "",
        " ",
        "{",
        "tru",
        "\"a",
        "[1",
        "nul",
    ] {
        assert!(parse(text).is_err(), "{text:?}");
    }
    assert!(parse("[1").unwrap_err().is_incomplete());
    let mut small = Parser::with_limits(Limits::default().bytes(4));
    small.push(b"[1,").unwrap();
    assert_eq!(
        small.push(b"2]").unwrap_err().kind(),
        ParseErrorKind::TooLarge
    );
    assert_eq!(
        small.push(b"").unwrap_err().kind(),
        ParseErrorKind::TooLarge
    );
}

#[test]
fn a_fault_keeps_what_came_before() {
    let mut parser = Parser::new();
    let error = parser.push(br#"{"a": 1, "b": x}"#).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ParseErrorKind::Syntax, 14));
    assert_eq!(parser.snapshot(Partial::Values), Some(&json!({"a": 1})));
    assert_eq!(parser.finish().unwrap_err(), error);
}
