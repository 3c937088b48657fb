//! Hostile streams cost no more than their length: each of these took minutes if it were read in
//! quadratic time.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use tamis_wire::{Completion, Failure, StreamReader, read_response};

/// Far above what linear time takes without optimisation, far below what quadratic time does.
const LIMIT: Duration = Duration::from_secs(20);

const MANY: usize = 60_000;

fn read(bytes: &[u8]) -> Result<Completion, Failure> {
    let started = Instant::now();
    let mut reader = StreamReader::new();
    for fragment in bytes.chunks(1 << 16) {
        reader.feed(fragment, |_| {});
    }
    let read = reader.finish(|_| {});
    assert!(started.elapsed() < LIMIT, "{:?}", started.elapsed());
    read
}

/// A stream of one delta for each number.
fn deltas(delta: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for number in 0..MANY {
        let delta = delta(number);
        write!(
            text,
            "data: {{\"choices\":[{{\"index\":0,\"delta\":{{{delta}}}}}]}}\n\n"
        )
        .unwrap();
    }
    text
}

fn finished(text: String) -> Completion {
    let text =
        text + "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
    read(text.as_bytes()).unwrap()
}

#[test]
fn tool_calls() {
    let call = |fields: String| format!("\"tool_calls\":[{{{fields}}}]");
    let count = |completion: Completion| completion.message().unwrap().tool_calls.len();
    // As many calls as fragments.
    let calls = finished(deltas(|number| {
        call(format!(
            "\"index\":{number},\"id\":\"k{number}\",\"function\":{{\"name\":\"f\",\"arguments\":\"{{}}\"}}"
        ))
    }));
    assert_eq!(count(calls), MANY);
    let calls = finished(deltas(|number| {
        call(format!(
            "\"id\":\"k{number}\",\"function\":{{\"name\":\"f\"}}"
        ))
    }));
    assert_eq!(count(calls), MANY);
    // A call whose index drifts with each fragment, and whose arguments never end.
    let calls = finished(deltas(|number| {
        call(format!(
            "\"index\":{number},\"function\":{{\"arguments\":\"{{\\\"a\\\":\"}}"
        ))
    }));
    assert_eq!(count(calls), 1);
    // A name in each fragment asks each time whether the arguments are whole.
    let calls = finished(deltas(|_| {
        call("\"function\":{\"name\":\"f\",\"arguments\":\"[\"}".to_owned())
    }));
    assert_eq!(count(calls), 1);
    let calls = finished(deltas(|_| {
        "\"function_call\":{\"name\":\"f\",\"arguments\":\"[\"}".to_owned()
    }));
    assert_eq!(count(calls), 0);
}

#[test]
fn choices_and_details() {
    let mut text = String::new();
    for number in 0..MANY {
        write!(text, "data: {{\"choices\":[{{\"index\":{number},\"delta\":{{\"content\":\"a\"}},\"finish_reason\":\"stop\"}}]}}\n\n").unwrap();
    }
    assert_eq!(read(text.as_bytes()).unwrap().choices.len(), MANY);

    let choices = vec!["{\"delta\":{},\"finish_reason\":\"stop\"}"; MANY].join(",");
    let text = format!("data: {{\"choices\":[{choices}]}}\n\n");
    assert_eq!(read(text.as_bytes()).unwrap().choices.len(), MANY);

    for (id, index) in [(true, true), (false, true), (true, false)] {
        let completion = finished(deltas(|number| {
            let id = if id {
                format!("\"id\":\"r{number}\",")
            } else {
                String::new()
            };
            let index = if index {
                format!("\"index\":{number},")
            } else {
                String::new()
            };
            format!(
                "\"reasoning_details\":[{{{id}{index}\"type\":\"reasoning.text\",\"text\":\"a\"}}]"
            )
        }));
        assert_eq!(completion.message().unwrap().reasoning_details.len(), MANY);
    }
}

#[test]
fn text_in_small_and_in_growing_pieces() {
    let completion = finished(deltas(|_| "\"content\":\"a\"".to_owned()));
    assert_eq!(completion.text().unwrap().len(), MANY);
    let completion = finished(deltas(|_| {
        "\"content\":[{\"type\":\"text\",\"text\":\"a\"}]".to_owned()
    }));
    assert_eq!(completion.text().unwrap().len(), MANY);
    let completion = finished(deltas(|number| {
        format!("\"x{number}\":1,\"audio\":{{\"data\":\"a\"}}")
    }));
    assert_eq!(completion.message().unwrap().extra.iter().count(), MANY);
}

#[test]
fn depth_is_limited_and_said_so() {
    for open in ["[", "{\"a\":"] {
        let deep = format!("{{\"x\":{}", open.repeat(1_000_000));
        let failure = read_response(200, deep.as_bytes()).unwrap_err();
        assert!(failure.message().contains("nested too deep"), "{failure}");
        let failure = read(format!("data: {deep}\n\n").as_bytes()).unwrap_err();
        assert!(failure.message().contains("nested too deep"), "{failure}");
    }
}

#[test]
fn an_event_over_the_limit_ends_the_stream() {
    let event = format!("data: {{\"x\":\"{}\"}}\n\n", "a".repeat(9 << 20));
    let failure = read(event.as_bytes()).unwrap_err();
    assert_eq!(failure.kind(), tamis_wire::FailureKind::Malformed);
    assert!(
        failure.message().contains("larger than the limit"),
        "{failure}"
    );
}
