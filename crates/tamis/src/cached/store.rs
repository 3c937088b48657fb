//! Answers by what was asked, for a while, and one request for all who ask at once.

use std::any::Any;
use std::collections::BTreeMap;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tamis_wire::catalogue::{Endpoint, Model, ModelEndpoints, Provider};
use tamis_wire::{Failure, FailureKind};
use tokio::sync::OnceCell;
use tokio::time::Instant;

use crate::catalogue::ModelList;

/// An answer that can be kept.
pub(super) trait Keepable: Any + Clone + Send + Sync {
    /// Whether it holds nothing, which is more likely a slip of the server's than the truth.
    fn is_empty(&self) -> bool;
}

impl Keepable for ModelList {
    fn is_empty(&self) -> bool {
        self.models.is_empty()
    }
}

impl Keepable for ModelEndpoints {
    fn is_empty(&self) -> bool {
        self.endpoints.is_empty()
    }
}

impl Keepable for Model {
    fn is_empty(&self) -> bool {
        false
    }
}

impl Keepable for Vec<Endpoint> {
    fn is_empty(&self) -> bool {
        self.is_empty()
    }
}

impl Keepable for Vec<Provider> {
    fn is_empty(&self) -> bool {
        self.is_empty()
    }
}

type Answer = Arc<dyn Any + Send + Sync>;
type Flight = OnceCell<Result<Came, Failure>>;

/// What came of asking.
struct Came {
    answer: Answer,
    empty: bool,
}

enum Entry {
    Kept {
        at: Instant,
        answer: Answer,
    },
    /// Somebody is asking.
    Asked(Arc<Flight>),
}

#[derive(Default)]
pub(super) struct Store(Mutex<BTreeMap<String, Entry>>);

impl Store {
    fn entries(&self) -> MutexGuard<'_, BTreeMap<String, Entry>> {
        // Nothing in there is left half-written by a panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn clear(&self) {
        self.entries().clear();
    }

    pub(super) fn len(&self) -> usize {
        let entries = self.entries();
        let kept = entries
            .values()
            .filter(|entry| matches!(entry, Entry::Kept { .. }));
        kept.count()
    }

    /// The answer that is kept, or what comes of asking.
    pub(super) async fn get<T, F>(
        &self,
        key: String,
        ttl: Duration,
        most: usize,
        ask: impl FnOnce() -> F + Send,
    ) -> Result<Arc<T>, Failure>
    where
        T: Keepable,
        F: Future<Output = Result<T, Failure>> + Send,
    {
        let flight = match self.look(&key, ttl) {
            Looked::Kept(answer) => return typed(answer),
            Looked::Ask(flight) => flight,
        };
        // Where the one who asks goes away, the next who waits asks instead.
        let result = flight
            .get_or_init(|| async {
                let answer = ask().await?;
                let empty = answer.is_empty();
                let answer: Answer = Arc::new(answer);
                Ok(Came { answer, empty })
            })
            .await;
        let worth_keeping = result.as_ref().ok().filter(|came| !came.empty);
        self.settle(key, &flight, worth_keeping.map(|came| &came.answer), most);
        match result {
            Ok(came) => typed(Arc::clone(&came.answer)),
            Err(failure) => Err(told_again(failure)),
        }
    }

    fn look(&self, key: &str, ttl: Duration) -> Looked {
        let mut entries = self.entries();
        match entries.get(key) {
            Some(Entry::Kept { at, answer }) if at.elapsed() < ttl => {
                return Looked::Kept(Arc::clone(answer));
            }
            Some(Entry::Asked(flight)) => return Looked::Ask(Arc::clone(flight)),
            _ => {}
        }
        let flight = Arc::new(Flight::new());
        entries.insert(key.to_owned(), Entry::Asked(Arc::clone(&flight)));
        Looked::Ask(flight)
    }

    /// Keeps what came, or forgets that somebody asked. The first of those who asked does it.
    fn settle(&self, key: String, flight: &Arc<Flight>, answer: Option<&Answer>, most: usize) {
        let mut entries = self.entries();
        match entries.get(&key) {
            Some(Entry::Asked(own)) if Arc::ptr_eq(own, flight) => {}
            _ => return,
        }
        entries.remove(&key);
        // Of those who asked and went away, nobody else would tidy up.
        entries.retain(|_, entry| match entry {
            Entry::Asked(flight) => Arc::strong_count(flight) > 1,
            Entry::Kept { .. } => true,
        });
        let Some(answer) = answer.filter(|_| most > 0) else {
            return;
        };
        while entries
            .values()
            .filter(|entry| matches!(entry, Entry::Kept { .. }))
            .count()
            >= most
        {
            let oldest = entries
                .iter()
                .filter_map(|(key, entry)| match entry {
                    Entry::Kept { at, .. } => Some((*at, key.clone())),
                    Entry::Asked(_) => None,
                })
                .min();
            match oldest {
                Some((_, oldest)) => entries.remove(&oldest),
                None => break,
            };
        }
        let answer = Arc::clone(answer);
        let at = Instant::now();
        entries.insert(key, Entry::Kept { at, answer });
    }
}

enum Looked {
    Kept(Answer),
    Ask(Arc<Flight>),
}

fn typed<T: Keepable>(answer: Answer) -> Result<Arc<T>, Failure> {
    // A key names its call, and a call has one type.
    answer
        .downcast()
        .map_err(|_| Failure::new(FailureKind::Unknown, "the answer kept is of another kind"))
}

/// A failure for one more of those who waited for it; its cause stays with the first.
fn told_again(failure: &Failure) -> Failure {
    let mut again = Failure::new(failure.kind(), failure.message())
        .with_attempts(failure.attempts())
        .with_generation_id(failure.generation_id().map(str::to_owned))
        .with_retry_after(failure.retry_after());
    if let Some(status) = failure.status() {
        again = again.with_status(status);
    }
    if let Some(details) = failure.details() {
        again = again.with_details(details.clone());
    }
    again
}
