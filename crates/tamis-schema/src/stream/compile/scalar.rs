//! Keywords about values as a whole: types, enums, numbers, texts.

use serde_json::{Map, Value};

use super::super::rule::{Members, NumberRule, Rule, TextRule, Whole};
use super::super::types::{Kind, Types};
use super::draft::Draft;
use super::{Compiler, whole_number};
use crate::refs::Node;
use crate::validate::Validator;

/// Beyond this two integers may be one float.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl Compiler<'_, '_> {
    pub(super) fn scalars(&self, node: &Node<'_>, rule: &mut Rule) {
        rule.types = node.get("type").map(|value| self.types(value));
        let (min, max) = (
            whole_number(node.get("minLength")),
            whole_number(node.get("maxLength")),
        );
        rule.text = (min.is_some() || max.is_some()).then_some(TextRule { min, max });
        let constant = node.get("const").filter(|_| self.draft >= Draft::Six);
        let listed = node.get("enum").and_then(Value::as_array);
        let values = match (constant, listed) {
            (Some(constant), _) => Some((std::slice::from_ref(constant), "const")),
            (None, Some(values)) => Some((values.as_slice(), "enum")),
            (None, None) => None,
        };
        rule.members = values.map(|(values, keyword)| members(values, keyword));

        let mut left = Map::new();
        let mut leave = |keyword: &str| {
            if let Some(value) = node.get(keyword) {
                left.insert(keyword.to_owned(), value.clone());
            }
        };
        if self.draft >= Draft::Six {
            leave("const");
        }
        leave("enum");
        leave("pattern");
        leave("multipleOf");
        rule.number = number_bounds(node);
        let own_bounds = rule.number.is_some();
        let bounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
        for keyword in bounds {
            leave(keyword);
        }
        let has_bounds = bounds.iter().any(|keyword| node.get(keyword).is_some());
        if left.is_empty() {
            return;
        }
        left.insert("$schema".to_owned(), self.draft.uri().into());
        let in_members =
            |kind: fn(&Value) -> bool| values.is_some_and(|(values, _)| values.iter().any(kind));
        match Validator::new(&Value::Object(left)) {
            Ok(validator) => {
                rule.whole = Some(Whole {
                    validator,
                    // Both may be there, and only one of them is among the members.
                    texts: node.get("pattern").is_some()
                        || (constant.is_some() && listed.is_some()),
                    numbers: node.get("multipleOf").is_some()
                        || in_members(Value::is_number)
                        || (has_bounds && !own_bounds),
                    containers: in_members(|value| value.is_array() || value.is_object()),
                });
            }
            Err(_) => rule.partial = true,
        }
    }

    fn types(&self, value: &Value) -> Types {
        let mut types = Types::none(self.draft >= Draft::Six);
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
}

fn members(values: &[Value], keyword: &'static str) -> Members {
    let mut kinds = Types::none(true);
    let mut texts = Vec::new();
    for value in values {
        kinds.add_kind(Kind::of(value));
        if let Value::String(text) = value {
            texts.push(text.clone());
        }
    }
    texts.sort_unstable();
    texts.dedup();
    Members {
        kinds,
        texts,
        keyword,
    }
}

/// Bounds that can be compared as floats without a loss; none where one of them cannot.
fn number_bounds(node: &Node<'_>) -> Option<NumberRule> {
    let bound = |keyword: &str| match node.get(keyword) {
        None => Some(None),
        Some(value) => {
            let float = value.as_f64()?;
            (float.abs() < EXACT && value.is_number()).then_some(Some(float))
        }
    };
    let rule = NumberRule {
        minimum: bound("minimum")?,
        maximum: bound("maximum")?,
        above: bound("exclusiveMinimum")?,
        below: bound("exclusiveMaximum")?,
    };
    let any = [rule.minimum, rule.maximum, rule.above, rule.below]
        .iter()
        .any(Option::is_some);
    any.then_some(rule)
}
