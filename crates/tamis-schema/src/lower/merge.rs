//! Two schemas that a value must both conform to, as one.
//!
//! Inner schemas are not merged at once but put under an `allOf`, to be merged when their turn comes;
//! so recursive schemas can be merged too.

use std::collections::BTreeSet;

use serde_json::{Map, Number, Value, json};

use crate::lift::shape::{Types, same};
use crate::validate::parts::Pattern;

type Schema = Map<String, Value>;

/// The keywords that say nothing about a value.
pub(crate) const ANNOTATIONS: &[&str] = &[
    "$comment",
    "$schema",
    "$id",
    "id",
    "$anchor",
    "$defs",
    "definitions",
    "$vocabulary",
    "title",
    "description",
    "default",
    "examples",
    "example",
    "deprecated",
    "readOnly",
    "writeOnly",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
];

/// Merges flat schemas: no `$ref` and no `allOf` at their own level, except what an earlier merge left.
/// `None` means that no value conforms to both.
pub(crate) fn merge(one: Schema, two: Schema) -> Option<Schema> {
    let mut left_over = Vec::new();
    let mut one = one;
    let mut two = two;
    let mut merged = Schema::new();
    for side in [&mut one, &mut two] {
        if let Some(Value::Array(rest)) = side.remove("allOf") {
            left_over.extend(rest);
        }
    }
    let objects = merge_objects(&mut one, &mut two, &mut left_over)?;
    let arrays = merge_arrays(&mut one, &mut two);
    for (key, a) in one {
        let Some(b) = two.shift_remove(&key) else {
            merged.insert(key, a);
            continue;
        };
        match merge_keyword(&key, &a, &b)? {
            Merged::Value(value) => {
                merged.insert(key, value);
            }
            Merged::Apart => {
                left_over.push(Value::Object(Map::from_iter([(key.clone(), b)])));
                merged.insert(key, a);
            }
        }
    }
    merged.extend(two);
    merged.extend(objects);
    merged.extend(arrays);
    if !left_over.is_empty() {
        merged.insert("allOf".to_owned(), Value::Array(left_over));
    }
    Some(merged)
}

enum Merged {
    Value(Value),
    /// Both have to be said.
    Apart,
}

fn merge_keyword(key: &str, a: &Value, b: &Value) -> Option<Merged> {
    if a == b {
        return Some(Merged::Value(a.clone()));
    }
    Some(match key {
        "type" => Merged::Value(merge_types(a, b)?),
        "enum" => Merged::Value(merge_enums(a, b)?),
        // Equal constants have been merged above, but for 1 and 1.0.
        "const" if same(a, b) => Merged::Value(a.clone()),
        "const" => return None,
        "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties"
        | "minContains" => Merged::Value(extreme(a, b, true)),
        "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties"
        | "maxContains" => Merged::Value(extreme(a, b, false)),
        "uniqueItems" => Merged::Value(Value::Bool(
            a.as_bool().unwrap_or(false) || b.as_bool().unwrap_or(false),
        )),
        "multipleOf" => match (a.as_u64(), b.as_u64()) {
            (Some(a), Some(b)) => match common_multiple(a, b) {
                Some(both) => Merged::Value(Value::Number(Number::from(both))),
                None => Merged::Apart,
            },
            _ => Merged::Apart,
        },
        "description" => match (a.as_str(), b.as_str()) {
            (Some(a), Some(b)) => Merged::Value(Value::String(format!("{a}\n{b}"))),
            _ => Merged::Value(a.clone()),
        },
        "propertyNames" => Merged::Value(both(a, b)),
        _ if ANNOTATIONS.contains(&key) => Merged::Value(a.clone()),
        // Said twice, one of them can still be put into words.
        _ => Merged::Apart,
    })
}

fn both(a: &Value, b: &Value) -> Value {
    if a == b || *b == Value::Bool(true) {
        a.clone()
    } else if *a == Value::Bool(true) {
        b.clone()
    } else {
        json!({"allOf": [a, b]})
    }
}

fn names(types: &Value) -> Vec<&str> {
    match types {
        Value::String(name) => vec![name],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn merge_types(a: &Value, b: &Value) -> Option<Value> {
    let (a, b) = (names(a), names(b));
    let mut shared: Vec<&str> = Vec::new();
    for one in &a {
        for two in &b {
            let name = if one == two || (*one, *two) == ("integer", "number") {
                *one
            } else if (*one, *two) == ("number", "integer") {
                *two
            } else {
                continue;
            };
            if !shared.contains(&name) {
                shared.push(name);
            }
        }
    }
    match shared.as_slice() {
        [] => None,
        [name] => Some(json!(name)),
        names => Some(json!(names)),
    }
}

fn merge_enums(a: &Value, b: &Value) -> Option<Value> {
    let (Value::Array(a), Value::Array(b)) = (a, b) else {
        return Some(a.clone());
    };
    let known: BTreeSet<String> = b.iter().map(key_of).collect();
    let shared: Vec<Value> = a
        .iter()
        .filter(|one| known.contains(&key_of(one)))
        .cloned()
        .collect();
    (!shared.is_empty()).then_some(Value::Array(shared))
}

/// A text that is the same for values that are one to JSON Schema, to which 1 and 1.0 are.
fn key_of(value: &Value) -> String {
    match value {
        Value::Number(number) => number.as_f64().map_or_else(
            || number.to_string(),
            // The sum makes the two zeros one.
            |float| format!("{:x}", (float + 0.0).to_bits()),
        ),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(key_of).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(members) => {
            let mut members: Vec<String> = members
                .iter()
                .map(|(key, member)| format!("{key:?}:{}", key_of(member)))
                .collect();
            members.sort_unstable();
            format!("{{{}}}", members.join(","))
        }
        scalar => scalar.to_string(),
    }
}

fn extreme(a: &Value, b: &Value, largest: bool) -> Value {
    let is_less = match (a.as_i64(), b.as_i64()) {
        (Some(a), Some(b)) => a < b,
        _ => a.as_f64() < b.as_f64(),
    };
    if is_less == largest {
        b.clone()
    } else {
        a.clone()
    }
}

fn common_multiple(a: u64, b: u64) -> Option<u64> {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a.checked_div(x)?.checked_mul(b)
}

/// So many names are looked for one by one.
const FEW: usize = 8;

/// The keywords about an object's properties, which have to be merged together.
fn merge_objects(one: &mut Schema, two: &mut Schema, left_over: &mut Vec<Value>) -> Option<Schema> {
    let (mut a, mut b) = (Properties::take(one), Properties::take(two));
    let mut merged = Schema::new();
    if a.is_silent() && b.is_silent() {
        return Some(merged);
    }
    let everything = a.speaks_of_others() || b.speaks_of_others();
    let required = merge_required(std::mem::take(&mut a.required), &b.required);
    let properties = merge_declared(&mut a, &b);
    // What one side's patterns let through, the other side's rule for the rest still judges.
    let mut patterns = Schema::new();
    if a.patterns.is_empty() || b.patterns.is_empty() || a.patterns == b.patterns {
        for (side, other) in [(&a, &b), (&b, &a)] {
            for (pattern, schema) in &side.patterns {
                let rule = match &other.others {
                    Some(rule) if other.patterns.is_empty() => both(schema, rule),
                    _ => schema.clone(),
                };
                if !is_false(&rule) {
                    patterns.insert(pattern.clone(), rule);
                }
            }
        }
    } else {
        patterns.clone_from(&a.patterns);
        let mut apart = Schema::new();
        apart.insert(
            "patternProperties".to_owned(),
            Value::Object(std::mem::take(&mut b.patterns)),
        );
        if let Some(others) = b.others.take() {
            apart.insert("additionalProperties".to_owned(), others);
        }
        left_over.push(Value::Object(apart));
    }
    let others = match (a.others, b.others) {
        (Some(a), Some(b)) => Some(both(&a, &b)),
        (a, b) => a.or(b),
    };
    let forbidden = |name: &Value| {
        name.as_str()
            .and_then(|name| properties.get(name))
            .is_some_and(is_false)
    };
    // What the first one requires and forbids by itself is found when it is written.
    let suspects = if everything { &required } else { &b.required };
    let newly_forbidden = |(name, schema): (&String, &Value)| {
        is_false(schema) && required.iter().any(|required| required == name)
    };
    if suspects.iter().any(forbidden)
        || b.declared
            .keys()
            .filter_map(|name| properties.get_key_value(name))
            .any(newly_forbidden)
    {
        return None;
    }
    if !properties.is_empty() || a.declares || b.declares {
        merged.insert("properties".to_owned(), Value::Object(properties));
    }
    if !required.is_empty() {
        merged.insert("required".to_owned(), Value::Array(required));
    }
    if !patterns.is_empty() {
        merged.insert("patternProperties".to_owned(), Value::Object(patterns));
    }
    if let Some(others) = others {
        let others = if is_false(&others) {
            Value::Bool(false)
        } else {
            others
        };
        merged.insert("additionalProperties".to_owned(), others);
    }
    Some(merged)
}

/// The names of both, each once.
fn merge_required(mut all: Vec<Value>, more: &[Value]) -> Vec<Value> {
    // Many parts with a few names each are merged into one: those of the whole are not gone through anew
    // for a part that requires nothing.
    if more.is_empty() {
        return all;
    }
    let new: Vec<Value> = if more.len() <= FEW {
        let is_new = |name: &&Value| !all.contains(name);
        more.iter().filter(is_new).cloned().collect()
    } else {
        let known: BTreeSet<&str> = all.iter().filter_map(Value::as_str).collect();
        let is_new = |name: &&Value| name.as_str().is_none_or(|name| !known.contains(name));
        more.iter().filter(is_new).cloned().collect()
    };
    all.extend(new);
    all
}

/// What both say of each property that either declares.
fn merge_declared(a: &mut Properties, b: &Properties) -> Schema {
    let of_both = |a: &Properties, name: &String| {
        let schema = both(&a.schema_of(name), &b.schema_of(name));
        (name.clone(), schema)
    };
    if a.speaks_of_others() || b.speaks_of_others() {
        let names = a.declared.keys().chain(b.declared.keys());
        return names.map(|name| of_both(a, name)).collect();
    }
    // Neither says anything of what it does not declare.
    let changed: Schema = b.declared.keys().map(|name| of_both(a, name)).collect();
    let mut properties = std::mem::take(&mut a.declared);
    properties.extend(changed);
    properties
}

fn is_false(schema: &Value) -> bool {
    match schema {
        Value::Bool(allowed) => !allowed,
        Value::Object(schema) => schema
            .get("allOf")
            .and_then(Value::as_array)
            .is_some_and(|all| all.contains(&Value::Bool(false))),
        _ => false,
    }
}

struct Properties {
    declared: Schema,
    declares: bool,
    required: Vec<Value>,
    patterns: Schema,
    /// The patterns, in their order.
    compiled: Vec<Pattern>,
    others: Option<Value>,
}

impl Properties {
    fn take(schema: &mut Schema) -> Self {
        let mut object = |key: &str| match schema.shift_remove(key) {
            Some(Value::Object(inner)) => Some(inner),
            _ => None,
        };
        let declared = object("properties");
        let patterns = object("patternProperties").unwrap_or_default();
        let required = match schema.shift_remove("required") {
            Some(Value::Array(names)) => names,
            _ => Vec::new(),
        };
        let others = schema.shift_remove("additionalProperties");
        Self {
            declares: declared.is_some(),
            declared: declared.unwrap_or_default(),
            required,
            compiled: patterns.keys().map(|key| Pattern::new(key)).collect(),
            patterns,
            others,
        }
    }

    fn is_silent(&self) -> bool {
        !self.declares
            && self.required.is_empty()
            && self.patterns.is_empty()
            && self.others.is_none()
    }

    /// Whether it says something of properties that it does not declare.
    fn speaks_of_others(&self) -> bool {
        !self.patterns.is_empty() || self.others.is_some()
    }

    fn schema_of(&self, name: &str) -> Value {
        let mut schema = self.declared.get(name).cloned();
        for ((_, inner), pattern) in self.patterns.iter().zip(&self.compiled) {
            if pattern.matches(name) {
                schema = Some(match schema {
                    Some(schema) => both(&schema, inner),
                    None => inner.clone(),
                });
            }
        }
        let schema = schema.or_else(|| self.others.clone());
        match schema {
            Some(schema) if is_false(&schema) => Value::Bool(false),
            Some(schema) => schema,
            None => Value::Bool(true),
        }
    }
}

/// The keywords about an array's places, which have to be merged together.
fn merge_arrays(one: &mut Schema, two: &mut Schema) -> Schema {
    let mut take = |key: &str| (one.shift_remove(key), two.shift_remove(key));
    let prefixes = take("prefixItems");
    let rests = take("items");
    let list = |value: &Option<Value>| match value {
        Some(Value::Array(list)) => list.clone(),
        _ => Vec::new(),
    };
    let (a, b) = (list(&prefixes.0), list(&prefixes.1));
    let open = Value::Bool(true);
    let mut prefix = Vec::new();
    for index in 0..a.len().max(b.len()) {
        let a = a.get(index).or(rests.0.as_ref()).unwrap_or(&open);
        let b = b.get(index).or(rests.1.as_ref()).unwrap_or(&open);
        prefix.push(both(a, b));
    }
    let rest = match (rests.0, rests.1) {
        (Some(a), Some(b)) => Some(both(&a, &b)),
        (a, b) => a.or(b),
    };
    let mut merged = Schema::new();
    if !prefix.is_empty() {
        merged.insert("prefixItems".to_owned(), Value::Array(prefix));
    }
    if let Some(rest) = rest {
        let rest = if is_false(&rest) {
            Value::Bool(false)
        } else {
            rest
        };
        merged.insert("items".to_owned(), rest);
    }
    merged
}

/// The types that a schema names; all of them where it names none.
pub(crate) fn types_of(schema: &Schema) -> Types {
    match schema.get("type") {
        None => Types::ALL,
        Some(types) => names(types)
            .into_iter()
            .fold(Types::NONE, |types, name| types.or(Types::named(name))),
    }
}
