//! A list of models.

use tamis_wire::catalogue::Model;

/// Models, all of them or a page.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ModelList {
    /// The models, in the server's order.
    pub models: Vec<Model>,
    /// Where the next page is, where there is one.
    pub next: Option<String>,
    /// How many there are on all pages.
    pub total_count: Option<u64>,
}

impl ModelList {
    /// The model of this id, or of this slug with a date; an id comes first.
    pub fn get(&self, id: &str) -> Option<&Model> {
        self.models
            .iter()
            .find(|model| model.id == id)
            .or_else(|| self.models.iter().find(|model| model.is_called(id)))
    }
}
