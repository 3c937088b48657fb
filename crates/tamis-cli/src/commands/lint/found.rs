//! Findings, with their places in the user's file.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tamis::json::places;
use tamis::schema::{Dialect, Finding, Severity, check_schema, lint};

use crate::error::Error;
use crate::{input, schema};

/// A file that is linted.
pub(super) struct Source {
    pub(super) path: PathBuf,
    /// What a message calls it.
    pub(super) name: String,
    pub(super) text: String,
    pub(super) schema: Value,
}

/// A file, linted for one dialect.
pub(super) struct Linted<'s> {
    pub(super) source: &'s Source,
    pub(super) dialect: Dialect,
    pub(super) errors: usize,
    pub(super) warnings: usize,
    pub(super) found: Vec<Found>,
}

/// A finding, and where it is.
pub(super) struct Found {
    pub(super) finding: Finding,
    /// In bytes.
    pub(super) offset: usize,
    /// From 1.
    pub(super) line: usize,
    /// In characters, from 1.
    pub(super) column: usize,
}

impl Source {
    /// A file that holds a schema. Where its references lead is for the lint to say.
    pub(super) fn read(path: &Path) -> Result<Self, Error> {
        let name = input::name(path);
        let text = schema::read_text(path)?;
        let schema = schema::parse(&name, &text)?;
        check_schema(&schema).map_err(|error| Error::usage(format!("{name}: {error}")))?;
        Ok(Self {
            path: path.to_owned(),
            name,
            text,
            schema,
        })
    }
}

impl<'s> Linted<'s> {
    pub(super) fn new(source: &'s Source, dialect: Dialect) -> Self {
        let findings = lint(&source.schema, dialect);
        let wanted: BTreeSet<&str> = findings.iter().map(Finding::pointer).collect();
        let places = places(&source.text, &wanted);
        let offsets: Vec<usize> = findings
            .iter()
            .map(|finding| places.get(finding.pointer()).copied().unwrap_or_default())
            .collect();
        let mut linted = Self::counted(source, dialect, &findings);
        linted.found = findings
            .into_iter()
            .zip(offsets)
            .map(|(finding, offset)| Found {
                finding,
                offset,
                line: 0,
                column: 0,
            })
            .collect();
        number(&source.text, &mut linted.found);
        linted
    }

    /// No more than how much was found.
    pub(super) fn only_counts(source: &'s Source, dialect: Dialect) -> Self {
        Self::counted(source, dialect, &lint(&source.schema, dialect))
    }

    fn counted(source: &'s Source, dialect: Dialect, findings: &[Finding]) -> Self {
        let count = |severity: Severity| {
            let is = |finding: &&Finding| finding.severity() == severity;
            findings.iter().filter(is).count()
        };
        Self {
            source,
            dialect,
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            found: Vec::new(),
        }
    }

    pub(super) fn has_errors(&self) -> bool {
        self.errors > 0
    }
}

/// Says the line and the column of each place, in one way through the text.
fn number(text: &str, found: &mut [Found]) {
    let mut in_order: Vec<&mut Found> = found.iter_mut().collect();
    in_order.sort_by_key(|found| found.offset);
    let (mut at, mut line, mut column) = (0, 1, 1);
    for found in in_order {
        for character in text.get(at..found.offset).unwrap_or_default().chars() {
            if character == '\n' {
                (line, column) = (line + 1, 1);
            } else {
                column += 1;
            }
        }
        at = found.offset;
        (found.line, found.column) = (line, column);
    }
}
