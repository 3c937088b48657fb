//! What the machine remembers when it mends.

use serde_json::Value;

use super::policy::Policy;
use super::report::{Repair, RepairKind};
use crate::note::Note;
use crate::parser::{Fault, Machine};

/// How many documents found in one text are kept.
const MOST_CANDIDATES: usize = 16;

/// How much a document in a text stands out; more counts more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// An aside in running text: `see [1]`.
    Aside,
    Plain,
    Fenced,
}

/// A document found in the text.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) value: Value,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) rank: Rank,
    pub(crate) complete: bool,
    pub(crate) repairs: Vec<Repair>,
    pub(crate) notes: Vec<Note>,
}

/// The documents found, in order. Most texts have one, which needs no list.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    pub(crate) first: Option<Candidate>,
    more: Vec<Candidate>,
}

impl Candidates {
    pub(crate) fn len(&self) -> usize {
        usize::from(self.first.is_some()) + self.more.len()
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &Candidate> {
        self.first.iter().chain(&self.more)
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Candidate> {
        self.first.iter_mut().chain(&mut self.more)
    }

    pub(crate) fn into_iter(self) -> impl Iterator<Item = Candidate> {
        self.first.into_iter().chain(self.more)
    }

    /// Takes one out of its place.
    pub(crate) fn take(&mut self, index: usize) -> Option<Candidate> {
        match index.checked_sub(1) {
            None => self.first.take(),
            Some(index) if index < self.more.len() => Some(self.more.swap_remove(index)),
            Some(_) => None,
        }
    }
}

/// The document in progress.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Started {
    pub(crate) start: usize,
    pub(crate) fenced: bool,
    /// Whether words come before it on its line.
    pub(crate) words: bool,
    /// Whether it is no object or array, so that it counts only where it stands alone.
    pub(crate) scalar: bool,
}

#[derive(Debug)]
pub(crate) struct Mender {
    pub(crate) policy: Policy,
    /// The repairs of the document in progress.
    pub(crate) repairs: Vec<Repair>,
    /// What was left out around the documents.
    pub(crate) pieces: Vec<Repair>,
    /// The prose in progress: its first byte, and the one after its last.
    pub(crate) prose: Option<(usize, usize)>,
    pub(crate) fenced: bool,
    /// In a fence that holds code of another kind.
    pub(crate) code: bool,
    /// Fences opened inside the document.
    pub(crate) inner_fences: usize,
    /// Nothing but space since the start of the text or of the fence.
    pub(crate) fresh: bool,
    pub(crate) words: bool,
    /// The closing tag of the thinking in progress, and where it began.
    pub(crate) thinking: Option<(&'static str, usize)>,
    pub(crate) started: Option<Started>,
    pub(crate) found: Candidates,
    /// A document that could not be mended, and how much it stood out.
    pub(crate) lost: Option<(Fault, usize, Rank)>,
    /// The first document beyond those kept that differs from the first kept.
    pub(crate) other: Option<(usize, Rank)>,
    /// Where the last comma is.
    pub(crate) comma: usize,
    /// Whether the key in progress comes after a missing comma.
    pub(crate) gap: bool,
    /// Whether there is any prose at all.
    pub(crate) any_prose: bool,
    /// Whether something was cut at the end of the document in progress.
    pub(crate) cut: bool,
    /// A comma came right after an opening bracket, where an item may have been.
    pub(crate) empty_item: bool,
    /// The document's last bracket came too early.
    pub(crate) reopened: bool,
    /// The text so far ends in a key, so that what comes is the rest of a lost object.
    pub(crate) orphan_key: bool,
    /// That key was the first thing in the text.
    pub(crate) headless: bool,
    /// The document in progress stands after such a key.
    pub(crate) orphan: bool,
    /// The last sign of the prose.
    pub(crate) last_sign: u8,
    /// How much a document that was only just begun, and shows nothing, would have stood out.
    pub(crate) begun: Option<Rank>,
    /// Whether the open fence means that a document was to come, even when nothing is in it.
    pub(crate) fence_promises: bool,
}

impl Mender {
    pub(crate) fn new(policy: Policy) -> Self {
        Self {
            policy,
            repairs: Vec::new(),
            pieces: Vec::new(),
            prose: None,
            fenced: false,
            code: false,
            inner_fences: 0,
            fresh: true,
            words: false,
            thinking: None,
            started: None,
            found: Candidates::default(),
            lost: None,
            other: None,
            comma: 0,
            gap: false,
            any_prose: false,
            cut: false,
            empty_item: false,
            reopened: false,
            orphan_key: false,
            headless: false,
            orphan: false,
            last_sign: 0,
            begun: None,
            fence_promises: false,
        }
    }

    /// Adds to the prose in progress.
    pub(crate) fn add_prose(&mut self, start: usize, end: usize) {
        self.any_prose = true;
        match &mut self.prose {
            Some(run) => run.1 = end,
            None => self.prose = Some((start, end)),
        }
    }

    /// Puts what was left out on record, after the prose before it.
    pub(crate) fn piece(&mut self, kind: RepairKind, start: usize, end: usize) {
        self.end_prose();
        self.pieces.push(Repair::new(kind, start, end - start));
    }

    pub(crate) fn end_prose(&mut self) {
        if let Some((start, end)) = self.prose.take() {
            self.pieces
                .push(Repair::new(RepairKind::Prose, start, end - start));
        }
    }

    /// Forgets every document so far: they belong to what the model thought.
    pub(crate) fn forget(&mut self) {
        self.found = Candidates::default();
        self.lost = None;
        self.other = None;
        self.begun = None;
    }

    /// Whether the text goes on from the last document found without a word between.
    pub(crate) fn follows_document(&self) -> bool {
        self.prose.is_none()
            && self.found.iter().next_back().is_some_and(|last| {
                self.pieces
                    .last()
                    .is_none_or(|piece| piece.offset < last.end)
            })
    }

    /// Notes what the end of the text leaves open around the documents.
    pub(crate) fn end_text(&mut self) {
        self.end_prose();
        if self.fenced && self.fresh && self.fence_promises {
            self.begun = Some(Rank::Fenced);
        }
    }

    /// Takes a finished document.
    pub(crate) fn add(&mut self, candidate: Candidate) {
        if self.found.first.is_none() {
            self.found.first = Some(candidate);
        } else {
            self.add_another(candidate);
        }
    }

    #[cold]
    fn add_another(&mut self, candidate: Candidate) {
        if self.found.len() < MOST_CANDIDATES {
            self.found.more.push(candidate);
            return;
        }
        let differs = self
            .found
            .iter()
            .filter(|first| first.rank == candidate.rank)
            .all(|first| first.value != candidate.value);
        if differs && self.other.is_none_or(|(_, rank)| rank < candidate.rank) {
            self.other = Some((candidate.start, candidate.rank));
        }
    }

    /// The one document, where there is no other and nothing was lost.
    pub(crate) fn only(&self) -> Option<&Candidate> {
        if self.found.len() > 1 || self.lost.is_some() {
            return None;
        }
        self.found.first.as_ref()
    }

    /// The document to show while more text may come.
    pub(crate) fn best(&self) -> Option<&Candidate> {
        // `max_by_key` would give the last of equals.
        self.found
            .iter()
            .rev()
            .max_by_key(|candidate| candidate.rank)
    }
}

impl Machine {
    /// Puts a repair of the document in progress on record.
    pub(crate) fn mend(&mut self, kind: RepairKind, offset: usize, length: usize) {
        let Some(mender) = &mut self.mender else {
            return;
        };
        // A run of the same is one repair, so that a flood of brackets does not become one of records.
        if length > 0
            && matches!(kind, RepairKind::StrayBracket | RepairKind::ExtraComma)
            && let Some(last) = mender.repairs.last_mut()
            && last.kind == kind
            && last.offset + last.length == offset
        {
            last.length += length;
            return;
        }
        mender.repairs.push(Repair::new(kind, offset, length));
    }

    /// What was taken for text from here on is none: neither are its control characters.
    pub(crate) fn unmend_controls(&mut self, from: usize) {
        let Some(mender) = &mut self.mender else {
            return;
        };
        while let Some(last) = mender.repairs.last_mut()
            && last.kind == RepairKind::ControlCharacter
            && last.offset + last.length > from
        {
            if last.offset < from {
                last.length = from - last.offset;
                break;
            }
            mender.repairs.pop();
        }
    }

    /// The document in progress cannot be mended. Goes on after it where that may help.
    pub(crate) fn give_up(
        &mut self,
        fault: Fault,
        input: &mut crate::parser::Input<'_>,
    ) -> Result<(), Fault> {
        use crate::parser::{FaultKind, State};

        let fatal = matches!(
            fault.kind,
            FaultKind::TooDeep | FaultKind::TooLarge | FaultKind::Utf8
        );
        let Some(mender) = &mut self.mender else {
            return Err(fault);
        };
        if fatal || !mender.policy.extraction {
            return Err(fault);
        }
        let Some(started) = mender.started.take() else {
            return Err(fault);
        };
        // What has a key or an item was meant as a document; a lone bracket in prose was not.
        let meant = self.tree.frames().first().is_some_and(|root| {
            root.count > 0
                || !root.key.is_empty()
                || self.tree.depth() > 1
                || self.state == State::Text
        });
        if meant && mender.lost.is_none() {
            let rank = if started.fenced {
                Rank::Fenced
            } else {
                Rank::Plain
            };
            mender.lost = Some((fault, started.start, rank));
        }
        mender.repairs.clear();
        mender.gap = false;
        mender.inner_fences = 0;
        mender.fresh = false;
        self.notes.clear();
        self.tree.take();
        self.text.buffer.clear();
        self.scratch.clear();
        if input.offset() <= started.start {
            input.pos += input
                .char()
                .map_or(1, char::len_utf8)
                .min(input.rest().len());
        }
        mender.add_prose(started.start, input.offset());
        self.state = State::Prose;
        Ok(())
    }
}
