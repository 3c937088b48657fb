//! Opening a stream: until its first event has decided what it is.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

use tamis_wire::{Chunk, Completion, Failure, Fold, Protocol, StreamReader, read_response_as};
use tracing::Span;

use super::{CompletionStream, Deadline, Watchdog, broke};
use crate::structured::Reading;
use crate::transport::{self, Body, Call, Head};

/// So many events that announce an answer are waited through; servers send two or three.
const ANNOUNCEMENTS: usize = 16;

/// Sends the request until a stream has brought its first chunk.
pub(crate) async fn open(
    mut call: Call,
    reading: Reading,
    protocol: Protocol,
) -> Result<CompletionStream, Failure> {
    let accept = reqwest::header::HeaderValue::from_static("text/event-stream, application/json");
    call.headers
        .entry(reqwest::header::ACCEPT)
        .or_insert(accept);
    let call = &call;
    let reading = &Arc::new(reading);
    let (mut stream, attempts) = call
        .run(|head| first_chunk(call, reading, protocol, head))
        .await?;
    stream.attempts = attempts;
    Ok(stream)
}

async fn first_chunk(
    call: &Call,
    reading: &Arc<Reading>,
    protocol: Protocol,
    mut head: Head,
) -> Result<CompletionStream, Failure> {
    let shared = &call.client.shared;
    let generation_id = head.generation_id();
    let watchdog = Watchdog::new(shared.timeouts.stall);
    let beginning = beginning(&mut head.body, watchdog)
        .await
        .map_err(|failure| failure.with_generation_id(generation_id.clone()))?;
    // The other protocols have an event for the end, and servers send it.
    let may_miss = shared.allow_missing_finish && protocol == Protocol::ChatCompletions;
    let fold = Fold::new().allow_missing_finish(may_miss);
    let mut stream = CompletionStream {
        body: None,
        reader: Box::new(
            StreamReader::with(shared.max_event_bytes, fold)
                .protocol(protocol)
                .max_answer_bytes(shared.max_body_bytes),
        ),
        ready: VecDeque::new(),
        watchdog: beginning.watchdog,
        deadline: Deadline::new(call.deadline, call.total),
        end: None,
        reported: false,
        attempts: 0,
        generation_id,
        key: shared.key.clone(),
        reading: Arc::clone(reading),
        early: reading.early_check(),
        span: Span::none(),
    };
    if is_stream(&head, &beginning.bytes) {
        stream.body = Some(head.body);
        stream.take(&beginning.bytes);
        decide(&mut stream, protocol).await?;
        return Ok(stream);
    }
    let body = head
        .body
        .read_after(beginning.bytes)
        .await
        .map_err(|failure| {
            // What broke off had begun, and may have been billed: the status says so.
            failure.with_status(head.status)
        })?;
    let completion = read_response_as(protocol, head.status, &body)
        .map_err(|failure| failure.with_generation_id(stream.generation_id.clone()))?
        .completion;
    stream.ready.push_back(as_chunk(&completion));
    stream.end = Some(Ok(completion));
    Ok(stream)
}

/// Reads the first chunk, or the end.
///
/// The other protocols' streams begin with events that say no more than that they begin, whatever comes
/// of them; the first one after these decides.
async fn decide(stream: &mut CompletionStream, protocol: Protocol) -> Result<(), Failure> {
    let mut first = Vec::new();
    while let Some(Ok(chunk)) = stream.next().await {
        let announces = protocol != Protocol::ChatCompletions && chunk.choices.is_empty();
        first.push(chunk);
        if !announces || first.len() >= ANNOUNCEMENTS {
            first
                .into_iter()
                .rev()
                .for_each(|chunk| stream.ready.push_front(chunk));
            return Ok(());
        }
    }
    let end = stream.end.take();
    Err(end.and_then(Result::err).unwrap_or_else(|| {
        Failure::new(
            tamis_wire::FailureKind::Interrupted,
            "the stream ended without any chunk",
        )
    }))
}

/// The first bytes that are not white space.
struct Beginning {
    bytes: Vec<u8>,
    watchdog: Watchdog,
}

async fn beginning(body: &mut Body, mut watchdog: Watchdog) -> Result<Beginning, Failure> {
    let mut bytes: Vec<u8> = Vec::new();
    watchdog.resume();
    loop {
        let next = poll_fn(|context| match body.poll_next(context) {
            Poll::Ready(next) => Poll::Ready(Ok(next)),
            Poll::Pending => {
                watchdog.resume();
                watchdog.poll(context).map(Err)
            }
        });
        match next.await {
            Err(limit) => return Err(transport::stalled(limit)),
            Ok(None) => return Ok(Beginning { bytes, watchdog }),
            Ok(Some(Err(error))) => return Err(broke(error)),
            Ok(Some(Ok(fragment))) => bytes.extend_from_slice(&fragment),
        }
        if bytes.iter().all(u8::is_ascii_whitespace) {
            bytes.clear();
        } else if bytes.len() >= 3 {
            return Ok(Beginning { bytes, watchdog });
        }
        if let Some(limit) = watchdog.expired() {
            return Err(transport::stalled(limit));
        }
        // A flood of bytes that bring nothing: let others have their turn.
        tokio::task::consume_budget().await;
    }
}

/// Told by the first byte, since servers mislabel both ways; where it does not tell, by the header.
fn is_stream(head: &Head, bytes: &[u8]) -> bool {
    let labelled = head
        .headers
        .get(reqwest::header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.to_ascii_lowercase().contains("event-stream"));
    let text = bytes
        .strip_prefix(b"\xEF\xBB\xBF")
        .unwrap_or(bytes)
        .trim_ascii_start();
    match text.first() {
        Some(b'{' | b'[' | b'<') => false,
        _ => labelled || tamis_wire::is_event_stream(bytes),
    }
}

/// A whole completion as the one chunk of a stream.
fn as_chunk(completion: &Completion) -> Chunk<'static> {
    let text = serde_json::to_string(completion).unwrap_or_default();
    serde_json::from_str::<Chunk<'_>>(&text)
        .map(Chunk::into_owned)
        .unwrap_or_default()
}
