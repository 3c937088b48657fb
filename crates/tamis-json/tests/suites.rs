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
use serde_json::Value;
use tamis_json::{Parser, Partial, Policy, Repairer, repair};

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
