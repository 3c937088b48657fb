//! Money, exactly.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use rust_decimal::Decimal;
use serde::{Serialize, Serializer};
use serde_json::Number;

use crate::lenient::Tolerant;
use crate::scalar::Scalar;

/// Longer than any amount that is meant.
const LONGEST: usize = 64;

/// An amount of US dollars, exactly as it was spelled.
///
/// Prices come as decimal text (`"0.00000025"`), balances as JSON numbers. Both are read as decimals,
/// never as floats, and written back in the spelling in which they came. Two amounts are equal where
/// their values are, however they were spelled.
///
/// Exact to 28 digits; a text that is no decimal number, or that needs more digits, is no amount.
///
/// ```
/// use tamis_wire::Usd;
///
/// let price: Usd = serde_json::from_str(r#""0.000000250""#)?;
/// assert_eq!(price.per_million().unwrap().to_string(), "0.25");
/// assert_eq!(serde_json::to_string(&price)?, r#""0.000000250""#);
/// assert_eq!(price, serde_json::from_str::<Usd>("2.5e-7")?);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone)]
pub struct Usd {
    amount: Decimal,
    spelled: Scalar,
}

impl Usd {
    /// The amount.
    pub fn amount(&self) -> Decimal {
        self.amount
    }

    /// A price for one as a price for a million, without trailing zeros; none where that is too large
    /// a number.
    pub fn per_million(&self) -> Option<Decimal> {
        let million = self.amount.checked_mul(Decimal::from(1_000_000))?;
        Some(million.normalize())
    }

    /// Whether it is nothing.
    pub fn is_zero(&self) -> bool {
        self.amount.is_zero()
    }

    fn read(spelled: Scalar) -> Option<Self> {
        let text = match &spelled {
            Scalar::Number(number) => parse(&number.to_string()),
            Scalar::Text(text) => parse(text.trim()),
        };
        text.map(|amount| Self { amount, spelled })
    }
}

/// Reads `12`, `-0.5`, `2.5e-7`.
fn parse(text: &str) -> Option<Decimal> {
    if text.len() > LONGEST || text.contains('_') {
        return None;
    }
    let Some((mantissa, exponent)) = text.split_once(['e', 'E']) else {
        return Decimal::from_str_exact(text).ok();
    };
    let mut amount = Decimal::from_str_exact(mantissa).ok()?;
    let exponent: i32 = exponent.parse().ok()?;
    let scale = i32::try_from(amount.scale()).ok()?.checked_sub(exponent)?;
    if amount.is_zero() {
        return Some(amount);
    }
    if let Ok(scale) = u32::try_from(scale) {
        amount.set_scale(scale).ok()?;
        return Some(amount);
    }
    amount.set_scale(0).ok()?;
    (scale..0).try_fold(amount, |amount, _| amount.checked_mul(Decimal::TEN))
}

impl From<Decimal> for Usd {
    fn from(amount: Decimal) -> Self {
        Self {
            amount,
            spelled: Scalar::Text(amount.to_string()),
        }
    }
}

impl PartialEq for Usd {
    fn eq(&self, other: &Self) -> bool {
        self.amount == other.amount
    }
}

impl Eq for Usd {}

impl PartialOrd for Usd {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Usd {
    fn cmp(&self, other: &Self) -> Ordering {
        self.amount.cmp(&other.amount)
    }
}

impl Hash for Usd {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.amount.hash(state);
    }
}

/// The amount in plain digits, without trailing zeros.
impl fmt::Display for Usd {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.amount.normalize().fmt(formatter)
    }
}

impl fmt::Debug for Usd {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Usd({})", self.amount)
    }
}

impl Serialize for Usd {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.spelled.serialize(serializer)
    }
}

impl<'de> serde::Deserialize<'de> for Usd {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spelled = Scalar::deserialize(deserializer)?;
        Self::read(spelled).ok_or_else(|| serde::de::Error::custom("expected an amount"))
    }
}

impl<'de> Tolerant<'de> for Option<Usd> {
    fn from_text(text: std::borrow::Cow<'de, str>) -> Self {
        Usd::read(Scalar::Text(text.into_owned()))
    }

    fn from_number(number: Number) -> Self {
        Usd::read(Scalar::Number(number))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Usd, parse};

    #[test]
    fn spellings() {
        for (text, amount) in [
            ("0", Some("0")),
            ("0.00000025", Some("0.00000025")),
            ("-1", Some("-1")),
            ("2.5e-7", Some("0.00000025")),
            ("1E3", Some("1000")),
            ("12.5e1", Some("125")),
            ("0e99999", Some("0")),
            ("1e-28", Some("0.0000000000000000000000000001")),
            ("1e-29", None),
            ("1e29", None),
            ("1e2147483648", None),
            ("1e-2147483648", None),
            ("", None),
            ("e5", None),
            ("1_000", None),
            ("free", None),
            ("NaN", None),
            ("0.123456789012345678901234567890", None),
        ] {
            let read = parse(text).map(|amount| amount.to_string());
            assert_eq!(read.as_deref(), amount, "{text}");
        }
    }

    #[test]
    fn shown_plainly() {
        let price: Usd = serde_json::from_str("\"0.0100\"").unwrap();
        assert_eq!(price.to_string(), "0.01");
        assert_eq!(format!("{price:?}"), "Usd(0.0100)");
        let huge: Usd =
            serde_json::from_str("79228162514264337593543950335").unwrap_or_else(|_| {
                // As a JSON number it is a float, and its digits are not all there.
                serde_json::from_str("\"79228162514264337593543950335\"").unwrap()
            });
        assert!(huge.per_million().is_none());
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic_and_written_as_it_came(text in "[-+0-9.eE_ a]{0,70}|.{0,20}") {
            let json = serde_json::to_string(&text).unwrap();
            if let Ok(usd) = serde_json::from_str::<Usd>(&json) {
                prop_assert_eq!(serde_json::to_string(&usd).unwrap(), json);
                let _ = (usd.per_million(), usd.to_string());
            }
        }

        #[test]
        fn any_number_of_cents_is_exact(units in any::<i64>(), places in 0_u32..19) {
            let amount = rust_decimal::Decimal::new(units, places);
            let read: Usd = serde_json::from_value(serde_json::json!(amount.to_string())).unwrap();
            prop_assert_eq!(read.amount(), amount);
        }

        #[test]
        fn any_float_is_what_it_prints(float in -1e12_f64..1e12) {
            let number = serde_json::Number::from_f64(float).unwrap();
            if let Ok(usd) = serde_json::from_value::<Usd>(number.clone().into()) {
                let again: f64 = usd.amount().to_string().parse().unwrap();
                // Zero has no sign among decimals.
                prop_assert_eq!((again + 0.0).to_bits(), (float + 0.0).to_bits());
                prop_assert_eq!(serde_json::to_value(&usd).unwrap(), serde_json::Value::from(number));
            }
        }
    }
}
