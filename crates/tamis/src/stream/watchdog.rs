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
#[derive(Debug)]
pub(super) struct Watchdog {
    limits: StallTimeouts,
    started: Instant,
    any_event: bool,
    any_progress: bool,
    /// The limit in force.
    limit: Duration,
    sleep: Pin<Box<Sleep>>,
    /// When the caller was last told to wait; none while it has something.
    waiting_since: Option<Instant>,
    /// What of the limit is left, while the clock stands still.
    left: Duration,
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
            sleep: Box::pin(tokio::time::sleep_until(started + limit)),
            waiting_since: None,
            left: limit,
        }
    }

    /// An event came that brings nothing of an answer.
    pub(super) fn event(&mut self) {
        if !self.any_event {
            self.any_event = true;
            if !self.any_progress {
                let spent = self.started.elapsed();
                self.limit = self.limits.first_content;
                self.restart(self.limits.first_content.saturating_sub(spent));
            }
        }
    }

    /// Something of an answer came.
    pub(super) fn progress(&mut self) {
        self.any_event = true;
        self.any_progress = true;
        self.limit = self.limits.between;
        self.restart(self.limits.between);
    }

    /// The answer has ended; only usage and the end marker are missing.
    pub(super) fn answer_ended(&mut self) {
        self.limit = self.limits.between.min(AFTERWARDS);
        self.restart(self.limit);
    }

    fn restart(&mut self, left: Duration) {
        self.left = left;
        self.waiting_since = None;
    }

    /// Ready, with the limit, when it has been too long. Called only when nothing is there.
    pub(super) fn poll(&mut self, context: &mut Context<'_>) -> Poll<Duration> {
        let now = Instant::now();
        match self.waiting_since {
            None => self.arm(now),
            Some(since) => {
                let due = since + self.left;
                if now > due + LATE {
                    // The caller let the time pass without asking: begin again where it left off.
                    self.arm(now);
                }
            }
        }
        match self.sleep.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(self.limit),
            Poll::Pending => Poll::Pending,
        }
    }

    fn arm(&mut self, now: Instant) {
        self.waiting_since = Some(now);
        self.sleep.as_mut().reset(now + self.left);
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
        watchdog.progress();
        advance(60 * SECOND).await;
        assert_eq!(wait(&mut watchdog, 4).await, None);
        assert_eq!(wait(&mut watchdog, 2).await, Some(5 * SECOND));
    }
}
