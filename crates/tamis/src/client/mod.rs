//! The client.

mod builder;
mod http;
mod timeouts;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use reqwest::header::HeaderMap;
use serde_json::{Map, Value};
use tamis_schema::ValidatorCache;
use tamis_wire::Failure;
use tamis_wire::request::ChatRequest;

pub use builder::ClientBuilder;
pub(crate) use http::Http;
pub use timeouts::StallTimeouts;
pub(crate) use timeouts::Timeouts;

use crate::api_key::ApiKey;
use crate::chat::{Body, Chat};
use crate::decide::Routes;
use crate::logging::RequestLog;
use crate::retry::RetryPolicy;
use crate::url::BaseUrl;

/// A client of one server, with one key.
///
/// Cheap to clone; clones share their connections.
///
/// ```
/// use std::time::Duration;
/// use tamis::Client;
///
/// let client = Client::builder()
///     .base_url("http://127.0.0.1:8080/v1")
///     .stall_timeout(Duration::from_secs(20))
///     .build()?;
/// # let _ = client;
/// # Ok::<(), tamis::Failure>(())
/// ```
#[derive(Clone)]
pub struct Client {
    pub(crate) shared: Arc<Shared>,
}

/// What a client's calls share.
pub(crate) struct Shared {
    pub(crate) base_url: BaseUrl,
    pub(crate) key: Option<ApiKey>,
    pub(crate) speaks_openrouter: bool,
    pub(crate) headers: HeaderMap,
    pub(crate) timeouts: Timeouts,
    pub(crate) retry: RetryPolicy,
    pub(crate) max_body_bytes: usize,
    pub(crate) max_event_bytes: usize,
    pub(crate) allow_missing_finish: bool,
    pub(crate) http: Http,
    /// The schemas of its requests, compiled.
    pub(crate) validators: ValidatorCache,
    pub(crate) log: Option<RequestLog>,
    /// Which models decide by what.
    pub(crate) routes: Routes,
}

impl Client {
    /// A builder with the defaults.
    pub fn builder() -> ClientBuilder {
        ClientBuilder::default()
    }

    /// A client from the environment: the key from `OPENROUTER_API_KEY` or `TAMIS_API_KEY`, the
    /// base URL from `TAMIS_BASE_URL`, by default OpenRouter's.
    ///
    /// # Errors
    ///
    /// `Validation` where there is neither a key nor a base URL, or the base URL is none.
    pub fn from_env() -> Result<Self, Failure> {
        ClientBuilder::from_env()?.build()
    }

    /// A chat request to a model, as `author/slug` on OpenRouter.
    pub fn chat(&self, model: impl Into<String>) -> Chat {
        self.request(ChatRequest::new(model))
    }

    /// A chat request that was put together elsewhere.
    pub fn request(&self, request: ChatRequest) -> Chat {
        Chat::new(self.clone(), Body::Typed(Box::new(request)))
    }

    /// A chat request as JSON, which is sent as it is; `stream` is set by the call.
    pub fn request_json(&self, request: Map<String, Value>) -> Chat {
        Chat::new(self.clone(), Body::Json(request))
    }

    /// What a server sent, without the key, should it have sent it back. For what goes to a file or
    /// to a person as it came.
    pub fn redact<'a>(&self, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        self.shared
            .key
            .as_ref()
            .map_or(Cow::Borrowed(bytes), |key| key.redact(bytes))
    }

    /// Whether the server speaks OpenRouter's own fields, such as `provider`.
    pub fn speaks_openrouter(&self) -> bool {
        self.shared.speaks_openrouter
    }

    /// The server's host, with the port where it is not the scheme's own.
    pub fn host(&self) -> String {
        self.shared.base_url.host()
    }
}

/// Without the key.
impl fmt::Debug for Client {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Client")
            .field("host", &self.host())
            .field("key", &self.shared.key)
            .finish_non_exhaustive()
    }
}
