//! The events of a value, and what they do to its rules.

mod begin;
mod end;
mod kill;
mod parts;
mod text;

use std::sync::Arc;

use serde_json::Value;
use tamis_json::{Event, Location, Segment};

use super::frame::Frame;
use super::rule::{Rule, RuleId, Rules};
use super::types::Kind;
use crate::refs::escaped;
use crate::violation::Violation;

/// More branches open at once are not followed.
const MAX_OPEN: usize = 10_000;

/// Judges one value.
pub(super) struct Judge {
    rules: Arc<Rules>,
    frames: Vec<Frame>,
    /// Rules applied in all frames.
    open: usize,
    judging: bool,
    broken: Option<Broken>,
}

/// Why the root's rule died.
pub(super) struct Broken {
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
        Self {
            judging: rules.judges,
            rules,
            frames: Vec::new(),
            open: 0,
            broken: None,
        }
    }

    /// Leaves the rest to the whole check.
    pub(super) fn give_up(&mut self) {
        self.judging = false;
        self.frames.clear();
    }

    /// Takes one event; the violation, if it is one.
    pub(super) fn event(&mut self, at: Location<'_>, event: Event<'_>) -> Option<Violation> {
        if !self.judging {
            return None;
        }
        let depth = at.depth();
        match event {
            Event::ScalarStart(scalar) => self.begin(depth, Kind::from(scalar)),
            Event::ObjectStart => self.begin(depth, Kind::Object),
            Event::ArrayStart => self.begin(depth, Kind::Array),
            Event::Key(key) => self.key(depth, key),
            Event::StringDelta(delta) => {
                self.begin_if_not_begun(depth, Kind::String);
                self.grow(delta);
            }
            Event::Complete(value) => {
                self.begin_if_not_begun(depth, Kind::of(value));
                if self.judging && self.broken.is_none() {
                    self.end(value);
                }
            }
            _ => {}
        }
        let broken = self.broken.take()?;
        let violation = self.violation(&broken, at);
        self.give_up();
        Some(violation)
    }

    fn begin_if_not_begun(&mut self, depth: usize, kind: Kind) {
        if self.frames.len() == depth {
            self.begin(depth, kind);
        }
    }

    fn rule(&self, id: RuleId) -> Option<&Rule> {
        self.rules.rules.get(id)
    }

    fn violation(&self, broken: &Broken, at: Location<'_>) -> Violation {
        let mut instance = String::new();
        for segment in at.segments().take(broken.depth) {
            instance.push('/');
            match segment {
                Segment::Key(key) => instance.push_str(&escaped(key)),
                Segment::Index(index) => instance.push_str(&index.to_string()),
            }
        }
        let pointer = self.rule(broken.rule).map_or("", |rule| &rule.pointer);
        let (keyword, words, masked) = match &broken.told {
            Some(told) => (
                told.keyword.clone(),
                told.message.clone(),
                told.masked.clone(),
            ),
            None => {
                let words = words(broken.keyword);
                (
                    broken.keyword.to_owned(),
                    words.to_owned(),
                    words.to_owned(),
                )
            }
        };
        Violation {
            instance,
            schema: if keyword == "falseSchema" {
                pointer.to_owned()
            } else {
                format!("{pointer}/{keyword}")
            },
            keyword,
            message: words,
            masked,
        }
    }
}

/// What is wrong, in words that hold nothing of the value.
fn words(keyword: &str) -> &'static str {
    match keyword {
        "type" => "the value is of a type that is not allowed",
        "enum" => "the value is none of those that are allowed",
        "const" => "the value is not the one that is allowed",
        "maxLength" => "the text is too long",
        "maxItems" => "the array has too many items",
        "minItems" => "the array has too few items",
        "uniqueItems" => "two items of the array are equal",
        "contains" | "minContains" => "too few items fit what the array must contain",
        "maxContains" => "too many items fit what the array must contain",
        "required" => "a required property is missing",
        "dependentRequired" | "dependencies" => "a property is missing that another one requires",
        "additionalProperties" => "the object has a property that is not allowed",
        "minProperties" => "the object has too few properties",
        "maxProperties" => "the object has too many properties",
        "anyOf" => "the value fits none of the schemas",
        "oneOf" => "the value does not fit exactly one of the schemas",
        "not" => "the value fits a schema that it must not fit",
        "falseSchema" => "no value is allowed here",
        _ => "the value breaks the schema",
    }
}

/// Whether a value is an array or an object.
fn is_container(value: &Value) -> bool {
    value.is_array() || value.is_object()
}
