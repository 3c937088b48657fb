//! Arrays.

use serde_json::{Map, Value};

use super::{Generator, SHALLOW, schema};

const MOST_ITEMS: usize = 5_000;

impl Generator<'_> {
    pub(super) fn array(&mut self, schema: &Map<String, Value>, depth: usize) -> Value {
        // Draft 7 spells `prefixItems` as an `items` array, and `items` as `additionalItems`.
        let (prefix, rest) = match (schema.get("prefixItems"), schema.get("items")) {
            (Some(Value::Array(prefix)), rest) => (prefix.as_slice(), rest),
            (_, Some(Value::Array(prefix))) => (prefix.as_slice(), schema.get("additionalItems")),
            (_, rest) => (&[][..], rest),
        };
        let closed = rest == Some(&Value::Bool(false));
        let any = Value::Bool(true);
        let rest = rest.unwrap_or(&any);
        let contains = schema.get("contains");
        let needed = match contains {
            Some(_) => schema::count(schema, "minContains", MOST_ITEMS).unwrap_or(1),
            None => 0,
        };
        let least = schema::count(schema, "minItems", MOST_ITEMS)
            .unwrap_or(0)
            .max(needed);
        let most = schema::count(schema, "maxItems", MOST_ITEMS).unwrap_or(MOST_ITEMS);
        let comfortable = if depth >= SHALLOW {
            0
        } else {
            least.saturating_add(3)
        };
        let high = if closed {
            prefix.len()
        } else {
            prefix.len().max(comfortable)
        }
        .min(most);
        let low = least.max(prefix.len().min(high)).min(most);
        let len = self.rng.between(low, high.max(low));
        let unique = schema.get("uniqueItems") == Some(&Value::Bool(true));

        let mut items: Vec<Value> = Vec::new();
        // A few more tries than items, for those that come twice.
        for _ in 0..len.saturating_mul(8) {
            let at = items.len();
            if at >= len {
                break;
            }
            let wanted = len.saturating_sub(at) <= needed;
            let item = match (prefix.get(at), contains) {
                (Some(item), _) => item,
                (None, Some(contains)) if wanted => contains,
                (None, _) => rest,
            };
            let item = self.value(item, depth.saturating_add(1));
            if !unique || !items.contains(&item) {
                items.push(item);
            }
        }
        Value::Array(items)
    }
}
