//! A key that cannot be printed.

use std::fmt;

use secrecy::{ExposeSecret, SecretString};

/// An API key.
///
/// Neither `Debug` nor anything else prints it, and its memory is overwritten when it is dropped.
///
/// ```
/// let key = tamis::ApiKey::from("sk-secret");
/// assert_eq!(format!("{key:?}"), "ApiKey([redacted])");
/// ```
#[derive(Clone)]
pub struct ApiKey(SecretString);

impl ApiKey {
    /// The key itself. Whoever asks for it answers for where it goes.
    pub(crate) fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    /// Replaces every occurrence of the key in a text.
    pub fn redact(&self, text: &str) -> String {
        let key = self.expose();
        if key.is_empty() {
            text.to_owned()
        } else {
            text.replace(key, "[redacted]")
        }
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ApiKey([redacted])")
    }
}

/// White space around a key, such as a file's last line end, is not part of it.
impl From<&str> for ApiKey {
    fn from(key: &str) -> Self {
        Self(SecretString::from(key.trim()))
    }
}

impl From<String> for ApiKey {
    fn from(key: String) -> Self {
        Self::from(key.as_str())
    }
}
