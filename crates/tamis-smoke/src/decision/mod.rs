//! Whether the endpoint may be trusted: ship, pin or switch.

mod verdict;
mod words;

use serde::Serialize;
use serde_json::{Value, json};

pub use verdict::Verdict;

use crate::stats::{at_least, rounded};

/// With fewer requests than these a provider's share says nothing.
pub const ENOUGH: u32 = 3;

/// What to do with a model, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Decision {
    /// Ship, pin or switch.
    pub verdict: Verdict,
    /// The provider to pin, or the only one that served.
    pub provider: Option<String>,
    /// The request's `provider` block that pins it; only with the verdict `pin`, or where the
    /// requests were pinned.
    pub provider_block: Option<Value>,
    /// Requests that passed all bars.
    pub passed: u32,
    /// Those of them that passed only after repair.
    pub passed_after_repair: u32,
    /// Requests that were made.
    pub requests: u32,
    /// `passed` of `requests`.
    pub share: f64,
    /// The share is at least so large, with 95 % confidence.
    pub at_least: f64,
    /// Whether the share reaches the threshold.
    pub holds: bool,
    /// Why, in sentences.
    pub reasons: Vec<String>,
}

/// What a decision is made of.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tally {
    /// One for each provider that served; in a run where no response named any, one without a name.
    pub(crate) providers: Vec<Served>,
    /// Requests that reached no provider, as far as is known.
    pub(crate) unserved: u32,
    /// Requests that got no answer, wherever they went.
    pub(crate) unanswered: u32,
    /// The share that has to pass.
    pub(crate) threshold: f64,
    /// The provider that the requests were pinned to.
    pub(crate) pinned: Option<String>,
    /// The measurement was ended early.
    pub(crate) interrupted: bool,
}

/// What one provider served.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Served {
    pub(crate) name: Option<String>,
    pub(crate) passed: u32,
    /// Those of them that needed repair.
    pub(crate) repaired: u32,
    pub(crate) requests: u32,
    /// The median latency, in milliseconds.
    pub(crate) latency: Option<f64>,
}

impl Served {
    fn share(&self) -> f64 {
        share(self.passed, self.requests)
    }

    fn share_as_sent(&self) -> f64 {
        share(self.passed.saturating_sub(self.repaired), self.requests)
    }

    fn holds(&self, threshold: f64) -> bool {
        reaches(self.passed, self.requests, threshold)
    }

    fn is_enough(&self) -> bool {
        self.requests >= ENOUGH
    }
}

impl Tally {
    fn passed(&self) -> u32 {
        self.providers.iter().map(|served| served.passed).sum()
    }

    fn repaired(&self) -> u32 {
        self.providers.iter().map(|served| served.repaired).sum()
    }

    fn requests(&self) -> u32 {
        let served: u32 = self.providers.iter().map(|served| served.requests).sum();
        served + self.unserved
    }

    fn holds(&self) -> bool {
        reaches(self.passed(), self.requests(), self.threshold)
    }

    /// The named provider that did best: of those with enough requests, where there are any.
    fn best(&self) -> Option<&Served> {
        let named = self.providers.iter().filter(|served| served.name.is_some());
        named.max_by(|a, b| {
            a.is_enough()
                .cmp(&b.is_enough())
                .then(a.share().total_cmp(&b.share()))
                // An answer that needs no repair is worth more.
                .then(a.share_as_sent().total_cmp(&b.share_as_sent()))
                .then(a.requests.cmp(&b.requests))
                // The quicker one, and where that is the same too the first by name.
                .then_with(|| {
                    let slow = |served: &Served| served.latency.unwrap_or(f64::INFINITY);
                    slow(b).total_cmp(&slow(a))
                })
                .then_with(|| b.name.cmp(&a.name))
        })
    }

    /// Others than the pinned one served.
    fn breaks_the_pin(&self) -> bool {
        let named = self.providers.iter().filter(|served| served.name.is_some());
        self.pinned.is_some() && named.count() > 1
    }

    pub(crate) fn decide(&self) -> Decision {
        let (verdict, chosen) = self.verdict();
        let provider = chosen.and_then(|served| served.name.clone());
        let pin = match verdict {
            Verdict::Pin => provider.clone(),
            _ => self.pinned.clone(),
        };
        let (passed, requests) = (self.passed(), self.requests());
        Decision {
            verdict,
            provider_block: pin.map(|pin| provider_block(&pin)),
            passed,
            passed_after_repair: self.repaired(),
            requests,
            share: rounded(share(passed, requests), 4),
            at_least: rounded(at_least(passed, requests), 4),
            holds: self.holds() && !self.breaks_the_pin(),
            reasons: words::reasons(self, verdict, chosen),
            provider,
        }
    }

    fn verdict(&self) -> (Verdict, Option<&Served>) {
        if self.interrupted {
            return (Verdict::Undecided, None);
        }
        if self.breaks_the_pin() {
            return (Verdict::Switch, None);
        }
        let best = self.best();
        if self.holds() {
            return match (self.providers.len(), best) {
                (..=1, best) => (Verdict::Ship, best),
                (_, best) if self.pinned.is_some() => (Verdict::Ship, best),
                (_, Some(best)) => (Verdict::Pin, Some(best)),
                // Several, none of them named: there is nothing to pin.
                (_, None) => (Verdict::Switch, None),
            };
        }
        match best {
            Some(best)
                if self.pinned.is_none() && best.is_enough() && best.holds(self.threshold) =>
            {
                (Verdict::Pin, Some(best))
            }
            _ => (Verdict::Switch, None),
        }
    }
}

/// The request's `provider` block that pins a provider.
pub fn provider_block(provider: &str) -> Value {
    json!({"order": [provider], "allow_fallbacks": false})
}

fn share(passed: u32, requests: u32) -> f64 {
    if requests == 0 {
        return 0.0;
    }
    f64::from(passed) / f64::from(requests)
}

/// Whether so many of so many are the share that is asked for, and more than nothing.
fn reaches(passed: u32, requests: u32, threshold: f64) -> bool {
    // 9 of 10 is a share of 0.9, whatever the division makes of it.
    passed > 0 && f64::from(passed) >= threshold * f64::from(requests) - 1e-9
}

#[cfg(test)]
mod tests;
