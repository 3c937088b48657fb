//! Schemas that lead back to themselves.

use super::{Document, Place, Target};

/// As many references of a way are kept as a message names.
const MOST_NAMED: usize = 8;

/// A way of references that leads back to where it began.
#[derive(Debug)]
pub(crate) struct Cycle {
    /// The nodes with references on the way, in its order: the first few of them.
    pub(crate) first: Vec<usize>,
    /// How many nodes with references are on the way.
    pub(crate) length: usize,
    /// Whether nothing but references is on the way: no value could ever conform.
    pub(crate) endless: bool,
    /// Whether a node with a reference on the way is marked.
    pub(crate) marked: bool,
}

/// A node on the way from where the search began.
struct On {
    node: usize,
    /// Which of its children is next.
    next: usize,
    /// What was counted before it.
    before: Counts,
}

/// What was counted on a way, so that each part of it can be told without going through it.
#[derive(Clone, Copy, Default)]
struct Counts {
    references: usize,
    marked: usize,
    /// Steps that follow no reference.
    held: usize,
}

#[derive(Clone, Copy)]
enum Seen {
    Not,
    /// On the way, at this place.
    Open(usize),
    Done,
}

/// Each node is gone through once, and each cycle costs the same however long it is.
pub(super) fn find(document: &Document<'_>, marks: &[bool]) -> Vec<Cycle> {
    let children = children(document);
    let mut seen = vec![Seen::Not; document.nodes.len()];
    let mut named = vec![false; document.nodes.len()];
    let mut found = Vec::new();
    for start in 0..document.nodes.len() {
        if !matches!(seen.get(start), Some(Seen::Not)) {
            continue;
        }
        let mut way = vec![On {
            node: start,
            next: 0,
            before: Counts::default(),
        }];
        // The nodes of the way that have references.
        let mut references = Vec::new();
        open(&mut seen, start, 0);
        references.extend(refers(document, start).then_some(start));
        while let Some(on) = way.last_mut() {
            let (node, before) = (on.node, on.before);
            let Some(child) = children
                .get(node)
                .and_then(|list| list.get(on.next))
                .copied()
            else {
                if let Some(mark) = seen.get_mut(node) {
                    *mark = Seen::Done;
                }
                references.truncate(before.references);
                way.pop();
                continue;
            };
            on.next += 1;
            let by_reference = document.targets.get(node) == Some(&Target::Node(child));
            let is_reference = refers(document, node);
            let is_marked = is_reference && marks.get(node).copied().unwrap_or_default();
            let counts = Counts {
                references: before.references + usize::from(is_reference),
                marked: before.marked + usize::from(is_marked),
                held: before.held + usize::from(!by_reference),
            };
            match seen.get(child) {
                Some(Seen::Not) => {
                    open(&mut seen, child, way.len());
                    references.extend(refers(document, child).then_some(child));
                    way.push(On {
                        node: child,
                        next: 0,
                        before: counts,
                    });
                }
                Some(Seen::Open(place)) => {
                    let Some((from, known)) = way.get(*place).zip(named.get_mut(child)) else {
                        continue;
                    };
                    if std::mem::replace(known, true) {
                        continue;
                    }
                    let back = references.get(from.before.references..).unwrap_or_default();
                    found.push(Cycle {
                        first: back.iter().take(MOST_NAMED).copied().collect(),
                        length: back.len(),
                        endless: counts.held == from.before.held,
                        marked: counts.marked > from.before.marked,
                    });
                }
                _ => {}
            }
        }
    }
    found
}

/// What each node holds, and refers to.
fn children(document: &Document<'_>) -> Vec<Vec<usize>> {
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
    children
}

fn refers(document: &Document<'_>, node: usize) -> bool {
    matches!(document.targets.get(node), Some(Target::Node(_)))
}

fn open(seen: &mut [Seen], node: usize, place: usize) {
    if let Some(mark) = seen.get_mut(node) {
        *mark = Seen::Open(place);
    }
}
