//! Keywords about values as a whole: types, enums, numbers, texts.

use serde_json::{Map, Value};

use super::super::rule::{Members, Rule};
use super::super::types::{Kind, Types};
use super::draft::Draft;
use super::{Compiler, whole_number};
use crate::refs::Node;
use crate::validate::Validator;

/// Decided by the one that has the last word, when the value is whole.
const WHOLE: &[&str] = &[
    "type",
    "enum",
    "const",
    "multipleOf",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "pattern",
];

impl Compiler<'_, '_> {
    pub(super) fn scalars(&self, node: &Node<'_>, rule: &mut Rule) {
        let has_const = self.draft >= Draft::Six;
        let mut own = Map::new();
        for keyword in WHOLE {
            if *keyword == "const" && !has_const {
                continue;
            }
            if let Some(value) = node.get(keyword) {
                own.insert((*keyword).to_owned(), value.clone());
            }
        }
        if own.is_empty() {
            return;
        }
        rule.types = node.get("type").map(types);
        rule.max_length = whole_number(node.get("maxLength"));
        let constant = node.get("const").filter(|_| has_const);
        let listed = node.get("enum").and_then(Value::as_array);
        rule.members = match (constant, listed) {
            (Some(constant), _) => Some(members(std::slice::from_ref(constant), "const")),
            (None, Some(values)) => Some(members(values, "enum")),
            (None, None) => None,
        };
        rule.whole_containers = constant.is_some() || listed.is_some();
        own.insert("$schema".to_owned(), self.draft.uri().into());
        match Validator::new(&Value::Object(own)) {
            Ok(validator) => rule.whole = Some(validator),
            Err(_) => rule.partial = true,
        }
    }
}

fn types(value: &Value) -> Types {
    let mut types = Types::NONE;
    match value {
        Value::String(name) => types.add(name),
        Value::Array(names) => names
            .iter()
            .filter_map(Value::as_str)
            .for_each(|name| types.add(name)),
        _ => {}
    }
    types
}

fn members(values: &[Value], keyword: &'static str) -> Members {
    let mut kinds = Types::NONE;
    let mut texts = Vec::new();
    for value in values {
        kinds.add_kind(Kind::of(value));
        if let Value::String(text) = value {
            texts.push(text.clone());
        }
    }
    Members {
        kinds,
        texts,
        keyword,
    }
}
