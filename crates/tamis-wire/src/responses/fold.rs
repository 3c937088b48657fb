//! Turning a stream's events into the response that a call without a stream would have returned.
//!
//! The last event brings the whole response, and that is what counts. What came before it is kept for
//! streams that break off, and for servers whose last event has no output.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use super::event::{Event, Piece, Place, Token};
use super::{Item, Response};
use crate::native::{self, Fields, Object, Step, Texts};

/// Events in, a response out.
#[derive(Default)]
pub(crate) struct ResponseFold {
    response: Response,
    /// How long the event was that brought it.
    response_len: usize,
    begun: bool,
    slots: Vec<Slot>,
    /// Where the item of each number and of each id is.
    numbers: BTreeMap<u64, usize>,
    ids: BTreeMap<String, usize>,
    /// How many tool calls were told of.
    calls: u64,
}

/// One item so far.
#[derive(Default)]
struct Slot {
    item: Fields,
    number: Option<u64>,
    /// Its number among the tool calls, once it was told of.
    call: Option<u64>,
    /// Whether the events that bring it as a whole, its beginning and its end, have come. What comes after
    /// them counts, but is not told of: that takes time in proportion to the item, once.
    begun: bool,
    done: bool,
}

impl ResponseFold {
    pub(crate) fn push(&mut self, event: Event, len: usize) -> Step {
        match event {
            Event::Progress(response) => self.progress(response, len),
            Event::End(response) => self.end(response),
            Event::ItemAdded { at, item } => self.item(at, item, len, true),
            Event::ItemDone { at, item } => self.item(at, item, len, false),
            Event::PartAdded { at, piece, part } => self.part_added(&at, piece, part, len),
            Event::PartDone {
                at,
                piece,
                mut part,
            } => {
                let text = match part.shift_remove(piece.field()) {
                    Some(Value::String(text)) => text,
                    _ => String::new(),
                };
                self.done(&at, piece, text, &part, len)
            }
            Event::Delta { at, piece, text } => self.delta(&at, piece, text),
            Event::Done { at, piece, text } => self.done(&at, piece, text, &Fields::new(), len),
            Event::Error(error) => Step::error(error),
            Event::KeepAlive => Step::default(),
            Event::Other(event) => Step::one(native::other(event)),
        }
    }

    /// Takes in an event that brings a token's text; none where it is no such event.
    pub(crate) fn push_token(&mut self, data: &[u8]) -> Option<Step> {
        let token: Token<'_> = serde_json::from_slice(data).ok()?;
        let piece = token.piece()?;
        // The id is of no use where the number is known.
        let known = token
            .output_index
            .is_some_and(|number| self.numbers.contains_key(&number));
        let at = Place {
            item: token.output_index,
            id: token
                .item_id
                .as_deref()
                .filter(|_| !known)
                .map(str::to_owned),
            part: token.part(),
        };
        Some(self.delta(&at, piece, token.delta.into_owned()))
    }

    pub(crate) fn finish(mut self) -> Response {
        if !self.slots.is_empty() {
            self.slots
                .sort_by_key(|slot| slot.number.unwrap_or(u64::MAX));
            let items = self.slots.into_iter().map(|slot| slot.item.into());
            let output = Value::Array(items.collect());
            self.response
                .fields_mut()
                .insert("output".to_owned(), output);
        }
        self.response
    }

    fn progress(&mut self, response: Response, len: usize) -> Step {
        let held = len.saturating_sub(self.response_len);
        self.response = response;
        self.response_len = self.response_len.max(len);
        let begins = !std::mem::replace(&mut self.begun, true);
        let step = if begins {
            Step::one(native::header(&self.response.header()))
        } else {
            Step::default()
        };
        step.holding(held)
    }

    fn end(&mut self, mut response: Response) -> Step {
        let mut step = Step::default();
        // One that failed may say no more than that.
        for name in ["id", "model", "created_at"] {
            if let Some(known) = self.response.fields().get(name)
                && !response.fields().says(name)
            {
                let known = known.clone();
                response.fields_mut().insert(name.to_owned(), known);
            }
        }
        let streamed = std::mem::take(&mut self.slots);
        if response.output().next().is_none() {
            // What was streamed is all there is of the output.
            let items = streamed.into_iter().map(|slot| slot.item.into());
            let output = Value::Array(items.collect());
            response.fields_mut().insert("output".to_owned(), output);
        } else if streamed.is_empty() {
            for (number, item) in response.output().enumerate() {
                let at = Place {
                    item: Some(number as u64),
                    ..Place::default()
                };
                let told = self.item(at, item.fields().clone(), 0, true);
                step.chunks.extend(told.chunks);
            }
            self.slots.clear();
        } else {
            let (before, calls_before) = told(streamed.iter().map(|slot| Item::new(&slot.item)));
            let (now, calls) = told(response.output());
            let (more, corrected) = now.since(&before);
            step.corrected = corrected || calls != calls_before;
            step.chunks.extend(native::texts(more));
        }
        let (finish, reason) = response.finish();
        let failed = finish == Some(crate::finish_reason::FinishReason::Error);
        step.error = response.error().filter(|_| failed);
        if step.error.is_none() {
            let mut end = native::end(finish, reason, response.usage());
            if !self.begun {
                let header = native::header(&response.header());
                (end.id, end.model) = (header.id, header.model);
            }
            step.chunks.push(end);
        }
        step.ended = true;
        self.response = response;
        step
    }

    /// The place of an item; it is begun if it is new.
    fn slot(&mut self, at: &Place, kind: &str, begins: bool) -> usize {
        let known = match (at.item, &at.id) {
            (Some(number), _) => self.numbers.get(&number).copied(),
            (None, Some(id)) => self.ids.get(id).copied(),
            (None, None) if begins => None,
            (None, None) => self.slots.len().checked_sub(1),
        };
        if let Some(known) = known {
            return known;
        }
        let place = self.slots.len();
        let mut item = Fields::new();
        item.insert("type".to_owned(), kind.into());
        if let Some(id) = &at.id {
            item.insert("id".to_owned(), id.as_str().into());
            self.ids.entry(id.clone()).or_insert(place);
        }
        if let Some(number) = at.item {
            self.numbers.insert(number, place);
        }
        self.slots.push(Slot {
            item,
            number: at.item,
            ..Slot::default()
        });
        place
    }

    /// An item as a whole, or as far as it is known at its beginning.
    fn item(&mut self, mut at: Place, item: Fields, len: usize, begins: bool) -> Step {
        if at.id.is_none() {
            at.id = item.str("id").map(str::to_owned);
        }
        let place = self.slot(&at, "", begins);
        let Some(slot) = self.slots.get_mut(place) else {
            return Step::default();
        };
        let came = if begins {
            &mut slot.begun
        } else {
            &mut slot.done
        };
        let replaces = !std::mem::replace(came, true)
            && ["content", "summary", "arguments", "input"]
                .iter()
                .any(|name| item.says(name));
        let (before, arguments_before) = if replaces {
            (
                texts(Item::new(&slot.item)),
                arguments(&slot.item).to_owned(),
            )
        } else {
            (Texts::default(), String::new())
        };
        for (name, value) in item {
            let says_less = slot.item.says(&name) && !native::says(&value);
            if !says_less {
                slot.item.insert(name, value);
            }
        }
        let item = Item::new(&slot.item);
        let mut step =
            Step::default().holding(len.saturating_sub(before.len() + arguments_before.len()));
        if replaces {
            let (more, corrected) = texts(item).since(&before);
            step.corrected |= corrected;
            step.chunks.extend(native::texts(more));
        }
        let Some(name) = item.call_name() else {
            return step;
        };
        match slot.call {
            None => {
                let number = self.calls;
                self.calls += 1;
                let id = slot.item.str("call_id").or(slot.item.str("id"));
                step.chunks
                    .push(native::call(number, id, name, arguments(&slot.item)));
                slot.call = Some(number);
            }
            Some(number) if replaces => {
                match arguments(&slot.item).strip_prefix(&*arguments_before) {
                    Some("") => {}
                    Some(more) => step.chunks.push(native::arguments(number, more.to_owned())),
                    None => step.corrected = true,
                }
            }
            Some(_) => {}
        }
        step
    }

    fn part_added(&mut self, at: &Place, piece: Piece, part: Fields, len: usize) -> Step {
        let place = self.slot(at, piece.item(), false);
        let (Some(slot), Some((list, _, field))) = (self.slots.get_mut(place), piece.part()) else {
            return Step::default();
        };
        let parts = slot
            .item
            .entry(list)
            .or_insert_with(|| Value::Array(Vec::new()));
        let Some(parts) = parts.as_array_mut() else {
            return Step::default();
        };
        let known = at.part.and_then(|part| usize::try_from(part).ok());
        if known.is_some_and(|known| known < parts.len()) {
            return Step::default();
        }
        let text = part.str(field).unwrap_or_default().to_owned();
        parts.push(Value::Object(part));
        told_as(piece, text).holding(len)
    }

    fn delta(&mut self, at: &Place, piece: Piece, text: String) -> Step {
        let len = text.len();
        let place = self.slot(at, piece.item(), false);
        let Some(slot) = self.slots.get_mut(place) else {
            return Step::default();
        };
        if let Some(known) = text_mut(&mut slot.item, at, piece) {
            known.push_str(&text);
        }
        // A call whose item was never begun has no name yet.
        let step = match (piece.part(), slot.call) {
            (None, Some(number)) => Step::one(native::arguments(number, text)),
            (None, None) => Step::default(),
            (Some(_), _) => told_as(piece, text),
        };
        step.holding(len)
    }

    /// All of a piece's text, and the other fields of its part.
    fn done(&mut self, at: &Place, piece: Piece, text: String, rest: &Fields, len: usize) -> Step {
        let place = self.slot(at, piece.item(), false);
        let Some(slot) = self.slots.get_mut(place) else {
            return Step::default();
        };
        let call = slot.call;
        let Some(known) = text_mut(&mut slot.item, at, piece) else {
            return Step::default();
        };
        let held = len.saturating_sub(known.len());
        let mut step = Step::default();
        if text.is_empty() {
            // Nothing is not what was streamed.
        } else if let Some(more) = text.strip_prefix(known.as_str()) {
            step = match (piece.part(), call) {
                (Some(_), _) => told_as(piece, more.to_owned()),
                (None, Some(number)) if !more.is_empty() => {
                    Step::one(native::arguments(number, more.to_owned()))
                }
                (None, _) => Step::default(),
            };
            *known = text;
        } else {
            step.corrected = true;
            *known = text;
        }
        if let Some(part) = part_mut(&mut slot.item, at, piece) {
            for (name, value) in rest {
                part.insert(name.clone(), value.clone());
            }
        }
        step.holding(held)
    }
}

/// A text in the place of a chunk that it belongs to.
fn told_as(piece: Piece, text: String) -> Step {
    let mut texts = Texts::default();
    match piece {
        Piece::Text => texts.content = text,
        Piece::Refusal => texts.refusal = text,
        _ => texts.reasoning = text,
    }
    Step {
        chunks: native::texts(texts).into_iter().collect(),
        ..Step::default()
    }
}

/// What is told of items: their texts, and their calls with names and arguments.
fn told<'a>(items: impl Iterator<Item = Item<'a>>) -> (Texts, Vec<(String, String)>) {
    let (mut all, mut calls) = (Texts::default(), Vec::new());
    for item in items {
        let one = texts(item);
        all.content.push_str(&one.content);
        all.refusal.push_str(&one.refusal);
        if let Some(name) = item.call_name() {
            calls.push((name.to_owned(), arguments(item.fields()).to_owned()));
        }
    }
    (all, calls)
}

fn texts(item: Item<'_>) -> Texts {
    Texts {
        content: item.text(),
        refusal: item.refusal(),
        reasoning: item.reasoning(),
    }
}

fn arguments(item: &Fields) -> &str {
    item.str("arguments")
        .or(item.str("input"))
        .unwrap_or_default()
}

/// The part that a text belongs to; it is begun if it is new.
fn part_mut<'a>(item: &'a mut Fields, at: &Place, piece: Piece) -> Option<&'a mut Fields> {
    let (list, kind, _) = piece.part()?;
    let parts = item
        .entry(list)
        .or_insert_with(|| Value::Array(Vec::new()))
        .as_array_mut()?;
    let is_kind = |part: &Value| part.get("type").and_then(Value::as_str) == Some(kind);
    let wanted = match at.part {
        Some(part) => usize::try_from(part).ok(),
        None => parts.len().checked_sub(1),
    };
    let known = wanted.filter(|place| parts.get(*place).is_some_and(is_kind));
    let place = known.unwrap_or(parts.len());
    if known.is_none() {
        let mut part = Fields::new();
        part.insert("type".to_owned(), kind.into());
        part.insert(piece.field().to_owned(), "".into());
        parts.push(Value::Object(part));
    }
    parts.get_mut(place)?.as_object_mut()
}

/// The text of a piece; it is begun if it is new.
fn text_mut<'a>(item: &'a mut Fields, at: &Place, piece: Piece) -> Option<&'a mut String> {
    let holder = match piece.part() {
        Some(_) => part_mut(item, at, piece)?,
        None => item,
    };
    let text = holder
        .entry(piece.field())
        .or_insert_with(|| Value::String(String::new()));
    if !text.is_string() {
        *text = Value::String(String::new());
    }
    match text {
        Value::String(text) => Some(text),
        _ => None,
    }
}

/// How much came, not what it says.
impl fmt::Debug for ResponseFold {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ResponseFold")
            .field("items", &self.slots.len())
            .finish_non_exhaustive()
    }
}
