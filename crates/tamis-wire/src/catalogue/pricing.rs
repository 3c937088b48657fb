//! Prices.

use rust_decimal::Decimal;

use crate::record::record;
use crate::usd::Usd;

record! {
    /// What a model costs, in US dollars for one: a token, a request, an image.
    ///
    /// A price of zero is no sign of a free variant, and a negative one says that it depends on the
    /// model which a router picks.
    pub struct Pricing {
        /// A token in.
        prompt: Option<Usd>,
        /// A token out.
        completion: Option<Usd>,
        /// A request, besides its tokens.
        request: Option<Usd>,
        /// An image in.
        image: Option<Usd>,
        /// A token of an image in.
        image_token: Option<Usd>,
        /// An image out.
        image_output: Option<Usd>,
        /// A token of sound in.
        audio: Option<Usd>,
        /// A token of sound out.
        audio_output: Option<Usd>,
        /// A token of sound from a cache.
        input_audio_cache: Option<Usd>,
        /// A token in from a cache.
        input_cache_read: Option<Usd>,
        /// A token written to a cache.
        input_cache_write: Option<Usd>,
        /// The same, to be kept for an hour.
        input_cache_write_1h: Option<Usd>,
        /// A token of reasoning.
        internal_reasoning: Option<Usd>,
        /// A web search.
        web_search: Option<Usd>,
        /// The share that is taken off, from 0 to 1.
        discount: Option<Usd>,
        /// Other prices under conditions; of those that hold, the last one counts.
        overrides: Vec<PriceOverride>,
    }
}

record! {
    /// Other prices under conditions, all of which must hold.
    pub struct PriceOverride {
        /// More tokens in than so many.
        min_prompt_tokens: Option<u64>,
        /// From this time of the day on, in UTC, as the number `HHMM`.
        utc_start: Option<u64>,
        /// Before this time of the day; smaller than the start where it goes past midnight.
        utc_end: Option<u64>,
        /// A token in.
        prompt: Option<Usd>,
        /// A token out.
        completion: Option<Usd>,
        /// A request, besides its tokens.
        request: Option<Usd>,
        /// An image in.
        image: Option<Usd>,
        /// A token of an image in.
        image_token: Option<Usd>,
        /// An image out.
        image_output: Option<Usd>,
        /// A token of sound in.
        audio: Option<Usd>,
        /// A token of sound out.
        audio_output: Option<Usd>,
        /// A token of sound from a cache.
        input_audio_cache: Option<Usd>,
        /// A token in from a cache.
        input_cache_read: Option<Usd>,
        /// A token written to a cache.
        input_cache_write: Option<Usd>,
        /// The same, to be kept for an hour.
        input_cache_write_1h: Option<Usd>,
        /// A token of reasoning.
        internal_reasoning: Option<Usd>,
        /// A web search.
        web_search: Option<Usd>,
    }
}

/// A time of the day in UTC.
///
/// ```
/// use tamis_wire::catalogue::UtcTime;
///
/// assert!(UtcTime::new(16, 30).is_some());
/// assert!(UtcTime::new(24, 0).is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UtcTime {
    hour: u8,
    minute: u8,
}

impl UtcTime {
    /// None unless there is such a time.
    pub fn new(hour: u8, minute: u8) -> Option<Self> {
        (hour < 24 && minute < 60).then_some(Self { hour, minute })
    }

    fn number(self) -> u64 {
        u64::from(self.hour) * 100 + u64::from(self.minute)
    }
}

impl PriceOverride {
    /// Whether it counts for a request of this size at this time.
    pub fn applies(&self, prompt_tokens: u64, at: UtcTime) -> bool {
        let now = at.number();
        let large_enough = self.min_prompt_tokens.is_none_or(|min| prompt_tokens > min);
        let in_time = match (self.utc_start, self.utc_end) {
            (None, None) => true,
            (Some(start), None) => now >= start,
            (None, Some(end)) => now < end,
            (Some(start), Some(end)) if start <= end => (start..end).contains(&now),
            (Some(start), Some(end)) => now >= start || now < end,
        };
        large_enough && in_time
    }
}

/// Takes over the prices that an override names.
macro_rules! overridden {
    ($pricing:ident, $by:ident: $($field:ident),*) => {
        $(if $by.$field.is_some() {
            $pricing.$field.clone_from(&$by.$field);
        })*
    };
}

impl Pricing {
    /// The prices that count for a request of this size at this time: those of every override that
    /// applies take the place of the general ones, the later before the earlier.
    pub fn at(&self, prompt_tokens: u64, at: UtcTime) -> Self {
        let mut pricing = self.clone();
        for by in self
            .overrides
            .iter()
            .filter(|by| by.applies(prompt_tokens, at))
        {
            overridden!(
                pricing, by: prompt, completion, request, image, image_token, image_output, audio,
                audio_output, input_audio_cache, input_cache_read, input_cache_write,
                input_cache_write_1h, internal_reasoning, web_search
            );
        }
        pricing
    }

    /// What a request with so many tokens in and out costs by these prices, the discount taken off;
    /// without caches, images, sound and searches. An estimate: what was charged is in the
    /// completion's usage.
    ///
    /// None where a price is missing or negative.
    pub fn estimate(&self, prompt_tokens: u64, completion_tokens: u64) -> Option<Decimal> {
        let cost = |price: &Usd, count: u64| {
            let amount = price.amount();
            (!amount.is_sign_negative() || amount.is_zero())
                .then(|| amount.checked_mul(Decimal::from(count)))
                .flatten()
        };
        let mut sum = cost(self.prompt.as_ref()?, prompt_tokens)?
            .checked_add(cost(self.completion.as_ref()?, completion_tokens)?)?;
        if let Some(request) = &self.request {
            sum = sum.checked_add(cost(request, 1)?)?;
        }
        let share = Decimal::ONE.checked_sub(self.discount_share())?;
        Some(sum.checked_mul(share)?.normalize())
    }

    /// Whether tokens and requests cost nothing.
    pub fn is_zero(&self) -> bool {
        let nothing = |price: &Option<Usd>| price.as_ref().is_some_and(Usd::is_zero);
        nothing(&self.prompt)
            && nothing(&self.completion)
            && self.request.as_ref().is_none_or(Usd::is_zero)
    }

    /// The discount, as far as it is a share.
    fn discount_share(&self) -> Decimal {
        self.discount
            .as_ref()
            .map(Usd::amount)
            .filter(|share| (Decimal::ZERO..=Decimal::ONE).contains(share))
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{PriceOverride, Pricing, UtcTime};

    fn pricing(value: serde_json::Value) -> Pricing {
        serde_json::from_value(value).unwrap()
    }

    fn time(hour: u8, minute: u8) -> UtcTime {
        UtcTime::new(hour, minute).unwrap()
    }

    #[test]
    fn overrides_count_by_size_and_time_and_the_last_one_wins() {
        let pricing = pricing(json!({
            "prompt": "0.000001", "completion": "0.000004",
            "overrides": [
                {"min_prompt_tokens": 1000, "prompt": "0.000002"},
                {"utc_start": 2200, "utc_end": 600, "prompt": "0.0000005", "completion": "0.000002"},
            ],
        }));
        let prompt = |tokens, at| pricing.at(tokens, at).prompt.unwrap().to_string();
        assert_eq!(prompt(1000, time(12, 0)), "0.000001");
        assert_eq!(prompt(1001, time(12, 0)), "0.000002");
        assert_eq!(prompt(1001, time(22, 0)), "0.0000005");
        assert_eq!(prompt(1, time(5, 59)), "0.0000005");
        assert_eq!(prompt(1, time(6, 0)), "0.000001");
        let at_night = pricing.at(1, time(23, 0));
        assert_eq!(at_night.completion.unwrap().to_string(), "0.000002");
    }

    #[test]
    fn half_open_ranges_of_time() {
        let applies = |start, end, at| {
            let range = json!({"utc_start": start, "utc_end": end});
            let range: PriceOverride = serde_json::from_value(range).unwrap();
            range.applies(0, at)
        };
        assert!(applies(Some(100), Some(200), time(1, 0)));
        assert!(!applies(Some(100), Some(200), time(2, 0)));
        assert!(applies(None, Some(200), time(1, 59)));
        assert!(applies(Some(200), None, time(2, 0)));
        assert!(!applies(Some(200), None, time(1, 59)));
    }

    #[test]
    fn estimates_are_exact() {
        let plain = pricing(json!({"prompt": "0.0000001", "completion": "0.0000004"}));
        assert_eq!(plain.estimate(3, 7).unwrap().to_string(), "0.0000031");
        let cut =
            pricing(json!({"prompt": "0.01", "completion": "0", "request": "1", "discount": 0.25}));
        assert_eq!(cut.estimate(100, 5).unwrap().to_string(), "1.5");
        assert!(!cut.is_zero());
        let router = pricing(json!({"prompt": "-1", "completion": "-1"}));
        assert_eq!(router.estimate(1, 1), None);
        assert_eq!(pricing(json!({"prompt": "0"})).estimate(1, 1), None);
        assert_eq!(
            pricing(json!({"prompt": "79228162514264337593543950335", "completion": "0"}))
                .estimate(2, 0),
            None
        );
        assert!(pricing(json!({"prompt": "0", "completion": "0.0"})).is_zero());
    }
}
