//! Answering a call, with the fault that it asks for.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use crate::catalogue::CREATED;
use crate::error_body::ErrorBody;
use crate::fault::{self, FAULT_HEADER, Facts, Fault, Piece, Place, Selection};
use crate::net::{Wire, play};
use crate::protocol::Protocol;
use crate::rng::Rng;
use crate::state::State;

/// What an answer needs to know of its request.
pub(super) struct Asked {
    pub(super) state: Arc<State>,
    headers: HeaderMap,
    wire: Option<Wire>,
    /// Method and path.
    call: String,
}

impl FromRequestParts<Arc<State>> for Asked {
    type Rejection = Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &Arc<State>,
    ) -> Result<Self, Self::Rejection> {
        let wire = parts.extensions.get::<ConnectInfo<Wire>>();
        Ok(Self {
            state: Arc::clone(state),
            headers: parts.headers.clone(),
            wire: wire.map(|ConnectInfo(wire)| wire.clone()),
            call: format!("{} {}", parts.method, parts.uri.path()),
        })
    }
}

impl Asked {
    /// Whether the request brought a key, whichever.
    pub(super) fn has_key(&self) -> bool {
        self.headers.contains_key(AUTHORIZATION)
    }

    pub(super) async fn answer(&self, body: Value) -> Response {
        self.answer_with(StatusCode::OK, body).await
    }

    /// With another status than 200, unless a fault has one of its own.
    pub(super) async fn answer_with(&self, status: StatusCode, body: Value) -> Response {
        match self.fault() {
            Ok(fault) => self.deliver(status, body, fault, self.nobody()).await,
            Err(error) => error.into_response(),
        }
    }

    /// As a generation, with its id.
    pub(super) async fn answer_as(&self, facts: Facts, body: Value) -> Response {
        match self.fault() {
            Ok(fault) => self.deliver(StatusCode::OK, body, fault, facts).await,
            Err(error) => error.into_response(),
        }
    }

    /// What is known of an answer that is no generation.
    fn nobody(&self) -> Facts {
        Facts {
            protocol: Protocol::Chat,
            id: String::new(),
            created: CREATED,
            model: String::new(),
            provider: "OpenRouter".to_owned(),
            retry_after: self.state.retry_after(),
        }
    }

    /// The first of the faults asked for that fires, where it changes such a call.
    fn fault(&self) -> Result<Option<&'static Fault>, ErrorBody> {
        let asked = self.headers.get(FAULT_HEADER);
        let selections = asked
            .and_then(|value| value.to_str().ok())
            .map_or(Ok(Vec::new()), fault::parse_list)
            .map_err(|message| ErrorBody::new(400, &message))?;
        if selections.is_empty() {
            return Ok(None);
        }
        let number = self.state.next_number(&self.call);
        let parts = [self.call.as_str(), &number.to_string(), "fault"];
        let mut rng = Rng::new(self.state.seed(), &parts);
        let fired = selections
            .iter()
            .find(|selection| selection.fires(number, &mut rng));
        Ok(fired.map(Selection::fault))
    }

    async fn deliver(
        &self,
        status: StatusCode,
        body: Value,
        fault: Option<&'static Fault>,
        facts: Facts,
    ) -> Response {
        let ops = fault.map(|fault| fault.ops(false)).unwrap_or_default();
        let pieces = vec![Piece::event(Place::Delta, body)];
        let mut script = fault::deliver(pieces, false, &facts, ops);
        if script.head.status == StatusCode::OK {
            script.head.status = status;
        }
        match &self.wire {
            Some(wire) => play(script, wire, self.state.timing()).await,
            None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        }
    }
}
