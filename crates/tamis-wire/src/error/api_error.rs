//! An error as a server reports it.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use serde::de::MapAccess;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Number, Value};

use super::{Availability, ErrorMetadata, ErrorType};
use crate::extra::Extra;
use crate::lenient::{Any, Tolerant, tolerant_object};
use crate::lossless::{Came, Field};
use crate::scalar::Scalar;

/// What a server says went wrong.
///
/// Read from an error body in any of its shapes by [`read_error`](crate::read_error), and kept
/// where an error comes inside a completion, a chunk or a choice.
///
/// ```
/// let body = r#"{"error":{"code":"0502","message":"Bad gateway",
///     "metadata":{"error_type":"provider_unavailable"}}}"#;
/// let error = tamis_wire::read_error(body.as_bytes()).unwrap();
/// assert_eq!(error.code.as_ref().unwrap().as_i64(), Some(502));
/// assert_eq!(error.message, "Bad gateway");
/// assert_eq!(error.error_type(), Some(tamis_wire::ErrorType::ProviderUnavailable));
/// ```
#[derive(Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct ApiError {
    /// The code, in the server's spelling.
    pub code: Option<Scalar>,
    /// The message; empty where none came.
    pub message: String,
    /// What OpenRouter adds; see [`ApiError::metadata`].
    pub(super) metadata: Option<Map<String, Value>>,
    /// Whether a model can be had at all.
    pub availability: Option<Box<Availability>>,
    /// Everything else: `type`, `param`, `failed_generation`, …
    pub extra: Extra,
}

tolerant_object!(<'de> ApiErrorFields {
    "code" => code,
    "message" => message,
    "metadata" => metadata,
    "availability" => availability;
    extra
});

/// The fields of the object form; an error may also be a bare text.
#[derive(Default, PartialEq)]
struct ApiErrorFields {
    code: Option<Scalar>,
    message: Option<Value>,
    metadata: Option<Value>,
    availability: Option<Box<Availability>>,
    extra: Extra,
}

impl From<ApiErrorFields> for ApiError {
    fn from(fields: ApiErrorFields) -> Self {
        Self {
            code: fields.code,
            message: match fields.message {
                Some(Value::String(text)) => text,
                Some(Value::Null) | None => String::new(),
                Some(other) => other.to_string(),
            },
            metadata: match fields.metadata {
                Some(Value::Object(map)) => Some(map),
                _ => None,
            },
            availability: fields.availability,
            extra: fields.extra,
        }
    }
}

impl<'de> Tolerant<'de> for Option<ApiError> {
    fn from_text(text: Cow<'de, str>) -> Self {
        (!text.trim().is_empty()).then(|| ApiError::new(text.into_owned()))
    }

    /// A number says its code, and nothing about it.
    fn from_number(number: Number) -> Self {
        Some(ApiError {
            code: Some(Scalar::Number(number)),
            ..ApiError::default()
        })
    }

    /// `true` says that there is an error.
    fn from_bool(is_error: bool) -> Self {
        is_error.then(ApiError::default)
    }

    fn from_map<A: MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        Ok(<Option<ApiErrorFields> as Tolerant>::from_map(map)?.map(Into::into))
    }
}

impl ApiError {
    /// An error with a message and nothing else.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            ..Self::default()
        }
    }

    /// Views of `metadata`.
    pub fn metadata(&self) -> ErrorMetadata<'_> {
        ErrorMetadata(self.metadata.as_ref())
    }

    /// What went wrong by OpenRouter's stable name, where it stands: in the metadata, or on the
    /// error itself, as beside `availability`.
    pub fn error_type(&self) -> Option<ErrorType> {
        self.metadata()
            .error_type()
            .or_else(|| self.extra.get_str("error_type").map(ErrorType::from))
    }

    /// The code as an HTTP status from 400 to 599, or the `http_status` beside `availability`.
    pub fn status(&self) -> Option<u16> {
        let code = self.code.as_ref().and_then(Scalar::as_i64);
        let http_status = || {
            self.extra
                .get("http_status")
                .or_else(|| self.extra.get("raw_status_code"))
        };
        code.filter(|code| (400..600).contains(code))
            .or_else(|| {
                http_status()?
                    .as_i64()
                    .filter(|code| (400..600).contains(code))
            })
            .and_then(|code| u16::try_from(code).ok())
    }

    /// How long the body says to wait: `retry_after_seconds`, else the availability's
    /// `retry_after`, else the error's own, as in problem details.
    pub fn retry_after(&self) -> Option<Duration> {
        let available = || {
            let wait = self.availability.as_ref()?.retry_after.as_ref()?;
            super::metadata::seconds(wait.as_f64()?)
        };
        let own = || super::metadata::seconds(self.extra.get("retry_after")?.as_f64()?);
        self.metadata()
            .retry_after()
            .or_else(available)
            .or_else(own)
    }

    /// The provider's own message, where OpenRouter passes it on in `metadata.raw`: of the error it
    /// holds, or the text itself.
    pub fn upstream_message(&self) -> Option<String> {
        let metadata = self.metadata();
        match metadata.upstream_error() {
            Some(error) if !error.message.is_empty() => Some(error.message),
            _ => metadata
                .raw()?
                .as_str()
                .map(str::to_owned)
                .filter(|raw| !raw.trim().is_empty()),
        }
    }

    /// Whether the model's own output was at fault: a provider that checks its output against the
    /// schema or the tools returns it as an error, with the text in `failed_generation`.
    pub fn is_failed_generation(&self) -> bool {
        self.extra
            .get("failed_generation")
            .is_some_and(|text| !text.is_null())
            || matches!(
                self.code_str(),
                Some("tool_use_failed" | "json_validate_failed")
            )
    }

    /// The code, where it is text.
    pub(crate) fn code_str(&self) -> Option<&str> {
        self.code.as_ref()?.as_str()
    }

    /// Whether a name stands where servers put a code: `code`, `type` or the provider's code.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.code_str() == Some(name)
            || self.extra.get_str("type") == Some(name)
            || self.metadata().provider_code() == Some(name)
    }

    /// A copy in which every occurrence of a secret in any text is replaced.
    #[must_use]
    pub fn redact(&self, secret: &str) -> Self {
        if secret.is_empty() {
            return self.clone();
        }
        let Ok(mut value) = serde_json::to_value(self) else {
            return self.clone();
        };
        redact_value(&mut value, secret);
        serde_json::from_value(value).unwrap_or_else(|_| self.clone())
    }
}

/// What stands where a secret stood.
const REDACTED: &str = "[redacted]";

fn redact_value(value: &mut Value, secret: &str) {
    match value {
        Value::String(text) if text.contains(secret) => *text = text.replace(secret, REDACTED),
        Value::Array(items) => items.iter_mut().for_each(|item| redact_value(item, secret)),
        Value::Object(map) => {
            let keys: Vec<String> = map
                .keys()
                .filter(|key| key.contains(secret))
                .cloned()
                .collect();
            for key in keys {
                if let Some(value) = map.remove(&key) {
                    map.insert(key.replace(secret, REDACTED), value);
                }
            }
            map.values_mut()
                .for_each(|value| redact_value(value, secret));
        }
        _ => {}
    }
}

/// Code, message, type and provider; not `raw`, `flagged_input` or `failed_generation`, which
/// quote prompts and answers.
impl fmt::Debug for ApiError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ApiError")
            .field("code", &self.code)
            .field("message", &self.message)
            .field("error_type", &self.error_type())
            .field("provider", &self.metadata().provider_name())
            .finish_non_exhaustive()
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.message.is_empty() {
            "no message"
        } else {
            &self.message
        })
    }
}

impl Serialize for ApiError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(code) = &self.code {
            map.serialize_entry("code", code)?;
        }
        map.serialize_entry("message", &self.message)?;
        if let Some(metadata) = &self.metadata {
            map.serialize_entry("metadata", metadata)?;
        }
        if let Some(availability) = &self.availability {
            map.serialize_entry("availability", availability)?;
        }
        for (name, value) in self.extra.iter() {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// Kept as it came where it is written in another form: a bare text, a message that is no text.
impl Field for Option<Box<ApiError>> {
    fn read<'de, A: MapAccess<'de>>(&mut self, map: &mut A) -> Result<Came, A::Error> {
        let value: Value = map.next_value()?;
        *self = Any::deserialize(&value).map_or(None, |Any(read)| read);
        Ok(if value.is_null() {
            Came::Null
        } else if self.is_some() && self.as_read() == value {
            Came::Fits
        } else {
            Came::Other(Box::new(value))
        })
    }

    fn is_read_from(&self, value: &Value) -> bool {
        Any::<Self>::deserialize(value).is_ok_and(|Any(read)| read == *self)
    }
}

impl<'de> Deserialize<'de> for ApiError {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Any::<Option<Self>>::deserialize(deserializer)?
            .0
            .unwrap_or_default())
    }
}
