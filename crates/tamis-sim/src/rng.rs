//! Seeded randomness: the same seed and the same key give the same numbers on every machine.

/// A small generator (`SplitMix64`). Not for secrets.
#[derive(Debug, Clone)]
pub(crate) struct Rng {
    state: u64,
}

impl Rng {
    /// A generator for one purpose: `parts` are the seed's companions, such as the model and the
    /// number of the request. Parts are separated, so that `["ab", "c"]` differs from `["a", "bc"]`.
    pub(crate) fn new(seed: u64, parts: &[&str]) -> Self {
        // FNV-1a: stable across Rust versions, which the standard hasher is not.
        let mut hash = 0xcbf2_9ce4_8422_2325_u64 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for part in parts {
            for byte in part.bytes().chain([0xff]) {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
        Self { state: hash }
    }

    /// The next 64 bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, or 0 if `bound` is 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).unwrap_or(u64::MAX);
        usize::try_from(self.next().checked_rem(bound).unwrap_or(0)).unwrap_or(0)
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: usize, high: usize) -> usize {
        low.saturating_add(self.below(high.saturating_sub(low).saturating_add(1)))
    }

    /// A fraction from 0 (included) to 1 (excluded).
    pub(crate) fn fraction(&mut self) -> f64 {
        // 32 bits are exact in a double, and enough for a probability.
        let bits = u32::try_from(self.next() >> 32).unwrap_or(0);
        f64::from(bits) / 4_294_967_296.0
    }

    /// True with the given probability. Always draws, so that later draws do not depend on it.
    pub(crate) fn chance(&mut self, probability: f64) -> bool {
        self.fraction() < probability
    }

    /// One of the items.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        let at = self.below(items.len());
        items.get(at)
    }

    /// `len` letters and digits.
    pub(crate) fn token(&mut self, len: usize) -> String {
        const ALPHABET: &[u8; 62] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
        (0..len)
            .filter_map(|_| self.pick(ALPHABET).copied().map(char::from))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Rng;

    #[test]
    fn same_key_same_numbers_and_parts_are_separated() {
        let draw = |seed, parts: &[&str]| Rng::new(seed, parts).token(12);
        assert_eq!(draw(7, &["a", "1"]), draw(7, &["a", "1"]));
        assert_ne!(draw(7, &["a", "1"]), draw(8, &["a", "1"]));
        assert_ne!(draw(7, &["ab", "c"]), draw(7, &["a", "bc"]));
    }

    #[test]
    fn chance_keeps_to_its_probability() {
        let mut rng = Rng::new(1, &[]);
        let hits = (0..10_000).filter(|_| rng.chance(0.3)).count();
        assert!((2_800..3_200).contains(&hits), "{hits}");
        assert!(!rng.chance(0.0));
        assert!(rng.chance(1.0));
    }

    #[test]
    fn bounds_hold() {
        let mut rng = Rng::new(3, &[]);
        assert_eq!(rng.below(0), 0);
        for _ in 0..100 {
            assert!((2..=4).contains(&rng.between(2, 4)));
        }
    }
}
