//! What is tested, and how.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Map, Value, json};
use tamis::json::Policy;
use tamis::schema::Dialect;
use tamis::{Chat, Client, RetryPolicy, SchemaMode};

use crate::error::SmokeError;
use crate::example;
use crate::score::{Ruler, Truth};

/// What is tested, and how.
///
/// ```
/// use tamis_smoke::Plan;
///
/// let plan = Plan::example().model("openai/gpt-4o")?.requests(20)?.threshold(0.95)?;
/// assert_eq!(plan.schema_name(), "work_order");
/// # Ok::<(), tamis_smoke::SmokeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    pub(crate) models: Vec<String>,
    pub(crate) request: Map<String, Value>,
    /// The request came whole: what it says of routing is the caller's.
    pub(crate) whole: bool,
    pub(crate) schema: Value,
    pub(crate) schema_name: String,
    pub(crate) requests: u32,
    pub(crate) concurrency: usize,
    pub(crate) stream: bool,
    pub(crate) threshold: f64,
    pub(crate) pin: bool,
    pub(crate) retries: u32,
    pub(crate) truth: Option<Truth>,
    pub(crate) save: Option<PathBuf>,
    pub(crate) simulated: bool,
    pub(crate) server: Option<String>,
    pub(crate) lookup: Duration,
    pub(crate) help: Help,
}

/// What is done for an answer to conform.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Help {
    pub(crate) dialect: Option<Dialect>,
    pub(crate) mode: SchemaMode,
    pub(crate) coerce: bool,
    pub(crate) reask: u32,
    pub(crate) as_is: bool,
}

/// More requests of one test are a slip.
const MOST_REQUESTS: u32 = 10_000;

impl Plan {
    /// The built-in example: a work order, to be read out of a telephone message.
    pub fn example() -> Self {
        Self::prompt(example::PROMPT, example::NAME, example::schema())
    }

    /// The example's schema, for a prompt of its own or to look at.
    pub fn example_schema() -> (&'static str, Value) {
        (example::NAME, example::schema())
    }

    /// The example's prompt.
    pub fn example_prompt() -> &'static str {
        example::PROMPT
    }

    /// A prompt, and the schema that the answers must conform to, by the name it is sent under.
    pub fn prompt(prompt: &str, schema_name: &str, schema: Value) -> Self {
        let mut request = Map::new();
        request.insert(
            "messages".to_owned(),
            json!([{"role": "user", "content": prompt}]),
        );
        request.insert(
            "response_format".to_owned(),
            json!({"type": "json_schema", "json_schema": {
                "name": schema_name, "strict": true, "schema": schema}}),
        );
        Self::new(request, false, schema_name, schema)
    }

    /// A whole request, whose `response_format` has the schema. Its model is tested, unless others
    /// are named.
    ///
    /// It is sent as it is, except that `strict` and, where the server speaks OpenRouter's fields,
    /// `provider.require_parameters` become true where it does not say otherwise.
    ///
    /// # Errors
    ///
    /// It is no object, or has no `json_schema`.
    pub fn request(request: Value) -> Result<Self, SmokeError> {
        let Value::Object(mut request) = request else {
            return Err(SmokeError::new("the request is not a JSON object"));
        };
        let format = request
            .get_mut("response_format")
            .and_then(|format| format.get_mut("json_schema"))
            .and_then(Value::as_object_mut)
            .ok_or_else(|| {
                SmokeError::new(
                    "the request has no response_format of the type json_schema to test against",
                )
            })?;
        let schema = format
            .get("schema")
            .filter(|schema| !schema.is_null())
            .cloned()
            .ok_or_else(|| SmokeError::new("the request's json_schema has no schema"))?;
        let name = format
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        format.entry("strict").or_insert(Value::Bool(true));
        let model = request.remove("model");
        let mut plan = Self::new(request, true, &name, schema);
        if let Some(Value::String(model)) = model {
            plan.models.push(model);
        }
        Ok(plan)
    }

    fn new(request: Map<String, Value>, whole: bool, schema_name: &str, schema: Value) -> Self {
        Self {
            models: Vec::new(),
            request,
            whole,
            schema,
            schema_name: schema_name.to_owned(),
            requests: 10,
            concurrency: 4,
            stream: false,
            threshold: 0.9,
            pin: false,
            retries: 0,
            truth: None,
            save: None,
            simulated: false,
            server: None,
            lookup: Duration::from_secs(8),
            help: Help::default(),
        }
    }

    /// One more model to test; the same one twice counts once.
    ///
    /// # Errors
    ///
    /// The name is blank.
    pub fn model(mut self, model: impl Into<String>) -> Result<Self, SmokeError> {
        let model = model.into();
        if model.trim().is_empty() {
            return Err(SmokeError::new("a model's name is blank"));
        }
        if !self.models.contains(&model) {
            self.models.push(model);
        }
        Ok(self)
    }

    /// These models, in place of the request's own.
    ///
    /// # Errors
    ///
    /// One of the names is blank.
    pub fn models<S: Into<String>>(
        mut self,
        models: impl IntoIterator<Item = S>,
    ) -> Result<Self, SmokeError> {
        self.models.clear();
        models.into_iter().try_fold(self, Self::model)
    }

    /// So many requests for each model; 10 unless set.
    ///
    /// # Errors
    ///
    /// Not from 1 to 10,000.
    pub fn requests(mut self, requests: u32) -> Result<Self, SmokeError> {
        if !(1..=MOST_REQUESTS).contains(&requests) {
            return Err(SmokeError::new(format!(
                "the number of requests is not from 1 to {MOST_REQUESTS}"
            )));
        }
        self.requests = requests;
        Ok(self)
    }

    /// So many requests at a time; 4 unless set, and at least 1.
    pub fn concurrency(mut self, concurrency: usize) -> Self {
        self.concurrency = concurrency.max(1);
        self
    }

    /// Whether answers come as streams, which tells the time to the first token.
    pub fn stream(mut self, stream: bool) -> Self {
        self.stream = stream;
        self
    }

    /// The share that has to pass; 0.9 unless set.
    ///
    /// # Errors
    ///
    /// Not above 0, or above 1.
    pub fn threshold(mut self, threshold: f64) -> Result<Self, SmokeError> {
        if !(threshold > 0.0 && threshold <= 1.0) {
            return Err(SmokeError::new(
                "the threshold is a share above 0 and up to 1, such as 0.9",
            ));
        }
        self.threshold = threshold;
        Ok(self)
    }

    /// Whether the requests are repeated, pinned to the provider that did best, to decide on those.
    pub fn pin(mut self, pin: bool) -> Self {
        self.pin = pin;
        self
    }

    /// So many retries of a request; none unless set, since a request that fails is a finding.
    pub fn retries(mut self, retries: u32) -> Self {
        self.retries = retries;
        self
    }

    /// What says whether an answer is right.
    pub fn truth(mut self, truth: Truth) -> Self {
        self.truth = Some(truth);
        self
    }

    /// At most so many tokens out for each answer.
    pub fn max_tokens(mut self, tokens: u64) -> Self {
        self.request
            .insert("max_tokens".to_owned(), Value::from(tokens));
        self
    }

    /// Where every raw response is saved. The folder is made; one that already holds a test's
    /// responses is refused.
    pub fn save(mut self, folder: impl Into<PathBuf>) -> Self {
        self.save = Some(folder.into());
        self
    }

    /// Whether the server is a simulation; the report says so.
    pub fn simulated(mut self, simulated: bool) -> Self {
        self.simulated = simulated;
        self
    }

    /// What the report calls the server; its host unless set.
    pub fn server(mut self, server: impl Into<String>) -> Self {
        self.server = Some(server.into());
        self
    }

    /// How long the generation lookup may take where a response does not name its provider; 8 s
    /// unless set. The record lags behind the answer.
    pub fn lookup(mut self, lookup: Duration) -> Self {
        self.lookup = lookup;
        self
    }

    /// The dialect that the schema is lowered into; by default as for [`tamis::Chat::dialect`].
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.help.dialect = Some(dialect);
        self
    }

    /// By which means the model is told of the schema.
    pub fn schema_mode(mut self, mode: SchemaMode) -> Self {
        self.help.mode = mode;
        self
    }

    /// Whether values may be changed to conform; not unless set.
    pub fn coerce(mut self, on: bool) -> Self {
        self.help.coerce = on;
        self
    }

    /// How often an answer that is none is sent back and asked for again; never unless set, and never
    /// of a stream.
    pub fn reask(mut self, times: u32) -> Self {
        self.help.reask = times;
        self
    }

    /// Whether the schema is sent as it is, and the answer taken as it comes: no lowering, no repair, no
    /// coercion, no asking again.
    pub fn as_is(mut self, on: bool) -> Self {
        self.help.as_is = on;
        self
    }

    /// The name that the schema is sent under.
    pub fn schema_name(&self) -> &str {
        &self.schema_name
    }

    /// The models to test.
    pub fn tested(&self) -> &[String] {
        &self.models
    }

    /// One request.
    pub(crate) fn chat(&self, client: &Client, body: Map<String, Value>) -> Chat {
        let chat = client
            .request_json(body)
            .retry(RetryPolicy::default().max_retries(self.retries))
            // An answer is measured to its end, however early it goes wrong.
            .early_abort(false)
            .schema_mode(self.help.mode)
            .lowering(!self.help.as_is);
        if self.help.as_is {
            return chat.repair(Policy::none());
        }
        let chat = chat.coerce(self.help.coerce).reask(self.help.reask);
        match self.help.dialect {
            Some(dialect) => chat.dialect(dialect),
            None => chat,
        }
    }

    /// How the answers to such requests are read, and scored.
    pub(crate) fn ruler(
        &self,
        client: &Client,
        body: &Map<String, Value>,
    ) -> Result<Ruler, SmokeError> {
        let reading = self
            .chat(client, body.clone())
            .reading()
            .map_err(|failure| SmokeError::new(failure.message()))?;
        Ok(Ruler::new(reading, self.truth.clone()))
    }

    /// The request's body.
    pub(crate) fn body(
        &self,
        model: &str,
        openrouter: bool,
        pinned: Option<&str>,
    ) -> Map<String, Value> {
        let mut body = Map::new();
        body.insert("model".to_owned(), Value::from(model));
        body.extend(self.request.clone());
        if !openrouter {
            return body;
        }
        let provider = body
            .entry("provider")
            .and_modify(|provider| {
                if !provider.is_object() {
                    *provider = json!({});
                }
            })
            .or_insert_with(|| json!({}));
        if let Some(provider) = provider.as_object_mut() {
            provider
                .entry("require_parameters")
                .or_insert(Value::Bool(true));
            if let Some(pinned) = pinned {
                provider.insert("order".to_owned(), json!([pinned]));
                provider.insert("allow_fallbacks".to_owned(), Value::Bool(false));
            }
        }
        body
    }

    /// The provider that the request itself is pinned to.
    pub(crate) fn own_pin(&self) -> Option<String> {
        let provider = self.request.get("provider")?;
        let one = |key: &str| match provider.get(key)?.as_array()?.as_slice() {
            [Value::String(name)] => Some(name.clone()),
            _ => None,
        };
        let fallbacks = provider.get("allow_fallbacks").and_then(Value::as_bool);
        one("only").or_else(|| one("order").filter(|_| fallbacks == Some(false)))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Plan;
    use crate::example;

    #[test]
    fn the_example_is_a_schema_and_fits_every_strict_mode() {
        let plan = Plan::example();
        assert!(tamis::Reading::new(&plan.schema).is_ok());
        let mut open = vec![example::schema()];
        while let Some(schema) = open.pop() {
            if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
                assert_eq!(schema["additionalProperties"], json!(false));
                let names: Vec<&String> = properties.keys().collect();
                assert_eq!(schema["required"], json!(names));
                open.extend(properties.values().cloned());
            }
            open.extend(schema.get("items").cloned());
        }
    }

    #[test]
    fn asks_strictly_and_only_openrouter_to_require_it() {
        let plan = Plan::prompt("Hi", "x", json!({"type": "object"}));
        let body = Value::Object(plan.body("a/b", true, None));
        assert_eq!(body["model"], "a/b");
        assert_eq!(body["provider"], json!({"require_parameters": true}));
        assert_eq!(body["response_format"]["json_schema"]["strict"], true);
        assert!(plan.body("a/b", false, None).get("provider").is_none());
        let pinned = Value::Object(plan.body("a/b", true, Some("granite")));
        assert_eq!(
            pinned["provider"],
            json!({"require_parameters": true, "order": ["granite"], "allow_fallbacks": false})
        );
    }

    #[test]
    fn a_whole_request_keeps_what_it_says() {
        let request = json!({"model": "a/b", "messages": [], "temperature": 0,
            "provider": {"only": ["azure"], "require_parameters": false},
            "response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "object"}}}});
        let plan = Plan::request(request).unwrap();
        assert_eq!(
            (plan.tested(), plan.schema_name()),
            (&["a/b".to_owned()][..], "n")
        );
        assert_eq!(plan.own_pin().as_deref(), Some("azure"));
        let body = Value::Object(plan.body("a/b", true, None));
        assert_eq!(body["provider"]["require_parameters"], false);
        assert_eq!(body["response_format"]["json_schema"]["strict"], true);
        assert_eq!(body["temperature"], 0);
        let others = plan.models(["c/d", "c/d", "e"]).unwrap();
        assert_eq!(others.tested(), ["c/d", "e"]);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        assert!(Plan::request(json!([])).is_err());
        assert!(Plan::request(json!({"messages": []})).is_err());
        assert!(Plan::request(json!({"response_format": {"type": "json_object"}})).is_err());
        for threshold in [0.0, -1.0, 1.1, f64::NAN] {
            assert!(Plan::example().threshold(threshold).is_err(), "{threshold}");
        }
        assert!(Plan::example().requests(0).is_err());
        assert!(Plan::example().model(" ").is_err());
    }
}
