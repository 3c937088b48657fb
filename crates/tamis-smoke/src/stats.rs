//! Figures of several requests.

use std::time::Duration;

use serde::Serialize;

/// The median and the 95th percentile, by nearest rank, in milliseconds to a tenth.
///
/// ```
/// use std::time::Duration;
/// use tamis_smoke::Percentiles;
///
/// let times = (1..=20).map(Duration::from_millis).collect();
/// let percentiles = Percentiles::of(times).unwrap();
/// assert_eq!((percentiles.p50_ms, percentiles.p95_ms), (10.0, 19.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Percentiles {
    /// Half of the requests took no longer.
    pub p50_ms: f64,
    /// 95 of 100 took no longer.
    pub p95_ms: f64,
}

impl Percentiles {
    /// Of these times; none of none.
    pub fn of(mut times: Vec<Duration>) -> Option<Self> {
        times.sort_unstable();
        let rank = |percent: usize| {
            let rank = (times.len() * percent).div_ceil(100);
            times.get(rank.checked_sub(1)?).copied().map(milliseconds)
        };
        Some(Self {
            p50_ms: rank(50)?,
            p95_ms: rank(95)?,
        })
    }
}

/// Milliseconds to a tenth.
pub(crate) fn milliseconds(time: Duration) -> f64 {
    rounded(time.as_secs_f64() * 1_000.0, 1)
}

/// A figure without the digits that adding floats leaves behind.
pub(crate) fn rounded(figure: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    (figure * scale).round() / scale
}

/// How large the share of passes is at least, with 95 % confidence, where so many of so many
/// passed: the lower end of Wilson's one-sided interval.
///
/// It says what few requests are worth: 10 of 10 is no proof of more than 78 %.
pub(crate) fn at_least(passed: u32, requests: u32) -> f64 {
    const Z: f64 = 1.644_853_6;
    if requests == 0 {
        return 0.0;
    }
    let n = f64::from(requests);
    let share = f64::from(passed) / n;
    let z2 = Z * Z;
    let middle = share + z2 / (2.0 * n);
    let spread = Z * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    ((middle - spread) / (1.0 + z2 / n)).max(0.0)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::{Percentiles, at_least};

    #[test]
    fn of_one_and_of_none() {
        assert_eq!(Percentiles::of(Vec::new()), None);
        let one = Percentiles::of(vec![Duration::from_micros(1_260)]).unwrap();
        assert_eq!((one.p50_ms, one.p95_ms), (1.3, 1.3));
    }

    #[test]
    fn ten_of_ten_is_no_proof() {
        let floor = at_least(10, 10);
        assert!((0.78..0.79).contains(&floor), "{floor}");
        assert!(at_least(0, 10) < 1e-9);
        assert!(at_least(0, 0) < 1e-9);
        assert!(at_least(1_000, 1_000) > 0.99);
    }

    proptest! {
        #[test]
        fn percentiles_are_among_the_times(millis in prop::collection::vec(0_u32..10_000, 1..60)) {
            let times = millis.iter().map(|time| Duration::from_millis((*time).into())).collect();
            let found = Percentiles::of(times).unwrap();
            prop_assert!(found.p50_ms <= found.p95_ms);
            for value in [found.p50_ms, found.p95_ms] {
                prop_assert!(millis.iter().any(|time| (f64::from(*time) - value).abs() < 0.05));
            }
        }

        #[test]
        fn a_floor_lies_below_the_share_and_grows_with_it(n in 1_u32..300, passed in 0_u32..300) {
            let passed = passed.min(n);
            let floor = at_least(passed, n);
            prop_assert!(floor <= f64::from(passed) / f64::from(n) + 1e-9);
            if passed < n {
                prop_assert!(at_least(passed + 1, n) >= floor);
            }
        }
    }
}
