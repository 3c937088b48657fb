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

impl Rules {
    pub(super) fn get(&self, id: RuleId) -> Option<&Rule> {
        self.rules.get(id)
    }
}

/// One schema of a document.
#[derive(Default)]
pub(super) struct Rule {
    /// Where it is in the document.
    pub(super) pointer: String,
    /// A scalar that it applies to needs no state of its own until it is whole.
    pub(super) light: bool,
    /// The schema `false`.
    pub(super) never: bool,
    /// Something in it is not judged here, so that a value is never known to conform.
    pub(super) partial: bool,
    pub(super) types: Option<Types>,
    /// `enum` and `const`.
    pub(super) members: Option<Members>,
    pub(super) text: Option<TextRule>,
    pub(super) number: Option<NumberRule>,
    /// What one look at the whole value decides, and nothing above does.
    pub(super) whole: Option<Whole>,
    pub(super) applied: Applied,
    pub(super) object: Option<Box<ObjectRule>>,
    pub(super) array: Option<Box<ArrayRule>>,
}

impl Rule {
    /// Knows whether it is light.
    pub(super) fn weighed(mut self) -> Self {
        self.light =
            self.applied.is_empty() && self.text.is_none() && self.members.is_none() && !self.never;
        self
    }
}

/// The members of an enum.
pub(super) struct Members {
    /// The kinds they are of.
    pub(super) kinds: Types,
    /// Those that are text, sorted.
    pub(super) texts: Vec<String>,
    pub(super) keyword: &'static str,
}

/// What is about texts.
#[derive(Clone, Copy, Default)]
pub(super) struct TextRule {
    pub(super) min: Option<u64>,
    pub(super) max: Option<u64>,
}

/// Bounds of numbers that a comparison of floats decides exactly.
#[derive(Clone, Copy, Default)]
pub(super) struct NumberRule {
    pub(super) minimum: Option<f64>,
    pub(super) maximum: Option<f64>,
    pub(super) above: Option<f64>,
    pub(super) below: Option<f64>,
}

/// Keywords that the whole check decides, and for which kinds of values it has to be asked.
pub(super) struct Whole {
    pub(super) validator: Validator,
    pub(super) texts: bool,
    pub(super) numbers: bool,
    pub(super) containers: bool,
}

/// What applies to the same value.
#[derive(Default)]
pub(super) struct Applied {
    /// `allOf` and `$ref`.
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
    /// In the schema's order, which answers tend to keep to.
    pub(super) properties: Vec<Property>,
    /// Where each of them is.
    pub(super) places: BTreeMap<String, usize>,
    pub(super) patterns: Vec<(Validator, RuleId)>,
    pub(super) rest: Rest,
    pub(super) names: Option<RuleId>,
    /// A bit for each required name that is among the first 64 properties.
    pub(super) required: u64,
    /// The other required names.
    pub(super) required_too: Vec<String>,
    /// The names that a property requires, and under which keyword.
    pub(super) dependent_required: Vec<(String, Vec<String>, &'static str)>,
    pub(super) min_properties: Option<u64>,
    pub(super) max_properties: Option<u64>,
}

pub(super) struct Property {
    pub(super) name: String,
    pub(super) rule: RuleId,
}

impl ObjectRule {
    /// Where a property is, with the place where it is expected.
    pub(super) fn place(&self, name: &str, expected: usize) -> Option<usize> {
        if self
            .properties
            .get(expected)
            .is_some_and(|property| property.name == name)
        {
            return Some(expected);
        }
        self.places.get(name).copied()
    }
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
    /// Whether a rule with it needs to keep what its branches came to.
    pub(super) fn has_unions(&self) -> bool {
        !self.any.is_empty()
            || !self.one.is_empty()
            || self.not.is_some()
            || self.condition.is_some()
            || !self.dependent.is_empty()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty() && !self.has_unions()
    }
}
