//! Findings in the Static Analysis Results Interchange Format, 2.1.0.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};
use tamis::schema::Severity;

use super::found::{Found, Linted};
use crate::input;

pub(super) fn log(linted: &[Linted<'_>]) -> Value {
    let all = || {
        linted
            .iter()
            .flat_map(|linted| linted.found.iter().map(move |found| (linted, found)))
    };
    let rules: BTreeSet<&str> = all().map(|(_, found)| found.finding.rule()).collect();
    let rules: Vec<Value> = rules.into_iter().map(|rule| json!({"id": rule})).collect();
    let results: Vec<Value> = all().map(|(linted, found)| result(linted, found)).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "tamis lint",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn result(linted: &Linted<'_>, found: &Found) -> Value {
    let finding = &found.finding;
    let level = match finding.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
        _ => "note",
    };
    let mut words = format!("{}: {}", linted.dialect, finding.message());
    if let Some(help) = finding.help() {
        words.push_str(". Help: ");
        words.push_str(help);
    }
    json!({
        "ruleId": finding.rule(),
        "level": level,
        "message": {"text": words},
        "locations": [{
            "physicalLocation": {
                "artifactLocation": {"uri": uri(&linted.source.path)},
                "region": {"startLine": found.line, "startColumn": found.column},
            },
            "logicalLocations": [{"fullyQualifiedName": finding.pointer()}],
        }],
    })
}

/// A path as a URI: a relative one relative to where the command was run, which is the repository's root
/// as a rule.
fn uri(path: &Path) -> String {
    use std::fmt::Write as _;

    if input::is_stdin(path) {
        return input::name(path);
    }
    let mut uri = String::from(if path.is_absolute() { "file://" } else { "" });
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'\\' if cfg!(windows) => uri.push('/'),
            b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(*byte)),
            byte if byte.is_ascii_alphanumeric() => uri.push(char::from(*byte)),
            byte => {
                // Writing to a `String` cannot fail.
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn a_path_becomes_a_uri() {
        for (path, expected) in [
            ("a/b.schema.json", "a/b.schema.json"),
            ("my schema#1?.json", "my%20schema%231%3F.json"),
            ("c:é\u{1b}%.json", "c%3A%C3%A9%1B%25.json"),
            ("-", "stdin"),
        ] {
            assert_eq!(uri(path.as_ref()), expected);
        }
        #[cfg(unix)]
        assert_eq!(uri("/a b".as_ref()), "file:///a%20b");
    }
}
