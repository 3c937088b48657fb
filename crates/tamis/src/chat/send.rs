//! Sending a chat request.

use std::time::Duration;

use bytes::Bytes;
use reqwest::header::HeaderValue;
use serde_json::{Map, Value};
use tamis_wire::request::{StreamOptions, check_json};
use tamis_wire::{Completion, Failure, FailureKind, Protocol, read_response_as};
use tokio::time::Instant;
use tracing::Instrument;

use super::{Body, Chat};
use crate::stream::{self, CompletionStream};
use crate::structured::{Prepared, Reading, prepare};
use crate::telemetry;
use crate::tools::strict_tools_header;
use crate::transport::{Call, Method};

impl Chat {
    /// Sends the request.
    ///
    /// # Errors
    ///
    /// `Validation` where it is refused before it is sent; else whatever went wrong, the errors that
    /// a server reports inside a 2xx among it. A completion that came is not looked into: see
    /// [`Completion::outcome`], and [`Chat::reading`] for one that was asked for with a schema.
    pub async fn send(self) -> Result<Completion, Failure> {
        let prepared = self.prepare()?;
        let deadline = self.deadline();
        Ok(self.exchange(&prepared.request, deadline).await?.0)
    }

    /// Sends the request and opens the stream.
    ///
    /// The first event decides: an error as the first and only event is a failure here, and is tried
    /// again as such; after the first chunk nothing is.
    ///
    /// # Errors
    ///
    /// Those of [`Chat::send`]; `Interrupted` where the stream ends before its first chunk, `Stalled`
    /// where none comes.
    pub async fn stream(mut self) -> Result<CompletionStream, Failure> {
        self.set_stream();
        let Prepared { request, reading } = self.prepare()?;
        let span = telemetry::span(&self.model(), &self.client.host(), true);
        let call = self.call(&request, self.deadline())?;
        let result = stream::open(call, reading, self.protocol)
            .instrument(span.clone())
            .await;
        match result {
            Ok(stream) => Ok(stream.in_span(span)),
            Err(failure) => {
                telemetry::record(&span, Err(&failure), failure.attempts());
                Err(failure)
            }
        }
    }

    /// How the request's answer is to be read, for callers who read completions themselves: the
    /// caller's schema, and what it was lowered into.
    ///
    /// # Errors
    ///
    /// `Validation`: the request is none that would be sent.
    pub fn reading(&self) -> Result<Reading, Failure> {
        Ok(self.prepare()?.reading)
    }

    /// The request as it is sent, and how its answer is read.
    pub(super) fn prepare(&self) -> Result<Prepared, Failure> {
        if let Some(problem) = &self.problem {
            return Err(Failure::new(problem.kind(), problem.message()));
        }
        if self.protocol != Protocol::ChatCompletions {
            return self.prepare_native();
        }
        let mut request = self.request()?;
        if self.toolbox.is_some() {
            self.add_tools(&mut request)?;
        }
        // What the caller wrote is checked before it is rewritten, so that its own words are quoted.
        check_json(&request)?;
        // A request given as JSON is sent as it is, unless lowering was asked for.
        let lowering = self.options.lowering;
        let lowering = lowering.unwrap_or(self.lowers());
        let validators = &self.client.shared.validators;
        prepare(request, &self.options, &self.mending, lowering, validators)
    }

    pub(super) async fn exchange(
        &self,
        request: &Map<String, Value>,
        deadline: Instant,
    ) -> Result<(Completion, u32), Failure> {
        let span = telemetry::span(&self.model(), &self.client.host(), false);
        let call = self.call(request, deadline)?;
        let protocol = self.protocol;
        let result = call
            .run(|mut head| async move {
                let id = head.generation_id();
                let status = head.status;
                let body = head.body.read().await.map_err(|failure| {
                    // What broke off had begun, and may have been billed: the status says so.
                    failure.with_status(status).with_generation_id(id.clone())
                })?;
                read_response_as(protocol, status, &body)
                    .map(|received| received.completion)
                    .map_err(|failure| failure.with_generation_id(id))
            })
            .instrument(span.clone())
            .await;
        match &result {
            Ok((completion, attempts)) => telemetry::record(&span, Ok(completion), *attempts),
            Err(failure) => telemetry::record(&span, Err(failure), failure.attempts()),
        }
        result
    }

    /// Puts the request's bytes together.
    fn call(&self, request: &Map<String, Value>, deadline: Instant) -> Result<Call, Failure> {
        let body = serde_json::to_vec(request).map_err(|error| {
            Failure::new(
                FailureKind::Validation,
                "the request cannot be written as JSON",
            )
            .with_source(error)
        })?;
        let mut headers = self.headers.clone();
        if self.client.shared.speaks_openrouter
            && let Some((name, value)) = strict_tools_header(request)
        {
            headers
                .entry(name)
                .or_insert(HeaderValue::from_static(value));
        }
        Ok(Call {
            url: self.client.shared.base_url.join(self.protocol.path()),
            client: self.client.clone(),
            method: Method::Post(Bytes::from(body)),
            headers,
            retry: self.retry.clone(),
            deadline,
            total: self.timeout,
            tap: self.tap.clone(),
        })
    }

    /// Whether a schema is lowered where the caller does not say.
    pub(super) fn lowers(&self) -> bool {
        matches!(self.body, Body::Typed(_)) || self.protocol != Protocol::ChatCompletions
    }

    /// Until when all of it must be done.
    pub(super) fn deadline(&self) -> Instant {
        deadline(self.timeout)
    }

    /// The request as JSON, with the caller's own schema.
    pub(super) fn request(&self) -> Result<Map<String, Value>, Failure> {
        match &self.body {
            Body::Typed(request) if self.client.shared.speaks_openrouter => request.to_json(),
            Body::Typed(request) => {
                let mut request = (**request).clone();
                request.strip_openrouter_fields();
                request.to_json()
            }
            Body::Json(request) => Ok(request.clone()),
        }
    }

    pub(super) fn model(&self) -> String {
        match &self.body {
            Body::Typed(request) => request.model.clone(),
            Body::Json(request) => request
                .get("model")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned(),
        }
    }

    fn set_stream(&mut self) {
        // The other protocols' streams end with their usage unasked.
        let asks =
            self.protocol == Protocol::ChatCompletions && !self.client.shared.speaks_openrouter;
        let usage = asks.then(StreamOptions::with_usage);
        match &mut self.body {
            Body::Typed(request) => {
                request.stream = true;
                // OpenRouter sends usage unasked; others only on request.
                request.stream_options = request.stream_options.take().or(usage);
            }
            Body::Json(request) => {
                request.insert("stream".to_owned(), Value::Bool(true));
                if let Some(Ok(usage)) = usage.map(serde_json::to_value) {
                    request.entry("stream_options").or_insert(usage);
                }
            }
        }
    }
}

/// Never is far away, not an overflow.
pub(crate) fn deadline(timeout: Duration) -> Instant {
    const FAR: Duration = Duration::from_hours(87600);
    Instant::now() + timeout.min(FAR)
}
