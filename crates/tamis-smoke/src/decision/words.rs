//! A decision's reasons, in sentences.

use super::{ENOUGH, Served, Tally, Verdict};
use crate::stats::at_least;

pub(super) fn reasons(tally: &Tally, verdict: Verdict, chosen: Option<&Served>) -> Vec<String> {
    let mut reasons = vec![total(tally)];
    reasons.extend(repaired(tally));
    match verdict {
        Verdict::Undecided => {
            reasons.push("The test was ended before all requests were made.".to_owned());
        }
        Verdict::Ship => reasons.push(ship(tally, chosen)),
        Verdict::Pin => reasons.extend(chosen.map(|chosen| pin(tally, chosen))),
        Verdict::Switch => reasons.extend(switch(tally)),
    }
    if matches!(verdict, Verdict::Ship | Verdict::Pin)
        && let Some(floor) = floor(tally, verdict, chosen)
    {
        reasons.push(floor);
    }
    reasons
}

fn total(tally: &Tally) -> String {
    let (passed, requests) = (tally.passed(), tally.requests());
    let bar = percent(tally.threshold);
    let place = if tally.holds() {
        "at or above"
    } else {
        "below"
    };
    format!("{passed} of {requests} passed all bars, {place} the threshold of {bar}.")
}

/// What the repairs mean to a client that makes none.
fn repaired(tally: &Tally) -> Option<String> {
    let (passed, repaired) = (tally.passed(), tally.repaired());
    let how_many = match repaired {
        0 => return None,
        all if all == passed && all > 1 => "All of them".to_owned(),
        1 if passed == 1 => "It passed".to_owned(),
        some => format!("{some} of them"),
    };
    Some(format!(
        "{how_many} only after repair: a client that takes the text as it comes has {} of {}.",
        passed - repaired,
        tally.requests()
    ))
}

/// `5 of 5 (2 after repair)`.
fn record(served: &Served) -> String {
    let record = format!("{} of {}", served.passed, served.requests);
    match served.repaired {
        0 => record,
        repaired => format!("{record} ({repaired} after repair)"),
    }
}

fn ship(tally: &Tally, chosen: Option<&Served>) -> String {
    let name = chosen.and_then(|served| served.name.as_deref());
    match (&tally.pinned, name) {
        (Some(pinned), _) => format!("They were pinned to {pinned}."),
        (None, Some(name)) => {
            format!("All were served by {name}; pin it, and no other can step in.")
        }
        (None, None) => "The server names no provider, and counts as one.".to_owned(),
    }
}

fn pin(tally: &Tally, chosen: &Served) -> String {
    let name = label(chosen);
    let others: Vec<String> = tally
        .providers
        .iter()
        .filter(|served| *served != chosen)
        .map(|served| format!("{} {}", label(served), record(served)))
        .collect();
    let own = format!("{name} passed {}", record(chosen));
    if tally.holds() {
        return format!(
            "They came from {} providers, which is a routing lottery: {own}, {}.",
            tally.providers.len(),
            others.join(", ")
        );
    }
    let mut sentence = format!("It depends on the provider: {own}");
    if !others.is_empty() {
        sentence = format!("{sentence}, {}", others.join(", "));
    }
    if tally.unserved > 0 {
        sentence = format!("{sentence}, and {} reached none", tally.unserved);
    }
    sentence + "."
}

fn switch(tally: &Tally) -> Vec<String> {
    if tally.breaks_the_pin() {
        let names: Vec<String> = tally.providers.iter().map(label).collect();
        return vec![format!(
            "The pin was not honoured: {} served.",
            names.join(", ")
        )];
    }
    if tally.providers.is_empty() {
        return vec!["No request was answered.".to_owned()];
    }
    if tally.holds() {
        return vec!["Several providers served, and none of them is named.".to_owned()];
    }
    let shares: Vec<String> = tally
        .providers
        .iter()
        .map(|served| format!("{} {}", label(served), record(served)))
        .collect();
    let mut reasons = Vec::new();
    if tally.providers.iter().any(|served| served.name.is_some()) {
        reasons.push(format!("By provider: {}.", shares.join(", ")));
    }
    if tally.passed() > 0 && tally.passed() + tally.unanswered == tally.requests() {
        reasons.push(format!(
            "Every answer that came passed, but {} of the requests got none: fewer at a time, or \
             retries, may do.",
            tally.unanswered
        ));
    }
    let promising = tally
        .providers
        .iter()
        .filter(|served| served.name.is_some() && !served.is_enough())
        .find(|served| served.holds(tally.threshold));
    if let Some(promising) = promising {
        reasons.push(format!(
            "{} passed all it served, but fewer than {ENOUGH} requests say nothing: make more.",
            label(promising)
        ));
    }
    reasons
}

/// What the number of requests is worth.
fn floor(tally: &Tally, verdict: Verdict, chosen: Option<&Served>) -> Option<String> {
    let (passed, requests) = match (verdict, chosen) {
        (Verdict::Pin, Some(chosen)) => (chosen.passed, chosen.requests),
        _ => (tally.passed(), tally.requests()),
    };
    let floor = at_least(passed, requests);
    (floor < tally.threshold).then(|| {
        format!(
            "{passed} of {requests} proves only that at least {} pass (with 95 % confidence); \
             make more requests to be surer.",
            percent(floor)
        )
    })
}

fn label(served: &Served) -> String {
    served.name.clone().unwrap_or_else(|| "unknown".to_owned())
}

/// A share as whole per cent, rounded down: no share is made to look better than it is.
fn percent(share: f64) -> String {
    format!("{:.0} %", (share * 100.0 + 1e-6).floor())
}
