//! Coercion under every keyword of the JSON Schema Test Suite.
#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test may fail loudly"
)]

use std::path::Path;

use serde_json::Value;
use tamis_schema::{Coercer, Validator};

/// The rows of one draft: the file, the schema, and a value.
fn rows(draft: &str) -> Vec<(String, Value, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/suite")
        .join(draft);
    let mut rows = Vec::new();
    for file in std::fs::read_dir(folder).expect("the suite") {
        let path = file.unwrap().path();
        let name = path.display().to_string();
        if path.extension().is_none_or(|kind| kind != "json") {
            continue;
        }
        let groups: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).expect(&name);
        for group in groups.as_array().unwrap() {
            for test in group["tests"].as_array().unwrap() {
                let mut schema = group["schema"].clone();
                if let (Some(schema), "draft7") = (schema.as_object_mut(), draft) {
                    let known = "http://json-schema.org/draft-07/schema#";
                    schema.entry("$schema").or_insert_with(|| known.into());
                }
                rows.push((name.clone(), schema, test["data"].clone()));
            }
        }
    }
    rows
}

#[test]
fn what_conforms_stays_and_what_comes_out_conforms() {
    let (mut unchanged, mut coerced, mut refused, mut limits) = (0, 0, 0, Vec::new());
    for draft in ["draft7", "draft2020-12"] {
        for (file, schema, value) in rows(draft) {
            let Ok(validator) = Validator::new(&schema) else {
                continue;
            };
            let ready = Coercer::new(&schema).expect(&file);
            match ready.coerce(&value) {
                Ok(out) => {
                    assert!(validator.is_valid(&out.value), "{file} {schema} {value}");
                    assert_eq!(
                        out.coercions.is_empty(),
                        validator.is_valid(&value),
                        "{file} {schema} {value}"
                    );
                    if out.coercions.is_empty() {
                        assert_eq!(out.value, value);
                        unchanged += 1;
                    } else {
                        coerced += 1;
                    }
                }
                Err(error) => {
                    assert!(!validator.is_valid(&value), "{file} {schema} {value}");
                    assert!(
                        error.is_impossible() || error.is_limit(),
                        "{file} {schema} {error}"
                    );
                    refused += 1;
                    if error.is_limit() {
                        limits.push(format!("{file} {schema} {value}"));
                    }
                }
            }
        }
    }
    eprintln!("unchanged {unchanged}, coerced {coerced}, refused {refused}");
    assert!(limits.is_empty(), "{limits:#?}");
}
