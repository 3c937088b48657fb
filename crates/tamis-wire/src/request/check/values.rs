//! What a single value has to be.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use crate::failure::{Failure, FailureKind};

pub(super) type Checked = Result<(), Failure>;

/// What a field has to be, where nothing else is documented of it.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Text,
    Truth,
    Object,
    List,
    Texts,
    /// A whole number of at least so much.
    Whole(u64),
}

impl Kind {
    pub(super) fn check(self, path: &str, value: &Value) -> Checked {
        match self {
            Self::Text if value.is_string() => Ok(()),
            Self::Text => refuse(format!("{path}: not a text")),
            Self::Truth if value.is_boolean() => Ok(()),
            Self::Truth => refuse(format!("{path}: neither true nor false")),
            Self::Object => object(path, value).map(drop),
            Self::List => list(path, value).map(drop),
            Self::Texts => texts(path, value).map(drop),
            Self::Whole(least) => whole(path, value, least..=u64::MAX),
        }
    }
}

/// Checks the fields of an object that are there.
pub(super) fn check_all(
    path: &str,
    object: &Map<String, Value>,
    fields: &[(&str, Kind)],
) -> Checked {
    fields.iter().try_for_each(|(name, kind)| {
        get(object, name).map_or(Ok(()), |value| kind.check(&join(path, name), value))
    })
}

pub(super) fn join(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

/// A field, unless it is null.
pub(super) fn get<'a>(object: &'a Map<String, Value>, field: &str) -> Option<&'a Value> {
    object.get(field).filter(|value| !value.is_null())
}

pub(super) fn object<'a>(path: &str, value: &'a Value) -> Result<&'a Map<String, Value>, Failure> {
    match value {
        Value::Object(fields) => Ok(fields),
        _ => refuse(format!("{path}: not an object")),
    }
}

pub(super) fn list<'a>(path: &str, value: &'a Value) -> Result<&'a [Value], Failure> {
    match value {
        Value::Array(items) => Ok(items),
        _ => refuse(format!("{path}: not a list")),
    }
}

/// A list of texts, none of them empty.
pub(super) fn texts<'a>(path: &str, value: &'a Value) -> Result<&'a [Value], Failure> {
    let items = list(path, value)?;
    let is_text = |item: &Value| item.as_str().is_some_and(|text| !text.is_empty());
    match items.iter().position(|item| !is_text(item)) {
        Some(place) => refuse(format!("{path}[{place}]: an empty text, or no text")),
        None => Ok(items),
    }
}

/// A field that has to be there, and to be a text that is not empty.
pub(super) fn needs_text(path: &str, fields: &Map<String, Value>, name: &str) -> Checked {
    let path = join(path, name);
    match get(fields, name) {
        Some(Value::String(text)) if !text.is_empty() => Ok(()),
        Some(Value::String(_)) => refuse(format!("{path}: empty")),
        Some(_) => refuse(format!("{path}: not a text")),
        None => refuse(format!("{path}: missing")),
    }
}

pub(super) fn in_range(path: &str, value: &Value, range: &RangeInclusive<f64>) -> Checked {
    if value.as_f64().is_some_and(|number| range.contains(&number)) {
        return Ok(());
    }
    let most = range.end();
    let allowed = if most.is_finite() {
        format!("from {} to {most}", range.start())
    } else {
        format!("{} or more", range.start())
    };
    refuse(format!("{path}: {}; {allowed}", shown(value)))
}

pub(super) fn whole(path: &str, value: &Value, range: RangeInclusive<u64>) -> Checked {
    if value.as_u64().is_some_and(|number| range.contains(&number)) {
        return Ok(());
    }
    let allowed = match (*range.start(), *range.end()) {
        (least, u64::MAX) => format!("a whole number of at least {least}"),
        (least, most) => format!("from {least} to {most}"),
    };
    refuse(format!("{path}: {}; {allowed}", shown(value)))
}

/// A number as it is, anything else by its kind: it may be a text of the caller's.
fn shown(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        _ => "not a number".to_owned(),
    }
}

/// A price of 0 or more, as a number or as text.
pub(super) fn price(path: &str, value: &Value) -> Checked {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    if number.is_some_and(|price: f64| price.is_finite() && price >= 0.0) {
        return Ok(());
    }
    refuse(format!("{path}: not a price of 0 or more"))
}

pub(super) fn refuse<T>(message: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::new(FailureKind::Validation, message))
}
