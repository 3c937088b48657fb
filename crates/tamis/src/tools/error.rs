//! Why a call is not carried out.

use std::error::Error;
use std::fmt::{self, Write as _};

use tamis_schema::Violation;
use tamis_wire::request::InputMessage;

/// What a tool's function fails with; its words are for the model.
pub type ToolError = Box<dyn Error + Send + Sync>;

/// A call that is not to be carried out. [`CallError::answer`] tells the model so.
#[derive(Clone)]
pub struct CallError {
    pub(super) kind: CallErrorKind,
    pub(super) id: String,
    pub(super) name: String,
    pub(super) why: String,
    pub(super) violations: Vec<Violation>,
}

/// The kinds of [`CallError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CallErrorKind {
    /// There is no tool of this name.
    UnknownTool,
    /// The arguments are not JSON, and cannot be mended without inventing.
    NotJson,
    /// The arguments are cut off.
    CutOff,
    /// The arguments break the tool's schema.
    Violation,
}

impl CallError {
    /// The kind.
    pub fn kind(&self) -> CallErrorKind {
        self.kind
    }

    /// The server's id of the call; empty where it gave none.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The name that the model called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where the arguments break the tool's schema.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// Whether there is no tool of this name.
    pub fn is_unknown_tool(&self) -> bool {
        self.kind == CallErrorKind::UnknownTool
    }

    /// The message that tells the model what is wrong with its call.
    pub fn answer(&self) -> InputMessage {
        let mut words = format!("The call was not carried out: {self}.");
        for violation in self.violations.iter().take(20) {
            let place = match violation.instance.as_str() {
                "" => "the arguments",
                pointer => pointer,
            };
            let _ = write!(words, "\n- {place}: {}", violation.message);
        }
        InputMessage::tool(self.id.clone(), words)
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.why)
    }
}

impl fmt::Debug for CallError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("CallError")
            .field("kind", &self.kind)
            .field("name", &self.name)
            .field("why", &self.why)
            .finish_non_exhaustive()
    }
}

impl Error for CallError {}

/// Why [`Toolbox::run`](super::Toolbox::run) has no result.
#[derive(Debug)]
pub struct RunError {
    why: &'static str,
    source: Option<ToolError>,
    own: bool,
}

impl RunError {
    pub(super) fn no_function() -> Self {
        Self {
            why: "no function carries out this tool's calls",
            source: None,
            own: false,
        }
    }

    pub(super) fn arguments(error: serde_json::Error) -> Self {
        Self {
            why: "the arguments conform to the tool's schema, but not to its function's type",
            source: Some(Box::new(error)),
            own: false,
        }
    }

    pub(super) fn result(error: serde_json::Error) -> Self {
        Self {
            why: "the function's result cannot be written as JSON",
            source: Some(Box::new(error)),
            own: false,
        }
    }

    pub(super) fn failed(error: ToolError) -> Self {
        Self {
            why: "the tool failed",
            source: Some(error),
            own: true,
        }
    }

    /// What the function itself failed with.
    pub fn tool_error(&self) -> Option<&(dyn Error + Send + Sync + 'static)> {
        self.source.as_deref().filter(|_| self.own)
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.why)
    }
}

impl Error for RunError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|error| error as _)
    }
}
