//! `docs/dialects.md` says what the tables say. To write it anew:
//!
//! ```sh
//! TAMIS_WRITE_PAGES=1 cargo test -p tamis-schema --test dialects_page
//! ```

use std::fmt::Write as _;
use std::path::Path;

use tamis_schema::{Dialect, KEYWORDS, Support};

const HEAD: &str = "\
# Dialects

What each upstream takes of JSON Schema, as `tamis lint` and lowering know it. Written from the tables in
`crates/tamis-schema/src/dialect/tables/`; a test keeps this page like them. Facts hold as of the dates of their sources.

✔ enforced, or read where it informs · ◐ restricted · ~ accepted, and not enforced · ✘ refused · ? not known
";

fn sign(support: Support) -> &'static str {
    match support {
        Support::Supported => "✔",
        Support::Restricted => "◐",
        Support::Ignored => "~",
        Support::Rejected => "✘",
        _ => "?",
    }
}

fn page() -> String {
    let mut page = HEAD.to_owned();
    page.push_str("\n## Keywords\n\n| keyword |");
    for dialect in Dialect::all() {
        let _ = write!(page, " {dialect} |");
    }
    page.push_str("\n| --- |");
    page.push_str(&" --- |".repeat(Dialect::all().len()));
    for keyword in KEYWORDS {
        let _ = write!(page, "\n| `{keyword}` |");
        for dialect in Dialect::all() {
            let support = dialect
                .table()
                .keyword(keyword)
                .map_or(Support::Unknown, |fact| fact.support);
            let _ = write!(page, " {} |", sign(support));
        }
    }
    page.push('\n');
    for dialect in Dialect::all() {
        let table = dialect.table();
        let _ = write!(page, "\n## {dialect}\n\n{}.\n\n", table.title);
        let _ = writeln!(
            page,
            "- A keyword that it does not support is {}.",
            format!("{:?}", table.unsupported).to_lowercase()
        );
        if table.root.object {
            page.push_str("- The root has to be an object");
            page.push_str(if table.root.any_of {
                ".\n"
            } else {
                ", and no `anyOf`.\n"
            });
        }
        let _ = writeln!(
            page,
            "- Closed objects: {:?}. Required properties: {:?}.",
            table.closed, table.required
        );
        let references = table.references;
        let _ = writeln!(
            page,
            "- References: to {}; beside them: {:?}; recursion: {:?}.",
            references
                .definitions
                .iter()
                .map(|word| format!("`{word}`"))
                .collect::<Vec<_>>()
                .join(", "),
            references.siblings,
            references.recursion
        );
        if table.items_needed {
            page.push_str("- Every array has to say its `items`.\n");
        }
        if let Some(formats) = table.formats.filter(|formats| !formats.is_empty()) {
            let _ = writeln!(page, "- Formats: {}.", formats.join(", "));
        }
        let limits = format!("{:?}", table.limits);
        let limits: Vec<String> = limits
            .trim_start_matches("Limits { ")
            .trim_end_matches(" }")
            .split(", ")
            .filter_map(|limit| limit.strip_suffix(')')?.split_once(": Some("))
            .map(|(name, most)| format!("{} {most}", name.replace('_', " ")))
            .collect();
        if !limits.is_empty() {
            let _ = writeln!(page, "- Limits: {}.", limits.join(", "));
        }
        for fact in table
            .facts
            .iter()
            .filter(|fact| !fact.note.is_empty() && fact.keywords.len() < 12)
        {
            let keywords: Vec<String> = fact
                .keywords
                .iter()
                .map(|keyword| format!("`{keyword}`"))
                .collect();
            let _ = writeln!(
                page,
                "- {} {}: {}",
                sign(fact.support),
                keywords.join(", "),
                fact.note
            );
        }
        page.push_str("- Sources:");
        for source in table.sources {
            let seen = if source.observed { ", observed" } else { "" };
            let _ = write!(page, " {} ({}{seen});", source.title, source.date);
        }
        page.pop();
        page.push_str(".\n");
    }
    page
}

#[test]
fn the_page_says_what_the_tables_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/dialects.md");
    if std::env::var_os("TAMIS_WRITE_PAGES").is_some() {
        std::fs::write(&path, page()).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == page(),
        "docs/dialects.md is not what the tables say; see the top of this test"
    );
}
