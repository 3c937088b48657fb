//! The parser and the repairer beside their peers, on the same bytes in one process.
//!
//! `cargo bench -p tamis-json`
#![expect(clippy::unwrap_used, reason = "a bench may fail loudly")]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use serde_json::Value;
mod documents;
mod peers;

use documents::{SMALL, broken, document, in_fence};
use tamis_json::{Parser, Partial, Policy, Repairer, repair};

fn whole(c: &mut Criterion) {
    let text = document(400_000);
    let mut group = c.benchmark_group("whole");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("serde_json::from_str", |b| {
        b.iter(|| serde_json::from_str::<Value>(black_box(&text)).unwrap());
    });
    group.bench_function("Parser", |b| {
        b.iter(|| {
            let mut parser = Parser::new();
            parser.push(black_box(text.as_bytes())).unwrap();
            parser.finish().unwrap()
        });
    });
    group.bench_function("jiter", |b| {
        b.iter(|| jiter::JsonValue::parse(black_box(text.as_bytes()), false).unwrap());
    });
    group.bench_function("repair, nothing to mend", |b| {
        b.iter(|| repair(black_box(&text), &Policy::default()).unwrap());
    });
    group.bench_function("Repairer, nothing to mend", |b| {
        b.iter(|| {
            let mut repairer = Repairer::new(Policy::default());
            repairer.push(black_box(text.as_bytes())).unwrap();
            repairer.finish().unwrap()
        });
    });
    group.finish();
}

/// Four bytes are about one token.
const TOKEN: usize = 4;

fn streamed(c: &mut Criterion) {
    let mut group = c.benchmark_group("token by token, snapshot each");
    group.sample_size(20);
    for size in [4_000, 40_000, 400_000] {
        let text = document(size);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_with_input(BenchmarkId::new("Parser", size), &text, |b, text| {
            b.iter(|| {
                let mut parser = Parser::new();
                for token in text.as_bytes().chunks(TOKEN) {
                    parser.push(token).unwrap();
                    black_box(parser.snapshot(Partial::TrailingStrings));
                }
                parser.finish().unwrap()
            });
        });
        group.bench_with_input(
            BenchmarkId::new("Parser, no snapshot", size),
            &text,
            |b, text| {
                b.iter(|| {
                    let mut parser = Parser::new();
                    for token in text.as_bytes().chunks(TOKEN) {
                        parser.push(token).unwrap();
                    }
                    parser.finish().unwrap()
                });
            },
        );
        group.bench_with_input(BenchmarkId::new("Repairer", size), &text, |b, text| {
            b.iter(|| {
                let mut repairer = Repairer::new(Policy::default());
                for token in text.as_bytes().chunks(TOKEN) {
                    repairer.push(token).unwrap();
                    black_box(repairer.snapshot(Partial::TrailingStrings));
                }
                repairer.finish().unwrap()
            });
        });
        group.bench_with_input(
            BenchmarkId::new("one serde_json::from_str", size),
            &text,
            |b, text| {
                b.iter(|| serde_json::from_str::<Value>(text).unwrap());
            },
        );
        if size <= 4_000 {
            // Parsing the whole text again for each token, as the peers do.
            group.bench_with_input(
                BenchmarkId::new("jiter, partial", size),
                &text,
                |b, text| {
                    b.iter(|| {
                        for end in (0..text.len()).step_by(TOKEN) {
                            let prefix = text.as_bytes().get(..end).unwrap_or_default();
                            let mode = jiter::PartialMode::TrailingStrings;
                            black_box(
                                jiter::JsonValue::parse_with_config(prefix, false, mode).ok(),
                            );
                        }
                    });
                },
            );
        }
    }
    group.finish();
}

fn repairs(c: &mut Criterion) {
    let text = broken(400_000);
    let mut group = c.benchmark_group("repair, broken");
    group.sample_size(10);
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("repair", |b| {
        b.iter(|| repair(black_box(&text), &Policy::default()).unwrap());
    });
    group.bench_function("Repairer, token by token", |b| {
        b.iter(|| {
            let mut repairer = Repairer::new(Policy::default());
            for token in text.as_bytes().chunks(TOKEN) {
                repairer.push(token).unwrap();
            }
            repairer.finish().unwrap()
        });
    });
    let inner = in_fence(&text);
    group.bench_function("jsonrepair-rs", |b| {
        b.iter(|| jsonrepair_rs::jsonrepair_value(black_box(inner)));
    });
    let short = broken(8_000);
    let short = short
        .split("```")
        .nth(1)
        .unwrap()
        .trim_start_matches("json");
    group.throughput(Throughput::Bytes(short.len() as u64));
    group.bench_function("repair, 8 KB", |b| {
        b.iter(|| repair(black_box(short), &Policy::default()).unwrap());
    });
    group.bench_function("llm_json, 8 KB", |b| {
        b.iter(|| llm_json::loads(black_box(short), &llm_json::RepairOptions::default()));
    });
    group.finish();

    let total: usize = SMALL.iter().map(|text| text.len()).sum();
    let mut group = c.benchmark_group("repair, small texts");
    group.throughput(Throughput::Bytes(total as u64));
    group.bench_function("repair", |b| {
        b.iter(|| {
            for text in SMALL {
                drop(black_box(repair(text, &Policy::default())));
            }
        });
    });
    group.bench_function("jsonrepair-rs", |b| {
        b.iter(|| {
            for text in SMALL {
                drop(black_box(jsonrepair_rs::jsonrepair_value(text)));
            }
        });
    });
    group.bench_function("llm_json", |b| {
        b.iter(|| {
            for text in SMALL {
                drop(black_box(llm_json::loads(
                    text,
                    &llm_json::RepairOptions::default(),
                )));
            }
        });
    });
    group.finish();

    let mut cut = document(8_000);
    cut.truncate(7_000);
    let mut group = c.benchmark_group("repair, cut");
    group.throughput(Throughput::Bytes(cut.len() as u64));
    group.bench_function("repair", |b| {
        b.iter(|| repair(black_box(&cut), &Policy::default()).unwrap());
    });
    group.bench_function("partial-json-fixer", |b| {
        b.iter(|| {
            let fixed = partial_json_fixer::fix_json(black_box(&cut));
            serde_json::from_str::<Value>(&fixed).ok()
        });
    });
    group.finish();
}

/// Each peer on the inputs of its own tests: one time for all of them together.
fn peers_own_inputs(c: &mut Criterion) {
    type Peer = (&'static str, fn(&str));
    let all: [Peer; 3] = [
        ("jsonrepair-rs", |text| {
            drop(black_box(jsonrepair_rs::jsonrepair_value(text)));
        }),
        ("llm_json", |text| {
            let options = llm_json::RepairOptions::default();
            drop(black_box(llm_json::loads(text, &options)));
        }),
        ("partial-json-fixer", |text| {
            let fixed = partial_json_fixer::fix_json(text);
            drop(black_box(serde_json::from_str::<Value>(&fixed)));
        }),
    ];
    for (peer, run) in all {
        let inputs = peers::inputs(peer);
        if inputs.is_empty() {
            continue;
        }
        let total: usize = inputs.iter().map(String::len).sum();
        let mut group = c.benchmark_group(format!("the {} inputs of {peer}", inputs.len()));
        group.throughput(Throughput::Bytes(total as u64));
        group.bench_function("repair", |b| {
            b.iter(|| {
                for text in &inputs {
                    drop(black_box(repair(text, &Policy::default())));
                }
            });
        });
        group.bench_function(peer, |b| {
            b.iter(|| {
                for text in &inputs {
                    run(text);
                }
            });
        });
        group.finish();
    }
}

criterion_group!(benches, whole, streamed, repairs, peers_own_inputs);
criterion_main!(benches);
