//! The report.

use std::fmt;

use serde::Serialize;
use serde_json::{Number, Value};
use tamis_json::Repair;
use tamis_schema::{Coercion, LiftNote, Violation};
use tamis_wire::{Completion, Failure, Scalar, Usage};

use super::exit::Exit;
use super::notes::completion_notes;
use crate::structured::{Aborted, LedgerEntry};

/// What a response is. [The module](super) says what each key holds.
#[derive(Clone, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// What it is.
    pub outcome: ReportOutcome,
    /// Whether it said that it was finished.
    pub finished: bool,
    /// Why it ended, in the server's spelling.
    pub finish_reason: Option<String>,
    /// Why it ended, in the provider's own words.
    pub native_finish_reason: Option<String>,
    /// The generation id.
    pub id: Option<String>,
    /// The model that answered.
    pub model: Option<String>,
    /// The provider that served it.
    pub provider: Option<String>,
    /// The text.
    pub content: Option<String>,
    /// The reasoning.
    pub reasoning: Option<String>,
    /// Why the model declined.
    pub refusal: Option<String>,
    /// The tools the model asks for.
    pub tool_calls: Vec<ReportedToolCall>,
    /// The text as JSON; none where that was not asked for.
    #[serde(flatten)]
    pub parsed: Option<Parsed>,
    /// Why there is no trustworthy answer.
    pub failure: Option<ReportedFailure>,
    /// Tokens and cost.
    pub usage: Option<Usage>,
    /// USD.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Number>,
    /// Requests sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempts: Option<u32>,
    /// Every completion that was asked for, where it was more than one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ledger: Vec<LedgerEntry>,
    /// Where the stream was ended, because of a violation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aborted: Option<Aborted>,
    /// What was put right before the response could be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    #[serde(skip)]
    pub(super) exit: Exit,
    #[serde(skip)]
    pub(super) has_schema: bool,
}

/// What a response is, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ReportOutcome {
    /// Text.
    Text,
    /// Text that is JSON, where JSON was asked for.
    Json,
    /// The model declined.
    Refusal,
    /// The model asks for tools.
    ToolCalls,
    /// A token limit or a filter cut it off.
    Incomplete,
    /// None of these.
    Failure,
}

/// The text as JSON.
#[derive(Clone, Default, PartialEq, Serialize)]
pub struct Parsed {
    /// The value; none where the text is not JSON, or may not be read as an answer.
    pub value: Option<Value>,
    /// Where the value breaks the schema.
    pub violations: Vec<Violation>,
    /// What was mended in the text before it could be read.
    pub repairs: Vec<Repair>,
    /// What was undone of the schema's lowering.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lifts: Vec<LiftNote>,
    /// What was changed for the schema's sake.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub coercions: Vec<Coercion>,
}

/// A tool the model asks for.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ReportedToolCall {
    /// The call's id.
    pub id: Option<String>,
    /// The function's name.
    pub name: String,
    /// The arguments as JSON text, `{}` for none.
    pub arguments: String,
    /// Why the arguments are not JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments_error: Option<String>,
}

/// Why there is no trustworthy answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReportedFailure {
    /// One of the fourteen kinds.
    pub kind: &'static str,
    /// Whether trying again can help.
    pub transient: bool,
    /// The server's code, in its spelling; under the strict contract the contract's.
    pub code: Option<Scalar>,
    /// What went wrong, in words.
    pub message: String,
    /// The HTTP status, where there was one.
    pub status: Option<u16>,
}

impl Report {
    /// The exit code of a command that ends with this.
    pub fn exit(&self) -> Exit {
        self.exit
    }

    /// The value, where JSON was asked for and came.
    pub fn value(&self) -> Option<&Value> {
        self.parsed.as_ref()?.value.as_ref()
    }

    /// Where the value breaks the schema.
    pub fn violations(&self) -> &[Violation] {
        self.parsed
            .as_ref()
            .map_or(&[], |parsed| parsed.violations.as_slice())
    }

    /// What was mended in the text before it could be read.
    pub fn repairs(&self) -> &[Repair] {
        self.parsed
            .as_ref()
            .map_or(&[], |parsed| parsed.repairs.as_slice())
    }

    /// What was changed for the schema's sake.
    pub fn coercions(&self) -> &[Coercion] {
        self.parsed
            .as_ref()
            .map_or(&[], |parsed| parsed.coercions.as_slice())
    }

    /// With what each completion came to that was asked for; one alone says no more than the report.
    pub fn with_ledger(mut self, ledger: &[LedgerEntry]) -> Self {
        if ledger.len() > 1 {
            self.ledger = ledger.to_vec();
        }
        self
    }

    /// With the number of requests that were sent.
    pub fn with_attempts(mut self, attempts: u32) -> Self {
        self.attempts = (attempts > 0).then_some(attempts);
        self
    }

    /// A report of nothing yet.
    pub(super) fn new(outcome: ReportOutcome, exit: Exit) -> Self {
        Self {
            outcome,
            finished: false,
            finish_reason: None,
            native_finish_reason: None,
            id: None,
            model: None,
            provider: None,
            content: None,
            reasoning: None,
            refusal: None,
            tool_calls: Vec::new(),
            parsed: None,
            failure: None,
            usage: None,
            cost: None,
            attempts: None,
            ledger: Vec::new(),
            aborted: None,
            notes: Vec::new(),
            exit,
            has_schema: false,
        }
    }

    /// What came, whatever it is worth.
    pub(super) fn describe(&mut self, completion: &Completion) {
        self.id.clone_from(&completion.id);
        self.model.clone_from(&completion.model);
        self.provider.clone_from(&completion.provider);
        self.usage.clone_from(&completion.usage);
        self.cost = self.usage.as_ref().and_then(|usage| usage.cost.clone());
        if completion.choices.len() > 1 {
            self.notes.push(format!(
                "{} choices came; this is the first",
                completion.choices.len()
            ));
        }
        self.notes.extend(completion_notes(completion));
        let Some(choice) = completion.choice() else {
            return;
        };
        self.finished = completion.is_finished()
            && !completion.is_unconfirmed()
            && choice.error.is_none()
            && choice
                .finish()
                .is_some_and(|reason| reason != tamis_wire::FinishReason::Error);
        self.finish_reason = choice
            .finish_reason
            .as_ref()
            .map(|reason| reason.as_str().to_owned());
        self.native_finish_reason
            .clone_from(&choice.native_finish_reason);
        let Some(message) = &choice.message else {
            return;
        };
        self.content = message.text().map(Into::into);
        self.reasoning = message.reasoning_text().map(Into::into);
        self.refusal.clone_from(&message.refusal);
        self.tool_calls = message
            .tool_calls
            .iter()
            .map(ReportedToolCall::from)
            .collect();
    }
}

impl From<&tamis_wire::ToolCall> for ReportedToolCall {
    fn from(call: &tamis_wire::ToolCall) -> Self {
        let arguments = &call.function.arguments;
        Self {
            id: call.id.clone(),
            name: call.function.name.clone(),
            arguments: arguments.text_or_empty_object().to_owned(),
            arguments_error: arguments.problem(),
        }
    }
}

impl From<&Failure> for ReportedFailure {
    fn from(failure: &Failure) -> Self {
        Self {
            kind: failure.kind().as_str(),
            transient: failure.is_transient(),
            code: failure.details().and_then(|error| error.code.clone()),
            message: failure.message().to_owned(),
            status: failure.status(),
        }
    }
}

impl ReportOutcome {
    /// Its name in the report.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Refusal => "refusal",
            Self::ToolCalls => "tool_calls",
            Self::Incomplete => "incomplete",
            Self::Failure => "failure",
        }
    }
}

impl fmt::Display for ReportOutcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// What it is, not what the model said.
impl fmt::Debug for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Report")
            .field("outcome", &self.outcome)
            .field("finished", &self.finished)
            .field("finish_reason", &self.finish_reason)
            .field("failure", &self.failure)
            .finish_non_exhaustive()
    }
}

/// How much, not what.
impl fmt::Debug for Parsed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Parsed")
            .field("value", &self.value.is_some())
            .field("violations", &self.violations.len())
            .field("repairs", &self.repairs)
            .finish_non_exhaustive()
    }
}

/// The name, not the arguments.
impl fmt::Debug for ReportedToolCall {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ReportedToolCall")
            .field("id", &self.id)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
