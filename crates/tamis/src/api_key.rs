//! A key that cannot be printed.

use std::borrow::Cow;
use std::fmt;

use memchr::memmem;
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

    /// Replaces every occurrence of the key in bytes.
    pub(crate) fn redact<'a>(&self, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        let key = self.expose().as_bytes();
        let finder = memmem::Finder::new(key);
        if key.is_empty() || finder.find(bytes).is_none() {
            return Cow::Borrowed(bytes);
        }
        let mut clean = Vec::with_capacity(bytes.len());
        let mut rest = bytes;
        while let Some(at) = finder.find(rest) {
            let (before, from) = rest.split_at(at);
            clean.extend_from_slice(before);
            clean.extend_from_slice(b"[redacted]");
            rest = from.split_at(key.len()).1;
        }
        clean.extend_from_slice(rest);
        Cow::Owned(clean)
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

#[cfg(test)]
mod tests {
    use super::ApiKey;

    #[test]
    fn every_occurrence_goes() {
        let key = ApiKey::from(" sk-1 \n");
        assert_eq!(
            &*key.redact(b"sk-1 and sk-1sk-1"),
            b"[redacted] and [redacted][redacted]"
        );
        assert_eq!(&*key.redact(b"sk-"), b"sk-");
        assert_eq!(&*ApiKey::from("").redact(b"text"), b"text");
    }
}
