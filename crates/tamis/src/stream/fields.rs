//! The fields of an answer, each as soon as it is whole.

use std::collections::{BTreeSet, VecDeque};
use std::fmt;

use serde_json::Value;
use tamis_json::{Event, Pointer, Repairer};
use tamis_wire::{Chunk, Completion, Failure};

use super::CompletionStream;
use crate::answer::Answer;

/// One value of an answer that has come whole: text, a number, `true`, `false`, null, or an empty
/// object or array. Larger ones are whole when their parts are.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Field {
    /// Where it is.
    pub pointer: Pointer,
    /// What it is.
    pub value: Value,
}

/// Where, not what.
impl fmt::Debug for Field {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Field")
            .field("pointer", &self.pointer.to_string())
            .finish_non_exhaustive()
    }
}

/// A stream read as JSON, field by field; see [`CompletionStream::fields`].
pub struct Fields {
    stream: CompletionStream,
    /// None after it met something that it cannot read; the stream's end then says what it was.
    repairer: Option<Repairer>,
    ready: VecDeque<Field>,
    told: BTreeSet<String>,
    ended: bool,
}

impl CompletionStream {
    /// Reads the first choice's text as JSON while it comes, and hands out each field as soon as it
    /// is whole. What is mended on the way is what [`Chat::repair`](crate::Chat::repair) allows.
    ///
    /// A field is what the text looks like so far. Only [`Fields::finish`] tells whether the answer
    /// was completed, and a text that held more than one document may turn out to mean another one.
    /// Where the schema was lowered, fields come in the lowered shape: null for an absent property,
    /// pairs for a map. [`Chat::lowering`](crate::Chat::lowering) turns that off.
    ///
    /// ```no_run
    /// # async fn example(client: tamis::Client, schema: serde_json::Value) -> Result<(), tamis::Failure> {
    /// let chat = client.chat("openai/gpt-4o").user("…").json_schema("place", schema);
    /// let mut fields = chat.stream().await?.fields();
    /// while let Some(field) = fields.next().await {
    ///     let field = field?;
    ///     println!("{} is {}", field.pointer, field.value);
    /// }
    /// let completion = fields.finish().await?;
    /// # let _ = completion;
    /// # Ok(())
    /// # }
    /// ```
    pub fn fields(self) -> Fields {
        Fields {
            repairer: Some(Repairer::new(self.reading.policy().clone())),
            stream: self,
            ready: VecDeque::new(),
            told: BTreeSet::new(),
            ended: false,
        }
    }
}

impl Fields {
    /// The next field; none after the last one.
    ///
    /// # Errors
    ///
    /// As [`CompletionStream::next`], once, as the last item.
    pub async fn next(&mut self) -> Option<Result<Field, Failure>> {
        loop {
            if let Some(field) = self.ready.pop_front() {
                return Some(Ok(field));
            }
            if self.ended {
                return None;
            }
            match self.stream.next().await {
                Some(Ok(chunk)) => self.take(&chunk),
                Some(Err(failure)) => {
                    self.ended = true;
                    return Some(Err(failure));
                }
                None => {
                    self.ended = true;
                    self.take_rest();
                }
            }
        }
    }

    /// Reads to the end, and gives the answer; see [`CompletionStream::answer`].
    ///
    /// # Errors
    ///
    /// As there.
    pub async fn answer(self) -> Result<Answer<Value>, Failure> {
        self.stream.answer().await
    }

    /// Reads to the end, and gives the completion; [`Completion::parse_json`] reads its text.
    ///
    /// # Errors
    ///
    /// As [`CompletionStream::finish`].
    pub async fn finish(self) -> Result<Completion, Failure> {
        self.stream.finish().await
    }

    fn take(&mut self, chunk: &Chunk<'_>) {
        let (Some(text), Some(repairer)) = (text_of(chunk), &mut self.repairer) else {
            return;
        };
        let Self { ready, told, .. } = self;
        let read = repairer.push_with(text.as_bytes(), |location, event| {
            if let Event::Complete(value) = event
                && location.depth() > 0
                && is_leaf(value)
            {
                tell(location.pointer(), value, ready, told);
            }
        });
        if read.is_err() {
            self.repairer = None;
        }
    }

    /// What could only be settled by the end of the text.
    fn take_rest(&mut self) {
        let Some(Ok(completion)) = &self.stream.end else {
            return;
        };
        if let Ok(repaired) = completion.parse_json_with(self.stream.reading.policy()) {
            let Self { ready, told, .. } = self;
            walk(
                &mut Pointer::root(),
                &repaired.value,
                &mut |pointer, value| {
                    tell(pointer.clone(), value, ready, told);
                },
            );
        }
    }
}

impl fmt::Debug for Fields {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Fields")
            .field("stream", &self.stream)
            .finish_non_exhaustive()
    }
}

/// The new text of the first choice.
pub(super) fn text_of<'a>(chunk: &'a Chunk<'_>) -> Option<&'a str> {
    let choice = chunk
        .choices
        .iter()
        .find(|choice| choice.index.unwrap_or(0) == 0)?;
    choice.delta.text().filter(|text| !text.is_empty())
}

fn tell(pointer: Pointer, value: &Value, ready: &mut VecDeque<Field>, told: &mut BTreeSet<String>) {
    if told.insert(pointer.to_string()) {
        ready.push_back(Field {
            pointer,
            value: value.clone(),
        });
    }
}

fn is_leaf(value: &Value) -> bool {
    match value {
        Value::Object(members) => members.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => true,
    }
}

/// Every leaf below the root. The parser's depth limit bounds the recursion.
fn walk(pointer: &mut Pointer, value: &Value, visit: &mut impl FnMut(&Pointer, &Value)) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (key, value) in members {
                pointer.push_key(key);
                walk(pointer, value, visit);
                pointer.pop();
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (index, value) in items.iter().enumerate() {
                pointer.push_index(index);
                walk(pointer, value, visit);
                pointer.pop();
            }
        }
        leaf if *pointer != Pointer::root() => visit(pointer, leaf),
        _ => {}
    }
}
