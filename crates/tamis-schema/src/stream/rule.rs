//! A schema as rules.

use std::collections::BTreeMap;

use super::types::Types;
use crate::validate::Validator;

/// The number of a rule.
pub(super) type RuleId = usize;

/// A schema's rules; the first is the root's.
pub(super) struct Rules {
    pub(super) rules: Vec<Rule>,
    /// Whether anything can be judged at all.
    pub(super) judges: bool,
}

/// One schema of a document.
#[derive(Default)]
pub(super) struct Rule {
    /// Where it is in the document.
    pub(super) pointer: String,
    /// The schema `false`.
    pub(super) never: bool,
    /// Something in it is not judged here, so that a value is never known to conform.
    pub(super) partial: bool,
    /// `type`, as far as a first byte tells.
    pub(super) types: Option<Types>,
    /// `enum` and `const`, as far as can be told before the end.
    pub(super) members: Option<Members>,
    /// Keywords that one look at the whole value decides.
    pub(super) whole: Option<Validator>,
    /// Whether that is for arrays and objects too.
    pub(super) whole_containers: bool,
    pub(super) max_length: Option<u64>,
    pub(super) applied: Applied,
    pub(super) object: Option<Box<ObjectRule>>,
    pub(super) array: Option<Box<ArrayRule>>,
}

/// The members of an enum.
pub(super) struct Members {
    /// The kinds they are of.
    pub(super) kinds: Types,
    /// Those that are text.
    pub(super) texts: Vec<String>,
    pub(super) keyword: &'static str,
}

/// What applies to the same value.
#[derive(Default)]
pub(super) struct Applied {
    /// `allOf`, `$ref`: each of them, with its keyword.
    pub(super) all: Vec<RuleId>,
    pub(super) any: Vec<RuleId>,
    pub(super) one: Vec<RuleId>,
    pub(super) not: Option<RuleId>,
    pub(super) condition: Option<Condition>,
    /// What applies where a property is there.
    pub(super) dependent: Vec<(String, RuleId)>,
}

/// `if`, with what follows.
#[derive(Clone, Copy)]
pub(super) struct Condition {
    pub(super) test: RuleId,
    pub(super) then: Option<RuleId>,
    pub(super) otherwise: Option<RuleId>,
}

/// What is about objects.
#[derive(Default)]
pub(super) struct ObjectRule {
    pub(super) properties: BTreeMap<String, RuleId>,
    pub(super) patterns: Vec<(Validator, RuleId)>,
    pub(super) rest: Rest,
    pub(super) names: Option<RuleId>,
    pub(super) required: Vec<String>,
    /// The names that a property requires, and under which keyword.
    pub(super) dependent_required: Vec<(String, Vec<String>, &'static str)>,
    pub(super) min_properties: Option<u64>,
    pub(super) max_properties: Option<u64>,
}

/// What is about the properties that nothing else is about.
#[derive(Clone, Copy, Default)]
pub(super) enum Rest {
    /// They may be anything.
    #[default]
    Free,
    /// There may be none.
    Closed,
    Rule(RuleId),
}

/// What is about arrays.
#[derive(Default)]
pub(super) struct ArrayRule {
    pub(super) prefix: Vec<RuleId>,
    /// For the items after those.
    pub(super) items: Option<RuleId>,
    pub(super) contains: Option<Contains>,
    pub(super) min_items: Option<u64>,
    pub(super) max_items: Option<u64>,
    pub(super) unique: bool,
}

/// How many items must fit.
#[derive(Clone, Copy)]
pub(super) struct Contains {
    pub(super) rule: RuleId,
    pub(super) min: u64,
    pub(super) max: Option<u64>,
}

impl Applied {
    /// Whether it has anything whose outcome is known at the value's end only.
    pub(super) fn is_empty(&self) -> bool {
        self.any.is_empty()
            && self.one.is_empty()
            && self.not.is_none()
            && self.condition.is_none()
            && self.dependent.is_empty()
    }
}
