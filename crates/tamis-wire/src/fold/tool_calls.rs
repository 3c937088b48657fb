//! Telling a message's tool calls apart, and putting each together.
//!
//! The protocol says: fragments of one call share its `index`, and the first holds id and name.
//! Servers leave the index out, give every call the index 0, let it drift, repeat id and name in
//! every fragment, give two calls one id, or cut the name in pieces. The rules, in order:
//!
//! 1. an id that is known continues its call, whatever its index;
//! 2. a new id begins a call, unless the call at this index has no id yet and this is its late one;
//! 3. an index that is known continues the last call with that index;
//! 4. an index that is new begins a call, unless the fragment brings neither id nor name while the
//!    last call's arguments are still open: then the index drifted;
//! 5. with neither, a name begins a call where the last one is complete, and anything else
//!    continues the last one.
//!
//! Whatever rules 1 and 3 say, a fragment that names a function and brings arguments begins a call
//! where the arguments of the one it would continue are complete already, since they can only be
//! another call's. Under a known id that takes a new index too: then two calls share the id.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::chunk::ToolCallDelta;
use crate::completion::ToolCall;

#[derive(Debug, Default)]
pub(super) struct ToolCallFold {
    calls: Vec<Entry>,
    /// The last call with each index, and with each id. Looked up, not searched for, so that a
    /// stream of a hundred thousand calls costs no more for each than one of two.
    by_index: BTreeMap<u64, usize>,
    by_id: BTreeMap<String, usize>,
}

#[derive(Debug, Default)]
struct Entry {
    /// The index it began with.
    index: Option<u64>,
    call: ToolCall,
    progress: Progress,
}

/// What a fragment says of where it belongs.
struct Claim<'a> {
    index: Option<u64>,
    id: Option<&'a str>,
    name: Option<&'a str>,
    brings_arguments: bool,
}

impl ToolCallFold {
    pub(super) fn push(&mut self, fragment: &ToolCallDelta<'_>) {
        if *fragment == ToolCallDelta::default() {
            return;
        }
        let claim = Claim {
            index: fragment.index,
            id: fragment.id.as_deref().filter(|id| !id.is_empty()),
            name: fragment
                .function
                .name
                .as_deref()
                .filter(|name| !name.is_empty()),
            brings_arguments: !fragment.function.arguments.text().trim().is_empty(),
        };
        let position = self.place(&claim).unwrap_or_else(|| {
            self.calls.push(Entry {
                index: claim.index,
                ..Entry::default()
            });
            self.calls.len() - 1
        });
        if let Some(index) = claim.index {
            self.by_index.insert(index, position);
        }
        let Some(Entry { call, .. }) = self.calls.get_mut(position) else {
            return;
        };
        if let Some(id) = claim.id
            && call.id.is_none()
        {
            call.id = Some(id.to_owned());
            self.by_id.insert(id.to_owned(), position);
        }
        if call.kind.is_none() {
            call.kind = fragment.kind.as_ref().map(|kind| kind.clone().into_owned());
        }
        if let Some(name) = claim.name
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
    fn place(&mut self, claim: &Claim<'_>) -> Option<usize> {
        let at_index = claim
            .index
            .and_then(|index| self.by_index.get(&index).copied());
        let is_whole_anew = claim.name.is_some() && claim.brings_arguments;
        if let Some(id) = claim.id {
            return match self.by_id.get(id).copied() {
                Some(known) => {
                    let elsewhere = claim.index.is_some() && at_index != Some(known);
                    let another = elsewhere && is_whole_anew && self.is_complete(known);
                    (!another).then_some(known)
                }
                None => at_index.filter(|&position| self.awaits_id(position, claim.name)),
            };
        }
        let last = self.calls.len().checked_sub(1)?;
        match (claim.index, at_index) {
            (Some(_), Some(known)) => {
                (!(is_whole_anew && self.is_complete(known))).then_some(known)
            }
            (Some(_), None) => (claim.name.is_none() && !self.is_complete(last)).then_some(last),
            (None, _) => (claim.name.is_none() || !self.is_complete(last)).then_some(last),
        }
    }

    /// Whether a call waits for an id; a name of its own says that it does not.
    fn awaits_id(&self, position: usize, name: Option<&str>) -> bool {
        self.calls.get(position).is_some_and(|Entry { call, .. }| {
            let known = &call.function.name;
            call.id.is_none() && name.is_none_or(|name| known.is_empty() || known == name)
        })
    }

    fn is_complete(&mut self, position: usize) -> bool {
        self.calls.get_mut(position).is_some_and(|call| {
            call.progress
                .is_complete(call.call.function.arguments.text())
        })
    }

    /// Whether there are calls, and each has a name and arguments that are whole.
    pub(super) fn all_complete(&self) -> bool {
        !self.calls.is_empty()
            && self.calls.iter().all(|Entry { call, .. }| {
                !call.function.name.is_empty() && is_object(call.function.arguments.text())
            })
    }

    /// The calls in the order of their indices, where each has one, else as they came.
    pub(super) fn finish(mut self) -> Vec<ToolCall> {
        if self.calls.iter().all(|call| call.index.is_some()) {
            self.calls.sort_by_key(|call| call.index);
        }
        self.calls
            .into_iter()
            .map(|Entry { call, .. }| call)
            .collect()
    }
}

fn is_object(text: &str) -> bool {
    matches!(serde_json::from_str(text), Ok(Value::Object(_)))
}

/// How far into a call's arguments the end of their object was looked for, so that asking after
/// each fragment reads each byte once.
///
/// Only brackets and strings are looked at, which is enough to tell where an object ends.
#[derive(Debug, Default)]
struct Progress {
    read: usize,
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// The object ended, and nothing but white space came after it.
    complete: bool,
    /// What came is no lone object.
    spoiled: bool,
}

impl Progress {
    fn is_complete(&mut self, text: &str) -> bool {
        let fresh = text.as_bytes().get(self.read..).unwrap_or_default();
        self.read = text.len();
        for &byte in fresh {
            self.step(byte);
        }
        self.complete && !self.spoiled
    }

    fn step(&mut self, byte: u8) {
        if self.in_string {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return;
        }
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => {}
            _ if self.complete => self.spoiled = true,
            b'{' | b'[' => self.depth += 1,
            _ if self.depth == 0 => self.spoiled = true,
            b'}' | b']' => {
                self.depth -= 1;
                self.complete = self.depth == 0;
            }
            b'"' => self.in_string = true,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Progress;

    #[test]
    fn an_object_is_complete_at_its_last_bracket() {
        let text = r#" {"a":"}\"{","b":[{}]} "#;
        let end = text.trim_end().len();
        let mut progress = Progress::default();
        for length in 0..=text.len() {
            let part = text.get(..length).unwrap();
            assert_eq!(progress.is_complete(part), length >= end, "{part}");
        }
        assert!(!progress.is_complete(r#" {"a":"}\"{","b":[{}]} {"#));
        assert!(!Progress::default().is_complete("x{}"));
        assert!(!Progress::default().is_complete(""));
    }
}
