//! Good to know, whatever the dialect.

use super::super::Context;
use super::super::finding::{Findings, Severity};
use super::super::schema::types;
use crate::refs::Place;

pub(super) fn check(context: &Context<'_, '_>, findings: &mut Findings) {
    for node in context.document.nodes() {
        let Place::Property(name) = node.place else {
            continue;
        };
        let is_id =
            name == "id" || name.ends_with("_id") || name.ends_with("Id") || name.ends_with("ID");
        let bounded = ["maximum", "exclusiveMaximum", "enum", "const"]
            .iter()
            .any(|keyword| node.get(keyword).is_some());
        if is_id && !bounded && types(node.schema).contains(&"integer") {
            findings
                .add(
                    "integer-id",
                    Severity::Info,
                    &*node.pointer,
                    "an id beyond 2^53 loses digits in many clients, and in the models' own arithmetic",
                )
                .with_help("make it a string");
        }
    }
}
