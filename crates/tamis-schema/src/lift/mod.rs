//! Bringing an answer back to the shape of the caller's schema.

mod down;
mod error;
mod path;
pub(crate) mod plan;
pub(crate) mod shape;
mod up;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use self::error::{LiftError, LiftErrorKind};
use self::plan::{Plan, StepId};
use crate::measure::{MAX_INSTANCE_DEPTH, depth};
use crate::room::with_room;

/// How an answer to a lowered schema is brought back to the shape of the caller's schema.
///
/// It mirrors the schema: where an absent property is said by null, where a map became pairs, where a
/// wrapper was put around a value. It can be stored next to a request and read back (`serde`); the
/// stored form may change between versions.
///
/// What does not look as the lowered schema asked for is left as it is, so that an upstream that
/// ignored the schema, and answered in the caller's shape, does no harm. Validation against the
/// caller's schema has the last word.
///
/// ```
/// use serde_json::json;
/// use tamis_schema::{Dialect, lower};
///
/// let schema = json!({
///     "type": "object",
///     "properties": {
///         "name": {"type": "string"},
///         "nick": {"type": "string"},
///         "scores": {"type": "object", "additionalProperties": {"type": "integer"}},
///     },
///     "required": ["name", "scores"],
///     "additionalProperties": false,
/// });
/// let lowered = lower(&schema, Dialect::OPENAI_STRICT)?;
///
/// let answer = json!({"name": "Ann", "nick": null, "scores": [{"key": "chess", "value": 3}]});
/// let lifted = lowered.lift.lift(answer)?;
/// assert_eq!(lifted.value, json!({"name": "Ann", "scores": {"chess": 3}}));
/// assert_eq!(lifted.lifts[0].pointer(), "/nick");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lift {
    root: StepId,
    plan: Plan,
    /// Of the lowered schema, for its branches.
    definitions: Map<String, Value>,
}

/// A value in the caller's shape, and what was done to bring it there.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Lifted {
    /// The value.
    pub value: Value,
    /// Each change, in the answer's order.
    pub lifts: Vec<LiftNote>,
    /// How many changes more there were than are listed: their pointers together were more than
    /// 4 MiB.
    pub unlisted: usize,
}

/// One change to an answer. Serialises as `{"pointer", "kind"}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LiftNote {
    pointer: String,
    kind: LiftKind,
}

impl LiftNote {
    /// The JSON Pointer to the place in the lifted value; where something was taken away, to where it
    /// would be.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// What was done.
    pub fn kind(&self) -> LiftKind {
        self.kind
    }
}

/// What was done to an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum LiftKind {
    /// The value that stood for an absent property or element, mostly null, was taken away.
    AbsenceRestored,
    /// A null that was said by leaving the property out was put in.
    NullRestored,
    /// An array of pairs became a map.
    PairsToMap,
    /// An object became a tuple.
    TupleRestored,
    /// The object around a value was taken away.
    Unwrapped,
    /// A string was read as the JSON text that it holds.
    TextRead,
}

impl Lift {
    pub(crate) fn new(mut plan: Plan, root: StepId, definitions: Map<String, Value>) -> Self {
        let root = plan.prune(root);
        let definitions = if root == StepId::SAME {
            Map::new()
        } else {
            definitions
        };
        Self {
            root,
            plan,
            definitions,
        }
    }

    pub(crate) fn root(&self) -> StepId {
        self.root
    }

    pub(crate) fn step(&self, id: StepId) -> &plan::Step {
        self.plan.get(id)
    }

    /// Whether every answer stays as it is.
    pub fn is_identity(&self) -> bool {
        self.root == StepId::SAME
    }

    /// Brings an answer back. It takes time linear in the answer's size.
    ///
    /// # Errors
    /// A map answered with the same key twice, a tuple with a gap, a string that should hold JSON and
    /// does not, or more than [`MAX_INSTANCE_DEPTH`] levels of nesting where something is to be
    /// brought back.
    pub fn lift(&self, answer: Value) -> Result<Lifted, LiftError> {
        if self.is_identity() {
            return Ok(Lifted {
                value: answer,
                lifts: Vec::new(),
                unlisted: 0,
            });
        }
        let Some(room) = room_for(&answer) else {
            return Err(LiftError::new(LiftErrorKind::TooDeep, ""));
        };
        let lifted = with_room(room, move || {
            let mut up = up::Up::new(&self.plan);
            let value = up.value(self.root, answer, 0)?;
            Ok(Lifted {
                value,
                lifts: up.notes,
                unlisted: up.unlisted,
            })
        });
        lifted.unwrap_or_else(|| Err(LiftError::new(LiftErrorKind::TooDeep, "")))
    }

    /// Puts a value that conforms to the caller's schema into the shape of the lowered one, as an
    /// example for the model, say. Lifting it gives the value back.
    ///
    /// A value that does not conform comes out in no particular shape.
    ///
    /// # Errors
    /// The value conforms to no branch of a union, or finding the branches takes too many steps, or it
    /// is nested more than [`MAX_INSTANCE_DEPTH`] deep.
    pub fn encode(&self, value: &Value) -> Result<Value, LiftError> {
        if self.is_identity() {
            return Ok(value.clone());
        }
        let Some(room) = room_for(value) else {
            return Err(LiftError::new(LiftErrorKind::TooDeep, ""));
        };
        let encoded = with_room(room, || {
            down::Down::new(&self.plan, &self.definitions).value(self.root, value, 0)
        });
        encoded.unwrap_or_else(|| Err(LiftError::new(LiftErrorKind::TooDeep, "")))
    }
}

/// A value's levels, each of which may go through a union and a wrapper.
fn room_for(value: &Value) -> Option<usize> {
    depth(value, MAX_INSTANCE_DEPTH).map(|levels| levels.saturating_mul(3))
}
