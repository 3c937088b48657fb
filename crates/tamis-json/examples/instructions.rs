//! One run of one job, for counting instructions, which a busy machine does not disturb:
//!
//! ```sh
//! cargo build -p tamis-json --release --example instructions
//! valgrind --tool=callgrind --callgrind-out-file=/dev/null \
//!     target/release/examples/instructions whole 400000
//! ```
//!
//! `nothing` is the cost of making the document, to be taken off.
#![expect(clippy::unwrap_used, reason = "a measurement may fail loudly")]

use std::hint::black_box;

use serde_json::Value;
use tamis_json::{Parser, Partial, Policy, Repairer, repair};

#[path = "../benches/documents.rs"]
mod documents;
#[path = "../benches/peers.rs"]
mod peers;

fn main() {
    let mut args = std::env::args().skip(1);
    let job = args.next().unwrap_or_default();
    let size = args
        .next()
        .and_then(|size| size.parse().ok())
        .unwrap_or(400_000);
    let text = documents::document(size);
    let broken = documents::broken(size);
    let policy = Policy::default();
    match job.as_str() {
        "serde_json" => drop(black_box(serde_json::from_str::<Value>(&text).unwrap())),
        "whole" => {
            let mut parser = Parser::new();
            parser.push(text.as_bytes()).unwrap();
            black_box(parser.finish().unwrap());
        }
        "tokens" => {
            let mut parser = Parser::new();
            for token in text.as_bytes().chunks(4) {
                parser.push(token).unwrap();
                black_box(parser.snapshot(Partial::TrailingStrings));
            }
            black_box(parser.finish().unwrap());
        }
        "valid" => drop(black_box(repair(&text, &policy).unwrap())),
        "broken" => drop(black_box(repair(&broken, &policy).unwrap())),
        "broken-tokens" => {
            let mut repairer = Repairer::new(policy);
            for token in broken.as_bytes().chunks(4) {
                repairer.push(token).unwrap();
                black_box(repairer.snapshot(Partial::TrailingStrings));
            }
            black_box(repairer.finish().unwrap());
        }
        "small" => {
            for text in documents::SMALL.iter().cycle().take(1_000) {
                drop(black_box(repair(text, &policy)));
            }
        }
        "small-jsonrepair-rs" => {
            for text in documents::SMALL.iter().cycle().take(1_000) {
                drop(black_box(jsonrepair_rs::jsonrepair_value(text)));
            }
        }
        "small-llm_json" => {
            for text in documents::SMALL.iter().cycle().take(1_000) {
                drop(black_box(llm_json::loads(
                    text,
                    &llm_json::RepairOptions::default(),
                )));
            }
        }
        // The inputs of the peer's own tests, ten times; `peers` alone is the cost of finding them.
        "peers" => drop(black_box(peers::inputs("jsonrepair-rs"))),
        "peers-repair" => {
            let inputs = peers::inputs("jsonrepair-rs");
            for text in inputs.iter().cycle().take(10 * inputs.len()) {
                drop(black_box(repair(text, &policy)));
            }
        }
        "peers-jsonrepair-rs" => {
            let inputs = peers::inputs("jsonrepair-rs");
            for text in inputs.iter().cycle().take(10 * inputs.len()) {
                drop(black_box(jsonrepair_rs::jsonrepair_value(text)));
            }
        }
        "jsonrepair-rs" => {
            let inner = documents::in_fence(&broken);
            drop(black_box(jsonrepair_rs::jsonrepair_value(inner)));
        }
        _ => drop(black_box((text, broken))),
    }
}
