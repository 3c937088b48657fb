//! One run as a table.

use comfy_table::{Cell, CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};

use super::figures::{cost, time};
use super::plain::plain;
use crate::report::{Row, Run};
use crate::stats::Percentiles;

/// A line above, below the header, and below.
const STYLE: TableStyle = TableStyle::new()
    .top_border(LineStyle::none().fill('─').junction('─'))
    .header_separator(LineStyle::none().fill('─').junction('─'))
    .bottom_border(LineStyle::none().fill('─').junction('─'));

/// What stands where nothing is known.
const NOTHING: &str = "—";

pub(super) fn table(run: &Run, width: Option<u16>) -> Table {
    let columns = Columns::of(run);
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
    table
}

/// Which of the optional columns have anything in them.
struct Columns {
    right: bool,
    first_token: bool,
    tokens: bool,
    cost: bool,
}

impl Columns {
    fn of(run: &Run) -> Self {
        let total = &run.total;
        Self {
            right: total.right.is_some(),
            first_token: total.first_token.is_some(),
            tokens: total.completion_tokens.is_some(),
            cost: total.cost.is_some(),
        }
    }

    fn header(&self) -> Vec<&'static str> {
        let mut header = vec!["provider", "requests", "parses", "conforms"];
        header.extend(self.right.then_some("right"));
        header.extend(["problems", "p50", "p95"]);
        header.extend(self.first_token.then_some("first token"));
        header.extend(self.tokens.then_some("tokens in/out"));
        header.extend(self.cost.then_some("cost"));
        header
    }

    fn cells(&self, name: &str, row: &Row) -> Vec<Cell> {
        let number = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
        let bar = |passed: u32| number(format!("{passed}/{}", row.requests));
        let mut cells = vec![
            Cell::new(name),
            number(row.requests.to_string()),
            bar(row.parses),
            bar(row.conforms),
        ];
        if self.right {
            cells.push(row.right.map_or_else(|| number(NOTHING.to_owned()), bar));
        }
        cells.push(Cell::new(problems(row)));
        let percentile = |times: Option<Percentiles>, figure: fn(Percentiles) -> f64| {
            number(times.map_or_else(|| NOTHING.to_owned(), |times| time(figure(times))))
        };
        cells.push(percentile(row.latency, |times| times.p50_ms));
        cells.push(percentile(row.latency, |times| times.p95_ms));
        if self.first_token {
            cells.push(percentile(row.first_token, |times| times.p50_ms));
        }
        if self.tokens {
            let figure =
                |tokens: Option<u64>| tokens.map_or_else(|| NOTHING.to_owned(), |n| n.to_string());
            cells.push(number(format!(
                "{}/{}",
                figure(row.prompt_tokens),
                figure(row.completion_tokens)
            )));
        }
        if self.cost {
            cells.push(number(row.cost.map_or_else(|| NOTHING.to_owned(), cost)));
        }
        cells
    }
}

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
