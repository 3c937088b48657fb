//! Judging an answer that comes in the shape of a lowered schema by the caller's own.
//!
//! What the lift leaves as it is goes to the judge unchanged. An absent property that is said by null
//! never reaches it, a wrapper is looked through, and what only the whole answer can bring back (pairs,
//! tuples, texts, branches) is not judged.

use std::sync::Arc;

use serde_json::Value;
use tamis_json::{Event, Location, Scalar, Segment};

use super::judge::{Judge, Sight};
use crate::lift::Lift;
use crate::lift::plan::{Absence, Step, StepId};

/// How far the answer has come.
pub(super) struct Lifted {
    lift: Arc<Lift>,
    /// The containers around, as far as a step is about them.
    levels: Vec<Level>,
    /// What the next member is to be.
    next: Next,
    /// A value that no step is about any more.
    inside: Option<Inside>,
}

/// A container in progress.
struct Level {
    step: StepId,
    /// Items that began.
    index: usize,
    /// Which properties it has is not known before its end.
    unsure: bool,
}

/// What becomes of a member whose key was read.
#[derive(Clone, Copy)]
enum Next {
    /// The judge knows its key.
    Known(StepId),
    /// Null says that it is absent; the judge does not know its key yet.
    OrAbsent(StepId),
    /// The judge does not hear of it.
    Unheard,
}

/// A value at this depth that is handed on, or is not, up to its end.
struct Inside {
    depth: usize,
    heard: bool,
}

impl Lifted {
    pub(super) fn new(lift: Arc<Lift>) -> Self {
        Self {
            lift,
            levels: Vec::new(),
            next: Next::Unheard,
            inside: None,
        }
    }

    pub(super) fn event(&mut self, judge: &mut Judge, at: Location<'_>, event: Event<'_>) {
        if let Some(Inside { depth, heard }) = self.inside {
            if heard {
                judge.event(at, event);
            }
            if matches!(event, Event::Complete(_)) && at.depth() == depth {
                self.inside = None;
            }
            return;
        }
        match event {
            Event::Key(key) => self.key(judge, at, key),
            Event::ObjectEnd | Event::ArrayEnd => {}
            Event::Complete(value) if at.depth() + 1 == self.levels.len() => {
                self.end(judge, at, value);
            }
            _ => self.begin(judge, at, event),
        }
    }

    fn key(&mut self, judge: &mut Judge, at: Location<'_>, key: &str) {
        let Some(level) = self.levels.last_mut() else {
            return;
        };
        self.next = match self.lift.step(level.step) {
            Step::Wrap { key: own, inner } if own == key && level.index == 0 => {
                level.index = 1;
                Next::Known(*inner)
            }
            Step::Object {
                members,
                rest,
                others,
            } => {
                let is_rest = rest.as_ref().is_some_and(|rest| rest.member == key);
                match members
                    .get(key)
                    .map(|member| (&member.absence, member.step))
                {
                    _ if is_rest => Next::Unheard,
                    None => Next::Known(*others),
                    Some((Absence::LeftOut | Absence::NullLeftOut, step)) => Next::Known(step),
                    Some((Absence::Marker(Value::Null), step)) => Next::OrAbsent(step),
                    Some((Absence::Marker(_) | Absence::Boxed, _)) => Next::Unheard,
                }
            }
            // It is not the wrapper that was asked for.
            _ => {
                judge.give_up();
                Next::Unheard
            }
        };
        match self.next {
            Next::Known(_) if self.levels.len() > judge.depth_of_root() => {
                judge.event(at, Event::Key(key));
            }
            Next::Known(_) | Next::OrAbsent(_) => {}
            Next::Unheard => {
                if let Some(level) = self.levels.last_mut() {
                    level.unsure = true;
                }
            }
        }
    }

    /// A value begins.
    fn begin(&mut self, judge: &mut Judge, at: Location<'_>, event: Event<'_>) {
        let step = match self.levels.last_mut() {
            None => Some(self.lift.root()),
            Some(level) => match (self.lift.step(level.step), self.next) {
                (Step::Items { prefix, items }, _) => {
                    let step = prefix.get(level.index).unwrap_or(items);
                    level.index += 1;
                    Some(*step)
                }
                (_, Next::Known(step)) => Some(step),
                (_, Next::OrAbsent(step)) => {
                    let is_null = matches!(
                        event,
                        Event::ScalarStart(Scalar::Null) | Event::Complete(Value::Null)
                    );
                    if let (false, Some(Segment::Key(key))) = (is_null, at.segments().next_back()) {
                        judge.event(at, Event::Key(key));
                        Some(step)
                    } else {
                        None
                    }
                }
                (_, Next::Unheard) => None,
            },
        };
        let Some(step) = step else {
            return self.pass(judge, at, event, false);
        };
        match (self.lift.step(step), event) {
            (Step::Object { members, .. }, Event::ObjectStart) => {
                judge.event(at, event);
                // What is null where it is left out is there in any case.
                let unsure = members
                    .values()
                    .any(|member| member.absence == Absence::NullLeftOut);
                self.open(step, unsure);
            }
            (Step::Items { .. }, Event::ArrayStart) => {
                judge.event(at, event);
                self.open(step, false);
            }
            (Step::Wrap { .. }, Event::ObjectStart)
                if self.levels.is_empty() && judge.refuses_objects() =>
            {
                judge.look_through();
                self.open(step, false);
            }
            (Step::Pairs { .. }, Event::ArrayStart)
            | (Step::Tuple { .. } | Step::Wrap { .. }, Event::ObjectStart)
            | (Step::Text | Step::Any | Step::Either { .. }, _) => {
                judge.unjudged(at);
                self.pass(judge, at, event, false);
            }
            // Of what does not look as it was asked for, nothing is to be undone.
            _ => self.pass(judge, at, event, true),
        }
    }

    fn open(&mut self, step: StepId, unsure: bool) {
        self.levels.push(Level {
            step,
            index: 0,
            unsure,
        });
    }

    /// No step is about the value that begins, or about anything in it.
    fn pass(&mut self, judge: &mut Judge, at: Location<'_>, event: Event<'_>, heard: bool) {
        if heard {
            judge.event(at, event);
        }
        if !matches!(event, Event::Complete(_)) {
            let depth = at.depth();
            self.inside = Some(Inside { depth, heard });
        }
    }

    /// A container that a step is about is whole.
    fn end(&mut self, judge: &mut Judge, at: Location<'_>, value: &Value) {
        let Some(level) = self.levels.pop() else {
            return;
        };
        if !matches!(self.lift.step(level.step), Step::Wrap { .. }) {
            let sight = if level.unsure {
                Sight::Nothing
            } else {
                Sight::Keys
            };
            judge.complete_as_sent(at, value, sight);
        }
    }
}
