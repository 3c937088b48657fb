//! Which dialect a request's upstream speaks.

use serde_json::{Map, Value};
use tamis_schema::{Dialect, Surface};

use super::mode::SchemaMode;

/// The dialect of whoever may serve the request: of the providers that it is limited to, else of its
/// models. Where they speak different ones, what all of them take. None where nothing is known.
pub(crate) fn of(request: &Map<String, Value>, mode: SchemaMode) -> Option<Dialect> {
    let mut found: Option<Dialect> = None;
    let dialects = match providers(request) {
        Some(providers) => collect(providers.iter().copied(), Dialect::for_provider),
        None => collect(models(request), Dialect::for_model),
    }?;
    for dialect in dialects {
        let dialect = for_mode(dialect, mode)?;
        match found {
            None => found = Some(dialect),
            Some(other) if other == dialect => {}
            Some(_) => return Some(Dialect::PORTABLE),
        }
    }
    found
}

/// Each one's dialect; none where one of them is not known.
fn collect<'a>(
    names: impl Iterator<Item = &'a str>,
    dialect: impl Fn(&str) -> Option<Dialect>,
) -> Option<Vec<Dialect>> {
    names.map(dialect).collect()
}

/// The providers that the request is limited to.
fn providers(request: &Map<String, Value>) -> Option<Vec<&str>> {
    let provider = request.get("provider")?;
    let names = |key: &str| -> Option<Vec<&str>> {
        let names = provider.get(key)?.as_array()?;
        (!names.is_empty()).then(|| names.iter().filter_map(Value::as_str).collect())
    };
    let closed = provider.get("allow_fallbacks").and_then(Value::as_bool) == Some(false);
    names("only").or_else(|| names("order").filter(|_| closed))
}

fn models(request: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let fallbacks = request.get("models").and_then(Value::as_array);
    request
        .get("model")
        .into_iter()
        .chain(fallbacks.into_iter().flatten())
        .filter_map(Value::as_str)
}

/// The dialect of the same upstream for the place where the mode puts the schema.
fn for_mode(dialect: Dialect, mode: SchemaMode) -> Option<Dialect> {
    if dialect == Dialect::OPENAI_STRICT && mode == SchemaMode::Tool {
        return Some(Dialect::OPENAI_STRICT_TOOLS);
    }
    // Whoever takes schemas in tools only has no response format for them.
    let tools_only = dialect.table().surface == Surface::Tools;
    (mode == SchemaMode::Tool || !tools_only).then_some(dialect)
}
