//! A body as JSON.

use serde_json::Value;

/// Parses a whole text; of a key that comes twice, the last one counts. Why it failed is not told,
/// since the reason may quote the text.
pub(super) fn parse(text: &[u8]) -> Option<Value> {
    serde_json::from_slice(text).ok()
}
