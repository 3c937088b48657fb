//! A schema as rules.

use std::collections::BTreeMap;

use super::types::{Kind, Kinds, Types};
use crate::validate::Validator;

/// A reference to a reference is followed so often.
const LONGEST_CHAIN: usize = 16;

/// The number of a rule.
pub(super) type RuleId = usize;

/// A schema's rules.
pub(super) struct Rules {
    pub(super) all: Vec<Rule>,
    pub(super) root: RuleId,
    /// Whether anything can be judged at all.
    pub(super) judges: bool,
}

impl Rules {
    /// Rules as they were made, the root's first.
    pub(super) fn new(mut rules: Vec<Rule>) -> Self {
        let stand_ins: Vec<Option<RuleId>> = rules.iter().map(Rule::stands_for).collect();
        let meant = |mut id: RuleId| {
            // References may lead in a ring.
            for _ in 0..LONGEST_CHAIN {
                match stand_ins.get(id) {
                    Some(Some(next)) => id = *next,
                    _ => break,
                }
            }
            id
        };
        for rule in &mut rules {
            for id in rule.brought() {
                *id = meant(*id);
            }
        }
        Self {
            all: rules,
            root: meant(0),
            judges: true,
        }
    }

    /// Of a schema of which nothing can be judged.
    pub(super) const fn none() -> Self {
        Self {
            all: Vec::new(),
            root: 0,
            judges: false,
        }
    }

    pub(super) fn get(&self, id: RuleId) -> Option<&Rule> {
        self.all.get(id)
    }
}

/// One schema of a document.
#[derive(Default)]
pub(super) struct Rule {
    /// Where it is in the document.
    pub(super) pointer: String,
    /// A scalar that it applies to needs no state of its own.
    pub(super) light: bool,
    /// It has something to say of a text that grows.
    pub(super) watches: bool,
    /// It brings other rules for the same value.
    pub(super) brings: bool,
    /// When all of a value is known, there is something to settle: unions, or items to be counted.
    pub(super) settles: bool,
    /// The kinds of values that it does not refuse as soon as they begin.
    pub(super) accepts: Kinds,
    /// The kinds of whole scalars that it has something to say of, where it did not refuse them.
    pub(super) checks: Kinds,
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
    /// Knows what it costs.
    pub(super) fn weighed(mut self) -> Self {
        self.brings = !self.applied.is_empty();
        let contains = self
            .array
            .as_ref()
            .is_some_and(|array| array.contains.is_some());
        self.settles = self.applied.has_unions() || contains;
        if let Some(object) = &mut self.object {
            object.plain = object.patterns.is_empty()
                && object.names.is_none()
                && object.max_properties.is_none();
        }
        self.light = !self.brings && !self.never;
        let literals = self.partial || self.members.is_some();
        let texts =
            literals || self.text.is_some() || self.whole.as_ref().is_some_and(|whole| whole.texts);
        self.checks = Kinds::that(|kind| match kind {
            Kind::String => texts,
            Kind::Null | Kind::Boolean => literals,
            Kind::Number | Kind::Array | Kind::Object => true,
        });
        self.accepts = Kinds::that(|kind| self.refusal(kind).is_none());
        self.watches = self.members.is_some() || self.text.is_some_and(|text| text.max.is_some());
        self
    }

    /// Whether it has something to say of a whole scalar of a kind that it did not refuse.
    pub(super) const fn checks(&self, kind: Kind) -> bool {
        self.checks.has(kind)
    }

    /// Whether it lets a scalar of this kind begin, and needs no state of its own for it.
    pub(super) const fn accepts_light(&self, kind: Kind) -> bool {
        self.light && self.accepts.has(kind)
    }

    /// The keyword that a value of this kind breaks as soon as it begins.
    pub(super) fn refuses(&self, kind: Kind) -> Option<&'static str> {
        if self.accepts.has(kind) {
            None
        } else {
            self.refusal(kind)
        }
    }

    fn refusal(&self, kind: Kind) -> Option<&'static str> {
        if self.never {
            return Some("falseSchema");
        }
        if self.types.is_some_and(|types| !types.may_be(kind)) {
            return Some("type");
        }
        let members = self.members.as_ref();
        members
            .filter(|members| !members.kinds.may_be(kind))
            .map(|members| members.keyword)
    }

    /// The one rule that this one stands for: it says nothing but where to look.
    pub(super) fn stands_for(&self) -> Option<RuleId> {
        let silent = !self.never
            && !self.partial
            && self.types.is_none()
            && self.members.is_none()
            && self.text.is_none()
            && self.number.is_none()
            && self.whole.is_none()
            && self.object.is_none()
            && self.array.is_none()
            && !self.applied.has_unions();
        match self.applied.all.as_slice() {
            [only] if silent => Some(*only),
            _ => None,
        }
    }

    /// The rules that it brings.
    pub(super) fn brought(&mut self) -> impl Iterator<Item = &mut RuleId> {
        let Applied {
            all,
            any,
            one,
            not,
            condition,
            dependent,
        } = &mut self.applied;
        let condition = condition.iter_mut().flat_map(|condition| {
            let ends = condition.then.iter_mut().chain(&mut condition.otherwise);
            std::iter::once(&mut condition.test).chain(ends)
        });
        let members = self.object.iter_mut().flat_map(|object| {
            let rest = match &mut object.rest {
                Rest::Rule(rule) => Some(rule),
                Rest::Free | Rest::Closed => None,
            };
            let properties = object
                .properties
                .iter_mut()
                .map(|property| &mut property.rule);
            let patterns = object.patterns.iter_mut().map(|(_, rule)| rule);
            properties
                .chain(patterns)
                .chain(rest)
                .chain(&mut object.names)
        });
        let items = self.array.iter_mut().flat_map(|array| {
            let contains = array.contains.iter_mut().map(|contains| &mut contains.rule);
            array
                .prefix
                .iter_mut()
                .chain(&mut array.items)
                .chain(contains)
        });
        all.iter_mut()
            .chain(any)
            .chain(one)
            .chain(not)
            .chain(condition)
            .chain(dependent.iter_mut().map(|(_, rule)| rule))
            .chain(members)
            .chain(items)
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
    /// It is about its properties alone, so that a key needs but one look.
    pub(super) plain: bool,
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
