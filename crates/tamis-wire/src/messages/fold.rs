//! Turning a stream's events into the message that a call without a stream would have returned.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::event::{Event, Piece, Token};
use super::{Block, Input, Message};
use crate::chunk::Chunk;
use crate::native::{self, Fields, Object, Step, Texts};

/// Events in, a message out.
#[derive(Default)]
pub(crate) struct MessageFold {
    message: Message,
    begun: bool,
    slots: Vec<Slot>,
    /// Where the block of each number is.
    numbers: BTreeMap<u64, usize>,
    /// How many tool calls were told of.
    calls: u64,
}

/// One block so far.
#[derive(Default)]
struct Slot {
    block: Fields,
    number: Option<u64>,
    /// A tool's input so far, which comes as JSON text.
    input: String,
    /// All of it, to the digit.
    whole: Input,
    /// Its number among the tool calls.
    call: Option<u64>,
}

impl MessageFold {
    pub(crate) fn push(&mut self, event: Event, len: usize) -> Step {
        match event {
            Event::Start(message) => self.start(message).holding(len),
            Event::BlockStart { index, block } => self.block_start(index, block).holding(len),
            Event::BlockDelta { index, delta } => self.block_delta(index, delta, len),
            Event::BlockStop { index } => {
                if let Some(slot) = self.slot(index) {
                    slot.close();
                }
                Step::default()
            }
            Event::MessageDelta { delta, usage } => self.message_delta(delta, usage).holding(len),
            Event::Stop => self.stop(),
            Event::Ping => Step::default(),
            Event::Error(error) => Step::error(error),
            Event::Other(event) => Step::one(native::other(event)),
        }
    }

    pub(crate) fn finish(mut self) -> Message {
        self.slots
            .sort_by_key(|slot| slot.number.unwrap_or(u64::MAX));
        let blocks = self.slots.into_iter().map(|mut slot| {
            slot.close();
            (Value::Object(slot.block), slot.whole)
        });
        let (streamed, inputs): (Vec<Value>, Vec<Input>) = blocks.unzip();
        let fields = self.message.fields_mut();
        if !streamed.is_empty() || !fields.contains_key("content") {
            fields.insert("content".to_owned(), Value::Array(streamed));
        }
        self.message.with_inputs(inputs)
    }

    fn start(&mut self, message: Message) -> Step {
        if std::mem::replace(&mut self.begun, true) {
            // It began already.
            return Step::default();
        }
        self.message = message;
        let mut step = Step::one(native::header(&self.message.header()));
        let content = match self.message.fields_mut().get_mut("content") {
            Some(Value::Array(blocks)) => std::mem::take(blocks),
            _ => Vec::new(),
        };
        for (number, block) in content.into_iter().enumerate() {
            if let Value::Object(block) = block {
                let begun = self.block_start(Some(number as u64), block);
                step.chunks.extend(begun.chunks);
            }
        }
        step
    }

    fn slot(&mut self, index: Option<u64>) -> Option<&mut Slot> {
        match index {
            Some(index) => self.slots.get_mut(*self.numbers.get(&index)?),
            None => self.slots.last_mut(),
        }
    }

    fn block_start(&mut self, index: Option<u64>, block: Fields) -> Step {
        if index.is_some_and(|index| self.numbers.contains_key(&index)) {
            // It began already.
            return Step::default();
        }
        let view = Block::new(&block);
        let texts = Texts {
            content: view.text().unwrap_or_default().to_owned(),
            reasoning: view.thinking().unwrap_or_default().to_owned(),
            ..Texts::default()
        };
        let mut chunks: Vec<_> = native::texts(texts).into_iter().collect();
        let mut slot = Slot {
            number: index,
            ..Slot::default()
        };
        if let Some(name) = view.call_name() {
            let input = match view.input() {
                Some(input) if native::says(input) => input.to_string(),
                _ => String::new(),
            };
            chunks.push(native::call(self.calls, block.str("id"), name, &input));
            slot.call = Some(self.calls);
            self.calls += 1;
        }
        slot.block = block;
        if let Some(index) = index {
            self.numbers.insert(index, self.slots.len());
        }
        self.slots.push(slot);
        Step {
            chunks,
            ..Step::default()
        }
    }

    fn block_delta(&mut self, index: Option<u64>, mut delta: Fields, len: usize) -> Step {
        let kind = native::text(&mut delta, "type").unwrap_or_default();
        if let Some(piece) = Piece::of(&kind) {
            let text = native::text(&mut delta, piece.name()).unwrap_or_default();
            return self.more(index, piece, text);
        }
        if kind == "citations_delta" {
            if let Some(citation) = delta.shift_remove("citation")
                && let Some(slot) = self.begun(index, "text")
            {
                slot.cite(citation);
            }
            return Step::default().holding(len);
        }
        delta.insert("type".to_owned(), kind.into());
        Step::one(native::other(delta))
    }

    /// Takes in an event that brings a token's text; none where it is no such event.
    pub(crate) fn push_token(&mut self, data: &[u8]) -> Option<Step> {
        let token: Token<'_> = serde_json::from_slice(data).ok()?;
        let (index, piece, text) = token.read()?;
        Some(self.more(index, piece, text))
    }

    /// More of a block's text.
    fn more(&mut self, index: Option<u64>, piece: Piece, text: String) -> Step {
        let held = text.len();
        let Some(slot) = self.begun(index, piece.block()) else {
            return Step::default();
        };
        let mut texts = Texts::default();
        match piece {
            Piece::Input => {
                slot.input.push_str(&text);
                let call = slot.call.filter(|_| !text.is_empty());
                let chunk = call.map(|call| native::arguments(call, text));
                return Step {
                    chunks: chunk.into_iter().collect(),
                    held,
                    ..Step::default()
                };
            }
            Piece::Text => {
                slot.append("text", &text);
                texts.content = text;
            }
            Piece::Thinking => {
                slot.append("thinking", &text);
                texts.reasoning = text;
            }
            Piece::Signature => slot.append("signature", &text),
        }
        Step {
            chunks: native::texts(texts).into_iter().collect(),
            held,
            ..Step::default()
        }
    }

    /// A block; one whose beginning did not come begins here.
    fn begun(&mut self, index: Option<u64>, kind: &str) -> Option<&mut Slot> {
        if self.slot(index).is_none() {
            let mut block = Fields::new();
            block.insert("type".to_owned(), kind.into());
            self.block_start(index, block);
        }
        self.slot(index)
    }

    fn message_delta(&mut self, delta: Fields, usage: Fields) -> Step {
        let fields = self.message.fields_mut();
        for (name, value) in delta {
            if !value.is_null() || !fields.contains_key(&name) {
                fields.insert(name, value);
            }
        }
        if usage.is_empty() {
            return Step::default();
        }
        let known = fields
            .entry("usage")
            .or_insert_with(|| Value::Object(Map::new()));
        match known.as_object_mut() {
            Some(known) => {
                for (name, value) in usage {
                    if !value.is_null() || !known.contains_key(&name) {
                        known.insert(name, value);
                    }
                }
            }
            None => *known = Value::Object(usage),
        }
        Step::one(Chunk {
            usage: self.message.usage().map(Box::new),
            ..Chunk::default()
        })
    }

    fn stop(&mut self) -> Step {
        let mut step = Step {
            ended: true,
            ..Step::default()
        };
        // Without a reason it did not say that it was finished.
        if let Some(finish) = self.message.finish() {
            let reason = self.message.stop_reason().map(str::to_owned);
            step.chunks = vec![native::end(Some(finish), reason, self.message.usage())];
        }
        step
    }
}

impl Slot {
    fn append(&mut self, name: &str, more: &str) {
        match self.block.get_mut(name) {
            Some(Value::String(text)) => text.push_str(more),
            _ => {
                self.block.insert(name.to_owned(), more.into());
            }
        }
    }

    fn cite(&mut self, citation: Value) {
        if let Some(Value::Array(citations)) = self.block.get_mut("citations") {
            citations.push(citation);
        } else {
            let citations = Value::Array(vec![citation]);
            self.block.insert("citations".to_owned(), citations);
        }
    }

    /// Puts the tool's input into its place: its value, or where it is cut off, the text that came.
    fn close(&mut self) {
        if self.input.is_empty() {
            return;
        }
        let text = std::mem::take(&mut self.input);
        let input = match serde_json::from_str(&text) {
            Ok(input) => {
                self.whole = RawValue::from_string(text).ok();
                input
            }
            Err(_) => Value::String(text),
        };
        self.block.insert("input".to_owned(), input);
    }
}

/// How much came, not what it says.
impl fmt::Debug for MessageFold {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("MessageFold")
            .field("blocks", &self.slots.len())
            .finish_non_exhaustive()
    }
}
