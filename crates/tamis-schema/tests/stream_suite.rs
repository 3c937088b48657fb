//! Streaming validation on the JSON Schema Test Suite, at every fragmentation.
#![expect(
    clippy::panic,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a test that cannot go on fails, and says what it counted"
)]

use std::path::{Path, PathBuf};

use serde_json::Value;
use tamis_schema::{StreamSchema, Validator, Violation};

/// What became of a suite's values.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    valid: usize,
    /// Values that do not conform, and that the stream found.
    found: usize,
    /// Those of them that it found before their last byte.
    early: usize,
    /// Values that do not conform, and that only the whole check found.
    left: usize,
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
    found.sort();
}

/// The violation, and after how many bytes it was found, where the text is cut into pieces of this size.
fn stream(schema: &StreamSchema, text: &str, piece: usize) -> Option<(Violation, usize)> {
    let mut validator = schema.validator();
    let mut read = 0;
    for piece in text.as_bytes().chunks(piece) {
        read += piece.len();
        if let Some(violation) = validator.push(piece) {
            return Some((violation.clone(), read));
        }
    }
    validator
        .finish()
        .unwrap()
        .map(|violation| (violation, read))
}

fn run(draft: &str) -> Counts {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/suite")
        .join(draft);
    let mut all = Vec::new();
    files(&folder, &mut all);
    assert!(all.len() > 30);
    let mut counts = Counts::default();
    for file in all {
        let groups: Vec<Value> = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        for group in groups {
            let mut schema = group.get("schema").unwrap().clone();
            if draft == "draft7"
                && let Some(map) = schema.as_object_mut()
            {
                let draft = "http://json-schema.org/draft-07/schema#";
                map.entry("$schema").or_insert_with(|| draft.into());
            }
            // Schemas that refer to documents elsewhere are none here.
            let Ok(whole) = Validator::new(&schema) else {
                continue;
            };
            let streaming = StreamSchema::new(&schema).unwrap();
            for test in group.get("tests").unwrap().as_array().unwrap() {
                let value = test.get("data").unwrap();
                let text = value.to_string();
                let name = format!(
                    "{} {} {}",
                    file.display(),
                    group.get("description").unwrap(),
                    test.get("description").unwrap()
                );
                let valid = whole.is_valid(value);
                let bytewise = stream(&streaming, &text, 1);
                for piece in [2, 3, 7, usize::MAX] {
                    let other = stream(&streaming, &text, piece);
                    assert_eq!(
                        other.as_ref().map(|(violation, _)| violation),
                        bytewise.as_ref().map(|(violation, _)| violation),
                        "{name}: cut into pieces of {piece}"
                    );
                }
                match bytewise {
                    Some((violation, _)) if valid => {
                        panic!("{name}: {text} conforms, and {violation:?}")
                    }
                    Some((_, read)) => {
                        counts.found += 1;
                        counts.early += usize::from(read < text.len());
                    }
                    None if valid => counts.valid += 1,
                    None => counts.left += 1,
                }
            }
        }
    }
    eprintln!("{draft}: {counts:?}");
    counts
}

#[test]
fn draft_7() {
    assert_eq!(
        run("draft7"),
        Counts {
            valid: 1006,
            found: 390,
            early: 196,
            left: 26
        }
    );
}

#[test]
fn draft_2020_12() {
    assert_eq!(
        run("draft2020-12"),
        Counts {
            valid: 1270,
            found: 432,
            early: 202,
            left: 126
        }
    );
}
