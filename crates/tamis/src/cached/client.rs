//! The catalogue's calls, answered from memory where they can be.

use std::fmt;
use std::future::Future;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use tamis_wire::Failure;
use tamis_wire::catalogue::{Endpoint, Model, ModelEndpoints, Provider};

use super::store::{Keepable, Store};
use crate::catalogue::{Found, ModelList, ModelsQuery, Source, find, model_id};
use crate::client::Client;
use crate::data::DataCall;

/// How long an answer is kept.
const TTL: Duration = Duration::from_hours(1);

/// How many answers are kept.
const MOST_KEPT: usize = 64;

/// A client that remembers the catalogue's answers.
///
/// The catalogue's calls have the same names and the same results as the [`Client`]'s; everything else
/// is the client's own. An answer is kept for an hour unless set otherwise, a failure and an empty
/// list never. Of several tasks that ask the same at once, one sends the request and all get what
/// comes of it. Clones share their memory.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let sim = tamis_sim::Sim::builder().start().await?;
/// # let client = tamis::Client::builder().base_url(sim.base_url()).openrouter(true).build()?;
/// use std::time::Duration;
/// use tamis::CachedClient;
///
/// let cached = CachedClient::new(client).ttl(Duration::from_secs(600)).max_entries(200);
/// for id in ["sim/steady", "sim/lottery", "sim/steady"] {
///     assert!(cached.find(id).await?.is_some());
/// }
/// assert_eq!(sim.requests().len(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct CachedClient {
    client: Client,
    store: Arc<Store>,
    ttl: Duration,
    most: usize,
}

impl CachedClient {
    /// With a memory of its own.
    pub fn new(client: Client) -> Self {
        Self {
            client,
            store: Arc::default(),
            ttl: TTL,
            most: MOST_KEPT,
        }
    }

    /// How long an answer is kept. 1 h.
    #[must_use]
    pub fn ttl(mut self, ttl: Duration) -> Self {
        self.ttl = ttl;
        self
    }

    /// How many answers are kept at most; the oldest goes first. 64. A whole list of models is one
    /// answer, of some megabytes on OpenRouter.
    #[must_use]
    pub fn max_entries(mut self, most: usize) -> Self {
        self.most = most;
        self
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.store.clear();
    }

    /// How many answers are kept.
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// As [`Client::models`].
    ///
    /// # Errors
    ///
    /// As there.
    pub async fn models(&self, query: &ModelsQuery) -> Result<ModelList, Failure> {
        self.listed(query).await.map(Arc::unwrap_or_clone)
    }

    /// As [`Client::user_models`].
    ///
    /// # Errors
    ///
    /// As there.
    pub async fn user_models(&self, query: &ModelsQuery) -> Result<ModelList, Failure> {
        let key = key(DataCall::UserModels, "", &query.page()?);
        self.kept(key, || self.client.user_models(query)).await
    }

    /// As [`Client::model`].
    ///
    /// # Errors
    ///
    /// As there.
    pub async fn model(&self, id: &str) -> Result<Model, Failure> {
        let key = key(DataCall::Model, model_id(id)?, &[]);
        self.kept(key, || self.client.model(id)).await
    }

    /// As [`Client::endpoints`].
    ///
    /// # Errors
    ///
    /// As there.
    pub async fn endpoints(&self, id: &str) -> Result<ModelEndpoints, Failure> {
        let key = key(DataCall::Endpoints, model_id(id)?, &[]);
        self.kept(key, || self.client.endpoints(id)).await
    }

    /// As [`Client::zdr_endpoints`].
    ///
    /// # Errors
    ///
    /// As there.
    pub async fn zdr_endpoints(&self) -> Result<Vec<Endpoint>, Failure> {
        let key = key(DataCall::ZdrEndpoints, "", &[]);
        self.kept(key, || self.client.zdr_endpoints()).await
    }

    /// As [`Client::providers`].
    ///
    /// # Errors
    ///
    /// As there.
    pub async fn providers(&self) -> Result<Vec<Provider>, Failure> {
        let key = key(DataCall::Providers, "", &[]);
        self.kept(key, || self.client.providers()).await
    }

    /// As [`Client::embeddings_models`].
    ///
    /// # Errors
    ///
    /// As there.
    pub async fn embeddings_models(&self) -> Result<ModelList, Failure> {
        let key = key(DataCall::EmbeddingsModels, "", &[]);
        self.kept(key, || self.client.embeddings_models()).await
    }

    /// As [`Client::find`]: one request for any number of models, as long as the list has them.
    ///
    /// # Errors
    ///
    /// As there.
    pub async fn find(&self, id: &str) -> Result<Option<Found>, Failure> {
        find(self, id).await
    }

    async fn kept<T, F>(&self, key: String, ask: impl FnOnce() -> F + Send) -> Result<T, Failure>
    where
        T: Keepable,
        F: Future<Output = Result<T, Failure>> + Send,
    {
        self.store
            .get(key, self.ttl, self.most, ask)
            .await
            .map(Arc::unwrap_or_clone)
    }
}

/// A call with its name and its query.
fn key(call: DataCall, name: &str, query: &[(&'static str, String)]) -> String {
    let mut key = format!("{} {name}", call.path());
    for (name, value) in query {
        key.push('\0');
        key.push_str(name);
        key.push('=');
        key.push_str(value);
    }
    key
}

impl Source for CachedClient {
    fn speaks_openrouter(&self) -> bool {
        self.client.speaks_openrouter()
    }

    async fn listed(&self, query: &ModelsQuery) -> Result<Arc<ModelList>, Failure> {
        let key = key(DataCall::Models, "", &query.pairs()?);
        self.store
            .get(key, self.ttl, self.most, || self.client.models(query))
            .await
    }

    async fn asked(&self, id: &str) -> Result<Model, Failure> {
        self.model(id).await
    }
}

/// Everything that is not kept.
impl Deref for CachedClient {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl fmt::Debug for CachedClient {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("CachedClient")
            .field("client", &self.client)
            .field("ttl", &self.ttl)
            .field("kept", &self.len())
            .finish_non_exhaustive()
    }
}
