//! Faults: named ways in which a server goes wrong. Each is one row of data.
//!
//! A row has edits (what the model says differently) and ops (what happens to the answer on its
//! way), and stands in the table of the place where it strikes. A new fault is a row there and a
//! row in the tests' table of the same name; a test counts one against the other.

mod answers;
mod apply;
mod bulk;
mod connections;
mod data;
mod decisions;
mod edit;
mod embeddings;
mod native;
mod op;
mod protocols;
mod replies;
mod select;
mod streams;
mod tamper;
mod template;

pub(crate) use apply::{Piece, Place, deliver};
pub(crate) use edit::{Call, Edit, EditContext, Said, tokens};
pub(crate) use op::{Op, Reply, Tampering, ToolIndex};
pub(crate) use select::{Selection, parse_list, parse_one};
pub(crate) use template::Facts;

use std::sync::LazyLock;

/// The header that asks for faults.
pub(crate) const FAULT_HEADER: &str = "x-tamis-fault";

/// One named fault.
///
/// ```
/// use tamis_sim::{AppliesTo, Fault};
///
/// let fault = Fault::named("fenced").unwrap();
/// assert_eq!(fault.applies_to(), AppliesTo::Both);
/// assert!(Fault::all().iter().any(|each| each.name() == "connection-reset"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    name: &'static str,
    summary: &'static str,
    applies: AppliesTo,
    /// Answer as if the request had asked for the other kind (a stream for a plain call).
    flip: bool,
    /// What the model says differently.
    edits: &'static [Edit],
    /// What happens to a plain answer on its way.
    plain: &'static [Op],
    /// What happens to a stream on its way.
    stream: &'static [Op],
}

/// The kinds of call that a fault changes. On the other kind it does nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AppliesTo {
    /// Calls without `stream: true`.
    Plain,
    /// Calls with `stream: true`.
    Stream,
    /// Every call.
    Both,
    /// Calls of the catalogue and the account alone. The faults of a plain call that come in an
    /// answer's place, or on its way, change these calls as well.
    Data,
    /// Calls for decisions alone.
    Decisions,
    /// Calls for embeddings alone.
    Embeddings,
}

impl AppliesTo {
    /// Whether completions of this kind are changed.
    pub fn covers(self, stream: bool) -> bool {
        match self {
            Self::Plain => !stream,
            Self::Stream => stream,
            Self::Both => true,
            Self::Data | Self::Decisions | Self::Embeddings => false,
        }
    }

    /// The word for it: `plain`, `stream`, `both`, `data`, `decisions` or `embeddings`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Stream => "stream",
            Self::Both => "both",
            Self::Data => "data",
            Self::Decisions => "decisions",
            Self::Embeddings => "embeddings",
        }
    }
}

static ALL: LazyLock<Vec<Fault>> = LazyLock::new(|| {
    [
        answers::TABLE,
        replies::TABLE,
        streams::TABLE,
        connections::TABLE,
    ]
    .concat()
});

impl Fault {
    /// The faults of the catalogue's and the account's calls alone.
    pub fn of_data() -> &'static [Self] {
        data::TABLE
    }

    /// The faults of calls for decisions alone.
    pub fn of_decisions() -> &'static [Self] {
        decisions::TABLE
    }

    /// The faults of calls for embeddings alone.
    pub fn of_embeddings() -> &'static [Self] {
        embeddings::TABLE
    }

    /// The faults of all calls, those of completions first.
    pub fn everywhere() -> impl Iterator<Item = &'static Self> {
        ALL.iter()
            .chain(data::TABLE)
            .chain(decisions::TABLE)
            .chain(embeddings::TABLE)
            .chain(protocols::TABLE)
    }

    /// The faults of the Responses and the Messages protocol alone. Those of [`Fault::all`] apply there too.
    pub fn of_protocols() -> &'static [Self] {
        protocols::TABLE
    }

    /// Every fault of a completion, grouped by where it strikes: the answer, the status, the stream, the connection.
    /// The first one, `conforming`, is none.
    pub fn all() -> &'static [Self] {
        &ALL
    }

    /// The fault of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::everywhere().find(|fault| fault.name == name)
    }

    /// The stable name, in kebab case.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// One line that says what goes wrong.
    pub fn summary(&self) -> &'static str {
        self.summary
    }

    /// The kinds of call that it changes.
    pub fn applies_to(&self) -> AppliesTo {
        self.applies
    }

    pub(crate) fn flips(&self) -> bool {
        self.flip
    }

    pub(crate) fn edits(&self) -> &'static [Edit] {
        self.edits
    }

    pub(crate) fn ops(&self, stream: bool) -> &'static [Op] {
        if stream { self.stream } else { self.plain }
    }

    /// A fault of what the model says.
    const fn answer(name: &'static str, summary: &'static str, edits: &'static [Edit]) -> Self {
        Self {
            name,
            summary,
            applies: AppliesTo::Both,
            flip: false,
            edits,
            plain: &[],
            stream: &[],
        }
    }

    /// A fault of the transport, alike for plain calls and streams.
    const fn both(name: &'static str, summary: &'static str, ops: &'static [Op]) -> Self {
        Self::each(name, summary, ops, ops)
    }

    /// A fault that plain calls and streams show differently.
    const fn each(
        name: &'static str,
        summary: &'static str,
        plain: &'static [Op],
        stream: &'static [Op],
    ) -> Self {
        Self {
            name,
            summary,
            applies: AppliesTo::Both,
            flip: false,
            edits: &[],
            plain,
            stream,
        }
    }

    /// A fault of plain calls.
    const fn plain(name: &'static str, summary: &'static str, ops: &'static [Op]) -> Self {
        let mut fault = Self::each(name, summary, ops, &[]);
        fault.applies = AppliesTo::Plain;
        fault
    }

    /// A fault of the catalogue's and the account's calls.
    const fn data(name: &'static str, summary: &'static str, ops: &'static [Op]) -> Self {
        let mut fault = Self::each(name, summary, ops, &[]);
        fault.applies = AppliesTo::Data;
        fault
    }

    /// A fault of calls for decisions.
    const fn decisions(name: &'static str, summary: &'static str, ops: &'static [Op]) -> Self {
        let mut fault = Self::each(name, summary, ops, &[]);
        fault.applies = AppliesTo::Decisions;
        fault
    }

    /// A fault of calls for embeddings.
    const fn embeddings(name: &'static str, summary: &'static str, ops: &'static [Op]) -> Self {
        let mut fault = Self::each(name, summary, ops, &[]);
        fault.applies = AppliesTo::Embeddings;
        fault
    }

    /// A fault of streams.
    const fn stream(name: &'static str, summary: &'static str, ops: &'static [Op]) -> Self {
        let mut fault = Self::each(name, summary, &[], ops);
        fault.applies = AppliesTo::Stream;
        fault
    }

    const fn with_edits(mut self, edits: &'static [Edit]) -> Self {
        self.edits = edits;
        self
    }

    const fn flipped(mut self) -> Self {
        self.flip = true;
        self
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{AppliesTo, Fault};

    #[test]
    fn names_are_unique_and_in_kebab_case_and_summaries_are_one_line() {
        let mut names = BTreeSet::new();
        for fault in Fault::everywhere() {
            let name = fault.name();
            assert!(names.insert(name), "{name} twice");
            let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(name.chars().all(kebab) && !name.starts_with('-'), "{name}");
            let summary = fault.summary();
            assert!(
                summary.len() < 120 && !summary.contains('\n'),
                "{name}: {summary}"
            );
            assert!(!summary.ends_with('.'), "{name}: {summary}");
        }
        for ordinary in ["steady", "lottery", "hint-only", "unsupported"] {
            assert!(!names.contains(ordinary), "{ordinary} is a model");
        }
    }

    #[test]
    fn a_fault_does_something_where_it_applies() {
        for fault in Fault::all()
            .iter()
            .filter(|fault| fault.name() != "conforming")
        {
            for stream in [false, true] {
                let acts = fault.flip || !fault.edits.is_empty() || !fault.ops(stream).is_empty();
                if fault.applies_to() == AppliesTo::Both {
                    assert!(acts, "{} stream={stream}", fault.name());
                }
            }
        }
    }
}
