//! Making a value conform by changes that lose nothing: [`coerce`] and [`Coercer`].

mod combine;
mod error;
mod graph;
mod moves;
mod record;
mod search;

use std::fmt;

use serde_json::Value;
use tamis_json::Pointer;

pub use error::{CoerceError, CoerceErrorKind};
pub use record::{Coercion, CoercionKind, JsonKind};

use combine::Alternatives;
use graph::Graph;
use search::{Search, size};

use crate::measure::{MAX_INSTANCE_DEPTH, MAX_SCHEMA_DEPTH, depth, reference_targets};
use crate::room::with_room;
use crate::validate::parts::Parts;
use crate::validate::{Validator, ValidatorOptions};

/// Makes a value conform to a schema by the cheapest set of [coercions](CoercionKind).
///
/// A value that conforms is not changed. Otherwise each part of it that does not conform at its
/// place may be coerced, alone or several times, in the order of [`CoercionKind`]: a set of
/// coercions costs the sum of theirs. Several equally cheap sets that give *different* values are an
/// error, never a guess. [`Validator`] has the last word on what comes out.
///
/// ```
/// use serde_json::json;
/// use tamis_schema::{CoercionKind, coerce};
///
/// let schema = json!({
///     "type": "object",
///     "properties": {
///         "age": {"type": "integer"},
///         "tags": {"type": "array", "items": {"enum": ["RED", "BLUE"]}},
///     },
///     "required": ["age", "tags"],
/// });
/// let coerced = coerce(&json!({"age": "36", "tags": "red"}), &schema)?;
/// assert_eq!(coerced.value, json!({"age": 36, "tags": ["RED"]}));
///
/// let done: Vec<_> = coerced
///     .coercions
///     .iter()
///     .map(|coercion| (coercion.kind, coercion.pointer.as_str()))
///     .collect();
/// assert_eq!(
///     done,
///     [
///         (CoercionKind::TextToNumber, "/age"),
///         (CoercionKind::SingleToArray, "/tags"),
///         (CoercionKind::Case, "/tags/0"),
///     ]
/// );
///
/// // Nothing is dropped and nothing is invented.
/// assert!(coerce(&json!({"age": "thirty-six"}), &schema).unwrap_err().is_impossible());
/// # Ok::<(), tamis_schema::CoerceError>(())
/// ```
///
/// # What is not lost
/// - A text becomes a number only where a JSON number holds it exactly, and it is spelled as JSON
///   spells numbers. `"5.0"` becomes `5.0`, which JSON Schema counts as an integer (since draft 6);
///   it is not respelled `5`, because whoever wrote the fraction may have meant it.
/// - A number becomes a text only where it is an integer of 64 bits. A float's spelling is gone by
///   the time that it is a value: a version `3.10` would become `"3.1"`.
/// - A text that is a JSON list is not a single value, so it is not put into an array; it may be read
///   as the list that it is. `null` is not put into one either.
/// - A value becomes one of another kind only where the schema speaks of that kind, by `type`, `enum`
///   or a keyword about it; what a schema merely fails to rule out is not what it asks for.
/// - A key is known where a schema for the object that it is in speaks of it: by name, by pattern, or
///   by a schema for every key. What a known key holds is never taken for the whole.
///
/// # What is declined
/// What would have to drop, invent or interpret is no coercion, and neither is what should have been
/// JSON and is not:
///
/// | kind | example | why |
/// | --- | --- | --- |
/// | no JSON | `two` for `"TWO"`, `1/5` for `0.2` | what is not JSON is no answer in JSON; a refusal would pass for a string |
/// | raw text | `{"a": "b"}` for the string of that very text | JSON is read as what it says, not as how it came |
/// | several answers | `{"a": 1} {"a": 2}` for the first | both conform, and nothing tells which is meant |
/// | cut | `"hello` for `"hello"` | what ends in the middle of a text may lack the rest |
/// | partial | `[1, 2` for `[1]` | a snapshot of a stream is the parser's to give, and never an answer |
/// | words around | `"ONE: the first"` or `"ONE!"` for `"ONE"` | dropping words is choosing among them: `"not ONE"` |
/// | alias | `"k1"` for `"ONE"` | a JSON Schema has no aliases |
/// | arithmetic | `"1/5"` for `0.2` | a calculation, not another spelling |
/// | number in words | `"1,000"`, `"$5"`, `"5%"`, `"five"` | a comma is a decimal point elsewhere; a unit would be dropped |
/// | null | `"null"`, `""` for `null` | a null would be made up |
/// | missing value | `{}` for `{"a": []}` | a default would be made up |
/// | unknown key | `{"a": 1, "b": 2}` for `{"a": 1}` | a value would be dropped |
/// | one of several | `[5]` for `5` | an item would be chosen |
///
/// # Errors
/// See [`CoerceErrorKind`].
///
/// # Limits
/// The work is at most linear in the value's size, for one schema: after a fixed number of steps for
/// each of its parts the search is given up with [`Limit`](CoerceErrorKind::Limit). Values may be
/// nested [`MAX_INSTANCE_DEPTH`] deep, and JSON in a text 64 levels. A `$dynamicRef`, and a `$ref` to a
/// relative `$id`, are checked, but what is below one is not coerced. A part of a schema that leads to a
/// draft's own schema is beyond the limit where its value does not conform.
pub fn coerce(value: &Value, schema: &Value) -> Result<Coerced, CoerceError> {
    Coercer::new(schema)?.coerce(value)
}

/// A schema, ready to [coerce] values.
///
/// ```
/// use serde_json::json;
/// use tamis_schema::Coercer;
///
/// let coercer = Coercer::new(&json!({"type": "integer"}))?;
/// assert_eq!(coercer.coerce(&json!("5"))?.value, json!(5));
/// assert_eq!(coercer.coerce(&json!({"answer": 5}))?.value, json!(5));
/// assert!(coercer.coerce(&json!(5))?.coercions.is_empty());
/// # Ok::<(), tamis_schema::CoerceError>(())
/// ```
pub struct Coercer {
    validator: Validator,
    graph: Graph,
    parts: Parts,
    /// How deep checking recurses where the value is flat.
    steps: usize,
}

impl fmt::Debug for Coercer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Coercer").finish_non_exhaustive()
    }
}

/// A value that conforms, and what was done to make it.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Coerced {
    /// The value.
    pub value: Value,
    /// What was done, in the order of the value; an outer one stands before those in it. Empty where
    /// the value conformed as it was.
    pub coercions: Vec<Coercion>,
}

impl fmt::Debug for Coerced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Coerced")
            .field("coercions", &self.coercions)
            .finish_non_exhaustive()
    }
}

/// Steps that any value may take.
const STEPS: usize = 500_000;

/// Steps more for each part of the value.
const STEPS_PER_PART: usize = 200;

/// How much deeper than the value the texts in it may lead.
const DEEPEST_TEXT: usize = 64;

/// The search's own recursion at each level, in the steps of checking.
const STEPS_PER_LEVEL: usize = 8;

impl Coercer {
    /// Makes one of a schema, with a validator's default options.
    ///
    /// # Errors
    /// As [`Validator::new`], and where the schema has too many parts.
    pub fn new(schema: &Value) -> Result<Self, CoerceError> {
        Self::with_options(schema, &ValidatorOptions::default())
    }

    /// Makes one of a schema, with these options for what conforms.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_options(schema: &Value, options: &ValidatorOptions) -> Result<Self, CoerceError> {
        let validator = options.build(schema)?;
        let graph = Graph::new(schema).ok_or(CoerceError::new(CoerceErrorKind::Limit))?;
        let pointers = graph.pointers.iter().cloned();
        let parts = Parts::new(schema, pointers, options.asserts_formats())?;
        let targets = reference_targets(schema);
        let steps = depth(schema, MAX_SCHEMA_DEPTH)
            .unwrap_or(MAX_SCHEMA_DEPTH)
            .saturating_mul(targets.saturating_add(1));
        Ok(Self {
            validator,
            graph,
            parts,
            steps,
        })
    }

    /// Coerces a value; see [`coerce`].
    ///
    /// # Errors
    /// No coercions make the value conform; different ones that cost the same give different values;
    /// a limit was hit.
    pub fn coerce(&self, value: &Value) -> Result<Coerced, CoerceError> {
        if self.validator.is_valid(value) {
            return Ok(Coerced {
                value: value.clone(),
                coercions: Vec::new(),
            });
        }
        let limit = || CoerceError::new(CoerceErrorKind::Limit);
        // A text takes a level of its own besides what is in it, and any value up to two arrays.
        let levels = depth(value, MAX_INSTANCE_DEPTH)
            .ok_or_else(limit)?
            .saturating_add(2 * deepest_text(value))
            .saturating_add(2)
            .saturating_mul(3);
        let budget = STEPS.saturating_add(size(value).saturating_mul(STEPS_PER_PART));
        let room = self
            .steps
            .saturating_add(STEPS_PER_LEVEL)
            .saturating_mul(levels);
        let found = with_room(room, || {
            Search::new(&self.graph, &self.parts, budget, levels).run(value)
        })
        .flatten()
        .ok_or_else(limit)?;
        self.choose(found)
    }

    fn choose(&self, found: Alternatives) -> Result<Coerced, CoerceError> {
        if let Some((first, second)) = found.tie() {
            return Err(CoerceError::ambiguous(difference(
                &first.value,
                &second.value,
            )));
        }
        found
            .found
            .into_iter()
            .next()
            .filter(|best| self.validator.is_valid(&best.value))
            .map(|best| Coerced {
                value: best.value,
                coercions: best.coercions,
            })
            .ok_or(CoerceError::new(CoerceErrorKind::Impossible))
    }
}

/// The first place where two values differ.
fn difference(first: &Value, second: &Value) -> Pointer {
    let (mut at, mut pair) = (Pointer::root(), (first, second));
    loop {
        match pair {
            (Value::Object(first), Value::Object(second)) if first.len() == second.len() => {
                let differs = first.iter().find_map(|(key, one)| {
                    let other = second.get(key)?;
                    (one != other).then_some((key, one, other))
                });
                let Some((key, one, other)) = differs else {
                    return at;
                };
                at.push_key(key);
                pair = (one, other);
            }
            (Value::Array(first), Value::Array(second)) if first.len() == second.len() => {
                let differs = first.iter().zip(second).enumerate();
                let Some((index, next)) = differs.into_iter().find(|(_, (a, b))| a != b) else {
                    return at;
                };
                at.push_index(index);
                pair = next;
            }
            _ => return at,
        }
    }
}

/// How deep the JSON in the value's texts may be, at most.
fn deepest_text(value: &Value) -> usize {
    let (mut deepest, mut open) = (0, vec![value]);
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) if text.trim_start().starts_with(['{', '[']) => {
                let (mut depth, mut most) = (0_usize, 0_usize);
                for byte in text.bytes() {
                    match byte {
                        b'{' | b'[' => depth += 1,
                        b'}' | b']' => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    most = most.max(depth);
                }
                deepest = deepest.max(most.min(DEEPEST_TEXT));
            }
            Value::Array(items) => open.extend(items),
            Value::Object(members) => open.extend(members.values()),
            _ => {}
        }
    }
    deepest
}
