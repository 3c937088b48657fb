//! A value begins.

use super::super::frame::{Duty, Eval, Frame, Parent, Role};
use super::super::rule::{Rest, RuleId};
use super::super::types::Kind;
use super::{Broken, Judge, MAX_OPEN};
use crate::stream::frame::PartRole;

impl Judge {
    pub(super) fn begin(&mut self, depth: usize, kind: Kind) {
        if self.frames.len() != depth {
            // Events that are not of one value, in order.
            self.give_up();
            return;
        }
        let duties = self.duties_of_next();
        let frame = Frame::new(kind);
        self.frames.push(frame);
        if depth == 0 {
            self.apply(0, Parent::Root);
        }
        for duty in duties {
            let parent = Parent::Above {
                eval: duty.eval,
                role: duty.role,
            };
            self.apply(duty.rule, parent);
        }
        self.expand();
    }

    /// What applies to the value that begins, by the one it is in.
    fn duties_of_next(&mut self) -> Vec<Duty> {
        let Some(top) = self.frames.len().checked_sub(1) else {
            return Vec::new();
        };
        if self
            .frames
            .get(top)
            .is_some_and(|frame| frame.kind == Kind::Array)
        {
            self.item(top);
        }
        self.frames
            .get_mut(top)
            .map(|frame| std::mem::take(&mut frame.next))
            .unwrap_or_default()
    }

    /// Another item begins.
    fn item(&mut self, top: usize) {
        let Some(frame) = self.frames.get_mut(top) else {
            return;
        };
        let index = frame.count;
        frame.count += 1;
        let mut over = Vec::new();
        let mut next = Vec::new();
        for (eval, applied) in frame
            .evals
            .iter()
            .enumerate()
            .filter(|(_, eval)| !eval.dead)
        {
            let rule = self.rules.rules.get(applied.rule);
            let Some(array) = rule.and_then(|rule| rule.array.as_ref()) else {
                continue;
            };
            if array.max_items.is_some_and(|most| index >= most) {
                over.push(eval);
                continue;
            }
            let prefix = usize::try_from(index)
                .ok()
                .and_then(|index| array.prefix.get(index));
            let role = PartRole::All;
            next.extend(prefix.or(array.items.as_ref()).map(|rule| Duty {
                rule: *rule,
                eval,
                role,
            }));
            next.extend(array.contains.map(|contains| Duty {
                rule: contains.rule,
                eval,
                role: PartRole::Contains,
            }));
        }
        frame.next = next;
        for eval in over {
            self.kill_at(top, eval, "maxItems");
        }
    }

    /// The key of the next member is known.
    pub(super) fn key(&mut self, depth: usize, key: &str) {
        let Some(top) = depth
            .checked_sub(1)
            .filter(|top| top + 1 == self.frames.len())
        else {
            self.give_up();
            return;
        };
        let Some(frame) = self.frames.get_mut(top) else {
            return;
        };
        frame.count += 1;
        let count = frame.count;
        let rules = std::sync::Arc::clone(&self.rules);
        let mut deaths = Vec::new();
        let mut next = Vec::new();
        let mut names = Vec::new();
        for (eval, applied) in frame
            .evals
            .iter_mut()
            .enumerate()
            .filter(|(_, eval)| !eval.dead)
        {
            let Some(rule) = rules.rules.get(applied.rule) else {
                continue;
            };
            if let Some(union) = &mut applied.union {
                for ((name, _), (came, outcome)) in
                    rule.applied.dependent.iter().zip(&mut union.dependent)
                {
                    if name == key {
                        *came = true;
                        if *outcome == crate::stream::frame::Outcome::Broken {
                            deaths.push((eval, "dependentSchemas"));
                        }
                    }
                }
            }
            let Some(object) = &rule.object else { continue };
            if object.max_properties.is_some_and(|most| count > most) {
                deaths.push((eval, "maxProperties"));
                continue;
            }
            names.extend(object.names.map(|rule| (eval, rule)));
            let mut duty = |rule: RuleId| {
                next.push(Duty {
                    rule,
                    eval,
                    role: PartRole::All,
                });
            };
            let own = object.properties.get(key);
            let mut known = own.is_some();
            own.into_iter().for_each(|rule| duty(*rule));
            if !object.patterns.is_empty() {
                let name = serde_json::Value::String(key.to_owned());
                for (pattern, rule) in &object.patterns {
                    if pattern.is_valid(&name) {
                        known = true;
                        duty(*rule);
                    }
                }
            }
            match object.rest {
                _ if known => {}
                Rest::Free => {}
                Rest::Closed => deaths.push((eval, "additionalProperties")),
                Rest::Rule(rule) => duty(rule),
            }
        }
        frame.next = next;
        for (eval, keyword) in deaths {
            self.kill_at(top, eval, keyword);
        }
        for (eval, rule) in names {
            self.name(top, eval, rule, key);
        }
    }

    /// Applies a rule to the value that began last.
    pub(super) fn apply(&mut self, id: RuleId, parent: Parent) {
        let rules = std::sync::Arc::clone(&self.rules);
        let Some(rule) = rules.rules.get(id) else {
            return;
        };
        self.open += 1;
        if self.open > MAX_OPEN {
            self.give_up();
            return;
        }
        let Some(top) = self.frames.len().checked_sub(1) else {
            return;
        };
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let kind = frame.kind;
        let eval = frame.evals.len();
        frame.evals.push(Eval::new(id, rule, parent));
        let wrong = if rule.never {
            Some("falseSchema")
        } else if rule.types.is_some_and(|types| !types.may_be(kind)) {
            Some("type")
        } else {
            rule.members
                .as_ref()
                .filter(|members| !members.kinds.may_be(kind))
                .map(|members| members.keyword)
        };
        if let Some(keyword) = wrong {
            self.kill(top, eval, Broken::new(id, keyword, top));
        }
    }

    /// Applies what the rules bring for the same value, and what that brings.
    pub(super) fn expand(&mut self) {
        let rules = std::sync::Arc::clone(&self.rules);
        let mut next = 0;
        loop {
            let Some(frame) = self.frames.last() else {
                return;
            };
            let Some(eval) = frame.evals.get(next) else {
                return;
            };
            let (dead, id) = (eval.dead, eval.rule);
            if let (false, Some(rule)) = (dead, rules.rules.get(id)) {
                let applied = &rule.applied;
                let same = |role| Parent::Same { eval: next, role };
                for id in &applied.all {
                    self.apply(*id, same(Role::All));
                }
                for id in &applied.any {
                    self.apply(*id, same(Role::Any));
                }
                for id in &applied.one {
                    self.apply(*id, same(Role::One));
                }
                if let Some(id) = applied.not {
                    self.apply(id, same(Role::Not));
                }
                if let Some(condition) = applied.condition {
                    self.apply(condition.test, same(Role::If));
                    if let Some(id) = condition.then {
                        self.apply(id, same(Role::Then));
                    }
                    if let Some(id) = condition.otherwise {
                        self.apply(id, same(Role::Else));
                    }
                }
                for (number, (_, id)) in applied.dependent.iter().enumerate() {
                    self.apply(*id, same(Role::Dependent(number)));
                }
            }
            next += 1;
        }
    }
}
