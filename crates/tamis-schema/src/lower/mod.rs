//! Rewriting a schema into a dialect.
//!
//! Each schema is taken apart and written anew in the dialect's words, by what the dialect's table says
//! and never by its name; what brings an answer back is noted on the way.

mod absence;
mod any;
mod array;
mod change;
mod error;
mod merge;
mod node;
mod object;
mod reference;
mod rules;
mod scalar;
mod union;
mod words;
mod work;

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

pub use self::change::{Change, ChangeKind, Effect};
pub use self::error::{LowerError, LowerReason};
use self::rules::Rules;
use self::work::Work;
use crate::dialect::{Dialect, Recursion};
use crate::lift::Lift;
use crate::lift::plan::{Step, StepId};
use crate::lint::{Severity, lint};
use crate::room::with_room;
use crate::validate::Validator;

/// How a schema is lowered.
#[derive(Clone, Debug)]
pub struct Lowering {
    dialect: Dialect,
    unroll: Option<usize>,
    absent_as_null: bool,
}

/// A schema in a dialect.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Lowered {
    /// What to send. Its own [`lint`](crate::lint) has no errors.
    pub schema: Value,
    /// What was changed, each change once, in the order in which the schema was gone through.
    pub changes: Vec<Change>,
    /// How an answer is brought back to the caller's shape.
    pub lift: Lift,
}

/// Rewrites a schema so that a dialect takes it, with the default options.
///
/// ```
/// use serde_json::json;
/// use tamis_schema::{Dialect, Effect, lower};
///
/// let schema = json!({
///     "type": "object",
///     "properties": {"name": {"type": "string", "minLength": 1}, "nick": {"type": "string"}},
///     "required": ["name"],
///     "additionalProperties": false,
/// });
/// let lowered = lower(&schema, Dialect::OPENAI_STRICT)?;
/// assert_eq!(lowered.schema, json!({
///     "type": "object",
///     "properties": {
///         "name": {"type": "string", "description": "At least 1 character."},
///         "nick": {"type": ["string", "null"]},
///     },
///     "required": ["name", "nick"],
///     "additionalProperties": false,
/// }));
/// assert_eq!(lowered.changes[0].effect(), Effect::Widening);
///
/// let value = json!({"name": "Ann"});
/// assert_eq!(lowered.lift.encode(&value)?, json!({"name": "Ann", "nick": null}));
/// assert_eq!(lowered.lift.lift(json!({"name": "Ann", "nick": null}))?.value, value);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The schema is not valid JSON Schema, or nothing conforms to it, or it cannot be written in the
/// dialect, or it is too large; with every reason.
pub fn lower(schema: &Value, dialect: Dialect) -> Result<Lowered, LowerError> {
    Lowering::new(dialect).lower(schema)
}

impl Lowering {
    /// The default options for a dialect.
    pub const fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            unroll: None,
            absent_as_null: false,
        }
    }

    /// Unrolls recursion so many times where the dialect does not take it. Below that, a value is asked
    /// for as a string that holds its JSON text. By default a recursive schema is an error there.
    pub const fn unroll(mut self, times: usize) -> Self {
        self.unroll = Some(times);
        self
    }

    /// Where every property has to be required: whether an optional property that may be null is just
    /// asked for as null when it is absent. The schema becomes lighter, and an answer holds a null where
    /// it might have left the property out. It is always so for a property whose `default` is null.
    ///
    /// Otherwise absence has a sign of its own there, `false` or the like, so that nothing is lost.
    pub const fn absent_as_null(mut self, yes: bool) -> Self {
        self.absent_as_null = yes;
        self
    }

    /// Rewrites a schema so that the dialect takes it.
    ///
    /// # Errors
    /// As for [`lower`].
    pub fn lower(&self, schema: &Value) -> Result<Lowered, LowerError> {
        if let Err(invalid) = Validator::new(schema) {
            let reason = LowerReason::new(invalid.pointer(), invalid.reason());
            return Err(self.error(vec![reason]));
        }
        let in_places = self.dialect.table().references.recursion == Recursion::Optional;
        let lowered = self.attempt(schema, false);
        if in_places && self.unroll.is_some() && lowered.is_err() {
            return self.attempt(schema, true);
        }
        lowered
    }

    fn attempt(&self, schema: &Value, no_recursion: bool) -> Result<Lowered, LowerError> {
        let rules = Rules::new(self.dialect, no_recursion);
        let lowered = with_room(STEPS, || {
            let mut work = Work::new(schema, rules, self.unroll, self.absent_as_null);
            let written = work.node(schema.clone(), "", 0);
            self.assemble(work, written)
        });
        lowered.unwrap_or_else(|| {
            Err(self.error(vec![LowerReason::new("", "it is nested too deeply")]))
        })
    }

    fn assemble(&self, mut work: Work<'_>, written: work::Written) -> Result<Lowered, LowerError> {
        let mut reasons = std::mem::take(&mut work.reasons);
        let out = match written {
            Ok(Some(out)) => out,
            Ok(None) => {
                if reasons.is_empty() {
                    reasons.push(LowerReason::new("", "no value conforms to the schema"));
                }
                return Err(self.error(reasons));
            }
            Err(work::Stop) => {
                reasons.push(LowerReason::new(
                    "",
                    "written in the dialect, it is too large",
                ));
                return Err(self.error(reasons));
            }
        };
        if !reasons.is_empty() {
            return Err(self.error(reasons));
        }
        let (mut root, step) = work.root(out.schema, out.step);
        let definitions = reachable(&root, work.definitions_written());
        if !definitions.is_empty() {
            root.insert("$defs".to_owned(), Value::Object(definitions.clone()));
        }
        let schema = Value::Object(root);
        let reasons: Vec<LowerReason> = lint(&schema, self.dialect)
            .into_iter()
            .filter(|finding| finding.severity() == Severity::Error)
            .map(|finding| LowerReason::new(finding.pointer(), finding.message()))
            .collect();
        if !reasons.is_empty() {
            return Err(self.error(reasons));
        }
        let lift = Lift::new(std::mem::take(&mut work.plan), step, definitions);
        // What is referred to twice may have been written twice.
        let mut seen = BTreeSet::new();
        let mut changes = std::mem::take(&mut work.changes);
        for change in &mut changes {
            change.clip(work.document);
        }
        changes.retain(|change| seen.insert(change.clone()));
        Ok(Lowered {
            schema,
            changes,
            lift,
        })
    }

    fn error(&self, reasons: Vec<LowerReason>) -> LowerError {
        LowerError::new(self.dialect.name(), reasons)
    }
}

/// More than any schema is nested, so that lowering has a stack of its own.
const STEPS: usize = 4096;

/// The key of the object around a root that may not stand alone.
const ROOT_VALUE: &str = "value";

impl Work<'_> {
    /// The root, as the dialect wants it.
    fn root(&mut self, schema: Value, step: StepId) -> (Map<String, Value>, StepId) {
        let mut schema = match schema {
            Value::Object(schema) => schema,
            other => Map::from_iter([("anyOf".to_owned(), json!([other]))]),
        };
        // A reference at the root is followed: its definition stands there itself.
        for _ in 0..16 {
            let Some(name) = schema.get("$ref").and_then(Value::as_str) else {
                break;
            };
            let name = name.trim_start_matches("#/$defs/");
            let found = self
                .definitions
                .iter()
                .find(|definition| definition.name == name);
            match found.and_then(|definition| definition.written.as_ref()) {
                Some((Value::Object(target), _)) => schema = target.clone(),
                _ => break,
            }
        }
        let is_object = schema.get("type") == Some(&json!("object"));
        let is_union = schema.contains_key("anyOf");
        let fits = (is_object || !self.rules.root_is_object())
            && (!is_union || self.rules.root_may_be_union());
        if fits {
            return (schema, step);
        }
        let text = format!("the root was put under the key '{ROOT_VALUE}' of an object");
        self.change(ChangeKind::RootWrapped, "", Effect::Exact, text);
        let wrapper = json!({
            "type": "object",
            "properties": {ROOT_VALUE: schema},
            "required": [ROOT_VALUE],
            "additionalProperties": false,
        });
        let step = self.step(Step::Wrap {
            key: ROOT_VALUE.to_owned(),
            inner: step,
        });
        match wrapper {
            Value::Object(wrapper) => (wrapper, step),
            _ => (Map::new(), step),
        }
    }
}

/// The definitions that something still refers to.
fn reachable(root: &Map<String, Value>, mut all: Map<String, Value>) -> Map<String, Value> {
    let mut kept = Map::new();
    let mut open = names_in(&Value::Object(root.clone()));
    while let Some(name) = open.pop() {
        if let Some(schema) = all.shift_remove(&name) {
            open.extend(names_in(&schema));
            kept.insert(name, schema);
        }
    }
    kept.sort_keys();
    kept
}

fn names_in(schema: &Value) -> Vec<String> {
    let mut names = Vec::new();
    let mut open = vec![schema];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => {
                if let Some(Value::String(text)) = members.get("$ref")
                    && let Some(name) = text.strip_prefix("#/$defs/")
                {
                    names.push(name.to_owned());
                }
                open.extend(members.values());
            }
            _ => {}
        }
    }
    names
}
