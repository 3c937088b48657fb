//! A value begins.

use super::super::frame::{Duty, Eval, Frame, Parent, PartRole, Role};
use super::super::rule::{RuleId, Rules};
use super::super::types::Kind;
use super::{Broken, Light, MAX_OPEN, State};

impl State {
    pub(super) fn begin(&mut self, rules: &Rules, depth: usize, kind: Kind) {
        if self.frames.len() != depth {
            // Events that are not of one value, in order.
            self.give_up();
            return;
        }
        if depth == 0 {
            self.open(kind);
            self.apply(rules, rules.root, Parent::Root);
            self.expand(rules);
            return;
        }
        if self
            .frames
            .last()
            .is_some_and(|frame| frame.kind == Kind::Array)
        {
            self.item(rules);
        }
        if !matches!(kind, Kind::Array | Kind::Object) && self.begin_light(rules, kind) {
            return;
        }
        self.open(kind);
        let mut duties = std::mem::take(&mut self.next);
        for duty in duties.drain(..) {
            let parent = Parent::Above {
                eval: duty.eval,
                role: duty.role,
            };
            self.apply(rules, duty.rule, parent);
        }
        // The room is used again.
        if self.next.is_empty() {
            self.next = duties;
        }
        self.expand(rules);
    }

    /// A scalar whose rules need no state of their own; its duties stay where they are.
    fn begin_light(&mut self, rules: &Rules, kind: Kind) -> bool {
        let mut all_fit = true;
        let (mut watched, mut checked) = (false, false);
        for duty in &mut self.next {
            let Some(rule) = rules.get(duty.rule).filter(|rule| rule.light) else {
                return false;
            };
            all_fit &= rule.refuses(kind).is_none();
            checked |= duty.role == PartRole::Contains || rule.checks(kind);
            if rule.watches && kind == Kind::String {
                watched = true;
                let members = rule.members.as_ref();
                duty.fitting = (0, members.map_or(0, |members| members.texts.len()));
            }
        }
        self.light = Some(Light {
            watched,
            checked,
            characters: 0,
            bytes: 0,
        });
        if !all_fit {
            self.fail_where(|duty| rules.get(duty.rule)?.refuses(kind));
        }
        true
    }

    /// Fails the duties that break a keyword.
    pub(super) fn fail_where(&mut self, mut breaks: impl FnMut(&mut Duty) -> Option<&'static str>) {
        let mut place = 0;
        while let Some(duty) = self.next.get_mut(place) {
            let Some(keyword) = breaks(duty) else {
                place += 1;
                continue;
            };
            let duty = self.next.swap_remove(place);
            self.fail(duty, Broken::new(duty.rule, keyword, self.frames.len()));
        }
    }

    pub(super) fn open(&mut self, kind: Kind) {
        self.frames.push(Frame::new(kind, self.evals.len()));
    }

    /// Another item of the innermost array begins.
    fn item(&mut self, rules: &Rules) {
        self.next.clear();
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let index = frame.count;
        frame.count += 1;
        let start = frame.start;
        let mut over = Vec::new();
        for (eval, applied) in self.evals.iter().enumerate().skip(start) {
            let array = rules.get(applied.rule).and_then(|rule| rule.array.as_ref());
            let Some(array) = array.filter(|_| !applied.dead) else {
                continue;
            };
            if array.max_items.is_some_and(|most| index >= most) {
                over.push(eval);
                continue;
            }
            let prefix = usize::try_from(index)
                .ok()
                .and_then(|index| array.prefix.get(index));
            if let Some(rule) = prefix.or(array.items.as_ref()) {
                self.next.push(Duty::new(*rule, eval, PartRole::All));
            }
            if let Some(contains) = array.contains {
                self.next
                    .push(Duty::new(contains.rule, eval, PartRole::Contains));
            }
        }
        for eval in over {
            self.kill_for(eval, "maxItems");
        }
    }

    /// Applies a rule to the value that began last.
    pub(super) fn apply(&mut self, rules: &Rules, id: RuleId, parent: Parent) {
        let (Some(rule), Some(frame)) = (rules.get(id), self.frames.last_mut()) else {
            return;
        };
        frame.unique |= rule.array.as_ref().is_some_and(|array| array.unique);
        if self.evals.len() >= MAX_OPEN {
            self.give_up();
            return;
        }
        let (kind, depth, eval) = (frame.kind, self.frames.len() - 1, self.evals.len());
        self.evals
            .push(Eval::new(id, rule, depth, parent, &mut self.spare));
        if let Some(keyword) = rule.refuses(kind) {
            self.kill(eval, Broken::new(id, keyword, depth));
        }
    }

    /// Applies what the rules bring for the same value, and what that brings.
    pub(super) fn expand(&mut self, rules: &Rules) {
        let Some(mut next) = self.frames.last().map(|frame| frame.start) else {
            return;
        };
        while let Some(eval) = self.evals.get(next) {
            let brings = rules
                .get(eval.rule)
                .map(|rule| &rule.applied)
                .filter(|_| !eval.dead);
            let Some(applied) = brings.filter(|applied| !applied.is_empty()) else {
                next += 1;
                continue;
            };
            let same = |role| Parent::Same { eval: next, role };
            for (list, role) in [
                (&applied.all, Role::All),
                (&applied.any, Role::Any),
                (&applied.one, Role::One),
            ] {
                for id in list {
                    self.apply(rules, *id, same(role));
                }
            }
            if let Some(id) = applied.not {
                self.apply(rules, id, same(Role::Not));
            }
            if let Some(condition) = applied.condition {
                self.apply(rules, condition.test, same(Role::If));
                for (id, role) in [
                    (condition.then, Role::Then),
                    (condition.otherwise, Role::Else),
                ] {
                    if let Some(id) = id {
                        self.apply(rules, id, same(role));
                    }
                }
            }
            for (number, (_, id)) in applied.dependent.iter().enumerate() {
                self.apply(rules, *id, same(Role::Dependent(number)));
            }
            next += 1;
        }
    }
}
