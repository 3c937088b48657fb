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

/// A folder of files, and a run in it.
fn in_folder(files: &[(&str, &[u8])], args: &[&str]) -> common::Ran {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    let mut tamis = Tamis::new("lint");
    for arg in args {
        tamis = tamis.arg(*arg);
    }
    let output = tamis.command().current_dir(folder.path()).output().unwrap();
    common::Ran::new("lint".to_owned(), output)
}

#[test]
fn references_that_lead_nowhere_are_findings() {
    let schema = r##"{"type": "object", "properties": {"a": {"$ref": "https://example.org/x"}, "b": {"$ref": "#/$defs/none"}}, "required": ["a", "b"], "additionalProperties": false}"##;
    let ran = lint("--format json -", schema);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let findings = report
        .pointer("/results/0/findings")
        .unwrap()
        .as_array()
        .unwrap();
    let pointers: Vec<&Value> = findings.iter().map(|finding| &finding["pointer"]).collect();
    assert_eq!(pointers, ["/properties/a/$ref", "/properties/b/$ref"]);
    let ran = lint("--fix -", schema);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""));
    assert!(ran.stderr.contains("/properties/a/$ref"), "{}", ran.stderr);
}

#[test]
fn a_file_as_windows_writes_it() {
    let text = "\u{feff}{\r\n  \"type\": \"object\",\r\n  \"é\": 1, \"wibble\": 2\r\n}\r\n";
    let ran = lint("--format json -", text);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let findings = report
        .pointer("/results/0/findings")
        .unwrap()
        .as_array()
        .unwrap();
    let places: Vec<(&Value, &Value, &Value)> = findings
        .iter()
        .map(|finding| (&finding["pointer"], &finding["line"], &finding["column"]))
        .collect();
    let place = |pointer: &str| {
        places
            .iter()
            .find(|(at, _, _)| *at == pointer)
            .map(|(_, line, column)| (line.as_u64(), column.as_u64()))
    };
    assert_eq!(place(""), Some((Some(1), Some(1))));
    assert_eq!(place("/wibble"), Some((Some(3), Some(11))));
    let ran = lint("-", text);
    assert!(
        ran.stdout
            .contains("\n3 |   \"é\": 1, \"wibble\": 2\n  |           ^^^^^^^^\n"),
        "{}",
        ran.stdout
    );
    // The same for the other commands that read a schema.
    let files: &[(&str, &[u8])] = &[("bom.json", b"\xef\xbb\xbf{\"type\": \"object\"}")];
    assert_eq!(in_folder(files, &["--fix", "bom.json"]).code, Some(0));
}

#[test]
#[cfg(unix)]
fn a_name_is_shown_and_not_obeyed() {
    let name = "my schema#1\u{1b}[31m.json";
    let ran = in_folder(&[(name, b"{\"\\u001b[2J\": 1}")], &[name]);
    assert_eq!(ran.code, Some(1));
    assert!(
        !ran.stdout.contains('\u{1b}') && !ran.stderr.contains('\u{1b}'),
        "{:?}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("my schema#1\\u{1b}[31m.json:1:"),
        "{}",
        ran.stdout
    );
    let ran = in_folder(
        &[(name, b"{}"), ("b.json", b"{}")],
        &["--all", name, "b.json"],
    );
    assert!(!ran.stdout.contains('\u{1b}'));
    let ran = in_folder(&[(name, b"{}")], &["--format", "sarif", name]);
    let log: Value = serde_json::from_str(&ran.stdout).unwrap();
    let uri = "/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri";
    assert_eq!(log.pointer(uri).unwrap(), "my%20schema%231%1B%5B31m.json");
}

#[test]
fn many_findings_in_one_long_line() {
    let properties: Vec<String> = (0..8_000)
        .map(|number| format!(r#""p{number}":{{"type":"object","wibble":{{"a":[1,2,3]}}}}"#))
        .collect();
    let schema = format!(
        r#"{{"type":"object","properties":{{{}}}}}"#,
        properties.join(",")
    );
    let ran = lint("-", &schema);
    assert_eq!(ran.code, Some(1));
    let findings = ran.stdout.matches(" --> ").count();
    assert!(findings > 16_000, "{findings}");
    // Some lines for each, and not the file's line for each.
    assert!(ran.stdout.len() < 1_000 * findings, "{}", ran.stdout.len());
    assert!(ran.stdout.lines().all(|line| line.chars().count() < 250));
}

#[test]
fn what_is_no_schema_file() {
    for (name, bytes, words) in [
        (
            "empty.json",
            &b""[..],
            "empty.json: empty, and no JSON Schema",
        ),
        (
            "blank.json",
            b" \n",
            "blank.json: empty, and no JSON Schema",
        ),
        ("list.json", b"[]", "a schema is an object or a boolean"),
        (
            "utf16.json",
            b"\xff\xfe{\0}\0",
            "utf16.json: not UTF-8 text",
        ),
        (
            "deep.json",
            &"[".repeat(10_000).into_bytes(),
            "deep.json: nested too deeply to be read",
        ),
        (
            "pattern.json",
            b"{\"pattern\": \"(\"}",
            "at /pattern: the pattern is no regular expression",
        ),
    ] {
        let ran = in_folder(&[(name, bytes)], &[name]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{name}");
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
    let ran = in_folder(&[], &["."]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("directory"), "{}", ran.stderr);
    let ran = in_folder(&[("true.json", b"true")], &["true.json"]);
    assert_eq!(ran.code, Some(1));
}
