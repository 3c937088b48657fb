//! What is asked of the activity.

use tamis_wire::Failure;

use crate::data::refused;

/// Which of the account's activity. Empty, all of it.
///
/// ```
/// let query = tamis::account::ActivityQuery::new().date("2026-01-31").by_workspace();
/// # let _ = query;
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use = "a query does nothing until it is asked"]
pub struct ActivityQuery {
    date: Option<String>,
    rest: Vec<(&'static str, String)>,
}

impl ActivityQuery {
    /// All of it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Of one day only, in UTC: `2026-01-31`.
    pub fn date(mut self, day: impl Into<String>) -> Self {
        self.date = Some(day.into());
        self
    }

    /// Of one key only.
    pub fn key_hash(self, hash: impl Into<String>) -> Self {
        self.with("api_key_hash", hash.into())
    }

    /// Of one user only.
    pub fn user(self, id: impl Into<String>) -> Self {
        self.with("user_id", id.into())
    }

    /// Of one workspace only.
    pub fn workspace(self, id: impl Into<String>) -> Self {
        self.with("workspace_id", id.into())
    }

    /// Told apart by workspace.
    pub fn by_workspace(self) -> Self {
        self.with("group_by", "workspace".to_owned())
    }

    fn with(mut self, name: &'static str, value: String) -> Self {
        self.rest.retain(|(other, _)| *other != name);
        self.rest.push((name, value));
        self
    }

    pub(super) fn pairs(&self) -> Result<Vec<(&'static str, String)>, Failure> {
        let mut pairs = Vec::new();
        if let Some(date) = &self.date {
            if !is_date(date) {
                return Err(refused("date: expected a day such as 2026-01-31"));
            }
            pairs.push(("date", date.clone()));
        }
        if let Some((name, _)) = self.rest.iter().find(|(_, value)| value.trim().is_empty()) {
            return Err(refused(format!("{name}: empty")));
        }
        pairs.extend(self.rest.iter().cloned());
        Ok(pairs)
    }
}

/// Whether a text has the shape of a day; whether there was such a day is the server's to know.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let number = |part: &str, length: usize| {
        (part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| part.parse::<u16>().ok())
            .flatten()
    };
    match parts.as_slice() {
        [year, month, day] => {
            number(year, 4).is_some()
                && number(month, 2).is_some_and(|month| (1..=12).contains(&month))
                && number(day, 2).is_some_and(|day| (1..=31).contains(&day))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{ActivityQuery, is_date};

    #[test]
    fn days() {
        assert!(is_date("2026-01-31"));
        for text in [
            "",
            "2026-1-31",
            "2026-13-01",
            "2026-00-10",
            "2026-01-32",
            "26-01-01",
            "+026-01-01",
        ] {
            assert!(!is_date(text), "{text}");
        }
    }

    #[test]
    fn every_parameter() {
        let query = ActivityQuery::new()
            .date("2026-01-31")
            .key_hash("h")
            .user("u")
            .workspace("w")
            .by_workspace();
        let names: Vec<_> = query
            .pairs()
            .unwrap()
            .into_iter()
            .map(|pair| pair.0)
            .collect();
        assert_eq!(
            names,
            [
                "date",
                "api_key_hash",
                "user_id",
                "workspace_id",
                "group_by"
            ]
        );
        assert!(ActivityQuery::new().date("soon").pairs().is_err());
        assert!(ActivityQuery::new().user(" ").pairs().is_err());
    }
}
