//! While a stream is read, no more is held than the folded completion and one event.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::alloc::System;

use serde_json::json;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use tamis_wire::StreamReader;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// For what the shapes of chunks, the buffers' spare room and the test harness take.
const SLACK: usize = 96 * 1024;

/// Reads a stream made on the fly, and gives the most that was held at any time, and at the end.
fn peak(events: usize, event: impl Fn(usize) -> String, fragment: usize) -> (usize, usize) {
    let mut reader = StreamReader::new();
    let region = Region::new(ALLOCATOR);
    // What the test itself holds at a time does not count.
    let held = |own: usize| {
        let stats = region.change();
        stats
            .bytes_allocated
            .saturating_sub(stats.bytes_deallocated + own)
    };
    let mut peak = 0;
    for number in 0..events {
        let event = event(number);
        for fragment in event.as_bytes().chunks(fragment) {
            reader.feed(fragment, |_| peak = peak.max(held(event.capacity())));
            peak = peak.max(held(event.capacity()));
        }
    }
    reader.feed(
        b"data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n",
        |_| {},
    );
    drop(reader.finish(|_| {}).unwrap());
    (peak, held(0))
}

fn chunk(delta: &serde_json::Value) -> String {
    let chunk = json!({
        "id": "gen-1700000000-abcdefghijklmnopqrst", "provider": "Example", "model": "example/model",
        "object": "chat.completion.chunk", "created": 1_700_000_000,
        "choices": [{"index": 0, "delta": delta, "finish_reason": null, "native_finish_reason": null}],
    });
    format!("data: {chunk}\n\n")
}

/// One test, since the allocator counts for all of them.
#[test]
fn what_is_held_is_the_completion_and_one_event() {
    const EVENTS: usize = 20_000;
    for fragment in [50, 1460] {
        // Text of 200,000 bytes in chunks of 5,000,000; a growing text has room for twice its length.
        let (held, left) = peak(
            EVENTS,
            |_| chunk(&json!({"content": "0123456789"})),
            fragment,
        );
        assert!(held < 2 * EVENTS * 10 + SLACK, "{held}");
        assert!(left < SLACK, "{left}");

        // Chunks that bring nothing are not kept at all.
        let (held, _) = peak(EVENTS, |_| chunk(&json!({"content": ""})), fragment);
        assert!(held < SLACK, "{held}");
        let (held, _) = peak(
            EVENTS,
            |_| ": OPENROUTER PROCESSING\n\n".to_owned(),
            fragment,
        );
        assert!(held < SLACK, "{held}");

        // Arguments of 200,000 bytes.
        let call = json!({"tool_calls": [{"index": 0, "function": {"arguments": "0123456789"}}]});
        let (held, _) = peak(EVENTS, |_| chunk(&call), fragment);
        assert!(held < 2 * EVENTS * 10 + SLACK, "{held}");
    }
    // One event of a megabyte: itself, with room for twice its length, and what is read from it.
    let text = "a".repeat(1 << 20);
    let (held, _) = peak(1, |_| chunk(&json!({"images": [text]})), 1460);
    assert!(held < 4 * text.len() + SLACK, "{held}");
    println!(
        "an event of {} bytes: {held} bytes held at most",
        text.len()
    );
}
