//! Numbers without loss: what a JSON number type cannot hold is told apart from what it can.
//!
//! An integer is exact within `i64` and `u64`, and beyond them where the nearest `f64`, printed
//! with as few digits as it needs, is that very integer (`1e20` written out). A number with a
//! fraction or an exponent is exact when the nearest `f64`, printed to as many digits as the text
//! has, gives the text's digits again: `0.1` is, and `0.30000000000000004`. One that is not, but
//! has no more than the 17 digits that an `f64` is good for, is the nearest `f64`, and said to be
//! rounded. Anything else (a π of twenty digits, `1e400`, `1e-400`) fits no number type.

use serde_json::Number;

/// What a number's text comes to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reading {
    /// A JSON number that holds it without loss.
    Exact(Number),
    /// The nearest one, off by less than one in the seventeenth digit.
    Rounded(Number),
    /// A number by the grammar that no JSON number type here can hold.
    Inexact,
}

/// As many significant digits tell every `f64` from its neighbours; more it does not carry.
const DIGITS_OF_F64: usize = 17;

/// More significant digits than any exact `f64` has.
const MOST_DIGITS: usize = 800;

/// Reads a token by the grammar of RFC 8259; `None` when it is no number.
#[inline]
pub(crate) fn read(token: &str) -> Option<Reading> {
    if let Some(number) = small_integer(token.as_bytes()) {
        return Some(Reading::Exact(number.into()));
    }
    match shape(token.as_bytes())? {
        Shape::Integer => Some(read_integer(token)),
        Shape::Real => Some(read_real(token)),
    }
}

/// The short way for most numbers: digits that cannot overflow.
#[inline]
fn small_integer(token: &[u8]) -> Option<u64> {
    if token.len() > 18 || token.is_empty() || (token.first() == Some(&b'0') && token.len() > 1) {
        return None;
    }
    token.iter().try_fold(0_u64, |sum, b| {
        b.is_ascii_digit().then(|| sum * 10 + u64::from(b - b'0'))
    })
}

/// Whether a token is a number by the grammar of RFC 8259.
pub(crate) fn is_number(token: &str) -> bool {
    shape(token.as_bytes()).is_some()
}

/// Whether a token is a number without an exponent, of so few digits that a float holds it.
pub(crate) fn is_plain_number(token: &[u8]) -> bool {
    token.len() <= 15 && !token.iter().any(u8::is_ascii_alphabetic) && shape(token).is_some()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Integer,
    Real,
}

fn shape(token: &[u8]) -> Option<Shape> {
    let rest = token.strip_prefix(b"-").unwrap_or(token);
    let rest = match rest.split_first()? {
        (b'0', rest) => rest,
        (b'1'..=b'9', rest) => after_digits(rest),
        _ => return None,
    };
    if rest.is_empty() {
        return Some(Shape::Integer);
    }
    let rest = match rest.strip_prefix(b".") {
        Some(fraction) => after_some_digits(fraction)?,
        None => rest,
    };
    let rest = match rest.split_first() {
        Some((b'e' | b'E', exponent)) => {
            let digits = exponent
                .strip_prefix(b"+")
                .or_else(|| exponent.strip_prefix(b"-"))
                .unwrap_or(exponent);
            after_some_digits(digits)?
        }
        _ => rest,
    };
    rest.is_empty().then_some(Shape::Real)
}

fn after_digits(mut rest: &[u8]) -> &[u8] {
    while let Some((b'0'..=b'9', tail)) = rest.split_first() {
        rest = tail;
    }
    rest
}

fn after_some_digits(rest: &[u8]) -> Option<&[u8]> {
    let tail = after_digits(rest);
    (tail.len() < rest.len()).then_some(tail)
}

fn read_integer(token: &str) -> Reading {
    if token == "-0" {
        // As serde_json reads it: the one integer that only a float can hold.
        return Number::from_f64(-0.0).map_or(Reading::Inexact, Reading::Exact);
    }
    if token.len() <= 20 {
        if let Ok(n) = token.parse::<u64>() {
            return Reading::Exact(n.into());
        }
        if let Ok(n) = token.parse::<i64>() {
            return Reading::Exact(n.into());
        }
    }
    if token.len() > 320 {
        return Reading::Inexact;
    }
    match token.parse::<f64>() {
        Ok(n) if n.is_finite() && same_decimal(&format!("{n:e}"), token) => {
            Number::from_f64(n).map_or(Reading::Inexact, Reading::Exact)
        }
        _ => Reading::Inexact,
    }
}

fn read_real(token: &str) -> Reading {
    let Ok(value) = token.parse::<f64>() else {
        return Reading::Inexact;
    };
    let Some(number) = Number::from_f64(value) else {
        return Reading::Inexact;
    };
    let digits = significant_digits(token);
    let size = value.abs();
    // Fifteen digits always survive the way to an `f64` and back.
    if digits == 0 || digits <= 15 && (1e-300..1e300).contains(&size) {
        return Reading::Exact(number);
    }
    if value == 0.0 || digits > MOST_DIGITS {
        return Reading::Inexact;
    }
    // The shortest print as well: where two are as near, it may be the other one.
    if same_decimal(&format!("{size:e}"), token)
        || same_decimal(&format!("{size:.*e}", digits - 1), token)
    {
        Reading::Exact(number)
    } else if digits <= DIGITS_OF_F64 && size >= f64::MIN_POSITIVE {
        Reading::Rounded(number)
    } else {
        Reading::Inexact
    }
}

/// Digits of the mantissa between the zeros around it.
fn significant_digits(token: &str) -> usize {
    let mut count = 0;
    let mut zeros = 0;
    for b in mantissa(token).bytes() {
        match b {
            b'0' if count == 0 => {}
            b'0' => zeros += 1,
            b'1'..=b'9' => {
                count += zeros + 1;
                zeros = 0;
            }
            _ => {}
        }
    }
    count
}

fn mantissa(token: &str) -> &str {
    token.split(['e', 'E']).next().unwrap_or_default()
}

fn same_decimal(a: &str, b: &str) -> bool {
    let (exponent_a, exponent_b) = (scale(a), scale(b));
    exponent_a.is_some() && exponent_a == exponent_b && digits(a).eq(digits(b))
}

/// The significant digits, in order.
fn digits(token: &str) -> impl Iterator<Item = u8> {
    let count = significant_digits(token);
    mantissa(token)
        .bytes()
        .filter(u8::is_ascii_digit)
        .skip_while(|b| *b == b'0')
        .take(count)
}

/// The power of ten of the first significant digit.
fn scale(token: &str) -> Option<i64> {
    let exponent = match token.split_once(['e', 'E']) {
        Some((_, e)) => e.parse::<i64>().ok()?,
        None => 0,
    };
    let mantissa = mantissa(token).trim_start_matches('-');
    let point = mantissa.find('.').unwrap_or(mantissa.len());
    let first = mantissa.bytes().position(|b| matches!(b, b'1'..=b'9'))?;
    let (point, first) = (i64::try_from(point).ok()?, i64::try_from(first).ok()?);
    let places = if first < point {
        point - first - 1
    } else {
        point - first
    };
    exponent.checked_add(places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn exact(token: &str) -> Option<String> {
        match read(token)? {
            Reading::Exact(n) => Some(n.to_string()),
            _ => None,
        }
    }

    #[test]
    fn what_fits_is_a_number() {
        for (token, printed) in [
            ("0", "0"),
            ("-0", "-0.0"),
            ("-12", "-12"),
            ("2512292042121000001", "2512292042121000001"),
            ("18446744073709551615", "18446744073709551615"),
            ("-9223372036854775808", "-9223372036854775808"),
            ("100000000000000000000", "1e+20"),
            ("0.1", "0.1"),
            ("0.10", "0.1"),
            ("0.30000000000000004", "0.30000000000000004"),
            ("0.10000000000000001", "0.1"),
            ("1e2", "100.0"),
            ("0e999999", "0.0"),
            ("5e-324", "5e-324"),
            ("1.7976931348623157e308", "1.7976931348623157e+308"),
        ] {
            assert_eq!(exact(token).as_deref(), Some(printed), "{token}");
        }
    }

    #[test]
    fn what_does_not_fit_is_said_to() {
        for token in [
            "18446744073709551616",
            "-9223372036854775809",
            "1e400",
            "-1e400",
            "1e-400",
            "3.14159265358979323846",
            "123456789012345678901234567890",
            "1e99999999999999999999999",
        ] {
            assert_eq!(read(token), Some(Reading::Inexact), "{token}");
        }
        let long = "1".repeat(100_000);
        assert_eq!(read(&long), Some(Reading::Inexact));
    }

    #[test]
    fn what_is_nearly_held_is_said_to_be_rounded() {
        let nearest = Number::from_f64(9.342_084_133_443_113e-6).unwrap();
        assert_eq!(
            read("9.342084133443114e-6"),
            Some(Reading::Rounded(nearest))
        );
    }

    #[test]
    fn what_is_no_number_is_none() {
        for token in [
            "", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "1.1.1", "1a", "--1",
        ] {
            assert_eq!(read(token), None, "{token}");
        }
    }

    proptest! {
        #[test]
        fn every_float_survives(n in any::<f64>().prop_filter("finite", |n| n.is_finite())) {
            for text in [serde_json::to_string(&n).unwrap(), format!("{n:e}"), format!("{n:.16e}")] {
                let Some(Reading::Exact(read)) = read(&text) else {
                    return Err(TestCaseError::fail(text));
                };
                prop_assert_eq!(read.as_f64(), Some(n));
            }
        }

        #[test]
        fn every_integer_survives(n in any::<i64>(), m in any::<u64>()) {
            prop_assert_eq!(exact(&n.to_string()), Some(n.to_string()).map(|t| if t == "-0" { "-0.0".into() } else { t }));
            prop_assert_eq!(exact(&m.to_string()), Some(m.to_string()));
        }

        #[test]
        fn the_grammar_is_serde_jsons(token in "[-+0-9.eE]{1,12}") {
            let there = serde_json::from_str::<serde_json::Value>(&token);
            let here = read(&token);
            prop_assert_eq!(
                here.is_some() || there.as_ref().is_err_and(|e| e.to_string().contains("out of range")),
                there.is_ok() || there.is_err_and(|e| e.to_string().contains("out of range")),
                "{}", token
            );
        }
    }
}
