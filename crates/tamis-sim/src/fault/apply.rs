//! Turns an answer's pieces and a fault's ops into a script.

use std::collections::VecDeque;

use axum::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use bytes::Bytes;
use serde_json::Value;

use super::{Facts, Op, Reply};
use crate::fault::bulk;
use crate::fault::native;
use crate::fault::tamper;
use crate::net::{End, Framing, Head, HeadStyle, Pause, Script, Step};
use crate::object::set;
use crate::protocol::Protocol;

/// What a piece is for. In the order in which they come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// A comment before the first event.
    Comment,
    /// Part of the answer; the whole body of a plain one.
    Delta,
    /// Not a kind of piece: the delta in the middle. The first delta is never it.
    Middle,
    /// The chunk that ends a choice.
    Finish,
    /// The usage chunk.
    Usage,
    /// `[DONE]`.
    Done,
    /// What an op has added.
    Added,
}

/// A part of an answer that is written at once.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    pub(crate) place: Place,
    load: Load,
}

#[derive(Debug, Clone)]
enum Load {
    Event(Value),
    Step(Step),
}

impl Piece {
    /// An event of a stream, or a plain body.
    pub(crate) fn event(place: Place, event: Value) -> Self {
        Self {
            place,
            load: Load::Event(event),
        }
    }

    /// Literal text.
    pub(crate) fn text(place: Place, text: impl Into<Bytes>) -> Self {
        Self {
            place,
            load: Load::Step(Step::Send(text.into())),
        }
    }

    fn step(step: Step) -> Self {
        Self {
            place: Place::Added,
            load: Load::Step(step),
        }
    }

    pub(super) fn event_mut(&mut self) -> Option<&mut Value> {
        match &mut self.load {
            Load::Event(event) => Some(event),
            Load::Step(_) => None,
        }
    }

    fn bytes(&self) -> Option<&Bytes> {
        match &self.load {
            Load::Step(Step::Send(bytes)) => Some(bytes),
            _ => None,
        }
    }

    fn set_bytes(&mut self, bytes: impl Into<Bytes>) {
        self.load = Load::Step(Step::Send(bytes.into()));
    }
}

/// An answer on its way.
#[derive(Debug)]
pub(crate) struct Delivery {
    pub(super) pieces: Vec<Piece>,
    stream: bool,
    protocol: Protocol,
    id: String,
    status: StatusCode,
    headers: HeaderMap,
    style: HeadStyle,
    framing: Framing,
    end: End,
}

/// Delivers an answer with a fault's ops.
pub(crate) fn deliver(pieces: Vec<Piece>, stream: bool, facts: &Facts, ops: &[Op]) -> Script {
    let mut delivery = Delivery::new(pieces, stream, facts);
    for op in ops {
        delivery.apply(op, facts);
    }
    delivery.into_script()
}

impl Delivery {
    fn new(pieces: Vec<Piece>, stream: bool, facts: &Facts) -> Self {
        let mut headers = HeaderMap::new();
        if stream {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
            headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        } else {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        // A call of the catalogue is no generation.
        if !facts.id.is_empty()
            && let Ok(id) = HeaderValue::from_str(&facts.id)
        {
            headers.insert("x-generation-id", id);
        }
        Self {
            pieces,
            stream,
            protocol: facts.protocol,
            id: facts.id.clone(),
            status: StatusCode::OK,
            headers,
            style: HeadStyle::Prompt,
            framing: Framing::Usual,
            end: End::Complete,
        }
    }

    fn apply(&mut self, op: &Op, facts: &Facts) {
        match op {
            Op::Instead(reply) => self.replace(reply, facts),
            Op::Tamper(tampering) => tamper::tamper(&mut self.pieces, *tampering),
            Op::Truncate(place) => {
                let at = self.position(*place);
                self.pieces.truncate(at);
            }
            Op::KeepDeltas(count) => {
                let first = self.position(Place::Delta);
                self.pieces.truncate(first.saturating_add(*count));
            }
            Op::Append(text) => {
                let text = self.event(facts.fill(text));
                self.add(Step::Send(text.into()));
            }
            Op::Beat(text) => {
                let text = self.event(facts.fill(text));
                self.add(Step::Beat(text.into()));
            }
            Op::Wait(pause) => self.add(Step::Wait(*pause)),
            Op::Sprinkle(text) => self.sprinkle(&facts.fill(text)),
            Op::Prefix(text) => self.pieces.insert(
                0,
                Piece::text(Place::Added, Bytes::from_static(text.as_bytes())),
            ),
            Op::Corrupt => self.corrupt(),
            Op::Halve(place) => self.halve(*place),
            Op::SplitChar => self.split_char(false),
            Op::CutChar => self.split_char(true),
            Op::Newlines(newline) => {
                self.rewrite(|text| text.replace('\n', newline));
            }
            Op::NoSpace => self.rewrite(|text| text.replacen("data: ", "data:", 1)),
            Op::ManyLines => self.many_lines(),
            Op::TrimEnd => {
                self.freeze();
                if let Some(last) = self.pieces.last_mut()
                    && let Some(bytes) = last.bytes().cloned()
                {
                    last.set_bytes(bytes.slice(..bytes.trim_ascii_end().len()));
                }
            }
            Op::Slice(size, pause) => self.slice(*size, *pause),
            Op::Oversize => {
                self.freeze();
                bulk::oversize(self.stream)
                    .into_iter()
                    .map(Piece::step)
                    .rev()
                    .for_each(|piece| self.place_bulk(piece));
            }
            Op::Bomb => {
                self.headers
                    .insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
                let steps = bulk::bomb(&self.flat(), self.stream);
                self.pieces = steps.into_iter().map(Piece::step).collect();
            }
            Op::Overlong(extra) => self.framing = Framing::Overlong(*extra),
            Op::Head(style) => self.style = *style,
            Op::End(end) => self.end = *end,
        }
    }

    fn replace(&mut self, reply: &Reply, facts: &Facts) {
        self.status = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::OK);
        self.headers = reply
            .headers
            .iter()
            .filter_map(|(name, value)| {
                let value = Some(facts.fill(value)).filter(|value| !value.is_empty())?;
                Some((
                    HeaderName::from_bytes(name.as_bytes()).ok()?,
                    HeaderValue::from_str(&value).ok()?,
                ))
            })
            .collect();
        let body = facts.fill(reply.body);
        let body = native::body(body, reply.status, self.protocol, &self.id);
        self.pieces = vec![Piece::text(Place::Delta, body)];
    }

    /// A chunk as text, as the protocol has it.
    fn event(&self, chunk: String) -> String {
        native::event(chunk, self.protocol, &self.id)
    }

    fn add(&mut self, step: Step) {
        self.pieces.push(Piece::step(step));
    }

    /// Bulk comes after what is left of a stream, and before a plain body.
    fn place_bulk(&mut self, piece: Piece) {
        let at = if self.stream {
            self.position(Place::Added)
        } else {
            0
        };
        self.pieces.insert(at, piece);
    }

    /// Where the first piece of this kind is, or would be.
    fn position(&self, place: Place) -> usize {
        let first = |wanted: Place| {
            self.pieces
                .iter()
                .position(|piece| piece.place >= wanted)
                .unwrap_or(self.pieces.len())
        };
        if place == Place::Middle && self.stream {
            let start = first(Place::Delta);
            let count = first(Place::Finish).saturating_sub(start);
            return start
                .saturating_add((count / 2).max(1))
                .min(first(Place::Finish));
        }
        if place == Place::Middle {
            return first(Place::Delta);
        }
        first(place)
    }

    /// Turns events into their bytes.
    fn freeze(&mut self) {
        let stream = self.stream;
        let named = self.protocol != Protocol::Chat;
        for piece in &mut self.pieces {
            if let Load::Event(event) = &piece.load {
                let text = if stream && named {
                    native::write(event)
                } else if stream {
                    format!("data: {event}\n\n")
                } else {
                    event.to_string()
                };
                piece.set_bytes(text);
            }
        }
    }

    /// Changes the text of every piece.
    fn rewrite(&mut self, change: impl Fn(&str) -> String) {
        self.freeze();
        for piece in &mut self.pieces {
            if let Some(text) = piece.bytes().and_then(|bytes| str::from_utf8(bytes).ok()) {
                let text = change(text);
                piece.set_bytes(text);
            }
        }
    }

    fn sprinkle(&mut self, text: &str) {
        let text = Bytes::copy_from_slice(text.as_bytes());
        let pieces = std::mem::take(&mut self.pieces);
        for piece in pieces {
            if piece.place == Place::Delta {
                self.pieces.push(Piece::text(Place::Delta, text.clone()));
            }
            self.pieces.push(piece);
        }
    }

    fn corrupt(&mut self) {
        self.freeze();
        let at = self.position(Place::Middle);
        if let Some(piece) = self.pieces.get_mut(at)
            && let Some(bytes) = piece.bytes()
        {
            let broken = [bytes.slice(..bytes.len() / 2), Bytes::from_static(b"\n\n")].concat();
            piece.set_bytes(broken);
        }
    }

    fn halve(&mut self, place: Place) {
        self.freeze();
        let at = self.position(place);
        self.pieces.truncate(at.saturating_add(1));
        if let Some(piece) = self.pieces.get_mut(at)
            && let Some(bytes) = piece.bytes()
        {
            let half = bytes.slice(..bytes.len() / 2);
            piece.set_bytes(half);
        }
    }

    /// Makes two writes of one character, or drops everything from its second byte on.
    fn split_char(&mut self, cut: bool) {
        let is_wide = |piece: &Piece| match &piece.load {
            Load::Event(event) => !event.to_string().is_ascii(),
            Load::Step(_) => false,
        };
        let middle = self
            .position(Place::Middle)
            .min(self.pieces.len().saturating_sub(1));
        let at = self.pieces.iter().position(is_wide).unwrap_or_else(|| {
            // The answer has no such character, so something else in the event gets one.
            if let Some(event) = self.pieces.get_mut(middle).and_then(Piece::event_mut) {
                set(event, "system_fingerprint", "fp_größe");
            }
            middle
        });
        self.freeze();
        let Some(bytes) = self.pieces.get(at).and_then(Piece::bytes).cloned() else {
            return;
        };
        let Some(wide) = bytes.iter().position(|byte| !byte.is_ascii()) else {
            return;
        };
        let inside = wide.saturating_add(1);
        let head = Piece::text(Place::Delta, bytes.slice(..inside));
        if cut {
            self.pieces.truncate(at);
            self.pieces.push(head);
            return;
        }
        let tail = Piece::text(Place::Delta, bytes.slice(inside..));
        self.pieces
            .splice(at..=at, [head, Piece::step(Step::Wait(Pause::Tick)), tail]);
    }

    fn many_lines(&mut self) {
        let named = self.protocol != Protocol::Chat;
        for piece in &mut self.pieces {
            if let Load::Event(event) = &piece.load {
                let pretty = format!("{event:#}");
                let data = pretty.replace('\n', "\ndata: ");
                let name = native::name(event).filter(|_| named);
                let name = name.map(|name| format!("event: {name}\n"));
                let name = name.unwrap_or_default();
                piece.set_bytes(format!("{name}data: {data}\n\n"));
            }
        }
    }

    /// All bytes in one.
    fn flat(&mut self) -> Vec<u8> {
        self.freeze();
        let bytes: Vec<_> = self.pieces.iter().filter_map(Piece::bytes).collect();
        bytes.into_iter().flatten().copied().collect()
    }

    fn slice(&mut self, size: usize, pause: Pause) {
        let flat = Bytes::from(self.flat());
        let steps = flat
            .chunks(size.max(1))
            .flat_map(|chunk| [Step::Send(flat.slice_ref(chunk)), Step::Wait(pause)]);
        self.pieces = steps.map(Piece::step).collect();
    }

    fn into_script(mut self) -> Script {
        self.freeze();
        let mut steps = VecDeque::new();
        for piece in self.pieces {
            if self.stream && piece.place == Place::Delta {
                steps.push_back(Step::Wait(Pause::Pace));
            }
            if let Load::Step(step) = piece.load {
                steps.push_back(step);
            }
        }
        Script {
            head: Head {
                status: self.status,
                headers: self.headers,
                style: self.style,
            },
            framing: self.framing,
            steps,
            end: self.end,
        }
    }
}
