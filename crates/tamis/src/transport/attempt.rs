//! One attempt: from the request to the response's headers.

use std::time::{Duration, SystemTime};

use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Request, Response, StatusCode};
use tamis_wire::{Failure, FailureKind, read_response};

use super::body::Body;
use super::call::{Call, Method};
use super::classify;
use crate::logging::Recorder;
use crate::retry::retry_after;
use crate::tap::Tapped;

/// A response whose status is 2xx, before its body.
pub(crate) struct Head {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Body,
}

impl Head {
    /// The generation id that OpenRouter sends with every response.
    pub(crate) fn generation_id(&self) -> Option<String> {
        generation_id(&self.headers)
    }
}

pub(super) async fn send(call: &Call, attempt: u32) -> Result<Head, Failure> {
    let http = &call.client.shared.http;
    let limit = call.client.shared.timeouts.first_byte;
    let mut recorder = recorder(call, attempt);
    let response = match exchange(http.pooled(), request(call)?, limit).await {
        // Nobody had seen the request: the server had closed the connection meanwhile.
        Err(Unsent::Closed(_)) if http.take_may_reuse() => {
            exchange(http.fresh(), request(call)?, limit).await
        }
        result => result,
    }
    .map_err(|unsent| {
        let failure = unsent.into_failure();
        if let Some(recorder) = &mut recorder {
            recorder.fails(&failure);
        }
        failure
    })?;
    http.responded();
    let status = response.status();
    if let Some(recorder) = &mut recorder {
        recorder.began_to_answer(status.as_u16(), generation_id(response.headers()));
    }
    call.tap.see(Tapped::Response {
        attempt,
        status: status.as_u16(),
        headers: response.headers(),
    });
    let head = Head {
        status: status.as_u16(),
        headers: response.headers().clone(),
        body: Body::new(response, call, recorder),
    };
    if status.is_success() {
        Ok(head)
    } else {
        Err(reported(status, head).await)
    }
}

fn recorder(call: &Call, attempt: u32) -> Option<Recorder> {
    let shared = &call.client.shared;
    let log = shared.log.as_ref()?;
    let (method, body, secret) = match &call.method {
        Method::Get => ("GET", None, false),
        Method::Post(body) => ("POST", Some(body), false),
        Method::Create(body) => ("POST", Some(body), true),
        Method::Patch(body) => ("PATCH", Some(body), false),
        Method::Delete => ("DELETE", None, false),
    };
    let key = shared.key.as_ref();
    let mut recorder = Recorder::new(log, key, method, call.url.path(), attempt);
    recorder.sends(body.cloned(), secret);
    Some(recorder)
}

enum Unsent {
    /// The connection was closed before anything of a response came.
    Closed(reqwest::Error),
    Failed(Failure),
}

impl Unsent {
    fn into_failure(self) -> Failure {
        match self {
            Self::Closed(error) => classify::transport(error),
            Self::Failed(failure) => failure,
        }
    }
}

async fn exchange(
    client: &reqwest::Client,
    request: Request,
    limit: Duration,
) -> Result<Response, Unsent> {
    match tokio::time::timeout(limit, client.execute(request)).await {
        Ok(Ok(response)) => Ok(response),
        Ok(Err(error)) if classify::closed_without_response(&error) => Err(Unsent::Closed(error)),
        Ok(Err(error)) => Err(Unsent::Failed(classify::transport(error))),
        Err(_) => Err(Unsent::Failed(Failure::new(
            FailureKind::Timeout,
            format!("no response began within {} s", limit.as_secs_f64()),
        ))),
    }
}

fn request(call: &Call) -> Result<Request, Failure> {
    let shared = &call.client.shared;
    let (method, body) = match &call.method {
        Method::Get => (reqwest::Method::GET, None),
        Method::Post(body) | Method::Create(body) => (reqwest::Method::POST, Some(body.clone())),
        Method::Patch(body) => (reqwest::Method::PATCH, Some(body.clone())),
        Method::Delete => (reqwest::Method::DELETE, None),
    };
    let mut request = Request::new(method, call.url.clone());
    let headers = request.headers_mut();
    headers.extend(shared.headers.clone());
    headers.extend(call.headers.clone());
    headers
        .entry(ACCEPT)
        .or_insert(HeaderValue::from_static("application/json"));
    if let Some(key) = &shared.key {
        let mut value =
            HeaderValue::try_from(format!("Bearer {}", key.expose())).map_err(|_| {
                Failure::new(
                    FailureKind::Validation,
                    "the key holds a character that a header cannot carry",
                )
            })?;
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
    }
    if body.is_some() {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    *request.body_mut() = body.map(Into::into);
    Ok(request)
}

/// The failure that a status other than 2xx stands for, with what its body says.
async fn reported(status: StatusCode, mut head: Head) -> Failure {
    let wait = retry_after(&head.headers, SystemTime::now());
    let id = head.generation_id();
    let location = head
        .headers
        .get("location")
        .and_then(|value| value.to_str().ok())
        .map(str::to_owned);
    // The status is the news; a body that cannot be read does not hide it.
    let body = head.body.read().await.unwrap_or_default();
    let failure = match read_response(status.as_u16(), &body) {
        Err(failure) => failure,
        Ok(_) => Failure::new(
            FailureKind::Unknown,
            format!("the server answered {status}"),
        )
        .with_status(status.as_u16()),
    };
    let failure = match location {
        Some(location) if status.is_redirection() => {
            let place = reqwest::Url::parse(&location)
                .ok()
                .and_then(|url| url.host_str().map(str::to_owned))
                .unwrap_or_else(|| "another path".to_owned());
            let message = format!(
                "the server redirects to {place}; redirects are not followed, set the base URL to it"
            );
            Failure::new(FailureKind::Unknown, message).with_status(status.as_u16())
        }
        _ => failure,
    };
    failure.with_retry_after(wait).with_generation_id(id)
}

pub(super) fn generation_id(headers: &HeaderMap) -> Option<String> {
    Some(headers.get("x-generation-id")?.to_str().ok()?.to_owned())
}
