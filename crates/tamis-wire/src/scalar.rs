//! A value that servers send as a number or as text.

use std::borrow::Cow;
use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::Number;

use crate::lenient::{Tolerant, integer};
use crate::lossless::Written;

/// A number or a text, in the spelling in which it came.
///
/// `created` comes as `1744857525`, `1744857525.254391` and `"1744857525"`; an error's `code` as
/// `429`, `"429"`, `"0502"` and `"insufficient_quota"`. What came is written back as it came.
///
/// ```
/// use tamis_wire::Scalar;
///
/// let code: Scalar = serde_json::from_str(r#""0502""#)?;
/// assert_eq!(code.as_i64(), Some(502));
/// assert_eq!(serde_json::to_string(&code)?, r#""0502""#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    /// A JSON number.
    Number(Number),
    /// A JSON string.
    Text(String),
}

impl Scalar {
    /// As an integer: a whole number, or text that spells one in decimal digits.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Number(number) => integer(number),
            Self::Text(text) => text.trim().parse().ok(),
        }
    }

    /// As a floating-point number; text counts where it spells a JSON number.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Number(number) => number.as_f64(),
            Self::Text(text) => text
                .trim()
                .parse()
                .ok()
                .filter(|number: &f64| number.is_finite()),
        }
    }

    /// The text, where text came.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Number(_) => None,
            Self::Text(text) => Some(text),
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(formatter),
            Self::Text(text) => text.fmt(formatter),
        }
    }
}

impl From<i64> for Scalar {
    fn from(number: i64) -> Self {
        Self::Number(number.into())
    }
}

impl From<&str> for Scalar {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl Serialize for Scalar {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => number.serialize(serializer),
            Self::Text(text) => text.serialize(serializer),
        }
    }
}

impl<'de> serde::Deserialize<'de> for Scalar {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::lenient::Any::<Option<Self>>::deserialize(deserializer)?
            .0
            .ok_or_else(|| serde::de::Error::custom("expected a number or a string"))
    }
}

impl Written<'_> for Option<Scalar> {
    const TEXT: bool = true;

    fn writes_number(_number: &Number) -> bool {
        true
    }
}

impl<'de> Tolerant<'de> for Option<Scalar> {
    fn from_number(number: Number) -> Self {
        Some(Scalar::Number(number))
    }

    fn from_text(text: Cow<'de, str>) -> Self {
        Some(Scalar::Text(text.into_owned()))
    }
}
