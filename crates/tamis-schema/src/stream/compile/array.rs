//! Keywords about arrays.

use serde_json::Value;

use super::super::rule::{ArrayRule, Contains, RuleId};
use super::draft::Draft;
use super::{Compiler, whole_number};
use crate::refs::Node;

const KEYWORDS: &[&str] = &[
    "prefixItems",
    "items",
    "additionalItems",
    "contains",
    "minItems",
    "maxItems",
    "uniqueItems",
];

impl<'s> Compiler<'_, 's> {
    pub(super) fn arrays(
        &self,
        _index: RuleId,
        node: &Node<'s>,
        _partial: &mut bool,
    ) -> Option<Box<ArrayRule>> {
        if !KEYWORDS.iter().any(|keyword| node.get(keyword).is_some()) {
            return None;
        }
        let mut array = ArrayRule {
            min_items: whole_number(node.get("minItems")),
            max_items: whole_number(node.get("maxItems")),
            unique: node.get("uniqueItems") == Some(&Value::Bool(true)),
            ..ArrayRule::default()
        };
        // The list of the first items, and the schema of the rest, changed their names.
        let (list, rest) = if self.draft >= Draft::V2020 {
            ("prefixItems", "items")
        } else {
            ("items", "additionalItems")
        };
        match node.get(list) {
            Some(Value::Array(items)) => {
                array.prefix = (0..items.len())
                    .filter_map(|item| self.under(node, &format!("{list}/{item}")))
                    .collect();
                array.items = self.under(node, rest);
            }
            _ if self.draft >= Draft::V2020 => array.items = self.under(node, rest),
            // Without a list there is no rest.
            _ => array.items = self.under(node, list),
        }
        if self.draft >= Draft::Six
            && let Some(rule) = self.under(node, "contains")
        {
            let counted = self.draft >= Draft::V2019;
            let count = |keyword: &str| whole_number(node.get(keyword)).filter(|_| counted);
            array.contains = Some(Contains {
                rule,
                min: count("minContains").unwrap_or(1),
                max: count("maxContains"),
            });
        }
        Some(Box::new(array))
    }
}
