//! How long a response asks to wait.

use std::time::{Duration, SystemTime};

use http::HeaderMap;
use tamis_wire::ApiError;

/// The wait that a response's headers name: `Retry-After` in seconds or as a date, else
/// `retry-after-ms`. A value that is neither falls through to the next one.
pub(crate) fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    named(|name| headers.get(name)?.to_str().ok(), now)
}

/// The wait that an error's body names: its own, else that of the provider's headers, which
/// OpenRouter passes on inside it.
pub(crate) fn retry_after_in(error: &ApiError, now: SystemTime) -> Option<Duration> {
    error
        .retry_after()
        .or_else(|| named(|name| error.metadata().header(name), now))
}

fn named<'a>(header: impl Fn(&str) -> Option<&'a str>, now: SystemTime) -> Option<Duration> {
    header("retry-after")
        .and_then(|value| seconds(value).or_else(|| until(value, now)))
        .or_else(|| header("retry-after-ms").and_then(milliseconds))
}

/// Decimal digits, perhaps with a fraction: no sign, no exponent, no other base.
fn seconds(value: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(decimal(value)?).ok()
}

fn milliseconds(value: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(decimal(value)? / 1000.0).ok()
}

fn decimal(value: &str) -> Option<f64> {
    let value = value.trim_matches([' ', '\t']);
    let (whole, fraction) = value.split_once('.').unwrap_or((value, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (digits(whole) && digits(fraction)).then(|| value.parse().ok())?
}

/// One of the three HTTP dates; one that is past means now.
fn until(value: &str, now: SystemTime) -> Option<Duration> {
    let date = httpdate::parse_http_date(value.trim_matches([' ', '\t'])).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use http::HeaderMap;

    use super::retry_after;

    fn read(rows: &[(&'static str, &str)]) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        for (name, value) in rows {
            headers.insert(*name, value.parse().unwrap());
        }
        // Sun, 06 Nov 1994 08:49:30 GMT
        retry_after(
            &headers,
            SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_770),
        )
    }

    #[test]
    fn seconds_dates_and_milliseconds() {
        type Row = (&'static [(&'static str, &'static str)], Option<f64>);
        let rows: &[Row] = &[
            (&[("retry-after", "120")], Some(120.0)),
            (&[("retry-after", " 7 ")], Some(7.0)),
            (&[("retry-after", "0")], Some(0.0)),
            (&[("retry-after", "1.5")], Some(1.5)),
            (
                &[("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT")],
                Some(7.0),
            ),
            (
                &[("retry-after", "Sunday, 06-Nov-94 08:49:37 GMT")],
                Some(7.0),
            ),
            (&[("retry-after", "Sun Nov  6 08:49:37 1994")], Some(7.0)),
            (
                &[("retry-after", "Sun, 06 Nov 1994 08:49:00 GMT")],
                Some(0.0),
            ),
            (&[("retry-after-ms", "250")], Some(0.25)),
            (
                &[("retry-after", "soon"), ("retry-after-ms", "250")],
                Some(0.25),
            ),
            (
                &[("retry-after", "2"), ("retry-after-ms", "250")],
                Some(2.0),
            ),
            (&[("retry-after", "-1")], None),
            (&[("retry-after", "0x10")], None),
            (&[("retry-after", "1e3")], None),
            (&[("retry-after", "+5")], None),
            (&[("retry-after", "")], None),
            (&[("retry-after", "NaN"), ("retry-after-ms", "inf")], None),
            (&[("retry-after", ".5")], None),
            (&[], None),
        ];
        for (headers, wait) in rows {
            assert_eq!(
                read(headers),
                wait.map(Duration::from_secs_f64),
                "{headers:?}"
            );
        }
    }
}
