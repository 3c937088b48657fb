//! Keywords about objects.

use serde_json::{Value, json};

use super::super::rule::{ObjectRule, Property, Rest, RuleId};
use super::draft::Draft;
use super::{Compiler, whole_number};
use crate::refs::{Node, escaped};
use crate::validate::Validator;

const KEYWORDS: &[&str] = &[
    "properties",
    "patternProperties",
    "additionalProperties",
    "propertyNames",
    "required",
    "dependentRequired",
    "dependencies",
    "minProperties",
    "maxProperties",
];

impl<'s> Compiler<'_, 's> {
    pub(super) fn objects(
        &self,
        _index: RuleId,
        node: &Node<'s>,
        partial: &mut bool,
    ) -> Option<Box<ObjectRule>> {
        if !KEYWORDS.iter().any(|keyword| node.get(keyword).is_some()) {
            return None;
        }
        let map = |keyword: &str| {
            node.get(keyword)
                .and_then(Value::as_object)
                .into_iter()
                .flatten()
        };
        let mut object = ObjectRule {
            min_properties: whole_number(node.get("minProperties")),
            max_properties: whole_number(node.get("maxProperties")),
            ..ObjectRule::default()
        };
        for (name, _) in map("properties") {
            if let Some(rule) = self.under(node, &format!("properties/{}", escaped(name))) {
                object.places.insert(name.clone(), object.properties.len());
                object.properties.push(Property {
                    name: name.clone(),
                    rule,
                });
            }
        }
        for name in texts(node.get("required")) {
            match object.places.get(&name) {
                Some(place) if *place < 64 => object.required |= 1 << place,
                _ => object.required_too.push(name),
            }
        }
        for (pattern, _) in map("patternProperties") {
            let rule = self.under(node, &format!("patternProperties/{}", escaped(pattern)));
            let matcher = Validator::new(&json!({"$schema": self.draft.uri(), "pattern": pattern}));
            match (rule, matcher) {
                (Some(rule), Ok(matcher)) => object.patterns.push((matcher, rule)),
                _ => *partial = true,
            }
        }
        object.rest = match node.get("additionalProperties") {
            // A pattern that cannot be read may match what looks like the rest.
            _ if *partial && node.get("patternProperties").is_some() => Rest::Free,
            Some(Value::Bool(false)) => Rest::Closed,
            Some(_) => self
                .under(node, "additionalProperties")
                .map_or(Rest::Free, Rest::Rule),
            None => Rest::Free,
        };
        if self.draft >= Draft::Six {
            object.names = self.under(node, "propertyNames");
        }
        let keyword: &'static str = if self.draft >= Draft::V2019 {
            "dependentRequired"
        } else {
            "dependencies"
        };
        for (name, required) in map(keyword) {
            if required.is_array() {
                object
                    .dependent_required
                    .push((name.clone(), texts(Some(required)), keyword));
            } else if keyword == "dependencies"
                && self.draft == Draft::Four
                && let Value::String(one) = required
            {
                object
                    .dependent_required
                    .push((name.clone(), vec![one.clone()], keyword));
            }
        }
        Some(Box::new(object))
    }
}

fn texts(value: Option<&Value>) -> Vec<String> {
    value
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}
