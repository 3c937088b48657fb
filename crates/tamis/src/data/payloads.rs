//! Reading what a call gives back: the error inside a success, the data, and its shape.

use serde::de::DeserializeOwned;
use serde_json::Value;
use tamis_wire::account::{Activity, Credits, Generation, KeyInfo, KeyRecord};
use tamis_wire::catalogue::{Endpoint, Model, ModelEndpoints, Provider};
use tamis_wire::{Failure, FailureKind};

use crate::account::CreatedKey;
use crate::api_key::ApiKey;
use crate::catalogue::ModelList;
use crate::payload::{Payload, data, envelope, sealed};

/// An object, told from any other by what it cannot do without.
trait Shape: DeserializeOwned {
    /// What a message calls it.
    const WHAT: &'static str;

    /// Whether it holds what it cannot do without.
    fn is_whole(&self) -> bool;
}

macro_rules! shapes {
    ($($kind:ty, $what:literal, |$value:ident| $whole:expr;)*) => {
        $(impl Shape for $kind {
            const WHAT: &'static str = $what;

            fn is_whole(&self) -> bool {
                let $value = self;
                $whole
            }
        })*
    };
}

shapes! {
    Model, "a model", |model| !model.id.is_empty();
    ModelEndpoints, "a model with its endpoints",
        |model| !model.id.is_empty() && model.extra.get("endpoints").is_none_or(Value::is_array);
    Endpoint, "an endpoint", |endpoint| endpoint.tag.is_some() || endpoint.provider_name.is_some();
    Provider, "a provider", |provider| !provider.slug.is_empty();
    Credits, "an account's credits",
        |credits| credits.total_credits.is_some() && credits.total_usage.is_some();
    KeyInfo, "a key", |key| key.label.is_some() || key.usage.is_some();
    KeyRecord, "a key", |key| !key.hash.is_empty();
    Generation, "a generation", |generation| !generation.id.is_empty();
    Activity, "a day's activity", |activity| !activity.date.is_empty();
}

fn malformed(message: String) -> Failure {
    Failure::new(FailureKind::Malformed, message)
}

fn one<T: Shape>(data: Value) -> Result<T, Failure> {
    serde_json::from_value(data)
        .ok()
        .filter(T::is_whole)
        .ok_or_else(|| malformed(format!("the body's data is not {}", T::WHAT)))
}

/// An entry that is none fails the whole list: leaving it out would hide it.
fn all<T: Shape>(data: Value) -> Result<Vec<T>, Failure> {
    let Value::Array(items) = data else {
        return Err(malformed(format!(
            "the body's data is not a list of which each is {}",
            T::WHAT
        )));
    };
    let read = items.into_iter().enumerate().map(|(place, item)| {
        one(item).map_err(|_| malformed(format!("entry {place} of the list is not {}", T::WHAT)))
    });
    read.collect()
}

macro_rules! payloads {
    (one: $($one:ty),*; all: $($all:ty),*) => {
        $(
            impl sealed::Sealed for $one {}

            impl Payload for $one {
                fn read(body: &[u8]) -> Result<Self, Failure> {
                    one(data(body)?)
                }
            }
        )*
        $(
            impl sealed::Sealed for Vec<$all> {}

            impl Payload for Vec<$all> {
                fn read(body: &[u8]) -> Result<Self, Failure> {
                    all(data(body)?)
                }
            }
        )*
    };
}

payloads! {
    one: Model, ModelEndpoints, Credits, KeyInfo, KeyRecord, Generation;
    all: Endpoint, Provider, Activity, KeyRecord
}

impl sealed::Sealed for ModelList {}

impl Payload for ModelList {
    fn read(body: &[u8]) -> Result<Self, Failure> {
        let (data, rest) = envelope(body)?;
        let next = rest.get("links").and_then(|links| links.get("next"));
        Ok(Self {
            models: all(data)?,
            next: next.and_then(Value::as_str).map(str::to_owned),
            total_count: rest.get("total_count").and_then(Value::as_u64),
        })
    }
}

impl sealed::Sealed for CreatedKey {}

impl Payload for CreatedKey {
    fn read(body: &[u8]) -> Result<Self, Failure> {
        let (data, mut rest) = envelope(body)?;
        let record = one(data)?;
        match rest.remove("key") {
            Some(Value::String(key)) if !key.trim().is_empty() => Ok(Self {
                key: ApiKey::from(key),
                record,
            }),
            _ => Err(malformed("the body holds no key".to_owned())),
        }
    }
}

/// Something was removed.
pub(crate) struct Deleted;

impl sealed::Sealed for Deleted {}

impl Payload for Deleted {
    /// `{"deleted": true}`, as it is or as data. Anything else does not say that it is gone.
    fn read(body: &[u8]) -> Result<Self, Failure> {
        let says_so = |value: &Value| value.get("deleted").and_then(Value::as_bool) == Some(true);
        match data(body) {
            Ok(data) if says_so(&data) => Ok(Self),
            Err(failure) if failure.kind() != FailureKind::Malformed => Err(failure),
            _ if serde_json::from_slice(body).is_ok_and(|body: Value| says_so(&body)) => Ok(Self),
            _ => Err(malformed(
                "the body does not say that it was deleted".to_owned(),
            )),
        }
    }
}
