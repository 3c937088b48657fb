//! One pass over a schema: every schema in it with its place, and where its references lead.

mod place;
mod resolve;
mod walk;

use std::collections::BTreeMap;

use serde_json::{Map, Value};

pub(crate) use place::{Place, is_object};
pub(crate) use resolve::Target;

/// How many schemas of one document are looked at; a document with more is read in part.
pub(crate) const MAX_NODES: usize = 100_000;

/// A schema document, walked once.
pub(crate) struct Document<'s> {
    root: &'s Value,
    nodes: Vec<Node<'s>>,
    /// Nodes by their pointers.
    places: BTreeMap<String, usize>,
    /// Nodes by the names that `$anchor` and `$id` give them.
    names: BTreeMap<String, usize>,
    targets: Vec<Target>,
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
    pub(crate) fn at(&self, keyword: &str) -> String {
        format!("{}/{}", self.pointer, escaped(keyword))
    }
}

impl<'s> Document<'s> {
    pub(crate) fn new(root: &'s Value) -> Self {
        let mut document = Self {
            root,
            nodes: Vec::new(),
            places: BTreeMap::new(),
            names: BTreeMap::new(),
            targets: Vec::new(),
            truncated: false,
        };
        document.walk(String::new(), root, None, Place::Root);
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

    /// The schema at a pointer.
    pub(crate) fn at(&self, pointer: &str) -> Option<usize> {
        self.places.get(pointer).copied()
    }

    /// Where a schema's `$ref` leads.
    pub(crate) fn target(&self, index: usize) -> &Target {
        self.targets.get(index).unwrap_or(&Target::None)
    }

    /// Whether the document has more schemas than are looked at.
    pub(crate) fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// The schemas that lead back to themselves, each as the way there: indices of nodes with
    /// references, in their order.
    pub(crate) fn cycles(&self) -> Vec<Vec<usize>> {
        resolve::cycles(self)
    }
}

/// A key as a part of a JSON Pointer.
pub(crate) fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests;
