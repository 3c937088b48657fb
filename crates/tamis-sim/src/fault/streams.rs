//! Faults of streams: what comes, what is missing, and how it is written.

use super::{Fault, Op, Place, Tampering};
use crate::net::{End, Pause};

/// The error chunk that OpenRouter documents for an error after the status went out.
pub(super) const ERROR_CHUNK: &str = concat!(
    r#"data: {"id":"$ID","object":"chat.completion.chunk","created":$CREATED,"model":"$MODEL","provider":"$PROVIDER","#,
    r#""error":{"code":502,"message":"Provider disconnected unexpectedly","metadata":{"error_type":"provider_unavailable","provider_code":"server_disconnected"}},"#,
    r#""choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":"error","native_finish_reason":null}]}"#,
    "\n\n",
);
/// The same trouble with a string code, as OpenRouter's streaming page shows it.
const ERROR_STRING: &str = concat!(
    r#"data: {"id":"$ID","object":"chat.completion.chunk","created":$CREATED,"model":"$MODEL","provider":"$PROVIDER","#,
    r#""error":{"code":"server_error","message":"Provider disconnected unexpectedly"},"#,
    r#""choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}"#,
    "\n\n",
);
/// An error with nothing around it.
const ERROR_BARE: &str = concat!(
    r#"data: {"error":{"code":429,"message":"Rate limit exceeded upstream","metadata":{"error_type":"rate_limit_exceeded","provider_name":"$PROVIDER"}}}"#,
    "\n\n",
);
const EMPTY_DELTA: &str = concat!(
    r#"data: {"id":"$ID","object":"chat.completion.chunk","created":$CREATED,"model":"$MODEL","provider":"$PROVIDER","#,
    r#""choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null,"native_finish_reason":null}]}"#,
    "\n\n",
);
const COMMENT: &str = ": OPENROUTER PROCESSING\n\n";
const DONE: &str = "data: [DONE]\n\n";

pub(super) const TABLE: &[Fault] = &[
    // It ends too early, or without saying so.
    Fault::stream(
        "stream-empty",
        "200, an event stream, and not one byte",
        &[Op::Truncate(Place::Comment)],
    ),
    Fault::stream(
        "comments-only",
        "A stream of comments that ends without an event",
        &[Op::Truncate(Place::Delta)],
    ),
    Fault::stream(
        "done-only",
        "A stream whose only event is [DONE]",
        &[Op::Truncate(Place::Delta), Op::Append(DONE)],
    ),
    Fault::stream(
        "eof-mid-answer",
        "The stream ends in the middle of the answer: no finish reason, no [DONE]",
        &[Op::Truncate(Place::Middle)],
    ),
    Fault::stream(
        "done-without-finish",
        "[DONE] in the middle of the answer, without a finish reason",
        &[Op::Truncate(Place::Middle), Op::Append(DONE)],
    ),
    Fault::stream(
        "no-finish-reason",
        "The whole answer and [DONE], but never a finish reason",
        &[Op::Tamper(Tampering::NoFinish)],
    ),
    Fault::stream(
        "no-done",
        "A whole stream without [DONE]",
        &[Op::Truncate(Place::Done)],
    ),
    Fault::stream(
        "cut-mid-event",
        "The body ends, properly, inside an event",
        &[Op::Halve(Place::Middle)],
    ),
    Fault::stream(
        "cut-mid-utf8",
        "The body ends inside a character",
        &[Op::CutChar],
    ),
    Fault::stream(
        "cut-inside-chunk",
        "The connection closes inside a chunk of the chunked coding",
        &[Op::Truncate(Place::Middle), Op::End(End::Torn)],
    ),
    Fault::stream(
        "unterminated-last-event",
        "The event with the finish reason is the last and lacks its blank line; no [DONE]",
        &[Op::Truncate(Place::Done), Op::TrimEnd],
    ),
    // Errors after the status went out.
    Fault::stream(
        "error-first-then-done",
        "The first event is an error, then [DONE]",
        &[
            Op::Truncate(Place::Delta),
            Op::Append(ERROR_CHUNK),
            Op::Append(DONE),
        ],
    ),
    Fault::stream(
        "error-first",
        "The first and only event is an error without choices; no [DONE]",
        &[Op::Truncate(Place::Delta), Op::Append(ERROR_BARE)],
    ),
    Fault::stream(
        "error-mid-stream",
        "In the middle of the answer comes the documented error chunk, and the stream ends",
        &[Op::Truncate(Place::Middle), Op::Append(ERROR_CHUNK)],
    ),
    Fault::stream(
        "error-mid-stream-then-done",
        "In the middle of the answer comes an error chunk with a string code, then [DONE]",
        &[
            Op::Truncate(Place::Middle),
            Op::Append(ERROR_STRING),
            Op::Append(DONE),
        ],
    ),
    Fault::stream(
        "error-mid-stream-bare",
        "In the middle of the answer comes an error chunk without choices",
        &[Op::Truncate(Place::Middle), Op::Append(ERROR_BARE)],
    ),
    Fault::stream(
        "error-after-finish",
        "The whole answer with its finish reason, then an error chunk, then [DONE]",
        &[
            Op::Truncate(Place::Done),
            Op::Append(ERROR_BARE),
            Op::Append(DONE),
        ],
    ),
    // Nothing meaningful comes.
    Fault::stream(
        "hang-before-first-event",
        "Headers, then nothing at all",
        &[
            Op::Truncate(Place::Comment),
            Op::Wait(Pause::Hang),
            Op::End(End::Close),
        ],
    ),
    Fault::both(
        "hang-mid-stream",
        "Half of the answer, then nothing at all",
        &[
            Op::Halve(Place::Middle),
            Op::Wait(Pause::Hang),
            Op::End(End::Close),
        ],
    ),
    Fault::stream(
        "stall-with-comments",
        "One chunk, then only comments, one at each beat",
        &[Op::KeepDeltas(1), Op::Beat(COMMENT), Op::End(End::Close)],
    ),
    Fault::stream(
        "stall-with-comments-first",
        "Only comments, one at each beat, and never an event",
        &[
            Op::Truncate(Place::Delta),
            Op::Beat(COMMENT),
            Op::End(End::Close),
        ],
    ),
    Fault::stream(
        "stall-with-empty-deltas",
        "One chunk, then only chunks with an empty delta, one at each beat",
        &[
            Op::KeepDeltas(1),
            Op::Beat(EMPTY_DELTA),
            Op::End(End::Close),
        ],
    ),
    Fault::both(
        "slow-drip",
        "The whole answer, sixteen bytes at a time, slowly",
        &[Op::Slice(16, Pause::Drip)],
    ),
    // Odd, and still a whole answer.
    Fault::both(
        "bom",
        "A byte order mark stands before the first byte",
        &[Op::Prefix("\u{feff}")],
    ),
    Fault::stream(
        "crlf-tiny-writes",
        "CRLF line ends, in writes of seven bytes",
        &[Op::Newlines("\r\n"), Op::Slice(7, Pause::Tick)],
    ),
    Fault::stream("cr-line-ends", "CR line ends", &[Op::Newlines("\r")]),
    Fault::both(
        "split-utf8",
        "A character comes in two TCP writes",
        &[Op::SplitChar],
    ),
    Fault::stream(
        "no-space-after-colon",
        "data: without the space after the colon",
        &[Op::NoSpace],
    ),
    Fault::stream(
        "multi-line-data",
        "Each event's JSON is spread over several data lines",
        &[Op::ManyLines],
    ),
    Fault::stream(
        "comments-between",
        "Comments come between the chunks too, as on a slow answer",
        &[Op::Sprinkle(COMMENT)],
    ),
    Fault::stream(
        "keepalives-as-data",
        "Keep-alives are sent as data: `data: : keepalive`",
        &[Op::Sprinkle("data: : keepalive\n\n")],
    ),
    Fault::stream(
        "empty-data",
        "Bare data: lines between the events",
        &[Op::Sprinkle("data:\n\n")],
    ),
    Fault::stream(
        "foreign-fields",
        "event:, id: and retry: lines, and events without data between the events",
        &[Op::Sprinkle("event: ping\nid: 7\nretry: 3000\n\n")],
    ),
    Fault::stream(
        "usage-without-choices",
        "The usage chunk has an empty choices array, as OpenAI sends it",
        &[Op::Tamper(Tampering::UsageWithoutChoices)],
    ),
    Fault::stream(
        "usage-everywhere",
        "Every chunk carries the usage so far",
        &[Op::Tamper(Tampering::UsageEverywhere)],
    ),
    Fault::stream(
        "role-once",
        "The role comes in the first chunk only, as OpenAI sends it",
        &[Op::Tamper(Tampering::RoleOnce)],
    ),
    Fault::stream(
        "anonymous-chunks",
        "Chunks have neither id nor object nor created nor model",
        &[Op::Tamper(Tampering::Anonymous)],
    ),
    // Odd, and not the whole answer.
    Fault::stream(
        "malformed-event",
        "One event in the middle holds broken JSON; the others are in order",
        &[Op::Corrupt],
    ),
    Fault::stream(
        "oversized-event",
        "One event of more than 16 MiB",
        &[Op::Truncate(Place::Middle), Op::Oversize],
    ),
    // The other kind of answer than was asked for.
    Fault::stream(
        "json-for-stream",
        "stream: true is ignored: the answer is plain JSON",
        &[],
    )
    .flipped(),
    Fault::plain(
        "stream-for-plain",
        "The answer to a plain call is an event stream",
        &[],
    )
    .flipped(),
];
