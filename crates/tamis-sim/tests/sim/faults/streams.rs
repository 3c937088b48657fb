//! Faults of streams.

use serde_json::{Value, json};

use super::super::client::Ended;
use super::super::expect::Case;
use super::super::expect::Expect::Wire;
use super::{Row, both, on_plain, on_stream};

#[expect(clippy::too_many_lines, reason = "one row for each fault")]
pub(super) fn rows() -> Vec<Row> {
    vec![
        on_stream("stream-empty", |case| {
            assert_eq!(case.got.header("content-type"), Some("text/event-stream"));
            assert_eq!((case.got.body.len(), case.got.ended), (0, Ended::Complete));
        }),
        on_stream("comments-only", |case| {
            assert_eq!(case.got.text(), ": OPENROUTER PROCESSING\n\n".repeat(2));
        }),
        on_stream("done-only", |case| assert_eq!(case.got.data(), ["[DONE]"])),
        on_stream("eof-mid-answer", |case| {
            assert!(!case.prefix().is_empty());
            assert_eq!(
                (case.got.ended, case.got.is_done()),
                (Ended::Complete, false)
            );
            assert!(case.got.finishes().is_empty());
        }),
        on_stream("done-without-finish", |case| {
            assert!(!case.prefix().is_empty());
            assert!(case.got.is_done() && case.got.finishes().is_empty());
        }),
        on_stream("no-finish-reason", |case| {
            assert_eq!(case.got.streamed_content(), case.base.streamed_content());
            assert!(case.got.is_done() && case.got.finishes().is_empty());
        }),
        on_stream("no-done", |case| {
            assert_eq!(case.got.text() + "data: [DONE]\n\n", case.base_text());
        }),
        on_stream("cut-mid-event", |case| {
            assert_eq!(case.got.ended, Ended::Complete);
            let text = case.got.text();
            let tail = text.rsplit("\n\n").next().unwrap();
            assert!(
                tail.starts_with("data: {") && !tail.ends_with('}'),
                "{tail}"
            );
        }),
        on_stream("cut-mid-utf8", |case| {
            assert_eq!(case.got.ended, Ended::Complete);
            let error = std::str::from_utf8(&case.got.body).unwrap_err();
            assert_eq!(error.error_len(), None, "it ends inside a character");
        }),
        on_stream("cut-inside-chunk", |case| {
            case.prefix();
            assert_eq!(case.got.ended, Ended::Closed);
            let raw = case.got.reads.concat();
            assert!(raw.ends_with(b"400\r\ndata: {\"id\":\"gen-"));
        }),
        on_stream("unterminated-last-event", |case| {
            assert!(case.got.text().ends_with('}'));
            assert_eq!(case.got.text() + "\n\ndata: [DONE]\n\n", case.base_text());
        }),
        on_stream("error-first-then-done", |case| {
            let events = case.got.events();
            assert_eq!(events.len(), 1);
            assert_eq!(
                events[0]["error"]["metadata"]["error_type"],
                "provider_unavailable"
            );
            assert_eq!(events[0]["choices"][0]["finish_reason"], "error");
            assert!(case.got.is_done());
        }),
        on_stream("error-first", |case| {
            let events = case.got.events();
            assert_eq!((events.len(), case.got.data().len()), (1, 1));
            assert_eq!(events[0]["error"]["code"], 429);
            assert!(events[0].get("choices").is_none());
        }),
        on_stream("error-mid-stream", |case| {
            case.prefix();
            let last = case.got.events().pop().unwrap();
            assert_eq!(last["error"]["code"], 502);
            assert_eq!(
                last["error"]["metadata"]["provider_code"],
                "server_disconnected"
            );
            assert_eq!(case.got.finishes(), ["error"]);
            assert!(!case.got.is_done());
        }),
        on_stream("error-mid-stream-then-done", |case| {
            case.prefix();
            assert_eq!(
                case.got.events().pop().unwrap()["error"]["code"],
                "server_error"
            );
            assert!(case.got.is_done());
        }),
        on_stream("error-mid-stream-bare", |case| {
            case.prefix();
            let last = case.got.events().pop().unwrap();
            assert_eq!(last["error"]["code"], 429);
            assert!(last.get("choices").is_none());
        }),
        on_stream("error-after-finish", |case| {
            assert_eq!(case.got.streamed_content(), case.base.streamed_content());
            assert_eq!(case.got.finishes(), ["stop", "stop"]);
            assert_eq!(case.got.events().pop().unwrap()["error"]["code"], 429);
        }),
        on_stream("hang-before-first-event", |case| {
            assert_eq!(
                (case.got.status, case.got.ended),
                (Some(200), Ended::Closed)
            );
            assert_eq!(case.got.body.len(), 0);
        }),
        both("hang-mid-stream", || {
            Wire(|case| {
                let (got, base) = (case.got.text(), case.base.text());
                assert!(!got.is_empty() && got.len() < base.len());
                assert!(!got.contains("[DONE]"));
                assert_eq!(case.got.ended, Ended::Closed);
            })
        }),
        on_stream("stall-with-comments", |case| {
            assert_eq!(case.got.events().len(), 1);
            assert!(beats(case, ": OPENROUTER PROCESSING") > 5);
        }),
        on_stream("stall-with-comments-first", |case| {
            assert_eq!(case.got.events().len(), 0);
            assert!(beats(case, ": OPENROUTER PROCESSING") > 5);
        }),
        on_stream("stall-with-empty-deltas", |case| {
            assert!(beats(case, r#""delta":{"role":"assistant","content":""}"#) > 5);
            assert!(case.got.finishes().is_empty());
        }),
        both("slow-drip", || {
            Wire(|case| {
                assert_eq!(case.got.body, case.base.body);
                assert!(case.got.reads.len() > case.base.body.len() / 40);
            })
        }),
        both("bom", || {
            Wire(|case| assert_eq!(case.got.text(), format!("\u{feff}{}", case.base_text())))
        }),
        on_stream("crlf-tiny-writes", |case| {
            assert_eq!(case.got.text(), case.base_text().replace('\n', "\r\n"));
            // A chunk of the chunked coding for each seven bytes.
            let raw = case.got.reads.concat();
            assert!(raw.windows(5).any(|window| window == b"\r\n7\r\n"));
            assert!(case.got.reads.len() > 50, "{}", case.got.reads.len());
        }),
        on_stream("cr-line-ends", |case| {
            assert_eq!(case.got.text(), case.base_text().replace('\n', "\r"));
        }),
        both("split-utf8", || {
            Wire(|case| {
                if !case.base_text().is_ascii() {
                    assert_eq!(case.got.body, case.base.body);
                }
                let inside = case
                    .got
                    .reads
                    .iter()
                    .any(|read| std::str::from_utf8(read).is_err());
                assert!(inside, "one read ends inside a character");
            })
        }),
        on_stream("no-space-after-colon", |case| {
            assert_eq!(case.got.text(), case.base_text().replace("data: ", "data:"));
        }),
        on_stream("multi-line-data", |case| {
            let text = case.got.text();
            assert!(text.contains("data: {\ndata:   \"id\": \"gen-"));
            let joined = text.replace("\ndata: ", "");
            assert_eq!(
                joined.matches("\"choices\"").count(),
                case.base.events().len()
            );
        }),
        on_stream("comments-between", |case| {
            let comment = ": OPENROUTER PROCESSING\n\n";
            let bare = |text: String| text.replace(comment, "");
            assert!(case.got.text().matches(comment).count() > 5);
            assert_eq!(bare(case.got.text()), bare(case.base_text()));
        }),
        on_stream("keepalives-as-data", |case| {
            interspersed(case, "data: : keepalive\n\n");
        }),
        on_stream("empty-data", |case| interspersed(case, "data:\n\n")),
        on_stream("foreign-fields", |case| {
            interspersed(case, "event: ping\nid: 7\nretry: 3000\n\n");
        }),
        on_stream("usage-without-choices", |case| {
            let last = case.got.events().pop().unwrap();
            assert_eq!(last["choices"], json!([]));
            assert!(last["usage"]["total_tokens"].is_number());
            assert_eq!(case.got.finishes(), ["stop"]);
        }),
        on_stream("usage-everywhere", |case| {
            let events = case.got.events();
            let with = events
                .iter()
                .filter(|event| event["usage"].is_object())
                .count();
            // All but the one chunk with the first finish reason.
            assert_eq!(with + 1, events.len());
        }),
        on_stream("role-once", |case| {
            let events = case.got.events();
            let with = |event: &&Value| event["choices"][0]["delta"]["role"].is_string();
            assert_eq!(events.iter().filter(with).count(), 1);
            assert_eq!(case.got.streamed_content(), case.base.streamed_content());
        }),
        on_stream("anonymous-chunks", |case| {
            for event in case.got.events() {
                assert!(
                    ["id", "object", "created", "model"]
                        .iter()
                        .all(|key| event.get(key).is_none())
                );
            }
            assert_eq!(case.got.streamed_content(), case.base.streamed_content());
        }),
        on_stream("malformed-event", |case| {
            assert_eq!(case.got.data().len(), case.base.data().len());
            assert_eq!(case.got.events().len(), case.base.events().len() - 1);
            assert!(case.got.is_done());
        }),
        on_stream("oversized-event", |case| {
            assert!(case.got.body.len() > 17 << 20);
        }),
        on_stream("json-for-stream", |case| {
            assert_eq!(case.got.header("content-type"), Some("application/json"));
            let text = &case.got.json()["choices"][0]["message"]["content"];
            assert_eq!(*text, case.base.streamed_content());
        }),
        on_plain("stream-for-plain", |case| {
            assert_eq!(case.got.header("content-type"), Some("text/event-stream"));
            let text = &case.base.json()["choices"][0]["message"]["content"];
            assert_eq!(*text, case.got.streamed_content());
        }),
    ]
}

fn beats(case: &Case, text: &str) -> usize {
    assert!(!case.got.is_done());
    assert_eq!(case.got.ended, Ended::Closed);
    case.got.text().matches(text).count()
}

/// The stream is whole but for this text before every delta.
fn interspersed(case: &Case, text: &str) {
    assert!(case.got.text().matches(text).count() > 3);
    assert_eq!(case.got.text().replace(text, ""), case.base_text());
}
