//! What a schema's values look like at the first glance: enough to tell the branches of a union apart,
//! and never more than the schema says.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The JSON types, as a set. Every number that has no fraction is an integer too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Types(u8);

impl Types {
    pub(crate) const NULL: Self = Self(1);
    pub(crate) const BOOLEAN: Self = Self(2);
    pub(crate) const INTEGER: Self = Self(4);
    pub(crate) const FRACTION: Self = Self(8);
    pub(crate) const STRING: Self = Self(16);
    pub(crate) const ARRAY: Self = Self(32);
    pub(crate) const OBJECT: Self = Self(64);
    pub(crate) const ALL: Self = Self(127);
    pub(crate) const NONE: Self = Self(0);

    pub(crate) fn named(name: &str) -> Self {
        match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "integer" => Self::INTEGER,
            "number" => Self(Self::INTEGER.0 | Self::FRACTION.0),
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => Self::NONE,
        }
    }

    pub(crate) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(number) => {
                let whole = number.is_i64()
                    || number.is_u64()
                    || number.as_f64().is_some_and(|float| float.fract() == 0.0);
                if whole { Self::INTEGER } else { Self::FRACTION }
            }
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    pub(crate) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub(crate) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// One of the looks a value can have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Look {
    types: Types,
    /// The only values, where they are counted.
    values: Option<Vec<Value>>,
    /// What an object must have.
    required: BTreeMap<String, Face>,
    /// What an object may have, where that is all.
    only: Option<BTreeSet<String>>,
}

/// What one property looks like.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Face {
    types: Types,
    values: Option<Vec<Value>>,
}

/// All the looks a schema's values have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Shape(Vec<Look>);

/// More looks than this tell nothing apart that could be had cheaply.
const MAX_LOOKS: usize = 64;
/// How far references and unions are followed.
const MAX_STEPS: usize = 16;
/// Longer lists of values are compared by type only.
const MAX_VALUES: usize = 300;

impl Shape {
    pub(crate) fn anything() -> Self {
        Self(vec![Look::of_types(Types::ALL)])
    }

    pub(crate) fn nothing() -> Self {
        Self(Vec::new())
    }

    /// The shape of a schema. `resolve` finds what a reference leads to, if it is known.
    pub(crate) fn of<'a>(schema: &'a Value, resolve: &impl Fn(&str) -> Option<&'a Value>) -> Self {
        let mut looks = Vec::new();
        if collect(schema, resolve, &mut looks, 0).is_some() {
            Self(looks)
        } else {
            Self::anything()
        }
    }

    /// The looks of both.
    pub(crate) fn or(&self, other: &Self) -> Self {
        if self.0.len() + other.0.len() > MAX_LOOKS {
            return Self::anything();
        }
        Self(self.0.iter().chain(&other.0).cloned().collect())
    }

    pub(crate) fn types(&self) -> Types {
        self.0
            .iter()
            .fold(Types::NONE, |types, look| types.or(look.types))
    }

    pub(crate) fn matches(&self, value: &Value) -> bool {
        self.0.iter().any(|look| look.matches(value))
    }

    /// Whether no value can have both shapes.
    pub(crate) fn is_disjoint(&self, other: &Self) -> bool {
        self.0
            .iter()
            .all(|one| other.0.iter().all(|two| one.is_disjoint(two)))
    }
}

fn collect<'a>(
    schema: &'a Value,
    resolve: &impl Fn(&str) -> Option<&'a Value>,
    looks: &mut Vec<Look>,
    steps: usize,
) -> Option<()> {
    if steps > MAX_STEPS || looks.len() > MAX_LOOKS {
        return None;
    }
    let schema = match schema {
        Value::Bool(false) => return Some(()),
        Value::Object(schema) => schema,
        _ => return None,
    };
    if let Some(target) = schema.get("$ref") {
        return collect(resolve(target.as_str()?)?, resolve, looks, steps + 1);
    }
    let union = schema.get("anyOf").or_else(|| schema.get("oneOf"));
    if let Some(union) = union {
        for branch in union.as_array()? {
            collect(branch, resolve, looks, steps + 1)?;
        }
        return Some(());
    }
    let face = Face::of(schema, resolve, steps)?;
    let mut look = Look {
        types: face.types,
        values: face.values,
        required: BTreeMap::new(),
        only: None,
    };
    if look.types.has(Types::OBJECT) && look.values.is_none() {
        let properties = schema.get("properties").and_then(Value::as_object);
        for name in schema
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            let name = name.as_str()?;
            let face = properties
                .and_then(|properties| properties.get(name))
                .and_then(|property| face_of(property, resolve, steps + 1))
                .unwrap_or_else(Face::anything);
            look.required.insert(name.to_owned(), face);
        }
        let is_closed = schema.get("additionalProperties") == Some(&Value::Bool(false))
            && !schema.contains_key("patternProperties");
        if is_closed {
            let names = properties
                .into_iter()
                .flat_map(Map::keys)
                .cloned()
                .collect();
            look.only = Some(names);
        }
    }
    looks.push(look);
    Some(())
}

fn face_of<'a>(
    schema: &'a Value,
    resolve: &impl Fn(&str) -> Option<&'a Value>,
    steps: usize,
) -> Option<Face> {
    if steps > MAX_STEPS {
        return None;
    }
    let schema = schema.as_object()?;
    if let Some(target) = schema.get("$ref") {
        return face_of(resolve(target.as_str()?)?, resolve, steps + 1);
    }
    Face::of(schema, resolve, steps)
}

impl Face {
    fn anything() -> Self {
        Self {
            types: Types::ALL,
            values: None,
        }
    }

    fn of<'a>(
        schema: &'a Map<String, Value>,
        resolve: &impl Fn(&str) -> Option<&'a Value>,
        steps: usize,
    ) -> Option<Self> {
        if let Some(union) = schema.get("anyOf").and_then(Value::as_array) {
            let mut types = Types::NONE;
            for branch in union {
                types = types.or(face_of(branch, resolve, steps + 1)?.types);
            }
            return Some(Self {
                types,
                values: None,
            });
        }
        let mut types = match schema.get("type") {
            Some(Value::String(name)) => Types::named(name),
            Some(Value::Array(names)) => names
                .iter()
                .filter_map(Value::as_str)
                .fold(Types::NONE, |types, name| types.or(Types::named(name))),
            _ => Types::ALL,
        };
        let values = match (schema.get("const"), schema.get("enum")) {
            (Some(value), _) => Some(vec![value.clone()]),
            (None, Some(Value::Array(values))) => Some(values.clone()),
            _ => None,
        };
        if let Some(values) = &values {
            let listed = values
                .iter()
                .fold(Types::NONE, |types, value| types.or(Types::of(value)));
            types = types.and(listed);
        }
        Some(Self {
            types,
            values: values.filter(|values| values.len() <= MAX_VALUES),
        })
    }

    fn matches(&self, value: &Value) -> bool {
        self.types.has(Types::of(value)) && among(self.values.as_ref(), value)
    }

    fn is_disjoint(&self, other: &Self) -> bool {
        !self.types.meets(other.types) || no_shared(self.values.as_ref(), other.values.as_ref())
    }
}

impl Look {
    fn of_types(types: Types) -> Self {
        Self {
            types,
            values: None,
            required: BTreeMap::new(),
            only: None,
        }
    }

    fn matches(&self, value: &Value) -> bool {
        if !self.types.has(Types::of(value)) || !among(self.values.as_ref(), value) {
            return false;
        }
        let Value::Object(members) = value else {
            return true;
        };
        let has_all = self
            .required
            .iter()
            .all(|(name, face)| members.get(name).is_some_and(|member| face.matches(member)));
        has_all
            && self
                .only
                .as_ref()
                .is_none_or(|only| members.keys().all(|name| only.contains(name)))
    }

    fn is_disjoint(&self, other: &Self) -> bool {
        let shared = self.types.and(other.types);
        if shared.is_none() || no_shared(self.values.as_ref(), other.values.as_ref()) {
            return true;
        }
        if shared != Types::OBJECT {
            return false;
        }
        let differ = self.required.iter().any(|(name, face)| {
            other
                .required
                .get(name)
                .is_some_and(|other| face.is_disjoint(other))
        });
        differ || self.misses(other) || other.misses(self)
    }

    /// Whether the other must have what this one must not.
    fn misses(&self, other: &Self) -> bool {
        self.only
            .as_ref()
            .is_some_and(|only| other.required.keys().any(|name| !only.contains(name)))
    }
}

fn among(values: Option<&Vec<Value>>, value: &Value) -> bool {
    values.is_none_or(|values| values.iter().any(|one| same(one, value)))
}

fn no_shared(one: Option<&Vec<Value>>, two: Option<&Vec<Value>>) -> bool {
    match (one, two) {
        (Some(one), Some(two)) => one.iter().all(|a| two.iter().all(|b| !same(a, b))),
        _ => false,
    }
}

/// Whether two values are one to JSON Schema, to which 1 and 1.0 are.
pub(crate) fn same(one: &Value, two: &Value) -> bool {
    match (one, two) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => one == two,
    }
}
