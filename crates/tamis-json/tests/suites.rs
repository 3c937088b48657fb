//! The shared suites: what independent libraries agree on, row by row.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests may fail loudly"
)]

#[path = "common/rows.rs"]
mod rows;
#[path = "common/same.rs"]
mod same;

use rows::{input, rows};
use same::same;
use serde_json::{Value, json};
use tamis_json::{Parser, Partial, Policy, RepairKind, Repairer, repair};

/// Runs a suite of texts to repair: every row that libraries agree on gives their value, and every
/// row that they refuse is refused.
fn repairs(file: &str) {
    let Some(rows) = rows(file) else { return };
    let mut failures = Vec::new();
    for row in &rows {
        let Some(text) = row["input"].as_str() else {
            continue;
        };
        let got = repair(text, &Policy::default());
        let line = format!(
            "{} {text:.200?}\n  wanted {}\n  got    {got:?}",
            row["id"], row["expected"]
        );
        let options_only = row["notes"].as_str().is_some_and(|n| n.contains("mode="));
        match row["consensus"].as_bool() {
            Some(true)
                if !got
                    .as_ref()
                    .is_ok_and(|got| same(&got.value, &row["expected"])) =>
            {
                failures.push(line);
            }
            None if got.is_ok() && !options_only && row.get("consensus").is_some() => {
                failures.push(line);
            }
            Some(false) => eprintln!("no consensus: {line}"),
            _ => {}
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {}:\n{}",
        failures.len(),
        rows.len(),
        failures.join("\n")
    );
}

#[test]
fn json_repair() {
    repairs("suites/json_repair.jsonl");
}

#[test]
fn jsonrepair_js() {
    repairs("suites/jsonrepair_js.jsonl");
}

#[test]
fn langchain_json() {
    repairs("suites/langchain_json.jsonl");
}

#[test]
fn vercel_fix_json() {
    repairs("suites/vercel_fix_json.jsonl");
}

#[test]
fn untruncate_json() {
    repairs("suites/untruncate_json.jsonl");
}

#[test]
fn nst() {
    let Some(rows) = rows("suites/nst.jsonl") else {
        return;
    };
    for row in &rows {
        let Some(bytes) = input(row) else { continue };
        let mut parser = Parser::new();
        let got = parser.push(&bytes).and_then(|()| parser.finish());
        match row["verdict"].as_str().expect("a verdict") {
            "accept" => {
                let value = got.unwrap_or_else(|e| panic!("{}: {e}", row["id"])).value;
                assert!(same(&value, &row["expected"]), "{}: {value}", row["id"]);
            }
            "reject" => assert!(got.is_err(), "{}", row["id"]),
            _ => {}
        }
        // And nothing that is mended panics or hangs.
        let mut repairer = Repairer::new(Policy::default());
        let _ = repairer.push(&bytes).map(|()| repairer.finish().is_ok());
    }
}

#[test]
fn jiter_partial() {
    let Some(rows) = rows("suites/jiter_partial.jsonl") else {
        return;
    };
    for row in &rows {
        let mode = match row["mode"].as_str() {
            Some("on") => Partial::Values,
            _ => Partial::TrailingStrings,
        };
        let mut parser = Parser::new();
        parser
            .push(&input(row).expect("an input"))
            .unwrap_or_else(|e| panic!("{}: {e}", row["id"]));
        let snapshot = parser.snapshot(mode).cloned();
        if row["error"].is_string() {
            assert_eq!(snapshot, None, "{}", row["id"]);
        } else {
            let snapshot = snapshot.unwrap_or(Value::Null);
            assert!(
                same(&snapshot, &row["expected"]),
                "{}: {snapshot}",
                row["id"]
            );
        }
    }
}

/// What people reported about JSON in model text.
#[test]
fn reports() {
    let Some(rows) = rows("reports.jsonl") else {
        return;
    };
    let text = |id: &str| -> String {
        let row = rows.iter().find(|row| row["id"] == id).expect(id);
        row["input"]
            .as_str()
            .or(row["input"]["text"].as_str())
            .expect(id)
            .to_owned()
    };
    let mended = |id: &str| {
        repair(&text(id), &Policy::default()).unwrap_or_else(|error| panic!("{id}: {error}"))
    };
    for (id, value) in [
        ("br002", json!({"name": "Ada"})),
        (
            "br003",
            json!({"snippet": "use ```rust fn main(){} ``` here"}),
        ),
        ("br005", json!({"facts": ["a", "b"]})),
        ("br007", json!({})),
        (
            "br143",
            json!({"reason": "you won't get offers", "verdict": 1}),
        ),
        ("br145", json!({"key": "value with \n newline"})),
        ("br146", json!({"key": "value\nbroken"})),
        ("br172", json!({"code": "print('\u{1f378}')"})),
        (
            "br197",
            json!({"r": [{"s": "00:00", "e": "00:10"}, {"s": "00:17", "e": "00:23"}]}),
        ),
        (
            "br194",
            json!({"text": "hello", "sentence": "do you know about \"micheal\", jackson"}),
        ),
        (
            "br190",
            json!([{"id": 1, "Description": "The talk focused on docs, unlike Jim.", "Quote": "Okay."}]),
        ),
    ] {
        let got = mended(id);
        assert_eq!(got.value, value, "{id}");
        assert!(got.complete && !got.repairs.is_empty(), "{id}");
    }
    // Valid JSON stays what it is.
    for id in ["br185", "br192"] {
        let got = mended(id);
        assert_eq!(
            got.value,
            serde_json::from_str::<Value>(&text(id)).expect(id),
            "{id}"
        );
        assert!(got.is_as_sent(), "{id}");
    }
    // The same document twice is one; two that differ are none.
    assert!(
        mended("br147")
            .repairs
            .iter()
            .any(|r| r.kind == RepairKind::Duplicate)
    );
    let error = repair(&text("br148"), &Policy::default()).expect_err("two documents");
    assert!(error.is_ambiguous());
    assert!(
        repair(&text("br215"), &Policy::default())
            .expect_err("deep")
            .is_limit()
    );
    // Cut in a string, and told so.
    let got = mended("br195");
    assert_eq!(
        got.value,
        json!({"subject": "Take-Home", "text": "Hello Sergey,I hop"})
    );
    assert!(!got.complete);
    let got = mended("br083");
    assert!(!got.complete);
    // A complete document can be taken before the white space behind it has ended.
    let mut parser = Parser::new();
    parser.push(text("br082").as_bytes()).expect("JSON");
    assert!(parser.is_done());
    // Whatever the fragments: the same value, and the raw line break on record.
    let got = mended("br217");
    assert!(
        got.repairs
            .iter()
            .any(|r| r.kind == RepairKind::ControlCharacter)
    );
    for size in 1..=60 {
        let mut repairer = Repairer::new(Policy::default());
        for part in text("br217").as_bytes().chunks(size) {
            repairer.push(part).expect("text");
        }
        assert_eq!(repairer.finish().as_ref(), Ok(&got), "{size}");
    }
    // The settled snapshot shows a number only when no digit can follow.
    let mut parser = Parser::new();
    parser.push(text("br219").as_bytes()).expect("JSON");
    assert_eq!(
        parser.snapshot(Partial::Settled),
        Some(&json!({"nums": [10, 20]}))
    );
}
