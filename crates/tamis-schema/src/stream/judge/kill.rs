//! A rule dies, and what that does to others.

use super::super::frame::{Duty, Outcome, Parent, PartRole, Role};
use super::{Broken, State};

impl State {
    /// A value in progress breaks a keyword of a rule that applies to it.
    pub(super) fn kill_for(&mut self, eval: usize, keyword: &'static str) {
        if let Some(own) = self.evals.get(eval) {
            let broken = Broken::new(own.rule, keyword, own.depth);
            self.kill(eval, broken);
        }
    }

    /// A rule that was not applied yet is broken by the value that it would apply to.
    pub(super) fn fail(&mut self, duty: Duty, broken: Broken) {
        if duty.role == PartRole::All {
            self.kill(duty.eval, broken);
        }
    }

    /// Ends a rule, and those that cannot live without it.
    pub(super) fn kill(&mut self, eval: usize, broken: Broken) {
        let (mut eval, mut broken) = (eval, broken);
        loop {
            let Some(dying) = self.evals.get_mut(eval).filter(|eval| !eval.dead) else {
                return;
            };
            dying.dead = true;
            match dying.parent {
                Parent::Root => {
                    self.broken.get_or_insert_with(|| Box::new(broken));
                    return;
                }
                Parent::Above {
                    role: PartRole::Contains,
                    ..
                } => return,
                Parent::Above { eval: by, .. } => eval = by,
                Parent::Same { eval: by, role } => {
                    eval = by;
                    match self.branch_died(by, role) {
                        Death::Nothing => return,
                        Death::Same => {}
                        Death::Of(keyword) => {
                            if let Some(parent) = self.evals.get(by) {
                                broken = Broken::new(parent.rule, keyword, parent.depth);
                            }
                        }
                    }
                }
            }
        }
    }

    /// Whether a rule dies because one that it brought did.
    fn branch_died(&mut self, eval: usize, role: Role) -> Death {
        if role == Role::All {
            return Death::Same;
        }
        let Some(union) = self
            .evals
            .get_mut(eval)
            .and_then(|eval| eval.union.as_mut())
        else {
            return Death::Nothing;
        };
        let broken = Outcome::Broken;
        let dies = match role {
            Role::All => true,
            Role::Any => {
                union.any.alive = union.any.alive.saturating_sub(1);
                if union.any.alive == 0 {
                    return Death::Of("anyOf");
                }
                false
            }
            Role::One => {
                union.one.alive = union.one.alive.saturating_sub(1);
                if union.one.alive == 0 {
                    return Death::Of("oneOf");
                }
                false
            }
            Role::Not => {
                union.not = broken;
                false
            }
            Role::If => {
                union.test = broken;
                union.otherwise == broken
            }
            Role::Then => {
                union.then = broken;
                union.otherwise == broken || union.test == Outcome::Valid
            }
            Role::Else => {
                union.otherwise = broken;
                union.then == broken || union.test == broken
            }
            Role::Dependent(number) => {
                union
                    .dependent
                    .get_mut(number)
                    .is_some_and(|(came, outcome)| {
                        *outcome = broken;
                        *came
                    })
            }
        };
        if dies { Death::Same } else { Death::Nothing }
    }
}

/// What the death of one rule does to the one that brought it.
enum Death {
    Nothing,
    /// It dies of the same.
    Same,
    /// It dies of a keyword of its own.
    Of(&'static str),
}
