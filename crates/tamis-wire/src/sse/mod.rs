//! Server-sent events: the WHATWG event-stream algorithm over byte fragments.
//!
//! The decoder does no I/O. It takes the bytes of a response body as the network cut them and lends
//! out the events that they complete. Where the bytes were cut never changes what comes out.
//!
//! It follows the [event-stream interpretation][whatwg] of the HTML standard, and says three things
//! that the standard leaves out, because a caller who must know whether a stream was whole needs
//! them: [comments](Event::Comment), as a sign of life; the [reconnection time](Event::Retry); and
//! an event that [lacked its closing blank line](Tail) when the stream ended.
//!
//! ```
//! use tamis_wire::sse::{Decoder, Event, is_done};
//!
//! let mut decoder = Decoder::new();
//! let mut texts = Vec::new();
//! for fragment in [&b": PROCESSING\n\ndata: {\"a\""[..], b":1}\r\n\r\ndata: [DONE]\n\n"] {
//!     let mut events = decoder.feed(fragment);
//!     while let Some(event) = events.next()? {
//!         match event {
//!             Event::Message(message) if is_done(message.data()) => {}
//!             Event::Message(message) => texts.push(message.data().to_vec()),
//!             Event::Comment(text) => assert_eq!(text, b"PROCESSING"),
//!             _ => {}
//!         }
//!     }
//! }
//! assert_eq!(texts, [b"{\"a\":1}"]);
//! assert!(decoder.finish().is_none());
//! # Ok::<(), tamis_wire::sse::SseError>(())
//! ```
//!
//! [whatwg]: https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation

mod decoder;
mod error;
mod event;
mod line;

pub use decoder::{Decoder, Events, MAX_COMMENT_BYTES, MAX_EVENT_BYTES};
pub use error::{SseError, SseErrorKind};
pub use event::{Event, Message, Tail};

/// Whether an event's data is the end marker `[DONE]`.
///
/// ASCII white space around it is allowed, anything else is not: `[DONE]x` is data, and must not
/// pass for the end of a stream.
///
/// ```
/// use tamis_wire::sse::is_done;
///
/// assert!(is_done(b"[DONE]"));
/// assert!(is_done(b" [DONE]\n"));
/// assert!(!is_done(b"[DONE]malicious"));
/// assert!(!is_done(b"[done]"));
/// ```
pub fn is_done(data: &[u8]) -> bool {
    data.trim_ascii() == b"[DONE]"
}
