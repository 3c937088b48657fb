//! Findings for people.

use tamis::schema::Severity;

use super::found::{Found, Linted};
use crate::console::{Console, Tone};
use crate::error::Error;
use crate::table::Table;

/// A longer line of the file is shown in part.
const MOST_SOURCE: usize = 120;

pub(super) fn findings(linted: &[Linted], console: &mut Console) -> Result<(), Error> {
    for linted in linted {
        for found in &linted.found {
            finding(linted, found, console)?;
        }
        let words = match (
            linted.count(Severity::Error),
            linted.count(Severity::Warning),
        ) {
            (0, 0) => format!("{} takes it as it is", linted.dialect),
            (0, warnings) => format!(
                "{} takes it; {}",
                linted.dialect,
                counted(warnings, "warning")
            ),
            (errors, 0) => format!(
                "{} will refuse it: {}",
                linted.dialect,
                counted(errors, "error")
            ),
            (errors, warnings) => format!(
                "{} will refuse it: {}, {}",
                linted.dialect,
                counted(errors, "error"),
                counted(warnings, "warning")
            ),
        };
        console.line(format!("{}: {words}", linted.file))?;
        if linted.has_errors() {
            let help = format!("--dialect {} --fix rewrites it", linted.dialect);
            console.tell(Tone::Quiet, "help", &help);
        }
    }
    Ok(())
}

fn finding(linted: &Linted, found: &Found, console: &mut Console) -> Result<(), Error> {
    let finding = &found.finding;
    let tone = match finding.severity() {
        Severity::Error => Tone::Bad,
        Severity::Warning => Tone::Warning,
        _ => Tone::Quiet,
    };
    let label = console.paint(tone, &format!("{}[{}]", finding.severity(), finding.rule()));
    console.line(format!("{label}: {}", finding.message()))?;
    let number = found.line.to_string();
    let gap = " ".repeat(number.len());
    let mut place = format!("{gap} --> {}:{}:{}", linted.file, found.line, found.column);
    if !finding.pointer().is_empty() {
        place = format!("{place}  {}", finding.pointer());
    }
    console.line(place)?;
    let (source, before) = shown(found);
    let bar = console.paint(Tone::Quiet, "|");
    console.line(format!("{number} {bar} {source}"))?;
    let marks = console.paint(tone, &"^".repeat(found.width.min(MOST_SOURCE)));
    console.line(format!("{gap} {bar} {}{marks}", " ".repeat(before)))?;
    if let Some(help) = finding.help() {
        console.line(format!("{gap} = help: {help}"))?;
    }
    console.line("")
}

/// The part of the line that is shown, and how many characters of it are before the place.
fn shown(found: &Found) -> (String, usize) {
    let before = found.column.saturating_sub(1);
    let visible = |character: char| {
        if character.is_control() {
            ' '
        } else {
            character
        }
    };
    let length = found.source.chars().count();
    if length <= MOST_SOURCE {
        return (found.source.chars().map(visible).collect(), before);
    }
    let skipped = before.saturating_sub(MOST_SOURCE / 2);
    let part = found
        .source
        .chars()
        .skip(skipped)
        .take(MOST_SOURCE)
        .map(visible)
        .collect();
    (part, before - skipped)
}

pub(super) fn table(linted: &[Linted], console: &mut Console) -> Result<(), Error> {
    let several = linted
        .iter()
        .any(|other| linted.first().is_some_and(|first| first.file != other.file));
    let mut head = vec!["DIALECT", "ERRORS", "WARNINGS", "VERDICT"];
    let mut numbers = 1..3;
    if several {
        head.insert(0, "FILE");
        numbers = 2..4;
    }
    let mut table = Table::new(&head, numbers);
    for linted in linted {
        let (errors, warnings) = (
            linted.count(Severity::Error),
            linted.count(Severity::Warning),
        );
        let verdict = match (errors, warnings) {
            (0, 0) => "takes it",
            (0, _) => "takes it, and enforces a part",
            _ => "refuses it",
        };
        let mut cells = vec![
            linted.dialect.to_string(),
            errors.to_string(),
            warnings.to_string(),
            verdict.to_owned(),
        ];
        if several {
            cells.insert(0, linted.file.clone());
        }
        table.row(cells);
    }
    table.print(console)
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
