use proptest::prelude::*;

use super::{Served, Tally, Verdict};

fn tally(providers: &[(&str, u32, u32)], unserved: u32, pinned: Option<&str>) -> Tally {
    let providers = providers
        .iter()
        .map(|(name, passed, requests)| Served {
            name: (!name.is_empty()).then(|| (*name).to_owned()),
            passed: *passed,
            repaired: 0,
            requests: *requests,
            latency: Some(1.0),
        })
        .collect();
    Tally {
        providers,
        unserved,
        unanswered: unserved,
        threshold: 0.9,
        pinned: pinned.map(str::to_owned),
        interrupted: false,
    }
}

#[test]
fn the_table() {
    use Verdict::{Pin, Ship, Switch};
    type Row<'a> = (
        &'a [(&'a str, u32, u32)],
        u32,
        Option<&'a str>,
        Verdict,
        Option<&'a str>,
        bool,
    );
    let rows: &[Row<'_>] = &[
        // One provider.
        (&[("A", 10, 10)], 0, None, Ship, Some("A"), true),
        (&[("A", 9, 10)], 0, None, Ship, Some("A"), true),
        (&[("A", 8, 10)], 0, None, Switch, None, false),
        (&[("A", 9, 9)], 1, None, Ship, Some("A"), true),
        // A server that names none.
        (&[("", 10, 10)], 0, None, Ship, None, true),
        (&[("", 5, 10)], 0, None, Switch, None, false),
        // A lottery.
        (&[("A", 4, 4), ("B", 6, 6)], 0, None, Pin, Some("B"), true),
        (&[("A", 5, 5), ("B", 5, 5)], 0, None, Pin, Some("A"), true),
        (&[("A", 8, 9), ("B", 1, 1)], 0, None, Pin, Some("A"), true),
        (&[("A", 9, 9), ("", 1, 1)], 0, None, Pin, Some("A"), true),
        // One of several.
        (&[("A", 5, 5), ("B", 1, 5)], 0, None, Pin, Some("A"), false),
        (&[("A", 2, 2), ("B", 1, 8)], 0, None, Switch, None, false),
        (&[("A", 4, 5), ("B", 1, 5)], 0, None, Switch, None, false),
        (&[("A", 6, 6)], 4, None, Pin, Some("A"), false),
        // Pinned.
        (&[("A", 10, 10)], 0, Some("A"), Ship, Some("A"), true),
        (&[("A", 5, 10)], 0, Some("A"), Switch, None, false),
        (&[("A", 6, 6)], 4, Some("A"), Switch, None, false),
        (
            &[("A", 9, 9), ("B", 1, 1)],
            0,
            Some("A"),
            Switch,
            None,
            false,
        ),
        // Nothing.
        (&[], 10, None, Switch, None, false),
        (&[], 0, None, Switch, None, false),
    ];
    for (providers, unserved, pinned, verdict, provider, holds) in rows {
        let decision = tally(providers, *unserved, *pinned).decide();
        let found = (
            decision.verdict,
            decision.provider.as_deref(),
            decision.holds,
        );
        assert_eq!(
            found,
            (*verdict, *provider, *holds),
            "{providers:?} {unserved} {pinned:?}"
        );
        assert!(decision.reasons.iter().all(|reason| reason.ends_with('.')));
        let has_block = decision.provider_block.is_some();
        assert_eq!(has_block, *verdict == Pin || pinned.is_some());
    }
}

#[test]
fn the_block_to_paste() {
    let decision = tally(&[("A", 4, 4), ("B", 6, 6)], 0, None).decide();
    let block = decision.provider_block.unwrap().to_string();
    assert_eq!(block, r#"{"order":["B"],"allow_fallbacks":false}"#);
    assert!(decision.reasons.concat().contains("lottery"));
}

#[test]
fn of_equals_the_one_that_needs_fewer_repairs_is_pinned_and_the_words_say_how_many() {
    let mut tally = tally(&[("A", 5, 5), ("B", 5, 5)], 0, None);
    tally.providers[0].repaired = 3;
    let decision = tally.decide();
    assert_eq!(decision.provider.as_deref(), Some("B"));
    assert_eq!((decision.passed, decision.passed_after_repair), (10, 3));
    let words = decision.reasons.join(" ");
    assert!(words.contains("3 of them only after repair"), "{words}");
    assert!(words.contains("A 5 of 5 (3 after repair)"), "{words}");
    // What passes after repair passes: none of it moves the verdict.
    tally.providers[1].repaired = 5;
    assert_eq!(tally.decide().verdict, Verdict::Pin);
    assert!(tally.decide().holds);
}

#[test]
fn ended_early_is_undecided() {
    let mut tally = tally(&[("A", 4, 4)], 0, None);
    tally.interrupted = true;
    assert_eq!(tally.decide().verdict, Verdict::Undecided);
}

fn any_tally() -> impl Strategy<Value = Tally> {
    let served = (0_u32..8, 0_u32..8).prop_map(|(passed, failed)| (passed, passed + failed));
    (
        prop::collection::vec(served, 0..4),
        0_u32..3,
        1_u32..=20,
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(served, unserved, twentieths, unnamed, pinned)| {
            let providers = served
                .into_iter()
                .enumerate()
                .filter(|(_, (_, requests))| *requests > 0)
                .map(|(index, (passed, requests))| Served {
                    name: (index > 0 || !unnamed).then(|| format!("P{index}")),
                    passed,
                    repaired: passed / 2,
                    requests,
                    latency: None,
                })
                .collect();
            Tally {
                providers,
                unserved,
                unanswered: unserved,
                threshold: f64::from(twentieths) / 20.0,
                pinned: pinned.then(|| "P0".to_owned()),
                interrupted: false,
            }
        })
}

proptest! {
    #[test]
    fn one_more_pass_never_makes_it_worse(tally in any_tally(), at in 0_usize..4) {
        let before = tally.decide();
        if at < tally.providers.len() {
            let mut added = tally.clone();
            added.providers[at].passed += 1;
            added.providers[at].requests += 1;
            prop_assert!(added.decide().verdict >= before.verdict);
            prop_assert!(added.decide().holds >= before.holds);
            let mut turned = tally.clone();
            if turned.providers[at].passed < turned.providers[at].requests {
                turned.providers[at].passed += 1;
                prop_assert!(turned.decide().verdict >= before.verdict);
                prop_assert!(turned.decide().holds >= before.holds);
            }
        }
    }

    #[test]
    fn one_more_failure_never_makes_it_better(tally in any_tally(), at in 0_usize..4) {
        let before = tally.decide();
        if at < tally.providers.len() {
            let mut added = tally.clone();
            // What was too little to tell may become enough, and then tells.
            prop_assume!(added.providers[at].is_enough());
            added.providers[at].requests += 1;
            prop_assert!(added.decide().verdict <= before.verdict);
        }
    }

    #[test]
    fn what_ships_holds_and_what_is_pinned_is_named(tally in any_tally()) {
        let decision = tally.decide();
        if decision.verdict == Verdict::Ship {
            prop_assert!(decision.holds);
        }
        if decision.verdict == Verdict::Pin {
            prop_assert!(decision.provider.is_some());
        }
        prop_assert!(decision.at_least <= decision.share);
    }
}
