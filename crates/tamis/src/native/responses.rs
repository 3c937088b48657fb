//! A request of the Responses protocol.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use tamis_wire::request::{InputContent, InputMessage};
use tamis_wire::{Completion, Protocol};

use super::common::common;
use crate::chat::{Chat, items_mut};
use crate::client::Client;
use crate::structured::Structured;

/// A request of `OpenAI`'s Responses protocol, which OpenRouter serves for every model.
///
/// What comes back is what a [`Chat`] gives: a [`Completion`], an [`Answer`](crate::Answer), or a failure
/// of the same kinds. The response in its own shape is [`Completion::response`].
///
/// ```no_run
/// # async fn example(client: tamis::Client, schema: serde_json::Value) -> Result<(), tamis::Failure> {
/// let answer = client
///     .responses("openai/gpt-4o")
///     .instructions("You extract shipping addresses.")
///     .user("Ship it to 4 Rue de la Paix in Paris.")
///     .json_schema("shipping_info", schema)
///     .answer()
///     .await?;
/// println!("{}", answer.value);
/// # Ok(())
/// # }
/// ```
#[must_use = "a request does nothing until it is sent"]
pub struct Responses {
    chat: Chat,
}

common!(Responses);

impl Client {
    /// A request of the Responses protocol to a model, as `author/slug` on OpenRouter.
    pub fn responses(&self, model: impl Into<String>) -> Responses {
        let mut request = Map::new();
        request.insert("model".to_owned(), model.into().into());
        Responses {
            chat: Chat::native(self.clone(), Protocol::Responses, request),
        }
    }
}

impl Responses {
    /// Instructions, beside the input; they replace those set before.
    pub fn instructions(self, text: impl Into<String>) -> Self {
        self.set("instructions", text.into())
    }

    /// The whole input, a text or a list of items, in place of what was added before.
    pub fn input(self, input: impl Into<Value>) -> Self {
        self.set("input", input.into())
    }

    /// Adds the user's words, or parts (`input_text`, `input_image`, …).
    pub fn user(self, content: impl Into<InputContent>) -> Self {
        self.item(json!({"role": "user", "content": content.into()}))
    }

    /// Adds the model's words of an earlier turn.
    pub fn assistant(self, content: impl Into<InputContent>) -> Self {
        self.item(json!({"role": "assistant", "content": content.into()}))
    }

    /// Adds an item as JSON.
    pub fn item(mut self, item: Value) -> Self {
        if let Some(items) = self.chat.fields_mut().and_then(items_mut) {
            items.push(item);
        }
        self
    }

    /// Adds the items that the model gave in an earlier turn, its reasoning among them, unchanged. Of a
    /// completion that was no response, its text.
    pub fn turn_of(mut self, completion: &Completion) -> Self {
        match completion.response() {
            Some(response) => {
                for item in response.output() {
                    self = self.item(Value::Object(item.fields().clone()));
                }
                self
            }
            None => match completion.text() {
                Some(text) => self.assistant(text.into_owned()),
                None => self,
            },
        }
    }

    /// Adds tools' results, as [`Call::result`](crate::Call::result) and
    /// [`CallError::answer`](crate::CallError::answer) give them.
    pub fn tool_results(mut self, results: impl IntoIterator<Item = InputMessage>) -> Self {
        for result in results {
            self = self.item(json!({
                "type": "function_call_output",
                "call_id": result.tool_call_id,
                "output": result.content,
            }));
        }
        self
    }

    /// At most so many tokens out, reasoning included; at least 1.
    pub fn max_output_tokens(self, tokens: u64) -> Self {
        self.set("max_output_tokens", tokens)
    }

    /// At most so many calls of the server's own tools; 1 to 30.
    pub fn max_tool_calls(self, calls: u64) -> Self {
        self.set("max_tool_calls", calls)
    }

    /// From 0 to 2.
    pub fn temperature(self, temperature: f64) -> Self {
        self.set("temperature", temperature)
    }

    /// From 0 to 1.
    pub fn top_p(self, top_p: f64) -> Self {
        self.set("top_p", top_p)
    }

    /// How much it thinks, as JSON: `effort`, `summary`; on OpenRouter `enabled` and `max_tokens` too.
    pub fn reasoning(self, reasoning: Value) -> Self {
        self.set("reasoning", reasoning)
    }

    /// Whether the model may ask for several tools at once.
    pub fn parallel_tool_calls(self, on: bool) -> Self {
        self.set("parallel_tool_calls", on)
    }

    /// Tools as JSON, the server's own among them; for functions see [`Responses::toolbox`].
    pub fn tools(self, tools: impl IntoIterator<Item = Value>) -> Self {
        self.set("tools", tools.into_iter().collect::<Vec<Value>>())
    }

    /// Whether, and which, tool it must ask for, as JSON: `"auto"`, `"required"`, or
    /// `{"type": "function", "name": …}`.
    pub fn tool_choice(self, choice: impl Into<Value>) -> Self {
        self.set("tool_choice", choice.into())
    }

    /// A schema that the answer must conform to, sent as `text.format`. The provider is asked to enforce
    /// it, and [`Responses::answer`] checks that it did.
    pub fn json_schema(self, name: impl Into<String>, schema: Value) -> Self {
        let mut format = Map::new();
        format.insert("name".to_owned(), name.into().into());
        format.insert("strict".to_owned(), true.into());
        self.format("text", format, schema)
    }

    /// Makes the answer a `T`, by a schema made from it.
    pub fn structured<T: DeserializeOwned + JsonSchema>(self) -> Structured<T> {
        Structured::with(|name, schema| self.json_schema(name, schema).chat)
    }
}
