//! The HTTP clients beneath.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tamis_wire::{Failure, FailureKind};

/// How a `reqwest` client is made; kept, because a second one may be needed.
#[derive(Clone, Debug)]
pub(crate) struct HttpConfig {
    pub(crate) connect_timeout: Duration,
    pub(crate) proxy: Option<reqwest::Proxy>,
}

/// A pool of connections, and a way around it.
///
/// A server may close an idle connection at the very moment a request goes out on it (llama.cpp does
/// after every stream). Such a request never reached anybody, and is sent again on a connection that
/// is certainly fresh.
#[derive(Debug)]
pub(crate) struct Http {
    pooled: reqwest::Client,
    /// None for a client that the caller made.
    config: Option<HttpConfig>,
    fresh: OnceLock<reqwest::Client>,
    /// Whether an earlier response may have left a connection in the pool.
    may_reuse: AtomicBool,
}

impl Http {
    pub(crate) fn new(config: HttpConfig) -> Result<Self, Failure> {
        Ok(Self {
            pooled: build(&config, true)?,
            config: Some(config),
            fresh: OnceLock::new(),
            may_reuse: AtomicBool::new(false),
        })
    }

    pub(crate) fn custom(client: reqwest::Client) -> Self {
        Self {
            pooled: client,
            config: None,
            fresh: OnceLock::new(),
            may_reuse: AtomicBool::new(false),
        }
    }

    pub(crate) fn pooled(&self) -> &reqwest::Client {
        &self.pooled
    }

    /// A client whose connections are all new; a caller's own client stands in for itself.
    pub(crate) fn fresh(&self) -> &reqwest::Client {
        let Some(config) = &self.config else {
            return &self.pooled;
        };
        self.fresh
            .get_or_init(|| build(config, false).unwrap_or_else(|_| self.pooled.clone()))
    }

    /// Notes that a response came, so that its connection may be used again.
    pub(crate) fn responded(&self) {
        self.may_reuse.store(true, Ordering::Relaxed);
    }

    /// Whether the last request may have gone out on a connection from the pool; asking clears it.
    pub(crate) fn take_may_reuse(&self) -> bool {
        self.may_reuse.swap(false, Ordering::Relaxed)
    }
}

fn build(config: &HttpConfig, pooled: bool) -> Result<reqwest::Client, Failure> {
    let mut builder = reqwest::Client::builder()
        .user_agent(concat!("tamis/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(config.connect_timeout)
        // A key goes to the configured host and nowhere else.
        .redirect(reqwest::redirect::Policy::none())
        .tcp_nodelay(true)
        .referer(false);
    if !pooled {
        builder = builder.pool_max_idle_per_host(0);
    }
    if let Some(proxy) = &config.proxy {
        builder = builder.proxy(proxy.clone());
    }
    builder.build().map_err(|error| {
        Failure::new(
            FailureKind::Validation,
            "the HTTP client could not be set up",
        )
        .with_source(error)
    })
}
