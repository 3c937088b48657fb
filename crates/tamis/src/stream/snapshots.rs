//! An answer as far as it has come, as the caller's own type.

use std::fmt;
use std::marker::PhantomData;

use serde::de::DeserializeOwned;
use serde_json::Value;
use tamis_json::{Partial, Repairer};
use tamis_wire::{Completion, Failure};

use super::CompletionStream;
use super::fields::text_of;
use crate::answer::Answer;

/// A stream read as JSON, as far as it has come; see [`CompletionStream::snapshots`].
pub struct Snapshots<T> {
    stream: CompletionStream,
    /// None after it met something that it cannot read; the stream's end then says what it was.
    repairer: Option<Repairer>,
    partial: Partial,
    kind: PhantomData<fn() -> T>,
}

impl CompletionStream {
    /// Reads the first choice's text as JSON while it comes, and hands out what there is of it after
    /// each chunk, as a `T`. Text is shown as far as it goes.
    ///
    /// What is no `T` yet is not shown, so give a `T` for partial answers optional fields
    /// (`#[serde(default)]`). Making a `T` costs time in its size; [`Snapshots::value`] costs none.
    ///
    /// A snapshot is never an answer: only [`Snapshots::finish`] tells whether it was completed.
    ///
    /// ```no_run
    /// #[derive(Default, serde::Deserialize)]
    /// #[serde(default)]
    /// struct Place {
    ///     city: String,
    ///     zip: Option<String>,
    /// }
    ///
    /// # async fn example(client: tamis::Client, schema: serde_json::Value) -> Result<(), tamis::Failure> {
    /// let chat = client.chat("openai/gpt-4o").user("…").json_schema("place", schema);
    /// let mut snapshots = chat.stream().await?.snapshots::<Place>();
    /// while let Some(place) = snapshots.next().await {
    ///     println!("{}…", place?.city);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn snapshots<T: DeserializeOwned>(self) -> Snapshots<T> {
        Snapshots {
            repairer: Some(Repairer::new(self.reading.policy().clone())),
            stream: self,
            partial: Partial::TrailingStrings,
            kind: PhantomData,
        }
    }
}

impl<T: DeserializeOwned> Snapshots<T> {
    /// Shows of a value that still comes as much as this says; by default text as far as it goes.
    pub fn showing(mut self, partial: Partial) -> Self {
        self.partial = partial;
        self
    }

    /// The answer as far as it has come; none after the last chunk.
    ///
    /// # Errors
    ///
    /// As [`CompletionStream::next`], once, as the last item.
    pub async fn next(&mut self) -> Option<Result<T, Failure>> {
        loop {
            let chunk = match self.stream.next().await? {
                Ok(chunk) => chunk,
                Err(failure) => return Some(Err(failure)),
            };
            let (Some(text), Some(repairer)) = (text_of(&chunk), &mut self.repairer) else {
                continue;
            };
            if repairer.push(text.as_bytes()).is_err() {
                self.repairer = None;
                continue;
            }
            if let Some(Ok(snapshot)) = repairer.snapshot(self.partial).map(T::deserialize) {
                return Some(Ok(snapshot));
            }
        }
    }

    /// The answer as far as it has come, by reference.
    pub fn value(&mut self) -> Option<&Value> {
        self.repairer.as_mut()?.snapshot(self.partial)
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
}

impl<T> fmt::Debug for Snapshots<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Snapshots")
            .field("stream", &self.stream)
            .finish_non_exhaustive()
    }
}
