//! Unions: `anyOf` and `oneOf`.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::change::{ChangeKind, Effect};
use super::node::split_annotations;
use super::work::{Names, Out, Work, Written};
use crate::lift::plan::{Branch, Step, StepId};
use crate::lift::shape::{Shape, Types};

/// More branches are not multiplied with what stands beside them.
const MAX_DISTRIBUTED: usize = 200;

impl Work<'_> {
    pub(super) fn union(
        &mut self,
        mut schema: Map<String, Value>,
        at: &str,
        depth: usize,
    ) -> Written {
        self.enter(depth)?;
        let keyword = if schema.contains_key("oneOf") {
            "oneOf"
        } else {
            "anyOf"
        };
        let Some(Value::Array(branches)) = schema.shift_remove(keyword) else {
            return self.flat(schema, at, depth);
        };
        let annotations = split_annotations(&mut schema);
        let mut base = schema;
        if only_typed(&base, &branches) {
            base.shift_remove("type");
        }
        let mut branches = branches;
        if !base.is_empty() {
            if branches.iter().all(is_supplement) || branches.len() > MAX_DISTRIBUTED {
                let which = if keyword == "oneOf" {
                    "Exactly one"
                } else {
                    "At least one"
                };
                let sets: Vec<Value> = branches;
                let words = format!("{which} of these applies: {}.", super::words::list(&sets));
                let text = format!("'{keyword}' was put into the description");
                self.change(ChangeKind::ConstraintDescribed, at, Effect::Widening, text);
                base.extend(annotations);
                self.say(&mut base, &[words]);
                return self.flat(base, at, depth);
            }
            let text = format!("what stands beside '{keyword}' was put into each branch");
            self.change(ChangeKind::UnionRewritten, at, Effect::Exact, text);
            let common = Value::Object(base);
            branches = branches
                .into_iter()
                .map(|branch| json!({"allOf": [common, branch]}))
                .collect();
        }
        let mut outs: Vec<(Out, String)> = Vec::new();
        for (index, branch) in branches.into_iter().enumerate() {
            let name = name_of(&branch, index);
            let place = format!("{at}/{keyword}/{index}");
            if let Some(out) = self.node(branch, &place, depth + 1)? {
                outs.push((out, name));
            } else {
                let text = "the branch was dropped: no value conforms to it";
                self.change(ChangeKind::NeverDropped, &place, Effect::Exact, text);
            }
        }
        if keyword == "oneOf" {
            let effect = if all_disjoint(outs.iter().map(|(out, _)| &out.original)) {
                Effect::Exact
            } else {
                Effect::Widening
            };
            self.change(
                ChangeKind::OneOfToAnyOf,
                at,
                effect,
                "'oneOf' became 'anyOf'",
            );
        }
        let mut kept = self.without_repetition(outs);
        if kept.is_empty() {
            return Ok(None);
        }
        let original = kept
            .iter()
            .fold(Shape::nothing(), |shape, (out, _)| shape.or(&out.original));
        if kept.len() == 1
            && let Some((mut out, _)) = kept.pop()
        {
            out.schema = self.annotated(out.schema, annotations, out.step, at);
            return Ok(Some(out));
        }
        self.unions += 1;
        let (schemas, step) = self.told_apart(kept, at);
        let mut written = Map::new();
        written.insert("anyOf".to_owned(), Value::Array(self.few(schemas)));
        self.finish(&mut written, annotations, step, Types::ALL, at);
        Ok(Some(Out {
            schema: Value::Object(written),
            step,
            original,
        }))
    }

    /// What came out alike is one branch.
    fn without_repetition(&self, outs: Vec<(Out, String)>) -> Vec<(Out, String)> {
        let mut kept: Vec<(Out, String)> = Vec::new();
        for (out, name) in outs {
            match kept.iter_mut().find(|(other, _)| {
                other.schema == out.schema
                    && (other.step == out.step
                        || (self.is_same(other.step) && self.is_same(out.step)))
            }) {
                Some((other, _)) => other.original = other.original.or(&out.original),
                None => kept.push((out, name)),
            }
        }
        kept
    }

    /// A lone branch with what was said about the union.
    fn annotated(
        &mut self,
        schema: Value,
        mut annotations: Map<String, Value>,
        step: StepId,
        at: &str,
    ) -> Value {
        if annotations.is_empty() {
            return schema;
        }
        let mut written = match schema {
            Value::Object(schema) if !schema.contains_key("$ref") => schema,
            other => Map::from_iter([("anyOf".to_owned(), json!([other]))]),
        };
        if written.contains_key("description") {
            annotations.shift_remove("description");
        }
        self.finish(&mut written, annotations, step, Types::ALL, at);
        Value::Object(written)
    }

    /// The branches, such that an answer shows which it is of, where that matters.
    fn told_apart(&mut self, mut outs: Vec<(Out, String)>, at: &str) -> (Vec<Value>, StepId) {
        if !self.rules.may_begin_alike() {
            self.reorder(&mut outs, at);
        }
        let is_identity = outs.iter().all(|(out, _)| self.is_same(out.step));
        let alike = !self.rules.may_begin_alike() && self.begin_alike(&outs);
        if is_identity && !alike {
            let schemas = outs.into_iter().map(|(out, _)| out.schema).collect();
            return (schemas, StepId::SAME);
        }
        let mut shapes: Vec<Shape> = outs
            .iter()
            .map(|(out, _)| self.sent_shape(&out.schema))
            .collect();
        if alike || !all_disjoint(shapes.iter()) {
            let text = "each branch was put under a key of its own, to tell them apart";
            self.change(ChangeKind::BranchesNamed, at, Effect::Exact, text);
            let mut names = Names::default();
            for (out, name) in &mut outs {
                *name = names.fresh(std::mem::take(name));
                let inner = std::mem::take(&mut out.schema);
                out.schema = json!({
                    "type": "object",
                    "properties": {name.as_str(): inner},
                    "required": [name],
                    "additionalProperties": false,
                });
                out.step = self.step(Step::Wrap {
                    key: name.clone(),
                    inner: out.step,
                });
            }
            shapes = outs
                .iter()
                .map(|(out, _)| self.sent_shape(&out.schema))
                .collect();
        }
        let mut schemas = Vec::new();
        let mut branches = Vec::new();
        for ((out, _), sent) in outs.into_iter().zip(shapes) {
            schemas.push(out.schema.clone());
            branches.push(Branch {
                step: out.step,
                original: out.original,
                sent,
                schema: out.schema,
            });
        }
        let step = self.step(Step::Either { branches });
        (schemas, step)
    }

    /// Gives each branch that is an object a first property that no other begins with.
    fn reorder(&mut self, outs: &mut [(Out, String)], at: &str) {
        let mut firsts: BTreeSet<String> = BTreeSet::new();
        let mut moved = false;
        for (out, _) in outs.iter_mut() {
            let inline = out.schema.get("properties").is_some();
            let Some((first, told)) = self.first_key(&out.schema) else {
                continue;
            };
            if !firsts.contains(&first) || told {
                firsts.insert(first);
                continue;
            }
            let Some(Value::Object(properties)) = out
                .schema
                .as_object_mut()
                .filter(|_| inline)
                .and_then(|schema| schema.get_mut("properties"))
            else {
                continue;
            };
            let other = properties
                .keys()
                .find(|name| !firsts.contains(*name))
                .cloned();
            if let Some(other) = other
                && let Some(value) = properties.shift_remove(&other)
            {
                properties.shift_insert(0, other.clone(), value);
                firsts.insert(other);
                moved = true;
            }
        }
        if moved {
            let text = "properties were put in another order, so that no two branches begin alike";
            self.change(ChangeKind::Reordered, at, Effect::Exact, text);
        }
    }

    fn begin_alike(&self, outs: &[(Out, String)]) -> bool {
        let mut firsts: BTreeSet<String> = BTreeSet::new();
        for (out, _) in outs {
            if let Some((first, told)) = self.first_key(&out.schema) {
                if firsts.contains(&first) && !told {
                    return true;
                }
                firsts.insert(first);
            }
        }
        false
    }

    /// A branch's first property, and whether its value tells the branch.
    fn first_key(&self, schema: &Value) -> Option<(String, bool)> {
        let mut schema = schema;
        for _ in 0..16 {
            let Some(name) = schema.get("$ref").and_then(Value::as_str) else {
                break;
            };
            let name = name.strip_prefix("#/$defs/")?;
            let found = self
                .definitions
                .iter()
                .find(|definition| definition.name == name)?;
            schema = &found.written.as_ref()?.0;
        }
        let (name, first) = schema.get("properties")?.as_object()?.iter().next()?;
        let told = first.get("const").is_some() || first.get("enum").is_some();
        Some((name.clone(), told))
    }

    /// As many branches as the dialect takes, the rest within the last.
    fn few(&mut self, mut schemas: Vec<Value>) -> Vec<Value> {
        let Some(most) = self.rules.most_branches().filter(|most| *most >= 2) else {
            return schemas;
        };
        if schemas.len() <= most {
            return schemas;
        }
        let rest = schemas.split_off(most - 1);
        self.unions += 1;
        let rest = self.few(rest);
        schemas.push(json!({"anyOf": rest}));
        schemas
    }
}

fn all_disjoint<'s>(shapes: impl Iterator<Item = &'s Shape>) -> bool {
    let shapes: Vec<&Shape> = shapes.collect();
    shapes.iter().enumerate().all(|(index, one)| {
        shapes
            .iter()
            .skip(index + 1)
            .all(|two| one.is_disjoint(two))
    })
}

/// Whether what stands beside the union is no more than a type that each branch says too.
fn only_typed(base: &Map<String, Value>, branches: &[Value]) -> bool {
    base.len() == 1
        && base.get("type").is_some_and(|kind| {
            branches
                .iter()
                .all(|branch| branch.get("type") == Some(kind))
        })
}

/// Whether a branch only adds a rule to what stands beside the union.
fn is_supplement(branch: &Value) -> bool {
    branch.as_object().is_some_and(|branch| {
        branch
            .keys()
            .all(|key| matches!(key.as_str(), "required" | "not" | "title" | "description"))
    })
}

fn name_of(branch: &Value, index: usize) -> String {
    let given = branch
        .get("title")
        .or_else(|| branch.get("$ref"))
        .and_then(Value::as_str)
        .and_then(|text| text.rsplit('/').next())
        .unwrap_or_default();
    let name: String = given
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '_')
        .take(40)
        .collect();
    if name.is_empty() {
        format!("option_{}", index + 1)
    } else {
        name
    }
}
