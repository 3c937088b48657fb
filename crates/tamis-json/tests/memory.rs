//! What is held while a text is read: the value so far and the open path, and nothing of the text
//! already passed.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::alloc::System;
use std::fmt::Write as _;

use serde_json::Value;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use tamis_json::{Parser, Partial, Policy, Repairer};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// For buffers, frames and the test harness.
const SLACK: usize = 64 * 1024;

fn held(region: &Region<'_, System>) -> usize {
    let stats = region.change();
    stats
        .bytes_allocated
        .saturating_sub(stats.bytes_deallocated)
}

/// The most that is held while `push` reads a text that is repeated this often.
fn peak(times: usize, text: &str, mut push: impl FnMut(&[u8])) -> usize {
    let region = Region::new(ALLOCATOR);
    let mut peak = 0;
    for _ in 0..times {
        for fragment in text.as_bytes().chunks(64) {
            push(fragment);
            peak = peak.max(held(&region));
        }
    }
    peak
}

fn records(count: usize) -> String {
    let mut text = String::from("[");
    for index in 0..count {
        let comma = if index > 0 { "," } else { "" };
        write!(
            text,
            "{comma}{{\"id\": {index}, \"name\": \"Item {index}\", \"tags\": [\"red\", \"green\"]}}"
        )
        .unwrap();
    }
    text.push(']');
    text
}

// One test, because other threads would be counted as well.
#[test]
fn nothing_passed_is_kept() {
    // A megabyte of space, of prose and of thinking.
    let space = " \n".repeat(512);
    let mut parser = Parser::new();
    parser.push(b"[1,").unwrap();
    let most = peak(1_000, &space, |part| parser.push(part).unwrap());
    assert!(most < SLACK, "space: {most}");
    for (name, before, text) in [
        ("prose", "Well, ", "and so it goes on, word by word. "),
        ("thinking", "<think>", "is {\"a\": 1} what is meant? "),
    ] {
        let mut repairer = Repairer::new(Policy::default());
        repairer.push(before.as_bytes()).unwrap();
        let text = text.repeat(40);
        let most = peak(1_000, &text, |part| repairer.push(part).unwrap());
        assert!(most < SLACK, "{name}: {most}");
    }

    // A document: what it is itself, with room to grow.
    let text = records(4_000);
    let region = Region::new(ALLOCATOR);
    let value: Value = serde_json::from_str(&text).unwrap();
    let size = held(&region);
    for fragment in [4, 1_000] {
        let mut parser = Parser::new();
        let mut repairer = Repairer::new(Policy::default());
        let mut most = 0;
        let region = Region::new(ALLOCATOR);
        for part in text.as_bytes().chunks(fragment) {
            parser.push(part).unwrap();
            parser.snapshot(Partial::TrailingStrings);
            most = most.max(held(&region));
        }
        assert!(most < size * 5 / 4 + SLACK, "parser: {most} for {size}");
        drop(parser);
        let (region, mut most) = (Region::new(ALLOCATOR), 0);
        for part in text.as_bytes().chunks(fragment) {
            repairer.push(part).unwrap();
            most = most.max(held(&region));
        }
        assert!(most < size * 5 / 4 + SLACK, "repairer: {most} for {size}");
    }
    drop(value);
}
