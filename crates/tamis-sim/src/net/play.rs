//! Plays a script, through the HTTP library where it can, past it where it must.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::time::Duration;

use axum::body::Body;
use axum::http::header::{CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, DATE, TRANSFER_ENCODING};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use tokio::sync::watch;
use tokio::time::Instant;

use super::{End, Framing, Head, HeadStyle, Pause, Script, Step, Wire};

/// The lengths of pauses, and the bell that ends them all.
#[derive(Debug, Clone)]
pub(crate) struct Timing {
    pub(crate) pace: Duration,
    pub(crate) drip: Duration,
    pub(crate) beat: Duration,
    pub(crate) hang: Duration,
    pub(crate) stop: watch::Receiver<bool>,
}

/// Long enough for the peer's read to return between two writes, short enough for tests.
const TICK: Duration = Duration::from_micros(500);

impl Timing {
    fn length(&self, pause: Pause) -> Duration {
        match pause {
            Pause::Pace => self.pace,
            Pause::Tick => TICK,
            Pause::Drip => self.drip,
            Pause::Hang => self.hang,
        }
    }

    /// Sleeps; false if the server stops meanwhile.
    pub(crate) async fn sleep(&mut self, length: Duration) -> bool {
        if length.is_zero() {
            return !*self.stop.borrow();
        }
        tokio::select! {
            () = tokio::time::sleep(length) => true,
            _ = self.stop.wait_for(|stop| *stop) => false,
        }
    }
}

/// Plays the script as the answer to the request in hand.
pub(crate) async fn play(script: Script, wire: &Wire, mut timing: Timing) -> Response {
    if script.head.style == HeadStyle::Late {
        timing.sleep(timing.hang).await;
    }
    if script.is_raw() {
        let end = script.end;
        // A write error means that the client has gone, which is what many of these are about.
        let _ = play_raw(script, wire, timing).await;
        if end == End::Reset {
            wire.reset_on_close();
        }
        wire.take();
        return StatusCode::NO_CONTENT.into_response();
    }
    if script.end == End::CompleteThenDoom {
        wire.doom();
    }
    let whole = match script.steps.iter().collect::<Vec<_>>().as_slice() {
        [] => Some(Bytes::new()),
        [Step::Send(bytes)] => Some(bytes.clone()),
        _ => None,
    };
    let is_stream = is_event_stream(&script.head);
    let body = match whole {
        // A known length would make even an empty event stream look like a plain body.
        Some(bytes) if !is_stream => Body::from(bytes),
        _ => {
            let player = Player::new(script.steps, timing);
            Body::from_stream(stream::unfold(player, async |mut player| {
                let bytes = player.next().await?;
                Some((Ok::<_, Infallible>(bytes), player))
            }))
        }
    };
    let mut response = Response::new(body);
    *response.status_mut() = script.head.status;
    *response.headers_mut() = script.head.headers;
    response
}

fn is_event_stream(head: &Head) -> bool {
    head.headers
        .get(CONTENT_TYPE)
        .is_some_and(|value| value.as_bytes().starts_with(b"text/event-stream"))
}

/// Yields a script's writes, waiting in between.
struct Player {
    steps: VecDeque<Step>,
    timing: Timing,
    beating_until: Option<Instant>,
}

impl Player {
    fn new(steps: VecDeque<Step>, timing: Timing) -> Self {
        Self {
            steps,
            timing,
            beating_until: None,
        }
    }

    async fn next(&mut self) -> Option<Bytes> {
        loop {
            match self.steps.pop_front()? {
                Step::Send(bytes) if bytes.is_empty() => {}
                Step::Send(bytes) => return Some(bytes),
                Step::Repeat(_, 0) => {}
                Step::Repeat(bytes, times) => {
                    self.steps
                        .push_front(Step::Repeat(bytes.clone(), times.saturating_sub(1)));
                    return Some(bytes);
                }
                Step::Wait(pause) => {
                    let length = self.timing.length(pause);
                    if !self.timing.sleep(length).await {
                        return None;
                    }
                }
                Step::Beat(bytes) => {
                    let now = Instant::now();
                    let until = match self.beating_until {
                        Some(until) => until,
                        None => *self
                            .beating_until
                            .insert(now.checked_add(self.timing.hang)?),
                    };
                    let beat = self.timing.beat.max(Duration::from_millis(1));
                    if now >= until || !self.timing.sleep(beat).await {
                        return None;
                    }
                    self.steps.push_front(Step::Beat(bytes.clone()));
                    return Some(bytes);
                }
            }
        }
    }
}

async fn play_raw(mut script: Script, wire: &Wire, mut timing: Timing) -> io::Result<()> {
    let stop = timing.stop.clone();
    let act = async move {
        if script.head.style == HeadStyle::Absent {
            return Ok(());
        }
        let chunked = set_framing(&mut script);
        let head = head_bytes(&script.head);
        if script.head.style == HeadStyle::Dripped {
            for piece in head.chunks(8) {
                wire.write(piece).await?;
                if !timing.sleep(timing.drip).await {
                    return Ok(());
                }
            }
        } else {
            wire.write(&head).await?;
        }
        let mut player = Player::new(script.steps, timing);
        while let Some(bytes) = player.next().await {
            if chunked {
                wire.write(format!("{:x}\r\n", bytes.len()).as_bytes())
                    .await?;
                wire.write(&bytes).await?;
                wire.write(b"\r\n").await?;
            } else {
                wire.write(&bytes).await?;
            }
        }
        match script.end {
            End::Complete | End::CompleteThenClose | End::CompleteThenDoom if chunked => {
                wire.write(b"0\r\n\r\n").await
            }
            End::Torn if chunked => wire.write(b"400\r\ndata: {\"id\":\"gen-").await,
            _ => Ok(()),
        }
    };
    // A client that does not read may not keep the server from stopping.
    tokio::select! {
        result = act => result,
        () = stopped(stop) => Ok(()),
    }
}

async fn stopped(mut stop: watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}

/// Adds the headers that the HTTP library would have added. True if the body is chunked.
fn set_framing(script: &mut Script) -> bool {
    let promised = match script.framing {
        Framing::Overlong(extra) => script.length().and_then(|len| len.checked_add(extra)),
        Framing::Usual if is_event_stream(&script.head) => None,
        // Without a promise to break, half of a body would look like a whole one.
        Framing::Usual if matches!(script.end, End::Close | End::Reset | End::Torn) => {
            script.length().and_then(|len| len.checked_add(1))
        }
        Framing::Usual => script.length(),
    };
    let headers = &mut script.head.headers;
    let now = httpdate::fmt_http_date(std::time::SystemTime::now());
    if let Ok(date) = HeaderValue::from_str(&now) {
        headers.insert(DATE, date);
    }
    if matches!(script.end, End::Complete) {
        // The connection is ours to close after this, so say so.
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
    }
    if let Some(length) = promised {
        headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
        return false;
    }
    headers.insert(TRANSFER_ENCODING, HeaderValue::from_static("chunked"));
    true
}

fn head_bytes(head: &Head) -> Vec<u8> {
    let mut bytes = format!(
        "HTTP/1.1 {} {}\r\n",
        head.status.as_u16(),
        head.status.canonical_reason().unwrap_or("Unknown")
    )
    .into_bytes();
    for (name, value) in &head.headers {
        bytes.extend_from_slice(name.as_str().as_bytes());
        bytes.extend_from_slice(b": ");
        bytes.extend_from_slice(value.as_bytes());
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(b"\r\n");
    bytes
}
