//! What lowering did, on record.

use std::fmt;

use serde_json::Value;

/// One change that was made to a schema.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    kind: ChangeKind,
    pointer: String,
    effect: Effect,
    message: String,
}

impl Change {
    pub(crate) fn new(kind: ChangeKind, pointer: &str, effect: Effect, message: String) -> Self {
        Self {
            kind,
            pointer: pointer.to_owned(),
            effect,
            message,
        }
    }

    /// Points to the nearest place that is in the schema: what came of merging has no place of its own.
    pub(crate) fn clip(&mut self, schema: &Value) {
        while schema.pointer(&self.pointer).is_none() {
            let end = self.pointer.rfind('/').unwrap_or(0);
            self.pointer.truncate(end);
        }
    }

    /// What was done.
    pub fn kind(&self) -> ChangeKind {
        self.kind
    }

    /// The JSON Pointer to the place in the caller's schema; for what came of merging several, to the
    /// place of the merger.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// What it means for the answers.
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// What was done there, in plain words. The wording may change. It may quote the schema.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.pointer.is_empty() {
            "the root"
        } else {
            &self.pointer
        };
        write!(f, "{place}: {} ({})", self.message, self.effect)
    }
}

/// What a change means for the answers, once they are lifted. A change for which there is no such
/// effect is not made: it is a reason in a [`LowerError`](crate::LowerError).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// The same values as before.
    Exact,
    /// The upstream will not answer some values that conform to the caller's schema, because the schema
    /// does not declare them: a property that is not listed in an object that is not said to be closed.
    Narrowing,
    /// The upstream may answer values that do not conform to the caller's schema. Validation against
    /// that schema decides.
    Widening,
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Exact => "exact",
            Self::Narrowing => "narrowing",
            Self::Widening => "widening",
        })
    }
}

/// What was done at one place of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ChangeKind {
    /// `allOf` became one schema.
    AllOfMerged,
    /// A bound that excludes its number became one that includes the next.
    BoundRespelled,
    /// An annotation that the dialect refuses was dropped.
    AnnotationDropped,
    /// A branch, property or value that nothing conforms to was dropped.
    NeverDropped,
    /// A value of any kind became one that can be written down in the dialect.
    AnyEncoded,
    /// `const` became `enum`, or the other way round.
    ConstRewritten,
    /// A constraint was put into the description.
    ConstraintDescribed,
    /// A keyword of an older draft was written as in the newest.
    DraftRewritten,
    /// An enum became a described string or other type.
    EnumDescribed,
    /// A map became an array of key-value pairs.
    MapToPairs,
    /// `null` became absence.
    NullToAbsent,
    /// An object was closed to properties that are not listed.
    ObjectClosed,
    /// `oneOf` became `anyOf`.
    OneOfToAnyOf,
    /// An optional property became required, with a value that stands for its absence.
    OptionalToRequired,
    /// Properties were put in another order.
    Reordered,
    /// A recursion was cut off at a depth.
    RecursionUnrolled,
    /// A reference was replaced by what it refers to.
    ReferenceInlined,
    /// A reference was given another place to refer to.
    ReferenceMoved,
    /// The root was put under the only key of an object.
    RootWrapped,
    /// The branches of a union were given names, to tell them apart.
    BranchesNamed,
    /// A tuple became an object or a plain array.
    TupleRewritten,
    /// The type was taken from the other keywords.
    TypeInferred,
    /// A union was taken apart, or its common part put into each branch.
    UnionRewritten,
}
