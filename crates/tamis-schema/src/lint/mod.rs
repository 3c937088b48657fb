//! What a dialect's upstream will say of a schema, before it is sent.

mod finding;
mod rules;
mod schema;

use serde_json::Value;

use crate::dialect::Dialect;
use crate::refs::Document;
use finding::Findings;
pub use finding::{Finding, Severity};

/// Says everything that is wrong with a schema for a dialect, in the schema's order, the errors of a
/// place first.
///
/// An [error](Severity::Error) means that the upstream will refuse the schema, a
/// [warning](Severity::Warning) that it will leave something out of account, so that only validation on
/// this side enforces it. A schema without errors is sent as it is; [`lower`](crate::lower) makes one of
/// the others.
///
/// ```
/// use serde_json::json;
/// use tamis_schema::{Dialect, Severity, lint};
///
/// let schema = json!({"type": "object", "properties": {"age": {"type": "integer", "minimum": 0}}});
/// let findings = lint(&schema, Dialect::OPENAI_STRICT);
/// let rules: Vec<&str> = findings.iter().map(|finding| finding.rule()).collect();
/// assert_eq!(rules, ["closed-objects", "required-properties"]);
/// assert!(findings.iter().all(|finding| finding.severity() == Severity::Error));
/// ```
///
/// It does not check that the schema is valid JSON Schema: [`Validator::new`](crate::Validator::new)
/// does. Of a document of more than 100,000 schemas the first are looked at, and a finding says so.
pub fn lint(schema: &Value, dialect: Dialect) -> Vec<Finding> {
    let document = Document::new(schema);
    let mut findings = Findings::default();
    let context = Context {
        document: &document,
        dialect,
    };
    for rule in rules::ALL {
        rule(&context, &mut findings);
    }
    findings.in_order(&document)
}

/// What rules look at.
struct Context<'a, 's> {
    document: &'a Document<'s>,
    dialect: Dialect,
}

#[cfg(test)]
mod tests;
