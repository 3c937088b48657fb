//! Objects: their properties, and what is not listed among them.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::absence::without_null;
use super::any::pair;
use super::change::{ChangeKind, Effect};
use super::work::{Out, Stop, Work, Written, below};
use crate::lift::plan::{Absence, Member, Rest, Step, StepId};
use crate::lift::shape::{Shape, Types};
use crate::validate::parts::Pattern;

/// What may stand beside the properties that are listed.
enum Others {
    /// Nothing.
    Closed,
    /// Nothing is said about it.
    Unsaid,
    /// Whatever conforms.
    Schema(Value),
}

impl Work<'_> {
    pub(super) fn object(
        &mut self,
        mut schema: Map<String, Value>,
        or_null: bool,
        at: &str,
        depth: usize,
    ) -> Written {
        let original = self.original_shape(&schema);
        let mut properties = match schema.shift_remove("properties") {
            Some(Value::Object(properties)) => properties,
            _ => Map::new(),
        };
        let mut required: Vec<String> = match schema.shift_remove("required") {
            Some(Value::Array(names)) => names
                .iter()
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect(),
            _ => Vec::new(),
        };
        let patterns = match schema.shift_remove("patternProperties") {
            Some(Value::Object(patterns)) => patterns,
            _ => Map::new(),
        };
        let others = schema
            .shift_remove("additionalProperties")
            .or_else(|| schema.shift_remove("unevaluatedProperties"));
        let others = match others {
            Some(Value::Bool(false)) => Others::Closed,
            Some(others) => Others::Schema(others),
            None if patterns.is_empty() && properties.is_empty() && required.is_empty() => {
                Others::Schema(Value::Bool(true))
            }
            None => Others::Unsaid,
        };
        // A property that must be there, and is not listed, has to be, to be asked for.
        let compiled: Vec<Pattern> = patterns.keys().map(|key| Pattern::new(key)).collect();
        for name in &required {
            if !properties.contains_key(name) {
                let matched = patterns
                    .values()
                    .zip(&compiled)
                    .filter(|(_, pattern)| pattern.matches(name));
                let rules = matched.map(|(schema, _)| schema.clone()).collect();
                properties.insert(name.clone(), undeclared(rules, &others));
            }
        }
        required.retain(|name| properties.contains_key(name));

        if self.rules.takes_open_objects() && self.takes_all(&properties, &patterns, &others) {
            return self.open_object(
                schema, properties, &required, patterns, others, or_null, at, depth,
            );
        }
        if matches!(others, Others::Unsaid) {
            let text = "the object was closed to properties that are not listed";
            self.change(ChangeKind::ObjectClosed, at, Effect::Narrowing, text);
        }
        let (others, from) = match others {
            Others::Schema(others) if patterns.is_empty() => (Some(others), "additionalProperties"),
            Others::Schema(others) => {
                let any = patterns.values().cloned().chain([others]).collect();
                (Some(one_of(any)), "patternProperties")
            }
            Others::Closed | Others::Unsaid if patterns.is_empty() => (None, ""),
            Others::Closed | Others::Unsaid => (
                Some(one_of(patterns.values().cloned().collect())),
                "patternProperties",
            ),
        };
        let Some(others) = others else {
            return self.closed_object(
                schema, properties, &required, None, or_null, original, at, depth,
            );
        };
        if from == "patternProperties" {
            self.pattern_words(&mut schema, &patterns, at);
        }
        let is_root = at.is_empty() && depth == 0;
        if properties.is_empty() && !is_root {
            return self.pairs(schema, others, from, or_null, original, at, depth);
        }
        self.closed_object(
            schema,
            properties,
            &required,
            Some((others, from)),
            or_null,
            original,
            at,
            depth,
        )
    }

    pub(super) fn original_shape(&self, schema: &Map<String, Value>) -> Shape {
        let schema = Value::Object(schema.clone());
        Shape::of(&schema, &|reference| {
            self.resolve(reference).map(|(_, target)| target)
        })
    }

    fn takes_all(
        &self,
        properties: &Map<String, Value>,
        patterns: &Map<String, Value>,
        others: &Others,
    ) -> bool {
        let patterns_fit = patterns.is_empty()
            || (self.rules.takes("patternProperties", &json!(patterns))
                && (properties.is_empty() || self.rules.takes_patterns_beside_properties()));
        let others_fit = match others {
            Others::Closed => true,
            Others::Unsaid => !self.rules.must_close(),
            Others::Schema(schema) => self.rules.takes("additionalProperties", schema),
        };
        patterns_fit && others_fit
    }

    /// An object that stays as open as it is.
    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of one schema, taken apart"
    )]
    fn open_object(
        &mut self,
        schema: Map<String, Value>,
        properties: Map<String, Value>,
        required: &[String],
        patterns: Map<String, Value>,
        others: Others,
        or_null: bool,
        at: &str,
        depth: usize,
    ) -> Written {
        let mut probe = schema.clone();
        probe.insert("type".to_owned(), json!("object"));
        probe.insert("properties".to_owned(), Value::Object(properties.clone()));
        probe.insert("required".to_owned(), json!(required));
        if matches!(others, Others::Closed) {
            probe.insert("additionalProperties".to_owned(), Value::Bool(false));
        }
        let original = if patterns.is_empty() {
            self.original_shape(&probe)
        } else {
            Shape::anything()
        };
        let Some(parts) = self.members(properties, required, at, depth)? else {
            return Ok(None);
        };
        let mut written = self.object_of(parts.properties, &parts.required, or_null);
        if !patterns.is_empty()
            && written
                .get("properties")
                .and_then(Value::as_object)
                .is_some_and(Map::is_empty)
        {
            written.shift_remove("properties");
        }
        let mut others_step = StepId::SAME;
        if !patterns.is_empty() {
            // Their values are written, but cannot be told from the rest when an answer is brought
            // back; so they must need nothing of the kind.
            let mut kept = Map::new();
            for (pattern, inner) in patterns {
                let place = below(at, "patternProperties", &pattern);
                match self.node(inner, &place, depth + 1)? {
                    Some(out) if self.is_same(out.step) => {
                        kept.insert(pattern, out.schema);
                    }
                    Some(_) => {
                        let text = "a pattern's schema was dropped: it cannot be written here";
                        self.change(
                            ChangeKind::ConstraintDescribed,
                            &place,
                            Effect::Widening,
                            text,
                        );
                        kept.insert(pattern, json!({}));
                    }
                    None => {
                        kept.insert(pattern, Value::Bool(false));
                    }
                }
            }
            written.insert("patternProperties".to_owned(), Value::Object(kept));
        }
        match others {
            Others::Closed => {
                written.insert("additionalProperties".to_owned(), Value::Bool(false));
            }
            Others::Unsaid => {}
            Others::Schema(Value::Bool(true)) => {
                written.insert("additionalProperties".to_owned(), Value::Bool(true));
            }
            Others::Schema(inner) => {
                let place = format!("{at}/additionalProperties");
                match self.node(inner, &place, depth + 1)? {
                    // Nor can the rest be told from what the patterns are about.
                    Some(out)
                        if written.contains_key("patternProperties") && !self.is_same(out.step) =>
                    {
                        let text = "the schema of the rest was dropped: it cannot be written here";
                        self.change(
                            ChangeKind::ConstraintDescribed,
                            &place,
                            Effect::Widening,
                            text,
                        );
                    }
                    Some(out) => {
                        others_step = out.step;
                        written.insert("additionalProperties".to_owned(), out.schema);
                    }
                    None => {
                        written.insert("additionalProperties".to_owned(), Value::Bool(false));
                    }
                }
            }
        }
        let step = self.step(Step::Object {
            members: parts.brought_back,
            rest: None,
            others: others_step,
        });
        let schema = self.counts_in_words(schema, parts.all_present, at, &mut written);
        self.finish(&mut written, schema, step, Types::OBJECT, at);
        Ok(Some(Out {
            schema: Value::Object(written),
            step,
            original,
        }))
    }

    /// An object that is closed; what may stand beside its properties goes into one more of them.
    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of one schema, taken apart"
    )]
    fn closed_object(
        &mut self,
        schema: Map<String, Value>,
        properties: Map<String, Value>,
        required: &[String],
        others: Option<(Value, &str)>,
        or_null: bool,
        original: Shape,
        at: &str,
        depth: usize,
    ) -> Written {
        let Some(mut parts) = self.members(properties, required, at, depth)? else {
            return Ok(None);
        };
        let mut rest = None;
        let mut all_present = parts.all_present;
        if let Some((inner, from)) = others {
            let place = format!("{at}/{from}");
            if let Some(out) = self.node(inner, &place, depth + 2)? {
                let mut name = "other_properties".to_owned();
                while parts.properties.contains_key(&name) {
                    name.push('_');
                }
                let key = self.key_schema(&schema, &place);
                let pair = pair(&key, &out.schema);
                let mut pairs = Map::new();
                pairs.insert("type".to_owned(), json!("array"));
                pairs.insert("items".to_owned(), pair);
                self.say(&mut pairs, &[PAIR_WORDS.to_owned()]);
                parts.properties.insert(name.clone(), Value::Object(pairs));
                parts.required.push(name.clone());
                rest = Some(Rest {
                    member: name.clone(),
                    step: out.step,
                });
                all_present = true;
                let text = format!(
                    "the properties that are not listed became pairs in '{name}', in which a key may come twice"
                );
                self.change(ChangeKind::MapToPairs, at, Effect::Widening, text);
            }
        }
        let mut written = self.object_of(parts.properties, &parts.required, or_null);
        written.insert("additionalProperties".to_owned(), Value::Bool(false));
        let has_rest = rest.is_some();
        let step = self.step(Step::Object {
            members: parts.brought_back,
            rest,
            others: StepId::SAME,
        });
        let mut schema = schema;
        if has_rest {
            // Each key says it now.
            schema.shift_remove("propertyNames");
        }
        let schema = self.counts_in_words(schema, all_present, at, &mut written);
        self.finish(&mut written, schema, step, Types::OBJECT, at);
        Ok(Some(Out {
            schema: Value::Object(written),
            step,
            original,
        }))
    }

    /// A map as an array of pairs.
    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of one schema, taken apart"
    )]
    fn pairs(
        &mut self,
        mut schema: Map<String, Value>,
        others: Value,
        from: &str,
        or_null: bool,
        original: Shape,
        at: &str,
        depth: usize,
    ) -> Written {
        let place = format!("{at}/{from}");
        let key = self.key_schema(&schema, &place);
        schema.shift_remove("propertyNames");
        let Some(out) = self.node(others, &place, depth + 1)? else {
            // Only the empty map conforms.
            return self.closed_object(schema, Map::new(), &[], None, or_null, original, at, depth);
        };
        self.change(
            ChangeKind::MapToPairs,
            at,
            Effect::Widening,
            "the map became an array of key-value pairs, in which a key may come twice",
        );
        for (count, items) in [("minProperties", "minItems"), ("maxProperties", "maxItems")] {
            if let Some(value) = schema.shift_remove(count) {
                schema.insert(items.to_owned(), value);
            }
        }
        let mut written = Map::new();
        let types = if or_null {
            json!(["array", "null"])
        } else {
            json!("array")
        };
        written.insert("type".to_owned(), types);
        written.insert("items".to_owned(), pair(&key, &out.schema));
        let step = self.step(Step::Pairs { value: out.step });
        // A default is a map still.
        self.finish(
            &mut written,
            schema,
            step,
            Types::ARRAY.or(Types::OBJECT),
            at,
        );
        self.say(&mut written, &[PAIR_WORDS.to_owned()]);
        Ok(Some(Out {
            schema: Value::Object(written),
            step,
            original,
        }))
    }

    /// What a pair's key must be like.
    fn key_schema(&mut self, schema: &Map<String, Value>, at: &str) -> Value {
        let mut key = Map::new();
        key.insert("type".to_owned(), json!("string"));
        let Some(Value::Object(names)) = schema.get("propertyNames") else {
            return Value::Object(key);
        };
        let mut names = names.clone();
        names.shift_remove("type");
        if let Some(Value::Array(values)) = names.get("enum") {
            let strings = values.iter().filter(|value| value.is_string());
            let strings: Vec<Value> = strings.cloned().collect();
            names.insert("enum".to_owned(), Value::Array(strings));
        }
        self.finish(&mut key, names, StepId::SAME, Types::STRING, at);
        Value::Object(key)
    }

    fn pattern_words(
        &mut self,
        schema: &mut Map<String, Value>,
        patterns: &Map<String, Value>,
        at: &str,
    ) {
        let text = "the patterns of its keys were put into the description";
        self.change(ChangeKind::ConstraintDescribed, at, Effect::Widening, text);
        let list = patterns
            .keys()
            .cloned()
            .map(Value::String)
            .collect::<Vec<_>>();
        let words = format!("Keys match one of: {}.", super::words::list(&list));
        self.say(schema, &[words]);
    }

    /// How many properties there are is no longer said by the object where all are always present.
    fn counts_in_words(
        &mut self,
        mut schema: Map<String, Value>,
        all_present: bool,
        at: &str,
        written: &mut Map<String, Value>,
    ) -> Map<String, Value> {
        if !all_present {
            return schema;
        }
        let keywords = [
            "minProperties",
            "maxProperties",
            "dependentRequired",
            "dependentSchemas",
            "dependencies",
        ];
        self.in_words(written, &mut schema, &keywords, at);
        schema
    }

    fn object_of(
        &self,
        properties: Map<String, Value>,
        required: &[String],
        or_null: bool,
    ) -> Map<String, Value> {
        let mut written = Map::new();
        let types = if or_null {
            json!(["object", "null"])
        } else {
            json!("object")
        };
        written.insert("type".to_owned(), types);
        written.insert("properties".to_owned(), Value::Object(properties));
        if !required.is_empty() || self.rules.must_require_all() {
            written.insert("required".to_owned(), json!(required));
        }
        written
    }

    fn members(
        &mut self,
        properties: Map<String, Value>,
        required: &[String],
        at: &str,
        depth: usize,
    ) -> Result<Option<Members>, Stop> {
        let mut parts = Members {
            properties: Map::new(),
            required: Vec::new(),
            brought_back: BTreeMap::new(),
            all_present: false,
        };
        for (name, inner) in properties {
            let place = below(at, "properties", &name);
            let is_required = required.contains(&name);
            let says_null = inner.get("default") == Some(&Value::Null);
            let Some(out) = self.node(inner, &place, depth + 1)? else {
                if is_required {
                    return Ok(None);
                }
                let text = "the property was dropped: no value conforms to its schema";
                self.change(ChangeKind::NeverDropped, &place, Effect::Exact, text);
                continue;
            };
            let original_null = out.original.types().meets(Types::NULL);
            let mut member = Member {
                step: out.step,
                absence: Absence::LeftOut,
            };
            let mut schema = out.schema;
            if is_required {
                if self.rules.is_full_of_unions(self.unions)
                    && self.rules.takes_optional(self.optionals)
                    && let Some(without) = without_null(&schema)
                {
                    schema = without;
                    member.absence = Absence::NullLeftOut;
                    self.unions = self.unions.saturating_sub(1);
                    self.optionals += 1;
                    let text = "null is said by leaving the property out";
                    self.change(ChangeKind::NullToAbsent, &place, Effect::Exact, text);
                } else {
                    parts.required.push(name.clone());
                }
            } else if self.rules.takes_optional(self.optionals) {
                self.optionals += 1;
            } else {
                parts.required.push(name.clone());
                parts.all_present = true;
                if original_null && (self.absent_as_null || says_null) {
                    let text =
                        "the optional property became required, and is null where it was absent";
                    self.change(
                        ChangeKind::OptionalToRequired,
                        &place,
                        Effect::Narrowing,
                        text,
                    );
                } else {
                    (schema, member.absence) = self.with_absence(schema, &place);
                }
            }
            parts.properties.insert(name.clone(), schema);
            parts.brought_back.insert(name, member);
        }
        Ok(Some(parts))
    }
}

const PAIR_WORDS: &str = "Key-value pairs; each key once.";

struct Members {
    properties: Map<String, Value>,
    required: Vec<String>,
    brought_back: BTreeMap<String, Member>,
    /// Whether some optional property is always present now.
    all_present: bool,
}

fn undeclared(mut rules: Vec<Value>, others: &Others) -> Value {
    if rules.is_empty() {
        return match others {
            Others::Closed => Value::Bool(false),
            Others::Unsaid => Value::Bool(true),
            Others::Schema(schema) => schema.clone(),
        };
    }
    if rules.len() == 1
        && let Some(rule) = rules.pop()
    {
        return rule;
    }
    json!({"allOf": rules})
}

/// Whatever conforms to one of the schemas.
fn one_of(mut schemas: Vec<Value>) -> Value {
    if schemas.contains(&Value::Bool(true)) {
        return Value::Bool(true);
    }
    schemas.dedup();
    if schemas.len() == 1
        && let Some(schema) = schemas.pop()
    {
        return schema;
    }
    json!({"anyOf": schemas})
}
