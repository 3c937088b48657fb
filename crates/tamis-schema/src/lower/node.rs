//! Writing one schema in the dialect's words, whatever it is.

use serde_json::{Map, Value, json};

use super::change::{ChangeKind, Effect};
use super::merge::{ANNOTATIONS, merge};
use super::words::{describe, sentence};
use super::work::{Stop, Work, Written};
use crate::lift::plan::StepId;
use crate::lift::shape::Types;

impl Work<'_> {
    pub(super) fn node(&mut self, node: Value, at: &str, depth: usize) -> Written {
        self.enter(depth)?;
        let schema = match node {
            Value::Bool(false) => return Ok(None),
            Value::Object(schema) => schema,
            // Anything else was refused as invalid before.
            _ => return Ok(Some(self.any(Map::new(), at))),
        };
        let mut schema = schema;
        self.newest_draft(&mut schema, at);
        if is_reference(&schema) && !schema.contains_key("allOf") {
            return self.reference(schema, at, depth);
        }
        if schema.contains_key("allOf") {
            return self.all_of(schema, at, depth);
        }
        self.flat(schema, at, depth)
    }

    /// A schema without `$ref` and without `allOf`, but for what could not be merged.
    pub(super) fn flat(&mut self, schema: Map<String, Value>, at: &str, depth: usize) -> Written {
        if schema.contains_key("anyOf") || schema.contains_key("oneOf") {
            return self.union(schema, at, depth);
        }
        if schema.contains_key("enum") || schema.contains_key("const") {
            return self.values(schema, at, depth);
        }
        self.typed(schema, at, depth)
    }

    /// One schema that says what all of them say.
    fn all_of(&mut self, schema: Map<String, Value>, at: &str, depth: usize) -> Written {
        let key = Value::Object(schema.clone()).to_string();
        self.guarded(key, at, depth, |work| {
            let mut seen = Vec::new();
            let Some(mut merged) = work.flatten(schema, at, &mut seen, depth)? else {
                return Ok(None);
            };
            work.change(
                ChangeKind::AllOfMerged,
                at,
                Effect::Exact,
                "'allOf' was merged into one schema",
            );
            // An inner rule that unevaluated properties are refused means, after merging, all others.
            if merged.get("unevaluatedProperties") == Some(&Value::Bool(false))
                && !merged.contains_key("additionalProperties")
                && !["anyOf", "oneOf", "if", "dependentSchemas", "allOf"]
                    .iter()
                    .any(|key| merged.contains_key(*key))
            {
                merged.shift_remove("unevaluatedProperties");
                merged.insert("additionalProperties".to_owned(), Value::Bool(false));
            }
            work.flat(merged, at, depth)
        })
    }

    /// Merges a schema with what it refers to and with its `allOf`. `None`: nothing conforms.
    pub(super) fn flatten(
        &mut self,
        mut schema: Map<String, Value>,
        at: &str,
        seen: &mut Vec<String>,
        depth: usize,
    ) -> Result<Option<Map<String, Value>>, Stop> {
        self.enter(depth)?;
        self.newest_draft(&mut schema, at);
        let mut parts = Vec::new();
        if is_reference(&schema) {
            let alone = self.ref_alone;
            let target = take_reference(&mut schema).and_then(|text| self.resolve(&text));
            if alone {
                schema.retain(|key, _| key == "description" || key == "title");
            }
            if let Some((pointer, target)) = target {
                // What was merged already adds nothing.
                if !seen.contains(&pointer) {
                    seen.push(pointer.clone());
                    parts.push((target.clone(), pointer));
                }
            }
        }
        if let Some(Value::Array(all)) = schema.shift_remove("allOf") {
            for (index, part) in all.into_iter().enumerate() {
                parts.push((part, format!("{at}/allOf/{index}")));
            }
        }
        let mut merged = schema;
        for (part, at) in parts {
            let part = match part {
                Value::Bool(false) => return Ok(None),
                Value::Object(part) => part,
                _ => continue,
            };
            let Some(mut part) = self.flatten(part, at.trim_start_matches('#'), seen, depth + 1)?
            else {
                return Ok(None);
            };
            // The name of a part is not the name of the whole.
            for key in ["$schema", "$id", "id", "$anchor", "$defs", "definitions"] {
                part.shift_remove(key);
            }
            if merged.contains_key("description") {
                part.shift_remove("description");
            }
            match merge(merged, part) {
                Some(both) => merged = both,
                None => return Ok(None),
            }
        }
        Ok(Some(merged))
    }

    /// Old drafts' spellings, as the newest has them.
    fn newest_draft(&mut self, schema: &mut Map<String, Value>, at: &str) {
        if matches!(schema.get("items"), Some(Value::Array(_))) {
            if let Some(prefix) = schema.shift_remove("items") {
                schema.insert("prefixItems".to_owned(), prefix);
            }
            if let Some(rest) = schema.shift_remove("additionalItems") {
                schema.insert("items".to_owned(), rest);
            }
            let text = "a list under 'items' became 'prefixItems'";
            self.change(ChangeKind::DraftRewritten, at, Effect::Exact, text);
        }
        schema.shift_remove("additionalItems");
        for (exclusive, bound) in [
            ("exclusiveMinimum", "minimum"),
            ("exclusiveMaximum", "maximum"),
        ] {
            let Some(Value::Bool(is_exclusive)) = schema.get(exclusive).cloned() else {
                continue;
            };
            schema.shift_remove(exclusive);
            if is_exclusive && let Some(value) = schema.shift_remove(bound) {
                schema.insert(exclusive.to_owned(), value);
            }
            let text = format!("a boolean '{exclusive}' became a number");
            self.change(ChangeKind::DraftRewritten, at, Effect::Exact, text);
        }
        if schema.get("prefixItems") == Some(&json!([])) {
            schema.shift_remove("prefixItems");
        }
    }

    /// A schema with a type, or one whose type has to be found out.
    fn typed(&mut self, mut schema: Map<String, Value>, at: &str, depth: usize) -> Written {
        let types = match schema.get("type") {
            Some(Value::String(name)) => vec![name.clone()],
            Some(Value::Array(names)) => {
                let names = names.iter().filter_map(Value::as_str);
                names.map(str::to_owned).collect()
            }
            _ => {
                let Some(inferred) = infer_type(&schema) else {
                    return Ok(Some(self.any(schema, at)));
                };
                let text = format!("the type was taken to be '{inferred}'");
                self.change(ChangeKind::TypeInferred, at, Effect::Narrowing, text);
                schema.insert("type".to_owned(), json!(inferred));
                vec![inferred.to_owned()]
            }
        };
        let is_container = |name: &str| name == "object" || name == "array";
        let others = types.iter().filter(|name| *name != "null").count();
        let holds_container = types.iter().any(|name| is_container(name));
        let apart = others > 1 && holds_container;
        match types.as_slice() {
            [] => Ok(None),
            [name] => {
                schema.insert("type".to_owned(), json!(name));
                self.one_type(schema, &name.clone(), false, at, depth)
            }
            _ if apart => {
                let annotations = split_annotations(&mut schema);
                let branches = types
                    .iter()
                    .map(|name| {
                        let mut branch = schema.clone();
                        branch.insert("type".to_owned(), json!(name));
                        branch.retain(|key, _| {
                            relevance(key).is_none_or(|types| types.meets(Types::named(name)))
                        });
                        Value::Object(branch)
                    })
                    .collect();
                let mut union = annotations;
                union.insert("anyOf".to_owned(), Value::Array(branches));
                let text = "a list of types became 'anyOf'";
                self.change(ChangeKind::UnionRewritten, at, Effect::Exact, text);
                self.union(union, at, depth)
            }
            names if holds_container => {
                let name = names.iter().find(|name| is_container(name));
                let name = name.cloned().unwrap_or_default();
                self.one_type(schema, &name, true, at, depth)
            }
            names => {
                if names.iter().any(|name| name == "null") {
                    self.unions += 1;
                }
                Ok(Some(self.scalar(schema, at)))
            }
        }
    }

    /// A schema for one type, and for null too if it says so.
    fn one_type(
        &mut self,
        schema: Map<String, Value>,
        name: &str,
        or_null: bool,
        at: &str,
        depth: usize,
    ) -> Written {
        if or_null {
            self.unions += 1;
        }
        match name {
            "object" => self.object(schema, or_null, at, depth),
            "array" => self.array(schema, or_null, at, depth),
            _ => Ok(Some(self.scalar(schema, at))),
        }
    }

    /// Puts what is left of a schema into what was written of it: what the dialect takes as it is, the
    /// rest in words.
    pub(super) fn finish(
        &mut self,
        written: &mut Map<String, Value>,
        left: Map<String, Value>,
        step: StepId,
        types: Types,
        at: &str,
    ) {
        let mut sentences = Vec::new();
        let mut left = left;
        for key in [
            "$schema",
            "$id",
            "id",
            "$anchor",
            "$defs",
            "definitions",
            "$comment",
            "type",
        ] {
            left.shift_remove(key);
        }
        if let Some(description) = left.shift_remove("description") {
            if self.rules.takes("description", &description) {
                written.insert("description".to_owned(), description);
            } else {
                let text = "'description' was dropped";
                self.change(ChangeKind::AnnotationDropped, at, Effect::Exact, text);
            }
        }
        self.include_bounds(written, &mut left, at);
        let has_pattern = left.contains_key("pattern") || left.contains_key("format");
        for (key, value) in left {
            if written.contains_key(&key) {
                continue;
            }
            if relevance(&key).is_some_and(|relevant| !relevant.meets(types)) {
                let text = format!("'{key}' says nothing about this type, and was dropped");
                self.change(ChangeKind::AnnotationDropped, at, Effect::Exact, text);
                continue;
            }
            let is_annotation = is_annotation(&key);
            let holds_values = key == "default" || key == "examples";
            let beside_pattern = matches!(key.as_str(), "minLength" | "maxLength")
                && has_pattern
                && !self.rules.takes_length_beside_pattern();
            let fits = (!holds_values || self.is_same(step))
                && !holds_schema(&key, &value)
                && !beside_pattern;
            if fits && self.rules.takes(&key, &value) {
                written.insert(key, value);
                continue;
            }
            if !is_annotation {
                if let Some(words) = sentence(&key, &value) {
                    sentences.push(words);
                    let text = format!("'{key}' was put into the description");
                    self.change(ChangeKind::ConstraintDescribed, at, Effect::Widening, text);
                } else {
                    let text = format!("'{key}' says nothing here, and was dropped");
                    self.change(ChangeKind::AnnotationDropped, at, Effect::Exact, text);
                }
                continue;
            }
            if holds_values {
                sentences.extend(sentence(&key, &value));
            }
            let text = format!("'{key}' was dropped");
            self.change(ChangeKind::AnnotationDropped, at, Effect::Exact, text);
        }
        self.say(written, &sentences);
    }

    /// Of integers, more than 0 is at least 1, which more dialects can say.
    fn include_bounds(
        &mut self,
        written: &Map<String, Value>,
        left: &mut Map<String, Value>,
        at: &str,
    ) {
        if written.get("type").and_then(Value::as_str) != Some("integer") {
            return;
        }
        for (excludes, includes, step) in [
            ("exclusiveMinimum", "minimum", 1),
            ("exclusiveMaximum", "maximum", -1),
        ] {
            let bound = left.get(excludes);
            let next = bound
                .and_then(Value::as_i64)
                .and_then(|bound| bound.checked_add(step));
            let (Some(bound), Some(next)) = (bound, next.map(Value::from)) else {
                continue;
            };
            if left.contains_key(includes)
                || self.rules.takes(excludes, bound)
                || !self.rules.takes(includes, &next)
            {
                continue;
            }
            left.shift_remove(excludes);
            let text = format!("'{excludes}' became '{includes}' of the next integer");
            left.insert(includes.to_owned(), next);
            self.change(ChangeKind::BoundRespelled, at, Effect::Exact, text);
        }
    }

    /// Puts some keywords into the description, whatever the dialect takes.
    pub(super) fn in_words(
        &mut self,
        written: &mut Map<String, Value>,
        schema: &mut Map<String, Value>,
        keywords: &[&str],
        at: &str,
    ) {
        let mut sentences = Vec::new();
        for key in keywords {
            if let Some(words) = schema
                .shift_remove(*key)
                .and_then(|value| sentence(key, &value))
            {
                sentences.push(words);
                let text = format!("'{key}' was put into the description");
                self.change(ChangeKind::ConstraintDescribed, at, Effect::Widening, text);
            }
        }
        if sentences.is_empty() {
            return;
        }
        // The words come after what the caller says.
        if let Some(description) = schema.shift_remove("description") {
            written.insert("description".to_owned(), description);
        }
        self.say(written, &sentences);
    }

    /// Adds sentences to the description, where the dialect takes one.
    pub(super) fn say(&self, written: &mut Map<String, Value>, sentences: &[String]) {
        if self.rules.takes("description", &Value::Null) {
            describe(written, sentences);
        }
    }
}

pub(super) fn is_reference(schema: &Map<String, Value>) -> bool {
    ["$ref", "$dynamicRef", "$recursiveRef"]
        .iter()
        .any(|key| matches!(schema.get(*key), Some(Value::String(_))))
}

pub(super) fn take_reference(schema: &mut Map<String, Value>) -> Option<String> {
    ["$ref", "$dynamicRef", "$recursiveRef"]
        .iter()
        .find_map(|key| match schema.shift_remove(*key) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        })
}

/// Takes the annotations out of a schema.
pub(super) fn split_annotations(schema: &mut Map<String, Value>) -> Map<String, Value> {
    let (annotations, rest) = std::mem::take(schema)
        .into_iter()
        .partition(|(key, _)| is_annotation(key));
    *schema = rest;
    annotations
}

/// Which types a keyword says something about; `None` for all.
fn relevance(key: &str) -> Option<Types> {
    Some(match key {
        "minLength" | "maxLength" | "pattern" | "format" => Types::STRING,
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
            Types::named("number")
        }
        "items" | "prefixItems" | "minItems" | "maxItems" | "uniqueItems" | "contains"
        | "minContains" | "maxContains" | "unevaluatedItems" => Types::ARRAY,
        "properties"
        | "required"
        | "additionalProperties"
        | "patternProperties"
        | "propertyNames"
        | "minProperties"
        | "maxProperties"
        | "dependentRequired"
        | "dependentSchemas"
        | "dependencies"
        | "unevaluatedProperties" => Types::OBJECT,
        _ => return None,
    })
}

/// Whether a keyword only tells about a schema, which is so of every keyword that no draft knows.
pub(super) fn is_annotation(key: &str) -> bool {
    ANNOTATIONS.contains(&key)
        || !(relevance(key).is_some()
            || matches!(
                key,
                "$ref"
                    | "$dynamicRef"
                    | "$recursiveRef"
                    | "type"
                    | "enum"
                    | "const"
                    | "allOf"
                    | "anyOf"
                    | "oneOf"
                    | "not"
                    | "if"
                    | "then"
                    | "else"
            ))
}

/// Whether the keyword holds a schema. Those that are not written by a rule of their own would still
/// be in the caller's words, so they are not kept.
fn holds_schema(key: &str, value: &Value) -> bool {
    !value.is_boolean()
        && matches!(
            key,
            "not"
                | "if"
                | "then"
                | "else"
                | "allOf"
                | "contains"
                | "propertyNames"
                | "dependentSchemas"
                | "dependencies"
                | "unevaluatedItems"
                | "unevaluatedProperties"
        )
}

/// The type that the other keywords are about, if it is one.
fn infer_type(schema: &Map<String, Value>) -> Option<&'static str> {
    let mut found = None;
    for key in schema.keys() {
        let Some(types) = relevance(key) else {
            continue;
        };
        let name = match types {
            Types::STRING => "string",
            Types::ARRAY => "array",
            Types::OBJECT => "object",
            _ => "number",
        };
        if found.is_some_and(|found| found != name) {
            return None;
        }
        found = Some(name);
    }
    found
}
