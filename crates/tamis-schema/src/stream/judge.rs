//! The events of a value, and what they do to its rules.

mod begin;
mod check;
mod end;
mod kill;
mod members;
mod text;
mod words;

use std::sync::Arc;

use serde_json::Value;
use tamis_json::{Event, Location, Segment};

use super::frame::{Duty, Eval, Frame, Spare};
use super::rule::{RuleId, Rules};
use super::types::Kind;
use crate::refs::escaped;
use crate::violation::Violation;
use words::words;

/// More rules applied at once are not followed.
const MAX_OPEN: usize = 10_000;

/// Judges one value.
pub(super) struct Judge {
    rules: Arc<Rules>,
    state: State,
    violation: Option<Box<Violation>>,
    /// How many containers are around the value that is judged.
    root: usize,
}

/// What is known of a container whose value is not the one that is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// The judge was told of every property that it has.
    Keys,
    Nothing,
}

/// How far the value has come.
#[derive(Default)]
struct State {
    /// The values in progress, the outermost first.
    frames: Vec<Frame>,
    /// The rules applied to them, in the same order.
    evals: Vec<Eval>,
    /// What applies to the value that begins next.
    next: Vec<Duty>,
    /// A scalar is in progress that has no frame; what applies to it waits in `next`.
    light: Option<Light>,
    spare: Spare,
    given_up: bool,
    broken: Option<Box<Broken>>,
}

/// What is kept of a scalar without a frame.
#[derive(Clone, Copy)]
struct Light {
    /// Some rule has something to say of a text that grows.
    watched: bool,
    /// Some rule has something to say of the whole.
    checked: bool,
    /// Characters of a text that came, where it is watched.
    characters: u64,
    /// Bytes of a text that came.
    bytes: usize,
}

/// Why the root's rule died.
struct Broken {
    rule: RuleId,
    keyword: &'static str,
    /// How deep the value is that breaks it.
    depth: usize,
    /// What the whole check said of it, where it was asked.
    told: Option<Box<Violation>>,
}

impl Broken {
    fn new(rule: RuleId, keyword: &'static str, depth: usize) -> Self {
        Self {
            rule,
            keyword,
            depth,
            told: None,
        }
    }
}

impl Judge {
    pub(super) fn new(rules: Arc<Rules>) -> Self {
        let state = State {
            given_up: !rules.judges,
            ..State::default()
        };
        Self {
            rules,
            state,
            violation: None,
            root: 0,
        }
    }

    pub(super) fn depth_of_root(&self) -> usize {
        self.root
    }

    /// Whether no object conforms, by the root's own keywords.
    pub(super) fn refuses_objects(&self) -> bool {
        let root = self.rules.get(self.rules.root);
        root.is_some_and(|rule| rule.refuses(Kind::Object).is_some())
    }

    /// The value that is judged is the one within the object that begins.
    pub(super) fn look_through(&mut self) {
        self.root = 1;
    }

    fn depth(&self, at: Location<'_>) -> usize {
        at.depth().saturating_sub(self.root)
    }

    /// The value that begins is not judged: it may be anything.
    #[cold]
    pub(super) fn unjudged(&mut self, at: Location<'_>) {
        let depth = self.depth(at);
        if depth == 0 {
            self.give_up();
        }
        if !self.state.given_up {
            self.state.leave_part(&self.rules, depth);
            self.broken(at);
        }
    }

    /// A container is whole. Its value is not the one that is judged, so that only what was told of it
    /// counts.
    pub(super) fn complete_as_sent(&mut self, at: Location<'_>, value: &Value, sight: Sight) {
        if !self.state.given_up {
            self.state.end_as_sent(&self.rules, value, sight);
            self.broken(at);
        }
    }

    /// The first violation. After it nothing more is judged.
    #[inline]
    pub(super) fn violation(&self) -> Option<&Violation> {
        self.violation.as_deref()
    }

    pub(super) fn into_violation(self) -> Option<Violation> {
        self.violation.map(|violation| *violation)
    }

    /// Leaves the rest to the whole check.
    pub(super) fn give_up(&mut self) {
        self.state.give_up();
    }

    /// Takes one event.
    ///
    /// Who tells of an event knows which it is, so that this is one call at most where it is inlined.
    #[inline]
    pub(super) fn event(&mut self, at: Location<'_>, event: Event<'_>) {
        match event {
            Event::ScalarStart(scalar) => self.scalar(at, scalar.into()),
            Event::ObjectStart => self.container(at, Kind::Object),
            Event::ArrayStart => self.container(at, Kind::Array),
            Event::Key(key) => self.key(at, key),
            // What comes most often, and most often says nothing: more of a text.
            Event::StringDelta(_)
                if matches!(self.state.light, Some(Light { watched: false, .. })) => {}
            Event::StringDelta(delta) => self.delta(at, delta),
            Event::Complete(_)
                if matches!(self.state.light, Some(Light { checked: false, .. })) =>
            {
                // Most scalars: all there was to say was said when they began.
                self.state.light = None;
                self.state.next.clear();
            }
            Event::Complete(value) => self.complete(at, value),
            // The value, complete, comes next.
            _ => {}
        }
    }

    fn scalar(&mut self, at: Location<'_>, kind: Kind) {
        if self.state.given_up {
            return;
        }
        self.state.begin_scalar(&self.rules, self.depth(at), kind);
        self.broken(at);
    }

    fn container(&mut self, at: Location<'_>, kind: Kind) {
        if self.state.given_up {
            return;
        }
        self.state.begin(&self.rules, self.depth(at), kind);
        self.broken(at);
    }

    fn key(&mut self, at: Location<'_>, key: &str) {
        if self.state.given_up {
            return;
        }
        self.state.key(&self.rules, self.depth(at), key);
        self.broken(at);
    }

    fn delta(&mut self, at: Location<'_>, delta: &str) {
        if self.state.given_up {
            return;
        }
        self.state.delta(&self.rules, self.depth(at), delta);
        self.broken(at);
    }

    fn complete(&mut self, at: Location<'_>, value: &Value) {
        if self.state.given_up {
            return;
        }
        self.state.complete(&self.rules, self.depth(at), value);
        self.broken(at);
    }

    #[inline]
    fn broken(&mut self, at: Location<'_>) {
        if self.state.broken.is_some() {
            self.tell(at);
        }
    }

    #[cold]
    fn tell(&mut self, at: Location<'_>) {
        if let Some(broken) = self.state.broken.take() {
            self.violation = Some(Box::new(self.told(&broken, at)));
            self.give_up();
        }
    }

    fn told(&self, broken: &Broken, at: Location<'_>) -> Violation {
        let mut instance = String::new();
        for segment in at.segments().skip(self.root).take(broken.depth) {
            instance.push('/');
            match segment {
                Segment::Key(key) => instance.push_str(&escaped(key)),
                Segment::Index(index) => instance.push_str(&index.to_string()),
            }
        }
        let pointer = self.rules.get(broken.rule).map_or("", |rule| &rule.pointer);
        let (keyword, message, masked) = if let Some(told) = &broken.told {
            let told = Violation::clone(told);
            (told.keyword, told.message, told.masked)
        } else {
            let words = words(broken.keyword).to_owned();
            (broken.keyword.to_owned(), words.clone(), words)
        };
        let schema = match keyword.as_str() {
            "falseSchema" => pointer.to_owned(),
            keyword => format!("{pointer}/{keyword}"),
        };
        Violation {
            instance,
            schema,
            keyword,
            message,
            masked,
        }
    }
}

impl State {
    #[cold]
    fn give_up(&mut self) {
        *self = Self {
            given_up: true,
            ..Self::default()
        };
    }

    fn delta(&mut self, rules: &Rules, depth: usize, delta: &str) {
        if self.frames.len() == depth && self.light.is_none() {
            self.begin(rules, depth, Kind::String);
        }
        match &mut self.light {
            None => self.grow(rules, delta),
            Some(light) if light.watched => self.grow_light(rules, delta),
            Some(_) => {}
        }
    }

    fn complete(&mut self, rules: &Rules, depth: usize, value: &Value) {
        if self.frames.len() == depth && self.light.is_none() {
            self.begin(rules, depth, Kind::of(value));
        }
        if self.broken.is_some() {
            return;
        }
        match self.light.take() {
            Some(light) => self.end_light(rules, light, value),
            None => self.end(rules, value),
        }
    }
}
