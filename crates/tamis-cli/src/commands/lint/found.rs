//! Findings, with their places in the user's file.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;
use tamis::json::{line_and_column, places};
use tamis::schema::{Dialect, Finding, Severity, Validator, lint};

use crate::error::Error;
use crate::input;

/// A file, linted for one dialect.
pub(super) struct Linted {
    pub(super) file: String,
    pub(super) dialect: Dialect,
    pub(super) found: Vec<Found>,
}

/// A finding, and where it is.
pub(super) struct Found {
    pub(super) finding: Finding,
    /// From 1.
    pub(super) line: usize,
    /// In characters, from 1.
    pub(super) column: usize,
    /// The line's text.
    pub(super) source: String,
    /// How many characters of it are meant.
    pub(super) width: usize,
}

/// A file's text and schema.
pub(super) fn read(file: &Path) -> Result<(String, Value), Error> {
    let text = input::read_text(file)?;
    let name = input::name(file);
    let schema: Value = serde_json::from_str(&text)
        .map_err(|error| Error::usage(format!("{name}: not JSON: {error}")))?;
    Validator::new(&schema).map_err(|error| Error::usage(format!("{name}: {error}")))?;
    Ok((text, schema))
}

impl Linted {
    pub(super) fn new(file: String, text: &str, schema: &Value, dialect: Dialect) -> Self {
        let findings = lint(schema, dialect);
        let wanted: BTreeSet<&str> = findings.iter().map(Finding::pointer).collect();
        let places = places(text, &wanted);
        let offsets: Vec<usize> = findings
            .iter()
            .map(|finding| places.get(finding.pointer()).copied().unwrap_or_default())
            .collect();
        let found = findings
            .into_iter()
            .zip(offsets)
            .map(|(finding, offset)| Found::new(finding, text, offset))
            .collect();
        Self {
            file,
            dialect,
            found,
        }
    }

    pub(super) fn count(&self, severity: Severity) -> usize {
        let is = |found: &&Found| found.finding.severity() == severity;
        self.found.iter().filter(is).count()
    }

    pub(super) fn has_errors(&self) -> bool {
        self.count(Severity::Error) > 0
    }
}

impl Found {
    fn new(finding: Finding, text: &str, offset: usize) -> Self {
        let (line, column) = line_and_column(text, offset);
        let rest = text.get(offset..).unwrap_or_default();
        Self {
            finding,
            line,
            column,
            source: text
                .lines()
                .nth(line.saturating_sub(1))
                .unwrap_or_default()
                .to_owned(),
            width: token(rest),
        }
    }
}

/// How many characters the key or the value's first sign takes.
fn token(rest: &str) -> usize {
    let Some(inside) = rest.strip_prefix('"') else {
        return 1;
    };
    let mut escaped = false;
    for (count, character) in inside.chars().enumerate() {
        match character {
            '\n' => break,
            '"' if !escaped => return count + 2,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    1
}
