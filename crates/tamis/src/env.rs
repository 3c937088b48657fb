//! What the environment says.

use crate::api_key::ApiKey;

/// The variables that hold a key; the first one that is set counts.
pub(crate) const KEY_VARIABLES: [&str; 2] = ["OPENROUTER_API_KEY", "TAMIS_API_KEY"];

/// The variable that holds a base URL.
pub(crate) const BASE_URL_VARIABLE: &str = "TAMIS_BASE_URL";

pub(crate) fn api_key() -> Option<ApiKey> {
    KEY_VARIABLES
        .into_iter()
        .find_map(variable)
        .map(ApiKey::from)
}

pub(crate) fn base_url() -> Option<String> {
    variable(BASE_URL_VARIABLE)
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name)
        .ok()
        .map(|value| value.trim().to_owned())
        .filter(|value| !value.is_empty())
}
