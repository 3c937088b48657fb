//! A chat request, put together and sent.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use tamis_json::{Policy, Repaired};
use tamis_schema::{Validator, check_name};
use tamis_wire::request::{
    ChatRequest, InputContent, InputMessage, JsonSchemaFormat, ProviderPreferences, ResponseFormat,
    StreamOptions, Tool, ToolChoice, check_json,
};
use tamis_wire::{Completion, Failure, FailureKind};
use tracing::Instrument;

use crate::answer::{Answer, Violations};
use crate::client::Client;
use crate::payload::Payload;
use crate::retry::RetryPolicy;
use crate::stream::{self, CompletionStream};
use crate::structured::Structured;
use crate::tap::{Tap, Tapped};
use crate::telemetry;
use crate::transport::{Call, Method};
use crate::wanted::wanted;

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
    body: Body,
    headers: HeaderMap,
    timeout: Duration,
    retry: RetryPolicy,
    tap: Tap,
    mending: Policy,
    problem: Option<Failure>,
}

/// A request as the caller gave it.
#[derive(Clone)]
pub(crate) enum Body {
    Typed(Box<ChatRequest>),
    Json(Map<String, Value>),
}

/// Setters of the request's fields; on a request given as JSON they set the JSON's.
macro_rules! fields {
    ($($(#[$doc:meta])* $name:ident: $kind:ty,)*) => {
        $(
            $(#[$doc])*
            pub fn $name(self, value: $kind) -> Self {
                self.set(stringify!($name), value, |request, value| request.$name = Some(value))
            }
        )*
    };
}

impl Chat {
    pub(crate) fn new(client: Client, body: Body) -> Self {
        let shared = &client.shared;
        Self {
            timeout: shared.timeouts.total,
            retry: shared.retry.clone(),
            body,
            headers: HeaderMap::new(),
            tap: Tap::default(),
            mending: Policy::default(),
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

    fields! {
        /// From 0 to 2.
        temperature: f64,
        /// From 0 to 1.
        top_p: f64,
        /// 0 or more.
        top_k: u64,
        /// From -2 to 2.
        frequency_penalty: f64,
        /// From -2 to 2.
        presence_penalty: f64,
        /// The same seed gives, at best, the same answer.
        seed: i64,
        /// At most so many tokens out.
        max_tokens: u64,
        /// At most so many tokens out, under the newer name.
        max_completion_tokens: u64,
        /// Whether log probabilities come with the answer.
        logprobs: bool,
        /// How many alternatives for each token, 0 to 20.
        top_logprobs: u64,
        /// Whether the model may ask for several tools at once.
        parallel_tool_calls: bool,
        /// Whether, and which, tool it must ask for.
        tool_choice: ToolChoice,
        /// OpenRouter: how much it thinks, as JSON.
        reasoning: Value,
        /// OpenRouter: which providers may serve it.
        provider: ProviderPreferences,
        /// OpenRouter: keeps a conversation at one provider.
        session_id: String,
        /// The form of the answer.
        response_format: ResponseFormat,
    }

    /// Texts that end the answer, at most four.
    pub fn stop<S: Into<String>>(self, stop: impl IntoIterator<Item = S>) -> Self {
        let stop: Vec<String> = stop.into_iter().map(Into::into).collect();
        self.set("stop", stop, |request, stop| request.stop = stop)
    }

    /// The tools the model may ask for.
    pub fn tools(self, tools: impl IntoIterator<Item = Tool>) -> Self {
        let tools: Vec<Tool> = tools.into_iter().collect();
        self.set("tools", tools, |request, tools| request.tools = tools)
    }

    /// A schema that the answer must conform to. The provider is asked to enforce it, and
    /// [`Chat::answer`] checks that it did.
    pub fn json_schema(self, name: impl Into<String>, schema: Value) -> Self {
        self.response_format(JsonSchemaFormat::strict(name, schema).into())
    }

    /// Any other field.
    pub fn extra(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        match &mut self.body {
            Body::Typed(request) => request.extra.insert(name.into(), value.into()),
            Body::Json(request) => request.insert(name.into(), value.into()),
        };
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

    /// A look at what the server really sends: called for each attempt's response, and for each
    /// fragment of a 2xx or an error body.
    pub fn tap(mut self, tap: impl Fn(Tapped<'_>) + Send + Sync + 'static) -> Self {
        self.tap = Tap::new(tap);
        self
    }

    /// Sends the request.
    ///
    /// # Errors
    ///
    /// `Validation` where it is refused before it is sent; else whatever went wrong, the errors that
    /// a server reports inside a 2xx among it. A completion that came is not looked into: see
    /// [`Completion::outcome`].
    pub async fn send(self) -> Result<Completion, Failure> {
        Ok(self.exchange().await?.0)
    }

    /// Sends the request, and reads the answer as JSON that conforms to the request's schema.
    ///
    /// Where the request has no schema, any JSON will do.
    ///
    /// # Errors
    ///
    /// Those of [`Chat::send`] and of [`Completion::parse_json`]; `Malformed` where the value breaks
    /// the schema, with [`violations`](crate::violations). A failure of an answer that came has the
    /// completion.
    pub async fn answer(self) -> Result<Answer<Value>, Failure> {
        let request = self.request()?;
        let validator = schema_of(&request)?;
        let policy = self.policy(&request);
        let (completion, attempts) = self.exchange().await?;
        let fail = |failure: Failure, completion: Completion| {
            failure
                .with_attempts(attempts)
                .with_generation_id(completion.id.clone())
                .with_completion(completion)
        };
        let Repaired {
            value,
            repairs,
            notes,
            ..
        } = match completion.parse_json_with(&policy) {
            Ok(repaired) => repaired,
            Err(failure) => return Err(fail(failure, completion)),
        };
        let violations = validator
            .map(|validator| validator.violations(&value))
            .unwrap_or_default();
        if !violations.is_empty() {
            let violations = Violations(violations);
            let failure = Failure::new(
                FailureKind::Malformed,
                format!("the answer breaks its schema: {violations}"),
            )
            .with_source(violations);
            return Err(fail(failure, completion));
        }
        Ok(Answer {
            value,
            repairs,
            notes,
            text: completion
                .text()
                .map(std::borrow::Cow::into_owned)
                .unwrap_or_default(),
            provider: completion.provider.clone(),
            model: completion.model.clone(),
            usage: completion.usage.clone(),
            generation_id: completion.id.clone(),
            attempts,
            completion,
        })
    }

    /// Makes the answer a `T`, by a schema made from it.
    pub fn structured<T: DeserializeOwned + JsonSchema>(self) -> Structured<T> {
        Structured::new(self)
    }

    /// Sends the request and opens the stream.
    ///
    /// The first event decides: an error as the first and only event is a failure here, and is tried
    /// again as such; after the first chunk nothing is.
    ///
    /// # Errors
    ///
    /// Those of [`Chat::send`]; `Interrupted` where the stream ends before its first chunk, `Stalled`
    /// where none comes.
    pub async fn stream(self) -> Result<CompletionStream, Failure> {
        let mut this = self;
        this.set_stream();
        let span = telemetry::span(&this.model(), &this.client.host(), true);
        let policy = this.policy(&this.request()?);
        let call = this.call()?;
        let result = stream::open(call).instrument(span.clone()).await;
        match result {
            Ok(stream) => Ok(stream.mending(policy).in_span(span)),
            Err(failure) => {
                telemetry::record(&span, Err(&failure), failure.attempts());
                Err(failure)
            }
        }
    }

    async fn exchange(self) -> Result<(Completion, u32), Failure> {
        let span = telemetry::span(&self.model(), &self.client.host(), false);
        let call = self.call()?;
        let result = call
            .run(|mut head| async move {
                let id = head.generation_id();
                let status = head.status;
                let body = head.body.read().await.map_err(|failure| {
                    // What broke off had begun, and may have been billed: the status says so.
                    failure.with_status(status).with_generation_id(id.clone())
                })?;
                Completion::read(&body).map_err(|failure| failure.with_generation_id(id))
            })
            .instrument(span.clone())
            .await;
        match &result {
            Ok((completion, attempts)) => telemetry::record(&span, Ok(completion), *attempts),
            Err(failure) => telemetry::record(&span, Err(failure), failure.attempts()),
        }
        result
    }

    /// Checks the request and puts its bytes together.
    fn call(&self) -> Result<Call, Failure> {
        if let Some(problem) = &self.problem {
            return Err(Failure::new(problem.kind(), problem.message()));
        }
        let request = self.request()?;
        check_json(&request)?;
        schema_of(&request)?;
        let body = serde_json::to_vec(&request).map_err(|error| {
            Failure::new(
                FailureKind::Validation,
                "the request cannot be written as JSON",
            )
            .with_source(error)
        })?;
        Ok(Call {
            url: self.client.shared.base_url.join("chat/completions"),
            client: self.client.clone(),
            method: Method::Post(Bytes::from(body)),
            headers: self.headers.clone(),
            retry: self.retry.clone(),
            deadline: deadline(self.timeout),
            total: self.timeout,
            tap: self.tap.clone(),
        })
    }

    /// The request as the JSON that is sent.
    fn request(&self) -> Result<Map<String, Value>, Failure> {
        match &self.body {
            Body::Typed(request) if self.client.shared.speaks_openrouter => request.to_json(),
            Body::Typed(request) => {
                let mut request = (**request).clone();
                request.strip_openrouter_fields();
                request.to_json()
            }
            Body::Json(request) => Ok(request.clone()),
        }
    }

    /// What may be mended, and what kind of document the schema asks for.
    fn policy(&self, request: &Map<String, Value>) -> Policy {
        let format = request
            .get("response_format")
            .and_then(|format| format.get("json_schema"));
        let wanted = format.and_then(|format| format.get("schema")).map(wanted);
        self.mending.clone().wanting(wanted.unwrap_or_default())
    }

    fn model(&self) -> String {
        match &self.body {
            Body::Typed(request) => request.model.clone(),
            Body::Json(request) => request
                .get("model")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned(),
        }
    }

    fn set_stream(&mut self) {
        let usage = (!self.client.shared.speaks_openrouter).then(StreamOptions::with_usage);
        match &mut self.body {
            Body::Typed(request) => {
                request.stream = true;
                // OpenRouter sends usage unasked; others only on request.
                request.stream_options = request.stream_options.or(usage);
            }
            Body::Json(request) => {
                request.insert("stream".to_owned(), Value::Bool(true));
                if let Some(Ok(usage)) = usage.map(serde_json::to_value) {
                    request.entry("stream_options").or_insert(usage);
                }
            }
        }
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

/// A request's schema, compiled; its name and the schema itself are checked.
fn schema_of(request: &Map<String, Value>) -> Result<Option<Validator>, Failure> {
    let Some(format) = request
        .get("response_format")
        .and_then(|format| format.get("json_schema"))
    else {
        return Ok(None);
    };
    let refuse = |message: String| Failure::new(FailureKind::Validation, message);
    let name = format
        .get("name")
        .and_then(Value::as_str)
        .unwrap_or_default();
    check_name(name)
        .map_err(|error| refuse(format!("json_schema.name: {error}")).with_source(error))?;
    let Some(schema) = format.get("schema") else {
        return Ok(None);
    };
    let validator = Validator::new(schema)
        .map_err(|error| refuse(format!("json_schema.schema: {error}")).with_source(error))?;
    Ok(Some(validator))
}

/// Never is far away, not an overflow.
pub(crate) fn deadline(timeout: Duration) -> tokio::time::Instant {
    const FAR: Duration = Duration::from_hours(87600);
    tokio::time::Instant::now() + timeout.min(FAR)
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
