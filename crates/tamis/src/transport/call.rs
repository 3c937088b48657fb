//! One call: its attempts, its waits and its deadline.

use std::future::Future;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use reqwest::Url;
use reqwest::header::HeaderMap;
use tamis_wire::{Failure, FailureKind};
use tokio::time::Instant;

use super::attempt::{self, Head};
use crate::client::Client;
use crate::retry::{RetryPolicy, retry_after_in};
use crate::tap::Tap;

/// What is sent.
pub(crate) enum Method {
    /// A look-up.
    Get,
    /// A JSON body.
    Post(Bytes),
    /// A JSON body, to which the response brings a secret.
    Create(Bytes),
    /// A change, as JSON.
    Patch(Bytes),
    /// A removal.
    Delete,
}

/// A request that may be sent more than once.
pub(crate) struct Call {
    pub(crate) client: Client,
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) retry: RetryPolicy,
    /// Until when all of it must be done.
    pub(crate) deadline: Instant,
    /// How long the whole may take, for the message.
    pub(crate) total: Duration,
    pub(crate) tap: Tap,
}

/// With the wait that the error's body names, where the response's headers named none.
fn with_wait(failure: Failure) -> Failure {
    if failure.retry_after().is_some() {
        return failure;
    }
    let wait = failure
        .details()
        .and_then(|error| retry_after_in(error, SystemTime::now()));
    failure.with_retry_after(wait)
}

impl Call {
    /// Sends the request until an attempt succeeds or may not be repeated.
    ///
    /// `read` makes something of a response; what it fails with counts as the attempt's failure, so
    /// that an error under 200 is tried again like one under its own status.
    pub(crate) async fn run<T, F>(&self, read: impl Fn(Head) -> F) -> Result<(T, u32), Failure>
    where
        F: Future<Output = Result<T, Failure>>,
    {
        let mut attempts = 0;
        loop {
            attempts += 1;
            let attempt = async { read(attempt::send(self, attempts).await?).await };
            let Ok(result) = tokio::time::timeout_at(self.deadline, attempt).await else {
                return Err(self.too_late().with_attempts(attempts));
            };
            let failure = match result {
                Ok(value) => return Ok((value, attempts)),
                Err(failure) => self.redact(with_wait(failure).with_attempts(attempts)),
            };
            let Some(wait) = self.retry.wait(&failure, attempts) else {
                return Err(failure);
            };
            if Instant::now() + wait >= self.deadline {
                return Err(failure);
            }
            tracing::debug!(
                kind = failure.kind().as_str(),
                status = failure.status(),
                attempts,
                wait_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX),
                "trying again"
            );
            tokio::time::sleep(wait).await;
        }
    }

    /// The failure of a call that ran out of time.
    fn too_late(&self) -> Failure {
        let total = self.total.as_secs_f64();
        Failure::new(
            FailureKind::Timeout,
            format!("no whole answer within {total} s"),
        )
    }

    /// Without the key, should the server have sent it back.
    fn redact(&self, failure: Failure) -> Failure {
        match &self.client.shared.key {
            Some(key) => failure.redact(key.expose()),
            None => failure,
        }
    }
}
