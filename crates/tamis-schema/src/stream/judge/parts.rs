//! Names of properties, judged as the texts they are.

use serde_json::Value;

use super::super::frame::{Frame, Parent, PartRole};
use super::super::rule::RuleId;
use super::super::types::Kind;
use super::Judge;

impl Judge {
    /// Judges a name by a rule that another one, for the object, brings.
    pub(super) fn name(&mut self, top: usize, eval: usize, rule: RuleId, name: &str) {
        if self.broken.is_some() || !self.judging || self.frames.len() != top + 1 {
            return;
        }
        self.frames.push(Frame::new(Kind::String));
        self.apply(
            rule,
            Parent::Above {
                eval,
                role: PartRole::All,
            },
        );
        self.expand();
        self.grow(name);
        if self.judging && self.broken.is_none() {
            self.end(&Value::String(name.to_owned()));
        }
        if let Some(broken) = &mut self.broken {
            // The name has no place of its own; its object has.
            broken.depth = broken.depth.min(top);
        }
    }
}
