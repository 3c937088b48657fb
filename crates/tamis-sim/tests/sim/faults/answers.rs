//! Faults of what the model says.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::super::expect::Expect::{Same, Says, Wire};
use super::super::expect::{Case, Said};
use super::{Row, both};

#[expect(clippy::too_many_lines, reason = "one row for each fault")]
pub(super) fn rows() -> Vec<Row> {
    vec![
        both("conforming", || Same),
        both("fenced", || {
            Says(|said, base| assert_eq!(said.text(), format!("```json\n{}\n```", base.text())))
        }),
        both("prose-around", || {
            Says(|said, base| {
                let (before, after) = said.text().split_once(base.text()).unwrap();
                assert!(!before.is_empty() && !after.is_empty());
            })
        }),
        both("prose-only", || {
            Says(|said, _| assert!(!said.text().contains(['{', '[', '"'])))
        }),
        both("fenced-in-prose", || {
            Says(|said, base| {
                let fence = format!("\n\n```json\n{}\n```\n\n", base.text());
                assert!(said.text().contains(&fence));
            })
        }),
        both("other-shape", || {
            Says(|said, _| assert!(json_of(said)["name"].is_null()))
        }),
        both("trivial-answer", || {
            Says(|said, _| assert_eq!(said.text(), "[1]"))
        }),
        both("missing-property", || {
            Says(|said, _| {
                assert!(json_of(said).get("name").is_none());
                assert!(json_of(said).get("grains").is_some());
            })
        }),
        both("extra-property", || {
            Says(|said, _| assert_eq!(json_of(said).as_object().unwrap().len(), 4))
        }),
        both("wrong-type", || {
            Says(|said, _| assert!(json_of(said)["name"].is_number()))
        }),
        both("enum-case", || {
            Says(|said, base| {
                let upper = json_of(base)["name"].as_str().unwrap().to_uppercase();
                assert_eq!(json_of(said)["name"], upper);
            })
        }),
        both("trailing-comma", || {
            Says(|said, _| assert!(said.text().ends_with(",}")))
        }),
        both("double-encoded", || {
            Says(|said, base| assert_eq!(json_of(said), base.text()))
        }),
        both("empty-content", || {
            Says(|said, _| {
                assert_eq!(said.text(), "");
                assert_eq!(said.finish, "stop");
            })
        }),
        both("json-in-reasoning", || {
            Says(|said, base| {
                assert_eq!(said.content, Value::Null);
                assert_eq!(said.reasoning, base.text());
            })
        }),
        both("truncated", || {
            Says(|said, base| {
                assert!(base.text().starts_with(said.text()) && said.text() != base.text());
                assert_eq!(
                    (&said.finish, &said.native),
                    (&json!("length"), &json!("max_tokens"))
                );
            })
        }),
        both("truncated-but-parses", || {
            Says(|said, base| {
                assert_eq!(said.text(), base.text());
                assert_eq!(said.finish, "length");
            })
        }),
        both("truncated-to-nothing", || {
            Says(|said, _| {
                assert!(said.content.as_str().unwrap_or_default().is_empty());
                assert!(!said.reasoning.is_empty());
                assert_eq!(said.finish, "length");
            })
        }),
        both("tool-call-truncated", || {
            Says(|said, _| {
                assert_eq!(said.finish, "length");
                assert!(serde_json::from_str::<Value>(&said.calls[0].2).is_err());
            })
        }),
        both("tool-call-truncated-natively", || {
            Says(|said, _| {
                assert_eq!(said.finish, "tool_calls");
                assert_eq!(said.native, "max_output_tokens");
                assert!(serde_json::from_str::<Value>(&said.calls[0].2).is_err());
            })
        }),
        both("refusal", || {
            Says(|said, _| {
                assert!(said.content.is_null() && said.refusal.starts_with("I'm sorry"));
                assert_eq!(said.finish, "stop");
            })
        }),
        both("content-filter", || {
            Says(|said, base| {
                assert!(said.text().len() < base.text().len());
                assert_eq!(said.finish, "content_filter");
            })
        }),
        both("unknown-finish-reason", || {
            Says(|said, base| {
                assert_eq!(
                    (said.text(), &said.finish),
                    (base.text(), &json!("model_length"))
                );
            })
        }),
        (
            "blank-finish-reason",
            Says(|said, _| assert_eq!(said.finish, "")),
            Wire(|case| {
                let events = case.got.events();
                assert!(
                    events
                        .iter()
                        .all(|event| event["choices"][0]["finish_reason"] == "")
                );
                assert_eq!(case.got.streamed_content(), case.base.streamed_content());
            }),
        ),
        both("choice-error", || {
            Says(|said, base| {
                assert!(base.text().starts_with(said.text()) && said.text() != base.text());
                assert_eq!(said.finish, "error");
                assert_eq!(said.error["code"], 502);
                assert_eq!(said.error["metadata"]["error_type"], "provider_unavailable");
            })
        }),
        both("reasoning-first", || {
            Says(|said, base| {
                assert!(!said.reasoning.is_empty());
                assert_eq!(said.text(), base.text());
            })
        }),
        both("tool-calls-instead", || {
            Says(|said, _| {
                assert!(said.content.is_null());
                assert_eq!((said.calls.len(), &said.finish), (1, &json!("tool_calls")));
            })
        }),
        both("parallel-tool-calls", || Says(two_calls)),
        both("no-tool-call", || Same),
        (
            "tool-arguments-object",
            Wire(|case| {
                let call = &case.got.json()["choices"][0]["message"]["tool_calls"][0];
                assert!(call["function"]["arguments"]["term"].is_string());
            }),
            Same,
        ),
        (
            "tool-index-zero",
            Same,
            Wire(|case| {
                let fragments = fragments(case);
                assert!(fragments.iter().all(|fragment| fragment["index"] == 0));
                assert_eq!(ids(&fragments).len(), 2);
            }),
        ),
        (
            "tool-index-missing",
            Same,
            Wire(|case| {
                let fragments = fragments(case);
                assert!(
                    fragments
                        .iter()
                        .all(|fragment| fragment.get("index").is_none())
                );
                assert_eq!(ids(&fragments).len(), 2);
            }),
        ),
        (
            "tool-index-null",
            Same,
            Wire(|case| {
                let fragments = fragments(case);
                assert!(
                    fragments
                        .iter()
                        .all(|fragment| fragment.get("index") == Some(&Value::Null))
                );
                assert_eq!(ids(&fragments).len(), 2);
            }),
        ),
        (
            "tool-index-drifting",
            Same,
            Wire(|case| {
                let fragments = fragments(case);
                assert!(fragments.len() > 2);
                for (at, fragment) in fragments.iter().enumerate() {
                    assert_eq!(
                        (&fragment["index"], &fragment["id"]),
                        (&json!(at), &fragments[0]["id"])
                    );
                }
            }),
        ),
        (
            "tool-fragments-bare",
            Same,
            Wire(|case| {
                let fragments = fragments(case);
                for fragment in &fragments {
                    assert_eq!(
                        fragment.get("index").is_some(),
                        fragment.get("id").is_some()
                    );
                }
                assert_eq!(ids(&fragments).len(), 2);
            }),
        ),
        both("no-usage", || {
            Wire(|case| {
                assert!(!case.got.text().contains("\"usage\""));
                assert_eq!(case.got.status, Some(200));
            })
        }),
        both("string-numbers", || {
            Wire(|case| {
                let body = if case.stream {
                    case.got.events().pop().unwrap()
                } else {
                    case.got.json()
                };
                assert!(body["created"].as_str().unwrap().parse::<u64>().is_ok());
                assert!(body["usage"]["total_tokens"].is_string());
            })
        }),
    ]
}

fn two_calls(said: &Said, _: &Said) {
    assert!(said.content.is_null());
    assert_eq!(said.finish, "tool_calls");
    let [one, two] = said.calls.as_slice() else {
        panic!("{:?}", said.calls);
    };
    assert_ne!(one.0, two.0);
    for (_, name, arguments) in [one, two] {
        assert_eq!(name, "look_up");
        assert!(serde_json::from_str::<Value>(arguments).unwrap()["term"].is_string());
    }
}

fn fragments(case: &Case) -> Vec<Value> {
    let fragment = |event: &Value| event["choices"][0]["delta"]["tool_calls"].get(0).cloned();
    case.got.events().iter().filter_map(fragment).collect()
}

fn ids(fragments: &[Value]) -> BTreeSet<&str> {
    fragments
        .iter()
        .filter_map(|fragment| fragment["id"].as_str())
        .collect()
}

fn json_of(said: &Said) -> Value {
    serde_json::from_str(said.text()).unwrap()
}
