//! Telling a message's tool calls apart, and putting each together.
//!
//! The protocol says: fragments of one call share its `index`, and the first holds id and name.
//! Servers leave the index out, give every call the index 0, let it drift, repeat id and name in
//! every fragment, or cut the name in pieces. The rules, in order:
//!
//! 1. an id that is known continues its call, whatever its index;
//! 2. a new id begins a call, unless the call at this index has no id yet and this is its late one;
//! 3. an index that is known continues the last call with that index;
//! 4. an index that is new begins a call, unless the fragment brings neither id nor name while the
//!    last call's arguments are still open: then the index drifted;
//! 5. with neither, a name begins a call where the last one is complete, and anything else
//!    continues the last one.

use serde_json::Value;

use crate::chunk::ToolCallDelta;
use crate::completion::ToolCall;

#[derive(Debug, Default)]
pub(super) struct ToolCallFold {
    calls: Vec<Call>,
}

#[derive(Debug, Default)]
struct Call {
    /// Every index that its fragments came with.
    indices: Vec<u64>,
    call: ToolCall,
}

impl ToolCallFold {
    pub(super) fn push(&mut self, fragment: &ToolCallDelta<'_>) {
        let id = fragment.id.as_deref().filter(|id| !id.is_empty());
        let name = fragment
            .function
            .name
            .as_deref()
            .filter(|name| !name.is_empty());
        let position = self.place(fragment.index, id, name).unwrap_or_else(|| {
            self.calls.push(Call::default());
            self.calls.len() - 1
        });
        let Some(Call { indices, call }) = self.calls.get_mut(position) else {
            return;
        };
        if let Some(index) = fragment.index
            && !indices.contains(&index)
        {
            indices.push(index);
        }
        if let Some(id) = id {
            call.id.get_or_insert_with(|| id.to_owned());
        }
        if call.kind.is_none() {
            call.kind = fragment.kind.as_ref().map(|kind| kind.clone().into_owned());
        }
        if let Some(name) = name
            && call.function.name != name
        {
            call.function.name.push_str(name);
        }
        call.function.arguments.push(&fragment.function.arguments);
        if !fragment.function.extra.is_empty() {
            call.function.extra.merge(&fragment.function.extra);
        }
        if !fragment.extra.is_empty() {
            call.extra.merge(&fragment.extra);
        }
    }

    /// The call that a fragment continues; none where it begins one.
    fn place(&self, index: Option<u64>, id: Option<&str>, name: Option<&str>) -> Option<usize> {
        if let Some(id) = id {
            let known = self
                .calls
                .iter()
                .rposition(|call| call.call.id.as_deref() == Some(id));
            return known.or_else(|| self.awaiting_id(index, name));
        }
        let last = self.calls.len().checked_sub(1)?;
        let Some(index) = index else {
            return (name.is_none() || !self.is_complete(last)).then_some(last);
        };
        self.calls
            .iter()
            .rposition(|call| call.indices.contains(&index))
            .or_else(|| (name.is_none() && !self.is_complete(last)).then_some(last))
    }

    /// The call at this index, where it waits for an id; a name of its own says that it does not.
    fn awaiting_id(&self, index: Option<u64>, name: Option<&str>) -> Option<usize> {
        let index = index?;
        self.calls.iter().rposition(|Call { indices, call }| {
            call.id.is_none()
                && indices.contains(&index)
                && name
                    .is_none_or(|name| call.function.name.is_empty() || call.function.name == name)
        })
    }

    fn is_complete(&self, position: usize) -> bool {
        self.calls
            .get(position)
            .is_some_and(|Call { call, .. }| is_object(call.function.arguments.text()))
    }

    /// Whether there are calls, and each has a name and arguments that are whole.
    pub(super) fn all_complete(&self) -> bool {
        !self.calls.is_empty()
            && self.calls.iter().all(|Call { call, .. }| {
                !call.function.name.is_empty() && is_object(call.function.arguments.text())
            })
    }

    pub(super) fn finish(self) -> Vec<ToolCall> {
        self.calls
            .into_iter()
            .map(|Call { call, .. }| call)
            .collect()
    }
}

fn is_object(text: &str) -> bool {
    matches!(serde_json::from_str(text), Ok(Value::Object(_)))
}
