//! What OpenRouter adds to an error, by the names it uses.

use std::time::Duration;

use serde_json::{Map, Value};

use super::{ApiError, ErrorType};

/// Typed views of `error.metadata`.
///
/// Every view is `None`, or empty, where the field is missing or has an unexpected type.
#[derive(Clone, Copy)]
pub struct ErrorMetadata<'a>(pub(super) Option<&'a Map<String, Value>>);

impl<'a> ErrorMetadata<'a> {
    /// Any field, as it came.
    pub fn get(self, name: &str) -> Option<&'a Value> {
        self.0?.get(name)
    }

    fn str(self, name: &str) -> Option<&'a str> {
        self.get(name)?.as_str()
    }

    /// What went wrong, by OpenRouter's stable name.
    pub fn error_type(self) -> Option<ErrorType> {
        self.str("error_type").map(ErrorType::from)
    }

    /// The provider's own code.
    pub fn provider_code(self) -> Option<&'a str> {
        self.str("provider_code")
            .or_else(|| self.str("provider_error_code"))
    }

    /// The provider that failed.
    pub fn provider_name(self) -> Option<&'a str> {
        self.str("provider_name")
    }

    /// What the provider sent: text, or a JSON value. It may quote the request.
    pub fn raw(self) -> Option<&'a Value> {
        self.get("raw").filter(|raw| !raw.is_null())
    }

    /// The provider's own error, where [`ErrorMetadata::raw`] holds one as JSON or as JSON text.
    pub fn upstream_error(self) -> Option<ApiError> {
        match self.raw()? {
            Value::String(text) => {
                let value: Value = serde_json::from_str(text).ok()?;
                ApiError::from_value(&value)
            }
            value => ApiError::from_value(value),
        }
    }

    /// Moderation: why the input was flagged.
    pub fn reasons(self) -> Vec<&'a str> {
        self.strings("reasons")
    }

    /// Guardrails: the patterns that matched.
    pub fn patterns(self) -> Vec<&'a str> {
        self.strings("patterns")
    }

    fn strings(self, name: &str) -> Vec<&'a str> {
        let items = self.get(name).and_then(Value::as_array);
        items
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect()
    }

    /// The providers that were tried before, and how each failed.
    pub fn previous_errors(self) -> Vec<PreviousError<'a>> {
        let items = self.get("previous_errors").and_then(Value::as_array);
        items
            .into_iter()
            .flatten()
            .filter_map(Value::as_object)
            .map(PreviousError)
            .collect()
    }

    /// Which limit was hit: `openrouter_credits`, `openrouter_in_flight_budget`, …
    pub fn limit_source(self) -> Option<&'a str> {
        self.str("limit_source")
    }

    /// How long to wait, where a number that makes sense came.
    pub fn retry_after(self) -> Option<Duration> {
        match self.get("retry_after_seconds")? {
            Value::Number(number) => seconds(number.as_f64()?),
            Value::String(text) => seconds(text.trim().parse().ok()?),
            _ => None,
        }
    }

    /// A header that the provider sent, by its name in any case.
    pub fn header(self, name: &str) -> Option<&'a str> {
        let headers = self.get("headers")?.as_object()?;
        headers
            .iter()
            .find(|(key, _)| key.eq_ignore_ascii_case(name))?
            .1
            .as_str()
    }
}

/// The field names only: values may quote a prompt.
impl std::fmt::Debug for ErrorMetadata<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_list()
            .entries(self.0.iter().flat_map(|map| map.keys()))
            .finish()
    }
}

/// A duration, unless the number is negative, infinite or absurd.
pub(crate) fn seconds(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds).ok()
}

/// How one provider failed before the one that the error is about.
#[derive(Clone, Copy)]
pub struct PreviousError<'a>(&'a Map<String, Value>);

impl<'a> PreviousError<'a> {
    /// The provider.
    pub fn provider(self) -> Option<&'a str> {
        self.0
            .get("provider")
            .or_else(|| self.0.get("provider_name"))?
            .as_str()
    }

    /// Its code, as it came.
    pub fn code(self) -> Option<&'a Value> {
        self.0.get("code").filter(|code| !code.is_null())
    }

    /// Its HTTP status.
    pub fn status(self) -> Option<u16> {
        self.0.get("status")?.as_u64()?.try_into().ok()
    }
}

/// Provider and status only.
impl std::fmt::Debug for PreviousError<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("PreviousError")
            .field("provider", &self.provider())
            .field("status", &self.status())
            .finish_non_exhaustive()
    }
}
