//! JSON out of text that is nearly JSON: [`repair`] and [`Repairer`].

mod bare;
mod beside;
mod between;
mod choose;
mod close;
mod delimiter;
mod error;
mod extract;
mod glance;
mod look;
mod markup;
mod meaning;
mod mender;
mod plain;
mod policy;
mod report;
mod resolve;
mod role;
mod short;
mod strict;
mod strings;
mod syntax;

use serde_json::Value;

pub(crate) use bare::Bare;
pub use choose::choose;
pub(crate) use delimiter::Delimiter;
pub use error::{RepairError, RepairErrorKind};
pub(crate) use mender::Mender;
pub(crate) use plain::{Follow, opens_plainly};
pub use policy::{Ending, Policy, Wanted};
pub use report::{Repair, RepairGroup, RepairKind};
pub(crate) use strings::swallows_syntax;

use crate::note::Note;
use crate::parser::{Event, Location, Machine, Partial, Silent, Tell};
use crate::pointer::Pointer;
use glance::Form;

/// A value that came out of a text, and how.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Repaired {
    /// The value.
    pub value: Value,
    /// Every change that was needed, in the order of the text; none when the text was JSON.
    pub repairs: Vec<Repair>,
    /// What the value cannot show: numbers kept as text, duplicate keys, lone surrogates.
    pub notes: Vec<Note>,
    /// Whether the value is all that the text was to be. A value that is not complete is a part of
    /// one, and never an answer.
    pub complete: bool,
}

impl Repaired {
    /// Whether the text was JSON as it came.
    pub fn is_as_sent(&self) -> bool {
        self.repairs.is_empty()
    }
}

/// One document of several in a text.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Found {
    /// Where it begins, in bytes.
    pub offset: usize,
    /// How many bytes it covers.
    pub length: usize,
    /// The document, with the repairs that it alone needed.
    pub repaired: Repaired,
}

/// Gets the JSON out of a text.
///
/// Valid JSON is never changed. Otherwise the document is taken out of the text around it, its
/// syntax is mended, and what is open at the end is closed, as far as the [`Policy`] allows; every
/// change is on record. Nothing is invented and nothing is dropped in silence.
///
/// ```
/// use tamis_json::{Policy, RepairKind, repair};
/// use serde_json::json;
///
/// let repaired = repair("Sure! {'name': 'Ada', \"tags\": [1, 2,]}", &Policy::default())?;
/// assert_eq!(repaired.value, json!({"name": "Ada", "tags": [1, 2]}));
/// assert!(repaired.complete);
/// assert!(repaired.repairs.iter().any(|r| r.kind == RepairKind::Prose && r.offset == 0));
/// # Ok::<(), tamis_json::RepairError>(())
/// ```
///
/// # Errors
/// When there is no JSON in the text, when two documents in it differ, when a value is missing,
/// when the text can be read in several ways, and when a limit is passed.
pub fn repair(text: &str, policy: &Policy) -> Result<Repaired, RepairError> {
    let short = match first_look(text, policy) {
        Form::Whole => whole(text, policy),
        Form::Cut => short::read_cut(text, policy),
        Form::Other => None,
    };
    if let Some(repaired) = short {
        if resolve::may_hold(&repaired, policy) {
            return resolve::unwrap(repaired, 0, text.len(), policy);
        }
        return Ok(repaired);
    }
    let mut repairer = Repairer::new(policy.clone());
    repairer.read_whole(text)?;
    repairer.outcome()
}

/// What can be seen of a text before it is read.
fn first_look(text: &str, policy: &Policy) -> Form {
    if policy.limits.depth < strict::DEPTH || text.len() > policy.limits.bytes {
        return Form::Other;
    }
    if text.len() > strict::SHORT && strict::ends_as_it_begins(text) {
        return Form::Whole;
    }
    glance::form(text.as_bytes())
}

/// The document, when it is JSON with nothing to note. The mending machine gives the same, and has
/// the last word where this has none.
fn strictly(text: &str, policy: &Policy) -> Option<Repaired> {
    match first_look(text, policy) {
        Form::Whole => whole(text, policy),
        _ => None,
    }
}

fn whole(text: &str, policy: &Policy) -> Option<Repaired> {
    let short = if text.len() <= strict::SHORT {
        short::read_whole(text)
    } else {
        None
    };
    let value = match short {
        Some(value) => value,
        None => strict::read(text)?,
    };
    let complete = policy.ending == Ending::Natural || !ends_in_number(text, &value);
    Some(Repaired {
        value,
        repairs: Vec::new(),
        notes: Vec::new(),
        complete,
    })
}

/// Whether the text ends in a number that more digits could follow.
fn ends_in_number(text: &str, value: &Value) -> bool {
    !matches!(value, Value::Object(_) | Value::Array(_))
        && text.ends_with(|last: char| last.is_ascii_digit())
}

/// Every document in a text, in order; at most 16. For a caller that can tell the right one, by a
/// schema for instance, where [`repair`] finds the text ambiguous.
///
/// # Errors
/// As [`repair`], but for an ambiguous text.
pub fn documents(text: &str, policy: &Policy) -> Result<Vec<Found>, RepairError> {
    if let Some(repaired) = strictly(text, policy) {
        return Ok(vec![Found {
            offset: 0,
            length: text.len(),
            repaired,
        }]);
    }
    let mut repairer = Repairer::new(policy.clone());
    repairer.read_whole(text)?;
    repairer.machine.all_found()
}

/// Mends a text as it arrives: the same machine as [`Parser`](crate::Parser), in its tolerant
/// mode. However the text is cut, it gives what [`repair`] gives for the whole of it.
///
/// Where a mend depends on what follows, the text from there on waits for it: a string is complete
/// when enough came after its closing quotation mark to tell it from one that should have been
/// escaped. Events and snapshots show the first reading; the text may turn out to hold another
/// document, so only what [`finish`](Self::finish) gives counts.
///
/// ```
/// use tamis_json::{Partial, Policy, Repairer};
/// use serde_json::json;
///
/// let mut repairer = Repairer::new(Policy::default());
/// repairer.push(b"```json\n{name: \"Ada\", ")?;
/// repairer.push(b"born: 1815")?;
/// assert_eq!(
///     repairer.snapshot(Partial::Values),
///     Some(&json!({"name": "Ada", "born": 1815}))
/// );
/// repairer.push(b"}\n```")?;
/// assert_eq!(repairer.finish()?.value, json!({"name": "Ada", "born": 1815}));
/// # Ok::<(), tamis_json::RepairError>(())
/// ```
#[derive(Debug)]
pub struct Repairer {
    machine: Machine,
}

impl Repairer {
    /// A repairer with this policy.
    pub fn new(policy: Policy) -> Self {
        let limits = policy.limits;
        let mender = Some(Mender::new(policy));
        Self {
            machine: Machine::new(limits, mender),
        }
    }

    /// Reads one more fragment.
    ///
    /// # Errors
    /// When a limit is passed, when the bytes are not UTF-8, or when the policy does not allow to
    /// look for a document elsewhere in the text.
    pub fn push(&mut self, fragment: &[u8]) -> Result<(), RepairError> {
        Ok(self.machine.push(fragment, &mut Silent)?)
    }

    /// Reads one more fragment and tells what happens in it.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    pub fn push_with(
        &mut self,
        fragment: &[u8],
        tell: impl FnMut(Location<'_>, Event<'_>),
    ) -> Result<(), RepairError> {
        Ok(self.machine.push(fragment, &mut Tell(tell))?)
    }

    /// Everything received so far; `None` while there is nothing to show.
    pub fn snapshot(&mut self, partial: Partial) -> Option<&Value> {
        let found = self
            .machine
            .mender
            .as_ref()
            .is_some_and(|mender| mender.best().is_some());
        if found {
            return self
                .machine
                .mender
                .as_ref()?
                .best()
                .map(|candidate| &candidate.value);
        }
        self.machine.snapshot(partial)
    }

    /// Whether the value at this address is there, whole, and final in the document in progress.
    pub fn is_complete(&self, pointer: &Pointer) -> bool {
        match self
            .machine
            .mender
            .as_ref()
            .and_then(|mender| mender.best())
        {
            Some(best) => pointer.resolve(&best.value).is_some(),
            None => self.machine.is_complete(pointer),
        }
    }

    /// The repairs of the document in progress, so far.
    pub fn repairs(&self) -> &[Repair] {
        self.machine
            .mender
            .as_ref()
            .map_or(&[], |mender| &mender.repairs)
    }

    /// Says that the text has ended, and hands out the value.
    ///
    /// # Errors
    /// As [`repair`].
    pub fn finish(mut self) -> Result<Repaired, RepairError> {
        self.machine.end(&mut Silent)?;
        self.machine.end_mending();
        self.outcome()
    }

    /// Reads the whole text and its end.
    fn read_whole(&mut self, text: &str) -> Result<(), RepairError> {
        self.machine.read_whole(text, &mut Silent)?;
        self.machine.end_mending();
        Ok(())
    }

    /// The document that is meant, once the end was read.
    fn outcome(&mut self) -> Result<Repaired, RepairError> {
        let outcome = self.machine.resolve();
        if let (Ok(repaired), Some(mender)) = (&outcome, &self.machine.mender)
            && resolve::may_hold(repaired, &mender.policy)
            && let Some(chosen) = &mender.found.first
        {
            let (start, end) = (chosen.start, chosen.end);
            return resolve::unwrap(outcome?, start, end, &mender.policy);
        }
        outcome
    }

    /// Work done so far, in bytes looked at and links followed.
    #[doc(hidden)]
    pub fn steps(&self) -> u64 {
        self.machine.steps + self.machine.tree.walked
    }
}
