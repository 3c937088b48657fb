//! Where a stream ends, and what may still come after it seems to have.

use tamis_wire::{Completion, Failure, FailureKind, FinishReason, StreamReader};

fn event(delta: &str, finish: &str) -> String {
    format!(
        "data: {{\"choices\":[{{\"index\":0,\"delta\":{delta},\"finish_reason\":{finish}}}]}}\n\n"
    )
}

fn text(text: &str, finish: &str) -> String {
    event(&format!("{{\"content\":\"{text}\"}}"), finish)
}

/// Reads a stream in one piece and byte by byte, which must not differ.
fn read(stream: &str) -> Result<Completion, Failure> {
    let whole = read_in(stream, stream.len().max(1));
    for size in [1, 2, 3, 7, 64] {
        let cut = read_in(stream, size);
        match (&whole, &cut) {
            (Ok(whole), Ok(cut)) => assert_eq!(whole, cut, "{size}"),
            (Err(whole), Err(cut)) => {
                assert_eq!(
                    (whole.kind(), whole.completion()),
                    (cut.kind(), cut.completion()),
                    "{size}"
                );
            }
            _ => assert_eq!(whole.is_ok(), cut.is_ok(), "{size}"),
        }
    }
    whole
}

fn read_in(stream: &str, size: usize) -> Result<Completion, Failure> {
    let mut reader = StreamReader::new();
    for fragment in stream.as_bytes().chunks(size) {
        reader.feed(fragment, |_| {});
    }
    reader.finish(|_| {})
}

const DONE: &str = "data: [DONE]\n\n";

#[test]
fn text_after_a_finish_reason_makes_it_premature() {
    let broken = [
        format!("{}{}", text("hello", "\"stop\""), text(" and wor", "null")),
        // Cut inside the event that would have brought more.
        format!(
            "{}{}",
            text("hello", "\"stop\""),
            text(" and wor", "null").split_at(40).0
        ),
    ];
    for stream in &broken {
        let failure = read(stream).unwrap_err();
        assert_eq!(failure.kind(), FailureKind::Interrupted, "{stream}");
        assert!(failure.completion().unwrap().parse_json().is_err());
    }
    assert_eq!(broken.len(), 2);
    // Another reason, or the end marker, says that this was all.
    for end in [event("{}", "\"stop\""), DONE.to_owned()] {
        let stream = format!(
            "{}{}{end}",
            text("hello", "\"length\""),
            text(" and world", "null")
        );
        assert_eq!(read(&stream).unwrap().text().unwrap(), "hello and world");
    }
    // What brings nothing reopens nothing.
    let quiet = format!(
        "{}{}{}",
        text("hello", "\"stop\""),
        event("{\"role\":\"assistant\",\"content\":\"\"}", "null"),
        ": bye\n\n"
    );
    assert_eq!(
        read(&quiet).unwrap().finish_reason(),
        Some(&FinishReason::Stop)
    );
}

#[test]
fn nothing_after_the_end_marker_counts() {
    let whole = format!("{}{DONE}", text("hello", "\"stop\""));
    let expected = read(&whole).unwrap();
    for after in [
        text(" more", "null"),
        "data: {bad\n\n".to_owned(),
        "data: {\"error\":{\"message\":\"late\",\"code\":500}}\n\n".to_owned(),
        "data: {\"cut".to_owned(),
    ] {
        assert_eq!(
            read(&format!("{whole}{after}")).unwrap(),
            expected,
            "{after}"
        );
    }
}

#[test]
fn an_answer_is_read_to_its_limit_only() {
    let mut reader = StreamReader::new().max_answer_bytes(1000);
    for _ in 0..50 {
        reader.feed(text(&"x".repeat(100), "null").as_bytes(), |_| {});
    }
    reader.feed(text("", "\"stop\"").as_bytes(), |_| {});
    let failure = reader.finish(|_| {}).unwrap_err();
    assert_eq!(failure.kind(), FailureKind::Malformed);
    assert!(failure.completion().unwrap().text().unwrap().len() <= 1000);
}

#[test]
fn tool_calls_are_in_the_order_of_their_indices() {
    let call = |index: u64, id: &str| {
        event(
            &format!(
                "{{\"tool_calls\":[{{\"index\":{index},\"id\":\"{id}\",\"function\":{{\"name\":\"f\",\"arguments\":\"{{}}\"}}}}]}}"
            ),
            "null",
        )
    };
    let stream = format!(
        "{}{}{}",
        call(1, "b"),
        call(0, "a"),
        event("{}", "\"tool_calls\"")
    );
    let completion = read(&stream).unwrap();
    let ids: Vec<_> = completion
        .message()
        .unwrap()
        .tool_calls
        .iter()
        .map(|call| call.id.as_deref().unwrap())
        .collect();
    assert_eq!(ids, ["a", "b"]);
}

#[test]
fn what_was_mended_is_known_to_the_completion() {
    let stream = format!("{}{DONE}", text("caf\\udcaf", "\"stop\""));
    let completion = read(&stream).unwrap();
    assert_eq!(completion.mended().len(), 1);
    let body =
        br#"{"choices":[{"index":0,"finish_reason":"stop","message":{"content":"caf\udcaf"}}]}"#;
    assert_eq!(tamis_wire::read_completion(body).unwrap().mended().len(), 1);
}

#[test]
fn an_error_event_says_as_much_as_an_error_body() {
    for (body, message, status) in [
        (r#"{"success":false,"error":{"name":"X"}}"#, "X", None),
        (
            r#"{"status":500,"error":"Internal Server Error"}"#,
            "Internal Server Error",
            Some(500),
        ),
        (
            r#"{"error":{"code":429,"message":"slow"}}"#,
            "slow",
            Some(429),
        ),
    ] {
        let failure = read(&format!("data: {body}\n\n")).unwrap_err();
        assert_eq!(
            (failure.message(), failure.status()),
            (message, status),
            "{body}"
        );
        let whole = tamis_wire::read_completion(body.as_bytes()).unwrap_err();
        assert_eq!(
            (whole.message(), whole.status()),
            (message, status),
            "{body}"
        );
    }
}
