//! What is asked of a response.

use serde_json::Value;
use tamis_json::Policy;
use tamis_schema::SchemaError;
use tamis_wire::contract::Limits;
use tamis_wire::{Completion, Failure, Protocol, read_response_as};

use super::judge;
use super::model::Report;
use super::strict;
use crate::structured::Reading;

/// What is asked of a response, and the reading of it.
///
/// ```
/// use tamis::report::{Check, ReportOutcome};
///
/// let body = br#"{"choices":[{"index":0,"finish_reason":"stop",
///     "message":{"role":"assistant","content":"{\"sum\":\"4\"}"}}]}"#;
/// let schema = serde_json::json!({"properties": {"sum": {"type": "integer"}}});
///
/// let report = Check::new().schema(&schema)?.response(200, body);
/// assert_eq!(report.outcome, ReportOutcome::Json);
/// assert_eq!(report.violations()[0].instance, "/sum");
/// assert_eq!(report.exit().code(), 1);
/// # Ok::<(), tamis::schema::SchemaError>(())
/// ```
#[derive(Debug)]
pub struct Check {
    parse: bool,
    strict: bool,
    reading: Reading,
}

impl Default for Check {
    fn default() -> Self {
        Self {
            parse: false,
            strict: false,
            reading: Reading::without_schema(Policy::default()),
        }
    }
}

impl Check {
    /// Asks for a trustworthy answer of any kind.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks for JSON.
    pub fn parse(mut self, on: bool) -> Self {
        self.parse = on || self.reading.has_schema();
        self
    }

    /// Asks for JSON that conforms to a schema.
    ///
    /// # Errors
    ///
    /// The schema is not valid JSON Schema.
    pub fn schema(mut self, schema: &Value) -> Result<Self, SchemaError> {
        let policy = self.reading.policy().clone();
        self.reading = Reading::new(schema)?.repair(policy);
        self.parse = true;
        Ok(self)
    }

    /// Reads answers as a request's are read: by its schema, its lowering, its policy.
    pub fn reading(mut self, reading: Reading) -> Self {
        self.parse |= reading.has_schema();
        self.reading = reading;
        self
    }

    /// What may be mended in the text before it is read as JSON.
    pub fn repair(mut self, policy: Policy) -> Self {
        self.reading = self.reading.repair(policy);
        self
    }

    /// Reads responses by the [strict contract](tamis_wire::contract).
    pub fn strict(mut self, on: bool) -> Self {
        self.strict = on;
        self
    }

    /// Reads a response: its HTTP status and its body, JSON or an event stream, of chat
    /// completions, Responses or Messages, all told apart by looking.
    pub fn response(&self, status: u16, body: &[u8]) -> Report {
        if self.strict {
            return strict::report(self, status, body, &Limits::default());
        }
        match read_response_as(Protocol::of_body(body), status, body) {
            Ok(received) => self.completion(&received.completion),
            Err(failure) => self.failure(&failure),
        }
    }

    /// Judges a completion.
    pub fn completion(&self, completion: &Completion) -> Report {
        judge::completion(self, completion, &completion.outcome())
    }

    /// Reports a failure, with what did come.
    pub fn failure(&self, failure: &Failure) -> Report {
        judge::failure(self, failure)
    }

    pub(super) fn asks_for_json(&self) -> bool {
        self.parse
    }

    /// How the text is read as JSON.
    pub(super) fn how(&self) -> &Reading {
        &self.reading
    }
}
