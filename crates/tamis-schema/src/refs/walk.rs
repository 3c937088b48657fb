//! The walk through a document, without recursion.

use serde_json::Value;

use super::place::{Holds, holds, is_object, place};
use super::{Document, MAX_NODES, Node, Place, escaped};

impl<'s> Document<'s> {
    /// Adds a schema and all in it; what was seen already is left out.
    pub(super) fn walk(
        &mut self,
        pointer: String,
        schema: &'s Value,
        parent: Option<usize>,
        place: Place<'s>,
    ) {
        let mut open = vec![(pointer, schema, parent, place)];
        while let Some((pointer, schema, parent, place)) = open.pop() {
            if self.places.contains_key(&pointer) {
                continue;
            }
            if self.nodes.len() >= MAX_NODES {
                self.truncated = true;
                return;
            }
            let index = self.nodes.len();
            let above = match place {
                Place::Definition(_) => 0,
                _ => parent
                    .and_then(|parent| self.nodes.get(parent))
                    .map_or(0, |node| node.depth),
            };
            let start = open.len();
            open_parts(&pointer, schema, index, &mut open);
            // The first of the document is looked at first.
            if let Some(added) = open.get_mut(start..) {
                added.reverse();
            }
            self.name(schema, index);
            self.places.insert(pointer.clone(), index);
            self.nodes.push(Node {
                pointer,
                schema,
                parent,
                place,
                depth: above + usize::from(is_object(schema)),
            });
        }
    }

    /// The names that references may call it by.
    fn name(&mut self, schema: &Value, index: usize) {
        let text = |keyword: &str| schema.get(keyword).and_then(Value::as_str);
        for anchor in ["$anchor", "$dynamicAnchor"] {
            if let Some(name) = text(anchor) {
                self.names.entry(format!("#{name}")).or_insert(index);
            }
        }
        for id in ["$id", "id"] {
            if let Some(name) = text(id).filter(|name| !name.is_empty()) {
                let name = name.strip_suffix('#').unwrap_or(name);
                self.names.entry(name.to_owned()).or_insert(index);
            }
        }
    }
}

/// Puts the schemas in a schema on the stack.
fn open_parts<'s>(
    pointer: &str,
    schema: &'s Value,
    index: usize,
    open: &mut Vec<(String, &'s Value, Option<usize>, Place<'s>)>,
) {
    let Some(keywords) = schema.as_object() else {
        return;
    };
    for (keyword, value) in keywords {
        let Some(holds) = holds(keyword) else {
            continue;
        };
        let at = format!("{pointer}/{}", escaped(keyword));
        match (holds, value) {
            (Holds::Many | Holds::OneOrMany, Value::Array(schemas)) => {
                for (number, schema) in schemas.iter().enumerate() {
                    let place = place(keyword, None, Some(number));
                    open.push((format!("{at}/{number}"), schema, Some(index), place));
                }
            }
            (Holds::Named | Holds::NamedOrLists, Value::Object(schemas)) => {
                for (key, schema) in schemas {
                    if matches!(holds, Holds::NamedOrLists) && schema.is_array() {
                        continue;
                    }
                    let place = place(keyword, Some(key), None);
                    open.push((format!("{at}/{}", escaped(key)), schema, Some(index), place));
                }
            }
            (Holds::One | Holds::OneOrMany, Value::Object(_) | Value::Bool(_)) => {
                open.push((at, value, Some(index), place(keyword, None, None)));
            }
            _ => {}
        }
    }
}
