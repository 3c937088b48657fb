//! The search for the cheapest coercions: for each value and the schemas that it must conform to,
//! the few cheapest values that do, put together from those of the parts.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};
use tamis_json::Pointer;

use super::combine::{Alternative, Alternatives, Combinations, KEPT};
use super::graph::{Graph, Set};
use super::moves;
use super::record::{Coercion, CoercionKind, JsonKind};
use crate::validate::parts::Parts;

/// How often in a row a value is put into an array.
const MAX_WRAPS: usize = 2;

pub(super) struct Search<'c> {
    graph: &'c Graph,
    parts: &'c Parts,
    /// What was found, by the schemas, the value's text, and the arrays it was just put into.
    known: BTreeMap<(Set, String, usize), Alternatives>,
    /// Values that may still be looked at.
    budget: usize,
    /// How many levels of a value may still be entered.
    levels: usize,
    /// Whether something was left out that could have mattered.
    gave_up: bool,
}

/// The value to be looked at is too large, or too many were looked at.
struct Spent;

impl<'c> Search<'c> {
    pub(super) fn new(graph: &'c Graph, parts: &'c Parts, budget: usize, levels: usize) -> Self {
        Self {
            graph,
            parts,
            known: BTreeMap::new(),
            budget,
            levels,
            gave_up: false,
        }
    }

    /// The cheapest values that conform to the whole schema. `None` where a limit was hit.
    pub(super) fn run(mut self, value: &Value) -> Option<Alternatives> {
        let found = self.fit(&vec![0], value, 0).ok()?;
        (!self.gave_up).then_some(found)
    }

    /// The cheapest values for this one that conform to all these schemas.
    fn fit(&mut self, set: &Set, value: &Value, wraps: usize) -> Result<Alternatives, Spent> {
        let mut found = Alternatives::default();
        if self.conforms(set, value)? {
            // What conforms is left alone.
            found.add(Alternative {
                cost: 0,
                value: value.clone(),
                coercions: Vec::new(),
            });
            return Ok(found);
        }
        let key = (set.clone(), value.to_string(), wraps);
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        self.levels = self.levels.checked_sub(1).ok_or(Spent)?;
        let Some(ways) = self.graph.ways(set, value) else {
            return Err(Spent);
        };
        self.scalars(set, &ways, value, &mut found)?;
        self.unwrap(set, &ways, value, &mut found)?;
        self.parse(set, value, &mut found)?;
        // A schema that says nothing of such values would let them be, whatever they hold.
        let graph = self.graph;
        let wanted = |kind| ways.iter().any(|way| graph.wants(way, kind));
        let before = JsonKind::from(value);
        found.found.retain(|one| {
            let kind = JsonKind::from(&one.value);
            kind == before || wanted(kind)
        });
        for way in &ways {
            self.spend(1)?;
            self.compose(set, way, value, &mut found)?;
            self.wrap(set, way, value, wraps, &mut found)?;
        }
        self.levels += 1;
        self.known.insert(key, found.clone());
        Ok(found)
    }

    fn spend(&mut self, steps: usize) -> Result<(), Spent> {
        self.budget = self.budget.checked_sub(steps).ok_or(Spent)?;
        Ok(())
    }

    fn conforms(&mut self, set: &[usize], value: &Value) -> Result<bool, Spent> {
        let size = size(value);
        for part in set {
            self.spend(size)?;
            match self.parts.is_valid(*part, value) {
                Some(true) => {}
                Some(false) => return Ok(false),
                // Of a schema that cannot be used alone nothing is known.
                None => return Err(Spent),
            }
        }
        Ok(true)
    }

    fn offer(
        &mut self,
        set: &[usize],
        found: &mut Alternatives,
        new: Alternative,
    ) -> Result<bool, Spent> {
        let conforms = self.conforms(set, &new.value)?;
        if conforms {
            found.add(new);
        }
        Ok(conforms)
    }

    fn scalars(
        &mut self,
        set: &[usize],
        ways: &[Set],
        value: &Value,
        found: &mut Alternatives,
    ) -> Result<(), Spent> {
        let members: BTreeSet<&String> = ways
            .iter()
            .flat_map(|way| self.graph.members(way))
            .collect();
        self.spend(members.len())?;
        for (value, coercions) in moves::scalars(value, members.into_iter()) {
            let new = Alternative {
                cost: coercions.iter().map(|one| one.kind.cost()).sum(),
                value,
                coercions,
            };
            self.offer(set, found, new)?;
        }
        Ok(())
    }

    /// An object or array of what its parts can be.
    fn compose(
        &mut self,
        set: &[usize],
        way: &Set,
        value: &Value,
        found: &mut Alternatives,
    ) -> Result<(), Spent> {
        let graph = self.graph;
        let mut parts = Vec::new();
        match value {
            Value::Object(members) if graph.admits(way, "object") => {
                for (key, member) in members {
                    parts.push(self.fit(&graph.member(way, key), member, 0)?);
                    if parts.last().is_some_and(|part| part.found.is_empty()) {
                        return Ok(());
                    }
                }
            }
            Value::Array(items) if graph.admits(way, "array") => {
                for (index, item) in items.iter().enumerate() {
                    parts.push(self.fit(&graph.item(way, index), item, 0)?);
                    if parts.last().is_some_and(|part| part.found.is_empty()) {
                        return Ok(());
                    }
                }
            }
            _ => return Ok(()),
        }
        let Some(mut combinations) = Combinations::new(&parts) else {
            return Ok(());
        };
        let (mut conforming, mut refused) = (0, false);
        while conforming < KEPT
            && let Some((cost, picked)) = combinations.next()
        {
            self.spend(picked.len())?;
            let new = assembled(value, cost, &picked);
            if self.offer(set, found, new)? {
                conforming += 1;
            } else {
                refused = true;
            }
        }
        let more = conforming < KEPT && combinations.is_given_up();
        self.gave_up |= more || refused && parts.iter().any(|part| part.cut);
        Ok(())
    }

    /// An array of it.
    fn wrap(
        &mut self,
        set: &[usize],
        way: &Set,
        value: &Value,
        wraps: usize,
        found: &mut Alternatives,
    ) -> Result<(), Spent> {
        let single = match value {
            Value::Null | Value::Array(_) => false,
            Value::String(text) => !moves::is_list(text),
            _ => true,
        };
        let wanted = self.graph.admits(way, "array") && self.graph.wants(way, JsonKind::Array);
        if !single || wraps >= MAX_WRAPS || !wanted {
            return Ok(());
        }
        let inner = self.fit(&self.graph.item(way, 0), value, wraps + 1)?;
        let (mut at, mut refused) = (Pointer::root(), false);
        at.push_index(0);
        for one in inner.found {
            let wrapped = Coercion::new(CoercionKind::SingleToArray, value.into(), JsonKind::Array);
            let new = Alternative {
                cost: one.cost + wrapped.kind.cost(),
                value: Value::Array(vec![one.value]),
                coercions: std::iter::once(wrapped)
                    .chain(one.coercions.iter().map(|coercion| coercion.below(&at)))
                    .collect(),
            };
            refused |= !self.offer(set, found, new)?;
        }
        self.gave_up |= refused && inner.cut;
        Ok(())
    }

    /// What the one key that no schema knows holds.
    fn unwrap(
        &mut self,
        set: &Set,
        ways: &[Set],
        value: &Value,
        found: &mut Alternatives,
    ) -> Result<(), Spent> {
        let Value::Object(members) = value else {
            return Ok(());
        };
        let mut members = members.iter();
        let (Some((key, inner)), None) = (members.next(), members.next()) else {
            return Ok(());
        };
        if ways.iter().any(|way| self.graph.knows(way, key)) {
            return Ok(());
        }
        let fitted = self.fit(set, inner, 0)?;
        after(CoercionKind::Wrapper, value, inner, fitted, found);
        Ok(())
    }

    /// What the text is as JSON.
    fn parse(&mut self, set: &Set, value: &Value, found: &mut Alternatives) -> Result<(), Spent> {
        let Value::String(text) = value else {
            return Ok(());
        };
        let Some(inner) = moves::container(text, self.levels) else {
            return Ok(());
        };
        self.spend(text.len() / 8)?;
        let fitted = self.fit(set, &inner, 0)?;
        after(CoercionKind::Stringified, value, &inner, fitted, found);
        Ok(())
    }
}

/// Takes over what was found for the value that stands in for this one.
fn after(
    kind: CoercionKind,
    value: &Value,
    inner: &Value,
    fitted: Alternatives,
    found: &mut Alternatives,
) {
    for mut one in fitted.found {
        one.cost = one.cost.saturating_add(kind.cost());
        one.coercions
            .insert(0, Coercion::new(kind, value.into(), inner.into()));
        found.add(one);
    }
    found.cut |= fitted.cut;
}

/// The value with these parts in place of its own.
fn assembled(value: &Value, cost: u32, parts: &[&Alternative]) -> Alternative {
    let mut coercions = Vec::new();
    let value = if let Value::Object(members) = value {
        let mut whole = Map::new();
        for (key, part) in members.keys().zip(parts) {
            let at = Pointer::root().child(key);
            coercions.extend(part.coercions.iter().map(|coercion| coercion.below(&at)));
            whole.insert(key.clone(), part.value.clone());
        }
        Value::Object(whole)
    } else {
        for (index, part) in parts.iter().enumerate() {
            let mut at = Pointer::root();
            at.push_index(index);
            coercions.extend(part.coercions.iter().map(|coercion| coercion.below(&at)));
        }
        Value::Array(parts.iter().map(|part| part.value.clone()).collect())
    };
    Alternative {
        cost,
        value,
        coercions,
    }
}

/// How much there is to look at in a value.
pub(super) fn size(value: &Value) -> usize {
    let (mut size, mut open) = (0_usize, vec![value]);
    while let Some(value) = open.pop() {
        size += 1;
        match value {
            Value::String(text) => size += text.len() / 16,
            Value::Array(items) => open.extend(items),
            Value::Object(members) => open.extend(members.values()),
            _ => {}
        }
    }
    size
}
