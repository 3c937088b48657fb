//! A value begins.

use super::super::frame::{Duty, Eval, Frame, Outcome, Parent, PartRole, Role};
use super::super::rule::{RuleId, Rules};
use super::super::types::Kind;
use super::{Broken, Light, MAX_OPEN, State};

impl State {
    /// A scalar begins: mostly one that a single rule is about, which accepts it.
    pub(super) fn begin_scalar(&mut self, rules: &Rules, depth: usize, kind: Kind) {
        if !self.begin_part(rules, depth) {
            return;
        }
        if let [duty] = self.next.as_mut_slice()
            && let Some(rule) = rules.get(duty.rule)
            && rule.accepts_light(kind)
        {
            let watched = rule.watches && kind == Kind::String;
            if watched && let Some(members) = &rule.members {
                duty.fitting = (0, members.texts.len());
            }
            let unique = self.frames.last().is_some_and(|frame| frame.unique);
            self.light = Some(Light {
                watched,
                checked: unique || duty.role == PartRole::Contains || rule.checks(kind),
                characters: 0,
                bytes: 0,
            });
        } else if depth == 0 || !self.begin_light(rules, kind) {
            self.begin_framed(rules, kind);
        }
    }

    /// A value begins of which no scalar was told before.
    pub(super) fn begin(&mut self, rules: &Rules, depth: usize, kind: Kind) {
        if !matches!(kind, Kind::Array | Kind::Object) {
            self.begin_scalar(rules, depth, kind);
        } else if self.begin_part(rules, depth) {
            self.begin_framed(rules, kind);
        }
    }

    /// What applies to the value that begins is known, as that to a member is since its key; whether
    /// the events are those of one value, in order.
    #[inline]
    fn begin_part(&mut self, rules: &Rules, depth: usize) -> bool {
        if self.frames.len() != depth {
            self.give_up();
            return false;
        }
        if let Some(frame) = self.frames.last()
            && frame.kind == Kind::Array
        {
            self.item(rules);
        }
        true
    }

    /// Nothing is known of the part that begins, and nothing will be.
    pub(super) fn leave_part(&mut self, rules: &Rules, depth: usize) {
        if !self.begin_part(rules, depth) {
            return;
        }
        for duty in std::mem::take(&mut self.next) {
            self.tell_above(rules, duty.eval, duty.role, Outcome::Unknown);
        }
        self.unsettle_unique();
    }

    #[inline(never)]
    fn begin_framed(&mut self, rules: &Rules, kind: Kind) {
        self.open(kind);
        if self.frames.len() == 1 {
            self.apply(rules, rules.root, Parent::Root);
            self.expand(rules);
            return;
        }
        if let [duty] = self.next.as_slice() {
            let duty = *duty;
            self.next.clear();
            self.apply(rules, duty.rule, duty.parent());
            if rules.get(duty.rule).is_some_and(|rule| rule.brings) {
                self.expand(rules);
            }
            return;
        }
        let mut duties = std::mem::take(&mut self.next);
        for duty in duties.drain(..) {
            self.apply(rules, duty.rule, duty.parent());
        }
        // The room is used again.
        if self.next.is_empty() {
            self.next = duties;
        }
        self.expand(rules);
    }

    /// A scalar whose rules need no state of their own; its duties stay where they are.
    #[inline(never)]
    fn begin_light(&mut self, rules: &Rules, kind: Kind) -> bool {
        let mut all_fit = true;
        let mut watched = false;
        let mut checked = self.frames.last().is_some_and(|frame| frame.unique);
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
    #[inline(never)]
    fn item(&mut self, rules: &Rules) {
        self.next.clear();
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let index = frame.count;
        frame.count += 1;
        let start = frame.start;
        if !self.plain_item(rules, start, index) {
            self.any_item(rules, start, index);
        }
    }

    /// The short way where one rule is about the array, and it says the same of every item; whether
    /// it was taken.
    fn plain_item(&mut self, rules: &Rules, start: usize, index: u64) -> bool {
        let Some([applied]) = self.evals.get(start..) else {
            return false;
        };
        let array = rules.get(applied.rule).and_then(|rule| rule.array.as_ref());
        let Some(array) = array.filter(|_| !applied.dead) else {
            return false;
        };
        let over = array.max_items.is_some_and(|most| index >= most);
        if over || !array.prefix.is_empty() || array.contains.is_some() {
            return false;
        }
        if let Some(rule) = array.items {
            self.next.push(Duty::new(rule, start, PartRole::All));
        }
        true
    }

    /// Every rule that is about the array says what it has to.
    #[inline(never)]
    fn any_item(&mut self, rules: &Rules, start: usize, index: u64) {
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
                .filter(|rule| rule.brings && !eval.dead)
                .map(|rule| &rule.applied);
            let Some(applied) = brings else {
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
