//! The catalogue's calls.

use std::sync::Arc;

use tamis_wire::Failure;
use tamis_wire::catalogue::{Endpoint, Model, ModelEndpoints, ModelId, Provider};

use super::{Found, ModelList, ModelsQuery, Source, find};
use crate::client::Client;
use crate::data::{DataCall, refused};

impl Client {
    /// The models there are. The list leaves some out, such as models that give no text unless the
    /// query asks for them; see [`Client::find`].
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sim = tamis_sim::Sim::builder().start().await?;
    /// # let client = tamis::Client::builder().base_url(sim.base_url()).openrouter(true).build()?;
    /// let list = client.models(&tamis::catalogue::ModelsQuery::new().search("lottery")).await?;
    /// assert_eq!(list.models[0].id, "sim/lottery");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `Validation` where the query is out of its ranges; those of every call; `Malformed` where the
    /// body holds no list of models.
    pub async fn models(&self, query: &ModelsQuery) -> Result<ModelList, Failure> {
        self.look_up(DataCall::Models, &query.pairs()?).await
    }

    /// The models that the account's settings allow. Of the query, only the page is sent.
    ///
    /// # Errors
    ///
    /// Those of [`Client::models`].
    pub async fn user_models(&self, query: &ModelsQuery) -> Result<ModelList, Failure> {
        self.look_up(DataCall::UserModels, &query.page()?).await
    }

    /// One model, whether or not it is listed. The server resolves variants and aliases.
    ///
    /// # Errors
    ///
    /// `Validation` where the id has not the shape `author/slug`; `InvalidRequest` with the status 404
    /// where there is no such model; those of every call.
    pub async fn model(&self, id: &str) -> Result<Model, Failure> {
        self.look_up_named(DataCall::Model, model_id(id)?, &[])
            .await
    }

    /// A model and who serves it. Latency and throughput are told only to requests with a key.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sim = tamis_sim::Sim::builder().start().await?;
    /// # let client = tamis::Client::builder().base_url(sim.base_url()).openrouter(true).build()?;
    /// for endpoint in client.endpoints("sim/unsupported").await?.endpoints {
    ///     assert!(!endpoint.supports_structured_outputs());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`Client::model`].
    pub async fn endpoints(&self, id: &str) -> Result<ModelEndpoints, Failure> {
        self.look_up_named(DataCall::Endpoints, model_id(id)?, &[])
            .await
    }

    /// The endpoints that keep no data, of all models.
    ///
    /// # Errors
    ///
    /// Those of every call.
    pub async fn zdr_endpoints(&self) -> Result<Vec<Endpoint>, Failure> {
        self.look_up(DataCall::ZdrEndpoints, &[]).await
    }

    /// The providers.
    ///
    /// # Errors
    ///
    /// Those of every call.
    pub async fn providers(&self) -> Result<Vec<Provider>, Failure> {
        self.look_up(DataCall::Providers, &[]).await
    }

    /// The models that give embeddings.
    ///
    /// # Errors
    ///
    /// Those of every call.
    pub async fn embeddings_models(&self) -> Result<ModelList, Failure> {
        self.look_up(DataCall::EmbeddingsModels, &[]).await
    }

    /// Finds a model by any of its names: its id, a slug with a date, an alias, an id with a variant.
    ///
    /// A model that the listing hides is still one that can be found: what the list does not have is
    /// asked for by itself. None where there is no such model. Two requests at most; the list is large,
    /// so ask a [`CachedClient`](crate::CachedClient) where more than one model is to be found.
    ///
    /// On a server that is not OpenRouter only the list is looked at, and any id will do.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sim = tamis_sim::Sim::builder().start().await?;
    /// # let client = tamis::Client::builder().base_url(sim.base_url()).openrouter(true).build()?;
    /// use tamis::catalogue::FoundBy;
    ///
    /// let found = client.find("sim/steady:nitro").await?.unwrap();
    /// assert_eq!((found.model.id.as_str(), found.by), ("sim/steady", FoundBy::RoutingVariant));
    /// assert!(client.find("unknown/model").await?.is_none());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `Validation` where the id is none on OpenRouter; those of every call.
    pub async fn find(&self, id: &str) -> Result<Option<Found>, Failure> {
        find(self, id).await
    }
}

impl Source for Client {
    fn speaks_openrouter(&self) -> bool {
        Self::speaks_openrouter(self)
    }

    async fn listed(&self, query: &ModelsQuery) -> Result<Arc<ModelList>, Failure> {
        self.models(query).await.map(Arc::new)
    }

    async fn asked(&self, id: &str) -> Result<Model, Failure> {
        self.model(id).await
    }
}

/// An id that can stand in a path as it is.
pub(crate) fn model_id(id: &str) -> Result<&str, Failure> {
    match ModelId::parse(id) {
        Some(_) => Ok(id),
        None => Err(refused(format!(
            "{id:?} is no model's id; expected author/slug, perhaps with :variant"
        ))),
    }
}

/// Whether the server says that there is no such model, rather than that something went wrong.
pub(crate) fn is_not_found(failure: &Failure) -> bool {
    let availability = failure
        .details()
        .and_then(|details| details.availability.as_ref());
    match availability.and_then(|availability| availability.code.as_deref()) {
        Some(code) => code == "model_not_found",
        None => failure.status() == Some(404),
    }
}

#[cfg(test)]
mod tests {
    use tamis_wire::read_response;

    use super::is_not_found;

    #[test]
    fn no_model_is_told_from_no_endpoint() {
        for (status, body, expected) in [
            (
                404,
                r#"{"error":{"code":404,"message":"Model not found"}}"#,
                true,
            ),
            (
                400,
                r#"{"error":{"message":"x","availability":{"code":"model_not_found","retryable":false}}}"#,
                true,
            ),
            (
                404,
                r#"{"error":{"message":"x","availability":{"code":"no_endpoints","retryable":false}}}"#,
                false,
            ),
            (400, r#"{"error":{"code":400,"message":"x"}}"#, false),
            (503, r#"{"error":{"code":503,"message":"x"}}"#, false),
        ] {
            let failure = read_response(status, body.as_bytes()).unwrap_err();
            assert_eq!(is_not_found(&failure), expected, "{body}");
        }
    }
}
