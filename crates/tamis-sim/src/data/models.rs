//! Models, who serves them, and providers.

use axum::extract::{Path, Query};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::answer::Asked;
use crate::catalogue::{self, CONTEXT, Gives, Model};
use crate::error_body::ErrorBody;

/// What a list of models is asked for. Everything else that OpenRouter knows is taken and ignored.
#[derive(Debug, Default, Deserialize)]
pub(super) struct ModelsQuery {
    q: Option<String>,
    supported_parameters: Option<String>,
    input_modalities: Option<String>,
    output_modalities: Option<String>,
    model_authors: Option<String>,
    providers: Option<String>,
    arch: Option<String>,
    context: Option<u64>,
    min_price: Option<f64>,
    max_price: Option<f64>,
    min_output_price: Option<f64>,
    max_output_price: Option<f64>,
    zdr: Option<bool>,
    sort: Option<String>,
    offset: Option<usize>,
    limit: Option<usize>,
}

/// The orders there are.
const SORTS: &[&str] = &[
    "most-popular",
    "newest",
    "top-weekly",
    "pricing-low-to-high",
    "pricing-high-to-low",
    "context-high-to-low",
    "throughput-high-to-low",
    "latency-low-to-high",
    "intelligence-high-to-low",
    "coding-high-to-low",
    "agentic-high-to-low",
    "design-arena-elo-high-to-low",
];

/// The largest page, and the page where only an offset is given.
const LARGEST_PAGE: usize = 1000;
const USUAL_PAGE: usize = 500;

impl ModelsQuery {
    /// The name of a parameter that is out of its range.
    fn mistake(&self) -> Option<&'static str> {
        let is_unknown = |sort: &String| !SORTS.contains(&sort.as_str());
        if self.sort.as_ref().is_some_and(is_unknown) {
            return Some("sort");
        }
        let is_page = |limit: usize| (1..=LARGEST_PAGE).contains(&limit);
        (!self.limit.is_none_or(is_page)).then_some("limit")
    }

    fn admits(&self, model: &Model) -> bool {
        let (prompt, completion) = model.prices();
        let listing = model.listing();
        let architecture = listing.get("architecture");
        let among = |object: Option<&Value>, key: &str, wanted: Option<&str>| {
            let there = object.and_then(|object| object.get(key)?.as_array());
            words(wanted).all(|word| there.is_some_and(|there| there.contains(&json!(word))))
        };
        let output = self.output_modalities.as_deref().unwrap_or("text");
        let output = Some(output).filter(|output| *output != "all");
        self.q.as_ref().is_none_or(|part| {
            let part = part.to_ascii_lowercase();
            model.id.to_ascii_lowercase().contains(&part)
        }) && among(
            Some(&listing),
            "supported_parameters",
            self.supported_parameters.as_deref(),
        ) && among(
            architecture,
            "input_modalities",
            self.input_modalities.as_deref(),
        ) && among(architecture, "output_modalities", output)
            && any(self.model_authors.as_deref(), |author| {
                model.id.split('/').next() == Some(author)
            })
            && any(self.providers.as_deref(), |provider| {
                model.is_served_by(provider)
            })
            && self.arch.as_ref().is_none_or(|arch| arch == "Other")
            && self.context.is_none_or(|least| CONTEXT >= least)
            && self.min_price.is_none_or(|least| prompt >= least)
            && self.max_price.is_none_or(|most| prompt <= most)
            && self
                .min_output_price
                .is_none_or(|least| completion >= least)
            && self.max_output_price.is_none_or(|most| completion <= most)
            && (self.zdr != Some(true) || model.has_zdr())
    }
}

fn words(list: Option<&str>) -> impl Iterator<Item = &str> {
    list.into_iter().flat_map(|list| list.split(','))
}

/// Whether there is no list, or one of its words will do.
fn any(list: Option<&str>, will_do: impl Fn(&str) -> bool) -> bool {
    list.is_none() || words(list).any(will_do)
}

pub(super) async fn list(asked: Asked, Query(query): Query<ModelsQuery>) -> Response {
    if let Some(name) = query.mistake() {
        return refuse(name);
    }
    let mut models: Vec<Model> = catalogue::listed();
    models.retain(|model| query.admits(model));
    let by_price = |one: &Model, other: &Model| one.prices().0.total_cmp(&other.prices().0);
    match query.sort.as_deref() {
        Some("pricing-low-to-high") => models.sort_by(by_price),
        Some("pricing-high-to-low") => models.sort_by(|one, other| by_price(other, one)),
        _ => {}
    }
    let total = models.len();
    let offset = query.offset.unwrap_or(0);
    let limit = match (query.limit, query.offset) {
        (Some(limit), _) => limit,
        (None, Some(_)) => USUAL_PAGE,
        (None, None) => total,
    };
    let page: Vec<Value> = models
        .iter()
        .skip(offset)
        .take(limit)
        .map(Model::listing)
        .collect();
    let after = offset.saturating_add(page.len());
    let next = (after < total && !page.is_empty())
        .then(|| format!("/api/v1/models?offset={after}&limit={limit}"));
    let body = json!({"data": page, "links": {"next": next}, "total_count": total});
    asked.answer(body).await
}

/// The other shape of an error, without a code.
fn refuse(name: &str) -> Response {
    let problems = json!([{"code": "invalid_value", "path": [name], "message": "Invalid input"}]);
    let body = json!({
        "success": false,
        "error": {"name": "ZodError", "message": problems.to_string()},
    });
    (StatusCode::BAD_REQUEST, axum::Json(body)).into_response()
}

pub(super) async fn one(asked: Asked, Path((author, slug)): Path<(String, String)>) -> Response {
    match catalogue::resolve(&format!("{author}/{slug}")) {
        Some(model) => asked.answer(json!({"data": model.listing()})).await,
        None => no_model(),
    }
}

pub(super) async fn endpoints(
    asked: Asked,
    Path((author, slug)): Path<(String, String)>,
) -> Response {
    match catalogue::resolve(&format!("{author}/{slug}")) {
        Some(model) => {
            let data = model.endpoint_listing(asked.has_key());
            asked.answer(json!({"data": data})).await
        }
        None => no_model(),
    }
}

fn no_model() -> Response {
    ErrorBody::new(404, "Model not found")
        .with_type("not_found")
        .into_response()
}

pub(super) async fn zdr(asked: Asked) -> Response {
    let data = catalogue::zdr_listing(asked.has_key());
    asked.answer(json!({"data": data})).await
}

pub(super) async fn providers(asked: Asked) -> Response {
    asked.answer(json!({"data": catalogue::providers()})).await
}

pub(super) async fn embeddings(asked: Asked) -> Response {
    let models = catalogue::listed();
    let data: Vec<Value> = models
        .iter()
        .filter(|model| model.gives == Gives::Embeddings)
        .map(Model::listing)
        .collect();
    let body = json!({"total_count": data.len(), "links": {"next": null}, "data": data});
    asked.answer(body).await
}
