//! Where the shared cases are, for the tests that read them.

use std::path::PathBuf;

use serde_json::Value;

/// The rows of a file of shared cases; `None`, said on stderr, where there is no shared folder.
pub(crate) fn rows(file: &str) -> Option<Vec<Value>> {
    let folder = match std::env::var_os("TAMIS_SHARED") {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    let path = folder.join("cases").join(file);
    if !folder.exists() {
        eprintln!("skipped: no shared folder");
        return None;
    }
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    Some(
        text.lines()
            .map(|line| serde_json::from_str(line).expect(line))
            .collect(),
    )
}

/// A row's input, in bytes; `None` where the row has none.
pub(crate) fn input(row: &Value) -> Option<Vec<u8>> {
    match row["input"].as_str() {
        Some(text) => Some(text.as_bytes().to_vec()),
        None => row["input_b64"].as_str().map(base64),
    }
}

fn base64(text: &str) -> Vec<u8> {
    let sextet = |b: u8| match b {
        b'A'..=b'Z' => b - b'A',
        b'a'..=b'z' => b - b'a' + 26,
        b'0'..=b'9' => b - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut bytes = Vec::new();
    for group in text.trim_end_matches('=').as_bytes().chunks(4) {
        let bits = group
            .iter()
            .fold(0_u32, |bits, b| (bits << 6) | u32::from(sextet(*b)));
        let bits = bits << (6 * (4 - group.len()));
        bytes.extend(bits.to_be_bytes().iter().take(group.len()).skip(1));
    }
    bytes
}
