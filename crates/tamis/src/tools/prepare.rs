//! Tools as a request has them, and how their calls are read.

use serde_json::{Map, Value, json};
use tamis_schema::{Dialect, Lowering, check_name};
use tamis_wire::{Failure, FailureKind};

use super::reader::{Reader, ToolReader};
use super::toolbox::{Entry, Toolbox};
use crate::structured::{Reading, SchemaMode, dialect};

/// Adds the tools to a request.
///
/// # Errors
///
/// `Validation`: a name, a schema, or what a schema would have to become; a name that another tool
/// has.
pub(crate) fn add(
    request: &mut Map<String, Value>,
    toolbox: &Toolbox,
    by_hand: Option<Dialect>,
    lowering: bool,
) -> Result<ToolReader, Failure> {
    let dialect = by_hand.or_else(|| dialect::of(request, SchemaMode::Tool));
    let dialect = dialect.filter(|_| lowering);
    let mut readers = Vec::new();
    let mut sent = Vec::new();
    for tool in &toolbox.tools {
        if readers
            .iter()
            .any(|reader: &Reader| reader.name == tool.name)
        {
            return Err(refuse(&tool.name, "another tool has this name"));
        }
        let (definition, reading) = prepare(tool, dialect)?;
        sent.push(definition);
        readers.push(Reader {
            name: tool.name.clone(),
            reading: reading.coerce(toolbox.coerce),
        });
    }
    let tools = request
        .entry("tools")
        .or_insert_with(|| Value::Array(Vec::new()));
    if let Value::Array(tools) = tools {
        tools.extend(sent);
    }
    Ok(ToolReader { readers })
}

fn prepare(tool: &Entry, dialect: Option<Dialect>) -> Result<(Value, Reading), Failure> {
    let refuse = |why: &str| refuse(&tool.name, why);
    check_name(&tool.name).map_err(|error| refuse(&error.to_string()).with_source(error))?;
    if tool.schema.get("type").and_then(Value::as_str) != Some("object") {
        return Err(refuse("the schema's root is not of the type object"));
    }
    let mut reading = Reading::new(&tool.schema)
        .map_err(|error| refuse(&error.to_string()).with_source(error))?;
    let mut schema = tool.schema.clone();
    if let Some(dialect) = dialect.filter(|_| tool.strict) {
        let lowered = Lowering::new(dialect)
            .absent_as_null(tool.typed)
            .lower(&tool.schema)
            .map_err(|error| refuse(&error.to_string()).with_source(error))?;
        schema = lowered.schema;
        reading = reading.lowered(dialect, lowered.changes, lowered.lift);
    }
    let mut function = json!({"name": tool.name});
    if let Some(function) = function.as_object_mut() {
        if let Some(description) = &tool.description {
            function.insert("description".to_owned(), description.as_str().into());
        }
        function.insert("parameters".to_owned(), schema);
        // Where nothing is known of the upstream, only a schema that it was told to take is strict.
        if tool.strict && dialect.is_some() {
            function.insert("strict".to_owned(), true.into());
        }
    }
    Ok((json!({"type": "function", "function": function}), reading))
}

fn refuse(tool: &str, why: &str) -> Failure {
    Failure::new(FailureKind::Validation, format!("tool {tool:?}: {why}"))
}
