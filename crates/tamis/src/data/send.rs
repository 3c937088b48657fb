//! Sending a call.

use bytes::Bytes;
use reqwest::header::HeaderMap;
use serde::Serialize;
use tamis_wire::{Failure, FailureKind};

use tokio::time::Instant;

use super::{CallOptions, DataCall};
use crate::chat::deadline;
use crate::client::Client;
use crate::payload::Payload;
use crate::retry::RetryPolicy;
use crate::tap::Tap;
use crate::transport::{Call, Method};

/// A request that is refused before it is sent.
pub(crate) fn refused(message: impl Into<String>) -> Failure {
    Failure::new(FailureKind::Validation, message)
}

impl Client {
    /// A look-up without a name in its path.
    pub(crate) async fn look_up<T: Payload>(
        &self,
        call: DataCall,
        query: &[(&'static str, String)],
    ) -> Result<T, Failure> {
        self.look_up_named(call, "", query).await
    }

    /// A look-up whose path names something; the name needs no escaping.
    pub(crate) async fn look_up_named<T: Payload>(
        &self,
        call: DataCall,
        name: &str,
        query: &[(&'static str, String)],
    ) -> Result<T, Failure> {
        let retry = self.shared.retry.clone();
        self.exchange(call, name, query, Method::Get, retry).await
    }

    /// Makes something. Sent once: whether a request that got no answer made it is not known, and a
    /// second one could make a second.
    pub(crate) async fn create<T: Payload>(
        &self,
        call: DataCall,
        body: &impl Serialize,
    ) -> Result<T, Failure> {
        let method = Method::Create(json(body)?);
        self.exchange(call, "", &[], method, RetryPolicy::none())
            .await
    }

    /// Changes something; the same change made twice is the same.
    pub(crate) async fn change<T: Payload>(
        &self,
        call: DataCall,
        name: &str,
        body: &impl Serialize,
    ) -> Result<T, Failure> {
        let retry = self.shared.retry.clone();
        self.exchange(call, name, &[], Method::Patch(json(body)?), retry)
            .await
    }

    /// Removes something.
    pub(crate) async fn remove<T: Payload>(
        &self,
        call: DataCall,
        name: &str,
    ) -> Result<T, Failure> {
        let retry = self.shared.retry.clone();
        self.exchange(call, name, &[], Method::Delete, retry).await
    }

    /// Has a model work something out: sent again like a completion, and paid for like one.
    ///
    /// `read` reads a 2xx response's body. With its result come the generation's id, where the response's
    /// headers have it, and how many attempts it took.
    pub(crate) async fn infer<T>(
        &self,
        call: DataCall,
        body: &impl Serialize,
        options: &CallOptions,
        until: Instant,
        read: impl Fn(&[u8]) -> Result<T, Failure>,
    ) -> Result<(T, Option<String>, u32), Failure> {
        let call = Call {
            client: self.clone(),
            method: Method::Post(json(body)?),
            url: self.shared.base_url.join(call.path()),
            headers: options.header_map()?,
            retry: options.retry.clone(),
            deadline: until,
            total: options.timeout,
            tap: options.tap.clone(),
        };
        let read = &read;
        let ((result, id), attempts) = call
            .run(|mut head| async move {
                let (id, status) = (head.generation_id(), head.status);
                let named = |failure: Failure| match failure.generation_id() {
                    Some(_) => failure,
                    None => failure.with_generation_id(id.clone()),
                };
                // What broke off had begun, and may have been billed: the status says so.
                let body = head.body.read().await;
                let body = body.map_err(|failure| named(failure.with_status(status)))?;
                let result = read(&body).map_err(named)?;
                Ok((result, id))
            })
            .await?;
        Ok((result, id, attempts))
    }

    async fn exchange<T: Payload>(
        &self,
        call: DataCall,
        name: &str,
        query: &[(&'static str, String)],
        method: Method,
        retry: RetryPolicy,
    ) -> Result<T, Failure> {
        let mut url = self.shared.base_url.join(&call.path_of(name));
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        let total = self.shared.timeouts.total;
        let call = Call {
            client: self.clone(),
            method,
            url,
            headers: HeaderMap::new(),
            retry,
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

fn json(body: &impl Serialize) -> Result<Bytes, Failure> {
    serde_json::to_vec(body)
        .map(Bytes::from)
        .map_err(|error| refused("the request could not be written").with_source(error))
}
