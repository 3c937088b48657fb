//! The plan: what to undo where. Its steps lie flat in one list and name each other by number, so that
//! recursion is no special case, and no plan is too deep to be stored or read back.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::shape::Shape;

/// A step's place in the plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct StepId(u32);

impl StepId {
    /// The step that changes nothing is always the first.
    pub(crate) const SAME: Self = Self(0);
}

/// One place's change, told from the answer's side. `members` and the like name what the answer holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "snake_case")]
pub(crate) enum Step {
    /// Nothing to undo here or below.
    Same,
    /// An object that stayed one.
    Object {
        members: BTreeMap<String, Member>,
        /// Where what is not among the members was put.
        rest: Option<Rest>,
        /// For what is not among the members, in an object that stayed open.
        others: StepId,
    },
    /// A map that became an array of `{"key": …, "value": …}`.
    Pairs { value: StepId },
    /// An array that stayed one.
    Items { prefix: Vec<StepId>, items: StepId },
    /// A tuple that became an object: the elements in order, then where those behind them were put.
    Tuple {
        elements: Vec<(String, Member)>,
        rest: Option<Rest>,
    },
    /// A value that was put under the only key of an object.
    Wrap { key: String, inner: StepId },
    /// A value that became a string holding its JSON text.
    Text,
    /// Any value; objects within it became `{"entries": [{"key": …, "value": …}]}`.
    Any,
    /// One of several, told apart by what they look like.
    Either { branches: Vec<Branch> },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Member {
    pub(crate) step: StepId,
    pub(crate) absence: Absence,
}

/// How the answer says that a property is not there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Absence {
    /// By leaving it out, as JSON does.
    LeftOut,
    /// By this value, which the property itself never has.
    Marker(Value),
    /// By null; where it is there, it is under the key `value` of an object.
    Boxed,
    /// It is always there; its null is said by leaving it out.
    NullLeftOut,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rest {
    pub(crate) member: String,
    pub(crate) step: StepId,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Branch {
    pub(crate) step: StepId,
    /// What the caller's values of this branch look like.
    pub(crate) original: Shape,
    /// What the answers of this branch look like.
    pub(crate) sent: Shape,
    /// The branch as sent, to be sure of an encoded value.
    pub(crate) schema: Value,
}

/// The keys of a pair.
pub(crate) const PAIR_KEY: &str = "key";
pub(crate) const PAIR_VALUE: &str = "value";
/// The key of an object within a value of any kind.
pub(crate) const ANY_ENTRIES: &str = "entries";
/// The key of a boxed property.
pub(crate) const BOX_VALUE: &str = "value";

/// The steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Plan(Vec<Step>);

impl Default for Plan {
    fn default() -> Self {
        Self(vec![Step::Same])
    }
}

impl Plan {
    /// A step that is not in the plan (one read from elsewhere) changes nothing.
    pub(crate) fn get(&self, id: StepId) -> &Step {
        let index = usize::try_from(id.0).unwrap_or(usize::MAX);
        self.0.get(index).unwrap_or(&Step::Same)
    }

    pub(crate) fn add(&mut self, step: Step) -> StepId {
        if step == Step::Same {
            return StepId::SAME;
        }
        let id = StepId(u32::try_from(self.0.len()).unwrap_or(u32::MAX));
        self.0.push(step);
        id
    }

    /// A place for a step that is not known yet.
    pub(crate) fn reserve(&mut self) -> StepId {
        let id = StepId(u32::try_from(self.0.len()).unwrap_or(u32::MAX));
        self.0.push(Step::Same);
        id
    }

    pub(crate) fn set(&mut self, id: StepId, step: Step) {
        let index = usize::try_from(id.0).unwrap_or(usize::MAX);
        if let Some(place) = self.0.get_mut(index) {
            *place = step;
        }
    }

    /// Whether each step changes nothing, nor any step below it. A recursion changes nothing unless
    /// something on its way does.
    pub(crate) fn identities(&self) -> Vec<bool> {
        let mut same: Vec<bool> = self.0.iter().map(Step::keeps_its_place).collect();
        // Who is to be looked at again when a step turns out to change something.
        let mut above: Vec<Vec<usize>> = vec![Vec::new(); self.0.len()];
        for (index, step) in self.0.iter().enumerate() {
            step.below(|StepId(id)| {
                if let Some(list) = usize::try_from(id).ok().and_then(|id| above.get_mut(id)) {
                    list.push(index);
                }
            });
        }
        let mut open: Vec<usize> = (0..same.len())
            .filter(|index| same.get(*index) == Some(&false))
            .collect();
        while let Some(index) = open.pop() {
            for user in above.get(index).into_iter().flatten() {
                if let Some(flag) = same.get_mut(*user)
                    && *flag
                {
                    *flag = false;
                    open.push(*user);
                }
            }
        }
        same
    }

    /// Whether a step changes nothing, nor any step below it, where those in `open` may.
    pub(crate) fn certainly_same(&self, id: StepId, open: &BTreeSet<StepId>) -> bool {
        let mut seen = BTreeSet::new();
        let mut left = vec![id];
        while let Some(id) = left.pop() {
            if id == StepId::SAME || !seen.insert(id) {
                continue;
            }
            let step = self.get(id);
            if open.contains(&id) || !step.keeps_its_place() {
                return false;
            }
            step.below(|below| left.push(below));
        }
        true
    }

    /// Forgets what changes nothing, and what the step `from` never comes to. Returns its new number.
    pub(crate) fn prune(&mut self, from: StepId) -> StepId {
        let same = self.identities();
        let is_same = |id: StepId| {
            usize::try_from(id.0)
                .ok()
                .and_then(|index| same.get(index).copied())
                .unwrap_or(true)
        };
        if is_same(from) {
            *self = Self::default();
            return StepId::SAME;
        }
        let mut new_ids = BTreeMap::from([(from, StepId(1))]);
        let mut order = vec![from];
        let mut next = 0;
        let mut kept = vec![Step::Same];
        while let Some(id) = order.get(next).copied() {
            next += 1;
            let mut step = self.get(id).clone();
            step.each_below(|below| {
                *below = if is_same(*below) {
                    StepId::SAME
                } else {
                    *new_ids.entry(*below).or_insert_with(|| {
                        order.push(*below);
                        StepId(u32::try_from(order.len()).unwrap_or(u32::MAX))
                    })
                };
            });
            if let Step::Object {
                members,
                rest: None,
                others: StepId::SAME,
            } = &mut step
            {
                members.retain(|_, member| {
                    member.step != StepId::SAME || member.absence != Absence::LeftOut
                });
            }
            kept.push(step);
        }
        self.0 = kept;
        StepId(1)
    }
}

impl Step {
    /// Whether the step itself changes nothing, whatever those below it do.
    fn keeps_its_place(&self) -> bool {
        match self {
            Self::Same | Self::Items { .. } | Self::Either { .. } => true,
            Self::Object { members, rest, .. } => {
                rest.is_none()
                    && members
                        .values()
                        .all(|member| member.absence == Absence::LeftOut)
            }
            Self::Pairs { .. }
            | Self::Tuple { .. }
            | Self::Wrap { .. }
            | Self::Text
            | Self::Any => false,
        }
    }

    fn below(&self, mut visit: impl FnMut(StepId)) {
        self.clone().each_below(|id| visit(*id));
    }

    fn each_below(&mut self, mut visit: impl FnMut(&mut StepId)) {
        match self {
            Self::Same | Self::Text | Self::Any => {}
            Self::Object {
                members,
                rest,
                others,
            } => {
                for member in members.values_mut() {
                    visit(&mut member.step);
                }
                if let Some(rest) = rest {
                    visit(&mut rest.step);
                }
                visit(others);
            }
            Self::Pairs { value } => visit(value),
            Self::Items { prefix, items } => {
                for id in prefix {
                    visit(id);
                }
                visit(items);
            }
            Self::Tuple { elements, rest } => {
                for (_, member) in elements {
                    visit(&mut member.step);
                }
                if let Some(rest) = rest {
                    visit(&mut rest.step);
                }
            }
            Self::Wrap { inner, .. } => visit(inner),
            Self::Either { branches } => {
                for branch in branches {
                    visit(&mut branch.step);
                }
            }
        }
    }
}
