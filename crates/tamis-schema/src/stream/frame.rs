//! A value in progress, and the rules that apply to it.

use std::collections::BTreeSet;

use super::rule::{Applied, Rule, RuleId};
use super::types::Kind;

/// A value in progress.
pub(super) struct Frame {
    pub(super) kind: Kind,
    /// Where its rules begin among all that are applied; they end where the next frame's begin.
    pub(super) start: usize,
    /// Items or members that began.
    pub(super) count: u64,
    /// Characters of a text that came.
    pub(super) characters: u64,
    /// Bytes of a text that came.
    pub(super) bytes: usize,
    /// Some rule wants the items to differ.
    pub(super) unique: bool,
    /// The items so far, where they must differ.
    pub(super) seen: Option<BTreeSet<String>>,
}

/// A rule, applied to one value. Evals are known by their places among all that are applied.
pub(super) struct Eval {
    pub(super) rule: RuleId,
    /// How deep the value is.
    pub(super) depth: usize,
    pub(super) parent: Parent,
    /// The value breaks it.
    pub(super) dead: bool,
    /// Something about it is not judged.
    pub(super) unknown: bool,
    /// What its unions came to so far.
    pub(super) union: Option<Box<Union>>,
    /// The members of its enum that the text so far begins, as a range of the sorted ones.
    pub(super) fitting: (usize, usize),
    /// Required properties that did not come yet.
    pub(super) missing: u64,
    /// Where the next property is expected.
    pub(super) expected: usize,
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
    /// As [`Eval::fitting`], while the value is a scalar that has no frame.
    pub(super) fitting: (usize, usize),
}

impl Duty {
    pub(super) const fn new(rule: RuleId, eval: usize, part: PartRole) -> Self {
        Self {
            rule,
            eval,
            role: part,
            fitting: (0, 0),
        }
    }
}

impl Duty {
    /// Who is told what becomes of it.
    pub(super) const fn parent(self) -> Parent {
        Parent::Above {
            eval: self.eval,
            role: self.role,
        }
    }
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

/// Unions of rules that are done, to be used again with the memory that they have.
pub(super) type Spare = Vec<Box<Union>>;

/// What is known of a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Not known yet, or never.
    #[default]
    Unknown,
    Valid,
    Broken,
}

impl Union {
    /// Nothing is known yet.
    fn begin(&mut self, applied: &Applied) {
        let mut dependent = std::mem::take(&mut self.dependent);
        dependent.clear();
        dependent.resize(applied.dependent.len(), (false, Outcome::Unknown));
        let all_of = |branches: &Vec<RuleId>| Branches {
            alive: branches.len(),
            ..Branches::default()
        };
        *self = Self {
            any: all_of(&applied.any),
            one: all_of(&applied.one),
            dependent,
            ..Self::default()
        };
    }
}

impl Frame {
    pub(super) const fn new(kind: Kind, start: usize) -> Self {
        Self {
            kind,
            start,
            count: 0,
            characters: 0,
            bytes: 0,
            unique: false,
            seen: None,
        }
    }
}

impl Eval {
    /// `spare` holds unions that are not needed any more.
    pub(super) fn new(
        id: RuleId,
        rule: &Rule,
        depth: usize,
        parent: Parent,
        spare: &mut Spare,
    ) -> Self {
        let applied = &rule.applied;
        let union = applied.has_unions().then(|| {
            let mut union = spare.pop().unwrap_or_default();
            union.begin(applied);
            union
        });
        Self {
            rule: id,
            depth,
            parent,
            dead: false,
            unknown: rule.partial,
            union,
            fitting: (
                0,
                rule.members
                    .as_ref()
                    .map_or(0, |members| members.texts.len()),
            ),
            missing: rule.object.as_ref().map_or(0, |object| object.required),
            expected: 0,
            contained: (0, 0),
        }
    }
}
