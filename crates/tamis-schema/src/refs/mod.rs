//! One pass over a schema: every schema in it with its place, and where its references lead.

mod cycles;
mod place;
mod resolve;
mod walk;

use std::collections::BTreeMap;

use serde_json::{Map, Value};

pub(crate) use cycles::Cycle;
pub(crate) use place::{Place, is_object};
pub(crate) use resolve::Target;

/// How many schemas of one document are looked at; a document with more is read in part.
pub(crate) const MAX_NODES: usize = 100_000;

/// How long the pointers to all of them may be together. A long name counts for each schema under it, so
/// that their number alone bounds nothing.
pub(crate) const MAX_POINTER_BYTES: usize = 32 << 20;

/// A schema document, walked once.
pub(crate) struct Document<'s> {
    nodes: Vec<Node<'s>>,
    /// Nodes by where their schemas are in memory.
    places: BTreeMap<usize, usize>,
    /// Nodes by the names that `$anchor` and `$id` give them.
    names: BTreeMap<String, usize>,
    /// Nodes by the last part of the path in their `$id`, which is how those beside them call them.
    ends: BTreeMap<String, usize>,
    targets: Vec<Target>,
    /// How long the nodes' pointers are together.
    pointer_bytes: usize,
    truncated: bool,
}

/// One schema of a document.
pub(crate) struct Node<'s> {
    /// The JSON Pointer to it.
    pub(crate) pointer: String,
    /// The schema: an object or a boolean, or what stands where one should.
    pub(crate) schema: &'s Value,
    /// The schema that it stands in.
    pub(crate) parent: Option<usize>,
    /// As what it stands there.
    pub(crate) place: Place<'s>,
    /// How many objects it is in, itself included.
    pub(crate) depth: usize,
}

impl<'s> Node<'s> {
    /// The schema's keywords.
    pub(crate) fn keywords(&self) -> Option<&'s Map<String, Value>> {
        self.schema.as_object()
    }

    pub(crate) fn get(&self, keyword: &str) -> Option<&'s Value> {
        self.schema.get(keyword)
    }

    /// The pointer to one of its keywords.
    pub(crate) fn at<'n>(&'n self, keyword: &'n str) -> At<'n> {
        At {
            node: &self.pointer,
            keyword,
        }
    }
}

/// The pointer to a keyword, written down only where it is wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At<'n> {
    node: &'n str,
    keyword: &'n str,
}

impl From<At<'_>> for String {
    fn from(at: At<'_>) -> Self {
        format!("{}/{}", at.node, escaped(at.keyword))
    }
}

impl<'s> Document<'s> {
    pub(crate) fn new(root: &'s Value) -> Self {
        let mut document = Self {
            nodes: Vec::new(),
            places: BTreeMap::new(),
            names: BTreeMap::new(),
            ends: BTreeMap::new(),
            targets: Vec::new(),
            pointer_bytes: 0,
            truncated: false,
        };
        document.walk("", root, Place::Root);
        document.resolve_all();
        document
    }

    /// Every schema, in the document's order, the root first.
    pub(crate) fn nodes(&self) -> &[Node<'s>] {
        &self.nodes
    }

    pub(crate) fn node(&self, index: usize) -> Option<&Node<'s>> {
        self.nodes.get(index)
    }

    /// The node of a schema that is in the document.
    pub(crate) fn index_of(&self, schema: &Value) -> Option<usize> {
        self.places.get(&address(schema)).copied()
    }

    /// Where a schema's `$ref` leads.
    pub(crate) fn target(&self, index: usize) -> &Target {
        self.targets.get(index).unwrap_or(&Target::None)
    }

    /// Whether the document has more schemas than are looked at, or such as take too long a pointer.
    pub(crate) fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// The ways of references that lead back to where they began, each once. The marks are the caller's,
    /// one for each node.
    pub(crate) fn cycles(&self, marks: &[bool]) -> Vec<Cycle> {
        cycles::find(self, marks)
    }
}

/// Where a value is in memory, which tells it from all others of its document.
fn address(value: &Value) -> usize {
    std::ptr::from_ref(value).addr()
}

/// A key as a part of a JSON Pointer.
pub(crate) fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// Whether a part of the document has an identity of its own.
pub(crate) fn has_nested_resources(document: &Document<'_>) -> bool {
    document.nodes().iter().any(|node| {
        let names = ["$id", "id"]
            .iter()
            .any(|keyword| node.get(keyword).and_then(Value::as_str).is_some());
        names && !node.pointer.is_empty()
    })
}

#[cfg(test)]
mod tests;
