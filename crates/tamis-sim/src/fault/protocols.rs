//! Faults that the Responses and the Messages protocol alone can have.

use super::streams::ERROR_CHUNK;
use super::{Edit, Fault, Op, Place, Tampering};

pub(super) const TABLE: &[Fault] = &[
    Fault::answer(
        "turn-paused",
        "The server lays the turn down in the middle: stop_reason pause_turn",
        &[Edit::Halve, Edit::Finish("pause_turn", "pause_turn")],
    ),
    Fault::stream(
        "failed-at-once",
        "The stream says that it begins, and then that it failed",
        &[Op::KeepDeltas(2), Op::Append(ERROR_CHUNK)],
    ),
    Fault::stream(
        "failed-at-end",
        "The whole answer, and then in place of its end a failure",
        &[Op::Truncate(Place::Finish), Op::Append(ERROR_CHUNK)],
    ),
    Fault::stream(
        "unknown-events",
        "Events of types that no list has come between the others",
        &[Op::Tamper(Tampering::UnknownEvents)],
    ),
    Fault::stream(
        "events-without-places",
        "Events do not say to which item or block they belong, as llama.cpp's do not",
        &[Op::Tamper(Tampering::NoPlaces)],
    ),
    Fault::stream(
        "no-output-at-end",
        "The response that comes with the last event has no output",
        &[Op::Tamper(Tampering::NoOutputAtEnd)],
    ),
];
