//! Where references lead.

use serde_json::Value;

use super::{Document, Place};

/// Where a reference leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// There is no reference.
    None,
    /// To this node.
    Node(usize),
    /// Out of the document.
    External,
    /// To nothing.
    Missing,
}

impl Document<'_> {
    pub(super) fn resolve_all(&mut self) {
        // A reference may lead to places that the walk did not see, which may hold references too.
        let mut next = 0;
        while let Some(node) = self.nodes.get(next) {
            let target = match node.get("$ref") {
                Some(Value::String(reference)) => self.resolve(reference),
                Some(_) => Target::Missing,
                None => Target::None,
            };
            self.targets.push(target);
            next += 1;
        }
    }

    fn resolve(&mut self, reference: &str) -> Target {
        if let Some(index) = self.names.get(reference) {
            return Target::Node(*index);
        }
        let (document, fragment) = match reference.split_once('#') {
            Some((document, fragment)) => (document, fragment),
            None => (reference, ""),
        };
        let base = if document.is_empty() {
            None
        } else {
            match self.names.get(document) {
                Some(index) => Some(*index),
                None => return Target::External,
            }
        };
        let fragment = decoded(fragment);
        if !fragment.is_empty() && !fragment.starts_with('/') {
            return Target::Missing;
        }
        let base = base.and_then(|index| self.nodes.get(index));
        let resource = base.map_or(self.root, |node| node.schema);
        let Some(schema @ (Value::Object(_) | Value::Bool(_))) = resource.pointer(&fragment) else {
            return Target::Missing;
        };
        if let Some(index) = self.index_of(schema) {
            return Target::Node(index);
        }
        if self.truncated {
            return Target::Missing;
        }
        let base = base.map_or("", |node| &node.pointer);
        let pointer = format!("{base}{fragment}");
        let index = self.nodes.len();
        self.walk(pointer, schema, Place::Referenced);
        if self.nodes.len() > index {
            Target::Node(index)
        } else {
            Target::Missing
        }
    }
}

/// A fragment of a URI as text.
fn decoded(fragment: &str) -> String {
    if !fragment.contains('%') {
        return fragment.to_owned();
    }
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = after
            .get(..2)
            .filter(|_| *first == b'%')
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        if let (Some(byte), Some(left)) = (hex, after.get(2..)) {
            bytes.push(byte);
            rest = left;
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| fragment.to_owned())
}
