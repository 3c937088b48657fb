//! Which of a model's endpoints serves a request.

use serde_json::{Map, Value, json};

use super::request::Request;
use crate::catalogue::Endpoint;
use crate::error_body::ErrorBody;
use crate::rng::Rng;

/// Filters as `provider` says, then draws by weight, or takes the first of `provider.order`.
pub(super) fn choose<'a>(
    request: &Request,
    endpoints: &'a [Endpoint],
    rng: &mut Rng,
) -> Result<&'a Endpoint, ErrorBody> {
    let empty = Map::new();
    let provider = request.provider().unwrap_or(&empty);
    let flag = |key: &str| provider.get(key).and_then(Value::as_bool);
    let (order, only, ignore) = (
        names(provider, "order"),
        names(provider, "only"),
        names(provider, "ignore"),
    );
    let listed =
        |list: &[&str], endpoint: &Endpoint| list.iter().any(|name| endpoint.is_called(name));
    let pinned = !order.is_empty() && flag("allow_fallbacks") == Some(false);

    let allowed: Vec<&Endpoint> = endpoints
        .iter()
        .filter(|endpoint| only.is_empty() || listed(&only, endpoint))
        .filter(|endpoint| !listed(&ignore, endpoint))
        .filter(|endpoint| !pinned || listed(&order, endpoint))
        .collect();
    if allowed.is_empty() {
        return Err(none_left(
            request,
            "No allowed providers are available for the selected model.",
            "allowed_providers",
        ));
    }
    let capable = capable(request, &allowed, flag("require_parameters") == Some(true))?;

    for name in &order {
        if let Some(endpoint) = capable.iter().find(|endpoint| endpoint.is_called(name)) {
            return Ok(endpoint);
        }
    }
    let cheapest = provider.get("sort").is_some_and(|sort| {
        sort.as_str() == Some("price") || sort.get("by").and_then(Value::as_str) == Some("price")
    });
    let chosen = if cheapest {
        let by_price = |a: &&&Endpoint, b: &&&Endpoint| a.prompt_price.total_cmp(&b.prompt_price);
        capable.iter().min_by(by_price).copied()
    } else {
        draw(&capable, rng)
    };
    chosen.ok_or_else(|| none_left(request, NOT_CAPABLE, "require_parameters"))
}

const NOT_CAPABLE: &str = "No endpoints found that can handle the requested parameters. To learn more about provider routing, visit: https://openrouter.ai/docs/guides/routing/provider-selection";

/// Those that can do what is asked. Where `strictly` is false, most parameters are dropped
/// silently; tools and structured outputs are preferred where some endpoint has them.
fn capable<'a>(
    request: &Request,
    allowed: &[&'a Endpoint],
    strictly: bool,
) -> Result<Vec<&'a Endpoint>, ErrorBody> {
    const PREFERRED: &[&str] = &[
        "tools",
        "response_format",
        "structured_outputs",
        "verbosity",
    ];
    let parameters = request.parameters();
    let able = |endpoint: &Endpoint, all: bool| {
        parameters
            .iter()
            .filter(|parameter| all || PREFERRED.contains(parameter))
            .all(|parameter| endpoint.supports(parameter))
    };
    let left: Vec<&Endpoint> = allowed
        .iter()
        .copied()
        .filter(|endpoint| able(endpoint, strictly))
        .collect();
    match (left.is_empty(), strictly) {
        (false, _) => Ok(left),
        (true, false) => Ok(allowed.to_vec()),
        (true, true) => Err(none_left(request, NOT_CAPABLE, "require_parameters")),
    }
}

fn names<'a>(provider: &'a Map<String, Value>, key: &str) -> Vec<&'a str> {
    let list = provider.get(key).and_then(Value::as_array);
    list.into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

fn draw<'a>(endpoints: &[&'a Endpoint], rng: &mut Rng) -> Option<&'a Endpoint> {
    let total: usize = endpoints.iter().map(|endpoint| endpoint.weight).sum();
    let mut ticket = rng.below(total);
    for endpoint in endpoints {
        match ticket.checked_sub(endpoint.weight) {
            Some(rest) => ticket = rest,
            None => return Some(endpoint),
        }
    }
    None
}

fn none_left(request: &Request, message: &str, excluded_by: &str) -> ErrorBody {
    ErrorBody::new(404, message)
        .with_type("not_found")
        .with_availability(json!({
            "code": "constraint_filtered",
            "retryable": false,
            "requested_models": [request.model],
            "excluded_by": [excluded_by],
            "docs_url": "https://openrouter.ai/docs/errors",
        }))
}
