//! Finding a model by any of its names.

use std::future::Future;
use std::sync::Arc;

use tamis_wire::Failure;
use tamis_wire::catalogue::{Model, ModelId};

use super::calls::{is_not_found, model_id};
use super::{ModelList, ModelsQuery};

/// A model, and by which of its names it was found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Found {
    /// The model.
    pub model: Model,
    /// By what.
    pub by: FoundBy,
}

/// By what a model was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FoundBy {
    /// Its id, in the list.
    Id,
    /// Its slug with a date, in the list.
    DatedSlug,
    /// An alias in the list, which leads to it.
    Alias,
    /// Its id with a variant that only routes, such as `:nitro`.
    RoutingVariant,
    /// It is not in the list; the server knows it all the same.
    Asking,
}

/// Where models come from.
pub(crate) trait Source: Sync {
    fn speaks_openrouter(&self) -> bool;

    /// The list for a query.
    fn listed(
        &self,
        query: &ModelsQuery,
    ) -> impl Future<Output = Result<Arc<ModelList>, Failure>> + Send;

    /// One model, asked for by itself.
    fn asked(&self, id: &str) -> impl Future<Output = Result<Model, Failure>> + Send;
}

pub(crate) async fn find<S: Source>(source: &S, id: &str) -> Result<Option<Found>, Failure> {
    if !source.speaks_openrouter() {
        let list = source.listed(&ModelsQuery::new()).await?;
        let found = list.get(id).cloned();
        return Ok(found.map(|model| Found {
            model,
            by: FoundBy::Id,
        }));
    }
    model_id(id)?;
    // Without it the list holds only what gives text.
    let everything = ModelsQuery::new().output_modalities(["all"]);
    let list = source.listed(&everything).await?;
    if let Some(found) = find_in(&list, id) {
        return Ok(Some(found));
    }
    match source.asked(id).await {
        Ok(model) => Ok(Some(Found {
            model,
            by: FoundBy::Asking,
        })),
        Err(failure) if is_not_found(&failure) => Ok(None),
        Err(failure) => Err(failure),
    }
}

fn find_in(list: &ModelList, id: &str) -> Option<Found> {
    if let Some(model) = list.get(id) {
        if let Some(target) = behind(model).and_then(|slug| list.get(slug)) {
            return Some(Found {
                model: target.clone(),
                by: FoundBy::Alias,
            });
        }
        let by = if model.id == id {
            FoundBy::Id
        } else {
            FoundBy::DatedSlug
        };
        return Some(Found {
            model: model.clone(),
            by,
        });
    }
    let parsed = ModelId::parse(id).filter(ModelId::is_routing_variant)?;
    let base = find_in(list, parsed.base())?;
    Some(Found {
        by: FoundBy::RoutingVariant,
        ..base
    })
}

/// The slug that an alias leads to.
fn behind(model: &Model) -> Option<&str> {
    let slug = model.alias_target.as_ref()?.slug.as_deref()?;
    // A model that is said to be its own alias is no alias.
    (!model.is_called(slug)).then_some(slug)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{FoundBy, find_in};
    use crate::catalogue::ModelList;

    fn list() -> ModelList {
        let models = json!([
            {"id": "a/b", "canonical_slug": "a/b-20260101"},
            {"id": "a/b:free", "canonical_slug": "a/b-20260101"},
            {"id": "~a/b-latest", "alias_target": {"slug": "a/b-20260101"}},
            {"id": "~a/gone-latest", "alias_target": {"slug": "a/gone"}},
            {"id": "~a/self", "alias_target": {"slug": "~a/self"}},
        ]);
        ModelList {
            models: serde_json::from_value(models).unwrap(),
            ..ModelList::default()
        }
    }

    #[test]
    fn by_every_name() {
        for (id, model, by) in [
            ("a/b", "a/b", FoundBy::Id),
            ("a/b:free", "a/b:free", FoundBy::Id),
            ("a/b-20260101", "a/b", FoundBy::DatedSlug),
            ("~a/b-latest", "a/b", FoundBy::Alias),
            // What the list does not resolve is still the alias's own entry.
            ("~a/gone-latest", "~a/gone-latest", FoundBy::Id),
            ("~a/self", "~a/self", FoundBy::Id),
            ("a/b:nitro", "a/b", FoundBy::RoutingVariant),
            ("~a/b-latest:floor", "a/b", FoundBy::RoutingVariant),
        ] {
            let found = find_in(&list(), id).unwrap();
            assert_eq!((found.model.id.as_str(), found.by), (model, by), "{id}");
        }
        // Not every model has a thinking variant, so the list alone cannot say.
        for id in ["a/b:thinking", "a/c", "a/c:nitro"] {
            assert!(find_in(&list(), id).is_none(), "{id}");
        }
    }
}
