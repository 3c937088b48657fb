//! Keeping keys out of everything that is printed.

use std::fmt;

/// Where a key may come from, in this order.
pub(crate) const KEY_VARIABLES: [&str; 2] = ["OPENROUTER_API_KEY", "TAMIS_API_KEY"];

/// What stands where a key stood.
const REDACTED: &str = "[redacted]";

/// A shorter key is a placeholder (`EMPTY`, `x`), and would be found in ordinary words.
const SHORTEST: usize = 6;

/// The keys that must not be printed, whoever sends them back.
#[derive(Default)]
pub(crate) struct Secrets(Vec<String>);

impl Secrets {
    /// The keys in the environment.
    pub(crate) fn from_env() -> Self {
        let mut secrets = Self::default();
        for variable in KEY_VARIABLES {
            if let Ok(key) = std::env::var(variable) {
                secrets.add(&key);
            }
        }
        secrets
    }

    /// Adds a key, as it is and as JSON text holds it.
    pub(crate) fn add(&mut self, key: &str) {
        let key = key.trim();
        let escaped = serde_json::Value::from(key).to_string();
        for form in [key, escaped.trim_matches('"')] {
            if form.len() >= SHORTEST && self.0.iter().all(|known| known != form) {
                self.0.push(form.to_owned());
            }
        }
        // Of two that begin alike, the longer one goes first.
        self.0.sort_by_key(|form| std::cmp::Reverse(form.len()));
    }

    /// The text without keys, and whether there was any in it.
    pub(crate) fn redact(&self, text: &str) -> (String, bool) {
        let mut clean = text.to_owned();
        for key in &self.0 {
            if clean.contains(key.as_str()) {
                clean = clean.replace(key.as_str(), REDACTED);
            }
        }
        let found = clean != text;
        (clean, found)
    }

    /// How many bytes at the end of a text may be the beginning of a key, whose rest is still to
    /// come.
    pub(crate) fn held_back(&self, text: &str) -> usize {
        self.0
            .iter()
            .flat_map(|key| {
                key.char_indices()
                    .skip(1)
                    .map(|(end, _)| key.get(..end).unwrap_or_default())
            })
            .filter(|beginning| text.ends_with(beginning))
            .map(str::len)
            .max()
            .unwrap_or(0)
    }
}

/// How many, never which.
impl fmt::Debug for Secrets {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "<{} keys>", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::Secrets;

    #[test]
    fn a_key_is_found_however_it_is_cut() {
        let mut secrets = Secrets::default();
        secrets.add("sk-or-v1-0123\n");
        let text = "a sk-or-v1-0123 b sk-or-v1-0 c";
        for cut in 0..=text.len() {
            let mut out = String::new();
            let mut pending = String::new();
            for part in [&text[..cut], &text[cut..]] {
                pending.push_str(part);
                let keep = secrets.held_back(&pending);
                let rest = pending.split_off(pending.len() - keep);
                out.push_str(&secrets.redact(&pending).0);
                pending = rest;
            }
            out.push_str(&secrets.redact(&pending).0);
            assert_eq!(out, "a [redacted] b sk-or-v1-0 c", "cut at {cut}");
        }
    }

    #[test]
    fn a_placeholder_is_no_key() {
        let mut secrets = Secrets::default();
        secrets.add("x");
        secrets.add("EMPTY");
        secrets.add("");
        assert_eq!(
            secrets.redact("an EMPTY box"),
            ("an EMPTY box".to_owned(), false)
        );
    }

    #[test]
    fn a_key_inside_json_is_found_too() {
        let mut secrets = Secrets::default();
        secrets.add("se\"cret-key");
        let json = serde_json::json!({"a": "se\"cret-key"}).to_string();
        assert_eq!(secrets.redact(&json).0, r#"{"a":"[redacted]"}"#);
    }
}
