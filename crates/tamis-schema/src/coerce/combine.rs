//! The cheapest ways to put together what was found for the parts of a value.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::record::Coercion;
use serde_json::Value;

/// How many values are kept for one place.
pub(super) const KEPT: usize = 4;

/// How many combinations are tried for one place.
const TRIED: usize = 256;

/// A value that conforms, and how it came to be.
#[derive(Clone)]
pub(super) struct Alternative {
    pub(super) cost: u32,
    pub(super) value: Value,
    /// In the order in which they were done, with pointers from this value on.
    pub(super) coercions: Vec<Coercion>,
}

/// Every value found for one place, the cheapest first.
#[derive(Clone, Default)]
pub(super) struct Alternatives {
    pub(super) found: Vec<Alternative>,
    /// Whether there were more, all as dear as the last or dearer.
    pub(super) cut: bool,
}

impl Alternatives {
    /// Adds one; of the same value twice, the cheaper one stays.
    pub(super) fn add(&mut self, new: Alternative) {
        if let Some(same) = self.found.iter_mut().find(|old| old.value == new.value) {
            if new.cost < same.cost {
                *same = new;
            }
        } else {
            self.found.push(new);
        }
        self.found.sort_by_key(|alternative| alternative.cost);
        if self.found.len() > KEPT {
            self.found.truncate(KEPT);
            self.cut = true;
        }
    }

    /// Whether the cheapest one is not the only one at its cost.
    pub(super) fn tie(&self) -> Option<(&Alternative, &Alternative)> {
        match self.found.as_slice() {
            [first, second, ..] if first.cost == second.cost => Some((first, second)),
            _ => None,
        }
    }
}

/// Goes through the combinations of one alternative for each part, from the cheapest to the
/// dearest.
pub(super) struct Combinations<'p> {
    parts: &'p [Alternatives],
    /// The parts that have a choice.
    free: Vec<usize>,
    /// Combinations to come: the cost, the choices made, and the first part that may still change.
    open: BinaryHeap<Reverse<(u32, Vec<usize>, usize)>>,
    tried: usize,
}

impl<'p> Combinations<'p> {
    /// `None` where some part has no alternative.
    pub(super) fn new(parts: &'p [Alternatives]) -> Option<Self> {
        let mut cost = 0_u32;
        for part in parts {
            cost = cost.saturating_add(part.found.first()?.cost);
        }
        let free: Vec<usize> = parts
            .iter()
            .enumerate()
            .filter(|(_, part)| part.found.len() > 1)
            .map(|(index, _)| index)
            .collect();
        let none = vec![0; free.len()];
        Some(Self {
            parts,
            free,
            open: BinaryHeap::from([Reverse((cost, none, 0))]),
            tried: 0,
        })
    }

    /// Whether there are more, but too many to be tried.
    pub(super) fn is_given_up(&self) -> bool {
        self.tried >= TRIED && !self.open.is_empty()
    }

    fn cost(&self, free: usize, choice: usize) -> Option<u32> {
        let part = self.parts.get(*self.free.get(free)?)?;
        Some(part.found.get(choice)?.cost)
    }
}

impl<'p> Iterator for Combinations<'p> {
    /// The cost, and the alternative for each part.
    type Item = (u32, Vec<&'p Alternative>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.tried >= TRIED {
            return None;
        }
        self.tried += 1;
        let Reverse((cost, choices, first)) = self.open.pop()?;
        for free in first..choices.len() {
            let choice = *choices.get(free)?;
            if let (Some(now), Some(then)) = (self.cost(free, choice), self.cost(free, choice + 1))
            {
                let mut changed = choices.clone();
                if let Some(slot) = changed.get_mut(free) {
                    *slot += 1;
                }
                self.open
                    .push(Reverse((cost.saturating_add(then - now), changed, free)));
            }
        }
        let chosen: BTreeMap<usize, usize> = self.free.iter().copied().zip(choices).collect();
        let picked =
            self.parts.iter().enumerate().filter_map(|(index, part)| {
                part.found.get(chosen.get(&index).copied().unwrap_or(0))
            });
        Some((cost, picked.collect()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn part(costs: &[u32]) -> Alternatives {
        let mut part = Alternatives::default();
        for (index, cost) in costs.iter().enumerate() {
            part.add(Alternative {
                cost: *cost,
                value: json!(index),
                coercions: Vec::new(),
            });
        }
        part
    }

    #[test]
    fn every_combination_comes_once_and_in_order() {
        let parts = [part(&[0, 3, 4]), part(&[2]), part(&[1, 1]), part(&[0, 5])];
        let all: Vec<(u32, Vec<Value>)> = Combinations::new(&parts)
            .unwrap()
            .map(|(cost, picked)| (cost, picked.iter().map(|one| one.value.clone()).collect()))
            .collect();
        assert_eq!(all.len(), 12);
        assert!(all.iter().map(|(cost, _)| cost).is_sorted());
        let mut distinct: Vec<String> = all
            .iter()
            .map(|(_, values)| format!("{values:?}"))
            .collect();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), 12);
        assert!(Combinations::new(&[part(&[0]), part(&[])]).is_none());
    }

    #[test]
    fn too_many_are_given_up() {
        let parts: Vec<_> = (0..12).map(|_| part(&[0, 1])).collect();
        let mut all = Combinations::new(&parts).unwrap();
        assert_eq!(all.by_ref().count(), TRIED);
        assert!(all.is_given_up());
    }

    #[test]
    fn the_cheapest_are_kept() {
        let kept = part(&[9, 2, 7, 1, 1, 8]);
        let costs: Vec<u32> = kept.found.iter().map(|one| one.cost).collect();
        assert_eq!(costs, [1, 1, 2, 7]);
        assert!(kept.cut && kept.tie().is_some());
    }
}
