//! Why what came is no answer.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use tamis_json::RepairError;
use tamis_schema::Violation;
use tamis_wire::Failure;

use crate::structured::{Aborted, LedgerEntry};

/// Of violations, a failure's words name the first so many.
const NAMED: usize = 5;

/// Why what came is no answer: the source of such a failure. [`violations`], [`ledger`] and
/// [`aborted`] read it.
#[derive(Clone, Default)]
pub(crate) struct Rejected {
    violations: Vec<Violation>,
    unreadable: Option<RepairError>,
    /// What a request for another one failed with.
    cause: Option<Arc<Failure>>,
    ledger: Vec<LedgerEntry>,
    aborted: Option<Aborted>,
}

impl Rejected {
    pub(crate) fn violating(violations: Vec<Violation>) -> Self {
        Self {
            violations,
            ..Self::default()
        }
    }

    /// What a failure to read says; the cause of a text that is no JSON among it.
    pub(crate) fn unreadable(failure: &Failure) -> Self {
        let source = failure
            .source()
            .and_then(|source| source.downcast_ref::<RepairError>());
        Self {
            unreadable: source.cloned(),
            ..Self::default()
        }
    }

    pub(crate) fn caused_by(failure: Failure) -> Self {
        Self {
            cause: Some(Arc::new(failure)),
            ..Self::default()
        }
    }

    pub(crate) fn with_ledger(mut self, ledger: Vec<LedgerEntry>) -> Self {
        self.ledger = ledger;
        self
    }

    pub(crate) fn with_aborted(mut self, aborted: Aborted) -> Self {
        self.aborted = Some(aborted);
        self
    }

    pub(crate) fn violations(&self) -> &[Violation] {
        &self.violations
    }

    pub(crate) fn repair_error(&self) -> Option<&RepairError> {
        self.unreadable.as_ref()
    }
}

/// Where, not what: a violation's message may quote the value.
impl fmt::Display for Rejected {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.cause.is_some() {
            return formatter.write_str("it was asked for again, and no other answer came");
        }
        if self.violations.is_empty() {
            return formatter.write_str("the text is not one JSON document");
        }
        for (place, violation) in self.violations.iter().take(NAMED).enumerate() {
            let separator = if place == 0 { "" } else { "; " };
            let instance = match violation.instance.as_str() {
                "" => "the value",
                pointer => pointer,
            };
            write!(
                formatter,
                "{separator}{instance} breaks {}",
                violation.keyword
            )?;
        }
        match self.violations.len().saturating_sub(NAMED) {
            0 => Ok(()),
            more => write!(formatter, "; and {more} more"),
        }
    }
}

impl fmt::Debug for Rejected {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Rejected({self})")
    }
}

impl Error for Rejected {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match (&self.unreadable, &self.cause) {
            (Some(error), _) => Some(error),
            (None, Some(failure)) => Some(&**failure),
            (None, None) => None,
        }
    }
}

fn of(failure: &Failure) -> Option<&Rejected> {
    failure.source()?.downcast_ref()
}

/// The violations of an answer that broke its schema; none for a failure of another cause.
pub fn violations(failure: &Failure) -> &[Violation] {
    of(failure).map_or(&[], Rejected::violations)
}

/// What each completion came to that was asked for before this failure; empty for a failure of a
/// call for which none came.
pub fn ledger(failure: &Failure) -> &[LedgerEntry] {
    of(failure).map_or(&[], |rejected| &rejected.ledger)
}

/// Where a stream was ended because of a violation; none for a failure of another cause.
pub fn aborted(failure: &Failure) -> Option<&Aborted> {
    of(failure)?.aborted.as_ref()
}
