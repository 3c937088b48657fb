//! Requests of other protocols than chat completions.
//!
//! What decides about schemas and tools knows chat completions only. So those parts of a request that it
//! has to do with are put before it in that shape, and what it makes of them is put back.

use serde_json::{Map, Value, json};
use tamis_wire::{Failure, FailureKind, Protocol, check_json_as};

use super::{Body, Chat};
use crate::client::Client;
use crate::structured::{Prepared, prepare};

type Fields = Map<String, Value>;

impl Chat {
    /// A request of another protocol, in that protocol's shape.
    pub(crate) fn native(client: Client, protocol: Protocol, request: Fields) -> Self {
        let mut chat = Self::new(client, Body::Json(request));
        chat.protocol = protocol;
        chat
    }

    /// The fields of a request of another protocol, to be changed.
    pub(crate) fn fields_mut(&mut self) -> Option<&mut Fields> {
        match &mut self.body {
            Body::Json(request) => Some(request),
            Body::Typed(_) => None,
        }
    }

    /// Says why the request cannot be sent, unless something else is wrong with it already.
    pub(crate) fn refuse(&mut self, message: String) {
        self.problem
            .get_or_insert_with(|| Failure::new(FailureKind::Validation, message));
    }

    /// The server speaks OpenRouter's own fields.
    pub(crate) fn speaks_openrouter(&self) -> bool {
        self.client.shared.speaks_openrouter
    }

    pub(super) fn prepare_native(&self) -> Result<Prepared, Failure> {
        let mut request = self.request()?;
        check_json_as(self.protocol, &request)?;
        if self.speaks_openrouter() {
            keeps_nothing(&request)?;
        }
        let mut chat = self.as_chat(&request);
        if self.toolbox.is_some() {
            self.add_tools(&mut chat)?;
        }
        let lowering = self.options.lowering.unwrap_or(self.lowers());
        let validators = &self.client.shared.validators;
        let prepared = prepare(chat, &self.options, &self.mending, lowering, validators)?;
        match self.protocol {
            Protocol::Messages => put_message(&mut request, prepared.request)?,
            _ => put_response(&mut request, prepared.request),
        }
        Ok(Prepared {
            request,
            reading: prepared.reading,
        })
    }

    /// What a request says of models, schemas and tools, in the shape of chat completions.
    pub(super) fn as_chat(&self, request: &Fields) -> Fields {
        let mut chat = Fields::new();
        for name in ["model", "models", "provider", "tools"] {
            if let Some(value) = request.get(name) {
                chat.insert(name.to_owned(), value.clone());
            }
        }
        chat.insert("messages".to_owned(), json!([]));
        let limit = ["max_output_tokens", "max_tokens"]
            .iter()
            .find_map(|name| request.get(*name));
        if let Some(limit) = limit {
            chat.insert("max_tokens".to_owned(), limit.clone());
        }
        if let Some(format) = self.format(request) {
            chat.insert("response_format".to_owned(), format);
        }
        chat
    }

    /// The form of the answer, as chat completions have it.
    fn format(&self, request: &Fields) -> Option<Value> {
        let holder = match self.protocol {
            Protocol::Messages => "output_config",
            _ => "text",
        };
        let format = request.get(holder)?.get("format")?.as_object()?;
        if format.get("type")?.as_str()? != "json_schema" {
            return None;
        }
        let mut schema = format.clone();
        schema.shift_remove("type");
        if self.protocol == Protocol::Messages {
            // It has neither a name nor a choice.
            schema.entry("name").or_insert_with(|| "answer".into());
            schema.insert("strict".to_owned(), true.into());
        }
        Some(json!({"type": "json_schema", "json_schema": schema}))
    }

    /// The conversation of a request, to be gone on with.
    pub(super) fn conversation<'a>(&self, request: &'a mut Fields) -> Option<&'a mut Vec<Value>> {
        if self.protocol != Protocol::Responses {
            return request.get_mut("messages")?.as_array_mut();
        }
        items_mut(request)
    }
}

/// OpenRouter refuses to keep responses.
fn keeps_nothing(request: &Fields) -> Result<(), Failure> {
    let given = |name: &str| request.get(name).filter(|value| !value.is_null());
    let message = if given("store").is_some_and(|store| store != &Value::Bool(false)) {
        "store: OpenRouter keeps no responses, so it must be false"
    } else if given("previous_response_id").is_some() {
        "previous_response_id: OpenRouter keeps no responses; send the earlier items again"
    } else {
        return Ok(());
    };
    Err(Failure::new(FailureKind::Validation, message))
}

/// The items of a request's input; a text becomes one.
pub(crate) fn items_mut(request: &mut Fields) -> Option<&mut Vec<Value>> {
    let input = request
        .entry("input")
        .or_insert_with(|| Value::Array(Vec::new()));
    if let Value::String(text) = input {
        let text = std::mem::take(text);
        *input = json!([{"role": "user", "content": text}]);
    }
    input.as_array_mut()
}

fn put_response(request: &mut Fields, mut chat: Fields) {
    let format = chat.shift_remove("response_format").map(|format| {
        let mut flat = Fields::new();
        flat.insert("type".to_owned(), kind_of(&format));
        if let Some(Value::Object(schema)) = format.get("json_schema") {
            flat.extend(schema.clone());
        }
        Value::Object(flat)
    });
    put_format(request, "text", format);
    put_tools(request, &mut chat, |function| {
        let mut tool = json!({"type": "function"});
        if let Some(tool) = tool.as_object_mut() {
            tool.extend(function);
            // Without it the server takes it to be strict.
            tool.entry("strict").or_insert_with(|| false.into());
        }
        tool
    });
    if let Some(name) = forced(&mut chat) {
        let choice = json!({"type": "function", "name": name});
        request.insert("tool_choice".to_owned(), choice);
    }
    if let Some(words) = instructions(&mut chat) {
        let known = request
            .entry("instructions")
            .or_insert_with(|| Value::String(String::new()));
        match known {
            Value::String(known) if !known.is_empty() => {
                known.push_str("\n\n");
                known.push_str(&words);
            }
            known => *known = words.into(),
        }
    }
}

fn put_message(request: &mut Fields, mut chat: Fields) -> Result<(), Failure> {
    let format = match chat.shift_remove("response_format") {
        Some(format) if kind_of(&format) == "json_schema" => {
            let schema = format
                .get("json_schema")
                .and_then(|format| format.get("schema"));
            Some(json!({"type": "json_schema", "schema": schema}))
        }
        Some(_) => {
            return Err(Failure::new(
                FailureKind::Validation,
                "the schema mode json-object: the Messages protocol has none; use json-schema, tool or prompt",
            ));
        }
        None => None,
    };
    put_format(request, "output_config", format);
    put_tools(request, &mut chat, |mut function| {
        let schema = function.shift_remove("parameters");
        function.insert(
            "input_schema".to_owned(),
            schema.unwrap_or_else(|| json!({"type": "object"})),
        );
        Value::Object(function)
    });
    if let Some(name) = forced(&mut chat) {
        let choice = json!({"type": "tool", "name": name});
        request.insert("tool_choice".to_owned(), choice);
    }
    if let Some(words) = instructions(&mut chat) {
        match request.get_mut("system") {
            Some(Value::Array(parts)) => parts.push(json!({"type": "text", "text": words})),
            Some(Value::String(known)) if !known.is_empty() => {
                known.push_str("\n\n");
                known.push_str(&words);
            }
            _ => {
                request.insert("system".to_owned(), words.into());
            }
        }
    }
    Ok(())
}

fn kind_of(format: &Value) -> Value {
    format.get("type").cloned().unwrap_or_default()
}

/// Puts the form of the answer into its place, or takes one that is told of by other means out of it. One
/// that was none of ours stays.
pub(crate) fn put_format(request: &mut Fields, holder: &str, format: Option<Value>) {
    let place = match (&format, request.get_mut(holder)) {
        (_, Some(Value::Object(place))) => place,
        (None, _) => return,
        (Some(_), _) => {
            request.insert(holder.to_owned(), json!({}));
            match request.get_mut(holder) {
                Some(Value::Object(place)) => place,
                _ => return,
            }
        }
    };
    if let Some(format) = format {
        place.insert("format".to_owned(), format);
        return;
    }
    let ours = place
        .get("format")
        .is_some_and(|format| kind_of(format) == "json_schema");
    if ours {
        place.shift_remove("format");
    }
    if place.is_empty() {
        request.shift_remove(holder);
    }
}

/// The functions among the tools, as the protocol has them; the others are in its shape already.
fn put_tools(request: &mut Fields, chat: &mut Fields, shape: impl Fn(Fields) -> Value) {
    let Some(Value::Array(tools)) = chat.shift_remove("tools") else {
        return;
    };
    let tools: Vec<Value> = tools
        .into_iter()
        .map(|mut tool| match tool.get_mut("function") {
            Some(Value::Object(function)) => {
                let function = std::mem::take(function);
                shape(function)
            }
            _ => tool,
        })
        .collect();
    request.insert("tools".to_owned(), Value::Array(tools));
}

/// The tool that has to be called, where the schema mode says so.
fn forced(chat: &mut Fields) -> Option<Value> {
    let choice = chat.shift_remove("tool_choice")?;
    choice.get("function")?.get("name").cloned()
}

/// What the model is to be told of the schema.
fn instructions(chat: &mut Fields) -> Option<String> {
    let messages = chat.shift_remove("messages")?;
    Some(messages.get(0)?.get("content")?.as_str()?.to_owned())
}
