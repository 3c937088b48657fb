//! From the caller's request to the one that is sent, and to how its answer is read.

use serde_json::{Map, Value, json};
use tamis_json::Policy;
use tamis_schema::{Dialect, Lowered, Lowering, ValidatorCache, ValidatorOptions, check_name};
use tamis_wire::{Failure, FailureKind};

use super::dialect;
use super::mode::SchemaMode;
use super::options::Options;
use super::reading::Reading;
use crate::wanted::wanted;

/// A request as it is sent, and how its answer is read.
pub(crate) struct Prepared {
    pub(crate) request: Map<String, Value>,
    pub(crate) reading: Reading,
}

/// Checks the request's schema, puts it into the form that the upstream takes, and keeps what is needed to
/// read the answer by the caller's own.
///
/// # Errors
///
/// `Validation`: the schema, its name, or what the schema would have to become.
pub(crate) fn prepare(
    mut request: Map<String, Value>,
    options: &Options,
    mending: &Policy,
    lowering: bool,
    validators: &ValidatorCache,
) -> Result<Prepared, Failure> {
    let Some(asked) = Asked::of(&request)? else {
        return Ok(Prepared {
            request,
            reading: Reading::without_schema(mending.clone()),
        });
    };
    let dialect = if lowering && asked.strict && options.mode.is_enforced() {
        match options.dialect {
            Some(dialect) => Some(dialect),
            None => dialect::of(&request, options.mode),
        }
    } else {
        None
    };
    // A format that the upstream enforces is one that its answers keep to.
    let formats = dialect.and_then(|dialect| dialect.table().formats);
    let asserting = ValidatorOptions::new().assert_only(formats.unwrap_or_default());
    let validator = validators
        .get_with(&asked.schema, &asserting)
        .map_err(|error| refuse(format!("json_schema.schema: {error}")).with_source(error))?;
    let lowered = dialect
        .map(|dialect| lowered(&asked.schema, dialect, options.absent_as_null))
        .transpose()?;
    let sent = lowered
        .as_ref()
        .map_or(&asked.schema, |lowered| &lowered.schema);
    match options.mode {
        SchemaMode::JsonSchema => put_schema(&mut request, sent),
        SchemaMode::Tool => put_tool(&mut request, &asked, sent, dialect.is_some())?,
        SchemaMode::JsonObject => {
            needs_object(&asked.schema, options.mode)?;
            request.insert("response_format".to_owned(), json!({"type": "json_object"}));
            instruct(&mut request, &asked.schema);
        }
        SchemaMode::Prompt => {
            request.remove("response_format");
            instruct(&mut request, &asked.schema);
        }
    }
    let (changes, lift) = match lowered {
        Some(lowered) => (lowered.changes, Some(lowered.lift)),
        None => (Vec::new(), None),
    };
    Ok(Prepared {
        reading: Reading {
            policy: mending.clone().wanting(wanted(&asked.schema)),
            validator: Some(validator),
            schema: Some(asked.schema),
            name: asked.name,
            mode: options.mode,
            dialect,
            changes,
            lift,
            coerce: options.coerce,
            // What may be coerced at the end is not judged before.
            early_abort: options.early_abort.unwrap_or(!options.coerce),
            token_limit: token_limit(&request),
        },
        request,
    })
}

/// The schema of a request, as the caller gave it.
struct Asked {
    name: String,
    description: Option<String>,
    strict: bool,
    schema: Value,
}

impl Asked {
    fn of(request: &Map<String, Value>) -> Result<Option<Self>, Failure> {
        let Some(format) = request
            .get("response_format")
            .and_then(|format| format.get("json_schema"))
        else {
            return Ok(None);
        };
        let text = |key: &str| format.get(key).and_then(Value::as_str).map(str::to_owned);
        let name = text("name").unwrap_or_default();
        check_name(&name)
            .map_err(|error| refuse(format!("json_schema.name: {error}")).with_source(error))?;
        let Some(schema) = format.get("schema") else {
            return Ok(None);
        };
        Ok(Some(Self {
            name,
            description: text("description"),
            // Only a schema that is to be enforced has to fit what can be.
            strict: format.get("strict").and_then(Value::as_bool) != Some(false),
            schema: schema.clone(),
        }))
    }
}

fn lowered(schema: &Value, dialect: Dialect, absent_as_null: bool) -> Result<Lowered, Failure> {
    let lowering = Lowering::new(dialect).absent_as_null(absent_as_null);
    lowering.lower(schema).map_err(|error| {
        refuse(format!(
            "json_schema.schema: {error}; another dialect, or none, can be set"
        ))
        .with_source(error)
    })
}

fn put_schema(request: &mut Map<String, Value>, schema: &Value) {
    let place = request
        .get_mut("response_format")
        .and_then(|format| format.get_mut("json_schema"))
        .and_then(|format| format.get_mut("schema"));
    if let Some(place) = place {
        place.clone_from(schema);
    }
}

/// The schema as the arguments of the one tool that the model must call.
fn put_tool(
    request: &mut Map<String, Value>,
    asked: &Asked,
    schema: &Value,
    strict: bool,
) -> Result<(), Failure> {
    needs_object(schema, SchemaMode::Tool)?;
    let has_tools = |tools: &Value| tools.as_array().is_none_or(|tools| !tools.is_empty());
    if request.get("tools").is_some_and(has_tools) {
        return Err(refuse(
            "the schema mode tool needs the request's tools for itself, and it has others"
                .to_owned(),
        ));
    }
    request.remove("response_format");
    let mut function = json!({"name": asked.name, "parameters": schema});
    if let Some(function) = function.as_object_mut() {
        let description = asked.description.as_deref().unwrap_or("Gives the answer.");
        function.insert("description".to_owned(), description.into());
        if strict {
            function.insert("strict".to_owned(), true.into());
        }
    }
    request.insert(
        "tools".to_owned(),
        json!([{"type": "function", "function": function}]),
    );
    request.insert(
        "tool_choice".to_owned(),
        json!({"type": "function", "function": {"name": asked.name}}),
    );
    Ok(())
}

fn needs_object(schema: &Value, mode: SchemaMode) -> Result<(), Failure> {
    if schema.get("type").is_some_and(|kind| kind == "object") {
        return Ok(());
    }
    Err(refuse(format!(
        "json_schema.schema: the schema mode {mode} gives objects only, and the schema's root is not \
         of the type object"
    )))
}

/// Tells the model of the schema in words. Some servers take no more than one system message, at the
/// beginning, so that is where it goes.
fn instruct(request: &mut Map<String, Value>, schema: &Value) {
    let words = format!(
        "Answer with one JSON document that conforms to this JSON Schema, and with nothing else: no \
         explanation, no Markdown.\n{schema}"
    );
    let Some(messages) = request.get_mut("messages").and_then(Value::as_array_mut) else {
        return;
    };
    if let Some(first) = messages.first_mut()
        && matches!(
            first.get("role").and_then(Value::as_str),
            Some("system" | "developer")
        )
        && let Some(Value::String(content)) = first.get_mut("content")
    {
        content.push_str("\n\n");
        content.push_str(&words);
    } else {
        messages.insert(0, json!({"role": "system", "content": words}));
    }
}

fn token_limit(request: &Map<String, Value>) -> Option<u64> {
    ["max_completion_tokens", "max_tokens"]
        .iter()
        .find_map(|key| request.get(*key)?.as_u64())
}

fn refuse(message: String) -> Failure {
    Failure::new(FailureKind::Validation, message)
}
