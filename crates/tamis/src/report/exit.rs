//! Exit codes.

use tamis_wire::{Failure, FailureKind};

/// A command's exit code. Scripts and CI depend on them, so they are stable.
///
/// ```
/// use tamis::report::Exit;
/// use tamis::wire::{Failure, FailureKind};
///
/// let failure = Failure::new(FailureKind::RateLimited, "slow down");
/// assert_eq!(Exit::of_failure(&failure).code(), 4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Exit {
    /// 0: the answer conforms, or the check holds.
    Conforms,
    /// 1: something came back, and it is not trustworthy.
    NotTrustworthy,
    /// 2: usage, or refused before sending.
    Refused,
    /// 3: a permanent failure from the service.
    Permanent,
    /// 4: a transient failure, after the retries allowed.
    Transient,
    /// 130: Ctrl-C.
    Interrupted,
}

impl Exit {
    /// The code.
    pub const fn code(self) -> u8 {
        match self {
            Self::Conforms => 0,
            Self::NotTrustworthy => 1,
            Self::Refused => 2,
            Self::Permanent => 3,
            Self::Transient => 4,
            Self::Interrupted => 130,
        }
    }

    /// For a failure of the service, or of the way to it: by whether trying again can help. A
    /// request that was refused before it was sent is the caller's to mend.
    pub fn of_failure(failure: &Failure) -> Self {
        if failure.kind() == FailureKind::Validation {
            Self::Refused
        } else if failure.is_transient() {
            Self::Transient
        } else {
            Self::Permanent
        }
    }

    /// The worse of two, for several files: 0, 1, 4, 3, 2, 130, from the best to the worst. A
    /// transient failure may pass, a permanent one stays, and what could not even be looked at
    /// outweighs both.
    pub fn worse(self, other: Self) -> Self {
        if other.rank() > self.rank() {
            other
        } else {
            self
        }
    }

    fn rank(self) -> u8 {
        match self {
            Self::Conforms => 0,
            Self::NotTrustworthy => 1,
            Self::Transient => 2,
            Self::Permanent => 3,
            Self::Refused => 4,
            Self::Interrupted => 5,
        }
    }
}
