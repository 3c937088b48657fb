//! What is known of one problem: its name, its place, and the JSON that shows it.

use serde::Serialize;
use tamis::schema::Violation;

use crate::problem::Problem;

/// At most so many characters of an offending answer are kept.
pub const EXCERPT_CHARACTERS: usize = 2_000;

/// At most so many violations of one answer are kept.
pub(crate) const MOST_VIOLATIONS: usize = 20;

/// One problem of one request.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// Its name.
    pub problem: Problem,
    /// What exactly is wrong, in words; the server's own where it gave any.
    pub detail: String,
    /// The violations, the one that tells most first; at most 20.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<Place>,
    /// What came: the answer's text, or the server's error as JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offending: Option<Excerpt>,
}

/// One place where an answer breaks the schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Place {
    /// JSON Pointer into the answer; empty is the whole answer.
    pub instance: String,
    /// JSON Pointer into the schema.
    pub schema: String,
    /// The schema's keyword that does not hold.
    pub keyword: String,
    /// What is wrong, in words.
    pub message: String,
}

impl From<&Violation> for Place {
    fn from(violation: &Violation) -> Self {
        Self {
            instance: violation.instance.clone(),
            schema: violation.schema.clone(),
            keyword: violation.keyword.clone(),
            message: violation.message.clone(),
        }
    }
}

impl Finding {
    pub(crate) fn new(problem: Problem, detail: impl Into<String>) -> Self {
        Self {
            problem,
            detail: detail.into(),
            violations: Vec::new(),
            offending: None,
        }
    }

    pub(crate) fn with_offending(mut self, text: &str) -> Self {
        if !text.is_empty() {
            self.offending = Some(Excerpt::new(text));
        }
        self
    }

    /// What makes two findings the same problem: its name, and its place in the schema or, where
    /// it has none, its words.
    pub(crate) fn key(&self) -> (Problem, String) {
        let place = self.violations.first();
        let rest = place.map_or_else(
            || self.detail.clone(),
            |place| format!("{} {}", place.schema, without_indices(&place.instance)),
        );
        (self.problem, rest)
    }
}

/// A pointer with `*` for every index, so that each item of a list is the same place.
fn without_indices(pointer: &str) -> String {
    let is_index = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    pointer
        .split('/')
        .map(|part| if is_index(part) { "*" } else { part })
        .collect::<Vec<_>>()
        .join("/")
}

/// A text, shortened to [`EXCERPT_CHARACTERS`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Excerpt {
    /// The text, or its beginning.
    pub text: String,
    /// How many characters the whole text has.
    pub characters: usize,
}

impl Excerpt {
    /// Shortens a text.
    pub fn new(text: &str) -> Self {
        let end = text.char_indices().nth(EXCERPT_CHARACTERS);
        let kept = end.and_then(|(end, _)| text.get(..end)).unwrap_or(text);
        Self {
            text: kept.to_owned(),
            characters: text.chars().count(),
        }
    }

    /// Whether something was cut off.
    pub fn is_shortened(&self) -> bool {
        self.characters > EXCERPT_CHARACTERS
    }
}

#[cfg(test)]
mod tests {
    use super::{EXCERPT_CHARACTERS, Excerpt, without_indices};

    #[test]
    fn shortens_by_characters() {
        let whole = "é".repeat(EXCERPT_CHARACTERS);
        assert_eq!(Excerpt::new(&whole).text, whole);
        assert!(!Excerpt::new(&whole).is_shortened());
        let excerpt = Excerpt::new(&format!("{whole}x"));
        assert_eq!(excerpt.text, whole);
        assert_eq!(excerpt.characters, EXCERPT_CHARACTERS + 1);
        assert!(excerpt.is_shortened());
    }

    #[test]
    fn items_of_a_list_are_one_place() {
        assert_eq!(without_indices("/items/12/price"), "/items/*/price");
        assert_eq!(without_indices(""), "");
        assert_eq!(without_indices("/a1"), "/a1");
    }
}
