//! One request, and what became of it.

use std::time::Duration;

use serde::{Serialize, Serializer};
use tamis::json::Repair;
use tamis::schema::Coercion;
use tamis::wire::{Failure, Usage};

use crate::finding::Finding;
use crate::stats::milliseconds;

/// One request, and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Sample {
    /// Its number, from 1.
    pub number: u32,
    /// The display name of the provider that served it, where that could be found out.
    pub provider: Option<String>,
    /// Where the provider is known from.
    pub attribution: Attribution,
    /// The three bars.
    #[serde(flatten)]
    pub bars: Bars,
    /// What was not as asked; an answer that passed has one only where it needed repair.
    #[serde(serialize_with = "problem_name", rename = "problem")]
    pub finding: Option<Finding>,
    /// What was mended in the answer's text before it could be read.
    pub repairs: Vec<Repair>,
    /// What was changed in the answer for the schema's sake.
    pub coercions: Vec<Coercion>,
    /// What it took until the answer conformed; none where none did.
    pub conforms_after: Option<Step>,
    /// Where the text, as it came, first broke the schema beyond mending.
    pub first_violation: Option<FirstViolation>,
    /// The failure, where no answer came.
    pub failure: Option<ServiceFailure>,
    /// From the request to the end of the answer, retries included.
    #[serde(serialize_with = "time", rename = "latency_ms")]
    pub latency: Duration,
    /// From the request to the first token; of streams only.
    #[serde(serialize_with = "maybe_time", rename = "first_token_ms")]
    pub first_token: Option<Duration>,
    /// Tokens in.
    pub prompt_tokens: Option<u64>,
    /// Tokens out.
    pub completion_tokens: Option<u64>,
    /// USD.
    pub cost: Option<f64>,
    /// To look the call up.
    pub generation_id: Option<String>,
    /// How many requests it took.
    pub attempts: u32,
}

/// The three bars.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Bars {
    /// The content is JSON, to its end, and needs no repair.
    pub parses_as_sent: bool,
    /// The content is JSON, to its end, as sent or after repair.
    pub parses: bool,
    /// It conforms to the schema.
    pub conforms: bool,
    /// It is right; none where nobody can say.
    pub right: Option<bool>,
}

impl Bars {
    /// Whether it passed all bars there are.
    pub fn passed(self) -> bool {
        self.parses && self.conforms && self.right != Some(false)
    }
}

/// What it took until an answer conformed, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Step {
    /// Nothing.
    AsSent,
    /// Its text was mended.
    Repair,
    /// Values were changed for the schema's sake.
    Coercion,
    /// It was asked for again.
    Reask,
}

/// Where a text first broke the schema.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FirstViolation {
    /// JSON Pointer into the answer.
    pub instance: String,
    /// The schema's keyword that does not hold.
    pub keyword: String,
    /// After so many bytes of the text nothing could make it conform any more.
    pub offset: usize,
    /// The same as a share of the whole text: what of a stream had come when it could have been ended.
    pub share: f64,
}

/// Where a provider is known from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Attribution {
    /// The response names it.
    Body,
    /// The error names it.
    Error,
    /// The generation lookup names it.
    Generation,
    /// Nothing names it.
    Unknown,
}

/// Why no answer came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ServiceFailure {
    /// The failure kind.
    pub kind: String,
    /// Whether the same request may succeed later.
    pub transient: bool,
    /// The HTTP status.
    pub status: Option<u16>,
    /// The server's words, where it gave any.
    pub message: String,
}

impl ServiceFailure {
    pub(crate) fn new(failure: &Failure) -> Self {
        Self {
            kind: failure.kind().to_string(),
            transient: failure.is_transient(),
            status: failure.status(),
            message: failure.message().to_owned(),
        }
    }
}

impl Sample {
    /// Whether it passed all bars there are.
    pub fn passed(&self) -> bool {
        self.bars.passed()
    }

    /// Whether it passed, and only after repair.
    pub fn passed_after_repair(&self) -> bool {
        self.passed() && !self.bars.parses_as_sent
    }

    /// Whether it passed, and a client that takes answers as they come has nothing of it.
    pub fn passed_with_help(&self) -> bool {
        self.passed() && self.conforms_after != Some(Step::AsSent)
    }

    pub(crate) fn count(&mut self, usage: Option<&Usage>, cost: Option<f64>) {
        self.prompt_tokens = usage.and_then(|usage| usage.prompt_tokens);
        self.completion_tokens = usage.and_then(|usage| usage.completion_tokens);
        self.cost = cost;
    }
}

#[expect(clippy::ref_option, reason = "serde passes the field by reference")]
fn problem_name<S: Serializer>(
    finding: &Option<Finding>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let problem = finding.as_ref().map(|finding| finding.problem);
    problem.serialize(serializer)
}

fn time<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(milliseconds(*time))
}

#[expect(clippy::ref_option, reason = "serde passes the field by reference")]
fn maybe_time<S: Serializer>(time: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    time.map(milliseconds).serialize(serializer)
}
