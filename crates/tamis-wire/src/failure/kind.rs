//! The fourteen kinds of failure.

use std::fmt;

use serde::Serialize;

/// The kind of a [`Failure`](super::Failure).
///
/// | kind | trying again can help |
/// | --- | --- |
/// | `RateLimited`, `ProviderUnavailable`, `Network`, `Timeout`, `Stalled`, `Interrupted`, `Malformed` | yes: transient |
/// | `Authentication`, `InsufficientCredits`, `InvalidRequest`, `ContextLength`, `ContentPolicy`, `Validation`, `Unknown` | no: permanent |
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[non_exhaustive]
pub enum FailureKind {
    /// Too many requests, or too much in flight.
    RateLimited,
    /// The provider, or the server before it, failed or is overloaded.
    ProviderUnavailable,
    /// The connection could not be made, or broke.
    Network,
    /// It took longer than the caller allows.
    Timeout,
    /// Nothing meaningful came for longer than the stall timeout.
    Stalled,
    /// The stream ended before it said it was finished.
    Interrupted,
    /// Something came that is not what the protocol, or the caller, asked for.
    Malformed,
    /// The key is missing, wrong, or may not do this.
    Authentication,
    /// The account cannot pay for it.
    InsufficientCredits,
    /// The server refuses the request as it is.
    InvalidRequest,
    /// The prompt or the answer does not fit.
    ContextLength,
    /// A filter, a policy or the model itself declined.
    ContentPolicy,
    /// The request was refused here, before it was sent.
    Validation,
    /// Nothing else fits.
    Unknown,
}

impl FailureKind {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::RateLimited,
        Self::ProviderUnavailable,
        Self::Network,
        Self::Timeout,
        Self::Stalled,
        Self::Interrupted,
        Self::Malformed,
        Self::Authentication,
        Self::InsufficientCredits,
        Self::InvalidRequest,
        Self::ContextLength,
        Self::ContentPolicy,
        Self::Validation,
        Self::Unknown,
    ];

    /// Whether the same request may succeed later.
    pub fn is_transient(self) -> bool {
        match self {
            Self::RateLimited
            | Self::ProviderUnavailable
            | Self::Network
            | Self::Timeout
            | Self::Stalled
            | Self::Interrupted
            | Self::Malformed => true,
            Self::Authentication
            | Self::InsufficientCredits
            | Self::InvalidRequest
            | Self::ContextLength
            | Self::ContentPolicy
            | Self::Validation
            | Self::Unknown => false,
        }
    }

    /// Its name, as in this enum.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::RateLimited => "RateLimited",
            Self::ProviderUnavailable => "ProviderUnavailable",
            Self::Network => "Network",
            Self::Timeout => "Timeout",
            Self::Stalled => "Stalled",
            Self::Interrupted => "Interrupted",
            Self::Malformed => "Malformed",
            Self::Authentication => "Authentication",
            Self::InsufficientCredits => "InsufficientCredits",
            Self::InvalidRequest => "InvalidRequest",
            Self::ContextLength => "ContextLength",
            Self::ContentPolicy => "ContentPolicy",
            Self::Validation => "Validation",
            Self::Unknown => "Unknown",
        }
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::FailureKind;

    #[test]
    fn fourteen_kinds_half_of_them_transient() {
        assert_eq!(FailureKind::ALL.len(), 14);
        assert_eq!(
            FailureKind::ALL
                .iter()
                .filter(|kind| kind.is_transient())
                .count(),
            7
        );
        let mut names: Vec<_> = FailureKind::ALL.iter().map(|kind| kind.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 14);
    }
}
