//! Compiled schemas that are used again.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use crate::error::SchemaError;
use crate::validate::{Validator, ValidatorOptions};

/// A schema whose text is longer is compiled each time.
const MAX_TEXT: usize = 256 << 10;

/// Compiles each schema once, and keeps so many of them, those that were used last.
///
/// Two schemas are the same if their JSON texts are, and the options. A schema of more than 256 KiB is not kept, and a
/// failure never is.
///
/// ```
/// use std::sync::Arc;
/// use serde_json::json;
/// use tamis_schema::ValidatorCache;
///
/// let cache = ValidatorCache::new(8);
/// let first = cache.get(&json!({"type": "integer"}))?;
/// let again = cache.get(&json!({"type": "integer"}))?;
/// assert!(Arc::ptr_eq(&first, &again));
/// # Ok::<(), tamis_schema::SchemaError>(())
/// ```
pub struct ValidatorCache {
    capacity: usize,
    /// The one that was used last comes first.
    kept: Mutex<VecDeque<(String, Arc<Validator>)>>,
}

impl ValidatorCache {
    /// Keeps at most so many.
    pub const fn new(capacity: usize) -> Self {
        Self {
            capacity,
            kept: Mutex::new(VecDeque::new()),
        }
    }

    /// The validator of a schema, with the default options.
    ///
    /// # Errors
    /// As for [`Validator::new`].
    pub fn get(&self, schema: &Value) -> Result<Arc<Validator>, SchemaError> {
        self.get_with(schema, &ValidatorOptions::new())
    }

    /// The validator of a schema, made with these options.
    ///
    /// # Errors
    /// As for [`Validator::new`].
    pub fn get_with(
        &self,
        schema: &Value,
        options: &ValidatorOptions,
    ) -> Result<Arc<Validator>, SchemaError> {
        let text = format!("{}{schema}", options.key());
        if text.len() > MAX_TEXT || self.capacity == 0 {
            return options.build(schema).map(Arc::new);
        }
        {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            let place = kept.iter().position(|(known, _)| *known == text);
            if let Some(found) = place.and_then(|place| kept.remove(place)) {
                let validator = Arc::clone(&found.1);
                kept.push_front(found);
                return Ok(validator);
            }
        }
        // Compiled without the lock, so that a large schema keeps nobody waiting.
        let validator = options.build(schema).map(Arc::new)?;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if !kept.iter().any(|(known, _)| *known == text) {
            kept.push_front((text, Arc::clone(&validator)));
            kept.truncate(self.capacity);
        }
        Ok(validator)
    }
}

impl fmt::Debug for ValidatorCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValidatorCache")
            .field("capacity", &self.capacity)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Value, json};

    use super::ValidatorCache;

    #[test]
    fn those_used_last_are_kept() {
        let cache = ValidatorCache::new(2);
        let get = |n: u64| cache.get(&json!({"minimum": n})).unwrap();
        let (one, two) = (get(1), get(2));
        assert!(Arc::ptr_eq(&one, &get(1)));
        get(3);
        assert!(Arc::ptr_eq(&one, &get(1)));
        assert!(!Arc::ptr_eq(&two, &get(2)));
    }

    #[test]
    fn what_is_no_schema_or_too_large_is_not_kept() {
        let cache = ValidatorCache::new(2);
        assert!(cache.get(&json!({"type": "wibble"})).is_err());
        assert!(cache.get(&json!({"type": "wibble"})).is_err());
        let large: Vec<Value> = (0..60_000).map(Value::from).collect();
        let large = json!({"enum": large});
        assert!(!Arc::ptr_eq(
            &cache.get(&large).unwrap(),
            &cache.get(&large).unwrap()
        ));
    }
}
