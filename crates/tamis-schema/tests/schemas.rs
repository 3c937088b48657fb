//! Schemas that were sent to live APIs, and what became of them; read where the folder is there.
#![expect(
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a test that cannot go on fails"
)]

use std::path::PathBuf;

use serde_json::Value;
use tamis_schema::{Dialect, Finding, lint};

fn rows(name: &str) -> Vec<Value> {
    let given = std::env::var_os("TAMIS_SHARED").map(PathBuf::from);
    let shared =
        given.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"));
    let Ok(text) = std::fs::read_to_string(shared.join("cases").join(name)) else {
        eprintln!("skipped: no shared folder");
        return Vec::new();
    };
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn errors(schema: &Value, dialect: Dialect) -> Vec<String> {
    lint(schema, dialect)
        .iter()
        .filter(|finding| finding.is_error())
        .map(Finding::to_string)
        .collect()
}

#[test]
fn what_openai_refused_is_an_error_and_what_it_took_is_none() {
    for row in rows("schemas_openai.jsonl") {
        let dialect = match row["surface"].as_str() {
            Some("tools") => Dialect::OPENAI_STRICT_TOOLS,
            _ => Dialect::OPENAI_STRICT,
        };
        assert!(
            !errors(&row["refused"], dialect).is_empty(),
            "{}",
            row["id"]
        );
        let found = errors(&row["accepted"], dialect);
        assert!(found.is_empty(), "{}: {found:#?}", row["id"]);
    }
}

#[test]
fn what_was_sent_strictly_and_taken_is_no_error() {
    for row in rows("schemas_sent.jsonl") {
        if row["strict"] != true || row["accepted"] != true {
            continue;
        }
        let provider = row["provider"].as_str().unwrap();
        let Some(mut dialect) = Dialect::for_provider(provider) else {
            continue;
        };
        if dialect == Dialect::OPENAI_STRICT && row["kind"] == "tool" {
            dialect = Dialect::OPENAI_STRICT_TOOLS;
        }
        let found = errors(&row["schema"], dialect);
        assert!(found.is_empty(), "{dialect}: {} {found:#?}", row["schema"]);
    }
}
