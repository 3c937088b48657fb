//! One call of a tool.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tamis_json::{Note, Repair};
use tamis_schema::{Coercion, LiftNote};
use tamis_wire::request::InputMessage;
use tamis_wire::{Failure, FailureKind};

/// A call whose arguments conform to the tool's schema, and how they came to be.
#[derive(Clone)]
#[non_exhaustive]
pub struct Call {
    /// The server's id of the call, to send back with the result; empty where it gave none.
    pub id: String,
    /// Which tool.
    pub name: String,
    /// Its arguments, in the shape of the tool's own schema.
    pub arguments: Value,
    /// In which form they came.
    pub form: ArgumentsForm,
    /// What was mended in their text before it could be read.
    pub repairs: Vec<Repair>,
    /// What they cannot show: numbers kept as text, keys that came twice, lone surrogates.
    pub notes: Vec<Note>,
    /// What was undone of the schema's lowering.
    pub lifts: Vec<LiftNote>,
    /// What was changed for the schema's sake.
    pub coercions: Vec<Coercion>,
}

/// In which form a call's arguments came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ArgumentsForm {
    /// As JSON text, as the protocol has it.
    Text,
    /// As a JSON object, in place of its text.
    Object,
    /// As null, as JSON or as its text; read as no arguments, `{}`.
    Null,
    /// As text with nothing in it; read as no arguments, `{}`.
    Empty,
    /// Not at all; read as no arguments, `{}`.
    Missing,
    /// As JSON text of a JSON string that holds the object's text.
    DoublyEncoded,
}

impl Call {
    /// The arguments as an `A`.
    ///
    /// # Errors
    ///
    /// `Malformed`: they conform to the schema, and `A` refuses what that allows.
    pub fn parse<A: DeserializeOwned>(&self) -> Result<A, Failure> {
        A::deserialize(&self.arguments).map_err(|_| {
            Failure::new(
                FailureKind::Malformed,
                "the arguments conform to the tool's schema, but not to the type they are for",
            )
        })
    }

    /// The message that tells the model what came of the call.
    pub fn result(&self, content: impl Into<String>) -> InputMessage {
        InputMessage::tool(self.id.clone(), content.into())
    }
}

/// Without the arguments.
impl fmt::Debug for Call {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Call")
            .field("id", &self.id)
            .field("name", &self.name)
            .field("form", &self.form)
            .field("repairs", &self.repairs)
            .finish_non_exhaustive()
    }
}
