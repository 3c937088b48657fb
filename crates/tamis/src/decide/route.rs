//! By which means a model decides, and how that is known.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use tamis_wire::catalogue::Model;
use tamis_wire::{Failure, FailureKind};
use tokio::time::{Instant, timeout_at};

use crate::catalogue::is_not_found;
use crate::client::Client;

/// By which means a model decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Via {
    /// The Decisions API.
    Decisions,
    /// A structured completion, whose schema has an enum of the allowed answers.
    Completion,
}

impl Via {
    /// Its name: `decisions`, `completion`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Decisions => "decisions",
            Self::Completion => "completion",
        }
    }

    const fn other(self) -> Self {
        match self {
            Self::Decisions => Self::Completion,
            Self::Completion => Self::Decisions,
        }
    }
}

impl fmt::Display for Via {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// How it was known by which means a model decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KnownBy {
    /// The caller said so: [`Decide::via`](super::Decide::via).
    Caller,
    /// The server is not OpenRouter, and has completions only.
    Server,
    /// The catalogue says whether decisions are among what the model gives.
    Catalogue,
    /// Asked by the other means, the server refused with a 400 that says so.
    Refusal,
    /// The catalogue does not say; the Decisions API was asked, and did not refuse.
    Trial,
}

impl KnownBy {
    /// Its name: `caller`, `server`, `catalogue`, `refusal`, `trial`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Caller => "caller",
            Self::Server => "server",
            Self::Catalogue => "catalogue",
            Self::Refusal => "refusal",
            Self::Trial => "trial",
        }
    }
}

impl fmt::Display for KnownBy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// By which means, and how that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Route {
    pub(super) via: Via,
    pub(super) known_by: KnownBy,
}

impl Route {
    pub(super) fn new(via: Via, known_by: KnownBy) -> Self {
        Self { via, known_by }
    }

    /// The other one, after a refusal.
    pub(super) fn refused(self) -> Self {
        Self::new(self.via.other(), KnownBy::Refusal)
    }
}

/// Models remembered at most.
const MOST_KEPT: usize = 256;

/// What is known of the models that a client asked: a decision need not ask the catalogue each time.
#[derive(Debug, Default)]
pub(crate) struct Routes(Mutex<BTreeMap<String, Route>>);

impl Routes {
    fn get(&self, model: &str) -> Option<Route> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(model).copied()
    }

    pub(super) fn keep(&self, model: &str, route: Route) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever asks so many models loses a request now and then, and no memory.
        if known.len() >= MOST_KEPT && !known.contains_key(model) {
            known.clear();
        }
        known.insert(model.to_owned(), route);
    }
}

/// The means for a model of which the caller said nothing.
pub(super) async fn find(client: &Client, model: &str, until: Instant) -> Result<Route, Failure> {
    if let Some(known) = client.shared.routes.get(model) {
        return Ok(known);
    }
    if !client.speaks_openrouter() {
        return Ok(Route::new(Via::Completion, KnownBy::Server));
    }
    let Ok(found) = timeout_at(until, client.model(model)).await else {
        let message = "no word of the model from the catalogue in time";
        return Err(Failure::new(FailureKind::Timeout, message));
    };
    let said = match found {
        Ok(model) => gives_decisions(&model),
        Err(failure) if is_not_found(&failure) => None,
        Err(failure) => return Err(failure),
    };
    Ok(match said {
        Some(true) => Route::new(Via::Decisions, KnownBy::Catalogue),
        Some(false) => Route::new(Via::Completion, KnownBy::Catalogue),
        // A refusal costs nothing, and a completion would.
        None => Route::new(Via::Decisions, KnownBy::Trial),
    })
}

/// None where the catalogue lists nothing that it gives.
fn gives_decisions(model: &Model) -> Option<bool> {
    let modalities = &model.architecture.as_ref()?.output_modalities;
    (!modalities.is_empty()).then(|| modalities.iter().any(|name| name == "decisions"))
}

/// Whether the server refused because the model is to be asked by the other means.
pub(super) fn is_wrong_endpoint(failure: &Failure, via: Via) -> bool {
    if failure.status() != Some(400) {
        return false;
    }
    let availability = failure
        .details()
        .and_then(|details| details.availability.as_ref());
    if availability.and_then(|availability| availability.code.as_deref()) == Some("wrong_endpoint")
    {
        return true;
    }
    // The words of OpenRouter's 400, which has no code for it.
    let message = failure.message();
    match via {
        Via::Completion => message.contains("is a decisions model"),
        Via::Decisions => message.contains("not a decisions model"),
    }
}

#[cfg(test)]
mod tests {
    use tamis_wire::read_response;

    use super::{KnownBy, MOST_KEPT, Route, Routes, Via, is_wrong_endpoint};

    #[test]
    fn a_refusal_that_names_the_other_means() {
        let observed = r#"{"error":{"message":"typesafe/jev-1.14 is a decisions model and cannot be used with the chat/completions endpoint. Use the /api/alpha/decisions endpoint instead.","code":400}}"#;
        let coded = r#"{"error":{"message":"x","availability":{"code":"wrong_endpoint","retryable":false}}}"#;
        let other = r#"{"error":{"code":400,"message":"Invalid request parameters"}}"#;
        for (status, body, completion, decisions) in [
            (400, observed, true, false),
            (400, coded, true, true),
            (400, other, false, false),
            (404, coded, false, false),
        ] {
            let failure = read_response(status, body.as_bytes()).unwrap_err();
            assert_eq!(
                is_wrong_endpoint(&failure, Via::Completion),
                completion,
                "{body}"
            );
            assert_eq!(
                is_wrong_endpoint(&failure, Via::Decisions),
                decisions,
                "{body}"
            );
        }
    }

    #[test]
    fn so_many_models_are_remembered() {
        let routes = Routes::default();
        let route = Route::new(Via::Decisions, KnownBy::Catalogue);
        for number in 0..=MOST_KEPT {
            routes.keep(&format!("a/{number}"), route);
        }
        assert_eq!(routes.get("a/0"), None);
        assert_eq!(routes.get(&format!("a/{MOST_KEPT}")), Some(route));
        assert_eq!(
            route.refused(),
            Route::new(Via::Completion, KnownBy::Refusal)
        );
    }
}
