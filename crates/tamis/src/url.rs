//! A server's base URL.

use reqwest::Url;
use tamis_wire::{Failure, FailureKind};

/// The part of every address that is the server's.
#[derive(Clone, Debug)]
pub(crate) struct BaseUrl(Url);

impl BaseUrl {
    pub(crate) const OPENROUTER: &'static str = "https://openrouter.ai/api/v1";

    /// Reads an `http` or `https` address without user, query or fragment.
    pub(crate) fn parse(text: &str) -> Result<Self, Failure> {
        let refuse =
            |reason: &str| Failure::new(FailureKind::Validation, format!("base URL: {reason}"));
        let mut url = Url::parse(text.trim()).map_err(|error| refuse(&error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
            return Err(refuse("not an http or https address"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refuse(
                "holds a user or a password; give the key on its own",
            ));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(refuse("holds a query or a fragment"));
        }
        let path = url.path().trim_end_matches('/').to_owned();
        if path.ends_with("/chat/completions") {
            return Err(refuse(
                "ends in /chat/completions; give what comes before it",
            ));
        }
        url.set_path(&path);
        Ok(Self(url))
    }

    /// The address of an endpoint, such as `chat/completions`. One that begins with `../` is beside the
    /// base URL's last segment: `../alpha/decisions` is no part of version 1.
    pub(crate) fn join(&self, path: &str) -> Url {
        let base = self.0.path().trim_end_matches('/');
        let (base, path) = match path.strip_prefix("../") {
            Some(path) => (base.rsplit_once('/').map_or("", |(before, _)| before), path),
            None => (base, path),
        };
        let mut url = self.0.clone();
        url.set_path(&format!("{base}/{path}"));
        url
    }

    /// Whether this is OpenRouter itself.
    pub(crate) fn is_openrouter(&self) -> bool {
        self.0
            .host_str()
            .is_some_and(|host| host == "openrouter.ai" || host.ends_with(".openrouter.ai"))
    }

    /// The host, and the port where it is not the scheme's.
    pub(crate) fn host(&self) -> String {
        let host = self.0.host_str().unwrap_or_default();
        self.0
            .port()
            .map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }
}

#[cfg(test)]
mod tests {
    use super::BaseUrl;

    #[test]
    fn paths_are_joined_once() {
        for base in [
            "http://127.0.0.1:8080/v1",
            "http://127.0.0.1:8080/v1/",
            " http://127.0.0.1:8080/v1 ",
        ] {
            let url = BaseUrl::parse(base).unwrap();
            assert_eq!(
                url.join("chat/completions").as_str(),
                "http://127.0.0.1:8080/v1/chat/completions"
            );
            assert_eq!(url.host(), "127.0.0.1:8080");
        }
        assert_eq!(
            BaseUrl::parse("http://localhost")
                .unwrap()
                .join("models")
                .as_str(),
            "http://localhost/models"
        );
    }

    #[test]
    fn what_is_beside_the_version() {
        for (base, url) in [
            (
                BaseUrl::OPENROUTER,
                "https://openrouter.ai/api/alpha/decisions",
            ),
            (
                "http://127.0.0.1:80/v1/",
                "http://127.0.0.1/alpha/decisions",
            ),
            ("http://127.0.0.1", "http://127.0.0.1/alpha/decisions"),
        ] {
            let joined = BaseUrl::parse(base).unwrap().join("../alpha/decisions");
            assert_eq!(joined.as_str(), url);
        }
    }

    #[test]
    fn what_is_no_base_url_is_refused() {
        for base in [
            "",
            "openrouter.ai",
            "ftp://x",
            "http://",
            "http://u:p@x/v1",
            "http://x/v1?a=b",
            "http://x/#y",
            "http://x/v1/chat/completions",
        ] {
            assert!(BaseUrl::parse(base).is_err(), "{base}");
        }
    }

    #[test]
    fn only_openrouter_is_openrouter() {
        assert!(BaseUrl::parse(BaseUrl::OPENROUTER).unwrap().is_openrouter());
        assert!(
            BaseUrl::parse("https://eu.openrouter.ai/api/v1")
                .unwrap()
                .is_openrouter()
        );
        assert!(
            !BaseUrl::parse("https://openrouter.ai.example/api/v1")
                .unwrap()
                .is_openrouter()
        );
        assert!(
            !BaseUrl::parse("https://notopenrouter.ai/api/v1")
                .unwrap()
                .is_openrouter()
        );
    }
}
