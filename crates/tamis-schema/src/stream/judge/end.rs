//! A value is complete.

use serde_json::Value;

use super::super::equal::canonical;
use super::super::frame::{Eval, Outcome, Parent, PartRole, Role};
use super::super::rule::{Rule, Rules};
use super::super::types::Kind;
use super::check::{array_check, check, check_scalar};
use super::{Light, Sight, State};

impl State {
    /// The value in progress is complete: what is left to judge of it is judged, and what is around it is
    /// told.
    pub(super) fn end(&mut self, rules: &Rules, value: &Value) {
        let Some(frame) = self.frames.last() else {
            return;
        };
        let (start, characters) = (frame.start, frame.characters);
        if self.evals.len() == start + 1 {
            self.check_own(rules, start, characters, value);
            if self.broken.is_some() {
                return;
            }
            self.conclude(rules, start, value);
        } else {
            for eval in start..self.evals.len() {
                self.check_own(rules, eval, characters, value);
            }
            // What a rule brought comes after it, and is told to it first.
            for eval in (start..self.evals.len()).rev() {
                if self.broken.is_some() {
                    return;
                }
                self.conclude(rules, eval, value);
            }
        }
        self.leave(rules, start, value);
    }

    /// A container is complete whose value is not the one that is judged: nothing but what was told of it
    /// is known, so that it is never sure to conform.
    pub(super) fn end_as_sent(&mut self, rules: &Rules, value: &Value, sight: Sight) {
        let Some(start) = self.frames.last().map(|frame| frame.start) else {
            return;
        };
        for eval in start..self.evals.len() {
            let Some(own) = self.evals.get_mut(eval).filter(|own| !own.dead) else {
                continue;
            };
            own.unknown = true;
            let missing = sight == Sight::Keys && own.missing != 0;
            let array = rules.get(own.rule).and_then(|rule| rule.array.as_ref());
            let keyword = match (value, array) {
                (Value::Object(_), _) if missing => Some("required"),
                (Value::Array(items), Some(array)) => array_check(array, own, items),
                _ => None,
            };
            if let Some(keyword) = keyword {
                self.kill_for(eval, keyword);
            }
        }
        // Members that stand for absent ones are among those of the value.
        let known = if value.is_object() {
            &Value::Null
        } else {
            value
        };
        for eval in (start..self.evals.len()).rev() {
            if self.broken.is_some() {
                return;
            }
            self.conclude(rules, eval, known);
        }
        self.leave(rules, start, value);
        self.unsettle_unique();
    }

    /// What is around the value in progress goes on.
    fn leave(&mut self, rules: &Rules, start: usize, value: &Value) {
        while self.evals.len() > start {
            self.spare
                .extend(self.evals.pop().and_then(|eval| eval.union));
        }
        self.frames.pop();
        if self
            .frames
            .last()
            .is_some_and(|frame| frame.kind == Kind::Array && frame.unique)
        {
            self.unique(rules, value);
        }
    }

    /// Whether the items of the innermost array differ cannot be known any more, only that two are equal.
    pub(super) fn unsettle_unique(&mut self) {
        if let Some(frame) = self.frames.last()
            && frame.unique
        {
            let start = frame.start;
            self.evals
                .iter_mut()
                .skip(start)
                .for_each(|eval| eval.unknown = true);
        }
    }

    /// A rule's own keywords.
    fn check_own(&mut self, rules: &Rules, eval: usize, characters: u64, value: &Value) {
        let Some(own) = self.evals.get(eval).filter(|own| !own.dead) else {
            return;
        };
        let broken = rules
            .get(own.rule)
            .and_then(|rule| check(rule, own, characters, value));
        if let Some(breach) = broken {
            let broken = breach.of(own.rule, own.depth);
            self.kill(eval, broken);
        }
    }

    /// A scalar without a frame is whole.
    pub(super) fn end_light(&mut self, rules: &Rules, light: Light, value: &Value) {
        let depth = self.frames.len();
        for place in 0..self.next.len() {
            let Some(duty) = self.next.get(place).copied() else {
                break;
            };
            let Some(rule) = rules.get(duty.rule) else {
                continue;
            };
            if let Some(broken) = check_scalar(rule, duty.fitting.0, light.characters, value) {
                self.fail(duty, broken.of(duty.rule, depth));
            } else if rule.partial {
                self.tell_above(rules, duty.eval, duty.role, Outcome::Unknown);
            } else if duty.role == PartRole::Contains {
                self.tell_above(rules, duty.eval, duty.role, Outcome::Valid);
            }
        }
        self.next.clear();
        if self.broken.is_none()
            && self
                .frames
                .last()
                .is_some_and(|frame| frame.kind == Kind::Array && frame.unique)
        {
            self.unique(rules, value);
        }
    }

    /// What became of one rule, told to the one that brought it.
    fn conclude(&mut self, rules: &Rules, eval: usize, value: &Value) {
        let Some(own) = self.evals.get_mut(eval) else {
            return;
        };
        let rule = rules.get(own.rule).filter(|rule| rule.settles && !own.dead);
        if let Some(rule) = rule
            && let Some(keyword) = settle(own, rule, value)
        {
            self.kill_for(eval, keyword);
        }
        let Some(own) = self.evals.get(eval) else {
            return;
        };
        let outcome = match (own.dead, own.unknown) {
            (true, _) => Outcome::Broken,
            (false, true) => Outcome::Unknown,
            (false, false) => Outcome::Valid,
        };
        match own.parent {
            Parent::Root => {}
            Parent::Same { eval, role } => self.tell(eval, role, outcome),
            Parent::Above { eval, role } => self.tell_above(rules, eval, role, outcome),
        }
    }

    /// Tells a rule what became of one that it brought for the same value. Deaths were told when they
    /// happened.
    fn tell(&mut self, eval: usize, role: Role, outcome: Outcome) {
        let Some(parent) = self.evals.get_mut(eval) else {
            return;
        };
        if role == Role::All {
            parent.unknown |= outcome == Outcome::Unknown;
            return;
        }
        let Some(union) = &mut parent.union else {
            return;
        };
        match role {
            Role::Any | Role::One => {
                let branches = if role == Role::Any {
                    &mut union.any
                } else {
                    &mut union.one
                };
                match outcome {
                    Outcome::Valid => branches.valid += 1,
                    Outcome::Unknown => branches.unknown += 1,
                    Outcome::Broken => {}
                }
            }
            Role::Not => union.not = outcome,
            Role::If => union.test = outcome,
            Role::Then => union.then = outcome,
            Role::Else => union.otherwise = outcome,
            Role::Dependent(number) => {
                if let Some((_, own)) = union.dependent.get_mut(number) {
                    *own = outcome;
                }
            }
            Role::All => {}
        }
    }

    pub(super) fn tell_above(
        &mut self,
        rules: &Rules,
        eval: usize,
        role: PartRole,
        outcome: Outcome,
    ) {
        let Some(parent) = self.evals.get_mut(eval) else {
            return;
        };
        if role == PartRole::All {
            parent.unknown |= outcome == Outcome::Unknown;
            return;
        }
        match outcome {
            Outcome::Valid => parent.contained.0 += 1,
            Outcome::Unknown => parent.contained.1 += 1,
            Outcome::Broken => return,
        }
        let contained = parent.contained.0;
        let array = rules.get(parent.rule).and_then(|rule| rule.array.as_ref());
        let most = array
            .and_then(|array| array.contains)
            .and_then(|contains| contains.max);
        if most.is_some_and(|most| contained > most) {
            self.kill_for(eval, "maxContains");
        }
    }

    /// An item came whole; where they must differ, it must differ from those before it.
    fn unique(&mut self, rules: &Rules, value: &Value) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let start = frame.start;
        let must = |eval: &Eval| {
            let array = rules.get(eval.rule).and_then(|rule| rule.array.as_ref());
            !eval.dead && array.is_some_and(|array| array.unique)
        };
        if !self.evals.iter().skip(start).any(must) {
            return;
        }
        let Some(text) = canonical(value) else {
            self.evals
                .iter_mut()
                .skip(start)
                .filter(|eval| must(eval))
                .for_each(|eval| eval.unknown = true);
            return;
        };
        if frame.seen.get_or_insert_default().insert(text) {
            return;
        }
        for eval in start..self.evals.len() {
            if self.evals.get(eval).is_some_and(must) {
                self.kill_for(eval, "uniqueItems");
            }
        }
    }
}

/// What a rule's unions come to, now that all of their branches are known; the keyword that is broken.
fn settle(eval: &mut Eval, rule: &Rule, value: &Value) -> Option<&'static str> {
    // Whether enough items fit may hang on some of which nothing is known.
    if let (Some(contains), Value::Array(_)) =
        (rule.array.as_ref().and_then(|array| array.contains), value)
        && eval.contained.1 > 0
    {
        let (fit, unknown) = eval.contained;
        let unsure = fit < contains.min || contains.max.is_some_and(|most| fit + unknown > most);
        eval.unknown |= unsure;
    }
    let union = eval.union.as_ref()?;
    let mut unknown = false;
    if !rule.applied.any.is_empty() && union.any.valid == 0 {
        unknown = true;
    }
    if !rule.applied.one.is_empty() {
        match (union.one.valid, union.one.unknown) {
            (2.., _) => return Some("oneOf"),
            (1, 0) => {}
            _ => unknown = true,
        }
    }
    if rule.applied.not.is_some() {
        match union.not {
            Outcome::Valid => return Some("not"),
            Outcome::Broken => {}
            Outcome::Unknown => unknown = true,
        }
    }
    if let Some(condition) = rule.applied.condition {
        let then = condition.then.map_or(Outcome::Valid, |_| union.then);
        let otherwise = condition
            .otherwise
            .map_or(Outcome::Valid, |_| union.otherwise);
        let (outcome, keyword) = match union.test {
            Outcome::Valid => (then, "then"),
            Outcome::Broken => (otherwise, "else"),
            Outcome::Unknown if then == Outcome::Valid && otherwise == Outcome::Valid => {
                (Outcome::Valid, "")
            }
            Outcome::Unknown => (Outcome::Unknown, ""),
        };
        match outcome {
            Outcome::Broken => return Some(keyword),
            Outcome::Unknown => unknown = true,
            Outcome::Valid => {}
        }
    }
    if let Value::Object(members) = value {
        for ((name, _), (_, outcome)) in rule.applied.dependent.iter().zip(&union.dependent) {
            if members.contains_key(name) {
                match outcome {
                    Outcome::Broken => return Some("dependentSchemas"),
                    Outcome::Unknown => unknown = true,
                    Outcome::Valid => {}
                }
            }
        }
    }
    eval.unknown |= unknown;
    None
}
