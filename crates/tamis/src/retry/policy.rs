//! The retry policy.

use std::time::Duration;

use tamis_wire::{Failure, FailureKind};

use super::backoff::backoff;

/// What is tried again, how often, and after how long.
///
/// A retry spends the caller's money, so only what can succeed is tried again, and never after the
/// first chunk of a stream. By default two more attempts are made:
///
/// - on the statuses 408, 429, 500, 502, 503, 504, 524 and 529, even where the error type beside
///   them is a permanent one; also where the status stands inside a 2xx, or an
///   error type that stands for one;
/// - on `Network` and `Timeout` failures without a status;
/// - `error.availability.retryable` decides where the server says it;
/// - never on an exhausted quota, which does not refill by waiting.
///
/// So kind and retry differ in places: 501 and 505 are transient and not tried again, nor are
/// `Malformed`, `Stalled` and `Interrupted`, which may have been billed.
///
/// The wait is the server's, where it names one, and otherwise grows exponentially with jitter. A
/// wait that would pass the call's deadline is not begun.
///
/// ```
/// use tamis::RetryPolicy;
///
/// let patient = RetryPolicy::default().max_retries(5);
/// let never = RetryPolicy::none();
/// # let _ = (patient, never);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct RetryPolicy {
    max_retries: u32,
    statuses: Vec<u16>,
    first_wait: Duration,
    longest_wait: Duration,
    longest_server_wait: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            max_retries: 2,
            statuses: vec![408, 429, 500, 502, 503, 504, 524, 529],
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(8),
            longest_server_wait: Duration::from_mins(1),
        }
    }
}

impl RetryPolicy {
    /// Nothing is tried again.
    pub fn none() -> Self {
        Self {
            max_retries: 0,
            ..Self::default()
        }
    }

    /// How many attempts follow the first. 2.
    pub fn max_retries(mut self, retries: u32) -> Self {
        self.max_retries = retries;
        self
    }

    /// The statuses that are tried again.
    pub fn statuses(mut self, statuses: impl IntoIterator<Item = u16>) -> Self {
        self.statuses = statuses.into_iter().collect();
        self
    }

    /// The first wait where the server names none, and the longest. 500 ms and 8 s.
    pub fn backoff(mut self, first: Duration, longest: Duration) -> Self {
        self.first_wait = first;
        self.longest_wait = longest;
        self
    }

    /// The longest that a wait which the server names is followed. 60 s.
    pub fn longest_server_wait(mut self, limit: Duration) -> Self {
        self.longest_server_wait = limit;
        self
    }

    /// How long to wait before the next attempt; none where there is no next attempt.
    pub(crate) fn wait(&self, failure: &Failure, attempts: u32) -> Option<Duration> {
        if attempts > self.max_retries || !self.may_retry(failure) {
            return None;
        }
        let retry = attempts.saturating_sub(1);
        Some(match failure.retry_after() {
            Some(wait) => wait.min(self.longest_server_wait),
            None => backoff(self.first_wait, self.longest_wait, retry),
        })
    }

    fn may_retry(&self, failure: &Failure) -> bool {
        let said = failure
            .details()
            .and_then(|details| details.availability.as_ref()?.retryable);
        if let Some(retryable) = said {
            return retryable;
        }
        let named = || failure.details()?.error_type()?.status();
        match (failure.kind(), failure.status().or_else(named)) {
            (FailureKind::InsufficientCredits, Some(429)) | (FailureKind::Validation, _) => false,
            (_, Some(status)) => self.statuses.contains(&status),
            (FailureKind::Network | FailureKind::Timeout, None) => true,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tamis_wire::{ApiError, Failure, FailureKind};

    use super::RetryPolicy;

    fn reported(status: u16, body: &serde_json::Value) -> Failure {
        Failure::from_status(status, ApiError::from_value(body).unwrap_or_default())
    }

    #[test]
    fn by_status_unless_the_server_says_otherwise() {
        let plain = json!({"error": {"message": "m"}});
        for status in [408, 429, 500, 502, 503, 504, 524, 529] {
            assert!(
                RetryPolicy::default()
                    .wait(&reported(status, &plain), 1)
                    .is_some(),
                "{status}"
            );
        }
        for status in [400, 401, 402, 403, 404, 413, 422, 501, 505] {
            assert!(
                RetryPolicy::default()
                    .wait(&reported(status, &plain), 1)
                    .is_none(),
                "{status}"
            );
        }
        let rows = [
            (
                503,
                json!({"error": {"availability": {"code": "x", "retryable": false}}}),
                false,
            ),
            (
                404,
                json!({"error": {"availability": {"code": "x", "retryable": true}}}),
                true,
            ),
            (
                500,
                json!({"error": {"metadata": {"error_type": "refusal"}}}),
                true,
            ),
            (429, json!({"error": {"code": "insufficient_quota"}}), false),
        ];
        for (status, body, retried) in rows {
            let wait = RetryPolicy::default().wait(&reported(status, &body), 1);
            assert_eq!(wait.is_some(), retried, "{status} {body}");
        }
    }

    #[test]
    fn without_a_status_only_the_network_and_time() {
        for kind in FailureKind::ALL {
            let retried = matches!(kind, FailureKind::Network | FailureKind::Timeout);
            let wait = RetryPolicy::default().wait(&Failure::new(kind, "m"), 1);
            assert_eq!(wait.is_some(), retried, "{kind}");
        }
    }

    #[test]
    fn no_more_than_allowed() {
        let failure = Failure::new(FailureKind::Network, "m");
        let policy = RetryPolicy::default();
        assert!(policy.wait(&failure, 2).is_some());
        assert!(policy.wait(&failure, 3).is_none());
        assert!(RetryPolicy::none().wait(&failure, 1).is_none());
    }
}
