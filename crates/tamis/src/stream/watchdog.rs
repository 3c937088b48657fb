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
