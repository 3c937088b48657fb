//! What the server remembers between requests.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;

use crate::catalogue::CREATED;
use crate::data::Keys;
use crate::net::Timing;
use crate::received::Received;

/// Requests and generations kept at most; the oldest go first.
const MOST_KEPT: usize = 20_000;
/// Bytes of request bodies kept at most.
const MOST_BYTES: usize = 64 * 1024 * 1024;
/// Models counted on their own at most; those that come later share a number.
const MOST_MODELS: usize = 10_000;

/// Shared by all connections.
#[derive(Debug)]
pub(crate) struct State {
    settings: Settings,
    memory: Mutex<Memory>,
}

/// What the builder sets.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) seed: u64,
    pub(crate) key: Option<String>,
    pub(crate) management_key: Option<String>,
    pub(crate) retry_after: Duration,
    pub(crate) generation_lag: u32,
    pub(crate) timing: Timing,
}

#[derive(Debug, Default)]
struct Memory {
    /// Requests so far, per model.
    numbers: BTreeMap<String, u64>,
    received: VecDeque<Received>,
    received_bytes: usize,
    generations: VecDeque<(Generation, u32)>,
    spent: f64,
    keys: Keys,
}

/// What a lookup of a generation tells.
#[derive(Debug, Clone)]
pub(crate) struct Generation {
    pub(crate) id: String,
    /// What was called: `completions`, `decisions`, `embeddings`.
    pub(crate) api_type: &'static str,
    pub(crate) model: String,
    pub(crate) provider: String,
    pub(crate) created: u64,
    pub(crate) streamed: bool,
    pub(crate) finish: Option<String>,
    pub(crate) usage: Value,
}

impl State {
    pub(crate) fn new(settings: Settings) -> Self {
        Self {
            settings,
            memory: Mutex::default(),
        }
    }

    pub(crate) fn seed(&self) -> u64 {
        self.settings.seed
    }

    pub(crate) fn retry_after(&self) -> Duration {
        self.settings.retry_after
    }

    pub(crate) fn key(&self) -> Option<&str> {
        self.settings.key.as_deref()
    }

    pub(crate) fn management_key(&self) -> Option<&str> {
        self.settings.management_key.as_deref()
    }

    pub(crate) fn timing(&self) -> Timing {
        self.settings.timing.clone()
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        // Nothing in there is left half-written by a panic.
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many requests came for the model before this one.
    pub(crate) fn next_number(&self, model: &str) -> u64 {
        let numbers = &mut self.memory().numbers;
        let full = numbers.len() >= MOST_MODELS && !numbers.contains_key(model);
        let model = if full { "" } else { model };
        let next = numbers.entry(model.to_owned()).or_default();
        let number = *next;
        *next = next.saturating_add(1);
        number
    }

    pub(crate) fn receive(&self, request: Received) {
        let memory = &mut *self.memory();
        let bytes = &mut memory.received_bytes;
        *bytes = bytes.saturating_add(request.body_len);
        memory.received.push_back(request);
        while memory.received.len() > MOST_KEPT
            || (*bytes > MOST_BYTES && memory.received.len() > 1)
        {
            let gone = memory.received.pop_front();
            *bytes = bytes.saturating_sub(gone.map_or(0, |gone| gone.body_len));
        }
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.memory().received.iter().cloned().collect()
    }

    pub(crate) fn remember(&self, generation: Generation) {
        let lag = self.settings.generation_lag;
        let mut memory = self.memory();
        let cost = generation.usage.get("cost").and_then(Value::as_f64);
        memory.spent += cost.unwrap_or(0.0);
        if memory.generations.len() >= MOST_KEPT {
            memory.generations.pop_front();
        }
        memory.generations.push_back((generation, lag));
    }

    /// The generation, unless it is too early to ask for it.
    pub(crate) fn look_up(&self, id: &str) -> Option<Generation> {
        let mut memory = self.memory();
        let (generation, lag) = memory
            .generations
            .iter_mut()
            .rev()
            .find(|(generation, _)| generation.id == id)?;
        if *lag > 0 {
            *lag = lag.saturating_sub(1);
            return None;
        }
        Some(generation.clone())
    }

    /// All of them, oldest first.
    pub(crate) fn generations(&self) -> Vec<Generation> {
        let memory = self.memory();
        let all = memory.generations.iter();
        all.map(|(generation, _)| generation.clone()).collect()
    }

    /// Does something with the account's keys, of which there are none at first.
    pub(crate) fn with_keys<T>(&self, act: impl FnOnce(&mut Keys) -> T) -> T {
        act(&mut self.memory().keys)
    }

    /// US dollars.
    pub(crate) fn spent(&self) -> f64 {
        self.memory().spent
    }
}

impl Generation {
    /// When it was made, as an ISO 8601 time.
    pub(crate) fn created_at(&self) -> String {
        // The simulator's clock starts with 2026, and ticks once per request.
        let second = self.created.saturating_sub(CREATED);
        let (day, second) = (second / 86_400, second % 86_400);
        format!(
            "2026-01-{:02}T{:02}:{:02}:{:02}.000Z",
            day.saturating_add(1).min(31),
            second / 3_600,
            second % 3_600 / 60,
            second % 60
        )
    }
}
