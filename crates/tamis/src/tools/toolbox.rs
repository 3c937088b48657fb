//! The tools of a request.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::call::Call;
use super::error::{RunError, ToolError};
use super::function::{Function, typed};
use crate::structured::derived;

/// The tools of a request, each with the schema of its arguments.
///
/// ```
/// use serde::Deserialize;
/// use tamis::{Toolbox, schemars::JsonSchema};
///
/// /// Where to look.
/// #[derive(Deserialize, JsonSchema)]
/// struct Place {
///     /// The city's name, in English.
///     city: String,
/// }
///
/// let tools = Toolbox::new()
///     .function("weather", "The weather at a place, now.", |place: Place| async move {
///         Ok::<_, tamis::ToolError>(format!("It rains in {}.", place.city))
///     })
///     .described::<Place>("timezone", "The time zone of a place.");
/// assert_eq!(tools.names().collect::<Vec<_>>(), ["weather", "timezone"]);
/// ```
#[derive(Clone, Default)]
pub struct Toolbox {
    pub(super) tools: Vec<Entry>,
    pub(super) coerce: bool,
}

/// One tool.
#[derive(Clone)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) description: Option<String>,
    pub(super) schema: Value,
    pub(super) strict: bool,
    /// Its schema was made from a type, to which an absent property is null.
    pub(super) typed: bool,
    pub(super) run: Option<Function>,
}

impl Toolbox {
    /// No tools yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A tool by hand: its name (1 to 64 letters, digits, `_` and `-`), what it does, and the JSON
    /// Schema of its arguments, whose root is an object. Its calls are for the caller to carry out.
    ///
    /// Names and schemas are checked when a request is sent.
    pub fn tool(
        mut self,
        name: impl Into<String>,
        description: impl Into<String>,
        schema: Value,
    ) -> Self {
        self.tools.push(Entry {
            name: name.into(),
            description: Some(description.into()),
            schema,
            strict: true,
            typed: false,
            run: None,
        });
        self
    }

    /// A tool whose arguments are an `A`. Its calls are for the caller to carry out, with
    /// [`Call::parse`].
    pub fn described<A: JsonSchema>(
        self,
        name: impl Into<String>,
        description: impl Into<String>,
    ) -> Self {
        let mut tools = self.tool(name, description, derived::schema::<A>());
        if let Some(tool) = tools.tools.last_mut() {
            tool.typed = true;
        }
        tools
    }

    /// A tool that a function carries out, by [`Toolbox::run`]. The schema is made from the type of its
    /// argument, whose doc comments become descriptions.
    pub fn function<A, R, F, Fut>(
        self,
        name: impl Into<String>,
        description: impl Into<String>,
        run: F,
    ) -> Self
    where
        A: DeserializeOwned + JsonSchema + 'static,
        R: Serialize + 'static,
        F: Fn(A) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R, ToolError>> + Send + 'static,
    {
        let mut tools = self.described::<A>(name, description);
        if let Some(tool) = tools.tools.last_mut() {
            tool.run = Some(Arc::new(typed(run)));
        }
        tools
    }

    /// Whether the provider is asked to keep the arguments of the tool added last to its schema. It is by
    /// default; the schema is then lowered into the provider's dialect, where that is known.
    pub fn strict(mut self, on: bool) -> Self {
        if let Some(tool) = self.tools.last_mut() {
            tool.strict = on;
        }
        self
    }

    /// Whether arguments that break their schema may be changed to conform, as
    /// [`Chat::coerce`](crate::Chat::coerce) does with answers. Off by default.
    pub fn coerce(mut self, on: bool) -> Self {
        self.coerce = on;
        self
    }

    /// The tools' names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.iter().map(|tool| tool.name.as_str())
    }

    /// Carries out a call with the tool's function.
    ///
    /// # Errors
    ///
    /// There is no such tool, or it has no function; the arguments are none that its type takes although
    /// they conform to the schema; the function failed.
    pub async fn run(&self, call: &Call) -> Result<Value, RunError> {
        let tool = self.tools.iter().find(|tool| tool.name == call.name);
        match tool.and_then(|tool| tool.run.as_ref()) {
            Some(run) => run(call.arguments.clone()).await,
            None => Err(RunError::no_function()),
        }
    }
}

/// The names only.
impl fmt::Debug for Toolbox {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Toolbox")
            .field("tools", &self.names().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}
