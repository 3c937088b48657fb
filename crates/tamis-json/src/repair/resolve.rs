//! Which of the documents found is meant.

use serde_json::Value;

use super::error::{RepairError, RepairErrorKind};
use super::mender::{Candidate, Mender, Rank};
use super::policy::{Ending, Policy, Wanted};
use super::report::{Repair, RepairGroup, RepairKind};
use super::{Found, Repaired};
use crate::note::NoteKind;
use crate::parser::{Input, Machine, Silent, State};

impl Machine {
    /// Closes what is open when the end of the text has been read.
    pub(crate) fn end_mending(&mut self) {
        let looked = std::cell::Cell::new(0);
        let mut input = Input::new("", self.offset, true, &looked);
        let started = !matches!(self.state, State::Prose | State::End);
        if self.mender.is_some() && started {
            let (_, held) = self.cut_char;
            if held > 0
                && let Some(mender) = &mut self.mender
            {
                // The first bytes of a character whose last never came.
                mender.cut = true;
            }
            self.close_open(&mut input, &mut Silent);
        }
        if self.state == State::End || self.tree.depth() == 0 && self.tree.root().is_some() {
            let end = self.value_end;
            self.finish_candidate(end, true);
        }
        if let Some(mender) = &mut self.mender {
            mender.end_text();
        }
    }

    /// The one document that is meant, with the repairs of the whole text.
    pub(crate) fn resolve(&mut self) -> Result<Repaired, RepairError> {
        let end_of_text = self.offset;
        let Some(mender) = &mut self.mender else {
            return Err(RepairError::new(RepairErrorKind::NoJson, 0));
        };
        let mut around = std::mem::take(&mut mender.pieces);
        if mender.only().is_none() {
            let chosen = choose_among(mender, &mut around)?;
            mender.found.first = Some(chosen);
        }
        let Some(chosen) = &mut mender.found.first else {
            return Err(RepairError::new(RepairErrorKind::NoJson, 0));
        };
        // More digits may have been cut from a number that is the whole document.
        let number = match chosen.value {
            Value::Number(_) => true,
            Value::String(_) => chosen
                .notes
                .iter()
                .any(|n| n.kind == NoteKind::NumberAsText),
            _ => false,
        };
        let cut = number && chosen.end >= end_of_text && mender.policy.ending == Ending::Truncated;
        let begun = mender.begun.is_some_and(|rank| rank >= chosen.rank);
        if chosen.repairs.is_empty() {
            chosen.repairs = around;
        } else if !around.is_empty() {
            chosen.repairs.append(&mut around);
        }
        if !chosen.repairs.is_sorted_by_key(|repair| repair.offset) {
            // Stable, so that what happens at one place stays in the order in which it was done.
            chosen.repairs.sort_by_key(|repair| repair.offset);
        }
        // Field by field: to move the candidate would copy it twice.
        Ok(Repaired {
            complete: chosen.complete && !cut && !begun,
            value: std::mem::take(&mut chosen.value),
            repairs: std::mem::take(&mut chosen.repairs),
            notes: std::mem::take(&mut chosen.notes),
        })
    }

    /// Every document found.
    pub(crate) fn all_found(&mut self) -> Result<Vec<Found>, RepairError> {
        let Some(mender) = &mut self.mender else {
            return Err(RepairError::new(RepairErrorKind::NoJson, 0));
        };
        let found = std::mem::take(&mut mender.found);
        if found.len() == 0 {
            let error = match mender.lost {
                Some((fault, ..)) => fault.into(),
                None => RepairError::new(RepairErrorKind::NoJson, 0),
            };
            return Err(error);
        }
        Ok(found
            .into_iter()
            .filter(|candidate| candidate.rank != Rank::Aside)
            .map(|candidate| Found {
                offset: candidate.start,
                length: candidate.end - candidate.start,
                repaired: Repaired {
                    value: candidate.value,
                    repairs: candidate.repairs,
                    notes: candidate.notes,
                    complete: candidate.complete,
                },
            })
            .collect())
    }
}

/// The document that is meant where there are several, or some that could not be mended. What is
/// left out goes to `around`; whether the document is complete is what its last copy says.
#[cold]
fn choose_among(mender: &mut Mender, around: &mut Vec<Repair>) -> Result<Candidate, RepairError> {
    let mut found = std::mem::take(&mut mender.found);
    let best = found.iter().map(|candidate| candidate.rank).max();
    if let Some((fault, start, rank)) = mender.lost
        && best.is_none_or(|best| rank >= best)
    {
        return Err(
            match found.iter().find(|candidate| candidate.rank == rank) {
                Some(other) => {
                    RepairError::ambiguous(start.min(other.start), start.max(other.start))
                }
                None => fault.into(),
            },
        );
    }
    let Some(best) = best else {
        return Err(RepairError::new(RepairErrorKind::NoJson, 0));
    };
    let mut chosen: Option<(usize, &Candidate)> = None;
    let mut complete = true;
    for (index, candidate) in found.iter().enumerate() {
        let (start, length) = (candidate.start, candidate.end - candidate.start);
        match chosen {
            _ if candidate.rank < best => {
                around.push(Repair::new(RepairKind::Prose, start, length));
                continue;
            }
            None => chosen = Some((index, candidate)),
            Some((_, first)) if first.value == candidate.value => {
                around.push(Repair::new(RepairKind::Duplicate, start, length));
                // What the end of the copy lacked.
                let closing = |r: &&Repair| r.kind.group() == RepairGroup::Closing;
                around.extend(candidate.repairs.iter().filter(closing));
            }
            Some((_, first)) => return Err(RepairError::ambiguous(first.start, start)),
        }
        // A copy that was cut cannot be told from the beginning of another value.
        complete = candidate.complete;
    }
    let index = chosen.map(|(index, _)| index);
    let Some(mut chosen) = index.and_then(|index| found.take(index)) else {
        return Err(RepairError::new(RepairErrorKind::NoJson, 0));
    };
    if let Some((other, rank)) = mender.other
        && rank >= best
    {
        return Err(RepairError::ambiguous(chosen.start, other));
    }
    chosen.complete = complete;
    Ok(chosen)
}

/// Whether an object or an array is wanted and the document is a JSON string, which may hold it.
#[inline]
pub(crate) fn may_hold(outer: &Repaired, policy: &Policy) -> bool {
    policy.wanted != Wanted::Any && policy.extraction && outer.value.is_string()
}

/// Takes the document out of a JSON string that [`may_hold`] it.
#[cold]
pub(crate) fn unwrap(
    outer: Repaired,
    start: usize,
    end: usize,
    policy: &Policy,
) -> Result<Repaired, RepairError> {
    let wanted = |value: &Value| match policy.wanted {
        Wanted::Any => false,
        Wanted::Object => value.is_object(),
        Wanted::Array => value.is_array(),
    };
    let Value::String(text) = &outer.value else {
        return Ok(outer);
    };
    let inner = super::repair(text, &policy.clone().wanting(Wanted::Any));
    match inner {
        Ok(inner) if wanted(&inner.value) => {
            let length = end - start;
            let mut repairs = outer.repairs;
            repairs.push(Repair::new(RepairKind::Unwrapped, start, length));
            // A place inside the string's text has no place of its own in the outer text.
            repairs.extend(
                inner
                    .repairs
                    .into_iter()
                    .map(|r| Repair::new(r.kind, start, length)),
            );
            let notes = inner.notes.into_iter().map(|mut note| {
                (note.offset, note.length) = (start, length);
                note
            });
            Ok(Repaired {
                value: inner.value,
                repairs,
                notes: outer.notes.into_iter().chain(notes).collect(),
                complete: outer.complete && inner.complete,
            })
        }
        Err(error) if error.is_limit() => Err(error),
        _ => Ok(outer),
    }
}
