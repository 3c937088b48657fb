//! A response's body, read within its limits.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures_core::Stream;
use reqwest::Response;
use tamis_wire::{Failure, FailureKind};

use super::call::Call;
use super::classify;
use crate::client::StallTimeouts;
use crate::logging::Recorder;
use crate::tap::{Tap, Tapped};

type Fragments = Pin<Box<dyn Stream<Item = reqwest::Result<Bytes>> + Send>>;

/// A body as it comes, decompressed.
pub(crate) struct Body {
    fragments: Fragments,
    tap: Tap,
    stall: StallTimeouts,
    max_bytes: usize,
    recorder: Option<Recorder>,
}

impl Body {
    pub(super) fn new(response: Response, call: &Call, recorder: Option<Recorder>) -> Self {
        let shared = &call.client.shared;
        Self {
            fragments: Box::pin(response.bytes_stream()),
            tap: call.tap.clone(),
            stall: shared.timeouts.stall,
            max_bytes: shared.max_body_bytes,
            recorder,
        }
    }

    /// The next fragment; none at the end.
    pub(crate) fn poll_next(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<reqwest::Result<Bytes>>> {
        let polled = self.fragments.as_mut().poll_next(context);
        match &polled {
            Poll::Pending => {}
            Poll::Ready(Some(Ok(bytes))) => {
                self.tap.see(Tapped::Bytes(bytes));
                if let Some(recorder) = &mut self.recorder {
                    recorder.receives(bytes);
                }
            }
            Poll::Ready(Some(Err(_))) => {
                if let Some(mut recorder) = self.recorder.take() {
                    recorder.breaks_off();
                }
            }
            Poll::Ready(None) => {
                if let Some(recorder) = self.recorder.take() {
                    recorder.ends();
                }
            }
        }
        polled
    }

    async fn next(&mut self) -> Option<reqwest::Result<Bytes>> {
        poll_fn(|context| self.poll_next(context)).await
    }

    /// The whole body.
    ///
    /// # Errors
    ///
    /// `Stalled` where no byte comes for too long, `Malformed` where there are too many, `Network`
    /// where it breaks off.
    pub(crate) async fn read(&mut self) -> Result<Vec<u8>, Failure> {
        self.read_after(Vec::new()).await
    }

    /// The whole body, of which the beginning has been read.
    pub(crate) async fn read_after(&mut self, mut whole: Vec<u8>) -> Result<Vec<u8>, Failure> {
        loop {
            let limit = if whole.is_empty() {
                self.stall.first_event
            } else {
                self.stall.between
            };
            match tokio::time::timeout(limit, self.next()).await {
                Ok(None) => return Ok(whole),
                Ok(Some(Ok(bytes))) => {
                    if whole.len() + bytes.len() > self.max_bytes {
                        return Err(too_large(self.max_bytes));
                    }
                    whole.extend_from_slice(&bytes);
                }
                Ok(Some(Err(error))) => return Err(classify::transport(error)),
                Err(_) => return Err(stalled(limit)),
            }
        }
    }
}

pub(crate) fn stalled(limit: Duration) -> Failure {
    let limit = limit.as_secs_f64();
    Failure::new(
        FailureKind::Stalled,
        format!("nothing of an answer came for {limit} s"),
    )
}

fn too_large(limit: usize) -> Failure {
    Failure::new(
        FailureKind::Malformed,
        format!("the body is larger than {limit} bytes"),
    )
}

impl fmt::Debug for Body {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Body").finish_non_exhaustive()
    }
}
