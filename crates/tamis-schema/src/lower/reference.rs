//! References: kept, moved to `$defs`, replaced by what they refer to, or cut off.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::change::{ChangeKind, Effect};
use super::node::{is_annotation, is_reference, take_reference};
use super::work::{Definition, Out, Work, Written};
use crate::lift::plan::{Step, StepId};
use crate::lift::shape::Shape;

/// How many schemas are looked at to find out whether a reference leads back to itself.
const MAX_SEARCH: usize = 20_000;

const NOT_UNROLLED: &str = "the schema is recursive, which the dialect does not take, and \
                            unrolling it was not asked for";

impl<'a> Work<'a> {
    /// A schema with a `$ref`.
    pub(super) fn reference(
        &mut self,
        mut schema: Map<String, Value>,
        at: &str,
        depth: usize,
    ) -> Written {
        let key = Value::Object(schema.clone()).to_string();
        let Some(text) = take_reference(&mut schema) else {
            return Ok(Some(self.any(schema, at)));
        };
        if self.ref_alone {
            schema.retain(|key, _| key == "description" || key == "title");
        }
        for idle in [
            "$schema",
            "$id",
            "id",
            "$anchor",
            "$defs",
            "definitions",
            "$comment",
        ] {
            schema.shift_remove(idle);
        }
        let Some((pointer, target)) = self.resolve(&text) else {
            self.refuse(
                at,
                format!("the reference '{text}' leads nowhere in the schema"),
            );
            return Ok(None);
        };
        if schema.keys().any(|key| !is_annotation(key)) {
            schema.insert("$ref".to_owned(), Value::String(text));
            let mut seen = Vec::new();
            self.inlining(at);
            return self.guarded(key, at, depth, |work| {
                match work.flatten(schema, at, &mut seen, depth)? {
                    Some(merged) => work.flat(merged, at, depth),
                    None => Ok(None),
                }
            });
        }
        let is_recursive = self.is_recursive(&pointer);
        if is_recursive && !self.rules.takes_recursion() {
            return self.unrolled(&pointer, target, schema, at, depth);
        }
        if schema.is_empty() && self.rules.takes_references() {
            return self.defined(&pointer, &text, at, depth);
        }
        if self.rules.takes_references() && self.rules.takes_beside_reference(&schema) {
            let Some(mut out) = self.defined(&pointer, &text, at, depth)? else {
                return Ok(None);
            };
            if let Value::Object(written) = &mut out.schema {
                for (key, value) in schema {
                    if self.rules.takes(&key, &value) {
                        written.insert(key, value);
                    }
                }
            }
            return Ok(Some(out));
        }
        self.inlining(at);
        let target = with_annotations(target.clone(), schema);
        self.guarded(key, at, depth, |work| {
            work.node(target, pointer.trim_start_matches('#'), depth + 1)
        })
    }

    fn inlining(&mut self, at: &str) {
        let text = "the reference was replaced by what it refers to";
        self.change(ChangeKind::ReferenceInlined, at, Effect::Exact, text);
    }

    /// Writes something in place of a reference to it. If it comes up again within itself, it becomes a
    /// definition there.
    pub(super) fn guarded(
        &mut self,
        key: String,
        at: &str,
        depth: usize,
        write: impl FnOnce(&mut Self) -> Written,
    ) -> Written {
        if let Some(index) = self.defined.get(&key).copied() {
            return Ok(Some(self.refer(index)));
        }
        let turns = self.inlined.iter().filter(|open| **open == key).count();
        if turns > 0 && self.rules.takes_recursion() && self.rules.takes_references() {
            return self.define(&key, "part", write);
        }
        if turns > self.unroll.unwrap_or(0) {
            if self.unroll.is_none() && self.unrolled_refused.insert(key) {
                self.refuse(at, NOT_UNROLLED);
            }
            return Ok(Some(self.cut(at)));
        }
        self.enter(depth)?;
        self.inlined.push(key);
        let written = write(self);
        self.inlined.pop();
        written
    }

    fn defined(&mut self, pointer: &str, text: &str, at: &str, depth: usize) -> Written {
        if let Some(index) = self.defined.get(pointer).copied() {
            return Ok(Some(self.refer(index)));
        }
        let Some((_, target)) = self.resolve(pointer) else {
            return Ok(None);
        };
        let last = pointer.rsplit('/').next().unwrap_or_default();
        let title = target.get("title").and_then(Value::as_str);
        let name = match last.trim_start_matches('#') {
            "" => title.unwrap_or("root"),
            last => last,
        };
        let name = name.to_owned();
        let target = target.clone();
        let place = pointer.trim_start_matches('#').to_owned();
        let index = self.definitions.len();
        let out = self.define(pointer, &name, |work| work.node(target, &place, depth + 1))?;
        let moved = self
            .definitions
            .get(index)
            .is_some_and(|definition| text != format!("#/$defs/{}", definition.name));
        if moved && out.is_some() {
            let text = "what the reference refers to was moved to '$defs'";
            self.change(ChangeKind::ReferenceMoved, at, Effect::Exact, text);
        }
        Ok(out)
    }

    fn define(
        &mut self,
        key: &str,
        name: &str,
        write: impl FnOnce(&mut Self) -> Written,
    ) -> Written {
        let index = self.definitions.len();
        let step = self.plan.reserve();
        let name = self.fresh_name(name);
        self.definitions.push(Definition {
            name,
            step,
            written: None,
        });
        self.defined.insert(key.to_owned(), index);
        let Some(out) = write(self)? else {
            // Nothing conforms. A reference from within, if there is one, is never followed either.
            if let Some(definition) = self.definitions.get_mut(index) {
                definition.written = Some((json!({"type": "null"}), Shape::nothing()));
            }
            self.defined.remove(key);
            return Ok(None);
        };
        let content = self.plan.get(out.step).clone();
        self.plan.set(step, content);
        if let Some(definition) = self.definitions.get_mut(index) {
            definition.written = Some((out.schema, out.original));
        }
        Ok(Some(self.refer(index)))
    }

    pub(super) fn refer(&self, index: usize) -> Out {
        let Some(definition) = self.definitions.get(index) else {
            return Out {
                schema: json!({}),
                step: StepId::SAME,
                original: Shape::anything(),
            };
        };
        let original = match &definition.written {
            Some((_, shape)) => shape.clone(),
            None => Shape::anything(),
        };
        Out {
            schema: json!({"$ref": format!("#/$defs/{}", definition.name)}),
            step: definition.step,
            original,
        }
    }

    /// A recursion in a dialect that takes none.
    fn unrolled(
        &mut self,
        pointer: &str,
        target: &Value,
        annotations: Map<String, Value>,
        at: &str,
        depth: usize,
    ) -> Written {
        let key = format!("recursion {pointer}");
        let turns = self.inlined.iter().filter(|open| **open == key).count();
        let Some(most) = self.unroll else {
            if self.unrolled_refused.insert(pointer.to_owned()) {
                self.refuse(pointer.trim_start_matches('#'), NOT_UNROLLED);
            }
            return Ok(Some(self.cut(at)));
        };
        if turns > most {
            return Ok(Some(self.cut(at)));
        }
        if turns == 0 {
            let text = format!("the recursion was unrolled {most} times");
            self.change(ChangeKind::RecursionUnrolled, at, Effect::Widening, text);
        }
        let target = with_annotations(target.clone(), annotations);
        self.enter(depth)?;
        self.inlined.push(key);
        let written = self.node(target, pointer.trim_start_matches('#'), depth + 1);
        self.inlined.pop();
        written
    }

    /// What stands where a recursion ends: the value's JSON text.
    fn cut(&mut self, at: &str) -> Out {
        let text = "below here, a value is asked for as a string that holds its JSON text";
        self.change(ChangeKind::RecursionUnrolled, at, Effect::Widening, text);
        self.text(Map::new(), "The JSON text of one more level of the same.")
    }

    /// A string that holds a value's JSON text.
    pub(super) fn text(&mut self, mut written: Map<String, Value>, words: &str) -> Out {
        written.insert("type".to_owned(), json!("string"));
        self.say(&mut written, &[words.to_owned()]);
        Out {
            schema: Value::Object(written),
            step: self.step(Step::Text),
            original: Shape::anything(),
        }
    }

    /// What a reference leads to, with its own place as `#/…`.
    pub(super) fn resolve(&self, reference: &str) -> Option<(String, &'a Value)> {
        let (pointer, target) = self.places.follow(reference)?;
        Some((format!("#{pointer}"), target))
    }

    /// Whether what a reference leads to leads back to it.
    fn is_recursive(&mut self, pointer: &str) -> bool {
        if let Some(known) = self.recursive.get(pointer) {
            return *known;
        }
        let mut seen = BTreeSet::new();
        let mut open: Vec<&Value> = self
            .resolve(pointer)
            .map(|(_, value)| value)
            .into_iter()
            .collect();
        let mut steps = 0;
        let mut found = false;
        while let Some(value) = open.pop() {
            steps += 1;
            if steps > MAX_SEARCH {
                found = true;
                break;
            }
            match value {
                Value::Array(items) => open.extend(items.iter().filter(|item| holds_more(item))),
                Value::Object(members) => {
                    if is_reference(members) {
                        let mut copy = Map::new();
                        for key in ["$ref", "$dynamicRef", "$recursiveRef"] {
                            if let Some(text) = members.get(key) {
                                copy.insert(key.to_owned(), text.clone());
                            }
                        }
                        let target = take_reference(&mut copy).and_then(|text| self.resolve(&text));
                        if let Some((place, target)) = target {
                            if place == pointer {
                                found = true;
                                break;
                            }
                            if seen.insert(place) {
                                open.push(target);
                            }
                        }
                    }
                    let inner = members
                        .iter()
                        .filter(|(key, value)| {
                            holds_more(value) && *key != "$defs" && *key != "definitions"
                        })
                        .map(|(_, value)| value);
                    open.extend(inner);
                }
                _ => {}
            }
        }
        self.recursive.insert(pointer.to_owned(), found);
        found
    }
}

fn holds_more(value: &Value) -> bool {
    value.is_array() || value.is_object()
}

fn with_annotations(target: Value, annotations: Map<String, Value>) -> Value {
    match target {
        Value::Object(mut target) => {
            // What stands beside the reference is nearer to its use.
            for (key, value) in annotations {
                target.insert(key, value);
            }
            Value::Object(target)
        }
        Value::Bool(true) => Value::Object(annotations),
        other => other,
    }
}
