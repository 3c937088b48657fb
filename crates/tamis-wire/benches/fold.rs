//! From a stream's bytes to a completion: ours beside what other clients are made of, on the same
//! bytes in the same process.
//!
//! - `tamis` decodes, reads and folds: [`StreamReader`].
//! - `peers` decodes with `eventsource-stream` and reads `async-openai`'s chunk type, and does not
//!   fold: that is left to its callers.
//! - `serde_json` reads the same chunks' JSON into our [`Chunk`], from a list of texts: what no reader
//!   can be faster than by much.
//!
//! The synthetic stream is in the shape that OpenRouter sends; the recorded ones are what
//! llama.cpp and vLLM sent to requests of ours. All are read in pieces of a network packet's size.
#![expect(clippy::unwrap_used, reason = "a bench may fail loudly")]

use std::convert::Infallible;
use std::fmt::Write as _;
use std::hint::black_box;

use async_openai::types::chat::CreateChatCompletionStreamResponse;
use bytes::Bytes;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use eventsource_stream::Eventsource as _;
use futures_util::{FutureExt as _, StreamExt as _, stream};
use tamis_wire::{Chunk, StreamReader};

const CHUNKS: usize = 2_000;
const PACKET: usize = 1_460;
const RECORDED: &[u8] = include_bytes!("../tests/fixtures/recorded/llama-server.sse");
const TOOLS: &[u8] = include_bytes!("../tests/fixtures/recorded/llama-server-tools.sse");
const VLLM: &[u8] = include_bytes!("../tests/fixtures/recorded/vllm.sse");

fn openrouter_stream() -> Bytes {
    let mut text = String::from(": OPENROUTER PROCESSING\n\n");
    let head = "data: {\"id\":\"gen-1700000000-abcdefghijklmnopqrst\",\"provider\":\"Example\",\
                \"model\":\"example/model-9b-instruct\",\"object\":\"chat.completion.chunk\",\
                \"created\":1700000000,\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",";
    for number in 0..CHUNKS {
        write!(
            text,
            "{head}\"content\":\" word{number:05}\"}},\"finish_reason\":null,\
             \"native_finish_reason\":null,\"logprobs\":null}}]}}\n\n"
        )
        .unwrap();
    }
    let end = "\"content\":\"\"},\"finish_reason\":\"stop\",\"native_finish_reason\":\"stop\",\
               \"logprobs\":null}]";
    write!(
        text,
        "{head}{end}}}\n\n{head}{end},\"usage\":{{\"prompt_tokens\":20,\"completion_tokens\":2000,\
         \"total_tokens\":2020}}}}\n\ndata: [DONE]\n\n"
    )
    .unwrap();
    text.into()
}

fn fragments(bytes: &Bytes) -> Vec<Bytes> {
    (0..bytes.len())
        .step_by(PACKET)
        .map(|start| bytes.slice(start..bytes.len().min(start + PACKET)))
        .collect()
}

fn tamis(fragments: &[Bytes]) -> usize {
    let mut reader = StreamReader::new();
    for fragment in fragments {
        reader.feed(fragment, |item| {
            black_box(item);
        });
    }
    let completion = reader.finish(|_| {}).unwrap();
    black_box(completion).text().unwrap_or_default().len()
}

fn peers(fragments: &[Bytes]) -> usize {
    let source = stream::iter(fragments.iter().cloned().map(Ok::<_, Infallible>));
    source
        .eventsource()
        .fold(0, |length, event| {
            let data = event.unwrap().data;
            let new = (data != "[DONE]").then(|| {
                let chunk: CreateChatCompletionStreamResponse =
                    serde_json::from_str(&data).unwrap();
                let chunk = black_box(chunk);
                let choice = chunk.choices.first();
                choice.map_or(0, |choice| {
                    choice.delta.content.as_deref().unwrap_or_default().len()
                })
            });
            std::future::ready(length + new.unwrap_or_default())
        })
        .now_or_never()
        .unwrap()
}

fn serde_json_alone(chunks: &[&[u8]]) -> usize {
    chunks
        .iter()
        .map(|json| {
            let chunk: Chunk<'_> = serde_json::from_slice(json).unwrap();
            black_box(chunk).text().unwrap_or_default().len()
        })
        .sum()
}

fn streams(criterion: &mut Criterion) {
    let rows = [
        ("synthetic", openrouter_stream()),
        ("llama-server", Bytes::from_static(RECORDED)),
        ("llama-server-tools", Bytes::from_static(TOOLS)),
        ("vllm", Bytes::from_static(VLLM)),
    ];
    for (name, bytes) in rows {
        let fragments = fragments(&bytes);
        let chunks: Vec<&[u8]> = bytes
            .split(|byte| *byte == b'\n')
            .filter_map(|line| line.strip_prefix(b"data: "))
            .filter(|data| data.starts_with(b"{"))
            .collect();
        assert_eq!(tamis(&fragments), peers(&fragments));
        assert_eq!(tamis(&fragments), serde_json_alone(&chunks));

        let mut group = criterion.benchmark_group(format!("fold/{name}"));
        group.throughput(Throughput::Elements(chunks.len() as u64));
        group.bench_function(BenchmarkId::from_parameter("tamis"), |bencher| {
            bencher.iter(|| tamis(&fragments));
        });
        group.bench_function(BenchmarkId::from_parameter("peers"), |bencher| {
            bencher.iter(|| peers(&fragments));
        });
        group.bench_function(BenchmarkId::from_parameter("serde_json"), |bencher| {
            bencher.iter(|| serde_json_alone(&chunks));
        });
        group.finish();
    }
}

criterion_group!(benches, streams);
criterion_main!(benches);
