//! Faults of the connection: HTTP and TCP.

use super::{Fault, Op, Place};
use crate::net::{End, HeadStyle, Pause};

pub(super) const TABLE: &[Fault] = &[
    Fault::both(
        "hang-before-headers",
        "The request is read, and nothing at all comes back",
        &[Op::Head(HeadStyle::Late)],
    ),
    Fault::both(
        "slow-headers",
        "The headers come eight bytes at a time, slowly; then the whole answer",
        &[Op::Head(HeadStyle::Dripped)],
    ),
    Fault::both(
        "connection-reset",
        "The connection is reset before any header",
        &[Op::Head(HeadStyle::Absent), Op::End(End::Reset)],
    ),
    Fault::both(
        "connection-closed",
        "The connection is closed before any header",
        &[Op::Head(HeadStyle::Absent), Op::End(End::Close)],
    ),
    Fault::both(
        "reset-mid-answer",
        "The connection is reset in the middle of the answer",
        &[
            Op::Halve(Place::Middle),
            Op::Wait(Pause::Tick),
            Op::End(End::Reset),
        ],
    ),
    Fault::both(
        "truncated-body",
        "Content-Length promises more than comes; then the connection is closed",
        &[
            Op::Halve(Place::Middle),
            Op::Overlong(64),
            Op::End(End::Close),
        ],
    ),
    Fault::both(
        "close-after-response",
        "A whole answer; then the connection closes although nothing announced it",
        &[Op::End(End::CompleteThenClose)],
    ),
    Fault::both(
        "close-on-reuse",
        "A whole answer; the next request on the same connection is closed without a byte",
        &[Op::End(End::CompleteThenDoom)],
    ),
    Fault::both(
        "gzip-bomb",
        "A gzip body of a few hundred kilobytes that inflates to 256 MiB",
        &[Op::Bomb],
    ),
    Fault::plain(
        "oversized-body",
        "A body of more than 16 MiB, without a Content-Length",
        &[Op::Oversize],
    ),
    Fault::plain(
        "blank-lines-first",
        "Blank lines come before the JSON, as a keep-alive",
        &[Op::Sprinkle("\n\n\n\n")],
    ),
];
