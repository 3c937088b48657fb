//! `tamis lint`.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use common::Tamis;
use serde_json::Value;

const LOOSE: &str = r##"{
  "type": "object",
  "properties": {
    "name": {"type": "string", "maxLength": 40},
    "tags": {"type": "object"},
    "next": {"$ref": "#/$defs/node"}
  },
  "required": ["name"],
  "$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}, "additionalProperties": false}}
}
"##;

const STRICT: &str = r#"{"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"], "additionalProperties": false}"#;

fn lint(args: &str, schema: &str) -> common::Ran {
    Tamis::new("lint").args(args).stdin(schema).run()
}

#[test]
fn findings_are_shown_where_they_are() {
    let ran = lint("-", LOOSE);
    assert_eq!(ran.code, Some(1));
    insta::assert_snapshot!("lint_text", ran.shown());
}

#[test]
fn a_schema_that_fits() {
    let ran = lint("-", STRICT);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(0), "stdin: openai-strict takes it as it is\n")
    );
}

#[test]
fn every_dialect() {
    let ran = lint("--all -", LOOSE);
    assert_eq!(ran.code, Some(1));
    insta::assert_snapshot!("lint_all", ran.shown());
    assert_eq!(lint("--all -", STRICT).code, Some(0));
}

#[test]
fn for_programs() {
    let ran = lint("--format json -", LOOSE);
    let report: Value = serde_json::from_str(ran.stdout.as_str()).unwrap();
    let finding = report.pointer("/results/0/findings/2").unwrap();
    insta::assert_snapshot!("lint_json", serde_json::to_string_pretty(finding).unwrap());
    let ran = lint("--format sarif --dialect anthropic -", LOOSE);
    insta::assert_snapshot!("lint_sarif", ran.stdout.as_str());
}

#[test]
fn a_schema_is_rewritten() {
    let ran = lint("--fix -", LOOSE);
    assert_eq!(ran.code, Some(0));
    insta::assert_snapshot!("lint_fix", ran.shown());
    let again = lint("-", ran.stdout.as_str());
    assert_eq!(again.code, Some(0), "{}", again.stdout);
    let ran = lint("--fix --dialect anthropic -", LOOSE);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.is_empty() && ran.stderr.contains("recursive"));
    let ran = lint("--fix --dialect anthropic --unroll 2 -", LOOSE);
    assert_eq!(ran.code, Some(0));
}

#[test]
fn what_is_no_schema() {
    for (text, words) in [
        ("{", "stdin: not JSON"),
        (
            "{\"type\": \"wibble\"}",
            "stdin: the schema is not usable at /type",
        ),
    ] {
        let ran = lint("-", text);
        assert_eq!(ran.code, Some(2), "{text}");
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
    let ran = Tamis::new("lint").args("--dialect wibble x.json").run();
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("the dialects are openai-strict"),
        "{}",
        ran.stderr
    );
    assert_eq!(
        Tamis::new("lint").args("no-such-file.json").run().code,
        Some(2)
    );
}
