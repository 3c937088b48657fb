//! Fields that this crate does not know, kept as they came.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

/// The fields of an object that have no place of their own, in the order in which they came; of what
/// is read whole those too that are null, which say as little as a missing one.
///
/// Costs one pointer where there are none.
///
/// ```
/// let body = r#"{"choices":[],"timings":{"predicted_n":3}}"#;
/// let completion: tamis_wire::Completion = serde_json::from_str(body)?;
/// assert_eq!(completion.extra.get("timings").unwrap()["predicted_n"], 3);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Default, PartialEq)]
pub struct Extra(Option<Box<Map<String, Value>>>);

impl Extra {
    /// The value of a field.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.as_ref()?.get(name)
    }

    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        self.0.as_mut()?.get_mut(name)
    }

    /// The text of a field that holds a string.
    pub fn get_str(&self, name: &str) -> Option<&str> {
        self.get(name)?.as_str()
    }

    /// All fields.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0
            .iter()
            .flat_map(|map| map.iter())
            .map(|(name, value)| (name.as_str(), value))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.as_ref().is_none_or(|map| map.is_empty())
    }

    /// Sets a field; a field that is there already keeps its place.
    pub fn insert(&mut self, name: &str, value: Value) {
        self.0
            .get_or_insert_default()
            .insert(name.to_owned(), value);
    }

    pub(crate) fn remove(&mut self, name: &str) {
        if let Some(map) = &mut self.0 {
            map.shift_remove(name);
            if map.is_empty() {
                self.0 = None;
            }
        }
    }

    /// Sets a field unless it is null, which counts as missing.
    pub(crate) fn insert_known(&mut self, name: &str, value: Option<Value>) {
        if let Some(value) = value {
            self.insert(name, value);
        }
    }

    /// Takes over another object's fields; null does not overwrite.
    pub(crate) fn merge(&mut self, other: &Self) {
        for (name, value) in other.iter().filter(|(_, value)| !value.is_null()) {
            self.insert(name, value.clone());
        }
    }
}

/// Names only: an unknown field may hold an answer's text.
impl std::fmt::Debug for Extra {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_list()
            .entries(self.iter().map(|(name, _)| name))
            .finish()
    }
}

impl FromIterator<(String, Value)> for Extra {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(fields: I) -> Self {
        let map: Map<String, Value> = fields.into_iter().collect();
        Self((!map.is_empty()).then(|| Box::new(map)))
    }
}

impl Serialize for Extra {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in self.iter() {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}
