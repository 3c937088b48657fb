//! Tool calls in each of the ways in which servers take them apart.
#![expect(
    clippy::unwrap_used,
    clippy::needless_pass_by_value,
    reason = "a test may fail loudly, and its tables read better with values"
)]

#[expect(unreachable_pub, reason = "shared by several test files")]
mod support;

use serde_json::{Value, json};
use support::{delta, end, fold, fold_bytes};
use tamis_wire::{Completion, FailureKind, FinishReason, FoldNote, Outcome};

/// Folds fragments, one to a chunk, and gives id, name and arguments of each call.
fn calls(fragments: &[Value]) -> Vec<(String, String, String)> {
    let mut chunks: Vec<Value> = fragments
        .iter()
        .map(|fragment| delta(json!({"tool_calls": [fragment]})))
        .collect();
    chunks.push(end("tool_calls"));
    listed(&fold(&chunks).unwrap())
}

fn listed(completion: &Completion) -> Vec<(String, String, String)> {
    let calls = &completion.message().unwrap().tool_calls;
    calls
        .iter()
        .map(|call| {
            (
                call.id.clone().unwrap_or_default(),
                call.function.name.clone(),
                call.function.arguments.text().to_owned(),
            )
        })
        .collect()
}

fn expect(name: &str, fragments: &[Value], expected: &[(&str, &str, &str)]) {
    let calls = calls(fragments);
    let calls: Vec<_> = calls
        .iter()
        .map(|(id, name, arguments)| (id.as_str(), name.as_str(), arguments.as_str()))
        .collect();
    assert_eq!(calls, expected, "{name}");
}

fn first(index: Value, id: Value, name: Value, arguments: Value) -> Value {
    json!({"index": index, "id": id, "type": "function",
           "function": {"name": name, "arguments": arguments}})
}

fn more(index: Value, arguments: &str) -> Value {
    json!({"index": index, "function": {"arguments": arguments}})
}

const NULL: Value = Value::Null;

#[test]
fn as_documented() {
    expect(
        "two calls, each in three fragments",
        &[
            first(json!(0), json!("k1"), json!("lamp"), json!("")),
            more(json!(0), r#"{"on""#),
            more(json!(0), ":true}"),
            first(json!(1), json!("k2"), json!("door"), json!("")),
            more(json!(1), r#"{"n":"#),
            more(json!(1), "7}"),
        ],
        &[
            ("k1", "lamp", r#"{"on":true}"#),
            ("k2", "door", r#"{"n":7}"#),
        ],
    );
    expect(
        "fragments of two calls between each other",
        &[
            first(json!(0), json!("k1"), json!("lamp"), json!("")),
            first(json!(1), json!("k2"), json!("door"), json!("")),
            more(json!(1), r#"{"n":"#),
            more(json!(0), r#"{"on":"#),
            more(json!(1), "7}"),
            more(json!(0), "true}"),
        ],
        &[
            ("k1", "lamp", r#"{"on":true}"#),
            ("k2", "door", r#"{"n":7}"#),
        ],
    );
}

#[test]
fn the_index_is_missing() {
    for missing in [NULL, json!("x"), json!([]), json!(-1)] {
        expect(
            "an id opens a call, arguments alone continue the last one",
            &[
                first(
                    missing.clone(),
                    json!("k1"),
                    json!("lamp"),
                    json!(r#"{"on":"#),
                ),
                more(missing.clone(), "true}"),
                first(
                    missing.clone(),
                    json!("k2"),
                    json!("door"),
                    json!(r#"{"n":7}"#),
                ),
            ],
            &[
                ("k1", "lamp", r#"{"on":true}"#),
                ("k2", "door", r#"{"n":7}"#),
            ],
        );
        expect(
            "without ids a name opens a call where the last one is whole",
            &[
                first(missing.clone(), NULL, json!("lamp"), json!(r#"{"on":"#)),
                more(missing.clone(), "true}"),
                first(missing.clone(), NULL, json!("door"), json!(r#"{"n":7}"#)),
            ],
            &[("", "lamp", r#"{"on":true}"#), ("", "door", r#"{"n":7}"#)],
        );
    }
    expect(
        "some have an index and some do not",
        &[
            first(
                json!(0),
                json!("k1"),
                json!("lamp"),
                json!(r#"{"on":true}"#),
            ),
            first(NULL, json!("k2"), json!("door"), json!(r#"{"n":7}"#)),
        ],
        &[
            ("k1", "lamp", r#"{"on":true}"#),
            ("k2", "door", r#"{"n":7}"#),
        ],
    );
    expect(
        "the index as text",
        &[
            first(json!("0"), json!("k1"), json!("lamp"), json!("{")),
            more(json!(0), "}"),
        ],
        &[("k1", "lamp", "{}")],
    );
}

#[test]
fn two_calls_in_one_delta() {
    let chunks = [
        delta(json!({"tool_calls": [
            {"id": "k1", "function": {"name": "lamp", "arguments": "{}"}},
            {"id": "k2", "function": {"name": "door", "arguments": "{}"}},
        ]})),
        end("tool_calls"),
    ];
    assert_eq!(
        listed(&fold(&chunks).unwrap()),
        [
            ("k1".into(), "lamp".into(), "{}".into()),
            ("k2".into(), "door".into(), "{}".into())
        ]
    );
    let chunks = [
        delta(json!({"tool_calls": [
            first(json!(0), json!("k1"), json!("lamp"), json!("")),
            more(json!(0), r#"{"on":true}"#),
        ]})),
        end("tool_calls"),
    ];
    assert_eq!(
        listed(&fold(&chunks).unwrap()),
        [("k1".into(), "lamp".into(), r#"{"on":true}"#.into())]
    );
}

#[test]
fn parallel_calls_share_an_index() {
    expect(
        "ids tell them apart",
        &[
            first(
                json!(0),
                json!("k1"),
                json!("find"),
                json!(r#"{"q":"tin"}"#),
            ),
            first(
                json!(0),
                json!("k2"),
                json!("find"),
                json!(r#"{"q":"zinc"}"#),
            ),
        ],
        &[
            ("k1", "find", r#"{"q":"tin"}"#),
            ("k2", "find", r#"{"q":"zinc"}"#),
        ],
    );
    expect(
        "ids tell them apart, and arguments alone continue the later one",
        &[
            first(
                json!(0),
                json!("k1"),
                json!("find"),
                json!(r#"{"q":"tin"}"#),
            ),
            first(json!(0), json!("k2"), json!("find"), json!(r#"{"q":"#)),
            more(json!(0), r#""zinc"}"#),
        ],
        &[
            ("k1", "find", r#"{"q":"tin"}"#),
            ("k2", "find", r#"{"q":"zinc"}"#),
        ],
    );
    expect(
        "without ids whole arguments tell them apart",
        &[
            first(json!(0), NULL, json!("find"), json!(r#"{"q":"tin"}"#)),
            first(json!(0), NULL, json!("find"), json!(r#"{"q":"zinc"}"#)),
        ],
        &[
            ("", "find", r#"{"q":"tin"}"#),
            ("", "find", r#"{"q":"zinc"}"#),
        ],
    );
    expect(
        "one id for two calls under two indices",
        &[
            first(json!(0), json!("k"), json!("find"), json!(r#"{"q":"tin"}"#)),
            first(
                json!(1),
                json!("k"),
                json!("find"),
                json!(r#"{"q":"zinc"}"#),
            ),
        ],
        &[
            ("k", "find", r#"{"q":"tin"}"#),
            ("k", "find", r#"{"q":"zinc"}"#),
        ],
    );
}

#[test]
fn the_index_drifts() {
    expect(
        "with arguments still open",
        &[
            first(json!(0), json!("k1"), json!("lamp"), json!(r#"{"on""#)),
            more(json!(1), ":"),
            more(json!(2), "true}"),
        ],
        &[("k1", "lamp", r#"{"on":true}"#)],
    );
    expect(
        "while the id stays",
        &[
            first(json!(0), json!("k1"), json!("lamp"), json!(r#"{"on""#)),
            first(json!(1), json!("k1"), NULL, json!(":true}")),
        ],
        &[("k1", "lamp", r#"{"on":true}"#)],
    );
    expect(
        "an index from 1",
        &[
            first(json!(1), json!("k1"), json!("lamp"), json!("")),
            more(json!(1), "{}"),
        ],
        &[("k1", "lamp", "{}")],
    );
}

#[test]
fn id_type_and_name_in_every_fragment() {
    expect(
        "repeated",
        &[
            first(json!(0), json!("k1"), json!("lamp"), json!("{")),
            first(json!(0), json!("k1"), json!("lamp"), json!(r#""on":true"#)),
            first(json!(0), json!("k1"), json!("lamp"), json!("}")),
        ],
        &[("k1", "lamp", r#"{"on":true}"#)],
    );
    expect(
        "null or empty in later ones",
        &[
            first(json!(0), json!("k1"), json!("lamp"), json!("{")),
            first(json!(0), NULL, NULL, json!(r#""on":"#)),
            first(json!(0), json!(""), json!(""), json!("true}")),
        ],
        &[("k1", "lamp", r#"{"on":true}"#)],
    );
}

#[test]
fn names_come_late_or_in_pieces() {
    expect(
        "in pieces",
        &[
            first(json!(0), json!("k1"), json!("switch_"), json!("")),
            json!({"index": 0, "function": {"name": "lamp"}}),
            more(json!(0), "{}"),
        ],
        &[("k1", "switch_lamp", "{}")],
    );
    expect(
        "after the id, after the arguments",
        &[
            json!({"index": 0, "id": "k1"}),
            more(json!(0), "{}"),
            json!({"index": 0, "function": {"name": "lamp"}}),
        ],
        &[("k1", "lamp", "{}")],
    );
    expect(
        "the id after the name",
        &[
            json!({"index": 0, "function": {"name": "lamp"}}),
            json!({"index": 0, "id": "k1", "function": {"arguments": "{}"}}),
        ],
        &[("k1", "lamp", "{}")],
    );
}

#[test]
fn arguments_in_every_form() {
    for (arguments, text) in [
        (NULL, ""),
        (json!(""), ""),
        (json!({"on": true}), r#"{"on":true}"#),
        (json!(r#"{"on":true}"#), r#"{"on":true}"#),
        // An object in a string in a string is not unwrapped: that is for a schema to say.
        (json!(r#""{}""#), r#""{}""#),
    ] {
        expect(
            "arguments",
            &[first(json!(0), json!("k1"), json!("lamp"), arguments)],
            &[("k1", "lamp", text)],
        );
    }
    let call = json!({"index": 0, "id": "k1", "function": {"name": "ping"}});
    let completion = fold(&[delta(json!({"tool_calls": [call]})), end("tool_calls")]).unwrap();
    let call = &completion.message().unwrap().tool_calls[0];
    assert_eq!(call.function.arguments.text_or_empty_object(), "{}");

    let digits = r#"{"id":2512292042121000001,"x":0.10,"y":1e400}"#;
    let event = format!(
        r#"data: {{"choices":[{{"delta":{{"tool_calls":[{{"id":"k","function":{{"name":"f","arguments":{digits}}}}}]}},"finish_reason":"tool_calls"}}]}}"#
    );
    let completion = fold_bytes(format!("{event}\n\n").as_bytes()).unwrap();
    assert_eq!(listed(&completion)[0].2, digits);
}

#[test]
fn odd_elements_begin_no_call() {
    for calls in [
        json!(null),
        json!([]),
        json!({}),
        json!([null]),
        json!([{}]),
        json!("x"),
        json!([{"index": null, "function": null}]),
    ] {
        let chunks = [
            delta(json!({"content": "Hi", "tool_calls": calls})),
            end("stop"),
        ];
        let completion = fold(&chunks).unwrap();
        assert_eq!(completion.message().unwrap().tool_calls, []);
        assert_eq!(completion.outcome().unwrap(), Outcome::Text("Hi".into()));
    }
}

#[test]
fn whole_calls_and_the_end_marker_stand_for_the_finish_reason() {
    let whole = delta(json!({"tool_calls": [
        first(json!(0), json!("k1"), json!("lamp"), json!(r#" {"on":true}"#))
    ]}));
    let completion = fold(std::slice::from_ref(&whole)).unwrap();
    assert_eq!(completion.finish_reason(), Some(&FinishReason::ToolCalls));
    assert!(matches!(completion.outcome(), Ok(Outcome::ToolCalls(calls)) if calls.len() == 1));

    assert_eq!(completion.fold_notes(), [FoldNote::ToolCallsInferred]);

    let without_done = format!("data: {whole}\n\n");
    for (name, bytes) in [
        ("no end marker", without_done.clone()),
        (
            "text beside it",
            support::stream(&[delta(json!({"content": "Let me see"})), whole.clone()]),
        ),
        (
            "a refusal beside it",
            support::stream(&[delta(json!({"refusal": "No"})), whole.clone()]),
        ),
        (
            "arguments cut",
            support::stream(&[delta(json!({"tool_calls": [
                first(json!(0), json!("k1"), json!("lamp"), json!(r#"{"on":"#))
            ]}))]),
        ),
        (
            "no name",
            support::stream(&[delta(json!({"tool_calls": [more(json!(0), "{}")]}))]),
        ),
        (
            "no object",
            support::stream(&[delta(json!({"tool_calls": [
                first(json!(0), json!("k1"), json!("lamp"), json!("[1]"))
            ]}))]),
        ),
        (
            "text alone",
            support::stream(&[delta(json!({"content": "{}"}))]),
        ),
    ] {
        let failure = fold_bytes(bytes.as_bytes()).unwrap_err();
        assert_eq!(failure.kind(), FailureKind::Interrupted, "{name}");
        let partial = failure.completion().unwrap();
        assert!(
            partial.outcome().is_err() && partial.parse_json().is_err(),
            "{name}"
        );
    }
}

#[test]
fn arguments_cut_by_a_limit_are_no_call() {
    let cut = [
        delta(json!({"tool_calls": [
            first(json!(0), json!("k1"), json!("lamp"), json!(r#"{"note":"half a s"#))
        ]})),
        json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls",
                            "native_finish_reason": "max_output_tokens"}]}),
    ];
    let outcome = fold(&cut).unwrap().outcome().unwrap();
    assert_eq!(outcome, Outcome::Incomplete(FinishReason::Length));
    // Told by the arguments alone, too.
    let outcome = fold(&[cut[0].clone(), end("tool_calls")])
        .unwrap()
        .outcome();
    assert_eq!(outcome.unwrap(), Outcome::Incomplete(FinishReason::Length));
}

#[test]
fn the_function_call_of_old_stays_reachable() {
    let chunks = [
        delta(json!({"function_call": {"name": "lamp", "arguments": "{\"on\""}})),
        delta(json!({"function_call": {"name": null, "arguments": ":true}"}})),
        end("function_call"),
    ];
    let completion = fold(&chunks).unwrap();
    let call = completion
        .message()
        .unwrap()
        .extra
        .get("function_call")
        .unwrap();
    assert_eq!(call, &json!({"name": "lamp", "arguments": "{\"on\":true}"}));
    assert_eq!(
        completion.finish_reason().map(FinishReason::meaning),
        Some(FinishReason::ToolCalls)
    );
}
