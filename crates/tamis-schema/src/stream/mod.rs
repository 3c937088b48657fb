//! Judging a value while it comes.
//!
//! A schema is compiled once into rules, one for each schema in it (`rule.rs`, `compile/`). Each value in
//! progress has the rules that apply to it, the branches of unions side by side (`frame.rs`). A rule
//! dies at the first event that breaks it, which kills what depends on it; when the root's rule
//! dies, no continuation can conform. What cannot be judged here is *unknown*, and left to the whole
//! check: an unknown never kills anything. A value that comes in the shape of a lowered schema is
//! judged as the lift will bring it back (`lifted.rs`).

mod compile;
mod equal;
mod frame;
mod judge;
mod lifted;
mod rule;
mod types;

use std::fmt;
use std::sync::Arc;

use serde_json::Value;
use tamis_json::{Event, Location, ParseError, Parser};

use crate::error::SchemaError;
use crate::lift::Lift;
use crate::validate::Validator;
use crate::violation::Violation;
use judge::Judge;
use lifted::Lifted;
use rule::Rules;

/// Checks a value while it arrives, and says the first violation as soon as no continuation can
/// conform.
///
/// It is fed with the events of a [`Parser`], or reads the text itself
/// ([`StreamValidator::push`]). It is *sound*: it never finds a violation in a value that the whole
/// check, [`Validator`], accepts; it may miss some that the whole check finds, which so keeps the
/// last word. It does not judge `unevaluatedItems`, `unevaluatedProperties`, `$dynamicRef`, `$recursiveRef`,
/// contents, and references out of the schema. Of a key that comes twice in an object both values are
/// judged, although the last one counts.
///
/// ```
/// use serde_json::json;
/// use tamis_schema::StreamValidator;
///
/// let schema = json!({"type": "object", "properties": {
///     "kind": {"enum": ["cat", "dog"]},
///     "age": {"type": "integer", "maximum": 40},
/// }});
/// let mut stream = StreamValidator::new(&schema)?;
/// assert!(stream.push(br#"{"age": 7, "kind": ""#).is_none());
/// // No member of the enum begins with these letters.
/// let violation = stream.push(b"cow").unwrap();
/// assert_eq!((violation.instance.as_str(), violation.keyword.as_str()), ("/kind", "enum"));
/// # Ok::<(), tamis_schema::SchemaError>(())
/// ```
///
/// Limits: where more than 10,000 branches are open at once nothing is judged any more.
pub struct StreamValidator {
    judge: Judge,
    /// Where the value comes in another shape than it is judged in.
    lifted: Option<Lifted>,
    parser: Option<Parser>,
}

impl StreamValidator {
    /// A validator of one value.
    ///
    /// # Errors
    /// As for [`Validator::new`].
    pub fn new(schema: &Value) -> Result<Self, SchemaError> {
        Ok(StreamSchema::new(schema)?.validator())
    }

    /// Takes one event of a parser that reads the value; the first violation.
    ///
    /// After it the validator says the same again, whatever comes.
    #[inline]
    pub fn event(&mut self, at: Location<'_>, event: Event<'_>) -> Option<&Violation> {
        hear(&mut self.judge, &mut self.lifted, at, event);
        self.judge.violation()
    }

    /// Reads more of the value's text; the first violation.
    ///
    /// Text that is no JSON is no violation: reading the whole tells.
    pub fn push(&mut self, fragment: &[u8]) -> Option<&Violation> {
        let mut parser = self.parser.take().unwrap_or_default();
        if self.judge.violation().is_none() {
            let (judge, lifted) = (&mut self.judge, &mut self.lifted);
            let pushed = parser.push_with(fragment, |at, event| hear(judge, lifted, at, event));
            if pushed.is_err() {
                judge.give_up();
            }
        }
        self.parser = Some(parser);
        self.judge.violation()
    }

    /// Says that the text that was pushed has ended; the first violation. A number at the root is
    /// complete only now.
    ///
    /// # Errors
    /// The text is not JSON, or not whole, and nothing in it broke the schema before.
    pub fn finish(mut self) -> Result<Option<Violation>, ParseError> {
        if self.judge.violation().is_none() {
            let (judge, lifted) = (&mut self.judge, &mut self.lifted);
            let parser = self.parser.take().unwrap_or_default();
            parser.finish_with(|at, event| hear(judge, lifted, at, event))?;
        }
        Ok(self.judge.into_violation())
    }

    /// The first violation.
    pub fn violation(&self) -> Option<&Violation> {
        self.judge.violation()
    }
}

#[inline]
fn hear(judge: &mut Judge, lifted: &mut Option<Lifted>, at: Location<'_>, event: Event<'_>) {
    match lifted {
        None => judge.event(at, event),
        Some(lifted) => lifted.event(judge, at, event),
    }
}

impl fmt::Debug for StreamValidator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamValidator")
            .field("broken", &self.judge.violation().is_some())
            .finish_non_exhaustive()
    }
}

/// A schema, ready to check any number of values while they arrive.
///
/// ```
/// use serde_json::json;
/// use tamis_schema::StreamSchema;
///
/// let schema = StreamSchema::new(&json!({"type": "array", "maxItems": 1}))?;
/// for text in ["[1]", "[1, 2]"] {
///     let mut stream = schema.validator();
///     assert_eq!(stream.push(text.as_bytes()).is_some(), text.contains('2'));
/// }
/// # Ok::<(), tamis_schema::SchemaError>(())
/// ```
#[derive(Clone)]
pub struct StreamSchema {
    rules: Arc<Rules>,
    lift: Option<Arc<Lift>>,
}

impl StreamSchema {
    /// Compiles a schema.
    ///
    /// # Errors
    /// As for [`Validator::new`].
    pub fn new(schema: &Value) -> Result<Self, SchemaError> {
        // What is no schema is told by the one that has the last word.
        Validator::new(schema)?;
        Ok(Self {
            rules: Arc::new(compile::rules(schema)),
            lift: None,
        })
    }

    /// The same schema, for values that come in the shape of a lowered one: a value is judged as `lift`
    /// will bring it back. What only the whole value can bring back (maps that came as pairs, tuples,
    /// texts, branches of unions) is left to the whole check.
    ///
    /// ```
    /// use serde_json::json;
    /// use tamis_schema::{Dialect, StreamSchema, lower};
    ///
    /// let schema = json!({
    ///     "type": "object",
    ///     "properties": {"nick": {"type": "string"}, "age": {"type": "integer"}},
    ///     "required": ["age"],
    ///     "additionalProperties": false,
    /// });
    /// let lowered = lower(&schema, Dialect::OPENAI_STRICT)?;
    /// let mut stream = StreamSchema::new(&schema)?.lifted_by(lowered.lift).validator();
    /// // Null says that there is no nick.
    /// assert!(stream.push(br#"{"nick": null, "age": "#).is_none());
    /// assert_eq!(stream.push(b"true").unwrap().instance, "/age");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn lifted_by(mut self, lift: Lift) -> Self {
        self.lift = (!lift.is_identity()).then(|| Arc::new(lift));
        self
    }

    /// A validator of one value.
    pub fn validator(&self) -> StreamValidator {
        StreamValidator {
            judge: Judge::new(Arc::clone(&self.rules)),
            lifted: self.lift.clone().map(Lifted::new),
            parser: None,
        }
    }
}

impl fmt::Debug for StreamSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamSchema").finish_non_exhaustive()
    }
}
