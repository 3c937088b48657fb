//! Values that conform to a schema, another one for each seed.
//!
//! Conforming for: `type`, `enum`, `const`, `properties`, `required`, `additionalProperties`,
//! `patternProperties`, `minProperties`, `dependentRequired`, `items`, `prefixItems`, `contains`,
//! `uniqueItems`, `allOf`, `anyOf`, `oneOf` (where the branches differ), local `$ref`, all bounds,
//! `pattern` and the usual formats. `not`, `if` and `unevaluated…` are not minded. A schema that
//! nothing conforms to gets some value all the same.

mod array;
mod format;
mod number;
mod object;
mod pattern;
mod schema;
mod string;

use serde_json::{Map, Value, json};

use crate::rng::Rng;
use schema::merged;

/// Deeper than this, only what a schema requires is generated.
const SHALLOW: usize = 5;
/// Deeper than this, nothing is.
const DEEPEST: usize = 48;
/// Values in one document at most.
const MOST_VALUES: usize = 20_000;

/// A value that conforms to the schema.
pub(crate) fn value(schema: &Value, rng: &mut Rng) -> Value {
    Generator {
        root: schema,
        rng,
        left: MOST_VALUES,
    }
    .value(schema, 0)
}

struct Generator<'a> {
    root: &'a Value,
    rng: &'a mut Rng,
    /// How many values may still be made.
    left: usize,
}

impl Generator<'_> {
    fn value(&mut self, schema: &Value, depth: usize) -> Value {
        if self.left == 0 || depth > DEEPEST {
            return Value::Null;
        }
        self.left = self.left.saturating_sub(1);
        let plain = depth >= SHALLOW;
        let root = self.root;
        let rng = &mut *self.rng;
        let mut choose = |branches: &[Value]| choose(root, branches, plain, rng);
        let Some(schema) = merged(root, schema, &mut choose) else {
            return Value::Null;
        };
        self.of(&schema, depth)
    }

    /// A value for a schema without references and applicators on the same instance.
    fn of(&mut self, schema: &Map<String, Value>, depth: usize) -> Value {
        if let Some(value) = schema.get("const") {
            return value.clone();
        }
        if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            let types = schema::types(schema);
            let fitting: Vec<&Value> = values
                .iter()
                .filter(|value| types.is_empty() || types.iter().any(|name| is_type(value, name)))
                .collect();
            return self
                .rng
                .pick(&fitting)
                .map_or(Value::Null, |value| (*value).clone());
        }
        match self.kind(schema) {
            "object" => self.object(schema, depth),
            "array" => self.array(schema, depth),
            "string" => Value::from(string::string(schema, self.rng)),
            "integer" => number::integer(schema, self.rng),
            "number" => number::number(schema, self.rng),
            "boolean" => json!(self.rng.chance(0.5)),
            _ => Value::Null,
        }
    }

    fn kind(&mut self, schema: &Map<String, Value>) -> &'static str {
        let types = schema::types(schema);
        if types.is_empty() {
            return schema::implied_type(schema);
        }
        let known: Vec<&'static str> = TYPES
            .iter()
            .copied()
            .filter(|name| types.contains(name))
            .collect();
        // Null only now and then, so that a nullable field mostly has something to show.
        let solid: Vec<&'static str> = known
            .iter()
            .copied()
            .filter(|name| *name != "null")
            .collect();
        let null = known.len() > solid.len();
        if solid.is_empty() || (null && self.rng.chance(0.2)) {
            return "null";
        }
        self.rng.pick(&solid).copied().unwrap_or("null")
    }
}

const TYPES: &[&str] = &[
    "object", "array", "string", "integer", "number", "boolean", "null",
];

fn is_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => {
            value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|n| n.fract() == 0.0)
        }
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => false,
    }
}

/// Any branch where there is room, else the one that goes least deep.
fn choose(root: &Value, branches: &[Value], plain: bool, rng: &mut Rng) -> Option<usize> {
    let at = rng.below(branches.len());
    if !plain {
        // `false` conforms to nothing.
        let possible = branches
            .get(at)
            .is_some_and(|branch| branch != &Value::Bool(false));
        if possible {
            return Some(at);
        }
    }
    branches
        .iter()
        .enumerate()
        .min_by_key(|(_, branch)| schema::depth(root, branch))
        .map(|(at, _)| at)
}

#[cfg(test)]
mod tests;
