//! How long is waited where the server does not say.

use std::time::Duration;

/// Exponential, with the upper half of each step left to chance, so that many clients that failed
/// together do not come back together.
pub(super) fn backoff(first: Duration, longest: Duration, retry: u32) -> Duration {
    let step = first
        .saturating_mul(2_u32.saturating_pow(retry.min(16)))
        .min(longest);
    step.mul_f64(0.5 + fastrand::f64() / 2.0)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::backoff;

    #[test]
    fn grows_to_its_limit_and_varies() {
        let wait = |retry| backoff(Duration::from_millis(500), Duration::from_secs(8), retry);
        for (retry, full) in [
            (0, 500),
            (1, 1000),
            (3, 4000),
            (4, 8000),
            (5, 8000),
            (u32::MAX, 8000),
        ] {
            let full = Duration::from_millis(full);
            for _ in 0..50 {
                assert!((full / 2..=full).contains(&wait(retry)), "{retry}");
            }
        }
        assert!(
            (0..20)
                .map(|_| wait(4))
                .collect::<std::collections::BTreeSet<_>>()
                .len()
                > 1
        );
    }
}
