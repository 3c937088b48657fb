//! Reading the calls of a turn.

use std::fmt;

use tamis_json::RepairKind;
use tamis_wire::{Arguments, Completion, Failure, FailureKind, Outcome, ToolCall};

use super::call::{ArgumentsForm, Call};
use super::error::{CallError, CallErrorKind};
use crate::structured::{Read, Reading, Unreadable};

/// How the calls of a request's tools are read; see [`Chat::tool_reader`](crate::Chat::tool_reader).
pub struct ToolReader {
    pub(super) readers: Vec<Reader>,
}

/// How one tool's calls are read.
pub(super) struct Reader {
    pub(super) name: String,
    pub(super) reading: Reading,
}

/// A model's turn.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Turn {
    /// It says something.
    Text(String),
    /// It calls tools; each call either is to be carried out, or says why not.
    Calls(Vec<Result<Call, CallError>>),
}

impl ToolReader {
    /// Reads a completion's turn. A call that was cut off is never handed out.
    ///
    /// # Errors
    ///
    /// Those of [`Completion::outcome`]; `ContentPolicy` for a refusal and what a filter withheld,
    /// `ContextLength` for what a token limit cut off, its calls among it.
    pub fn read(&self, completion: &Completion) -> Result<Turn, Failure> {
        match completion.outcome()? {
            Outcome::Text(text) => Ok(Turn::Text(text)),
            Outcome::ToolCalls(calls) => Ok(Turn::Calls(
                calls.iter().map(|call| self.call(call)).collect(),
            )),
            _ => Err(match completion.answer_text() {
                Err(failure) => failure,
                // A finish reason may speak of text, and the cut be in a call.
                Ok(_) => Failure::new(
                    FailureKind::ContextLength,
                    "the arguments of a tool call end in the middle",
                )
                .with_generation_id(completion.id.clone()),
            }),
        }
    }

    fn call(&self, call: &ToolCall) -> Result<Call, CallError> {
        let id = call.id.clone().unwrap_or_default();
        let name = call.function.name.clone();
        let error = |kind, why: &str, violations| CallError {
            kind,
            id: id.clone(),
            name: name.clone(),
            why: why.to_owned(),
            violations,
        };
        let Some(reader) = self.readers.iter().find(|reader| reader.name == name) else {
            let why = "there is no tool of this name";
            return Err(error(CallErrorKind::UnknownTool, why, Vec::new()));
        };
        let (form, text) = form(&call.function.arguments);
        let read = reader.reading.text(text).map_err(|why| match why {
            Unreadable::CutOff => error(
                CallErrorKind::CutOff,
                "the arguments end in the middle",
                Vec::new(),
            ),
            Unreadable::NotJson(_) => error(
                CallErrorKind::NotJson,
                "the arguments are not JSON",
                Vec::new(),
            ),
        })?;
        if !read.conforms() {
            let why = "the arguments break the tool's schema";
            return Err(error(CallErrorKind::Violation, why, read.violations));
        }
        Ok(finish(id, name, form, read))
    }
}

fn finish(id: String, name: String, form: ArgumentsForm, read: Read) -> Call {
    let unwrapped = read
        .repairs
        .iter()
        .any(|repair| repair.kind == RepairKind::Unwrapped);
    Call {
        id,
        name,
        arguments: read.value,
        form: if unwrapped {
            ArgumentsForm::DoublyEncoded
        } else {
            form
        },
        repairs: read.repairs,
        notes: read.notes,
        lifts: read.lifts,
        coercions: read.coercions,
    }
}

/// What the arguments mean, as text.
fn form(arguments: &Arguments) -> (ArgumentsForm, String) {
    let none = |form| (form, "{}".to_owned());
    match arguments {
        Arguments::Missing => none(ArgumentsForm::Missing),
        Arguments::Text(text) if text.trim().is_empty() => none(ArgumentsForm::Empty),
        Arguments::Text(text) if text.trim() == "null" => none(ArgumentsForm::Null),
        Arguments::Text(text) => (ArgumentsForm::Text, text.clone()),
        Arguments::Json(raw) => (ArgumentsForm::Object, raw.get().to_owned()),
    }
}

/// The tools' names.
impl fmt::Debug for ToolReader {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self
            .readers
            .iter()
            .map(|reader| reader.name.as_str())
            .collect();
        formatter
            .debug_struct("ToolReader")
            .field("tools", &names)
            .finish_non_exhaustive()
    }
}
