//! Texts where a careless mend gives a wrong value and calls it complete.

use serde_json::{Value, json};
use tamis_json::{Ending, Policy, RepairErrorKind, RepairKind, repair};

/// What must come of a text.
enum Want {
    Complete(Value),
    Part(Value),
    Refused,
}

use Want::{Complete, Part, Refused};

fn check(ending: Ending, rows: &[(&str, Want)]) {
    let policy = Policy::default().ending(ending);
    let mut failures = Vec::new();
    for (text, want) in rows {
        let got = repair(text, &policy);
        let as_wanted = match (want, &got) {
            (Complete(value), Ok(got)) => got.complete && got.value == *value,
            (Part(value), Ok(got)) => !got.complete && got.value == *value,
            (Refused, Err(_)) => true,
            _ => false,
        };
        if !as_wanted {
            let got = got.map(|got| (got.value.to_string(), got.complete));
            failures.push(format!("{text}\n  {got:?}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Another document was only just begun: the one before it may have been a draft.
#[test]
fn a_document_that_was_begun_leaves_the_one_before_in_doubt() {
    for ending in [Ending::Natural, Ending::Truncated] {
        let draft = || Part(json!({"a": 0}));
        check(
            ending,
            &[
                ("{\"a\":0}\nActually: {\"a\":", draft()),
                ("{\"a\":0}\nActually: {\"a\"", draft()),
                ("{\"a\":0}\nActually: {\"", draft()),
                ("{\"a\":0}\nActually: {", draft()),
                ("{\"a\":0}\nActually: [", draft()),
                ("{\"a\":0}\nfinal:\n```json\n", draft()),
                ("draft: {\"a\":0}\nfinal:\n```js", draft()),
                ("draft: {\"a\":0}\nfinal:\n```", draft()),
                ("{\"a\":0}<think>No, that is", draft()),
                ("```json\n{\"a\":0}\n```\n```json\n", draft()),
            ],
        );
    }
    check(
        Ending::Natural,
        &[
            ("{\"a\":0}\n```", Complete(json!({"a": 0}))),
            (
                "```json\n{\"a\":0}\n```\nUse { with care",
                Complete(json!({"a": 0})),
            ),
            ("A { and {\"a\":0}", Complete(json!({"a": 0}))),
        ],
    );
}

#[test]
fn a_word_cut_before_a_fence_or_a_token_is_no_text() {
    check(
        Ending::Natural,
        &[
            ("{\"a\": tru\n```", Part(json!({}))),
            ("```json\n{\"a\": tru\n```", Part(json!({}))),
            ("{\"a\": nul<|im_end|>", Part(json!({}))),
            ("{\"a\": som<|im_end|>", Part(json!({"a": "som"}))),
            ("{\"a\": [1, tru\n```", Part(json!({"a": [1]}))),
            ("[1, som\n", Part(json!([1, "som"]))),
            ("{\"a\": true\n```", Complete(json!({"a": true}))),
        ],
    );
}

#[test]
fn brackets_that_a_string_opened_are_its_own() {
    check(
        Ending::Natural,
        &[
            (
                r#"{"code":"if (x) { y }"#,
                Part(json!({"code": "if (x) { y }"})),
            ),
            (
                r#"{"code":"if (x) { y }}"#,
                Complete(json!({"code": "if (x) { y }"})),
            ),
            (
                r#"{"a":{"code":"fn f() {}}"#,
                Part(json!({"a": {"code": "fn f() {}}"}})),
            ),
            (r#"["see [1]"#, Part(json!(["see [1]"]))),
            (
                r#"{"n":"He said "no""#,
                Part(json!({"n": "He said \"no\""})),
            ),
            (r#"["He said "no""#, Part(json!(["He said \"no\""]))),
        ],
    );
}

#[test]
fn what_a_comma_promised_was_cut() {
    check(
        Ending::Truncated,
        &[
            (r#"{"a":1},"#, Part(json!({"a": 1}))),
            (r#"{"a":1}, {"b":2},"#, Part(json!([{"a": 1}, {"b": 2}]))),
            (
                "{\"a\":1}, {\"b\":2}\nand",
                Part(json!([{"a": 1}, {"b": 2}])),
            ),
        ],
    );
    check(
        Ending::Natural,
        &[(r#"{"a":1},"#, Complete(json!({"a": 1})))],
    );
}

#[test]
fn what_a_copy_lacks_is_on_record() {
    let got = repair("{\"n\":1}\n{\"n\":1", &Policy::default()).unwrap();
    let kinds: Vec<_> = got.repairs.iter().map(|r| r.kind).collect();
    assert_eq!(kinds, [RepairKind::Duplicate, RepairKind::ClosedBracket]);
}

#[test]
fn a_begun_document_alone_is_none() {
    let got = repair("the rest [", &Policy::default());
    assert_eq!(
        got.map_err(|error| error.kind()),
        Err(RepairErrorKind::NoJson)
    );
}

/// Between two members or items something stands where a comma should: two, or none.
#[test]
fn no_member_is_swallowed() {
    let both = || Complete(json!({"a": 1, "b": 2}));
    check(
        Ending::Natural,
        &[
            (r#"[1"a"2]"#, Complete(json!([1, "a", 2]))),
            (r#"[1"a"2,"b"]"#, Complete(json!([1, "a", 2, "b"]))),
            (r#"["6"4", 1]"#, Complete(json!(["6\"4", 1]))),
            (r#"{"a":x"b":2}"#, Complete(json!({"a": "x", "b": 2}))),
            (r#"{"a":1"b":2}"#, both()),
            (r#"{"a": 1 b: 2}"#, both()),
            (r#"{"a":1:"b":2}"#, Refused),
            (r#"{"a":1 : "b":2}"#, Refused),
            (r#"{"a":1/"b":2}"#, Refused),
            (r#"{"a":1|"b":2}"#, Refused),
            (r#"{"a":1|"b"}"#, Refused),
            (r#"[1|"b"]"#, Refused),
            (r#"{"a":"x"|"b":2}"#, Refused),
            (r#"{"a":"x" "b" "y"}"#, Refused),
            (r#"{"a":"x" b "y"}"#, Refused),
            (r#"{"a":"x", b "y"}"#, Refused),
            (r#"{"a":"x" 2}"#, Refused),
            (r#"{"a": x b: y}"#, Refused),
            (r#"{"a": x b:y}"#, Refused),
            (r#"{"a": x "b"}"#, Refused),
            (r#"{"a": at 10:30}"#, Complete(json!({"a": "at 10:30"}))),
            (
                r#"{"a": see http://x.org, "b": 1}"#,
                Complete(json!({"a": "see http://x.org", "b": 1})),
            ),
            ("{\"a\":1}\n\"b\": 2}", both()),
            ("{\"a\":1}\n\"Note\" is this", Complete(json!({"a": 1}))),
        ],
    );
}

#[test]
fn an_item_without_its_bracket_stays_an_item() {
    let items = || json!([{"id": 1}, {"id": 2}]);
    check(
        Ending::Natural,
        &[
            (
                r#"{"items":[{"id":1},"id":2}]}"#,
                Complete(json!({"items": items()})),
            ),
            (r#"[{"id":1},"id":2}]"#, Complete(items())),
            (r#"{"items":[{"id":1},"x":2}]}"#, Refused),
            (r#"{"a":["x","b":2}"#, Complete(json!({"a": ["x"], "b": 2}))),
        ],
    );
}

#[test]
fn prefixes_of_other_languages_are_no_text() {
    check(
        Ending::Natural,
        &[
            (
                r#"{"a": u'x', "b": b"y", "c": f''}"#,
                Complete(json!({"a": "x", "b": "y", "c": ""})),
            ),
            (
                r#"[r'\d', @"C:\new", Rb"\\"]"#,
                Complete(json!(["\\d", "C:\\new", "\\\\"])),
            ),
            (r#"{"a": f"b": 2}"#, Complete(json!({"a": "f", "b": 2}))),
        ],
    );
}

/// Separators of thousands look like items.
#[test]
fn groups_of_digits_are_not_taken_for_items() {
    check(
        Ending::Natural,
        &[
            ("[1,000,2,500]", Refused),
            ("[1, 007]", Complete(json!([1, 7]))),
            (r#"{"a": 1,000}"#, Complete(json!({"a": 1000}))),
        ],
    );
}

#[test]
fn quotation_marks_of_keys_are_not_taken_for_text() {
    check(
        Ending::Natural,
        &[
            (r#"{"a': 1, "b": 2}"#, Refused),
            (
                r#"{""a"": 1, ""b"": "x"}"#,
                Complete(json!({"a": 1, "b": "x"})),
            ),
            (
                r#"{"the "a" key": 1}"#,
                Complete(json!({"the \"a\" key": 1})),
            ),
        ],
    );
}

/// A number that no JSON number type holds is text, with a note, in whatever spelling it came.
#[test]
fn long_numbers_in_other_spellings_are_noted() {
    for (text, value) in [
        ("[+123456789012345678901]", json!(["123456789012345678901"])),
        (
            "[123_456_789_012_345_678_901]",
            json!(["123456789012345678901"]),
        ),
        (
            "[0x1234567890123456789012]",
            json!(["0x1234567890123456789012"]),
        ),
    ] {
        let repaired = repair(text, &Policy::default()).unwrap();
        assert_eq!((repaired.value, repaired.notes.len()), (value, 1), "{text}");
        assert_eq!(repaired.repairs.len(), 1);
    }
}

#[test]
fn labels_and_thinking_are_no_documents() {
    let one = || Complete(json!({"a": 1}));
    check(
        Ending::Natural,
        &[
            (r#"[note] {"a":1}"#, one()),
            (r#"[OK] done: {"a":1}"#, one()),
            (r#"[INST]x[/INST]{"a":1}"#, one()),
            (
                r#"[TOOL_CALLS][{"name":"f"}]"#,
                Complete(json!([{"name": "f"}])),
            ),
            ("[TOOL", Part(json!(["TOOL"]))),
            (r#"<THINK>hm {"b":2}</Think>{"a":1}"#, one()),
            // Alone it may be what was meant.
            ("[note]", Complete(json!(["note"]))),
        ],
    );
}

#[test]
fn a_run_of_brackets_is_one_repair() {
    let text = format!("{{\"a\": 1}}{}", "}".repeat(10_000));
    let repaired = repair(&text, &Policy::default()).unwrap();
    assert!(repaired.repairs.len() < 10, "{}", repaired.repairs.len());
}

/// One sign was lost, doubled or moved, and what is left can be read as something smaller.
#[test]
fn what_a_bracket_cut_off_is_not_left_out_as_prose() {
    let part = |value: Value| Part(value);
    check(
        Ending::Natural,
        &[
            ("{}id\":6}", part(json!({}))),
            ("{\n  }id\": 6\n}", part(json!({}))),
            ("{\"id\":3,}a\":\"\"}", part(json!({"id": 3}))),
            ("[56]\"\"]", part(json!([56]))),
            ("[\n  96]\n  95\n]", part(json!([96]))),
            ("[58}52]", part(json!([58]))),
            ("\"id\":{}", part(json!({}))),
            ("\"id\": [1]}", part(json!([1]))),
            // The opening bracket is lost, or an item's.
            ("2]", part(json!(2))),
            ("\"[\"]", part(json!("["))),
            ("[44,}]", part(json!([44]))),
            ("{\"id\":{,\"a\":[]}", part(json!({"id": {"a": []}}))),
            ("{\n  [id\": 4\n}", part(json!(["id\": 4"]))),
            (
                "\"id\":\n```json\n{\"a\":1}\n```",
                Complete(json!({"a": 1})),
            ),
            ("The \"id\": {\"a\":1}", Complete(json!({"a": 1}))),
            // Words after a document are words.
            ("{\"a\":1}Human: thanks", Complete(json!({"a": 1}))),
            ("{\"a\":1} is what {b} gives", Complete(json!({"a": 1}))),
            ("{\"a\":1}\nSee [1] for more.", Complete(json!({"a": 1}))),
            ("{\"a\":1};", Complete(json!({"a": 1}))),
            ("print({\"a\":1})", Complete(json!({"a": 1}))),
        ],
    );
}
