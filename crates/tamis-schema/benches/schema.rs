//! Validating while a value comes, beside parsing it alone; and the whole check, beside the crate behind it.
//!
//! ```sh
//! cargo bench -p tamis-schema
//! ```
#![expect(
    missing_docs,
    clippy::unwrap_used,
    reason = "a measurement may fail loudly"
)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tamis_json::Parser;
use tamis_schema::{StreamSchema, Validator};

mod documents;

fn stream(criterion: &mut Criterion) {
    let text = documents::order(1_000).to_string();
    let schema = StreamSchema::new(&documents::schema()).unwrap();
    let mut group = criterion.benchmark_group("stream");
    group.throughput(Throughput::Bytes(text.len() as u64));
    for piece in [4, 64, usize::MAX] {
        let name = if piece == usize::MAX {
            "whole".to_owned()
        } else {
            format!("{piece} bytes")
        };
        group.bench_function(format!("parse/{name}"), |bencher| {
            bencher.iter(|| {
                let mut parser = Parser::new();
                for piece in text.as_bytes().chunks(piece) {
                    parser.push(piece).unwrap();
                }
                black_box(parser.finish().unwrap())
            });
        });
        group.bench_function(format!("validate/{name}"), |bencher| {
            bencher.iter(|| {
                let mut parser = Parser::new();
                let mut validator = schema.validator();
                for piece in text.as_bytes().chunks(piece) {
                    parser
                        .push_with(piece, |at, event| {
                            validator.event(at, event);
                        })
                        .unwrap();
                }
                assert!(validator.violation().is_none());
                black_box(parser.finish().unwrap())
            });
        });
    }
    group.finish();
}

fn whole(criterion: &mut Criterion) {
    let value = documents::order(1_000);
    let schema = documents::schema();
    let ours = Validator::new(&schema).unwrap();
    let theirs = jsonschema::options().offline().build(&schema).unwrap();
    let mut group = criterion.benchmark_group("whole");
    group.bench_function("jsonschema", |bencher| {
        bencher.iter(|| black_box(theirs.is_valid(&value)))
    });
    group.bench_function("Validator", |bencher| {
        bencher.iter(|| black_box(ours.is_valid(&value)))
    });
    group.finish();
}

criterion_group!(benches, stream, whole);
criterion_main!(benches);
