//! Each kind of mend, and each kind of text that is refused.

use RepairKind as K;
use serde_json::{Value, json};
use tamis_json::{
    Ending, Policy, RepairErrorKind, RepairKind, Repairer, Wanted, documents, repair,
};

/// Texts that are mended to a complete value, with the kinds of repair that it takes, in order.
#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn mended() {
    let rows: &[(&str, Value, &[K])] = &[
        // Extraction.
        ("\u{feff}{\"a\":1}", json!({"a": 1}), &[K::ByteOrderMark]),
        (
            "```json\n{\"a\":1}\n```",
            json!({"a": 1}),
            &[K::Fence, K::Fence],
        ),
        (
            "```JSON5\n[1]\n```\nDone.",
            json!([1]),
            &[K::Fence, K::Fence, K::Prose],
        ),
        (
            "```yaml\n{\"a\":1}\n```",
            json!({"a": 1}),
            &[K::Fence, K::Fence],
        ),
        (
            "~~~\n{\"a\":1}\n~~~",
            json!({"a": 1}),
            &[K::Fence, K::Fence],
        ),
        ("```json\n{\"a\":1}", json!({"a": 1}), &[K::Fence]),
        ("{\"a\":1}\n```", json!({"a": 1}), &[K::Fence]),
        (
            "```json\n{\"c\": \"use ```sh ls``` here\"}\n```",
            json!({"c": "use ```sh ls``` here"}),
            &[K::Fence, K::Fence],
        ),
        (
            "Of course: {\"a\":1} Anything else?",
            json!({"a": 1}),
            &[K::Prose, K::Prose],
        ),
        (
            "The list [1, 2, 3] is it.",
            json!([1, 2, 3]),
            &[K::Prose, K::Prose],
        ),
        (
            "As in [2] and {x}, we get {\"a\":1}.",
            json!({"a": 1}),
            &[K::Prose, K::Prose, K::Prose, K::Prose],
        ),
        (
            "```bash\nls {a,b}\n```\n{\"a\":1}",
            json!({"a": 1}),
            &[K::Fence, K::Prose, K::Fence],
        ),
        (
            "For example {\"a\":0}\n```json\n{\"a\":1}\n```",
            json!({"a": 1}),
            &[K::Prose, K::Prose, K::Fence, K::Fence],
        ),
        (
            "<think>maybe {\"a\":0}?</think>{\"a\":1}",
            json!({"a": 1}),
            &[K::Thinking],
        ),
        (
            "maybe {\"a\":0}?</think>\n{\"a\":1}",
            json!({"a": 1}),
            &[K::Prose, K::Prose, K::Thinking],
        ),
        ("{\"a\":1}<|im_end|>", json!({"a": 1}), &[K::SpecialToken]),
        (
            "<|begin|>{\"a\":1}</s>",
            json!({"a": 1}),
            &[K::SpecialToken, K::SpecialToken],
        ),
        ("{\"a\":1}\n{\"a\":1}", json!({"a": 1}), &[K::Duplicate]),
        // Commas and colons.
        (
            "[1 2 3]",
            json!([1, 2, 3]),
            &[K::MissingComma, K::MissingComma],
        ),
        ("[\"a\"\n\"b\"]", json!(["a", "b"]), &[K::MissingComma]),
        ("[{}{}]", json!([{}, {}]), &[K::MissingComma]),
        (
            "{\"n\":1\"ok\":true\"m\":null}",
            json!({"n": 1, "ok": true, "m": null}),
            &[K::MissingComma, K::MissingComma],
        ),
        (
            "[{\"n\":1\"n\":2}]",
            json!([{"n": 1}, {"n": 2}]),
            &[K::MissingComma, K::MissingBracket],
        ),
        (
            "{\"a\": 1 \"b\": 2}",
            json!({"a": 1, "b": 2}),
            &[K::MissingComma],
        ),
        (
            "{\"a\": \"x\" \"b\": \"y\"}",
            json!({"a": "x", "b": "y"}),
            &[K::MissingComma],
        ),
        (
            "{\"a\": {}\n\"b\": 2}",
            json!({"a": {}, "b": 2}),
            &[K::MissingComma],
        ),
        (
            "{\"a\": \"x.\"\"b\": \"y\"}",
            json!({"a": "x.", "b": "y"}),
            &[K::MissingComma],
        ),
        (
            "{\"a\": 2,]",
            json!({"a": 2}),
            &[K::ExtraComma, K::StrayBracket, K::ClosedBracket],
        ),
        (
            "{\"a\": 1; \"b\": 2}",
            json!({"a": 1, "b": 2}),
            &[K::MissingComma],
        ),
        ("[1,,2]", json!([1, 2]), &[K::ExtraComma]),
        ("[,1]", json!([1]), &[K::ExtraComma]),
        ("[1,]", json!([1]), &[K::ExtraComma]),
        (
            "{\"a\": 1,, \"b\": 2,}",
            json!({"a": 1, "b": 2}),
            &[K::ExtraComma, K::ExtraComma],
        ),
        (
            "{\"a\" 1, \"b\" \"x\", \"c\" null}",
            json!({"a": 1, "b": "x", "c": null}),
            &[K::MissingColon, K::MissingColon, K::MissingColon],
        ),
        (
            "{\"a\" => 1, \"b\" = 2}",
            json!({"a": 1, "b": 2}),
            &[K::MissingColon, K::MissingColon],
        ),
        ("{\"a\":: 1}", json!({"a": 1}), &[K::ExtraColon]),
        // Quotation marks.
        (
            "{'a': 'it''s', 'b': 'don't'}",
            json!({"a": "it''s", "b": "don't"}),
            &[
                K::WrongQuote,
                K::WrongQuote,
                K::UnescapedQuote,
                K::UnescapedQuote,
                K::WrongQuote,
                K::WrongQuote,
                K::UnescapedQuote,
            ],
        ),
        (
            "{“a”: ‘b’, `c`: “d\"}",
            json!({"a": "b", "c": "d"}),
            &[K::WrongQuote, K::WrongQuote, K::WrongQuote, K::WrongQuote],
        ),
        (
            "{\"a\": \"\"\"two \"words\" here\"\"\"}",
            json!({"a": "two \"words\" here"}),
            &[K::WrongQuote],
        ),
        (
            "{\\\"a\\\": \\\"x \\\\\\\"y\\\\\\\" z\\\"}",
            json!({"a": "x \"y\" z"}),
            &[K::WrongQuote, K::WrongQuote],
        ),
        (
            "{a: 1, b-c: 2, $d: 3}",
            json!({"a": 1, "b-c": 2, "$d": 3}),
            &[K::UnquotedKey, K::UnquotedKey, K::UnquotedKey],
        ),
        (
            "{\"a\": hello world, \"b\": 5 kg}",
            json!({"a": "hello world", "b": "5 kg"}),
            &[K::UnquotedText, K::UnquotedText],
        ),
        (
            "[red, green]",
            json!(["red", "green"]),
            &[K::UnquotedText, K::UnquotedText],
        ),
        (
            "{\"u\": https://x.org/a?b=c, \"d\": 2024-01-02}",
            json!({"u": "https://x.org/a?b=c", "d": "2024-01-02"}),
            &[K::UnquotedText, K::UnquotedText],
        ),
        (
            "{\"a\": one, two and three, \"b\": 1}",
            json!({"a": "one, two and three", "b": 1}),
            &[K::UnquotedText],
        ),
        (
            "{\"a\": The end, at last.\", \"b\": 1}",
            json!({"a": "The end, at last.", "b": 1}),
            &[K::MissingQuote],
        ),
        ("{a\": 1}", json!({"a": 1}), &[K::MissingQuote]),
        (
            "{\"a\": \"x,\n\"b\": 1}",
            json!({"a": "x", "b": 1}),
            &[K::MissingQuote],
        ),
        (
            "[{\"t\": \"10:00\"}, {\"t\": \"10:30}]",
            json!([{"t": "10:00"}, {"t": "10:30"}]),
            &[K::MissingQuote],
        ),
        (
            "{\"a\": \"say \"hi\" now\"}",
            json!({"a": "say \"hi\" now"}),
            &[K::UnescapedQuote, K::UnescapedQuote],
        ),
        (
            "{\"a\": \"say \"hi\", now\", \"b\": 1}",
            json!({"a": "say \"hi\", now", "b": 1}),
            &[K::UnescapedQuote, K::UnescapedQuote],
        ),
        (
            "{\"a\": \"an object {\"b\": 1} in it\"}",
            json!({"a": "an object {\"b\": 1} in it"}),
            &[K::UnescapedQuote, K::UnescapedQuote],
        ),
        (
            "[\"a 24\" wheel\", \"x\"]",
            json!(["a 24\" wheel", "x"]),
            &[K::UnescapedQuote],
        ),
        // Inside strings.
        (
            "{\"a\": \"one\ntwo\tthree\"}",
            json!({"a": "one\ntwo\tthree"}),
            &[K::ControlCharacter, K::ControlCharacter],
        ),
        (
            "{\"a\": \"it\\'s \\d+ C:\\Docs\"}",
            json!({"a": "it's \\d+ C:\\Docs"}),
            &[K::BadEscape, K::BadEscape, K::BadEscape],
        ),
        (
            "{\"a\": \"\\u12 x\", \"b\": \"\\uD83D\\uDE00\", }",
            json!({"a": "\\u12 x", "b": "😀"}),
            &[K::BadEscape, K::ExtraComma],
        ),
        (
            "{\"a\": \"one \" + \"two\"}",
            json!({"a": "one two"}),
            &[K::Concatenation],
        ),
        // Between tokens.
        (
            "{\"a\": 1, // one\n # two\n /* three */ \"b\": 2}",
            json!({"a": 1, "b": 2}),
            &[K::Comment, K::Comment, K::Comment],
        ),
        (
            "/* head */ {\"a\": 1} // tail",
            json!({"a": 1}),
            &[K::Comment, K::Prose],
        ),
        ("[1, 2, ..., 9]", json!([1, 2, 9]), &[K::Ellipsis]),
        ("{\"a\": 1, … }", json!({"a": 1}), &[K::Ellipsis]),
        (
            "{\"a\":\u{a0}1,\u{200b}\"b\":\u{3000}2}",
            json!({"a": 1, "b": 2}),
            &[K::WrongSpace, K::WrongSpace, K::WrongSpace],
        ),
        (
            "{\\n  \"a\": 1\\n}",
            json!({"a": 1}),
            &[K::WrongSpace, K::WrongSpace],
        ),
        ("{\"a\": 1\u{0}}", json!({"a": 1}), &[K::ControlCharacter]),
        // Literals and numbers.
        (
            "[True, FALSE, None, nil, undefined]",
            json!([true, false, null, null, null]),
            &[K::Literal, K::Literal, K::Literal, K::Literal, K::Literal],
        ),
        (
            "[NaN, -Infinity, inf]",
            json!([null, null, null]),
            &[K::NotANumber, K::NotANumber, K::NotANumber],
        ),
        (
            "[+1, 007, .5, 5., 1_000, 0x10]",
            json!([1, 7, 0.5, 5, 1000, 16]),
            &[
                K::NumberSpelling,
                K::NumberSpelling,
                K::NumberSpelling,
                K::NumberSpelling,
                K::NumberSpelling,
                K::NumberSpelling,
            ],
        ),
        (
            "{\"a\": 1,234.5, \"b\": 2}",
            json!({"a": 1234.5, "b": 2}),
            &[K::NumberSpelling],
        ),
        (
            "{\"a\": 1/3, \"b\": 1.2.3}",
            json!({"a": "1/3", "b": "1.2.3"}),
            &[K::UnquotedText, K::UnquotedText],
        ),
        // Brackets.
        ("{\"a\": 1}}]", json!({"a": 1}), &[K::StrayBracket]),
        (
            "{{\"a\": 1}}",
            json!({"a": 1}),
            &[K::StrayBracket, K::StrayBracket],
        ),
        (
            "{\"a\": 1}, \"b\": 2}",
            json!({"a": 1, "b": 2}),
            &[K::StrayBracket],
        ),
        (
            "{\"a\": {\"b\": 1], \"c\": 2}",
            json!({"a": {"b": 1}, "c": 2}),
            &[K::WrongBracket],
        ),
        (
            "{\"a\": (1, 2), \"b\": (3)}",
            json!({"a": [1, 2], "b": 3}),
            &[K::WrongBracket, K::WrongBracket],
        ),
        ("{\"a\": [1, 2}", json!({"a": [1, 2]}), &[K::MissingBracket]),
        (
            "{\"a\": [\"x\", \"b\": 1}",
            json!({"a": ["x"], "b": 1}),
            &[K::MissingBracket],
        ),
        (
            "[{\"a\": 1, {\"a\": 2}]",
            json!([{"a": 1}, {"a": 2}]),
            &[K::MissingBracket],
        ),
        (
            "[{\"a\": 1 \"a\": 2}]",
            json!([{"a": 1}, {"a": 2}]),
            &[K::MissingComma, K::MissingBracket],
        ),
        (
            "{\"a\": 1}, {\"a\": 2}",
            json!([{"a": 1}, {"a": 2}]),
            &[K::MissingBracket, K::MissingBracket],
        ),
        (
            "\"a\", \"b\"",
            json!(["a", "b"]),
            &[K::MissingBracket, K::MissingBracket],
        ),
        (
            "{\"id\": ObjectId(\"ab\"), \"at\": new Date(5)}",
            json!({"id": "ab", "at": 5}),
            &[K::Call, K::Call],
        ),
        (
            "{\"city\": new york(ny)}",
            json!({"city": "new york(ny)"}),
            &[K::UnquotedText],
        ),
        (
            "callback({\"a\": 1});",
            json!({"a": 1}),
            &[K::Prose, K::Prose],
        ),
        // The end.
        (
            "{\"a\": [1, {\"b\": true",
            json!({"a": [1, {"b": true}]}),
            &[K::ClosedBracket, K::ClosedBracket, K::ClosedBracket],
        ),
        ("True", json!(true), &[K::Literal]),
        ("None\n", json!(null), &[K::Literal]),
        (
            "◁think▷ {\"b\": 1} ◁/think▷ {\"a\": 1}",
            json!({"a": 1}),
            &[K::Thinking],
        ),
        (
            "```json\n{\"a\": [1\n```",
            json!({"a": [1]}),
            &[K::Fence, K::ClosedBracket, K::ClosedBracket, K::Fence],
        ),
    ];
    let mut failures = Vec::new();
    for (text, value, kinds) in rows {
        match repair(text, &Policy::default()) {
            Ok(got) => {
                let got_kinds: Vec<K> = got.repairs.iter().map(|r| r.kind).collect();
                if got.value != *value || got_kinds != *kinds || !got.complete {
                    failures.push(format!(
                        "{text}\n  {} {got_kinds:?} {}",
                        got.value, got.complete
                    ));
                }
            }
            Err(error) => failures.push(format!("{text}\n  {error}")),
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {}\n{}",
        failures.len(),
        rows.len(),
        failures.join("\n")
    );
}

/// Texts that were cut: what is left of them is shown, and never counts as complete.
#[test]
fn cut() {
    for (text, value) in [
        ("{\"a\": 1, \"b\": \"x y", json!({"a": 1, "b": "x y"})),
        ("{\"a\": 1, \"b", json!({"a": 1})),
        ("{\"a\": 1, \"b\"", json!({"a": 1})),
        ("{\"a\": 1, \"b\":", json!({"a": 1})),
        ("{\"a\": 1,", json!({"a": 1})),
        ("{\"a\": 1, \"b\": tru", json!({"a": 1})),
        ("{\"a\": 1, \"b\": -", json!({"a": 1})),
        ("{\"a\": 1, \"b\": 2.", json!({"a": 1})),
        ("{\"a\": 1, \"b\": 2e", json!({"a": 1})),
        ("{\"a\": \"x\\", json!({"a": "x"})),
        ("{\"a\": \"x\\u00", json!({"a": "x"})),
        ("{\"a\": \"x\\ud83d", json!({"a": "x"})),
        ("{\"a\": [1, [", json!({"a": [1, []]})),
        ("{\"a\": some text", json!({"a": "some text"})),
        ("```json\n{\"a\": \"x", json!({"a": "x"})),
        ("Here: {\"a\": [\"x\", ", json!({"a": ["x"]})),
    ] {
        let got = repair(text, &Policy::default());
        let got = got.unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(got.value, value, "{text}");
        assert!(!got.complete, "{text}");
        assert!(
            repair(text, &Policy::default().closing(false)).is_err(),
            "{text}"
        );
    }
}

#[test]
fn what_was_truncated_is_complete_only_where_it_closed_itself() {
    let policy = Policy::default().ending(Ending::Truncated);
    for (text, complete) in [
        ("{\"a\": [1, 2]", false),
        ("{\"a\": 1", false),
        ("[{\"t\": \"10:30}]", false),
        ("12", false),
        ("{\"a\": 1}", true),
        ("{\"a\": 1,}\nAnd now I", true),
        ("\"text\"", true),
    ] {
        assert_eq!(
            repair(text, &policy).map(|got| got.complete),
            Ok(complete),
            "{text}"
        );
    }
}

/// Texts that are refused, and why.
#[test]
fn refused() {
    use RepairErrorKind as E;
    for (text, kind) in [
        ("", E::NoJson),
        ("   ", E::NoJson),
        ("I cannot help with that.", E::NoJson),
        ("42 is the answer", E::NoJson),
        ("true enough", E::NoJson),
        ("the rest [", E::NoJson),
        ("<think>{\"a\": 1}", E::NoJson),
        ("foo", E::NoJson),
        ("{\"a\": }", E::MissingValue),
        ("{\"a\": , \"b\": 1}", E::MissingValue),
        ("{\"a\", \"b\": 1}", E::MissingValue),
        ("{\"a\": 1, \"b\"}", E::MissingValue),
        ("{\"a\": 1, b}", E::MissingValue),
        ("{\"a\": ...}", E::MissingValue),
        ("{\"a\": 1}\n{\"a\": 2}", E::Ambiguous),
        ("{\"a\": 1} {\"b\": 2} {\"a\": 1}", E::Ambiguous),
        ("{}[]", E::Ambiguous),
        ("First {\"a\": 1}, or rather {\"a\": 2}.", E::Ambiguous),
        (
            "```json\n{\"a\": 1}\n```\nor\n```json\n{\"a\": 2}\n```",
            E::Ambiguous,
        ),
        ("{\"a\": 1} {\"b\": }", E::Ambiguous),
        ("[\"a\": 1]", E::Syntax),
        ("{\"a\": 1, : 2}", E::Syntax),
    ] {
        let got = repair(text, &Policy::default());
        assert_eq!(
            got.as_ref().map_err(tamis_json::RepairError::kind),
            Err(kind),
            "{text}: {got:?}"
        );
    }
    let error = repair("x {\"a\": 1}\n{\"a\": 2}", &Policy::default()).unwrap_err();
    assert_eq!((error.offset(), error.other_offset()), (2, Some(11)));
    assert_eq!(
        repair("{:2}", &Policy::default()).map_err(|e| e.is_no_json()),
        Err(true)
    );
    let deep = repair(&"[".repeat(100_000), &Policy::default()).unwrap_err();
    assert!(deep.is_limit());
}

#[test]
fn a_document_in_a_string_is_taken_out_when_it_is_wanted() {
    let text = r#""{\"a\": [1, 2]}""#;
    assert_eq!(
        repair(text, &Policy::default()).unwrap().value,
        json!("{\"a\": [1, 2]}")
    );
    let got = repair(text, &Policy::default().wanting(Wanted::Object)).unwrap();
    assert_eq!(
        (got.value, got.repairs[0].kind),
        (json!({"a": [1, 2]}), K::Unwrapped)
    );
    let got = repair(
        r#""{a: [1, 2]}""#,
        &Policy::default().wanting(Wanted::Object),
    )
    .unwrap();
    assert_eq!((got.value, got.repairs.len()), (json!({"a": [1, 2]}), 2));
    // A string stays one where it holds something else.
    let got = repair(r#""text""#, &Policy::default().wanting(Wanted::Object)).unwrap();
    assert_eq!(got.value, json!("text"));
}

#[test]
fn several_documents_can_be_had_one_by_one() {
    let found = documents("{\"a\": 1} and {b: 2}", &Policy::default()).unwrap();
    let found: Vec<_> = found
        .into_iter()
        .map(|f| (f.offset, f.length, f.repaired.value))
        .collect();
    assert_eq!(found, [(0, 8, json!({"a": 1})), (13, 6, json!({"b": 2}))]);
}

#[test]
fn big_numbers_and_odd_escapes_are_noted_where_they_are() {
    let text = "{id: 123456789012345678901234, 'n': 1e999, \"s\": \"\\udead\", \"n\": 1}";
    let got = repair(text, &Policy::default()).unwrap();
    assert_eq!(
        got.value.to_string(),
        r#"{"id":"123456789012345678901234","n":1,"s":"�"}"#
    );
    let notes: Vec<_> = got
        .notes
        .iter()
        .map(|n| n.pointer.as_ref().unwrap().to_string())
        .collect();
    assert_eq!(notes, ["/id", "/n", "/s", "/n"]);
}

#[test]
fn every_kind_has_its_own_name_and_sentence() {
    let names: std::collections::BTreeSet<_> = K::ALL.iter().map(|kind| kind.name()).collect();
    let sentences: std::collections::BTreeSet<_> =
        K::ALL.iter().map(|kind| kind.message()).collect();
    assert_eq!((names.len(), sentences.len()), (K::ALL.len(), K::ALL.len()));
    let got = repair("{a: 1}", &Policy::default()).unwrap();
    assert_eq!(
        serde_json::to_value(&got.repairs).unwrap(),
        json!([{"kind": "unquoted_key", "offset": 1, "length": 1, "message": K::UnquotedKey.message()}])
    );
}

#[test]
fn while_it_arrives() {
    let mut repairer = Repairer::new(Policy::default());
    repairer
        .push("Sure:\n```json\n{name: 'Ada', tags: [1, ".as_bytes())
        .unwrap();
    let shown = repairer.snapshot(tamis_json::Partial::Values).cloned();
    assert_eq!(shown, Some(json!({"name": "Ada", "tags": [1]})));
    assert!(repairer.is_complete(&"/name".parse().unwrap()));
    assert!(!repairer.is_complete(&"/tags".parse().unwrap()));
    repairer.push("2]}\n``` Done.".as_bytes()).unwrap();
    assert!(repairer.is_complete(&"/tags".parse().unwrap()));
    assert!(repairer.finish().unwrap().complete);
}

/// The second copy may have been going to say more.
#[test]
fn a_copy_that_was_cut_makes_no_answer() {
    let cut = Policy::default().ending(Ending::Truncated);
    assert!(!repair("{\"n\":1}\n{\"n\":1", &cut).unwrap().complete);
    assert!(repair("{\"n\":1}\n{\"n\":1}", &cut).unwrap().complete);
}
