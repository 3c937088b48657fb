//! A completion as it comes.

mod fields;
mod open;
mod snapshots;
mod watchdog;

use std::collections::VecDeque;
use std::fmt::{self, Write as _};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_core::Stream;
use serde_json::Value;
use tamis_schema::Violation;
use tamis_wire::{Chunk, Completion, Failure, FailureKind, Fold, FoldNote, Item, StreamReader};
use tokio::time::Instant;
use tracing::Span;

use fields::text_of;
pub use fields::{Field, Fields};
pub(crate) use open::open;
pub use snapshots::Snapshots;
use watchdog::Watchdog;

use crate::answer::Answer;
use crate::api_key::ApiKey;
use crate::chat::answer_of;
use crate::failure;
use crate::rejected::Rejected;
use crate::structured::{EarlyCheck, Reading};
use crate::telemetry;
use crate::transport::{self, Body};

/// So many fragments that bring nothing are read before others have their turn.
const TURNS: usize = 32;

/// A completion as it comes: typed chunks, and at the end the completion they fold into.
///
/// Nothing counts as finished until the server says so. Whichever way the stream ends,
/// [`CompletionStream::finish`] tells; items end with the same failure. Dropping the stream cancels
/// the request.
///
/// ```no_run
/// # async fn example(client: tamis::Client) -> Result<(), tamis::Failure> {
/// let mut stream = client.chat("openai/gpt-4o").user("Tell me a story.").stream().await?;
/// while let Some(chunk) = stream.next().await {
///     print!("{}", chunk?.text().unwrap_or_default());
/// }
/// let completion = stream.finish().await?;
/// println!("\n{:?}", completion.usage);
/// # Ok(())
/// # }
/// ```
pub struct CompletionStream {
    body: Option<Body>,
    /// Boxed, since it is most of what a stream holds.
    reader: Box<StreamReader>,
    /// Chunks that came together with the one handed out last.
    ready: VecDeque<Chunk<'static>>,
    watchdog: Watchdog,
    deadline: Deadline,
    /// How it ended; taken by `finish`.
    end: Option<Result<Completion, Failure>>,
    /// Whether the failure was handed out as an item.
    reported: bool,
    attempts: u32,
    generation_id: Option<String>,
    key: Option<ApiKey>,
    /// How the answer is read.
    reading: Arc<Reading>,
    /// Judges the answer while it comes.
    early: Option<EarlyCheck>,
    span: Span,
}

/// When the call runs out of time, and what to say then.
#[derive(Debug)]
struct Deadline {
    sleep: Pin<Box<tokio::time::Sleep>>,
    total: std::time::Duration,
}

impl Deadline {
    fn new(at: Instant, total: std::time::Duration) -> Self {
        Self {
            sleep: Box::pin(tokio::time::sleep_until(at)),
            total,
        }
    }

    fn failure(&self) -> Failure {
        let total = self.total.as_secs_f64();
        Failure::new(
            FailureKind::Timeout,
            format!("no whole answer within {total} s"),
        )
    }
}

impl CompletionStream {
    /// The next chunk; none after the end.
    ///
    /// # Errors
    ///
    /// Once, as the last item, where the stream did not end as a completion: the kind of an error
    /// that came in it, `Interrupted`, `Stalled`, `Timeout`, or `Malformed`.
    pub async fn next(&mut self) -> Option<Result<Chunk<'static>, Failure>> {
        poll_fn(|context| self.poll_chunk(context)).await
    }

    /// Reads to the end, and gives the completion that a call without a stream would have returned.
    ///
    /// # Errors
    ///
    /// As [`CompletionStream::next`]. What was folded so far is in [`Failure::completion`].
    pub async fn finish(mut self) -> Result<Completion, Failure> {
        while self.end.is_none() {
            if self.next().await.is_none() {
                break;
            }
        }
        self.end.take().unwrap_or_else(|| {
            Err(Failure::new(
                FailureKind::Interrupted,
                "the stream ended before it said it was finished",
            ))
        })
    }

    /// Reads to the end, and gives the answer as JSON that conforms to the request's schema, as
    /// [`Chat::answer`](crate::Chat::answer) does for a call without a stream. It is not asked for again.
    ///
    /// # Errors
    ///
    /// As [`CompletionStream::finish`], and those of `Chat::answer`. A stream that was
    /// [ended at its first violation](crate::aborted) fails as `Malformed`.
    pub async fn answer(self) -> Result<Answer<Value>, Failure> {
        let reading = Arc::clone(&self.reading);
        let attempts = self.attempts;
        let completion = self.finish().await?;
        answer_of(&reading, completion, attempts)
    }

    /// How many requests it took to open.
    pub fn attempts(&self) -> u32 {
        self.attempts
    }

    /// The generation id, to look the call up.
    pub fn generation_id(&self) -> Option<&str> {
        self.generation_id.as_deref()
    }

    /// The fold so far.
    pub fn fold(&self) -> &Fold {
        self.reader.fold()
    }

    /// What was put right so far.
    pub fn notes(&self) -> &[FoldNote] {
        self.reader.notes()
    }

    pub(crate) fn in_span(mut self, span: Span) -> Self {
        self.span = span;
        self
    }

    fn poll_chunk(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Chunk<'static>, Failure>>> {
        self.watchdog.resume();
        self.check_clocks();
        let polled = self.poll_on(context);
        if polled.is_ready() {
            self.watchdog.pause();
        }
        polled
    }

    fn poll_on(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Chunk<'static>, Failure>>> {
        for _ in 0..TURNS {
            if let Some(chunk) = self.ready.pop_front() {
                return Poll::Ready(Some(Ok(chunk)));
            }
            match &self.end {
                Some(Err(failure)) if !self.reported => {
                    let failure = failure::copy(failure);
                    self.reported = true;
                    return Poll::Ready(Some(Err(failure)));
                }
                Some(_) => return Poll::Ready(None),
                None => {}
            }
            if self.poll_body(context).is_pending() {
                return Poll::Pending;
            }
        }
        // A flood of bytes that bring nothing: let others have their turn.
        context.waker().wake_by_ref();
        Poll::Pending
    }

    /// Reads on until something is ready to be handed out, or the end is known.
    fn poll_body(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let Some(body) = &mut self.body else {
            self.close(None);
            return Poll::Ready(());
        };
        match body.poll_next(context) {
            Poll::Ready(Some(Ok(bytes))) => {
                self.take(&bytes);
                Poll::Ready(())
            }
            Poll::Ready(None) => {
                self.reader_end();
                self.close(None);
                Poll::Ready(())
            }
            Poll::Ready(Some(Err(error))) => {
                self.reader_end();
                self.close(Some(broke(error)));
                Poll::Ready(())
            }
            Poll::Pending => self.poll_clocks(context),
        }
    }

    /// Nothing came; has it been too long, or when will it have been?
    fn poll_clocks(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if let Poll::Ready(limit) = self.watchdog.poll(context) {
            self.stall(limit);
            return Poll::Ready(());
        }
        if self.deadline.sleep.as_mut().poll(context).is_ready() {
            self.close(Some(self.deadline.failure()));
            return Poll::Ready(());
        }
        Poll::Pending
    }

    /// While bytes keep coming the timers are never asked, so the clocks are looked at here.
    fn check_clocks(&mut self) {
        if self.end.is_some() {
            return;
        }
        if let Some(limit) = self.watchdog.expired() {
            // All that came for so long was chunks that bring nothing.
            self.ready.clear();
            self.stall(limit);
        } else if Instant::now() >= self.deadline.sleep.deadline() {
            self.close(Some(self.deadline.failure()));
        }
    }

    fn stall(&mut self, limit: std::time::Duration) {
        // An answer that has ended needs no more events.
        let failure = (!self.reader.is_finished()).then(|| transport::stalled(limit));
        self.close(failure);
    }

    fn take(&mut self, bytes: &[u8]) {
        let Self {
            reader,
            ready,
            watchdog,
            early,
            ..
        } = self;
        let (mut over, mut broken) = (false, None);
        reader.feed(bytes, |item| {
            if let (None, Some(early), Item::Chunk(chunk)) = (&broken, early.as_mut(), &item) {
                broken = text_of(chunk).and_then(|text| early.push(text));
            }
            over |= sort(item, ready, watchdog);
        });
        if self.reader.is_finished() {
            self.watchdog.answer_ended();
        }
        if over {
            self.close(None);
        } else if let Some(violation) = broken {
            self.abort(violation);
        }
    }

    /// Nothing that may still come can be an answer: closing the connection saves what it would cost.
    fn abort(&mut self, violation: Violation) {
        let aborted = self
            .early
            .take()
            .map(|early| early.aborted(self.reader.fold().provider()));
        let mut rejected = Rejected::violating(vec![violation]);
        let mut words = format!("the answer breaks its schema: {rejected}");
        if let Some(aborted) = aborted {
            let _ = write!(
                words,
                "; the stream was ended at byte {} of it",
                aborted.offset
            );
            rejected = rejected.with_aborted(aborted);
        }
        self.close(Some(
            Failure::new(FailureKind::Malformed, words).with_source(rejected),
        ));
    }

    fn reader_end(&mut self) {
        let Self {
            reader,
            ready,
            watchdog,
            ..
        } = self;
        reader.end(|item| {
            sort(item, ready, watchdog);
        });
    }

    /// The end: of the fold, unless something else went wrong first.
    ///
    /// A connection that breaks after the answer has ended takes nothing from it.
    fn close(&mut self, failure: Option<Failure>) {
        self.body = None;
        let finished = self.reader.is_finished();
        let folded = std::mem::take(&mut self.reader).into_completion();
        let result = match failure {
            Some(failure) if !finished => Err(match folded {
                Ok(completion) => failure.with_completion(completion),
                Err(broken) => overrule(failure, broken),
            }),
            _ => folded,
        };
        let result = result.map_err(|failure| {
            let failure = failure
                .with_attempts(self.attempts)
                .with_generation_id(self.generation_id.clone());
            match &self.key {
                Some(key) => failure.redact(key.expose()),
                None => failure,
            }
        });
        telemetry::record(&self.span, result.as_ref(), self.attempts);
        self.end = Some(result);
    }
}

/// A broken connection or a stall explains a fold that broke off; an error that came in the stream
/// explains itself.
fn overrule(failure: Failure, broken: Failure) -> Failure {
    if broken.kind() != FailureKind::Interrupted {
        return broken;
    }
    match broken.into_completion() {
        Some(completion) => failure.with_completion(completion),
        None => failure,
    }
}

/// Puts a chunk by; true where nothing that comes after can matter.
fn sort(item: Item<'_>, ready: &mut VecDeque<Chunk<'static>>, watchdog: &mut Watchdog) -> bool {
    match item {
        Item::Chunk(chunk) => {
            if chunk.is_meaningful() {
                watchdog.progress();
            } else {
                watchdog.event();
            }
            // An error is handed out as the failure it is, not as a chunk that reads like any other.
            let failed = chunk.error.is_some();
            if !failed {
                ready.push_back(chunk.into_owned());
            }
            failed
        }
        Item::Error(_) | Item::Done | Item::Malformed => true,
        _ => false,
    }
}

fn broke(error: reqwest::Error) -> Failure {
    let error = error.without_url();
    Failure::new(
        FailureKind::Interrupted,
        "the connection broke before the stream said it was finished",
    )
    .with_source(error)
}

impl Stream for CompletionStream {
    type Item = Result<Chunk<'static>, Failure>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().poll_chunk(context)
    }
}

impl fmt::Debug for CompletionStream {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("CompletionStream")
            .field("attempts", &self.attempts)
            .field("generation_id", &self.generation_id)
            .field("ended", &self.end.is_some())
            .finish_non_exhaustive()
    }
}
