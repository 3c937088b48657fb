//! From the bytes of a Responses or a Messages stream to a completion, for each token.
#![expect(clippy::unwrap_used, reason = "a bench may fail loudly")]

use std::fmt::Write as _;
use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use tamis_wire::{Protocol, StreamReader};

const PACKET: usize = 1_460;

fn responses(tokens: usize) -> String {
    let mut text = String::from(
        "event: response.created\ndata: {\"type\":\"response.created\",\"response\":{\"id\":\"gen-1\",\
         \"object\":\"response\",\"status\":\"in_progress\",\"output\":[]},\"sequence_number\":0}\n\n",
    );
    let mut whole = String::new();
    for number in 0..tokens {
        write!(whole, " word{number:05}").unwrap();
        write!(
            text,
            "event: response.output_text.delta\ndata: {{\"type\":\"response.output_text.delta\",\
             \"item_id\":\"msg_1700000000\",\"output_index\":0,\"content_index\":0,\
             \"delta\":\" word{number:05}\",\"logprobs\":[],\"sequence_number\":{number}}}\n\n"
        )
        .unwrap();
    }
    write!(
        text,
        "event: response.completed\ndata: {{\"type\":\"response.completed\",\"response\":{{\"id\":\"gen-1\",\
         \"status\":\"completed\",\"output\":[{{\"type\":\"message\",\"id\":\"msg_1700000000\",\"content\":\
         [{{\"type\":\"output_text\",\"text\":\"{whole}\"}}]}}]}}}}\n\n"
    )
    .unwrap();
    text
}

fn messages(tokens: usize) -> String {
    let mut text = String::from(
        "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"gen-1\",\
         \"type\":\"message\",\"content\":[],\"stop_reason\":null}}\n\n",
    );
    for number in 0..tokens {
        write!(
            text,
            "event: content_block_delta\ndata: {{\"type\":\"content_block_delta\",\"index\":0,\
             \"delta\":{{\"type\":\"text_delta\",\"text\":\" word{number:05}\"}}}}\n\n"
        )
        .unwrap();
    }
    text.push_str(
        "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\n\
         event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
    );
    text
}

fn read(protocol: Protocol, bytes: &[u8]) -> usize {
    let mut reader = StreamReader::new().protocol(protocol);
    for fragment in bytes.chunks(PACKET) {
        reader.feed(fragment, |item| {
            black_box(item);
        });
    }
    let completion = reader.finish(|_| {}).unwrap();
    black_box(completion).text().unwrap_or_default().len()
}

fn streams(criterion: &mut Criterion) {
    for tokens in [2_000, 40_000] {
        let rows = [
            (Protocol::Responses, "responses", responses(tokens)),
            (Protocol::Messages, "messages", messages(tokens)),
        ];
        for (protocol, name, text) in rows {
            let mut group = criterion.benchmark_group(format!("native/{name}"));
            group
                .sample_size(20)
                .throughput(Throughput::Elements(tokens as u64));
            group.bench_function(BenchmarkId::from_parameter(tokens), |bencher| {
                bencher.iter(|| read(protocol, text.as_bytes()));
            });
            group.finish();
        }
    }
}

criterion_group!(benches, streams);
criterion_main!(benches);
