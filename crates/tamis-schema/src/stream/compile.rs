//! From a schema to rules.

mod array;
mod draft;
mod object;
mod same_value;
mod scalar;

use serde_json::Value;

use super::rule::{Rule, RuleId, Rules};
use crate::refs::{Document, Node, Target, has_nested_resources};
use draft::Draft;

/// Makes the rules of a schema that is one.
pub(super) fn rules(schema: &Value) -> Rules {
    let document = Document::new(schema);
    let Some(draft) = Draft::of(schema).filter(|_| !document.is_truncated()) else {
        return Rules::none();
    };
    let compiler = Compiler {
        document: &document,
        draft,
        nested: has_nested_resources(&document),
    };
    let rules = (0..document.nodes().len())
        .map(|index| compiler.rule(index).weighed())
        .collect();
    Rules::new(rules)
}

struct Compiler<'a, 's> {
    document: &'a Document<'s>,
    draft: Draft,
    /// A part of the document is a resource of its own, in which references mean something else.
    nested: bool,
}

impl<'s> Compiler<'_, 's> {
    fn rule(&self, index: RuleId) -> Rule {
        let Some(node) = self.document.node(index) else {
            return Rule::default();
        };
        let mut rule = Rule {
            pointer: node.pointer.clone(),
            never: *node.schema == Value::Bool(false),
            ..Rule::default()
        };
        if node.keywords().is_none() {
            return rule;
        }
        if node.get("$ref").is_some() {
            match self.reference(index) {
                Some(target) => rule.applied.all.push(target),
                None => rule.partial = true,
            }
            if self.draft.ref_stands_alone() {
                return rule;
            }
        }
        rule.partial |= self
            .draft
            .unjudged()
            .iter()
            .any(|keyword| node.get(keyword).is_some());
        // Whether a format is asserted is for the whole check to know.
        rule.partial |= node.get("format").is_some();
        self.scalars(node, &mut rule);
        self.same_value(index, node, &mut rule);
        rule.object = self.objects(index, node, &mut rule.partial);
        rule.array = self.arrays(index, node, &mut rule.partial);
        rule
    }

    /// Where a reference leads; none where that is not sure.
    fn reference(&self, index: RuleId) -> Option<RuleId> {
        let reference = self.document.node(index)?.get("$ref")?.as_str()?;
        if self.nested || !(reference == "#" || reference.starts_with("#/")) {
            return None;
        }
        match self.document.target(index) {
            Target::Node(target) => Some(*target),
            _ => None,
        }
    }

    /// The rule of a schema under a keyword of another.
    fn under(&self, node: &Node<'s>, path: &str) -> Option<RuleId> {
        let schema = node.schema.pointer(&format!("/{path}"))?;
        self.document.index_of(schema)
    }
}

/// A number that a keyword holds; one with a fraction of zero is whole.
fn whole_number(value: Option<&Value>) -> Option<u64> {
    let value = value?;
    value.as_u64().or_else(|| {
        let number = value
            .as_f64()
            .filter(|number| number.fract() == 0.0 && *number >= 0.0)?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is whole, not negative, and saturates"
        )]
        Some(number as u64)
    })
}
