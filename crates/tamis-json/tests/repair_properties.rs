//! What holds for every text that is mended.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::format_push_string,
    reason = "tests may fail loudly, and share helpers that each uses a part of"
)]

#[path = "common/gen.rs"]
mod generate;

use generate::{cut, cuts, nearly, printed};
use proptest::prelude::*;
use serde_json::Value;
use tamis_json::{Ending, Partial, Policy, RepairError, RepairGroup, Repaired, Repairer, repair};

/// Reads a text in parts, and looks at it in between, in the way that the number of parts picks.
fn stream(parts: &[&[u8]], policy: &Policy) -> Result<Repaired, RepairError> {
    let shown = match parts.len() % 3 {
        0 => Partial::Settled,
        1 => Partial::Values,
        _ => Partial::TrailingStrings,
    };
    show(parts, policy, shown)
}

fn show(parts: &[&[u8]], policy: &Policy, shown: Partial) -> Result<Repaired, RepairError> {
    let mut repairer = Repairer::new(policy.clone());
    for part in parts {
        repairer.push(part)?;
        repairer.snapshot(shown);
    }
    repairer.finish()
}

fn policies() -> impl Strategy<Value = Policy> {
    (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>()).prop_map(|(a, b, c, cut)| {
        let ending = if cut {
            Ending::Truncated
        } else {
            Ending::Natural
        };
        Policy::none()
            .extraction(a)
            .syntax(b)
            .closing(c)
            .ending(ending)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn valid_json_is_never_changed(text in printed(), policy in policies()) {
        let expected: Value = serde_json::from_str(&text).unwrap();
        let repaired = repair(&text, &policy).unwrap();
        prop_assert_eq!(&repaired.value, &expected);
        prop_assert!(repaired.is_as_sent());
        // Not by the mending machine alone either.
        let mended = stream(&[text.as_bytes()], &policy).unwrap();
        prop_assert_eq!(mended, repaired);
    }

    #[test]
    fn cutting_the_text_changes_nothing(text in nearly(), cuts in cuts(), policy in policies()) {
        let whole = stream(&[text.as_bytes()], &policy);
        let parts = stream(&cut(text.as_bytes(), &cuts), &policy);
        prop_assert_eq!(&parts, &whole);
        let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        prop_assert_eq!(&stream(&bytes, &policy), &whole);
        prop_assert_eq!(&repair(&text, &policy), &whole);
    }

    #[test]
    fn what_was_mended_needs_no_more(text in nearly()) {
        if let Ok(repaired) = repair(&text, &Policy::default()) {
            let printed = repaired.value.to_string();
            let again = repair(&printed, &Policy::default()).unwrap();
            prop_assert!(again.is_as_sent() && again.complete);
            prop_assert_eq!(again.value, repaired.value);
        }
    }

    #[test]
    fn a_group_switched_off_is_not_used(text in nearly(), policy in policies()) {
        let groups = [
            (RepairGroup::Extraction, policy.clone().extraction(true) == policy),
            (RepairGroup::Syntax, policy.clone().syntax(true) == policy),
            (RepairGroup::Closing, policy.clone().closing(true) == policy),
        ];
        if let Ok(repaired) = repair(&text, &policy) {
            for (group, on) in groups {
                prop_assert!(on || repaired.repairs.iter().all(|r| r.kind.group() != group));
            }
        }
    }

    #[test]
    fn repairs_lie_in_the_text(text in nearly()) {
        if let Ok(repaired) = repair(&text, &Policy::default()) {
            for repair in &repaired.repairs {
                prop_assert!(text.get(repair.offset..repair.offset + repair.length).is_some(), "{repair:?}");
            }
        }
    }

    #[test]
    fn a_cut_text_is_never_complete_unless_it_closed_itself(text in printed(), end in any::<prop::sample::Index>()) {
        let end = end.index(text.len() + 1);
        let Some(prefix) = text.get(..end) else { return Ok(()) };
        let policy = Policy::default().ending(Ending::Truncated);
        if let Ok(repaired) = repair(prefix, &policy) {
            prop_assert!(!repaired.complete || serde_json::from_str::<Value>(prefix).is_ok(), "{repaired:?}");
        }
    }

    #[test]
    fn a_prefix_of_json_is_never_given_other_members(text in printed(), end in any::<prop::sample::Index>()) {
        let end = end.index(text.len() + 1);
        let Some(prefix) = text.get(..end) else { return Ok(()) };
        let whole: Value = serde_json::from_str(&text).unwrap();
        if let Ok(repaired) = repair(prefix, &Policy::default()) {
            prop_assert!(is_part(&repaired.value, &whole), "{} of {}", repaired.value, whole);
        }
    }
}

/// A fence in the middle of a bare text cuts it, which only the closing group may mend.
#[test]
fn a_bare_text_that_a_fence_cuts_is_not_closed_where_closing_is_off() {
    let text = "{\"a\": n```ull, \"b\": 2}";
    let policy = Policy::default().closing(false);
    let kinds = repair(text, &policy).map(|repaired| repaired.repairs);
    assert!(kinds.is_err(), "{kinds:?}");
}

/// Texts that a fuzzer found to depend on where they are cut.
#[test]
fn found_by_fuzzing() {
    for text in [
        "#0\u{1a}0F[``...",
        "[\"a\" ...",
        "{\"a\": \"b\" ```",
        "{a: b, ...",
        "[<|im_end|>]",
        "2,4jwn\", ,<think>n.>",
        "[0. x;0. ;\\\"`j`;n-<;``",
        "{\"a\":2,]",
        "[\u{1}-0,081\u{0}0,081",
        "[1,081",
        &format!("[1] ```{}a b", "-".repeat(90)),
    ] {
        let policy = Policy::default();
        let whole = stream(&[text.as_bytes()], &policy);
        for size in 1..text.len() {
            let parts: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
            for shown in [Partial::Settled, Partial::Values, Partial::TrailingStrings] {
                assert_eq!(show(&parts, &policy, shown), whole, "{text} by {size}");
            }
        }
    }
}

/// Whether a value is what is left of another when its text is cut.
fn is_part(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::String(part), Value::String(whole)) => whole.starts_with(part.as_str()),
        (Value::Array(part), Value::Array(whole)) => {
            part.len() <= whole.len() && part.iter().zip(whole).all(|(a, b)| is_part(a, b))
        }
        (Value::Object(part), Value::Object(whole)) => part
            .iter()
            .all(|(key, a)| whole.get(key).is_some_and(|b| is_part(a, b))),
        (Value::Number(_), Value::Number(_)) => true,
        _ => part == whole,
    }
}
