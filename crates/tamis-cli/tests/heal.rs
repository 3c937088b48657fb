//! `tamis heal`, over a text for each kind of repair and each way it can end.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use std::fmt::Write as _;

use common::Tamis;
use serde_json::{Value, json};
use tamis::json::RepairKind;

/// A kind of repair, and a text that needs it.
const TEXTS: &[(&str, &str)] = &[
    ("byte_order_mark", "\u{feff}{\"port\": \"Brest\"}"),
    ("fence", "```json\n{\"port\": \"Brest\"}\n```"),
    (
        "prose",
        "High water is this:\n{\"height\": 6.4}\nSafe sailing!",
    ),
    (
        "thinking",
        "<think>Is {\"height\": 5} right?</think>{\"height\": 6.4}",
    ),
    ("special_token", "{\"height\": 6.4}<|im_end|>"),
    ("duplicate", "{\"height\": 6.4}\n{\"height\": 6.4}"),
    ("missing_comma", "{\"port\": \"Brest\" \"height\": 6.4}"),
    ("extra_comma", "{\"tides\": [6.4, 1.2,],}"),
    ("missing_colon", "{\"port\" \"Brest\"}"),
    ("extra_colon", "{\"port\":: \"Brest\"}"),
    ("wrong_quote", "{'port': \u{201c}Brest\u{201d}}"),
    ("missing_quote", "{port\": \"Brest\"}"),
    ("unquoted_key", "{port: \"Brest\"}"),
    ("unquoted_text", "{\"port\": Brest}"),
    (
        "unescaped_quote",
        "{\"note\": \"the \"old\" pier\", \"height\": 6.4}",
    ),
    ("control_character", "{\"note\": \"first\n\tsecond\"}"),
    ("bad_escape", "{\"note\": \"quay \\q\"}"),
    ("concatenation", "{\"note\": \"high\" + \" water\"}"),
    ("comment", "{\"height\": 6.4 // metres\n}"),
    ("ellipsis", "[6.4, 1.2, ...]"),
    ("literal", "{\"springs\": True, \"gale\": None}"),
    ("not_a_number", "{\"height\": NaN}"),
    ("number_spelling", "{\"height\": +06.4}"),
    ("wrong_space", "{\"height\":\u{a0}6.4}"),
    ("stray_bracket", "{\"tides\": [6.4]]}"),
    ("wrong_bracket", "{\"tides\": (6.4, 1.2)}"),
    ("missing_bracket", "[{\"height\": 6.4, {\"height\": 1.2}]"),
    ("call", "{\"at\": ISODate(\"2024-05-01\")}"),
    ("closed_bracket", "{\"tides\": [6.4, 1.2"),
    ("closed_string", "{\"port\": \"Bre"),
    ("cut_tail", "{\"port\": \"Brest\", \"heig"),
];

fn heal(args: &str, text: &str) -> common::Ran {
    Tamis::new("heal").args(args).stdin(text).run()
}

#[test]
fn each_kind_of_repair() {
    let mut shown = String::new();
    for (kind, text) in TEXTS {
        let ran = heal("--partial --diff", text);
        writeln!(shown, "# {kind}\n{text}\n{}", ran.shown()).unwrap();
        let report = heal("--partial --format json", text);
        assert_eq!(ran.code, report.code, "{kind}");
        let report = report.json();
        let made = report["repairs"].as_array().unwrap();
        assert!(
            made.iter().any(|repair| repair["kind"] == *kind),
            "{kind}: {report}"
        );
        assert_eq!(report["complete"] == true, ran.code == Some(0), "{kind}");
        assert_eq!(ran.json(), report["value"], "{kind}");
        // What is printed needs no repair.
        let again = heal("--policy none", &ran.stdout);
        assert_eq!(
            (again.code, &again.stdout),
            (Some(0), &ran.stdout),
            "{kind}"
        );
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn every_kind_has_a_text() {
    for kind in RepairKind::ALL {
        // An object is wanted only where a schema asks for one.
        let has_text = TEXTS.iter().any(|(name, _)| *name == kind.name());
        assert!(has_text || *kind == RepairKind::Unwrapped, "{kind}");
    }
}

#[test]
fn the_report() {
    let mut shown = String::new();
    for (args, text) in [
        (
            "",
            "Here: {'height': 6.4, 'id': 12345678901234567890123, 'id': 2}",
        ),
        ("", "{\"tides\": [6.4, \"1."),
        ("--partial", "{\"tides\": [6.4, \"1."),
        ("--truncated", "{\"tides\": [6.4"),
        ("", "{\"height\": 6.4} or {\"height\": 6.5}"),
        ("", "The tide tables are out of print."),
        ("--policy none", "{'height': 6.4}"),
    ] {
        let ran = heal("--format json", text);
        let ran = if args.is_empty() {
            ran
        } else {
            heal(&format!("{args} --format json"), text)
        };
        writeln!(shown, "{text}\n{}", ran.shown()).unwrap();
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn in_words() {
    let mut shown = String::new();
    for (args, text) in [
        ("", "{\"height\": 6.4}"),
        ("--diff", "{\"height\": 6.4}"),
        ("", "{\"height\": 6, \"height\": 6.4}"),
        ("", "{\"tides\": [6.4, \"1."),
        ("--partial", "{\"tides\": [6.4, \"1."),
        ("--truncated", "{\"tides\": [6.4"),
        ("--truncated --partial", "6"),
        ("", "{\"height\": 6.4} or {\"height\": 6.5}"),
        ("", "{\"height\": }"),
        ("", "The tide tables are out of print."),
        ("", ""),
        ("--policy syntax", "{'height': 6.4"),
        ("--policy none", "```\n{}\n```"),
    ] {
        writeln!(shown, "{text}\n{}", heal(args, text).shown()).unwrap();
    }
    insta::assert_snapshot!(shown);
}

/// Arguments, a text, and the exit code.
#[test]
fn exit_codes() {
    for (args, text, code) in [
        ("", "[1]", 0),
        ("-", "[1]", 0),
        ("--truncated", "[1]", 0),
        ("", "[1", 0),
        ("--truncated", "[1", 1),
        ("--truncated --partial", "[1", 1),
        ("", "[\"1", 1),
        ("--partial", "[\"1", 1),
        ("--policy all", "Yes: [1,]", 0),
        ("--policy extraction,syntax,closing", "Yes: [1,", 1),
        ("--policy extraction,syntax", "Yes: [1,]", 0),
        ("--policy extraction", "Yes: [1,]", 1),
        ("--policy syntax", "Yes: [1,]", 1),
        ("--policy extraction,syntax", "Yes: [1", 1),
        ("--policy none", "[1]", 0),
        ("--policy none", "[1,]", 1),
        ("--policy none,syntax", "[1]", 2),
        ("--policy all,syntax", "[1]", 2),
        ("--policy guess", "[1]", 2),
        ("--policy=", "[1]", 2),
        ("missing.txt", "[1]", 2),
        (".", "[1]", 2),
        ("- -", "[1]", 2),
        ("json.json", "", 0),
        ("stream-cut.sse", "", 1),
    ] {
        let ran = heal(args, text);
        assert_eq!(ran.code, Some(code), "{}", ran.shown());
        assert_eq!(
            ran.stdout.is_empty(),
            code != 0 && !args.contains("partial"),
            "{}",
            ran.shown()
        );
    }
    let bytes = Tamis::new("heal").stdin(b"[\"\xff\"]".to_vec()).run();
    assert_eq!(bytes.code, Some(2), "{}", bytes.shown());
    assert!(bytes.stderr.contains("not UTF-8"), "{}", bytes.shown());
}

#[test]
fn a_file_and_stdin_are_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("answer.txt");
    let text = "```\n{\"height\": 6.4,}\n```";
    std::fs::write(&path, text).unwrap();
    let file = Tamis::new("heal").arg(path.to_str().unwrap()).run();
    let stdin = heal("", text);
    assert_eq!(
        (file.code, file.stdout, file.stderr),
        (Some(0), stdin.stdout, stdin.stderr)
    );
}

#[test]
fn what_is_valid_is_not_changed() {
    let text = r#"{"b": [1, 2.50, "é\u00e9", null], "a": {}, "long": 18446744073709551615}"#;
    let ran = heal("", text);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(ran.json(), serde_json::from_str::<Value>(text).unwrap());
    assert_eq!(heal("--format json", text).json()["repairs"], json!([]));
    assert_eq!(heal("--format json", "null").json()["error"], Value::Null);
}

#[test]
fn a_diff_shows_the_lines_around_a_change() {
    let lines: Vec<String> = (0..30).map(|n| format!("  \"k{n}\": {n},\n")).collect();
    let text = format!("{{\n{}}}", lines.concat().replace("20,\n", "20\n"));
    insta::assert_snapshot!(heal("--diff", &text).stderr);
}

#[test]
fn a_diff_is_coloured_on_a_terminal_and_steers_none() {
    let text = "\u{1b}[2J{'a': 1}";
    let plain = heal("--diff", text);
    assert!(!plain.stderr.contains('\u{1b}'), "{}", plain.shown());
    let coloured = Tamis::new("heal --diff")
        .var("CLICOLOR_FORCE", "1")
        .stdin(text)
        .run();
    assert!(coloured.stderr.contains('\u{1b}') && !coloured.stderr.contains("[-"));
    assert!(
        !coloured.stderr.contains("\u{1b}[2J"),
        "{}",
        coloured.shown()
    );
    assert_eq!(coloured.stdout, plain.stdout);
}

#[test]
fn of_many_repairs_the_report_has_all() {
    let text = format!("[{}1]", "1,,".repeat(100));
    assert_eq!(heal("", &text).stderr.lines().count(), 21);
    let report = heal("--format json", &text).json();
    assert_eq!(report["repairs"].as_array().map(Vec::len), Some(100));
}

#[test]
fn an_object_that_is_wanted_is_taken_out_of_a_string() {
    let text = "\"{\\\"height\\\": 6.4}\"";
    assert_eq!(heal("", text).stdout, "\"{\\\"height\\\": 6.4}\"\n");
    let wanted = heal("--want object", text);
    assert_eq!(wanted.stdout, "{\n  \"height\": 6.4\n}\n");
    assert!(wanted.stderr.contains("JSON string"), "{}", wanted.stderr);
}

#[test]
fn what_is_not_complete_is_shown_as_a_diff_too() {
    let ran = heal("--diff", "{\"port\": \"Bre");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""));
    assert!(ran.stderr.contains("{+"), "{}", ran.stderr);
}

#[test]
fn a_flood_of_brackets_is_no_flood_of_words() {
    let ran = heal("--format json", &"{".repeat(100_000));
    assert!(ran.stdout.len() < 2_000, "{}", ran.stdout.len());
}
