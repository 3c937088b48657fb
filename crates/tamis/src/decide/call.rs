//! A request for decisions, put together and sent.

use std::fmt;
use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::sync::Arc;

use serde_json::{Map, Value};
use tamis_wire::Failure;
use tamis_wire::decision::{ChoiceOption, DecisionRequest, DecisionResponse, Question};
use tamis_wire::request::ProviderPreferences;
use tokio::time::Instant;

use super::route::{self, Route};
use super::unsound::Unsound;
use super::{Decided, KnownBy, Via, completion};
use crate::chat::{Chat, deadline};
use crate::client::Client;
use crate::data::{CallOptions, DataCall, call_options};

type Change = dyn Fn(Chat) -> Chat + Send + Sync;

/// A request for decisions; see [`Client::decide`].
///
/// Everything is checked before a byte is sent.
#[must_use = "a request does nothing until it is sent"]
pub struct Decide {
    client: Client,
    request: DecisionRequest,
    options: CallOptions,
    via: Option<Via>,
    change: Option<Arc<Change>>,
}

impl Client {
    /// A request for decisions to a model, whether it gives decisions or completions.
    ///
    /// By which means it is asked is settled in this order, and told in the result
    /// ([`Decided::via`], [`Decided::known_by`]):
    ///
    /// 1. the caller's word: [`Decide::via`];
    /// 2. a server that is not OpenRouter has completions only;
    /// 3. the catalogue's: whether `decisions` are among the model's output modalities. One small request,
    ///    [`Client::model`], with the client's own retries and none of this call's headers; where it led to an
    ///    answer is remembered for as long as the client lives;
    /// 4. where the catalogue does not know the model or says nothing of what it gives, the Decisions API
    ///    is asked;
    /// 5. where the server refuses, as 3 and 4 may be wrong, with a 400 that says that the model is to be
    ///    asked by the other means, it is asked by the other. Such a refusal costs nothing.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sim = tamis_sim::Sim::builder().start().await?;
    /// # let client = tamis::Client::builder().base_url(sim.base_url()).openrouter(true).build()?;
    /// use tamis::decide::Via;
    ///
    /// for (model, via) in [("sim/decider", Via::Decisions), ("sim/steady", Via::Completion)] {
    ///     let decided = client
    ///         .decide(model)
    ///         .state("It arrived crushed.")
    ///         .yes_no("damaged", "Is the parcel damaged?")
    ///         .await?;
    ///     assert_eq!(decided.via(), via);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn decide(&self, model: impl Into<String>) -> Decide {
        self.decide_request(DecisionRequest::new(model, Value::Null))
    }

    /// A request for decisions that was put together elsewhere.
    pub fn decide_request(&self, request: DecisionRequest) -> Decide {
        Decide {
            client: self.clone(),
            options: CallOptions::of(self),
            request,
            via: None,
            change: None,
        }
    }
}

impl Decide {
    /// What is decided about: text, an object, or a list, of which items may be
    /// [images](super::image).
    pub fn state(mut self, state: impl Into<Value>) -> Self {
        self.request.state = state.into();
        self
    }

    /// A question that is answered with yes or no, under an id of your own.
    pub fn yes_no(self, id: impl Into<String>, instructions: impl Into<Value>) -> Self {
        self.question(id, Question::yes_no(instructions))
    }

    /// A question that is answered with one of at least two options: names, or names with what they stand
    /// for.
    pub fn choice<O: Into<ChoiceOption>>(
        self,
        id: impl Into<String>,
        instructions: impl Into<Value>,
        options: impl IntoIterator<Item = O>,
    ) -> Self {
        self.question(id, Question::choice(instructions, options))
    }

    /// A question that is answered on a scale of at least two levels, the lowest first.
    pub fn score<L: Into<Value>>(
        self,
        id: impl Into<String>,
        instructions: impl Into<Value>,
        levels: impl IntoIterator<Item = L>,
    ) -> Self {
        self.question(id, Question::score(instructions, levels))
    }

    /// Where something is in the state's image. A place is given even where it is not in there: ask yes or
    /// no beside it.
    pub fn locate(self, id: impl Into<String>, what: impl Into<Value>) -> Self {
        self.question(id, Question::locate(what))
    }

    /// Any question, under an id of your own.
    pub fn question(mut self, id: impl Into<String>, question: Question) -> Self {
        self.request = self.request.question(id, question);
        self
    }

    /// Which providers may serve it.
    pub fn provider(mut self, preferences: ProviderPreferences) -> Self {
        self.request.provider = Some(preferences);
        self
    }

    /// Groups requests for observation; at most 256 characters.
    pub fn session_id(mut self, id: impl Into<String>) -> Self {
        self.request.session_id = Some(id.into());
        self
    }

    /// `trace_id`, `trace_name` and what else is to be kept with them.
    pub fn trace(mut self, trace: Map<String, Value>) -> Self {
        self.request.trace = trace;
        self
    }

    /// Your end user's id; at most 256 characters.
    pub fn user(mut self, user: impl Into<String>) -> Self {
        self.request.user = Some(user.into());
        self
    }

    /// Lets images be given by `http` and `https` addresses. OpenRouter fetches none, and an image that is
    /// not fetched is not seen; some models say that they fetch them.
    pub fn remote_images(mut self, allow: bool) -> Self {
        self.request.remote_images = allow;
        self
    }

    /// Any other field of a request to the Decisions API. A completion does not have it: see
    /// [`Decide::completion`].
    pub fn extra(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.request.extra.insert(name.into(), value.into());
        self
    }

    /// By which means the model is asked, whatever the catalogue says. It is then asked by no other.
    pub fn via(mut self, via: Via) -> Self {
        self.via = Some(via);
        self
    }

    /// Changes the request of a completion, where it comes to one: its temperature, its schema mode, its
    /// reasoning.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sim = tamis_sim::Sim::builder().start().await?;
    /// # let client = tamis::Client::builder().base_url(sim.base_url()).openrouter(true).build()?;
    /// # let decide = client.decide("sim/steady").state("s").yes_no("a", "b");
    /// let decided = decide.completion(|chat| chat.temperature(0.0).reask(1)).await?;
    /// # let _ = decided;
    /// # Ok(())
    /// # }
    /// ```
    pub fn completion(mut self, change: impl Fn(Chat) -> Chat + Send + Sync + 'static) -> Self {
        self.change = Some(Arc::new(change));
        self
    }

    call_options!();

    /// Sends the request. Awaiting it does the same.
    ///
    /// # Errors
    ///
    /// `Validation` where it is refused before it is sent; those of [`DecisionRequest::read`], with the
    /// [response](super::response) that holds no decisions, and of
    /// [`Chat::answer`] where it comes to a completion; those of [`Client::model`] where the catalogue is asked;
    /// whatever else went wrong.
    pub async fn send(self) -> Result<Decided, Failure> {
        self.request.check()?;
        self.options.header_map()?;
        let until = deadline(self.options.timeout);
        let Some(via) = self.via else {
            return self.send_by_what_is_known(until).await;
        };
        self.send_by(Route::new(via, KnownBy::Caller), until).await
    }

    async fn send_by_what_is_known(self, until: Instant) -> Result<Decided, Failure> {
        let model = &self.request.model;
        let mut route = route::find(&self.client, model, until).await?;
        let decided = match self.send_by(route, until).await {
            Err(refusal) if route::is_wrong_endpoint(&refusal, route.via) => {
                route = route.refused();
                let attempts = refusal.attempts();
                match self.send_by(route, until).await {
                    Ok(mut decided) => {
                        decided.attempts += attempts;
                        decided
                    }
                    Err(failure) => {
                        let attempts = attempts + failure.attempts();
                        return Err(failure.with_attempts(attempts));
                    }
                }
            }
            ended => ended?,
        };
        self.client.shared.routes.keep(model, route);
        Ok(decided)
    }

    async fn send_by(&self, route: Route, until: Instant) -> Result<Decided, Failure> {
        let mut decided = match route.via {
            Via::Decisions => self.ask_for_decisions(until).await?,
            Via::Completion => self.ask_for_a_completion(until).await?,
        };
        decided.known_by = route.known_by;
        Ok(decided)
    }

    async fn ask_for_decisions(&self, until: Instant) -> Result<Decided, Failure> {
        let body = self.request.to_json()?;
        let call = DataCall::Decisions;
        let ((response, decisions), id, attempts) = self
            .client
            .infer(call, &body, &self.options, until, |body| {
                let response = DecisionResponse::read(body)?;
                match self.request.read(&response) {
                    Ok(decisions) => Ok((response, decisions)),
                    Err(failure) => Err(failure.with_source(Unsound::from(response))),
                }
            })
            .await?;
        Ok(Decided::by_response(decisions, response, id, attempts))
    }

    async fn ask_for_a_completion(&self, until: Instant) -> Result<Decided, Failure> {
        let form = completion::Form::new(&self.request)?;
        let mut chat = self
            .client
            .chat(&self.request.model)
            .system(form.instructions())
            .user(completion::content(&self.request.state))
            .json_schema(completion::NAME, form.schema());
        if let Some(provider) = &self.request.provider {
            chat = chat.provider(provider.clone());
        }
        if let Some(session) = &self.request.session_id {
            chat = chat.session_id(session.clone());
        }
        if let Some(user) = &self.request.user {
            chat = chat.extra("user", user.clone());
        }
        if !self.request.trace.is_empty() && self.client.speaks_openrouter() {
            chat = chat.extra("trace", self.request.trace.clone());
        }
        for (name, value) in &self.options.headers {
            chat = chat.header(name, value);
        }
        let tap = self.options.tap.clone();
        chat = chat
            .retry(self.options.retry.clone())
            .timeout(until.saturating_duration_since(Instant::now()))
            .tap(move |tapped| tap.see(tapped));
        if let Some(change) = &self.change {
            chat = change(chat);
        }
        let answer = chat.answer().await?;
        match form.decisions(&answer.value) {
            Ok(decisions) => Ok(Decided::by_answer(decisions, answer)),
            Err(failure) => Err(failure
                .with_attempts(answer.attempts)
                .with_generation_id(answer.generation_id.clone())
                .with_completion(answer.completion)),
        }
    }
}

impl IntoFuture for Decide {
    type Output = Result<Decided, Failure>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}

impl fmt::Debug for Decide {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Decide")
            .field("request", &self.request)
            .field("via", &self.via)
            .finish_non_exhaustive()
    }
}
