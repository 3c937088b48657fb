//! Findings for people.

use tamis::schema::Severity;

use super::found::{Found, Linted};
use super::window::Window;
use crate::console::{Console, Tone, one_line};
use crate::error::Error;
use crate::table::Table;

pub(super) fn findings(linted: &[Linted<'_>], console: &mut Console) -> Result<(), Error> {
    for linted in linted {
        let name = one_line(&linted.source.name);
        for found in &linted.found {
            finding(linted, &name, found, console)?;
        }
        let dialect = linted.dialect;
        let words = match (linted.errors, linted.warnings) {
            (0, 0) => format!("{dialect} takes it as it is"),
            (0, warnings) => format!("{dialect} takes it; {}", counted(warnings, "warning")),
            (errors, 0) => format!("{dialect} will refuse it: {}", counted(errors, "error")),
            (errors, warnings) => format!(
                "{dialect} will refuse it: {}, {}",
                counted(errors, "error"),
                counted(warnings, "warning")
            ),
        };
        console.line(format!("{name}: {words}"))?;
        if linted.has_errors() {
            let help = format!("--dialect {dialect} --fix rewrites it");
            console.tell(Tone::Quiet, "help", &help);
        }
    }
    Ok(())
}

fn finding(
    linted: &Linted<'_>,
    name: &str,
    found: &Found,
    console: &mut Console,
) -> Result<(), Error> {
    let finding = &found.finding;
    let tone = match finding.severity() {
        Severity::Error => Tone::Bad,
        Severity::Warning => Tone::Warning,
        _ => Tone::Quiet,
    };
    let label = console.paint(tone, &format!("{}[{}]", finding.severity(), finding.rule()));
    console.line(format!("{label}: {}", one_line(finding.message())))?;
    let number = found.line.to_string();
    let gap = " ".repeat(number.len());
    let mut place = format!("{gap} --> {name}:{}:{}", found.line, found.column);
    if !finding.pointer().is_empty() {
        place = format!("{place}  {}", one_line(finding.pointer()));
    }
    console.line(place)?;
    let window = Window::new(&linted.source.text, found.offset);
    let bar = console.paint(Tone::Quiet, "|");
    console.line(format!("{number} {bar} {}", window.shown))?;
    let marks = console.paint(tone, &"^".repeat(window.width));
    console.line(format!("{gap} {bar} {}{marks}", " ".repeat(window.before)))?;
    if let Some(help) = finding.help() {
        console.line(format!("{gap} = help: {}", one_line(help)))?;
    }
    console.line("")
}

pub(super) fn table(linted: &[Linted<'_>], console: &mut Console) -> Result<(), Error> {
    let names = || linted.iter().map(|linted| &linted.source.name);
    let several = names().any(|name| names().next() != Some(name));
    let mut head = vec!["DIALECT", "ERRORS", "WARNINGS", "VERDICT"];
    let mut numbers = 1..3;
    if several {
        head.insert(0, "FILE");
        numbers = 2..4;
    }
    let mut table = Table::new(&head, numbers);
    for linted in linted {
        let (errors, warnings) = (linted.errors, linted.warnings);
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
            cells.insert(0, one_line(&linted.source.name).into_owned());
        }
        table.row(cells);
    }
    table.print(console)
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
