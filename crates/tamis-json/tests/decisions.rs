//! The table of the README: what is done where repair libraries do not agree.

use serde_json::{Value, json};
use tamis_json::{Policy, RepairErrorKind as E, repair};

#[test]
fn where_libraries_differ() {
    type Row = (&'static str, Result<(Value, bool), E>);
    let complete = |value: Value| Ok((value, true));
    let incomplete = |value: Value| Ok((value, false));
    let rows: Vec<Row> = vec![
        (r#"{"a": }"#, Err(E::MissingValue)),
        (r#"{"a"}"#, Err(E::MissingValue)),
        (r#"{"a": ...}"#, Err(E::MissingValue)),
        (r#"{"a":"#, incomplete(json!({}))),
        (r#"{"a":1} {"b":2}"#, Err(E::Ambiguous)),
        ("{\"a\":1}\n{\"b\":2}", Err(E::Ambiguous)),
        ("{}[]", Err(E::Ambiguous)),
        (r#"{"a":1}, {"b":2}"#, complete(json!([{"a": 1}, {"b": 2}]))),
        (r#"{"a":1}, "b":2}"#, complete(json!({"a": 1, "b": 2}))),
        (r#"{"a":1} {"a":1}"#, complete(json!({"a": 1}))),
        (r#"see [1]: {"a":1}"#, complete(json!({"a": 1}))),
        ("see [1]", complete(json!([1]))),
        (
            "not {\"a\":0} but\n```\n{\"a\":1}\n```",
            complete(json!({"a": 1})),
        ),
        ("foo", Err(E::NoJson)),
        ("hello world", Err(E::NoJson)),
        ("2.", Err(E::NoJson)),
        ("0789", Err(E::NoJson)),
        ("'abc'", Err(E::NoJson)),
        ("(1, 2)", Err(E::NoJson)),
        ("f(null)", Err(E::NoJson)),
        (r#""a 24" screen""#, Err(E::NoJson)),
        (r#""abc"#, incomplete(json!("abc"))),
        (r#"{"a": 007}"#, complete(json!({"a": 7}))),
        (r#"{"a": 1,234}"#, complete(json!({"a": 1234}))),
        (
            "[1/3, 1.2.3, 05e, 2e, 2024-01-02]",
            complete(json!(["1/3", "1.2.3", "05e", "2e", "2024-01-02"])),
        ),
        (
            r#"{"a": (1, 2), "b": (1)}"#,
            complete(json!({"a": [1, 2], "b": 1})),
        ),
        (r#"{"a": ObjectId("x")}"#, complete(json!({"a": "x"}))),
        (r#"["k": 1]"#, Err(E::Syntax)),
        (r#"{"a": "x" true}"#, Err(E::Syntax)),
        (r#"{"a": true, NOTE "b": 1}"#, Err(E::Syntax)),
        (r#"{"a": "x "k": 1}"#, Err(E::Syntax)),
        (
            r#"{"a": "value} k: v}"#,
            complete(json!({"a": "value} k: v"})),
        ),
        (
            r#"{"a": "\d \x41 C:\Docs it\'s"}"#,
            complete(json!({"a": "\\d \\x41 C:\\Docs it's"})),
        ),
        ("[1, [}]", complete(json!([1, []]))),
        ("[2,}", complete(json!([2]))),
        (
            r#"{"a": {"b": 1], "c": 2}"#,
            complete(json!({"a": {"b": 1}, "c": 2})),
        ),
        (
            r#"[{"a": 1 "a": 2}]"#,
            complete(json!([{"a": 1}, {"a": 2}])),
        ),
        (r#"{"a": 1, "a": 2}"#, complete(json!({"a": 2}))),
        ("[NaN, Infinity]", complete(json!([null, null]))),
    ];
    let mut failures = Vec::new();
    for (text, wanted) in rows {
        let got = repair(text, &Policy::default()).map(|r| (r.value, r.complete));
        let got = got.map_err(|error| error.kind());
        if got != wanted {
            failures.push(format!("{text}: {got:?}, wanted {wanted:?}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
