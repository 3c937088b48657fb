//! What an account did on a day.

use crate::record::record;
use crate::usd::Usd;

record! {
    /// A day's use of one model at one endpoint.
    pub struct Activity {
        /// The day, in UTC: `2026-01-31`.
        date: String,
        /// The model, as `author/slug`.
        model: Option<String>,
        /// The same with the date of its version.
        model_permaslug: Option<String>,
        /// The endpoint.
        endpoint_id: Option<String>,
        /// The provider's display name.
        provider_name: Option<String>,
        /// Requests made.
        requests: Option<u64>,
        /// Tokens in.
        prompt_tokens: Option<u64>,
        /// Tokens out.
        completion_tokens: Option<u64>,
        /// Of these, spent on reasoning.
        reasoning_tokens: Option<u64>,
        /// Spent, in US dollars.
        usage: Option<Usd>,
        /// Used of the account's own provider keys, in US dollars.
        byok_usage_inference: Option<Usd>,
        /// The workspace, where it was asked for.
        workspace_id: Option<String>,
    }
}
