//! A value is complete.

use serde_json::{Map, Value};

use super::super::equal::canonical;
use super::super::frame::{Eval, Outcome, Parent, PartRole, Role};
use super::super::rule::{ArrayRule, ObjectRule, Rule};
use super::{Broken, Judge, is_container};

impl Judge {
    /// The value in progress is complete: what is left to judge of it is judged, and what is around it is told.
    pub(super) fn end(&mut self, value: &Value) {
        let Some(top) = self.frames.len().checked_sub(1) else {
            return;
        };
        self.last_checks(top, value);
        if self.broken.is_some() {
            return;
        }
        let count = self.frames.get(top).map_or(0, |frame| frame.evals.len());
        // What a rule brought comes after it, and is told to it first.
        for eval in (0..count).rev() {
            self.conclude(top, eval, value);
            if self.broken.is_some() {
                return;
            }
        }
        if let Some(frame) = self.frames.pop() {
            self.open = self.open.saturating_sub(frame.evals.len());
        }
        self.unique(value);
    }

    /// Checks of the whole value that no other rule takes part in.
    fn last_checks(&mut self, top: usize, value: &Value) {
        let rules = std::sync::Arc::clone(&self.rules);
        let Some(frame) = self.frames.get(top) else {
            return;
        };
        let mut deaths = Vec::new();
        for (eval, applied) in frame
            .evals
            .iter()
            .enumerate()
            .filter(|(_, eval)| !eval.dead)
        {
            let Some(rule) = rules.rules.get(applied.rule) else {
                continue;
            };
            if let Some(broken) = check(rule, applied, value, top) {
                deaths.push((eval, broken));
            }
        }
        for (eval, broken) in deaths {
            self.kill(top, eval, broken);
        }
    }

    /// What became of one rule, told to the one that brought it.
    fn conclude(&mut self, top: usize, eval: usize, value: &Value) {
        let rules = std::sync::Arc::clone(&self.rules);
        let Some(own) = self.eval_mut(top, eval) else {
            return;
        };
        let id = own.rule;
        if let (false, Some(rule)) = (own.dead, rules.rules.get(id))
            && let Some(keyword) = settle(own, rule, value)
        {
            self.kill(top, eval, Broken::new(id, keyword, top));
        }
        let Some(own) = self.eval_mut(top, eval) else {
            return;
        };
        let outcome = match (own.dead, own.unknown) {
            (true, _) => Outcome::Broken,
            (false, true) => Outcome::Unknown,
            (false, false) => Outcome::Valid,
        };
        let parent = own.parent;
        match parent {
            Parent::Root => {}
            Parent::Same { eval, role } => self.tell(top, eval, role, outcome),
            Parent::Above { eval, role } => {
                if let Some(above) = top.checked_sub(1) {
                    self.tell_above(above, eval, role, outcome);
                }
            }
        }
    }

    /// Tells a rule what became of one that it brought for the same value. Deaths were told when they happened.
    fn tell(&mut self, top: usize, eval: usize, role: Role, outcome: Outcome) {
        let Some(parent) = self.eval_mut(top, eval) else {
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

    fn tell_above(&mut self, frame: usize, eval: usize, role: PartRole, outcome: Outcome) {
        let rules = std::sync::Arc::clone(&self.rules);
        let Some(parent) = self.eval_mut(frame, eval) else {
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
        let array = rules
            .rules
            .get(parent.rule)
            .and_then(|rule| rule.array.as_ref());
        let most = array
            .and_then(|array| array.contains)
            .and_then(|contains| contains.max);
        if most.is_some_and(|most| contained > most) {
            self.kill_at(frame, eval, "maxContains");
        }
    }

    /// An item came whole; it must differ from those before it.
    fn unique(&mut self, value: &Value) {
        let rules = std::sync::Arc::clone(&self.rules);
        let Some(top) = self.frames.len().checked_sub(1) else {
            return;
        };
        let Some(frame) = self.frames.get_mut(top) else {
            return;
        };
        let must = |eval: &Eval| {
            let rule = rules
                .rules
                .get(eval.rule)
                .and_then(|rule| rule.array.as_ref());
            !eval.dead && rule.is_some_and(|array| array.unique)
        };
        if frame.kind != super::Kind::Array || !frame.evals.iter().any(must) {
            return;
        }
        let twice = match canonical(value) {
            Some(text) => !frame.seen.insert(text),
            None => {
                frame
                    .evals
                    .iter_mut()
                    .filter(|eval| must(eval))
                    .for_each(|eval| eval.unknown = true);
                return;
            }
        };
        if twice {
            let broken: Vec<usize> = frame
                .evals
                .iter()
                .enumerate()
                .filter(|(_, eval)| must(eval))
                .map(|(eval, _)| eval)
                .collect();
            for eval in broken {
                self.kill_at(top, eval, "uniqueItems");
            }
        }
    }
}

/// What of a rule's own keywords a whole value breaks.
fn check(rule: &Rule, eval: &Eval, value: &Value, depth: usize) -> Option<Broken> {
    let keyword = match value {
        Value::Object(members) => rule
            .object
            .as_ref()
            .and_then(|object| object_check(object, members)),
        Value::Array(items) => rule
            .array
            .as_ref()
            .and_then(|array| array_check(array, eval, items)),
        _ => None,
    };
    if let Some(keyword) = keyword {
        return Some(Broken::new(eval.rule, keyword, depth));
    }
    let whole = rule.whole.as_ref()?;
    if (is_container(value) && !rule.whole_containers) || whole.is_valid(value) {
        return None;
    }
    let told = whole.violations(value).into_iter().next();
    Some(Broken {
        told: told.map(Box::new),
        ..Broken::new(eval.rule, "", depth)
    })
}

fn object_check(object: &ObjectRule, members: &Map<String, Value>) -> Option<&'static str> {
    let count = members.len() as u64;
    if !object
        .required
        .iter()
        .all(|name| members.contains_key(name))
    {
        return Some("required");
    }
    if object.min_properties.is_some_and(|least| count < least) {
        return Some("minProperties");
    }
    object
        .dependent_required
        .iter()
        .find_map(|(name, required, keyword)| {
            let broken = members.contains_key(name)
                && !required.iter().all(|name| members.contains_key(name));
            broken.then_some(*keyword)
        })
}

fn array_check(array: &ArrayRule, eval: &Eval, items: &[Value]) -> Option<&'static str> {
    if array
        .min_items
        .is_some_and(|least| (items.len() as u64) < least)
    {
        return Some("minItems");
    }
    let contains = array.contains?;
    let (fit, unknown) = eval.contained;
    (fit + unknown < contains.min).then_some(if contains.min == 1 {
        "contains"
    } else {
        "minContains"
    })
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
