//! A chat request, put together and sent.

mod answer;
mod fields;
mod native;
mod send;
mod turn;

use std::fmt;
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use tamis_json::Policy;
use tamis_schema::Dialect;
use tamis_wire::request::{ChatRequest, InputContent, InputMessage, JsonSchemaFormat};
use tamis_wire::{Failure, FailureKind, Protocol};

pub(crate) use answer::answer_of;
pub(crate) use native::{items_mut, put_format};
pub(crate) use send::deadline;

use crate::client::Client;
use crate::retry::RetryPolicy;
use crate::structured::{Options, Reask, SchemaMode, Structured};
use crate::tap::{Tap, Tapped};
use crate::tools::Toolbox;

/// A chat request.
///
/// Everything is checked before a byte is sent, on the plain and on the streaming path alike.
///
/// ```no_run
/// # async fn example(client: tamis::Client, schema: serde_json::Value) -> Result<(), tamis::Failure> {
/// let answer = client
///     .chat("openai/gpt-4o")
///     .system("You extract shipping addresses.")
///     .user("Ship it to 4 Rue de la Paix in Paris.")
///     .json_schema("shipping_info", schema)
///     .temperature(0.0)
///     .answer()
///     .await?;
/// println!("{}", answer.value);
/// # Ok(())
/// # }
/// ```
#[must_use = "a request does nothing until it is sent"]
pub struct Chat {
    client: Client,
    protocol: Protocol,
    body: Body,
    headers: HeaderMap,
    timeout: Duration,
    retry: RetryPolicy,
    tap: Tap,
    mending: Policy,
    options: Options,
    toolbox: Option<Toolbox>,
    problem: Option<Failure>,
}

/// A request as the caller gave it.
#[derive(Clone)]
pub(crate) enum Body {
    Typed(Box<ChatRequest>),
    Json(Map<String, Value>),
}

impl Chat {
    pub(crate) fn new(client: Client, body: Body) -> Self {
        let shared = &client.shared;
        Self {
            timeout: shared.timeouts.total,
            retry: shared.retry.clone(),
            protocol: Protocol::ChatCompletions,
            body,
            headers: HeaderMap::new(),
            tap: Tap::default(),
            mending: Policy::default(),
            options: Options::default(),
            toolbox: None,
            problem: None,
            client,
        }
    }

    /// Adds instructions.
    pub fn system(self, content: impl Into<InputContent>) -> Self {
        self.message(InputMessage::system(content))
    }

    /// Adds the user's words, or parts such as images.
    pub fn user(self, content: impl Into<InputContent>) -> Self {
        self.message(InputMessage::user(content))
    }

    /// Adds the model's words of an earlier turn.
    pub fn assistant(self, content: impl Into<InputContent>) -> Self {
        self.message(InputMessage::assistant(content))
    }

    /// Adds a message.
    pub fn message(mut self, message: InputMessage) -> Self {
        match &mut self.body {
            Body::Typed(request) => request.messages.push(message),
            Body::Json(request) => {
                let messages = request
                    .entry("messages")
                    .or_insert_with(|| Value::Array(Vec::new()));
                if let (Value::Array(messages), Ok(message)) =
                    (messages, serde_json::to_value(message))
                {
                    messages.push(message);
                }
            }
        }
        self
    }

    /// A schema that the answer must conform to. The provider is asked to enforce it, and
    /// [`Chat::answer`] checks that it did.
    pub fn json_schema(self, name: impl Into<String>, schema: Value) -> Self {
        self.response_format(JsonSchemaFormat::strict(name, schema))
    }

    /// Any other field, or one of these as JSON. It comes before what is set of its name otherwise, and
    /// is sent to every server.
    pub fn extra(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        match &mut self.body {
            Body::Typed(request) => request.extra.insert(&name.into(), value.into()),
            Body::Json(request) => {
                request.insert(name.into(), value.into());
            }
        }
        self
    }

    /// A header of this request only.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        if let (Ok(name), Ok(mut value)) =
            (HeaderName::try_from(name), HeaderValue::try_from(value))
        {
            value.set_sensitive(true);
            self.headers.insert(name, value);
        } else {
            let message = format!("header {name:?}: not a header name and value");
            self.problem
                .get_or_insert_with(|| Failure::new(FailureKind::Validation, message));
        }
        self
    }

    /// How long this call may take in all.
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.timeout = limit;
        self
    }

    /// What is tried again in this call.
    pub fn retry(mut self, policy: RetryPolicy) -> Self {
        self.retry = policy;
        self
    }

    /// What may be mended in the model's text before it is read as JSON. By default its extraction
    /// from the text around it, its syntax and missing final brackets; all on record in the answer.
    ///
    /// ```no_run
    /// # async fn example(client: tamis::Client) -> Result<(), tamis::Failure> {
    /// use tamis::json::Policy;
    ///
    /// let strict = client.chat("openai/gpt-4o").user("…").repair(Policy::none()).answer().await?;
    /// assert!(strict.repairs.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    pub fn repair(mut self, policy: Policy) -> Self {
        self.mending = policy;
        self
    }

    /// The dialect that the schema is lowered into before it is sent. By default it is the one that the
    /// providers speak that the request is limited to, else the model's; where they speak several, the
    /// [portable](Dialect::PORTABLE) one, and where nothing is known the schema is sent as it is.
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.options.dialect = Some(dialect);
        self.options.lowering.get_or_insert(true);
        self
    }

    /// Whether the schema is put into the form that the upstream takes. It is by default, unless the
    /// request was [given as JSON](Client::request_json). The answer is brought back to the schema's
    /// own shape, and checked against the schema as it was given here.
    pub fn lowering(mut self, on: bool) -> Self {
        self.options.lowering = Some(on);
        self
    }

    /// An absent property and one that is null mean the same to the caller.
    pub(crate) fn absent_as_null(mut self) -> Self {
        self.options.absent_as_null = true;
        self
    }

    /// By which means the model is told of the schema.
    pub fn schema_mode(mut self, mode: SchemaMode) -> Self {
        self.options.mode = mode;
        self
    }

    /// By the means that the catalogue says the model's endpoints support, the one that enforces most:
    /// one more request, unless the answer is [remembered](crate::CachedClient).
    ///
    /// # Errors
    ///
    /// Those of [`Client::find`]; `Validation` where the catalogue does not know the model, or lists none of
    /// what it takes, so that the caller has to say.
    pub async fn schema_mode_by_catalogue(self) -> Result<Self, Failure> {
        let model = self.model();
        let found = self.client.find(&model).await?;
        let mode = found
            .as_ref()
            .and_then(|found| SchemaMode::for_parameters(&found.model.supported_parameters));
        match mode {
            Some(mode) => Ok(self.schema_mode(mode)),
            None => Err(Failure::new(
                FailureKind::Validation,
                "the catalogue does not say how this model may be given a schema; set a schema mode by hand",
            )),
        }
    }

    /// Whether a value that breaks the schema may be changed to conform, such as `"5"` to `5`, where
    /// nothing is lost and there is one cheapest way; on record in the answer. Off by default.
    pub fn coerce(mut self, on: bool) -> Self {
        self.options.coerce = on;
        self
    }

    /// How often an answer that is not JSON or breaks the schema is sent back to the model, with what
    /// is wrong with it, to be asked for again: a number of times, or a [`Reask`] with a budget. Never
    /// by default. [`Chat::answer`] does it; a stream is not asked for again.
    pub fn reask(mut self, reask: impl Into<Reask>) -> Self {
        self.options.reask = reask.into();
        self
    }

    /// Whether a stream is ended as soon as it breaks the schema: the connection is closed, and the
    /// failure says what it [saved](crate::aborted). It is by default where nothing could mend the answer
    /// any more, that is unless [`Chat::coerce`] is on. Text that is not JSON from its first byte is
    /// judged at its end.
    pub fn early_abort(mut self, on: bool) -> Self {
        self.options.early_abort = Some(on);
        self
    }

    /// A look at what the server really sends: called for each attempt's response, and for each
    /// fragment of a 2xx or an error body.
    pub fn tap(mut self, tap: impl Fn(Tapped<'_>) + Send + Sync + 'static) -> Self {
        self.tap = Tap::new(tap);
        self
    }

    /// Makes the answer a `T`, by a schema made from it.
    pub fn structured<T: DeserializeOwned + JsonSchema>(self) -> Structured<T> {
        Structured::new(self)
    }

    fn set<V: serde::Serialize>(
        mut self,
        name: &str,
        value: V,
        set: impl FnOnce(&mut ChatRequest, V),
    ) -> Self {
        match &mut self.body {
            Body::Typed(request) => set(request, value),
            Body::Json(request) => match serde_json::to_value(value) {
                Ok(value) => {
                    request.insert(name.to_owned(), value);
                }
                Err(error) => {
                    let message = format!("{name}: cannot be written as JSON");
                    let failure = Failure::new(FailureKind::Validation, message).with_source(error);
                    self.problem.get_or_insert(failure);
                }
            },
        }
        self
    }
}

/// The model only: prompts are not printed.
impl fmt::Debug for Chat {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Chat")
            .field("model", &self.model())
            .finish_non_exhaustive()
    }
}
