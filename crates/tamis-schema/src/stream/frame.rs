//! A value in progress, and the rules that apply to it.

use super::rule::{Rule, RuleId};
use super::types::Kind;

/// A value in progress.
pub(super) struct Frame {
    pub(super) kind: Kind,
    /// The rules that apply to it; those that a rule brings come after it.
    pub(super) evals: Vec<Eval>,
    /// What applies to the member or item that comes next.
    pub(super) next: Vec<Duty>,
    /// Items or members that began.
    pub(super) count: u64,
    /// Characters of a text that came.
    pub(super) characters: u64,
    /// Bytes of a text that came.
    pub(super) bytes: usize,
    /// The items so far, where they must differ.
    pub(super) seen: std::collections::BTreeSet<String>,
}

/// A rule, applied to one value.
pub(super) struct Eval {
    pub(super) rule: RuleId,
    pub(super) parent: Parent,
    /// The value breaks it.
    pub(super) dead: bool,
    /// Something about it is not judged.
    pub(super) unknown: bool,
    /// What its unions came to so far.
    pub(super) union: Option<Box<Union>>,
    /// The members of its enum that the text so far begins.
    pub(super) fitting: Option<Vec<usize>>,
    /// Items that fit `contains`, and those of which that is not known.
    pub(super) contained: (u64, u64),
}

/// What a rule's death means for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parent {
    /// It is the root's.
    Root,
    /// It was brought by a rule for the same value.
    Same { eval: usize, role: Role },
    /// It was brought by a rule for the value that this one is in.
    Above { eval: usize, role: PartRole },
}

/// As what a rule was brought by one for the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    All,
    Any,
    One,
    Not,
    If,
    Then,
    Else,
    /// Where a property is there; by its number.
    Dependent(usize),
}

/// As what a rule was brought by one for the value around.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartRole {
    All,
    Contains,
}

/// A rule for a member or an item, and who brought it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Duty {
    pub(super) rule: RuleId,
    pub(super) eval: usize,
    pub(super) role: PartRole,
}

/// What the unions of a rule came to so far.
#[derive(Default)]
pub(super) struct Union {
    pub(super) any: Branches,
    pub(super) one: Branches,
    pub(super) not: Outcome,
    pub(super) test: Outcome,
    pub(super) then: Outcome,
    pub(super) otherwise: Outcome,
    /// For each dependent schema: whether its property came, and its outcome.
    pub(super) dependent: Vec<(bool, Outcome)>,
}

#[derive(Default)]
pub(super) struct Branches {
    pub(super) alive: usize,
    pub(super) valid: usize,
    pub(super) unknown: usize,
}

/// What is known of a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Not known yet, or never.
    #[default]
    Unknown,
    Valid,
    Broken,
}

impl Frame {
    pub(super) fn new(kind: Kind) -> Self {
        Self {
            kind,
            evals: Vec::new(),
            next: Vec::new(),
            count: 0,
            characters: 0,
            bytes: 0,
            seen: std::collections::BTreeSet::new(),
        }
    }
}

impl Eval {
    pub(super) fn new(id: RuleId, rule: &Rule, parent: Parent) -> Self {
        let applied = &rule.applied;
        let union = (!applied.is_empty()).then(|| {
            Box::new(Union {
                any: Branches {
                    alive: applied.any.len(),
                    ..Branches::default()
                },
                one: Branches {
                    alive: applied.one.len(),
                    ..Branches::default()
                },
                dependent: vec![(false, Outcome::Unknown); applied.dependent.len()],
                ..Union::default()
            })
        });
        Self {
            rule: id,
            parent,
            dead: false,
            unknown: rule.partial,
            union,
            fitting: None,
            contained: (0, 0),
        }
    }
}
