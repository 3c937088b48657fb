//! Enums and constants.

use serde_json::Value;

use super::super::Context;
use super::super::finding::{Findings, Severity};
use crate::dialect::{Dialect, EnumRule};
use crate::refs::Node;

pub(super) fn check(context: &Context<'_, '_>, findings: &mut Findings) {
    for node in context.document.nodes() {
        if let Some(Value::Array(values)) = node.get("enum") {
            values_of(context, node, values, findings);
        }
        if let Some(value) = node.get("const")
            && context.dialect == Dialect::DEEPSEEK_TOOLS
            && !value.is_number()
        {
            findings.add(
                "enum",
                Severity::Info,
                node.at("const"),
                "const is listed for numbers only",
            );
        }
    }
}

fn values_of(
    context: &Context<'_, '_>,
    node: &Node<'_>,
    values: &[Value],
    findings: &mut Findings,
) {
    let table = context.dialect.table();
    let at = node.at("enum");
    if values.is_empty() {
        findings.error("enum", at, "the enum has no values");
        return;
    }
    let unfit = |value: &&Value| match table.enums {
        EnumRule::Any => false,
        EnumRule::Scalars => value.is_array() || value.is_object(),
        EnumRule::StringsAndNumbers => !value.is_string() && !value.is_number(),
        EnumRule::Strings => !value.is_string() && !value.is_null(),
    };
    if values.iter().any(|value| unfit(&value)) {
        let allowed = match table.enums {
            EnumRule::Any => return,
            EnumRule::Scalars => "strings, numbers, booleans and null",
            EnumRule::StringsAndNumbers => "strings and numbers",
            EnumRule::Strings => "strings",
        };
        findings.error(
            "enum",
            at,
            format!("the values of an enum may be {allowed}"),
        );
    }
    if context.dialect == Dialect::GEMINI && values.iter().any(Value::is_number) {
        findings.add("enum", Severity::Warning, at, "numbers in an enum are taken by the response schema, and refused in the declarations of tools");
    }
    let limits = table.limits;
    if let Some(most) = limits.enum_values_each.filter(|most| values.len() > *most) {
        findings
            .error(
                "enum",
                at,
                format!("the enum has {} values, and {most} are taken", values.len()),
            )
            .with_help("make it a string, and describe the values");
    }
    let characters: usize = values
        .iter()
        .filter_map(Value::as_str)
        .map(|text| text.chars().count())
        .sum();
    if let (Some(large), Some(most)) = (limits.large_enum, limits.large_enum_characters)
        && values.len() > large
        && characters > most
    {
        findings.error(
            "enum",
            at,
            format!("an enum of more than {large} values may have {most} characters, and this has {characters}"),
        );
    }
}
