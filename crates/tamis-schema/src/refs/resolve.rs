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

impl<'s> Document<'s> {
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
        let (base, fragment, schema) = match self.find(reference) {
            Found::Schema(base, fragment, schema) => (base, fragment, schema),
            Found::Missing => return Target::Missing,
            Found::External => return Target::External,
        };
        if let Some(index) = self.index_of(schema) {
            return Target::Node(index);
        }
        if self.truncated {
            return Target::Missing;
        }
        let pointer = self.pointer(base, &fragment);
        let index = self.nodes.len();
        self.walk(&pointer, schema, Place::Referenced);
        if self.nodes.len() > index {
            Target::Node(index)
        } else {
            Target::Missing
        }
    }

    /// What a reference leads to, and the pointer to it.
    pub(crate) fn follow(&self, reference: &str) -> Option<(String, &'s Value)> {
        match self.find(reference) {
            Found::Schema(base, fragment, schema) => Some((self.pointer(base, &fragment), schema)),
            Found::Missing | Found::External => None,
        }
    }

    fn pointer(&self, base: usize, fragment: &str) -> String {
        let base = self.node(base).map_or("", |node| &node.pointer);
        format!("{base}{fragment}")
    }

    fn find(&self, reference: &str) -> Found<'s> {
        let (document, fragment) = match reference.split_once('#') {
            Some((document, fragment)) => (document, fragment),
            None => (reference, ""),
        };
        let (base, fragment) = if let Some(index) = self.names.get(reference) {
            (*index, "")
        } else if document.is_empty() {
            (0, fragment)
        } else {
            let named = self.names.get(document).or_else(|| self.ends.get(document));
            match named {
                Some(index) => (*index, fragment),
                None => return Found::External,
            }
        };
        let fragment = decoded(fragment);
        if !fragment.is_empty() && !fragment.starts_with('/') {
            return Found::Missing;
        }
        let resource = self.node(base).map(|node| node.schema);
        match resource.and_then(|resource| resource.pointer(&fragment)) {
            Some(schema @ (Value::Object(_) | Value::Bool(_))) => {
                Found::Schema(base, fragment, schema)
            }
            _ => Found::Missing,
        }
    }
}

/// What a reference says.
enum Found<'s> {
    /// This schema, which this pointer leads to from this node.
    Schema(usize, String, &'s Value),
    External,
    Missing,
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
