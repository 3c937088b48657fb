//! Why no trustworthy answer came.

mod derive;
mod kind;

use std::error::Error;
use std::fmt;
use std::time::Duration;

pub use kind::FailureKind;

use crate::completion::Completion;
use crate::error::ApiError;

type Source = Box<dyn Error + Send + Sync>;

/// Why no trustworthy answer came, and whether trying again can help.
///
/// `Debug` and `Display` hold no key and no answer's text; they do hold the server's message, and the
/// provider's where OpenRouter passes its error on. `Display` prints this level only; walk
/// [`Error::source`] for the cause. The wording is not part of the API.
///
/// ```
/// use tamis_wire::{Failure, FailureKind, read_response};
///
/// let body = br#"{"error":{"code":429,"message":"Provider returned error"}}"#;
/// let failure: Failure = read_response(200, body).unwrap_err();
/// assert_eq!(failure.kind(), FailureKind::RateLimited);
/// assert!(failure.is_transient());
/// assert_eq!(failure.status(), Some(429));
/// ```
pub struct Failure {
    inner: Box<Inner>,
}

struct Inner {
    kind: FailureKind,
    message: String,
    status: Option<u16>,
    details: Option<ApiError>,
    attempts: u32,
    generation_id: Option<String>,
    retry_after: Option<Duration>,
    completion: Option<Completion>,
    source: Option<Source>,
}

impl Failure {
    /// A failure of a kind, with a message that holds no content.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self {
            inner: Box::new(Inner {
                kind,
                message: message.into(),
                status: None,
                details: None,
                attempts: 0,
                generation_id: None,
                retry_after: None,
                completion: None,
                source: None,
            }),
        }
    }

    /// A failure that the server reports with an HTTP status other than 2xx.
    ///
    /// The kind is derived from the error type first, then from the status.
    pub fn from_status(status: u16, details: ApiError) -> Self {
        let kind = derive::by_status(status, &details);
        Self::reported(kind, Some(status), details)
    }

    /// A failure that the server reports inside a 2xx answer: an envelope, a chunk or a choice.
    ///
    /// The kind is derived from the error type first, then from the code where it is an HTTP status,
    /// and is otherwise `ProviderUnavailable`: an error that nobody explained may pass.
    pub fn from_inline(details: ApiError) -> Self {
        let kind = derive::inline(&details);
        let status = details.status();
        Self::reported(kind, status, details)
    }

    fn reported(kind: FailureKind, status: Option<u16>, details: ApiError) -> Self {
        let mut message = match (details.message.as_str(), status) {
            ("", Some(status)) => format!("the server answered {status} without a message"),
            ("", None) => "the server reported an error without a message".to_owned(),
            (message, _) => message.to_owned(),
        };
        // The provider's own message, but not its raw text, which may quote the request.
        if let Some(upstream) = details.metadata().upstream_error()
            && !upstream.message.trim().is_empty()
            && upstream.message != message
        {
            message.push_str(": ");
            message.push_str(&excerpt(&upstream.message));
        }
        let mut failure = Self::new(kind, message).with_retry_after(details.retry_after());
        failure.inner.status = status;
        failure.inner.details = Some(details);
        failure
    }

    /// The kind.
    pub fn kind(&self) -> FailureKind {
        self.inner.kind
    }

    /// Whether the same request may succeed later: as the server says, where it does
    /// (`error.availability.retryable`), else by the kind.
    pub fn is_transient(&self) -> bool {
        let said = self
            .details()
            .and_then(|details| details.availability.as_ref()?.retryable);
        said.unwrap_or_else(|| self.inner.kind.is_transient())
    }

    /// The HTTP status: of the response, or the one that an error inside a 2xx names.
    pub fn status(&self) -> Option<u16> {
        self.inner.status
    }

    /// What went wrong, in words; the server's own where it gave any.
    pub fn message(&self) -> &str {
        &self.inner.message
    }

    /// The server's error.
    pub fn details(&self) -> Option<&ApiError> {
        self.inner.details.as_ref()
    }

    /// How many requests were sent; 0 where none was.
    pub fn attempts(&self) -> u32 {
        self.inner.attempts
    }

    /// The generation id, to look the call up.
    pub fn generation_id(&self) -> Option<&str> {
        self.inner.generation_id.as_deref()
    }

    /// How long the server asks to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        self.inner.retry_after
    }

    /// What did come, where something did: a completion that is no answer, or what a stream brought
    /// before it broke off. Usage and cost are in it.
    pub fn completion(&self) -> Option<&Completion> {
        self.inner.completion.as_ref()
    }

    /// Takes [`Failure::completion`] out.
    pub fn into_completion(self) -> Option<Completion> {
        self.inner.completion
    }

    /// With the HTTP status.
    pub fn with_status(mut self, status: u16) -> Self {
        self.inner.status = Some(status);
        self
    }

    /// With the number of requests that were sent.
    pub fn with_attempts(mut self, attempts: u32) -> Self {
        self.inner.attempts = attempts;
        self
    }

    /// With the generation id; none does not overwrite.
    pub fn with_generation_id(mut self, id: Option<String>) -> Self {
        if id.is_some() {
            self.inner.generation_id = id;
        }
        self
    }

    /// With the time to wait; none does not overwrite.
    pub fn with_retry_after(mut self, wait: Option<Duration>) -> Self {
        if wait.is_some() {
            self.inner.retry_after = wait;
        }
        self
    }

    /// With what did come.
    pub fn with_completion(mut self, completion: Completion) -> Self {
        self.inner.completion = Some(completion);
        self
    }

    /// With the server's error, leaving kind and message as they are.
    pub fn with_details(mut self, details: ApiError) -> Self {
        self.inner.details = Some(details);
        self
    }

    /// With its cause.
    pub fn with_source(mut self, source: impl Into<Source>) -> Self {
        self.inner.source = Some(source.into());
        self
    }

    /// With every occurrence of a secret in its texts replaced.
    pub fn redact(mut self, secret: &str) -> Self {
        if !secret.is_empty() {
            self.inner.message = self.inner.message.replace(secret, "[redacted]");
            self.inner.details = self.inner.details.map(|details| details.redact(secret));
        }
        self
    }
}

/// The first 500 characters.
fn excerpt(text: &str) -> String {
    let mut characters = text.char_indices();
    match characters.nth(500) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.inner.message)
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("Failure");
        debug
            .field("kind", &self.inner.kind)
            .field("message", &self.inner.message);
        if let Some(status) = self.inner.status {
            debug.field("status", &status);
        }
        if let Some(source) = &self.inner.source {
            debug.field("source", source);
        }
        debug
            .field("attempts", &self.inner.attempts)
            .finish_non_exhaustive()
    }
}

impl Error for Failure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.inner
            .source
            .as_deref()
            .map(|source| source as &(dyn Error + 'static))
    }
}
