//! Noticing that a stream brings nothing any more.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep};

use crate::client::StallTimeouts;

/// After an answer has ended, this much longer is waited for its usage and the end marker.
const AFTERWARDS: Duration = Duration::from_secs(5);

/// A poll that comes this much after it was due was not asked for in time: the caller was away.
const LATE: Duration = Duration::from_millis(250);

/// Measures how long nothing meaningful came while the caller waited for it.
///
/// Time runs while the stream is being polled, and between a poll that had to wait and the next one,
/// unless that one comes so late that the caller cannot have been waiting. It stands still from the
/// moment something was handed out until the caller asks again.
#[derive(Debug)]
pub(super) struct Watchdog {
    limits: StallTimeouts,
    started: Instant,
    any_event: bool,
    any_progress: bool,
    /// The limit in force, and what is left of it.
    limit: Duration,
    left: Duration,
    /// Since when time has been running; none while it stands still.
    since: Option<Instant>,
    sleep: Pin<Box<Sleep>>,
}

impl Watchdog {
    pub(super) fn new(limits: StallTimeouts) -> Self {
        let started = Instant::now();
        let limit = limits.first_event;
        Self {
            limits,
            started,
            any_event: false,
            any_progress: false,
            limit,
            left: limit,
            since: None,
            sleep: Box::pin(tokio::time::sleep_until(started + limit)),
        }
    }

    /// An event came that brings nothing of an answer.
    pub(super) fn event(&mut self) {
        if !self.any_event {
            self.any_event = true;
            if !self.any_progress {
                let spent = self.started.elapsed();
                self.limit = self.limits.first_content;
                self.left = self.limits.first_content.saturating_sub(spent);
            }
        }
    }

    /// Something of an answer came.
    pub(super) fn progress(&mut self) {
        self.any_event = true;
        self.any_progress = true;
        self.limit = self.limits.between;
        self.left = self.limit;
    }

    /// The answer has ended; only usage and the end marker are missing.
    pub(super) fn answer_ended(&mut self) {
        self.limit = self.limits.between.min(AFTERWARDS);
        self.left = self.limit;
    }

    /// The caller asks.
    pub(super) fn resume(&mut self) {
        let now = Instant::now();
        if let Some(since) = self.since {
            let waited = now.saturating_duration_since(since);
            if waited <= self.left + LATE {
                self.left = self.left.saturating_sub(waited);
            }
        }
        self.since = Some(now);
    }

    /// Something is handed out. What it took to read it counts.
    pub(super) fn pause(&mut self) {
        self.expired();
        self.since = None;
    }

    /// The limit, when it has been too long.
    pub(super) fn expired(&mut self) -> Option<Duration> {
        let now = Instant::now();
        if let Some(since) = self.since.replace(now) {
            self.left = self
                .left
                .saturating_sub(now.saturating_duration_since(since));
        }
        self.left.is_zero().then_some(self.limit)
    }

    /// Nothing is there: ready, with the limit, when it has been too long, else woken when it will
    /// have been.
    pub(super) fn poll(&mut self, context: &mut Context<'_>) -> Poll<Duration> {
        if let Some(limit) = self.expired() {
            return Poll::Ready(limit);
        }
        self.sleep.as_mut().reset(Instant::now() + self.left);
        match self.sleep.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(self.limit),
            Poll::Pending => Poll::Pending,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Poll, Waker};
    use std::time::Duration;

    use tokio::time::advance;

    use super::Watchdog;
    use crate::client::StallTimeouts;

    const SECOND: Duration = Duration::from_secs(1);

    fn watchdog() -> Watchdog {
        let mut limits = StallTimeouts::all(10 * SECOND);
        limits.first_content = 20 * SECOND;
        limits.between = 5 * SECOND;
        Watchdog::new(limits)
    }

    fn poll(watchdog: &mut Watchdog) -> Option<Duration> {
        watchdog.resume();
        match watchdog.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(limit) => Some(limit),
            Poll::Pending => None,
        }
    }

    /// Lets time pass while the caller keeps asking.
    async fn wait(watchdog: &mut Watchdog, seconds: u32) -> Option<Duration> {
        for _ in 0..seconds * 10 {
            if let Some(limit) = poll(watchdog) {
                return Some(limit);
            }
            advance(SECOND / 10).await;
        }
        poll(watchdog)
    }

    #[tokio::test(start_paused = true)]
    async fn each_phase_has_its_limit() {
        let mut silent = watchdog();
        assert_eq!(wait(&mut silent, 9).await, None);
        assert_eq!(wait(&mut silent, 2).await, Some(10 * SECOND));

        // A first event without content gives until the limit for content, from the start.
        let mut empty = watchdog();
        assert_eq!(wait(&mut empty, 9).await, None);
        empty.event();
        assert_eq!(wait(&mut empty, 10).await, None);
        empty.event();
        assert_eq!(wait(&mut empty, 2).await, Some(20 * SECOND));

        let mut talking = watchdog();
        for _ in 0..10 {
            talking.progress();
            assert_eq!(wait(&mut talking, 4).await, None);
        }
        talking.event();
        assert_eq!(wait(&mut talking, 2).await, Some(5 * SECOND));
    }

    #[tokio::test(start_paused = true)]
    async fn a_caller_who_does_not_ask_stops_the_clock() {
        let mut watchdog = watchdog();
        watchdog.progress();
        assert_eq!(poll(&mut watchdog), None);
        advance(60 * SECOND).await;
        assert_eq!(poll(&mut watchdog), None, "the minute was the caller's");
        assert_eq!(wait(&mut watchdog, 4).await, None);
        assert_eq!(wait(&mut watchdog, 2).await, Some(5 * SECOND));
    }

    #[tokio::test(start_paused = true)]
    async fn time_between_two_chunks_that_the_caller_spent_elsewhere_does_not_count() {
        let mut watchdog = watchdog();
        watchdog.resume();
        watchdog.progress();
        watchdog.pause();
        advance(60 * SECOND).await;
        assert_eq!(wait(&mut watchdog, 4).await, None);
        assert_eq!(wait(&mut watchdog, 2).await, Some(5 * SECOND));
    }

    #[tokio::test(start_paused = true)]
    async fn time_that_passes_within_a_poll_counts() {
        let mut watchdog = watchdog();
        watchdog.progress();
        watchdog.resume();
        advance(6 * SECOND).await;
        assert_eq!(watchdog.expired(), Some(5 * SECOND));
    }
}
