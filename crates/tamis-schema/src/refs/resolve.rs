//! Where references lead.

use std::collections::BTreeSet;

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
            String::new()
        } else {
            match self
                .names
                .get(document)
                .and_then(|index| self.nodes.get(*index))
            {
                Some(node) => node.pointer.clone(),
                None => return Target::External,
            }
        };
        let fragment = decoded(fragment);
        if !fragment.is_empty() && !fragment.starts_with('/') {
            return Target::Missing;
        }
        let pointer = format!("{base}{fragment}");
        if let Some(index) = self.places.get(&pointer) {
            return Target::Node(*index);
        }
        match self.root.pointer(&pointer) {
            Some(schema @ (Value::Object(_) | Value::Bool(_))) => {
                let index = self.nodes.len();
                self.walk(pointer, schema, None, Place::Referenced);
                if self.nodes.len() > index {
                    Target::Node(index)
                } else {
                    Target::Missing
                }
            }
            _ => Target::Missing,
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

/// The ways of references that lead back to where they began, each once.
pub(super) fn cycles(document: &Document<'_>) -> Vec<Vec<usize>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        Not,
        Open,
        Done,
    }
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); document.nodes.len()];
    for (index, node) in document.nodes.iter().enumerate() {
        // A definition is reached by references only.
        let held = node
            .parent
            .filter(|_| !matches!(node.place, Place::Definition(_)));
        if let Some(list) = held.and_then(|parent| children.get_mut(parent)) {
            list.push(index);
        }
    }
    for (index, target) in document.targets.iter().enumerate() {
        if let (Target::Node(target), Some(list)) = (target, children.get_mut(index)) {
            list.push(*target);
        }
    }
    let mut seen = vec![Seen::Not; document.nodes.len()];
    let (mut found, mut known) = (Vec::new(), BTreeSet::new());
    for start in 0..document.nodes.len() {
        if seen.get(start) != Some(&Seen::Not) {
            continue;
        }
        // The way from the start: each node, and which of its children is next.
        let mut way = vec![(start, 0)];
        if let Some(mark) = seen.get_mut(start) {
            *mark = Seen::Open;
        }
        while let Some((node, next)) = way.last_mut() {
            let node = *node;
            let Some(child) = children.get(node).and_then(|list| list.get(*next)).copied() else {
                if let Some(mark) = seen.get_mut(node) {
                    *mark = Seen::Done;
                }
                way.pop();
                continue;
            };
            *next += 1;
            match seen.get(child) {
                Some(Seen::Not) => {
                    if let Some(mark) = seen.get_mut(child) {
                        *mark = Seen::Open;
                    }
                    way.push((child, 0));
                }
                Some(Seen::Open) if known.insert(child) => {
                    let from = way.iter().position(|(on, _)| *on == child).unwrap_or(0);
                    let back = way.iter().skip(from).map(|(on, _)| *on);
                    found.push(
                        back.filter(|on| {
                            matches!(document.targets.get(*on), Some(Target::Node(_)))
                        })
                        .collect(),
                    );
                }
                _ => {}
            }
        }
    }
    found
}
