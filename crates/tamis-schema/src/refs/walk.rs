//! The walk through a document, without recursion.

use serde_json::Value;

use super::place::{Holds, holds, is_object, place};
use super::{Document, MAX_NODES, MAX_POINTER_BYTES, Node, Place, address, escaped};

/// A schema that is still to be looked at.
struct Open<'s> {
    schema: &'s Value,
    parent: Option<usize>,
    place: Place<'s>,
    step: Step<'s>,
}

/// The way from a schema to one in it. The pointer is made of it when its turn comes, because those of
/// thousands of schemas under one long name would be too much to hold.
#[derive(Clone, Copy)]
enum Step<'s> {
    /// Where the walk begins.
    Start,
    Keyword(&'s str),
    Item(&'s str, usize),
    Member(&'s str, &'s str),
}

impl<'s> Document<'s> {
    /// Adds a schema and all in it; what was seen already is left out.
    pub(super) fn walk(&mut self, start: &str, schema: &'s Value, place: Place<'s>) {
        let mut open = vec![Open {
            schema,
            parent: None,
            place,
            step: Step::Start,
        }];
        while let Some(Open {
            schema,
            parent,
            place,
            step,
        }) = open.pop()
        {
            let address = address(schema);
            if self.places.contains_key(&address) {
                continue;
            }
            let above = parent.and_then(|parent| self.nodes.get(parent));
            let base = above.map_or(start, |node| &node.pointer);
            let length = base.len().saturating_add(step.len());
            if self.nodes.len() >= MAX_NODES
                || self.pointer_bytes.saturating_add(length) > MAX_POINTER_BYTES
            {
                self.truncated = true;
                return;
            }
            let pointer = step.from(base);
            self.pointer_bytes += pointer.len();
            let depth_above = match place {
                Place::Definition(_) => 0,
                _ => above.map_or(0, |node| node.depth),
            };
            let index = self.nodes.len();
            let first = open.len();
            open_parts(schema, index, &mut open);
            // The first of the document is looked at first.
            if let Some(added) = open.get_mut(first..) {
                added.reverse();
            }
            self.name(schema, index);
            self.places.insert(address, index);
            self.nodes.push(Node {
                pointer,
                schema,
                parent,
                place,
                depth: depth_above + usize::from(is_object(schema)),
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
                if let Some((_, end)) = name.rsplit_once('/')
                    && !end.is_empty()
                {
                    self.ends.entry(end.to_owned()).or_insert(index);
                }
            }
        }
    }
}

impl Step<'_> {
    /// About how much longer it makes a pointer.
    fn len(self) -> usize {
        match self {
            Self::Start => 0,
            Self::Keyword(keyword) | Self::Item(keyword, _) => keyword.len(),
            Self::Member(keyword, key) => keyword.len() + key.len(),
        }
    }

    fn from(self, base: &str) -> String {
        match self {
            Self::Start => base.to_owned(),
            Self::Keyword(keyword) => format!("{base}/{}", escaped(keyword)),
            Self::Item(keyword, number) => format!("{base}/{}/{number}", escaped(keyword)),
            Self::Member(keyword, key) => format!("{base}/{}/{}", escaped(keyword), escaped(key)),
        }
    }
}

/// Puts the schemas in a schema on the stack.
fn open_parts<'s>(schema: &'s Value, index: usize, open: &mut Vec<Open<'s>>) {
    let Some(keywords) = schema.as_object() else {
        return;
    };
    let parent = Some(index);
    for (keyword, value) in keywords {
        let Some(holds) = holds(keyword) else {
            continue;
        };
        match (holds, value) {
            (Holds::Many | Holds::OneOrMany, Value::Array(schemas)) => {
                for (number, schema) in schemas.iter().enumerate() {
                    open.push(Open {
                        schema,
                        parent,
                        place: place(keyword, None, Some(number)),
                        step: Step::Item(keyword, number),
                    });
                }
            }
            (Holds::Named | Holds::NamedOrLists, Value::Object(schemas)) => {
                for (key, schema) in schemas {
                    if matches!(holds, Holds::NamedOrLists) && schema.is_array() {
                        continue;
                    }
                    open.push(Open {
                        schema,
                        parent,
                        place: place(keyword, Some(key), None),
                        step: Step::Member(keyword, key),
                    });
                }
            }
            (Holds::One | Holds::OneOrMany, Value::Object(_) | Value::Bool(_)) => {
                open.push(Open {
                    schema: value,
                    parent,
                    place: place(keyword, None, None),
                    step: Step::Keyword(keyword),
                });
            }
            _ => {}
        }
    }
}
