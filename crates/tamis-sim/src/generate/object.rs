//! Objects.

use serde_json::{Map, Value};

use super::{Generator, SHALLOW, pattern, schema};

const MOST_MEMBERS: usize = 1_000;

impl Generator<'_> {
    pub(super) fn object(&mut self, schema: &Map<String, Value>, depth: usize) -> Value {
        let empty = Map::new();
        let properties = schema
            .get("properties")
            .and_then(Value::as_object)
            .unwrap_or(&empty);
        let wanted = self.wanted(schema, properties, depth);

        let mut object = Map::new();
        for (name, property) in properties.iter().filter(|(name, _)| wanted.contains(name)) {
            let property = Self::with_patterns(schema, name, property);
            object.insert(name.clone(), self.value(&property, depth.saturating_add(1)));
        }
        for name in &wanted {
            if !object.contains_key(name) {
                let other = Self::unnamed(schema, name);
                object.insert(name.clone(), self.value(&other, depth.saturating_add(1)));
            }
        }
        self.fill_up(schema, &mut object, depth);
        Value::Object(object)
    }

    /// The names of the members to generate: what is required, and some of the rest.
    fn wanted(
        &mut self,
        schema: &Map<String, Value>,
        properties: &Map<String, Value>,
        depth: usize,
    ) -> Vec<String> {
        let most = schema::count(schema, "maxProperties", MOST_MEMBERS).unwrap_or(MOST_MEMBERS);
        let mut wanted: Vec<String> = strings(schema.get("required"));
        wanted.dedup();
        for (name, property) in properties {
            let optional = !wanted.contains(name);
            // What recurs ends sooner.
            let chance = if depth >= SHALLOW { 0.0 } else { 0.75 };
            let chosen = self.rng.chance(chance) && property != &Value::Bool(false);
            if optional && chosen && wanted.len() < most {
                wanted.push(name.clone());
            }
        }
        let dependent = schema.get("dependentRequired").and_then(Value::as_object);
        let mut at = 0;
        while let Some(name) = wanted.get(at).cloned() {
            let others = strings(dependent.and_then(|all| all.get(&name)));
            for other in others {
                if !wanted.contains(&other) {
                    wanted.push(other);
                }
            }
            at = at.saturating_add(1);
        }
        wanted
    }

    /// A property's schema together with those of the patterns that match its name.
    fn with_patterns(schema: &Map<String, Value>, name: &str, property: &Value) -> Value {
        let matching = matching(schema, name);
        if matching.is_empty() {
            return property.clone();
        }
        let mut all = matching;
        all.push(property.clone());
        serde_json::json!({"allOf": all})
    }

    /// The schema of a member that `properties` does not name.
    fn unnamed(schema: &Map<String, Value>, name: &str) -> Value {
        let matching = matching(schema, name);
        if matching.is_empty() {
            return additional(schema);
        }
        serde_json::json!({"allOf": matching})
    }

    /// Adds members until there are `minProperties`.
    fn fill_up(
        &mut self,
        schema: &Map<String, Value>,
        object: &mut Map<String, Value>,
        depth: usize,
    ) {
        let least = schema::count(schema, "minProperties", MOST_MEMBERS).unwrap_or(0);
        let depth = depth.saturating_add(1);
        let properties = schema.get("properties").and_then(Value::as_object);
        for (name, property) in properties.into_iter().flatten() {
            if object.len() >= least {
                return;
            }
            if !object.contains_key(name) {
                object.insert(name.clone(), self.value(property, depth));
            }
        }
        let patterns: Vec<(String, Value)> = schema
            .get("patternProperties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .map(|(pattern, schema)| (pattern.clone(), schema.clone()))
            .collect();
        let open = additional(schema) != Value::Bool(false);
        for number in 0..least.saturating_mul(4) {
            if object.len() >= least {
                return;
            }
            let (name, member) = match self.rng.pick(&patterns) {
                Some((pattern, member)) => (
                    pattern::matching(pattern, self.rng).unwrap_or_default(),
                    member.clone(),
                ),
                None if open => (format!("key_{number}"), additional(schema)),
                None => return,
            };
            if !object.contains_key(&name) {
                let value = self.value(&member, depth);
                object.insert(name, value);
            }
        }
    }
}

fn additional(schema: &Map<String, Value>) -> Value {
    schema
        .get("additionalProperties")
        .cloned()
        .unwrap_or(Value::Bool(true))
}

/// The schemas of the patterns that a name matches. Only patterns that are literal, perhaps with
/// anchors, are recognised: the simulator has no regex engine, and needs none for more than this.
fn matching(schema: &Map<String, Value>, name: &str) -> Vec<Value> {
    let patterns = schema.get("patternProperties").and_then(Value::as_object);
    patterns
        .into_iter()
        .flatten()
        .filter(|(pattern, _)| pattern::is_literal_match(pattern, name))
        .map(|(_, schema)| schema.clone())
        .collect()
}

fn strings(value: Option<&Value>) -> Vec<String> {
    let list = value.and_then(Value::as_array);
    list.into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}
