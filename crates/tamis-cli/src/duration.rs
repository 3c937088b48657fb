//! Durations on the command line.

use std::time::Duration;

/// A week; more is a slip.
const LONGEST: f64 = 7.0 * 24.0 * 3600.0;

/// Reads `30`, `2.5`, `30s`, `500ms`, `2m`, `1h`. A bare number is in seconds.
pub(crate) fn parse(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let (number, unit) = units
        .iter()
        .find_map(|(name, seconds)| Some((text.strip_suffix(name)?, *seconds)))
        .unwrap_or((text, 1.0));
    let plain = number
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds = number
        .parse::<f64>()
        .ok()
        .filter(|_| plain)
        .map(|number| number * unit)
        .ok_or("expected seconds, such as 30 or 2.5, or a number with ms, s, m or h")?;
    if seconds <= 0.0 {
        return Err("must be more than 0".to_owned());
    }
    if seconds > LONGEST {
        return Err("more than a week".to_owned());
    }
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::parse;

    #[test]
    fn seconds_and_units() {
        for (text, millis) in [
            ("30", 30_000),
            ("2.5", 2_500),
            (".5", 500),
            ("30s", 30_000),
            ("500ms", 500),
            ("2m", 120_000),
            ("1.5h", 5_400_000),
        ] {
            assert_eq!(parse(text), Ok(Duration::from_millis(millis)), "{text}");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "s",
            "0",
            "-1",
            "+1",
            "1e3",
            "inf",
            "NaN",
            "1d",
            "1 h",
            "1h30m",
            "999999999",
        ] {
            assert!(parse(text).is_err(), "{text:?}");
        }
    }
}
