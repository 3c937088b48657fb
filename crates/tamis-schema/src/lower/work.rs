//! One lowering at work: what it has seen, made and noted so far.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::change::{Change, ChangeKind, Effect};
use super::error::LowerReason;
use super::rules::Rules;
use crate::lift::plan::{Plan, Step, StepId};
use crate::lift::shape::Shape;
use crate::refs::Document;

/// How many schemas are written, at most.
const MAX_NODES: usize = 20_000;
/// How deep schemas are written, at most: as deep as one may be, and some for what is put around.
const MAX_DEPTH: usize = 160;

/// The schema is too large to be written down in the dialect.
pub(super) struct Stop;

/// A schema in the dialect's words.
pub(super) struct Out {
    pub(super) schema: Value,
    /// What brings an answer to it back.
    pub(super) step: StepId,
    /// What the caller's values look like.
    pub(super) original: Shape,
}

/// `None` where no value conforms.
pub(super) type Written = Result<Option<Out>, Stop>;

pub(super) struct Work<'a> {
    pub(super) document: &'a Value,
    /// Where the document's references lead.
    pub(super) places: Document<'a>,
    pub(super) rules: Rules,
    /// How often a recursion is followed where the dialect takes none.
    pub(super) unroll: Option<usize>,
    /// Whether a property that may be null and may be absent is asked for as null.
    pub(super) absent_as_null: bool,
    /// Whether `$ref` hides what stands beside it, as before draft 2019-09.
    pub(super) ref_alone: bool,
    pub(super) plan: Plan,
    pub(super) definitions: Vec<Definition>,
    /// The definitions' names.
    names: Names,
    /// Where each definition is, by what it defines.
    pub(super) defined: BTreeMap<String, usize>,
    /// What is being written in place of references to it.
    pub(super) inlined: Vec<String>,
    pub(super) recursive: BTreeMap<String, bool>,
    pub(super) unrolled_refused: BTreeSet<String>,
    pub(super) any: Option<usize>,
    pub(super) changes: Vec<Change>,
    pub(super) reasons: Vec<LowerReason>,
    nodes: usize,
    /// The optional properties, unions and enum values written so far.
    pub(super) optionals: usize,
    pub(super) unions: usize,
    pub(super) enum_values: usize,
}

pub(super) struct Definition {
    pub(super) name: String,
    pub(super) step: StepId,
    /// `None` while it is being written.
    pub(super) written: Option<(Value, Shape)>,
}

impl<'a> Work<'a> {
    pub(super) fn new(
        document: &'a Value,
        rules: Rules,
        unroll: Option<usize>,
        absent_as_null: bool,
    ) -> Self {
        let draft = document.get("$schema").and_then(Value::as_str);
        let ref_alone = draft.is_some_and(|draft| {
            ["draft-04", "draft-06", "draft-07"]
                .iter()
                .any(|old| draft.contains(old))
        });
        Self {
            document,
            places: Document::new(document),
            rules,
            unroll,
            absent_as_null,
            ref_alone,
            plan: Plan::default(),
            definitions: Vec::new(),
            names: Names::default(),
            defined: BTreeMap::new(),
            inlined: Vec::new(),
            recursive: BTreeMap::new(),
            unrolled_refused: BTreeSet::new(),
            any: None,
            changes: Vec::new(),
            reasons: Vec::new(),
            nodes: 0,
            optionals: 0,
            unions: 0,
            enum_values: 0,
        }
    }

    /// Counts one schema more.
    pub(super) fn enter(&mut self, depth: usize) -> Result<(), Stop> {
        self.nodes += 1;
        if self.nodes > MAX_NODES || depth > MAX_DEPTH {
            return Err(Stop);
        }
        Ok(())
    }

    pub(super) fn change(
        &mut self,
        kind: ChangeKind,
        at: &str,
        effect: Effect,
        message: impl Into<String>,
    ) {
        self.changes
            .push(Change::new(kind, at, effect, message.into()));
    }

    pub(super) fn refuse(&mut self, at: &str, message: impl Into<String>) {
        self.reasons.push(LowerReason::new(at, message));
    }

    /// What a lowered schema's values look like.
    pub(super) fn sent_shape(&self, schema: &Value) -> Shape {
        Shape::of(schema, &|reference| {
            let name = reference.strip_prefix("#/$defs/")?;
            self.definitions
                .iter()
                .find(|definition| definition.name == name)
                .and_then(|definition| definition.written.as_ref())
                .map(|(schema, _)| schema)
        })
    }

    /// Whether a step certainly changes nothing. What is still being written may change something.
    pub(super) fn is_same(&self, step: StepId) -> bool {
        if step == StepId::SAME {
            return true;
        }
        let open: BTreeSet<StepId> = self
            .definitions
            .iter()
            .filter(|definition| definition.written.is_none())
            .map(|definition| definition.step)
            .collect();
        self.plan.certainly_same(step, &open)
    }

    pub(super) fn definitions_written(&self) -> Map<String, Value> {
        self.definitions
            .iter()
            .filter_map(|definition| {
                let (schema, _) = definition.written.as_ref()?;
                Some((definition.name.clone(), schema.clone()))
            })
            .collect()
    }

    pub(super) fn fresh_name(&mut self, wanted: &str) -> String {
        let mut base: String = wanted
            .chars()
            .map(|c| {
                if c.is_ascii_alphanumeric() || c == '_' || c == '-' {
                    c
                } else {
                    '_'
                }
            })
            .take(48)
            .collect();
        if base.is_empty() {
            base.push_str("schema");
        }
        self.names.fresh(base)
    }

    pub(super) fn step(&mut self, step: Step) -> StepId {
        self.plan.add(step)
    }
}

/// Names that are given once. Thousands that are wanted alike do not look for a free one from the start.
#[derive(Default)]
pub(super) struct Names {
    taken: BTreeSet<String>,
    /// The number that is tried next for each name that was wanted twice.
    next: BTreeMap<String, usize>,
}

impl Names {
    /// The name, or if it is taken, the name with a number.
    pub(super) fn fresh(&mut self, wanted: String) -> String {
        if self.taken.insert(wanted.clone()) {
            return wanted;
        }
        let next = self.next.entry(wanted.clone()).or_insert(2);
        loop {
            let name = format!("{wanted}_{next}");
            *next += 1;
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// A pointer one key further down.
pub(super) fn below(at: &str, keyword: &str, key: &str) -> String {
    let key = key.replace('~', "~0").replace('/', "~1");
    format!("{at}/{keyword}/{key}")
}
