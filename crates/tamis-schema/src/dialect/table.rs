//! What is known of a dialect.

use super::rules::{Closed, EnumRule, Limits, PatternRule, References, Required, Root};

/// What is known of a dialect. Facts hold as of the dates of their sources.
#[derive(Debug)]
#[non_exhaustive]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// What it is, in words.
    pub title: &'static str,
    /// Where the upstream takes schemas.
    pub surface: Surface,
    /// Where the facts come from.
    pub sources: &'static [Source],
    /// What each keyword is to the upstream; every one of [`KEYWORDS`](super::KEYWORDS) is in one of them.
    pub facts: &'static [Fact],
    /// What the upstream does with a keyword that it does not support, JSON Schema's own or not.
    pub unsupported: Unsupported,
    /// What the schema's root must be.
    pub root: Root,
    /// Whether objects must say that they are closed.
    pub closed: Closed,
    /// Which properties must be required.
    pub required: Required,
    /// What references may be.
    pub references: References,
    /// What an enum's values may be.
    pub enums: EnumRule,
    /// The formats that are enforced; none where it takes any.
    pub formats: Option<&'static [&'static str]>,
    /// What a format that is not enforced is.
    pub other_formats: Support,
    /// Whether every schema must say a type, or be a reference, a union, an enum or a constant.
    pub typed: bool,
    /// Whether every array has to say its `items`.
    pub items_needed: bool,
    /// What patterns may be.
    pub patterns: PatternRule,
    /// How much of everything.
    pub limits: Limits,
    /// Whether two branches of an `anyOf` may begin with the same property.
    pub same_first_key: bool,
}

/// Where an upstream takes schemas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Surface {
    /// In the response format.
    ResponseFormat,
    /// As the arguments of tools.
    Tools,
    /// In both.
    Both,
}

/// Where a fact comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Source {
    /// What facts call it.
    pub id: &'static str,
    /// What it is, so that it can be found.
    pub title: &'static str,
    /// When it was read or seen, as `YYYY-MM-DD` or `YYYY-MM`.
    pub date: &'static str,
    /// Whether it was seen in answers of the upstream, rather than read in its documentation.
    pub observed: bool,
}

/// What some keywords are to the upstream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fact {
    /// The keywords.
    pub keywords: &'static [&'static str],
    /// What they are.
    pub support: Support,
    /// How it is restricted, or where sources disagree; empty where there is no more to say.
    pub note: &'static str,
    /// The [`Source`] it comes from.
    pub source: &'static str,
}

/// What a keyword is to an upstream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Support {
    /// It is enforced, or read where it is an annotation.
    Supported,
    /// It is enforced in some forms only, which the fact's note says.
    Restricted,
    /// It is accepted, and not enforced.
    Ignored,
    /// A schema with it is refused.
    Rejected,
    /// Nothing is known.
    Unknown,
}

/// What an upstream does with a keyword that it does not support.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unsupported {
    /// It refuses the schema.
    Refused,
    /// It leaves the keyword out of account, and says nothing.
    Ignored,
    /// Nothing is known.
    Unknown,
}

impl Support {
    /// Its name: `supported`, `restricted`, `ignored`, `rejected`, `unknown`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::Restricted => "restricted",
            Self::Ignored => "ignored",
            Self::Rejected => "rejected",
            Self::Unknown => "unknown",
        }
    }

    /// Whether the upstream keeps to it, in some form at least.
    pub const fn is_enforced(self) -> bool {
        matches!(self, Self::Supported | Self::Restricted)
    }
}

impl Table {
    /// What a keyword is to the upstream; none for one that is not JSON Schema's.
    pub fn keyword(&self, name: &str) -> Option<&Fact> {
        self.facts.iter().find(|fact| fact.keywords.contains(&name))
    }

    /// A source by its id.
    pub fn source(&self, id: &str) -> Option<&Source> {
        self.sources.iter().find(|source| source.id == id)
    }
}

/// A source that is a document.
pub(super) const fn documented(
    id: &'static str,
    title: &'static str,
    date: &'static str,
) -> Source {
    Source {
        id,
        title,
        date,
        observed: false,
    }
}

/// A source that is what an upstream answered.
pub(super) const fn observed(id: &'static str, title: &'static str, date: &'static str) -> Source {
    Source {
        id,
        title,
        date,
        observed: true,
    }
}

/// A fact.
pub(super) const fn fact(
    support: Support,
    keywords: &'static [&'static str],
    source: &'static str,
) -> Fact {
    Fact {
        keywords,
        support,
        note: "",
        source,
    }
}

/// A fact with more to say.
pub(super) const fn noted(
    support: Support,
    keywords: &'static [&'static str],
    source: &'static str,
    note: &'static str,
) -> Fact {
    Fact {
        keywords,
        support,
        note,
        source,
    }
}
