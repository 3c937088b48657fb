//! The value under construction, and the way to show it at any moment without building it again.
//!
//! While text is read, the open containers lie apart, one in each frame, so that an item is added
//! in constant time. To be shown they are linked: each is moved into its parent. The next text
//! takes only the innermost one out again; its ancestors stay linked until they are written to.
//! So a snapshot costs one move for each container opened since the last one, and one walk down
//! the open path, whatever the size of the document.

use std::mem;

use serde_json::Value;
use serde_json::map::{Entry, Map};

/// What encloses the items of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Object,
    Array,
    /// `(1, 2)`: an array, or just the value when it holds one and no comma.
    Tuple,
    /// `Name(value)`: one value.
    Call,
    /// Values separated by commas alone.
    Bare,
}

/// Where the child in progress has an entry in its container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slot {
    None,
    /// It is the last entry.
    Last,
    /// It took the place of an earlier value with the same key.
    Duplicate,
}

/// One open container.
#[derive(Debug)]
pub(crate) struct Frame {
    /// The container itself, while it is not linked.
    container: Value,
    pub(crate) kind: Kind,
    /// The key of the member in progress.
    pub(crate) key: String,
    /// How many items an array has seen: the index of the one in progress.
    pub(crate) count: usize,
    /// Where the key of the member in progress is, and how long.
    pub(crate) key_span: (usize, usize),
    /// Whether a comma was seen in it.
    pub(crate) comma: bool,
    slot: Slot,
    /// The value that a duplicate hides until it is complete.
    hidden: Option<Box<Value>>,
}

impl Frame {
    /// An empty container with room for as many items as `room` says.
    fn new(kind: Kind, start: usize, room: Room) -> Self {
        let container = match kind {
            Kind::Object => Value::Object(Map::with_capacity(room.object.into())),
            _ => Value::Array(Vec::with_capacity(room.array.into())),
        };
        Self {
            container,
            kind,
            key: String::new(),
            count: 0,
            key_span: (start, 0),
            comma: false,
            slot: Slot::None,
            hidden: None,
        }
    }

    pub(crate) fn is_object(&self) -> bool {
        self.kind == Kind::Object
    }

    /// Writes the child in progress into the container; says whether its key was there already.
    fn put(&mut self, value: Value) -> bool {
        match (&mut self.container, self.slot) {
            (Value::Array(items), Slot::None) => {
                items.push(value);
                self.slot = Slot::Last;
                false
            }
            (Value::Object(map), Slot::None) => match map.insert(self.key.clone(), value) {
                None => {
                    self.slot = Slot::Last;
                    false
                }
                Some(old) => {
                    self.slot = Slot::Duplicate;
                    self.hidden = Some(Box::new(old));
                    true
                }
            },
            (container, slot) => {
                if let Some(entry) = entry(container, slot, &self.key) {
                    *entry = value;
                }
                slot == Slot::Duplicate
            }
        }
    }

    /// Removes the entry of the child in progress.
    fn clear(&mut self) {
        match (&mut self.container, self.slot) {
            (_, Slot::None) => {}
            (Value::Array(items), _) => {
                items.pop();
            }
            (Value::Object(map), Slot::Duplicate) => {
                if let (Some(entry), Some(old)) = (map.get_mut(&self.key), self.hidden.take()) {
                    *entry = *old;
                }
            }
            (Value::Object(map), Slot::Last) => {
                map.swap_remove(&self.key);
            }
            _ => {}
        }
        self.slot = Slot::None;
    }
}

/// The entry of the child in progress.
fn entry<'v>(container: &'v mut Value, slot: Slot, key: &str) -> Option<&'v mut Value> {
    match container {
        Value::Array(items) => items.last_mut(),
        Value::Object(map) => match slot {
            Slot::Duplicate => map.get_mut(key),
            _ => map.values_mut().next_back(),
        },
        _ => None,
    }
}

/// The container that a path of linked frames leads to.
fn descend<'v>(root: &'v mut Value, path: &[Frame]) -> Option<&'v mut Value> {
    path.iter()
        .try_fold(root, |at, frame| entry(at, frame.slot, &frame.key))
}

/// How many items the last containers at a depth had. The next ones there are mostly as large, and
/// need not grow item by item.
#[derive(Debug, Default, Clone, Copy)]
struct Room {
    object: u8,
    array: u8,
}

impl Room {
    /// No more is set aside, so that a large container makes no waste of many small ones.
    const MOST: u8 = 16;

    #[inline]
    fn learn(&mut self, closed: &Value) {
        let room = |length: usize| u8::try_from(length).map_or(Self::MOST, |l| l.min(Self::MOST));
        match closed {
            Value::Object(map) => self.object = room(map.len()),
            Value::Array(items) => self.array = room(items.len()),
            _ => {}
        }
    }
}

/// Deeper than this, containers just grow.
const ROOMS: usize = 8;

/// The document so far.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// The finished document, or the outermost container while it is linked.
    root: Option<Value>,
    frames: Vec<Frame>,
    /// How many frames, from the outermost, are linked.
    linked: usize,
    /// What is learnt about the sizes of containers, by depth.
    room: [Room; ROOMS],
    /// Whether an unfinished scalar is shown in the place of the child in progress.
    shown: bool,
    /// How many links were followed, for the tests of linearity.
    pub(crate) walked: u64,
}

impl Tree {
    #[inline]
    pub(crate) fn frames(&self) -> &[Frame] {
        &self.frames
    }

    #[inline]
    pub(crate) fn depth(&self) -> usize {
        self.frames.len()
    }

    #[inline]
    pub(crate) fn top(&self) -> Option<&Frame> {
        self.frames.last()
    }

    #[inline]
    pub(crate) fn top_mut(&mut self) -> Option<&mut Frame> {
        self.frames.last_mut()
    }

    #[inline]
    pub(crate) fn open(&mut self, kind: Kind, start: usize) {
        let room = self.room.get(self.frames.len()).copied();
        self.frames
            .push(Frame::new(kind, start, room.unwrap_or_default()));
    }

    /// Takes the innermost container out, finished.
    #[inline]
    pub(crate) fn close(&mut self) -> Option<Value> {
        self.detach();
        let frame = self.frames.last_mut()?;
        if frame.slot != Slot::None {
            frame.clear();
        }
        let value = mem::take(&mut frame.container);
        self.frames.pop();
        if let Some(room) = self.room.get_mut(self.frames.len()) {
            room.learn(&value);
        }
        Some(value)
    }

    /// Adds a finished value to the innermost container, or makes it the document; says whether
    /// its key was there already.
    #[inline]
    pub(crate) fn place(&mut self, value: Value) -> bool {
        let depth = self.frames.len();
        let linked = self.linked == depth;
        let Some((top, path)) = self.frames.split_last_mut() else {
            self.root = Some(value);
            return false;
        };
        let duplicate = if linked && top.slot != Slot::None {
            self.walked += depth as u64;
            let slot = top.slot;
            let at = self.root.as_mut().and_then(|root| descend(root, path));
            if let Some(entry) = at.and_then(|container| entry(container, slot, &top.key)) {
                *entry = value;
            }
            slot == Slot::Duplicate
        } else {
            if linked {
                self.detach();
            }
            self.put_in_top(value)
        };
        if let Some(top) = self.frames.last_mut() {
            top.slot = Slot::None;
            top.hidden = None;
            top.count += 1;
        }
        duplicate
    }

    #[inline]
    fn put_in_top(&mut self, value: Value) -> bool {
        let Some(top) = self.frames.last_mut() else {
            return false;
        };
        match (&mut top.container, top.slot) {
            (Value::Array(items), Slot::None) => {
                items.push(value);
                false
            }
            // The key is not needed any more, so it moves.
            (Value::Object(map), Slot::None) => match map.entry(mem::take(&mut top.key)) {
                Entry::Vacant(vacant) => {
                    vacant.insert(value);
                    false
                }
                Entry::Occupied(mut occupied) => {
                    top.key.push_str(occupied.key());
                    occupied.insert(value);
                    true
                }
            },
            _ => top.put(value),
        }
    }

    /// Counts the value in progress as done without keeping it.
    pub(crate) fn skip(&mut self) {
        self.hide();
        if let Some(top) = self.frames.last_mut() {
            top.count += 1;
        }
    }

    /// Whether the innermost object has this key already.
    pub(crate) fn has_key(&mut self, key: &str) -> bool {
        self.hide();
        match self.frames.last().map(|top| &top.container) {
            Some(Value::Object(map)) => map.contains_key(key),
            _ => false,
        }
    }

    /// The last finished item of the innermost array.
    pub(crate) fn last_item(&mut self) -> Option<&Value> {
        self.hide();
        match self.frames.last().map(|top| &top.container) {
            Some(Value::Array(items)) => items.last(),
            _ => None,
        }
    }

    /// Makes the last finished value of the innermost container the one in progress again.
    pub(crate) fn reopen_last(&mut self) -> Option<Value> {
        self.hide();
        let top = self.frames.last_mut()?;
        let value = match &mut top.container {
            Value::Array(items) => mem::take(items.last_mut()?),
            Value::Object(map) => {
                top.key = map.keys().next_back()?.clone();
                mem::take(map.values_mut().next_back()?)
            }
            _ => return None,
        };
        top.slot = Slot::Last;
        top.count = top.count.saturating_sub(1);
        Some(value)
    }

    /// Opens the finished document again: as it was, or as the first item of a list.
    pub(crate) fn reopen_root(&mut self, kind: Kind, start: usize) {
        let Some(root) = self.root.take() else { return };
        let mut frame = Frame::new(kind, start, Room::default());
        frame.count = 1;
        frame.comma = true;
        if let Value::Array(items) = &mut frame.container {
            items.push(root);
        } else {
            frame.container = root;
        }
        self.frames.push(frame);
    }

    /// The container of the frame at this depth.
    pub(crate) fn container(&self, depth: usize) -> Option<&Value> {
        if depth >= self.linked {
            return self.frames.get(depth).map(|frame| &frame.container);
        }
        let path = self.frames.get(..depth)?;
        path.iter()
            .try_fold(self.root.as_ref()?, |at, frame| match at {
                Value::Array(items) => items.last(),
                Value::Object(map) if frame.slot == Slot::Duplicate => map.get(&frame.key),
                Value::Object(map) => map.values().next_back(),
                _ => None,
            })
    }

    /// Takes the innermost container out of its parent.
    #[inline]
    fn detach(&mut self) {
        if self.linked < self.frames.len() {
            return;
        }
        let Some((top, path)) = self.frames.split_last_mut() else {
            return;
        };
        self.walked += path.len() as u64;
        if let Some(at) = self.root.as_mut().and_then(|root| descend(root, path)) {
            top.container = mem::take(at);
        }
        self.linked = path.len();
    }

    /// Leaves only what is finished in the innermost container.
    fn hide(&mut self) {
        self.detach();
        if let Some(top) = self.frames.last_mut() {
            top.clear();
        }
    }

    /// Whether an unfinished scalar is shown.
    pub(crate) fn shows(&self) -> bool {
        self.shown
    }

    /// The unfinished string that is shown, where it is.
    pub(crate) fn shown_text(&mut self) -> Option<&mut String> {
        if !self.shown {
            return None;
        }
        let shown = match self.frames.split_last() {
            None => self.root.as_mut()?,
            Some((top, path)) => {
                self.walked += path.len() as u64;
                let container = descend(self.root.as_mut()?, path)?;
                entry(container, top.slot, &top.key)?
            }
        };
        match shown {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// Takes the unfinished scalar of the last snapshot back out.
    pub(crate) fn resume(&mut self) -> Option<Value> {
        if !mem::take(&mut self.shown) {
            return None;
        }
        let Some((top, path)) = self.frames.split_last() else {
            return self.root.take();
        };
        // The containers stay linked: only the scalar moves.
        self.walked += path.len() as u64;
        let container = descend(self.root.as_mut()?, path)?;
        entry(container, top.slot, &top.key).map(mem::take)
    }

    /// Links everything, with an unfinished scalar in its place if there is one.
    pub(crate) fn show(&mut self, scalar: Option<Value>) {
        self.shown = scalar.is_some();
        let linked = self.linked == self.frames.len();
        let Some((top, path)) = self.frames.split_last_mut() else {
            if scalar.is_some() {
                self.root = scalar;
            }
            return;
        };
        match (scalar, top.slot) {
            (None, Slot::None) => {}
            (Some(scalar), slot) if linked && slot != Slot::None => {
                self.walked += path.len() as u64;
                let at = self.root.as_mut().and_then(|root| descend(root, path));
                if let Some(entry) = at.and_then(|container| entry(container, slot, &top.key)) {
                    *entry = scalar;
                }
                return;
            }
            (scalar, _) => {
                self.detach();
                if let Some(top) = self.frames.last_mut() {
                    match scalar {
                        Some(scalar) => {
                            top.put(scalar);
                        }
                        None => top.clear(),
                    }
                }
            }
        }
        self.link();
    }

    fn link(&mut self) {
        let linked = self.linked.min(self.frames.len());
        let (path, apart) = self.frames.split_at_mut(linked);
        if apart.is_empty() {
            return;
        }
        self.walked += (apart.len() + path.len()) as u64;
        let mut carried = None;
        for frame in apart.iter_mut().rev() {
            if let Some(child) = carried.take() {
                frame.put(child);
            }
            carried = Some(mem::take(&mut frame.container));
        }
        match path.split_last_mut() {
            None => self.root = carried,
            Some((parent, above)) => {
                let at = self.root.as_mut().and_then(|root| descend(root, above));
                if let (Some(container), Some(child)) = (at, carried) {
                    parent.container = mem::take(container);
                    parent.put(child);
                    *container = mem::take(&mut parent.container);
                }
            }
        }
        self.linked = self.frames.len();
    }

    /// The document as last shown.
    pub(crate) fn root(&self) -> Option<&Value> {
        self.root.as_ref()
    }

    /// Takes the finished document out and leaves everything as new.
    pub(crate) fn take(&mut self) -> Option<Value> {
        self.frames.clear();
        self.linked = 0;
        self.shown = false;
        self.root.take()
    }
}
