//! A request of the Messages protocol.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use tamis_wire::request::{InputContent, InputMessage};
use tamis_wire::{Completion, Protocol};

use super::common::common;
use crate::chat::Chat;
use crate::client::Client;
use crate::structured::Structured;

/// A request of Anthropic's Messages protocol, which OpenRouter serves for every model.
///
/// What comes back is what a [`Chat`] gives: a [`Completion`], an [`Answer`](crate::Answer), or a failure
/// of the same kinds. The message in its own shape is [`Completion::native_message`].
///
/// ```no_run
/// # async fn example(client: tamis::Client, schema: serde_json::Value) -> Result<(), tamis::Failure> {
/// let answer = client
///     .messages("anthropic/claude-sonnet-4.5")
///     .system("You extract shipping addresses.")
///     .user("Ship it to 4 Rue de la Paix in Paris.")
///     .max_tokens(1000)
///     .json_schema(schema)
///     .answer()
///     .await?;
/// println!("{}", answer.value);
/// # Ok(())
/// # }
/// ```
#[must_use = "a request does nothing until it is sent"]
pub struct Messages {
    chat: Chat,
}

common!(Messages);

impl Client {
    /// A request of the Messages protocol to a model, as `author/slug` on OpenRouter.
    ///
    /// The key goes as a bearer token, as OpenRouter and local servers take it; another server's own
    /// header can be set with [`Messages::header`].
    pub fn messages(&self, model: impl Into<String>) -> Messages {
        let mut request = Map::new();
        request.insert("model".to_owned(), model.into().into());
        request.insert("messages".to_owned(), json!([]));
        Messages {
            chat: Chat::native(self.clone(), Protocol::Messages, request),
        }
    }
}

impl Messages {
    /// Instructions; they replace those set before.
    pub fn system(self, content: impl Into<InputContent>) -> Self {
        self.set("system", content.into())
    }

    /// Adds the user's words, or parts (`text`, `image`, `document`, …).
    pub fn user(self, content: impl Into<InputContent>) -> Self {
        self.message(json!({"role": "user", "content": content.into()}))
    }

    /// Adds the model's words of an earlier turn.
    pub fn assistant(self, content: impl Into<InputContent>) -> Self {
        self.message(json!({"role": "assistant", "content": content.into()}))
    }

    /// Adds a message as JSON.
    pub fn message(mut self, message: Value) -> Self {
        let messages = self
            .chat
            .fields_mut()
            .and_then(|fields| fields.get_mut("messages")?.as_array_mut());
        if let Some(messages) = messages {
            messages.push(message);
        }
        self
    }

    /// Adds what the model gave in an earlier turn, its thinking among it, unchanged. Of a completion that
    /// was no message, its text.
    pub fn turn_of(self, completion: &Completion) -> Self {
        match completion.native_message() {
            Some(message) => {
                let content = message.fields().get("content").cloned();
                self.message(json!({"role": "assistant", "content": content}))
            }
            None => match completion.text() {
                Some(text) => self.assistant(text.into_owned()),
                None => self,
            },
        }
    }

    /// Adds tools' results, as [`Call::result`](crate::Call::result) and
    /// [`CallError::answer`](crate::CallError::answer) give them. Those of one turn belong into one message.
    pub fn tool_results(self, results: impl IntoIterator<Item = InputMessage>) -> Self {
        let results: Vec<Value> = results
            .into_iter()
            .map(|result| {
                json!({
                    "type": "tool_result",
                    "tool_use_id": result.tool_call_id,
                    "content": result.content,
                })
            })
            .collect();
        self.message(json!({"role": "user", "content": results}))
    }

    /// At most so many tokens out; at least 1. Anthropic's own server insists on it, OpenRouter does not.
    pub fn max_tokens(self, tokens: u64) -> Self {
        self.set("max_tokens", tokens)
    }

    /// From 0 to 2; Anthropic's models take up to 1.
    pub fn temperature(self, temperature: f64) -> Self {
        self.set("temperature", temperature)
    }

    /// From 0 to 1.
    pub fn top_p(self, top_p: f64) -> Self {
        self.set("top_p", top_p)
    }

    /// 0 or more.
    pub fn top_k(self, top_k: u64) -> Self {
        self.set("top_k", top_k)
    }

    /// Texts that end the answer.
    pub fn stop_sequences<S: Into<String>>(self, stop: impl IntoIterator<Item = S>) -> Self {
        let stop: Vec<String> = stop.into_iter().map(Into::into).collect();
        self.set("stop_sequences", stop)
    }

    /// How much it thinks, as JSON: `{"type": "enabled", "budget_tokens": 2000}`.
    pub fn thinking(self, thinking: Value) -> Self {
        self.set("thinking", thinking)
    }

    /// Tools as JSON, the server's own among them; for functions see [`Messages::toolbox`].
    pub fn tools(self, tools: impl IntoIterator<Item = Value>) -> Self {
        self.set("tools", tools.into_iter().collect::<Vec<Value>>())
    }

    /// Whether, and which, tool it must ask for, as JSON: `{"type": "auto"}`, `{"type": "any"}`, or
    /// `{"type": "tool", "name": …}`.
    pub fn tool_choice(self, choice: Value) -> Self {
        self.set("tool_choice", choice)
    }

    /// A schema that the answer must conform to, sent as `output_config.format`. The provider is asked to
    /// enforce it, and [`Messages::answer`] checks that it did.
    pub fn json_schema(self, schema: Value) -> Self {
        self.format("output_config", Map::new(), schema)
    }

    /// Makes the answer a `T`, by a schema made from it.
    pub fn structured<T: DeserializeOwned + JsonSchema>(self) -> Structured<T> {
        Structured::with(|_, schema| self.json_schema(schema).chat)
    }
}
