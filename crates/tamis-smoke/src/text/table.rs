//! One run as a table.

use comfy_table::{
    Cell, CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table, TableStyle, Width,
};

use super::figures::{cost, time, times};
use super::plain::plain;
use crate::report::{Row, Run};

/// A line above, below the header, and below.
const STYLE: TableStyle = TableStyle::new()
    .top_border(LineStyle::none().fill('─').junction('─'))
    .header_separator(LineStyle::none().fill('─').junction('─'))
    .bottom_border(LineStyle::none().fill('─').junction('─'));

/// What stands where nothing is known.
const NOTHING: &str = "—";

/// On a narrower terminal the tokens are left out.
const ROOMY: u16 = 96;

/// The list of problems is the column that gives way, down to so many characters.
const PROBLEMS: u16 = 11;

pub(super) fn table(run: &Run, width: Option<u16>) -> Table {
    let roomy = width.is_none_or(|width| width >= ROOMY);
    let columns = Columns::of(run, roomy);
    let mut table = Table::new();
    table.load_style(STYLE);
    if let Some(width) = width {
        table
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(width);
    }
    table.set_header(columns.header());
    let names_any = run.providers.iter().any(|row| row.provider.is_some());
    for row in &run.providers {
        let name = match &row.provider {
            Some(name) => plain(name),
            None if names_any => "unknown".to_owned(),
            None => NOTHING.to_owned(),
        };
        table.add_row(columns.cells(&name, row));
    }
    if run.providers.len() != 1 {
        table.add_row(columns.cells("all", &run.total));
    }
    let last = columns.header().len() - 1;
    for (index, column) in table.column_iter_mut().enumerate() {
        let gap = if roomy { 2 } else { 1 };
        column.set_padding((0, if index == last { 0 } else { gap }));
        column.set_constraint(if index == last {
            ColumnConstraint::LowerBoundary(Width::Fixed(PROBLEMS))
        } else {
            ColumnConstraint::ContentWidth
        });
    }
    table
}

/// Which of the optional columns are shown.
struct Columns {
    right: bool,
    first_token: bool,
    tokens: bool,
    cost: bool,
}

impl Columns {
    /// Those with anything in them.
    fn of(run: &Run, roomy: bool) -> Self {
        let total = &run.total;
        Self {
            right: total.right.is_some(),
            first_token: total.first_token.is_some(),
            tokens: roomy && total.completion_tokens.is_some(),
            cost: total.cost.is_some(),
        }
    }

    fn header(&self) -> Vec<&'static str> {
        let mut header = vec!["provider", "parses", "conforms"];
        header.extend(self.right.then_some("right"));
        header.push("p50/p95");
        header.extend(self.first_token.then_some("1st token"));
        header.extend(self.tokens.then_some("tokens in/out"));
        header.extend(self.cost.then_some("cost"));
        header.push("problems");
        header
    }

    fn cells(&self, name: &str, row: &Row) -> Vec<Cell> {
        let number = |text: Option<String>| {
            Cell::new(text.as_deref().unwrap_or(NOTHING)).set_alignment(CellAlignment::Right)
        };
        let bar = |passed: u32| number(Some(format!("{passed}/{}", row.requests)));
        let mut cells = vec![
            Cell::new(name),
            number(Some(parses(row))),
            bar(row.conforms),
        ];
        if self.right {
            cells.push(row.right.map_or_else(|| number(None), bar));
        }
        cells.push(number(
            row.latency
                .map(|latency| times(latency.p50_ms, latency.p95_ms)),
        ));
        if self.first_token {
            cells.push(number(row.first_token.map(|first| time(first.p50_ms))));
        }
        if self.tokens {
            let figure =
                |tokens: Option<u64>| tokens.map_or_else(|| NOTHING.to_owned(), |n| n.to_string());
            cells.push(number(Some(format!(
                "{}/{}",
                figure(row.prompt_tokens),
                figure(row.completion_tokens)
            ))));
        }
        if self.cost {
            cells.push(number(row.cost.map(cost)));
        }
        cells.push(Cell::new(problems(row)));
        cells
    }
}

/// `8/10`, or `6+2/10` where six parse as sent, and two more after repair.
pub(super) fn parses(row: &Row) -> String {
    let (as_sent, requests) = (row.parses_as_sent, row.requests);
    match row.parses.saturating_sub(as_sent) {
        0 => format!("{as_sent}/{requests}"),
        repaired => format!("{as_sent}+{repaired}/{requests}"),
    }
}

/// The most frequent first.
fn problems(row: &Row) -> String {
    if row.problems.is_empty() {
        return NOTHING.to_owned();
    }
    let mut list: Vec<_> = row.problems.iter().collect();
    list.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    list.into_iter()
        .map(|(problem, count)| format!("{count} {problem}"))
        .collect::<Vec<_>>()
        .join(", ")
}
