//! `POST /chat/completions`, and the same answers in the Responses and the Messages protocol.

mod answer;
mod check;
mod messages;
mod native;
mod render;
mod request;
mod responses;
mod route;

use axum::http::HeaderMap;
use serde_json::json;

use crate::catalogue::{self, Gives};
use crate::error_body::ErrorBody;
use crate::fault::{self, EditContext, FAULT_HEADER, Facts, Fault, Said, Selection};
use crate::net::Script;
use crate::protocol::Protocol;
use crate::rng::Rng;
use crate::state::{Generation, State};

use request::Request;

/// The header that names a request, so that its outcome does not depend on how many came before.
const KEY_HEADER: &str = "x-tamis-key";

/// Works out the answer. Everything in it depends on the seed, the model and the number of the
/// request (or its key) alone.
pub(crate) fn answer(
    state: &State,
    protocol: Protocol,
    headers: &HeaderMap,
    body: &[u8],
) -> Result<Script, ErrorBody> {
    let request = Request::read(&native::as_chat(protocol, body)?)?;
    let selections = header(headers, FAULT_HEADER)
        .map_or(Ok(Vec::new()), fault::parse_list)
        .map_err(|message| ErrorBody::new(400, &message))?;
    let model = catalogue::find(&request.model).ok_or_else(|| unknown_model(&request.model))?;
    if model.gives == Gives::Decisions {
        // As observed.
        let message = format!(
            "{} is a decisions model and cannot be used with the chat/completions endpoint. Use the /api/alpha/decisions endpoint instead.",
            request.model
        );
        return Err(ErrorBody::new(400, &message));
    }

    let number = state.next_number(&request.model);
    let own_key = header(headers, KEY_HEADER);
    let key = own_key.map_or_else(|| number.to_string(), |key| format!("key {key}"));
    let rng = |purpose: &str| Rng::new(state.seed(), &[&request.model, &key, purpose]);

    let endpoint = route::choose(&request, model.endpoints, &mut rng("route"))?;
    // What providers get wrong by themselves is JSON.
    let own = if request.wants_json() {
        endpoint.faults
    } else {
        &[]
    };
    let fault = strike(&selections, &model.faults, own, number, &mut rng("fault"))
        .filter(|fault| fault.applies_to().covers(request.stream));

    // The clock ticks once per request; a request with a key has its own time.
    let tick = match own_key {
        Some(_) => rng("clock").next() % 86_400,
        None => number,
    };
    let created = catalogue::CREATED.saturating_add(tick);
    let facts = Facts {
        protocol,
        id: format!("gen-{created}-{}", rng("id").token(20)),
        created,
        model: request.model.clone(),
        provider: endpoint.provider.to_owned(),
        retry_after: state.retry_after(),
    };
    let choices: Vec<Said> = (0..request.choices)
        .map(|index| {
            let mut rng = rng(&format!("choice {index}"));
            let mut said = answer::say(&request, endpoint, &mut rng);
            let mut context = EditContext {
                rng: &mut rng,
                call: &mut |rng| answer::call(&request, rng),
            };
            for edit in fault.map(Fault::edits).unwrap_or_default() {
                edit.apply(&mut said, &mut context);
            }
            said
        })
        .collect();

    let stream = request.stream != fault.is_some_and(Fault::flips);
    let telling = render::Telling {
        request: &request,
        endpoint,
        facts: &facts,
        choices: &choices,
        metadata: header(headers, "x-openrouter-metadata")
            .is_some_and(|value| value.eq_ignore_ascii_case("enabled")),
        available: model.endpoints,
    };
    let pieces = if stream {
        telling.stream(&mut rng("fragments"))
    } else {
        telling.plain()
    };
    state.remember(Generation {
        id: facts.id.clone(),
        api_type: "completions",
        model: request.model.clone(),
        provider: endpoint.provider.to_owned(),
        created,
        streamed: request.stream,
        finish: choices.first().map(|said| said.finish.clone()),
        usage: telling.usage(),
    });
    // A flipped answer is changed by the ops for what it is, of which flipping faults have none.
    let ops = fault.map(|fault| fault.ops(stream)).unwrap_or_default();
    Ok(fault::deliver(pieces, stream, &facts, ops))
}

/// The first fault that fires: the request's, then the model's, then the endpoint's.
fn strike(
    asked: &[Selection],
    model: &[Selection],
    own: &[(&str, f64)],
    number: u64,
    rng: &mut Rng,
) -> Option<&'static Fault> {
    let own: Vec<Selection> = own
        .iter()
        .filter_map(|(name, probability)| {
            Some(Selection::chance(Fault::named(name)?, *probability))
        })
        .collect();
    asked
        .iter()
        .chain(model)
        .chain(&own)
        .find(|selection| selection.fires(number, rng))
        .map(Selection::fault)
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

pub(crate) fn unknown_model(model: &str) -> ErrorBody {
    ErrorBody::new(400, &format!("{model} is not a valid model ID"))
        .with_type("invalid_request")
        .with_availability(json!({
            "code": "model_not_found",
            "retryable": false,
            "requested_models": [model],
            "docs_url": "https://openrouter.ai/docs/errors",
        }))
}
