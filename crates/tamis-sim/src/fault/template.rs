//! Text with `$NAME`s in it, filled with the facts of the request in hand.

use std::time::{Duration, SystemTime};

use crate::protocol::Protocol;

/// What a template may name.
#[derive(Debug, Clone)]
pub(crate) struct Facts {
    /// In which the answer comes.
    pub(crate) protocol: Protocol,
    pub(crate) id: String,
    pub(crate) created: u64,
    pub(crate) model: String,
    pub(crate) provider: String,
    /// What a rate-limited client is told to wait.
    pub(crate) retry_after: Duration,
}

impl Facts {
    /// Fills `$ID`, `$CREATED`, `$MODEL`, `$PROVIDER`, `$SECONDS`, `$MILLIS` and `$DATE`. The names
    /// are escaped as the inside of a JSON string, so a template is valid JSON before and after.
    pub(crate) fn fill(&self, template: &str) -> String {
        if !template.contains('$') {
            return template.to_owned();
        }
        // Header values with seconds or dates cannot say less than a second.
        let seconds = self.retry_after.as_millis().div_ceil(1_000);
        let date = SystemTime::now()
            .checked_add(self.retry_after.saturating_add(Duration::from_secs(1)))
            .map(httpdate::fmt_http_date)
            .unwrap_or_default();
        template
            .replace("$ID", &self.id)
            .replace("$CREATED", &self.created.to_string())
            .replace("$SECONDS", &seconds.to_string())
            .replace("$MILLIS", &self.retry_after.as_millis().to_string())
            .replace("$DATE", &date)
            .replace("$PROVIDER", &inside_json(&self.provider))
            // Last, since it is the client's text and may hold a `$`.
            .replace("$MODEL", &inside_json(&self.model))
    }
}

fn inside_json(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    let inner = quoted
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    inner.unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Facts;
    use crate::protocol::Protocol;

    #[test]
    fn fills_and_escapes() {
        let facts = Facts {
            protocol: Protocol::Chat,
            id: "gen-1".to_owned(),
            created: 5,
            model: "a/\"$ID".to_owned(),
            provider: "Granite".to_owned(),
            retry_after: Duration::from_millis(1_200),
        };
        assert_eq!(
            facts.fill(r#"{"m":"$MODEL","s":$SECONDS,"ms":$MILLIS}"#),
            r#"{"m":"a/\"$ID","s":2,"ms":1200}"#
        );
        assert!(facts.fill("$DATE").ends_with(" GMT"));
    }
}
