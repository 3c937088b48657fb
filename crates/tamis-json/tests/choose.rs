//! Which of several documents is taken when the caller can tell.

use proptest::prelude::*;
use serde_json::{Value, json};
use tamis_json::{Ending, Policy, RepairKind, choose, documents, repair};

fn wanted(value: &Value) -> bool {
    value["n"].is_number()
}

#[test]
fn the_one_that_conforms_wins() {
    for (text, offset) in [
        (r#"{"a": 1} {"n": 2}"#, 9),
        (r#"{"n": 2} {"a": 1}"#, 0),
        // A fence does not make up for a wrong shape.
        ("{\"n\": 2}\n```json\n{\"a\": 1}\n```", 0),
        // What cannot be mended cannot conform.
        (r#"{"b": } then {"n": 2}"#, 13),
        ("{'n': 2,} and {\"a\": 1}", 0),
    ] {
        let chosen = choose(text, &Policy::default(), wanted).unwrap();
        assert_eq!(chosen.value, json!({"n": 2}), "{text}");
        assert!(chosen.complete, "{text}");
        let found = documents(text, &Policy::default()).unwrap();
        let here = found.iter().find(|found| found.offset == offset).unwrap();
        for repair in &here.repaired.repairs {
            assert!(chosen.repairs.contains(repair), "{text}");
        }
        let prose = chosen
            .repairs
            .iter()
            .filter(|r| r.kind == RepairKind::Prose);
        assert!(prose.count() > 0, "{text}");
    }
}

#[test]
fn several_that_conform_are_ambiguous_unless_they_are_one() {
    let error = choose(r#"{"n": 1} {"a": 0} {"n": 2}"#, &Policy::default(), wanted).unwrap_err();
    assert!(error.is_ambiguous());
    assert_eq!((error.offset(), error.other_offset()), (0, Some(18)));

    let same = choose(r#"{"n": 1} {"a": 0} {"n": 1}"#, &Policy::default(), wanted).unwrap();
    assert_eq!(same.value, json!({"n": 1}));
    assert!(same.repairs.iter().any(|r| r.kind == RepairKind::Duplicate));

    // A fence does not tell among those that conform.
    let fenced = "{\"n\": 1}\n```json\n{\"n\": 2}\n```";
    let error = choose(fenced, &Policy::default(), wanted).unwrap_err();
    assert!(error.is_ambiguous());
    let same = "{\"n\": 2}\n```json\n{\"n\": 2}\n```";
    let same = choose(same, &Policy::default(), wanted).unwrap();
    assert_eq!((same.value, same.complete), (json!({"n": 2}), true));
}

#[test]
fn what_was_cut_might_have_conformed() {
    let cut = Policy::default().ending(Ending::Truncated);
    let error = choose(r#"{"n": 1} {"a": 0, "#, &cut, wanted).unwrap_err();
    assert!(error.is_ambiguous());
}

#[test]
fn what_looked_like_a_remark_may_be_meant() {
    let text = "The primes are [2, 3] as {\"a\": 1} says.";
    let chosen = choose(text, &Policy::default(), Value::is_array).unwrap();
    assert_eq!(chosen.value, json!([2, 3]));
}

#[test]
fn without_one_that_conforms_it_is_as_without_a_choice() {
    for text in [
        "",
        "no",
        "{\"a\": 1}",
        "{\"a\": 1} {\"b\": 2}",
        "{\"a\": } {\"b\": 1}",
        "see [1]: {a: 1}",
    ] {
        let policy = Policy::default();
        assert_eq!(
            choose(text, &policy, wanted),
            repair(text, &policy),
            "{text}"
        );
    }
}

proptest! {
    #[test]
    fn of_many_the_one_is_found(before in 0..20_usize, after in 0..20_usize) {
        let text = format!("{}{{\"n\": 1}}{}", "{\"a\": 1} ".repeat(before), " {\"b\": 1}".repeat(after));
        match choose(&text, &Policy::default(), wanted) {
            Ok(chosen) => prop_assert_eq!(chosen.value, json!({"n": 1})),
            // More than are kept.
            Err(error) => prop_assert!(error.is_ambiguous() && before + after >= 16),
        }
    }

    #[test]
    fn any_text_is_chosen_from_or_refused(text in "[{}\\[\\]\",:na1` \n]{0,40}") {
        let policy = Policy::default();
        let all = choose(&text, &policy, |_| true);
        let none = choose(&text, &policy, |_| false);
        prop_assert_eq!(none, repair(&text, &policy));
        if let Ok(all) = all {
            let found = documents(&text, &policy);
            prop_assert!(found.is_ok() || all.value.is_array());
        }
    }
}
