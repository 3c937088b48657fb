//! Which provider served a request.

use std::time::Duration;

use tamis::Client;
use tamis::wire::{Completion, Failure};
use tokio::time::{Instant, sleep, timeout_at};

use crate::sample::Attribution;

/// Between the first two lookups; each later pause is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(200);

/// What names the provider.
pub(crate) struct Witness<'a> {
    pub(crate) completion: Option<&'a Completion>,
    pub(crate) failure: Option<&'a Failure>,
}

impl Witness<'_> {
    /// The provider's display name, and where it is known from.
    pub(crate) async fn provider(
        &self,
        client: &Client,
        patience: Duration,
    ) -> (Option<String>, Attribution) {
        let completion = self
            .completion
            .or_else(|| self.failure.and_then(Failure::completion));
        if let Some(name) = completion.and_then(|completion| named(completion.provider.as_deref()))
        {
            return (Some(name), Attribution::Body);
        }
        let details = self.failure.and_then(Failure::details);
        let inside = completion.and_then(|completion| completion.error.as_deref());
        let from_error = details
            .or(inside)
            .and_then(|error| named(error.metadata().provider_name()));
        if let Some(name) = from_error {
            return (Some(name), Attribution::Error);
        }
        let id = completion
            .and_then(|completion| completion.id.as_deref())
            .or_else(|| self.failure.and_then(Failure::generation_id));
        // Without an answer nothing was generated that could be looked up.
        match id {
            Some(id) if completion.is_some() && client.speaks_openrouter() => {
                match look_up(client, id, patience).await {
                    Some(name) => (Some(name), Attribution::Generation),
                    None => (None, Attribution::Unknown),
                }
            }
            _ => (None, Attribution::Unknown),
        }
    }
}

fn named(name: Option<&str>) -> Option<String> {
    let name = name?.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// Asks until the record is there, or patience ends.
async fn look_up(client: &Client, id: &str, patience: Duration) -> Option<String> {
    let deadline = Instant::now() + patience;
    let mut pause = FIRST_PAUSE;
    loop {
        match timeout_at(deadline, client.generation(id)).await.ok()? {
            Ok(generation) => return named(generation.provider_name.as_deref()),
            // It lags; any other failure will not pass.
            Err(failure) if failure.status() == Some(404) => {}
            Err(_) => return None,
        }
        if Instant::now() + pause >= deadline {
            return None;
        }
        sleep(pause).await;
        pause *= 2;
    }
}
