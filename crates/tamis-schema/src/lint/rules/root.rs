//! The root: what it must be.

use serde_json::Value;

use super::super::Context;
use super::super::finding::Findings;
use super::super::schema::types;

pub(super) fn check(context: &Context<'_, '_>, findings: &mut Findings) {
    let rule = context.dialect.table().root;
    let Some(root) = context.document.node(0) else {
        return;
    };
    if root.schema == &Value::Bool(false) {
        // To ask for one would be paid for and in vain.
        findings.error(
            "impossible-root",
            "",
            "no value conforms to the schema false",
        );
    }
    if rule.object && types(root.schema) != ["object"] {
        let what = match root.get("$ref") {
            Some(_) => "the root is a reference, and has to be of the type object itself",
            None => "the root is not of the type object",
        };
        findings
            .error("root-object", "", what)
            .with_help("wrap it: {\"type\": \"object\", \"properties\": {\"value\": …}}");
    }
    if !rule.any_of && root.get("anyOf").is_some() {
        findings
            .error(
                "root-any-of",
                "/anyOf",
                "the root is an anyOf, and has to be an object",
            )
            .with_help("put it into a property: {\"value\": {\"anyOf\": …}}");
    }
    if context.document.is_truncated() {
        findings.error(
            "too-many-schemas",
            "",
            "it holds too many schemas to be looked at",
        );
    }
}
