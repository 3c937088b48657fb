//! Building a client.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use tamis_schema::ValidatorCache;
use tamis_wire::{Failure, FailureKind};

use super::http::{Http, HttpConfig};
use super::{Client, Shared, StallTimeouts, Timeouts};
use crate::api_key::ApiKey;
use crate::decide::Routes;
use crate::env;
use crate::logging::RequestLog;
use crate::retry::RetryPolicy;
use crate::url::BaseUrl;

/// The largest body read by default, in bytes, after any decompression.
const MAX_BODY_BYTES: usize = 16 * 1024 * 1024;

/// The largest stream event read by default, in bytes.
const MAX_EVENT_BYTES: usize = 8 * 1024 * 1024;

/// So many compiled schemas are kept for later requests.
const KEPT_SCHEMAS: usize = 64;

/// Builds a [`Client`]. What was wrong with a setting is said by [`ClientBuilder::build`].
#[derive(Debug)]
#[must_use = "a builder does nothing until it is built"]
pub struct ClientBuilder {
    base_url: Option<String>,
    key: Option<ApiKey>,
    speaks_openrouter: Option<bool>,
    timeouts: Timeouts,
    retry: RetryPolicy,
    max_body_bytes: usize,
    max_event_bytes: usize,
    allow_missing_finish: bool,
    headers: HeaderMap,
    proxy: Option<String>,
    custom: Option<reqwest::Client>,
    log: Option<RequestLog>,
    problem: Option<Failure>,
}

impl Default for ClientBuilder {
    fn default() -> Self {
        Self {
            base_url: None,
            key: None,
            speaks_openrouter: None,
            timeouts: Timeouts::default(),
            retry: RetryPolicy::default(),
            max_body_bytes: MAX_BODY_BYTES,
            max_event_bytes: MAX_EVENT_BYTES,
            allow_missing_finish: false,
            headers: HeaderMap::new(),
            proxy: None,
            custom: None,
            log: None,
            problem: None,
        }
    }
}

impl ClientBuilder {
    /// Key and base URL from the environment; see [`Client::from_env`].
    ///
    /// # Errors
    ///
    /// `Validation` where there is neither.
    pub fn from_env() -> Result<Self, Failure> {
        let builder = Self {
            key: env::api_key(),
            base_url: env::base_url(),
            ..Self::default()
        };
        if builder.key.is_none() && builder.base_url.is_none() {
            let [first, second] = env::KEY_VARIABLES;
            let message = format!(
                "no key and no server: set {first} or {second}, or {}",
                env::BASE_URL_VARIABLE
            );
            return Err(Failure::new(FailureKind::Validation, message));
        }
        Ok(builder)
    }

    /// The key; none is sent by default.
    pub fn api_key(mut self, key: impl Into<ApiKey>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// The server, by default `https://openrouter.ai/api/v1`.
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = Some(url.into());
        self
    }

    /// Whether the server speaks OpenRouter's own fields (`provider`, `plugins`, …). By default only
    /// OpenRouter itself does; for others they are left out, since strict servers refuse them.
    pub fn openrouter(mut self, speaks: bool) -> Self {
        self.speaks_openrouter = Some(speaks);
        self
    }

    /// How long a call may take in all: its retries, its waits and its stream. 600 s.
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.timeouts.total = limit;
        self
    }

    /// How long it may take to connect. 10 s.
    pub fn connect_timeout(mut self, limit: Duration) -> Self {
        self.timeouts.connect = limit;
        self
    }

    /// How long it may take from the request to the response's headers. 300 s.
    pub fn first_byte_timeout(mut self, limit: Duration) -> Self {
        self.timeouts.first_byte = limit;
        self
    }

    /// How long a stream may go without anything meaningful, for all its phases.
    pub fn stall_timeout(mut self, limit: Duration) -> Self {
        self.timeouts.stall = StallTimeouts::all(limit);
        self
    }

    /// How long a stream may go without anything meaningful, phase by phase.
    pub fn stall_timeouts(mut self, limits: StallTimeouts) -> Self {
        self.timeouts.stall = limits;
        self
    }

    /// What is tried again, and when.
    pub fn retry(mut self, policy: RetryPolicy) -> Self {
        self.retry = policy;
        self
    }

    /// The largest body that is read, in bytes after decompression; of a stream, the largest answer.
    /// 16 MiB.
    pub fn max_body_bytes(mut self, limit: usize) -> Self {
        self.max_body_bytes = limit;
        self
    }

    /// The largest stream event that is read, in bytes. 8 MiB.
    pub fn max_event_bytes(mut self, limit: usize) -> Self {
        self.max_event_bytes = limit;
        self
    }

    /// Takes a stream that ends cleanly for finished although no finish reason came. For servers
    /// known never to send one; such completions are marked as unconfirmed. Off by default.
    pub fn allow_missing_finish(mut self, allow: bool) -> Self {
        self.allow_missing_finish = allow;
        self
    }

    /// A header that every request carries.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        match (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            (Ok(name), Ok(mut value)) => {
                // A header of the caller's may be a credential as well.
                value.set_sensitive(true);
                self.headers.insert(name, value);
            }
            _ => self.refuse(format!("header {name:?}: not a header name and value")),
        }
        self
    }

    /// OpenRouter: your app's address, for attribution.
    pub fn referer(self, url: &str) -> Self {
        self.header("http-referer", url)
    }

    /// OpenRouter: your app's name, for attribution.
    pub fn title(self, title: &str) -> Self {
        self.header("x-openrouter-title", title)
    }

    /// A proxy for every request; by default the environment's.
    pub fn proxy(mut self, url: impl Into<String>) -> Self {
        self.proxy = Some(url.into());
        self
    }

    /// Your own HTTP client. Connect timeout, proxy and redirects are then its own; connections are
    /// taken from its pool only.
    pub fn http_client(mut self, client: reqwest::Client) -> Self {
        self.custom = Some(client);
        self
    }

    /// Logs every request. Off by default.
    pub fn log(mut self, log: RequestLog) -> Self {
        self.log = Some(log);
        self
    }

    /// The client.
    ///
    /// # Errors
    ///
    /// `Validation`, naming the setting that cannot be used.
    pub fn build(self) -> Result<Client, Failure> {
        if let Some(problem) = self.problem {
            return Err(problem);
        }
        let base_url = BaseUrl::parse(self.base_url.as_deref().unwrap_or(BaseUrl::OPENROUTER))?;
        if let Some(key) = &self.key
            && HeaderValue::try_from(key.expose()).is_err()
        {
            return Err(Failure::new(
                FailureKind::Validation,
                "the key holds a character that a header cannot carry",
            ));
        }
        let proxy = match &self.proxy {
            None => None,
            Some(url) => Some(reqwest::Proxy::all(url).map_err(|error| {
                Failure::new(FailureKind::Validation, "proxy: not an address").with_source(error)
            })?),
        };
        let http = match self.custom {
            Some(client) => Http::custom(client),
            None => Http::new(HttpConfig {
                connect_timeout: self.timeouts.connect,
                proxy,
            })?,
        };
        Ok(Client {
            shared: Arc::new(Shared {
                speaks_openrouter: self
                    .speaks_openrouter
                    .unwrap_or_else(|| base_url.is_openrouter()),
                base_url,
                key: self.key.filter(|key| !key.expose().is_empty()),
                headers: self.headers,
                timeouts: self.timeouts,
                retry: self.retry,
                max_body_bytes: self.max_body_bytes,
                max_event_bytes: self.max_event_bytes,
                allow_missing_finish: self.allow_missing_finish,
                http,
                validators: ValidatorCache::new(KEPT_SCHEMAS),
                log: self.log,
                routes: Routes::default(),
            }),
        })
    }

    fn refuse(&mut self, message: String) {
        self.problem
            .get_or_insert_with(|| Failure::new(FailureKind::Validation, message));
    }
}
