//! What may be mended in an answer to a schema.

use serde_json::Value;
use tamis_json::Policy;

use crate::wanted::wanted;

/// The default policy, told which kind of document a schema asks for.
///
/// ```
/// use tamis::{json::repair, report::policy_for};
///
/// let policy = policy_for(&serde_json::json!({"type": "object"}));
/// let text = r#""{\"a\": 1}""#;
/// assert!(repair(text, &policy)?.value.is_object());
/// # Ok::<(), tamis::json::RepairError>(())
/// ```
pub fn policy_for(schema: &Value) -> Policy {
    Policy::default().wanting(wanted(schema))
}
