//! The members of an object: which rules are about the next one.

use serde_json::Value;

use super::super::frame::{Duty, Outcome, Parent, PartRole};
use super::super::rule::{Rest, RuleId, Rules};
use super::super::types::Kind;
use super::State;

impl State {
    /// The key of the next member is known.
    pub(super) fn key(&mut self, rules: &Rules, depth: usize, key: &str) {
        self.next.clear();
        let Some(frame) = self.frames.last_mut().filter(|_| depth > 0) else {
            self.give_up();
            return;
        };
        frame.count += 1;
        let (count, start) = (frame.count, frame.start);
        if !self.plain_key(rules, start, key) {
            self.any_key(rules, start, count, key);
        }
    }

    /// Every rule that is about the object says what it has to.
    #[inline(never)]
    fn any_key(&mut self, rules: &Rules, start: usize, count: u64, key: &str) {
        let mut deaths = Vec::new();
        let mut names = Vec::new();
        for (eval, applied) in self.evals.iter_mut().enumerate().skip(start) {
            let Some(rule) = rules.get(applied.rule).filter(|_| !applied.dead) else {
                continue;
            };
            if let Some(union) = &mut applied.union {
                let dependent = rule.applied.dependent.iter().zip(&mut union.dependent);
                for ((name, _), (came, outcome)) in dependent {
                    if name == key {
                        *came = true;
                        if *outcome == Outcome::Broken {
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
            if let Some(rule) = object.names {
                names.push((eval, rule));
            }
            let as_part = PartRole::All;
            let mut known = false;
            if let Some(place) = object.place(key, applied.expected) {
                applied.expected = place + 1;
                if place < 64 {
                    applied.missing &= !(1 << place);
                }
                if let Some(property) = object.properties.get(place) {
                    known = true;
                    self.next.push(Duty::new(property.rule, eval, as_part));
                }
            }
            if !object.patterns.is_empty() {
                let name = Value::String(key.to_owned());
                for (pattern, rule) in &object.patterns {
                    if pattern.is_valid(&name) {
                        known = true;
                        self.next.push(Duty::new(*rule, eval, as_part));
                    }
                }
            }
            match object.rest {
                _ if known => {}
                Rest::Free => {}
                Rest::Closed => deaths.push((eval, "additionalProperties")),
                Rest::Rule(rule) => self.next.push(Duty::new(rule, eval, as_part)),
            }
        }
        for (eval, keyword) in deaths {
            self.kill_for(eval, keyword);
        }
        for (eval, rule) in names {
            self.name(rules, eval, rule, key);
        }
    }

    /// The short way where one rule is about the object, and it is about its properties alone; whether
    /// it was taken.
    fn plain_key(&mut self, rules: &Rules, start: usize, key: &str) -> bool {
        let Some([applied]) = self.evals.get_mut(start..) else {
            return false;
        };
        let object = rules
            .get(applied.rule)
            .and_then(|rule| rule.object.as_ref());
        let Some(object) = object.filter(|object| object.plain) else {
            return false;
        };
        if applied.dead || applied.union.is_some() {
            return false;
        }
        let place = object.place(key, applied.expected);
        let property = place.and_then(|place| Some((place, object.properties.get(place)?)));
        let Some((place, property)) = property else {
            return false;
        };
        applied.expected = place + 1;
        if place < 64 {
            applied.missing &= !(1 << place);
        }
        self.next
            .push(Duty::new(property.rule, start, PartRole::All));
        true
    }

    /// Judges a name, as the text it is, by a rule that another one, for the object, brings.
    fn name(&mut self, rules: &Rules, eval: usize, rule: RuleId, name: &str) {
        if self.broken.is_some() || self.given_up {
            return;
        }
        // What applies to the member waits.
        let next = std::mem::take(&mut self.next);
        self.open(Kind::String);
        let as_part = PartRole::All;
        self.apply(
            rules,
            rule,
            Parent::Above {
                eval,
                role: as_part,
            },
        );
        self.expand(rules);
        self.grow(rules, name);
        if self.broken.is_none() && !self.given_up {
            self.end(rules, &Value::String(name.to_owned()));
        }
        let depth = self.frames.len().saturating_sub(1);
        if let Some(broken) = &mut self.broken {
            // The name has no place of its own; its object has.
            broken.depth = broken.depth.min(depth);
        }
        self.next = next;
    }
}
