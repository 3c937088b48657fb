//! What a call can give back.

use serde_json::{Map, Value};
use tamis_wire::{ApiError, Completion, Failure, FailureKind, read_response};

/// A response that a call can give back.
///
/// OpenRouter reports errors inside a 2xx as well, so a type that could not tell an error from itself
/// must not be a call's result. This trait is sealed: its types read themselves from a body that was
/// looked through for an error first.
///
/// ```compile_fail
/// fn result_of_a_call<T: tamis::Payload>() {}
/// result_of_a_call::<String>();
/// ```
pub trait Payload: Sized + sealed::Sealed {
    /// Reads a 2xx response's body.
    ///
    /// # Errors
    ///
    /// The error inside it; `Malformed` where it does not hold what it should.
    fn read(body: &[u8]) -> Result<Self, Failure>;
}

pub(crate) mod sealed {
    pub trait Sealed {}
}

impl sealed::Sealed for Completion {}

impl Payload for Completion {
    fn read(body: &[u8]) -> Result<Self, Failure> {
        read_response(200, body).map(|received| received.completion)
    }
}

/// The `data` of an envelope, unless it holds an error.
pub(crate) fn data(body: &[u8]) -> Result<Value, Failure> {
    envelope(body).map(|(data, _)| data)
}

/// The `data` of an envelope and what stands beside it, unless it holds an error.
pub(crate) fn envelope(body: &[u8]) -> Result<(Value, Map<String, Value>), Failure> {
    let value: Value = serde_json::from_slice(body)
        .map_err(|_| Failure::new(FailureKind::Malformed, "the body is not JSON"))?;
    if let Some(error) = ApiError::from_value(&value) {
        return Err(Failure::from_inline(error));
    }
    if let Value::Object(mut fields) = value
        && let Some(data) = fields.remove("data").filter(|data| !data.is_null())
    {
        return Ok((data, fields));
    }
    Err(Failure::new(
        FailureKind::Malformed,
        "the body holds no data",
    ))
}
