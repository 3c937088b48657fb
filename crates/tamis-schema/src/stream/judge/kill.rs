//! A rule dies, and what that does to others.

use super::super::frame::{Outcome, Parent, PartRole, Role};
use super::{Broken, Judge};

impl Judge {
    /// A value in progress breaks a keyword of a rule that applies to it.
    pub(super) fn kill_at(&mut self, frame: usize, eval: usize, keyword: &'static str) {
        let rule = self
            .frames
            .get(frame)
            .and_then(|frame| frame.evals.get(eval))
            .map(|eval| eval.rule);
        if let Some(rule) = rule {
            self.kill(frame, eval, Broken::new(rule, keyword, frame));
        }
    }

    /// Ends a rule, and those that cannot live without it.
    pub(super) fn kill(&mut self, frame: usize, eval: usize, broken: Broken) {
        let (mut frame, mut eval, mut broken) = (frame, eval, broken);
        loop {
            let Some(dying) = self.eval_mut(frame, eval).filter(|eval| !eval.dead) else {
                return;
            };
            dying.dead = true;
            match dying.parent {
                Parent::Root => {
                    self.broken.get_or_insert(broken);
                    return;
                }
                Parent::Above { eval: above, role } => {
                    let Some(below) = frame.checked_sub(1) else {
                        return;
                    };
                    frame = below;
                    eval = above;
                    if role == PartRole::Contains {
                        return;
                    }
                }
                Parent::Same { eval: by, role } => {
                    eval = by;
                    match self.branch_died(frame, by, role) {
                        Death::Nothing => return,
                        Death::Same => {}
                        Death::Of(keyword) => {
                            let rule = self.eval_mut(frame, by).map_or(0, |eval| eval.rule);
                            broken = Broken::new(rule, keyword, frame);
                        }
                    }
                }
            }
        }
    }

    /// Whether a rule dies because one that it brought did.
    fn branch_died(&mut self, frame: usize, eval: usize, role: Role) -> Death {
        let Some(parent) = self.eval_mut(frame, eval) else {
            return Death::Nothing;
        };
        let Some(union) = &mut parent.union else {
            return match role {
                Role::All => Death::Same,
                _ => Death::Nothing,
            };
        };
        let broken = Outcome::Broken;
        match role {
            Role::All => return Death::Same,
            Role::Any => {
                union.any.alive = union.any.alive.saturating_sub(1);
                if union.any.alive == 0 {
                    return Death::Of("anyOf");
                }
            }
            Role::One => {
                union.one.alive = union.one.alive.saturating_sub(1);
                if union.one.alive == 0 {
                    return Death::Of("oneOf");
                }
            }
            Role::Not => union.not = broken,
            Role::If => {
                union.test = broken;
                if union.otherwise == broken {
                    return Death::Same;
                }
            }
            Role::Then => {
                union.then = broken;
                if union.otherwise == broken || union.test == Outcome::Valid {
                    return Death::Same;
                }
            }
            Role::Else => {
                union.otherwise = broken;
                if union.then == broken || union.test == broken {
                    return Death::Same;
                }
            }
            Role::Dependent(number) => {
                if let Some((came, outcome)) = union.dependent.get_mut(number) {
                    *outcome = broken;
                    if *came {
                        return Death::Same;
                    }
                }
            }
        }
        Death::Nothing
    }

    pub(super) fn eval_mut(
        &mut self,
        frame: usize,
        eval: usize,
    ) -> Option<&mut super::super::frame::Eval> {
        self.frames.get_mut(frame)?.evals.get_mut(eval)
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
