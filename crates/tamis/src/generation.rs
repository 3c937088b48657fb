//! Looking a generation up.

use reqwest::header::HeaderMap;
use serde::Deserialize;
use serde_json::{Map, Value};
use tamis_wire::{Failure, FailureKind};

use crate::chat::deadline;
use crate::client::Client;
use crate::payload::{Payload, data, sealed};
use crate::tap::Tap;
use crate::transport::{Call, Method};

/// What OpenRouter knows of a generation, some time after it ended.
#[derive(Clone, Debug, Default, Deserialize)]
#[non_exhaustive]
pub struct Generation {
    /// Its id.
    #[serde(default)]
    pub id: Option<String>,
    /// The provider that served it.
    #[serde(default)]
    pub provider_name: Option<String>,
    /// The model.
    #[serde(default)]
    pub model: Option<String>,
    /// All other fields.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl sealed::Sealed for Generation {}

impl Payload for Generation {
    fn read(body: &[u8]) -> Result<Self, Failure> {
        serde_json::from_value(data(body)?).map_err(|_| {
            Failure::new(
                FailureKind::Malformed,
                "the body's data is not a generation",
            )
        })
    }
}

impl Client {
    /// Looks a generation up by its id.
    ///
    /// The record lags: right after a call it may not be there yet, which reads as a failure with
    /// the status 404.
    ///
    /// # Errors
    ///
    /// Those of every call.
    pub async fn generation(&self, id: &str) -> Result<Generation, Failure> {
        let mut url = self.shared.base_url.join("generation");
        url.query_pairs_mut().append_pair("id", id);
        self.get(url).await
    }

    async fn get<T: Payload>(&self, url: reqwest::Url) -> Result<T, Failure> {
        let total = self.shared.timeouts.total;
        let call = Call {
            client: self.clone(),
            method: Method::Get,
            url,
            headers: HeaderMap::new(),
            retry: self.shared.retry.clone(),
            deadline: deadline(total),
            total,
            tap: Tap::default(),
        };
        let (payload, _) = call
            .run(|mut head| async move { T::read(&head.body.read().await?) })
            .await?;
        Ok(payload)
    }
}
