//! Reading a schema: references, `allOf`, branches, bounds.

use serde_json::{Map, Value, json};

/// References and applicators followed for one value at most.
const MOST_STEPS: usize = 256;

/// The schema as one flat object: references followed, `allOf` merged, one branch of `anyOf` and
/// `oneOf` chosen. None if nothing conforms.
pub(super) fn merged(
    root: &Value,
    schema: &Value,
    choose: &mut dyn FnMut(&[Value]) -> Option<usize>,
) -> Option<Map<String, Value>> {
    let mut flat = Map::new();
    let mut pending = vec![schema.clone()];
    for _ in 0..MOST_STEPS {
        let Some(next) = pending.pop() else {
            break;
        };
        let mut object = match next {
            Value::Object(object) => object,
            Value::Bool(false) => return None,
            _ => continue,
        };
        if let Some(target) = object.shift_remove("$ref").as_ref().and_then(Value::as_str) {
            pending.extend(resolve(root, target).cloned());
        }
        if let Some(Value::Array(all)) = object.shift_remove("allOf") {
            pending.extend(all);
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = object.shift_remove(key) {
                let at = choose(&branches)?;
                pending.extend(branches.into_iter().nth(at));
            }
        }
        for (key, value) in object {
            let both = match flat.shift_remove(&key) {
                Some(before) => combine(&key, before, value),
                None => value,
            };
            flat.insert(key, both);
        }
    }
    Some(flat)
}

/// Two demands of one keyword on the same instance.
fn combine(key: &str, a: Value, b: Value) -> Value {
    if a == b {
        return a;
    }
    match key {
        "properties" | "patternProperties" | "dependentRequired" => {
            let (Value::Object(mut a), Value::Object(b)) = (a, b) else {
                return Value::Null;
            };
            for (name, schema) in b {
                let both = match a.shift_remove(&name) {
                    Some(before) if key != "dependentRequired" => {
                        json!({"allOf": [before, schema]})
                    }
                    _ => schema,
                };
                a.insert(name, both);
            }
            Value::Object(a)
        }
        "required" => {
            let mut names = list(&a);
            for name in list(&b) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            Value::Array(names)
        }
        "enum" => {
            let others = list(&b);
            list(&a)
                .into_iter()
                .filter(|value| others.contains(value))
                .collect()
        }
        "type" => {
            let others = names(&b);
            let narrow = |name: &&str| {
                others.contains(name) || (*name == "integer" && others.contains(&"number"))
            };
            let mut both: Vec<&str> = names(&a).into_iter().filter(narrow).collect();
            if both.is_empty() && names(&a).contains(&"number") && others.contains(&"integer") {
                both.push("integer");
            }
            json!(both)
        }
        "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => {
            if a.as_f64() >= b.as_f64() { a } else { b }
        }
        "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => {
            if a.as_f64() <= b.as_f64() { a } else { b }
        }
        "items" | "additionalProperties" => json!({"allOf": [a, b]}),
        // For annotations any will do; for the rest, the last word is as good a guess as the first.
        _ => b,
    }
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

fn names(value: &Value) -> Vec<&str> {
    match value {
        Value::String(name) => vec![name],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// The values of `type`.
pub(super) fn types(schema: &Map<String, Value>) -> Vec<&str> {
    schema.get("type").map(names).unwrap_or_default()
}

/// The type that the keywords speak of where there is no `type`.
pub(super) fn implied_type(schema: &Map<String, Value>) -> &'static str {
    const HINTS: &[(&str, &[&str])] = &[
        (
            "object",
            &[
                "properties",
                "required",
                "additionalProperties",
                "patternProperties",
                "minProperties",
            ],
        ),
        (
            "array",
            &[
                "items",
                "prefixItems",
                "contains",
                "minItems",
                "maxItems",
                "uniqueItems",
            ],
        ),
        (
            "number",
            &[
                "minimum",
                "maximum",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "multipleOf",
            ],
        ),
    ];
    HINTS
        .iter()
        .find(|(_, keys)| keys.iter().any(|key| schema.contains_key(*key)))
        .map_or("string", |(kind, _)| kind)
}

/// The schema that a local reference names.
pub(super) fn resolve<'a>(root: &'a Value, target: &str) -> Option<&'a Value> {
    let fragment = target.strip_prefix('#')?;
    if fragment.is_empty() || fragment.starts_with('/') {
        return root.pointer(&percent_decoded(fragment));
    }
    // An anchor, looked for where definitions are kept.
    ["$defs", "definitions"]
        .iter()
        .filter_map(|key| root.get(*key)?.as_object())
        .flat_map(Map::values)
        .find(|schema| schema.get("$anchor").and_then(Value::as_str) == Some(fragment))
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let escaped = match (first, tail) {
            (b'%', [high, low, after @ ..]) => {
                let digits = [*high, *low];
                let byte = str::from_utf8(&digits)
                    .ok()
                    .and_then(|hex| u8::from_str_radix(hex, 16).ok());
                byte.map(|byte| (byte, after))
            }
            _ => None,
        };
        let (byte, after) = escaped.unwrap_or((*first, tail));
        bytes.push(byte);
        rest = after;
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// How deep the smallest conforming value is, roughly; what recurs counts as deep.
pub(super) fn depth(root: &Value, schema: &Value) -> usize {
    let mut budget = 400;
    depth_within(root, schema, 10, &mut budget)
}

fn depth_within(root: &Value, schema: &Value, fuel: usize, budget: &mut usize) -> usize {
    const ENDLESS: usize = 1_000;
    let (Some(fuel), Some(left)) = (fuel.checked_sub(1), budget.checked_sub(1)) else {
        return ENDLESS;
    };
    *budget = left;
    let Some(object) = schema.as_object() else {
        return if schema == &Value::Bool(false) {
            ENDLESS
        } else {
            0
        };
    };
    if object.contains_key("const") || object.contains_key("enum") {
        return 0;
    }
    let mut deepest = 0;
    if let Some(target) = object.get("$ref").and_then(Value::as_str) {
        let to = resolve(root, target).map_or(0, |to| depth_within(root, to, fuel, budget));
        deepest = deepest.max(to);
    }
    for branch in object
        .get("allOf")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        deepest = deepest.max(depth_within(root, branch, fuel, budget));
    }
    for key in ["anyOf", "oneOf"] {
        let branches = object
            .get(key)
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        let least = branches
            .map(|branch| depth_within(root, branch, fuel, budget))
            .min();
        deepest = deepest.max(least.unwrap_or(0));
    }
    let types = types(object);
    let may_be = |name| types.is_empty() || types.contains(&name);
    let simple = types
        .iter()
        .any(|name| *name != "object" && *name != "array");
    if simple {
        return deepest;
    }
    if may_be("object") {
        let required = object
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        for name in required.filter_map(Value::as_str) {
            let member = object.get("properties").and_then(|all| all.get(name));
            let member = member.map_or(0, |schema| depth_within(root, schema, fuel, budget));
            deepest = deepest.max(member.saturating_add(1));
        }
    }
    let needs_items = object.get("minItems").and_then(Value::as_u64).unwrap_or(0) > 0;
    if may_be("array") && needs_items {
        let item = object
            .get("items")
            .map_or(0, |schema| depth_within(root, schema, fuel, budget));
        deepest = deepest.max(item.saturating_add(1));
    }
    deepest
}

/// A count from a schema, at most `most`.
pub(super) fn count(schema: &Map<String, Value>, key: &str, most: usize) -> Option<usize> {
    let number = schema.get(key)?;
    let number = number.as_u64().or_else(|| {
        // `2.0` is a count too.
        let float = number
            .as_f64()
            .filter(|float| *float >= 0.0 && float.fract() == 0.0)?;
        format!("{float:.0}").parse().ok()
    })?;
    Some(usize::try_from(number).unwrap_or(most).min(most))
}
