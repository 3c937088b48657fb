//! Answers as the caller's own types.

use std::fmt;
use std::future::{Future, IntoFuture};
use std::marker::PhantomData;
use std::pin::Pin;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tamis_wire::{Failure, FailureKind};

use super::derived;
use crate::answer::Answer;
use crate::chat::Chat;

/// A request whose answer is a `T`; see [`Chat::structured`].
#[must_use = "a request is sent when it is awaited"]
pub struct Structured<T> {
    chat: Chat,
    answer: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned + JsonSchema> Structured<T> {
    pub(crate) fn new(chat: Chat) -> Self {
        Self::with(|name, schema| chat.json_schema(name, schema))
    }

    /// A request to which the type's schema and the name for it are given.
    pub(crate) fn with(schema: impl FnOnce(String, Value) -> Chat) -> Self {
        let name = schema_name(&T::schema_name());
        Self {
            // An `Option` is none whether its property is null or absent.
            chat: schema(name, derived::schema::<T>()).absent_as_null(),
            answer: PhantomData,
        }
    }

    /// Sends the request. Awaiting it does the same.
    ///
    /// # Errors
    ///
    /// Those of [`Chat::answer`]; `Malformed` too where the value conforms to the schema and is still
    /// no `T`, because `T` refuses what its schema allows.
    pub async fn send(self) -> Result<Answer<T>, Failure> {
        let mut answer = self.chat.answer().await?;
        let value = std::mem::take(&mut answer.value);
        match serde_json::from_value(value) {
            Ok(value) => Ok(answer.map(value)),
            Err(_) => Err(Failure::new(
                FailureKind::Malformed,
                "the value conforms to the schema, but not to the type the schema was made from",
            )
            .with_attempts(answer.attempts)
            .with_generation_id(answer.generation_id.clone())
            .with_completion(answer.completion)),
        }
    }
}

impl<T: DeserializeOwned + JsonSchema + 'static> IntoFuture for Structured<T> {
    type Output = Result<Answer<T>, Failure>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}

impl<T> fmt::Debug for Structured<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Structured")
            .field("chat", &self.chat)
            .finish()
    }
}

/// A type's name as a schema's name.
fn schema_name(name: &str) -> String {
    let allowed = |character: char| character.is_ascii_alphanumeric() || "_-".contains(character);
    let name: String = name
        .chars()
        .map(|character| if allowed(character) { character } else { '_' })
        .take(64)
        .collect();
    if name.is_empty() {
        "answer".to_owned()
    } else {
        name
    }
}
