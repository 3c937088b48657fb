//! Keywords that apply schemas to the same value.

use serde_json::Value;

use super::super::rule::{Condition, Rule, RuleId};
use super::Compiler;
use super::draft::Draft;
use crate::refs::{Node, escaped};

impl<'s> Compiler<'_, 's> {
    pub(super) fn same_value(&self, _index: RuleId, node: &Node<'s>, rule: &mut Rule) {
        rule.applied.all.extend(self.branches(node, "allOf"));
        rule.applied.any = self.branches(node, "anyOf");
        rule.applied.one = self.branches(node, "oneOf");
        rule.applied.not = self.under(node, "not");
        if self.draft >= Draft::Seven
            && let Some(test) = self.under(node, "if")
        {
            rule.applied.condition = Some(Condition {
                test,
                then: self.under(node, "then"),
                otherwise: self.under(node, "else"),
            });
        }
        let keyword = if self.draft >= Draft::V2019 {
            "dependentSchemas"
        } else {
            "dependencies"
        };
        for (name, schema) in node
            .get(keyword)
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            if !schema.is_array()
                && let Some(dependent) = self.under(node, &format!("{keyword}/{}", escaped(name)))
            {
                rule.applied.dependent.push((name.clone(), dependent));
            }
        }
    }

    fn branches(&self, node: &Node<'s>, keyword: &str) -> Vec<RuleId> {
        let count = node
            .get(keyword)
            .and_then(Value::as_array)
            .map_or(0, Vec::len);
        (0..count)
            .filter_map(|branch| self.under(node, &format!("{keyword}/{branch}")))
            .collect()
    }
}
