//! What the requests of both protocols have in common.

/// The methods of a request that is sent as a [`Chat`](crate::Chat) is, and read as one.
macro_rules! common {
    ($name:ident) => {
        impl $name {
            /// OpenRouter: which providers may serve it. Left out on other servers.
            pub fn provider(self, provider: $crate::ProviderPreferences) -> Self {
                self.openrouter("provider", provider)
            }

            /// OpenRouter: models to fall back on, in order. Left out on other servers.
            pub fn models<S: Into<String>>(self, models: impl IntoIterator<Item = S>) -> Self {
                let models: Vec<String> = models.into_iter().map(Into::into).collect();
                self.openrouter("models", models)
            }

            /// OpenRouter: keeps a conversation at one provider; at most 256 characters. Left out on other
            /// servers.
            pub fn session_id(self, id: impl Into<String>) -> Self {
                self.openrouter("session_id", id.into())
            }

            /// OpenRouter: plugins, as JSON. Left out on other servers.
            pub fn plugins(self, plugins: impl IntoIterator<Item = serde_json::Value>) -> Self {
                let plugins: Vec<serde_json::Value> = plugins.into_iter().collect();
                self.openrouter("plugins", plugins)
            }

            /// Any other field, or one of these by hand.
            pub fn extra(
                mut self,
                name: impl Into<String>,
                value: impl Into<serde_json::Value>,
            ) -> Self {
                self.chat = self.chat.extra(name, value);
                self
            }

            /// A header of this request only.
            pub fn header(mut self, name: &str, value: &str) -> Self {
                self.chat = self.chat.header(name, value);
                self
            }

            /// How long this call may take in all.
            pub fn timeout(mut self, limit: std::time::Duration) -> Self {
                self.chat = self.chat.timeout(limit);
                self
            }

            /// What is tried again in this call.
            pub fn retry(mut self, policy: $crate::RetryPolicy) -> Self {
                self.chat = self.chat.retry(policy);
                self
            }

            /// What may be mended in the model's text; see [`Chat::repair`](crate::Chat::repair).
            pub fn repair(mut self, policy: tamis_json::Policy) -> Self {
                self.chat = self.chat.repair(policy);
                self
            }

            /// The dialect that the schema is lowered into; see [`Chat::dialect`](crate::Chat::dialect).
            pub fn dialect(mut self, dialect: tamis_schema::Dialect) -> Self {
                self.chat = self.chat.dialect(dialect);
                self
            }

            /// Whether the schema is put into the form that the upstream takes; it is by default. See
            /// [`Chat::lowering`](crate::Chat::lowering).
            pub fn lowering(mut self, on: bool) -> Self {
                self.chat = self.chat.lowering(on);
                self
            }

            /// By which means the model is told of the schema; see
            /// [`Chat::schema_mode`](crate::Chat::schema_mode).
            pub fn schema_mode(mut self, mode: $crate::SchemaMode) -> Self {
                self.chat = self.chat.schema_mode(mode);
                self
            }

            /// Whether a value that breaks the schema may be changed to conform; see
            /// [`Chat::coerce`](crate::Chat::coerce).
            pub fn coerce(mut self, on: bool) -> Self {
                self.chat = self.chat.coerce(on);
                self
            }

            /// How often an answer that is none is asked for again; see
            /// [`Chat::reask`](crate::Chat::reask).
            pub fn reask(mut self, reask: impl Into<$crate::Reask>) -> Self {
                self.chat = self.chat.reask(reask);
                self
            }

            /// Whether a stream is ended as soon as it breaks the schema; see
            /// [`Chat::early_abort`](crate::Chat::early_abort).
            pub fn early_abort(mut self, on: bool) -> Self {
                self.chat = self.chat.early_abort(on);
                self
            }

            /// A look at what the server really sends; see [`Chat::tap`](crate::Chat::tap).
            pub fn tap(mut self, tap: impl Fn($crate::Tapped<'_>) + Send + Sync + 'static) -> Self {
                self.chat = self.chat.tap(tap);
                self
            }

            /// Adds the tools of a box; see [`Chat::toolbox`](crate::Chat::toolbox).
            pub fn toolbox(mut self, toolbox: $crate::Toolbox) -> Self {
                self.chat = self.chat.toolbox(toolbox);
                self
            }

            /// Sends the request. What comes is read as a completion; its body in the protocol's own shape
            /// stays with it.
            ///
            /// # Errors
            ///
            /// Those of [`Chat::send`](crate::Chat::send), under the same kinds.
            pub async fn send(self) -> Result<$crate::Completion, $crate::Failure> {
                self.chat.send().await
            }

            /// Sends the request and opens the stream; its events come as the chunks that they stand for.
            /// An event that has no place in a chunk is in one's extra field `event`.
            ///
            /// # Errors
            ///
            /// Those of [`Chat::stream`](crate::Chat::stream), under the same kinds.
            pub async fn stream(self) -> Result<$crate::CompletionStream, $crate::Failure> {
                self.chat.stream().await
            }

            /// Sends the request, and reads the answer as JSON that conforms to the request's schema.
            ///
            /// # Errors
            ///
            /// Those of [`Chat::answer`](crate::Chat::answer), under the same kinds.
            pub async fn answer(
                self,
            ) -> Result<$crate::Answer<serde_json::Value>, $crate::Failure> {
                self.chat.answer().await
            }

            /// Sends the request, and reads the model's turn: what it says, or which tools of the
            /// [box](Self::toolbox) it calls.
            ///
            /// # Errors
            ///
            /// Those of [`Chat::turn`](crate::Chat::turn), under the same kinds.
            pub async fn turn(self) -> Result<($crate::Turn, $crate::Completion), $crate::Failure> {
                self.chat.turn().await
            }

            /// How the calls of the request's tools are to be read, for callers who read completions
            /// themselves.
            ///
            /// # Errors
            ///
            /// `Validation`: a tool is none that would be sent.
            pub fn tool_reader(&self) -> Result<$crate::ToolReader, $crate::Failure> {
                self.chat.tool_reader()
            }

            /// How the request's answer is to be read, for callers who read completions themselves.
            ///
            /// # Errors
            ///
            /// `Validation`: the request is none that would be sent.
            pub fn reading(&self) -> Result<$crate::Reading, $crate::Failure> {
                self.chat.reading()
            }

            /// A schema, in the field that holds the form of the answer.
            fn format(
                mut self,
                holder: &str,
                mut format: serde_json::Map<String, serde_json::Value>,
                schema: serde_json::Value,
            ) -> Self {
                format.insert("type".to_owned(), "json_schema".into());
                format.insert("schema".to_owned(), schema);
                if let Some(fields) = self.chat.fields_mut() {
                    $crate::chat::put_format(fields, holder, Some(format.into()));
                }
                self
            }

            fn set(mut self, name: &'static str, value: impl serde::Serialize) -> Self {
                match serde_json::to_value(value) {
                    // A number that JSON does not have is written as null.
                    Ok(value) if !value.is_null() => {
                        if let Some(fields) = self.chat.fields_mut() {
                            fields.insert(name.to_owned(), value);
                        }
                    }
                    _ => self
                        .chat
                        .refuse(format!("{name}: cannot be written as JSON")),
                }
                self
            }

            fn openrouter(self, name: &'static str, value: impl serde::Serialize) -> Self {
                if self.chat.speaks_openrouter() {
                    self.set(name, value)
                } else {
                    self
                }
            }
        }

        /// The model only: prompts are not printed.
        impl std::fmt::Debug for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter
                    .debug_tuple(stringify!($name))
                    .field(&self.chat)
                    .finish()
            }
        }
    };
}
pub(super) use common;
