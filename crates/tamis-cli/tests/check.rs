//! `tamis check`, over a saved response of each kind.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use std::fs::File;

use common::{Tamis, fixtures};
use serde_json::Value;

/// Every saved response, in order.
fn responses() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(fixtures())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.starts_with("schema"))
        .collect();
    names.sort();
    names
}

#[test]
fn one_line_for_each_of_several() {
    for flags in [
        "",
        "--parse",
        "--parse --policy none",
        "--schema schema.json",
        "--contract strict",
    ] {
        let mut tamis = Tamis::new("check").args(flags);
        for name in responses() {
            tamis = tamis.arg(name);
        }
        let ran = tamis.run();
        assert_eq!(ran.stdout.lines().count(), responses().len());
        let name = flags.replace(['-', ' ', '.'], "_");
        insta::assert_snapshot!(format!("lines_{name}"), ran.shown());
    }
}

#[test]
fn each_alone_in_words_and_as_json() {
    for name in responses() {
        let words = Tamis::new("check --schema schema.json").arg(&name).run();
        let json = Tamis::new("check --schema schema.json --format json")
            .arg(&name)
            .run();
        assert_eq!(words.code, json.code, "{name}");
        let shown = format!("{}\n{}", words.shown(), json.shown());
        insta::assert_snapshot!(format!("alone_{name}"), shown);
    }
}

#[test]
fn json_lines_are_the_same_reports_with_their_file() {
    let mut tamis = Tamis::new("check --parse --format json");
    for name in responses() {
        tamis = tamis.arg(name);
    }
    let ran = tamis.run();
    for (name, line) in responses().iter().zip(ran.stdout.lines()) {
        let mut line: Value = serde_json::from_str(line).unwrap();
        let file = line.as_object_mut().unwrap().remove("file");
        assert_eq!(file, Some(Value::from(name.as_str())));
        let alone = Tamis::new("check --parse --format json").arg(name).run();
        assert_eq!(alone.json(), line, "{name}");
    }
}

#[test]
fn every_exit_code_and_the_worst_of_several() {
    for (files, code) in [
        ("text.json", 0),
        ("text.json refusal.json", 1),
        ("refusal.json error-permanent.json", 3),
        ("refusal.json error-rate-limited.json", 4),
        ("error-permanent.json error-rate-limited.json", 3),
        ("missing.json", 2),
        ("missing.json error-permanent.json text.json", 2),
    ] {
        let ran = Tamis::new("check").arg("--").args(files).run();
        assert_eq!(ran.code, Some(code), "{}", ran.shown());
    }
}

#[test]
fn an_unreadable_file_is_named_and_the_others_are_read() {
    insta::assert_snapshot!(Tamis::new("check missing.json text.json").run().shown());
    let folder = Tamis::new("check .").run();
    assert_eq!(folder.code, Some(2), "{}", folder.shown());
}

#[test]
fn stdin_is_read_once() {
    let body = std::fs::read(fixtures().join("stream.sse")).unwrap();
    for args in ["check", "check -"] {
        let ran = Tamis::new(args).stdin(body.clone()).run();
        assert_eq!(ran.code, Some(0), "{}", ran.shown());
        assert!(ran.stdout.starts_with("text: "), "{}", ran.shown());
    }
    for args in ["check - -", "check --schema - -"] {
        assert_eq!(Tamis::new(args).run().code, Some(2), "{args}");
    }
}

#[test]
fn the_status_counts() {
    let ran = Tamis::new("check --status 503 --format json text.json").run();
    assert_eq!(ran.code, Some(4));
    assert_eq!(ran.json()["failure"]["kind"], "ProviderUnavailable");
    assert_eq!(ran.json()["failure"]["status"], 503);
}

#[test]
fn a_schema_that_is_none() {
    for file in ["schema-invalid.json", "garbage.txt", "missing.json"] {
        let ran = Tamis::new("check json.json --schema").arg(file).run();
        assert_eq!(ran.code, Some(2), "{}", ran.shown());
        assert!(ran.stderr.contains(file), "{}", ran.shown());
    }
    insta::assert_snapshot!(
        Tamis::new("check --schema schema-invalid.json json.json")
            .run()
            .shown()
    );
}

#[test]
fn more_than_the_limit_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.json");
    File::create(&path)
        .unwrap()
        .set_len(64 * 1024 * 1024 + 1)
        .unwrap();
    for command in ["check", "fold"] {
        let ran = Tamis::new(command).arg(path.to_str().unwrap()).run();
        assert_eq!(ran.code, Some(2), "{}", ran.shown());
        assert!(ran.stderr.contains("64 MiB"), "{}", ran.shown());
    }
}

/// A contract that takes an error over any guess mends nothing unless it is told to.
#[test]
fn the_strict_contract_mends_nothing_by_itself() {
    let body = r#"{"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [
        {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "```json\n{}\n```"}}]}"#;
    let check = |args: &str| Tamis::new("check").args(args).stdin(body).run();
    assert_eq!(check("--parse").code, Some(0));
    assert_eq!(check("--parse --contract strict").code, Some(1));
    assert_eq!(
        check("--parse --contract strict --policy all").code,
        Some(0)
    );
}
