//! What may be set of a single call.

use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use tamis_wire::Failure;

use super::refused;
use crate::client::Client;
use crate::retry::RetryPolicy;
use crate::tap::Tap;

/// What may be set of a single call; by default what the client has.
#[derive(Clone)]
pub(crate) struct CallOptions {
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) timeout: Duration,
    pub(crate) retry: RetryPolicy,
    pub(crate) tap: Tap,
}

impl CallOptions {
    pub(crate) fn of(client: &Client) -> Self {
        Self {
            headers: Vec::new(),
            timeout: client.shared.timeouts.total,
            retry: client.shared.retry.clone(),
            tap: Tap::default(),
        }
    }

    /// The headers, unless one is none.
    pub(crate) fn header_map(&self) -> Result<HeaderMap, Failure> {
        let mut headers = HeaderMap::new();
        for (name, value) in &self.headers {
            let (Ok(key), Ok(mut value)) = (
                HeaderName::try_from(name.as_str()),
                HeaderValue::try_from(value.as_str()),
            ) else {
                let message = format!("header {name:?}: not a header name and value");
                return Err(refused(message));
            };
            value.set_sensitive(true);
            headers.insert(key, value);
        }
        Ok(headers)
    }
}

/// The setters of a call whose `options` are [`CallOptions`].
macro_rules! call_options {
    () => {
        /// A header of this call only.
        pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
            self.options.headers.push((name.into(), value.into()));
            self
        }

        /// How long this call may take in all.
        pub fn timeout(mut self, limit: std::time::Duration) -> Self {
            self.options.timeout = limit;
            self
        }

        /// What is tried again in this call.
        pub fn retry(mut self, policy: $crate::RetryPolicy) -> Self {
            self.options.retry = policy;
            self
        }

        /// A look at what the server really sends, as [`Chat::tap`](crate::Chat::tap).
        pub fn tap(mut self, tap: impl Fn($crate::Tapped<'_>) + Send + Sync + 'static) -> Self {
            self.options.tap = $crate::tap::Tap::new(tap);
            self
        }
    };
}
pub(crate) use call_options;
