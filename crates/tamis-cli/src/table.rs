//! Columns for people.

use crate::console::{Console, Tone};
use crate::error::Error;

/// What stands where nothing is known.
pub(crate) const NOTHING: &str = "—";

/// Rows under a head, each column as wide as its widest cell.
#[derive(Debug)]
pub(crate) struct Table {
    head: Vec<&'static str>,
    /// The first of the columns that stand to the right; the last one never does.
    numbers: std::ops::Range<usize>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// With these columns, of which a range holds numbers.
    pub(crate) fn new(head: &[&'static str], numbers: std::ops::Range<usize>) -> Self {
        Self {
            head: head.to_vec(),
            numbers,
            rows: Vec::new(),
        }
    }

    /// Adds a row. What a server wrote cannot break it.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows
            .push(cells.into_iter().map(|cell| plain(&cell)).collect());
    }

    pub(crate) fn print(&self, console: &mut Console) -> Result<(), Error> {
        let widths: Vec<usize> = (0..self.head.len()).map(|at| self.width(at)).collect();
        let head = self.line(&widths, self.head.iter().copied());
        console.line(console.paint(Tone::Quiet, &head))?;
        for row in &self.rows {
            console.line(self.line(&widths, row.iter().map(String::as_str)))?;
        }
        Ok(())
    }

    fn width(&self, column: usize) -> usize {
        let head = self.head.get(column).map_or(0, |cell| cell.chars().count());
        let cells = self.rows.iter().filter_map(|row| row.get(column));
        cells
            .map(|cell| cell.chars().count())
            .fold(head, usize::max)
    }

    fn line<'a>(&self, widths: &[usize], cells: impl Iterator<Item = &'a str>) -> String {
        let mut line = String::new();
        for (at, (cell, width)) in cells.zip(widths).enumerate() {
            if at > 0 {
                line.push_str("  ");
            }
            let gap = " ".repeat(width.saturating_sub(cell.chars().count()));
            if self.numbers.contains(&at) {
                line.push_str(&gap);
                line.push_str(cell);
            } else {
                line.push_str(cell);
                line.push_str(&gap);
            }
        }
        line.truncate(line.trim_end().len());
        line
    }
}

/// Names and what they stand for, a line each.
#[derive(Debug, Default)]
pub(crate) struct Facts(Vec<(&'static str, String)>);

impl Facts {
    /// Adds a line, where there is something to say.
    pub(crate) fn add(&mut self, name: &'static str, value: Option<impl ToString>) {
        if let Some(value) = value {
            self.0.push((name, plain(&value.to_string())));
        }
    }

    pub(crate) fn print(&self, console: &mut Console) -> Result<(), Error> {
        let names = self.0.iter().map(|(name, _)| name.len());
        let width = names.max().unwrap_or_default();
        for (name, value) in &self.0 {
            let gap = " ".repeat(width.saturating_sub(name.len()));
            console.line(format!(
                "{}{gap}  {value}",
                console.paint(Tone::Quiet, name)
            ))?;
        }
        Ok(())
    }
}

/// A cell in one line, with control characters shown and not obeyed.
fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::{Table, plain};

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(&["NAME", "PRICE", "NOTE"], 1..2);
        table.row(["a".to_owned(), "$10".to_owned(), "x".to_owned()]);
        table.row(["löng name".to_owned(), "—".to_owned(), String::new()]);
        let widths: Vec<usize> = (0..3).map(|at| table.width(at)).collect();
        assert_eq!(widths, [9, 5, 4]);
        let lines: Vec<String> = table
            .rows
            .iter()
            .map(|row| table.line(&widths, row.iter().map(String::as_str)))
            .collect();
        assert_eq!(lines, ["a            $10  x", "löng name      —"]);
    }

    #[test]
    fn a_cell_is_one_line() {
        assert_eq!(plain("a\nb\u{1b}[31m"), "a\\nb\\u{1b}[31m");
    }
}
