//! How an answer is read.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;
use tamis_json::{Note, Policy, Repair, RepairError, Repaired, choose, repair};
use tamis_schema::{
    Change, Coercion, Dialect, Lift, LiftError, LiftNote, SchemaError, StreamSchema,
    StreamValidator, Validator, Violation, coerce,
};
use tamis_wire::{Completion, Failure, FailureKind, Outcome};

use super::early::EarlyCheck;
use super::mode::SchemaMode;
use crate::wanted::wanted;

/// How the answer to a request is read: mended as far as its policy allows, brought back to the shape of
/// the caller's schema, and checked against that.
///
/// What [`Chat::answer`](crate::Chat::answer) does in one go, for callers who have the completion already.
pub struct Reading {
    pub(super) policy: Policy,
    pub(super) validator: Option<Arc<Validator>>,
    pub(super) schema: Option<Value>,
    pub(super) name: String,
    pub(super) mode: SchemaMode,
    pub(super) dialect: Option<Dialect>,
    pub(super) changes: Vec<Change>,
    pub(super) lift: Option<Lift>,
    pub(super) coerce: bool,
    pub(super) early_abort: bool,
    pub(super) token_limit: Option<u64>,
}

/// A value that was read from an answer, and what it took. It is an answer only if it
/// [conforms](Read::conforms).
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct Read {
    /// The value, in the shape of the caller's schema.
    pub value: Value,
    /// The text that it was read from: the first choice's, or the arguments of the tool call that
    /// stands for it.
    pub text: String,
    /// What was mended in the text before it could be read.
    pub repairs: Vec<Repair>,
    /// What the value cannot show: numbers kept as text, keys that came twice, lone surrogates.
    pub notes: Vec<Note>,
    /// What was undone of the schema's lowering.
    pub lifts: Vec<LiftNote>,
    /// What was changed for the schema's sake.
    pub coercions: Vec<Coercion>,
    /// Where the value breaks the schema as it came, before any coercion.
    pub before_coercion: Vec<Violation>,
    /// Where the value breaks the schema.
    pub violations: Vec<Violation>,
}

impl Read {
    /// Whether the value conforms to the schema.
    pub fn conforms(&self) -> bool {
        self.violations.is_empty()
    }
}

impl Reading {
    /// For a schema that was sent as it is.
    ///
    /// # Errors
    ///
    /// The schema is not valid JSON Schema.
    pub fn new(schema: &Value) -> Result<Self, SchemaError> {
        Ok(Self {
            validator: Some(Arc::new(Validator::new(schema)?)),
            schema: Some(schema.clone()),
            policy: Policy::default().wanting(wanted(schema)),
            ..Self::without_schema(Policy::default())
        })
    }

    /// What may be mended in a text before it is read as JSON.
    pub fn repair(mut self, policy: Policy) -> Self {
        let wanted = self.schema.as_ref().map(wanted).unwrap_or_default();
        self.policy = policy.wanting(wanted);
        self
    }

    /// Whether a value may be changed to conform; see [`Chat::coerce`](crate::Chat::coerce).
    pub fn coerce(mut self, on: bool) -> Self {
        self.coerce = on;
        self
    }

    /// Any JSON will do.
    pub(crate) fn without_schema(policy: Policy) -> Self {
        Self {
            policy,
            validator: None,
            schema: None,
            name: String::new(),
            mode: SchemaMode::default(),
            dialect: None,
            changes: Vec::new(),
            lift: None,
            coerce: false,
            early_abort: false,
            token_limit: None,
        }
    }

    /// The dialect that the schema was lowered into; none where it was sent as it is.
    pub fn dialect(&self) -> Option<Dialect> {
        self.dialect
    }

    /// What lowering changed in the schema.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// By which means the model is told of the schema.
    pub fn mode(&self) -> SchemaMode {
        self.mode
    }

    /// The caller's own schema.
    pub fn schema(&self) -> Option<&Value> {
        self.schema.as_ref()
    }

    pub(crate) fn has_schema(&self) -> bool {
        self.schema.is_some()
    }

    /// What may be mended in a text.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Reads a completion's answer. Of several documents in its text the one that conforms is taken,
    /// and a value that breaks the schema is given with its violations.
    ///
    /// # Errors
    ///
    /// Those of [`Completion::parse_json`].
    pub fn completion(&self, completion: &Completion) -> Result<Read, Failure> {
        if self.mode == SchemaMode::Tool && self.schema.is_some() {
            let text = self.arguments(completion)?;
            return self
                .text(text)
                .map_err(|why| why.in_place("arguments are", completion));
        }
        let text = completion.answer_text()?;
        self.text(text.into_owned())
            .map_err(|why| why.in_place("content is", completion))
    }

    /// What judges the answer while it comes; none where only its end can tell.
    pub(crate) fn early_check(&self) -> Option<EarlyCheck> {
        if !self.early_abort || self.mode == SchemaMode::Tool {
            return None;
        }
        Some(EarlyCheck::new(self.stream_validator()?, self.token_limit))
    }

    /// Where a text, which is JSON as it comes, first breaks the schema beyond mending: the violation, and
    /// after how many bytes it was sure. None for a text that is no JSON as it comes.
    pub fn first_violation(&self, text: &str) -> Option<(Violation, usize)> {
        let mut check = EarlyCheck::new(self.stream_validator()?, None);
        let mut buffer = [0; 4];
        text.chars().find_map(|character| {
            let violation = check.push(character.encode_utf8(&mut buffer))?;
            Some((violation, check.offset()))
        })
    }

    fn stream_validator(&self) -> Option<StreamValidator> {
        let mut schema = StreamSchema::new(self.schema.as_ref()?).ok()?;
        if let Some(lift) = &self.lift {
            schema = schema.lifted_by(lift.clone());
        }
        Some(schema.validator())
    }

    /// The text that an answer is looked for in, whatever it is worth.
    pub(crate) fn source_text(&self, completion: &Completion) -> Option<String> {
        if self.mode == SchemaMode::Tool && self.schema.is_some() {
            return self.arguments(completion).ok();
        }
        completion.answer_text().ok().map(Cow::into_owned)
    }

    /// For a schema that was lowered.
    pub(crate) fn lowered(mut self, dialect: Dialect, changes: Vec<Change>, lift: Lift) -> Self {
        self.dialect = Some(dialect);
        self.changes = changes;
        self.lift = Some(lift);
        self
    }

    /// Reads a text that is all the model meant to say.
    ///
    /// # Errors
    ///
    /// It is not JSON, and cannot be mended without inventing.
    pub(crate) fn text(&self, text: String) -> Result<Read, Unreadable> {
        let mut read = match self.document(&text) {
            Ok(repaired) if repaired.complete => self.judge(repaired),
            Ok(_) => return Err(Unreadable::CutOff),
            Err(error) => return Err(Unreadable::NotJson(error)),
        };
        read.text = text;
        Ok(read)
    }

    /// Of several documents in a text the one that conforms; where none does, the one that can be made to.
    fn document(&self, text: &str) -> Result<Repaired, RepairError> {
        let Some(validator) = &self.validator else {
            return repair(text, &self.policy);
        };
        let chosen = choose(text, &self.policy, |value| {
            validator.is_valid(&self.lifted(value).0)
        });
        match chosen {
            Err(error) if error.is_ambiguous() && self.coerce => {
                choose(text, &self.policy, |value| {
                    self.judge_value(value).conforms()
                })
            }
            chosen => chosen,
        }
    }

    /// A document's value in the shape of the caller's schema, and whether it conforms.
    fn judge(&self, repaired: Repaired) -> Read {
        Read {
            repairs: repaired.repairs,
            notes: repaired.notes,
            ..self.judge_value(&repaired.value)
        }
    }

    fn judge_value(&self, value: &Value) -> Read {
        let (value, lifts, unlifted) = self.lifted(value);
        let mut read = Read {
            value: value.into_owned(),
            lifts,
            ..Read::default()
        };
        let (Some(validator), Some(schema)) = (&self.validator, &self.schema) else {
            return read;
        };
        read.violations = validator.violations(&read.value);
        if let Some(error) = unlifted.filter(|_| !read.violations.is_empty()) {
            // What else is wrong may be so only because of it.
            read.violations.insert(0, error.into());
        }
        if self.coerce
            && !read.violations.is_empty()
            && let Ok(coerced) = coerce(&read.value, schema)
        {
            let after = validator.violations(&coerced.value);
            read.before_coercion = std::mem::replace(&mut read.violations, after);
            read.value = coerced.value;
            read.coercions = coerced.coercions;
        }
        read
    }

    /// A value in the shape of the caller's schema. What is not in the lowered shape may be in the schema's
    /// own: a model that was not made to keep to the one may have kept to the other.
    fn lifted<'v>(&self, value: &'v Value) -> (Cow<'v, Value>, Vec<LiftNote>, Option<LiftError>) {
        let lift = self.lift.as_ref().filter(|lift| !lift.is_identity());
        match lift.map(|lift| lift.lift(value.clone())) {
            Some(Ok(lifted)) => (Cow::Owned(lifted.value), lifted.lifts, None),
            Some(Err(error)) => (Cow::Borrowed(value), Vec::new(), Some(error)),
            None => (Cow::Borrowed(value), Vec::new(), None),
        }
    }

    /// The arguments of the tool call that stands for the answer.
    fn arguments(&self, completion: &Completion) -> Result<String, Failure> {
        let wrong = |words: &str| Err(malformed(words).with_generation_id(completion.id.clone()));
        match completion.outcome()? {
            Outcome::ToolCalls(calls) => match calls.as_slice() {
                [call] if call.function.name == self.name => {
                    Ok(call.function.arguments.text_or_empty_object().to_owned())
                }
                [_] => wrong("the model calls another tool than the one it has"),
                _ => wrong("the model calls its one tool more than once"),
            },
            Outcome::Text(_) => wrong("the model answers in words, and does not call its tool"),
            // A refusal and a cut-off answer fail as they do in text.
            _ => match completion.answer_text() {
                Err(failure) => Err(failure),
                Ok(_) => wrong("the completion holds no tool call"),
            },
        }
    }
}

/// Why a text cannot be read.
pub(crate) enum Unreadable {
    /// It ends in the middle.
    CutOff,
    /// It is not JSON, or holds two documents that differ.
    NotJson(RepairError),
}

impl Unreadable {
    fn in_place(self, place: &str, completion: &Completion) -> Failure {
        let failure = match self {
            Self::CutOff => malformed(&format!("the {place} not JSON: it ends in the middle")),
            Self::NotJson(error) => {
                malformed(&format!("the {place} not JSON: {error}")).with_source(error)
            }
        };
        failure.with_generation_id(completion.id.clone())
    }
}

fn malformed(words: &str) -> Failure {
    Failure::new(FailureKind::Malformed, words)
}

/// How much, not what.
impl fmt::Debug for Read {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Read")
            .field("repairs", &self.repairs)
            .field("lifts", &self.lifts.len())
            .field("coercions", &self.coercions.len())
            .field("violations", &self.violations.len())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Reading {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Reading")
            .field("mode", &self.mode)
            .field("dialect", &self.dialect)
            .field("changes", &self.changes.len())
            .field("coerce", &self.coerce)
            .finish_non_exhaustive()
    }
}
