//! The texts that the peers test themselves with, read from their sources where Cargo keeps them.
#![expect(clippy::print_stderr, reason = "what is left out is said")]

use std::path::PathBuf;

/// Where a peer's tests are, and what stands before the texts in them.
const SOURCES: &[(&str, &str, &[&str])] = &[
    (
        "jsonrepair-rs",
        "jsonrepair-rs-0.2.6/tests/repair_tests.rs",
        &["ok(", "err(", "err_exact("],
    ),
    (
        "llm_json",
        "llm_json-1.0.3/src/lib.rs",
        &[
            "let broken_json = ",
            "let input = ",
            "let json = ",
            "repair_json(",
            "loads(",
        ],
    ),
    (
        "partial-json-fixer",
        "partial-json-fixer-0.5.5/tests/tests.rs",
        &["let partial = ", "let json = ", "let input = "],
    ),
];

/// The inputs of a peer's own tests; none when its sources are not there.
pub(crate) fn inputs(peer: &str) -> Vec<String> {
    let Some((_, file, marks)) = SOURCES.iter().find(|(name, ..)| *name == peer) else {
        return Vec::new();
    };
    let Some(source) = folders()
        .iter()
        .find_map(|folder| std::fs::read_to_string(folder.join(file)).ok())
    else {
        eprintln!("skipped: no {file}");
        return Vec::new();
    };
    let mut found = Vec::new();
    for mark in *marks {
        for (at, _) in source.match_indices(mark) {
            let rest = source.get(at + mark.len()..).unwrap_or_default();
            found.extend(literal(rest.trim_start_matches([' ', '\n', '&'])).map(|text| (at, text)));
        }
    }
    found.sort();
    found.dedup_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, text)| text).collect()
}

/// `PEERS`, or every registry that Cargo has unpacked.
fn folders() -> Vec<PathBuf> {
    if let Some(folder) = std::env::var_os("PEERS") {
        return vec![folder.into()];
    }
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home =
        home.or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cargo")));
    let registries = home.and_then(|home| std::fs::read_dir(home.join("registry/src")).ok());
    registries
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect()
}

/// The Rust string literal at the start of a text.
fn literal(text: &str) -> Option<String> {
    if let Some(rest) = text.strip_prefix('r') {
        let marks = rest.len() - rest.trim_start_matches('#').len();
        let body = rest.get(marks..)?.strip_prefix('"')?;
        let end = body.find(&format!("\"{}", "#".repeat(marks)))?;
        return body.get(..end).map(str::to_owned);
    }
    let mut out = String::new();
    let mut chars = text.strip_prefix('"')?.chars();
    loop {
        match chars.next()? {
            '"' => return Some(out),
            '\\' => match chars.next()? {
                'n' => out.push('\n'),
                't' => out.push('\t'),
                'r' => out.push('\r'),
                '0' => out.push('\0'),
                'u' => {
                    let code: String = chars.by_ref().skip(1).take_while(|c| *c != '}').collect();
                    out.push(char::from_u32(u32::from_str_radix(&code, 16).ok()?)?);
                }
                'x' => {
                    let code: String = chars.by_ref().take(2).collect();
                    out.push(char::from_u32(u32::from_str_radix(&code, 16).ok()?)?);
                }
                other => out.push(other),
            },
            other => out.push(other),
        }
    }
}
