//! Decoding an event stream: ours beside the crates that other clients use, over the same fragments.
//!
//! The stream is synthetic, in the shape that OpenRouter sends: a comment, many chunks of about 280
//! bytes and `[DONE]`. It is read in pieces of a network packet's and of a small write's size.
//!
//! The peers give data as text and so check that it is UTF-8. Ours gives bytes and leaves that to the
//! JSON parser, which checks it anyway.
#![expect(clippy::unwrap_used, reason = "a bench may fail loudly")]

use std::convert::Infallible;
use std::fmt::Write as _;
use std::hint::black_box;

use bytes::Bytes;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use eventsource_stream::Eventsource as _;
use futures_util::{FutureExt as _, Stream, StreamExt as _, stream};
use tamis_wire::sse::{Decoder, Event};

const EVENTS: usize = 10_001;

fn openrouter_stream() -> Bytes {
    let mut text = String::from(": OPENROUTER PROCESSING\n\n");
    for number in 0..EVENTS - 1 {
        write!(
            text,
            "data: {{\"id\":\"gen-1700000000-abcdefghijklmnopqrst\",\"provider\":\"Example\",\
             \"model\":\"example/model-9b-instruct\",\"object\":\"chat.completion.chunk\",\
             \"created\":1700000000,\"choices\":[{{\"index\":0,\"delta\":{{\"role\":\"assistant\",\
             \"content\":\" word{number:05}\"}},\"finish_reason\":null,\"native_finish_reason\":null,\
             \"logprobs\":null}}]}}\n\n"
        )
        .unwrap();
    }
    text.push_str("data: [DONE]\n\n");
    text.into()
}

fn cut(stream: &Bytes, size: usize) -> Vec<Bytes> {
    (0..stream.len())
        .step_by(size)
        .map(|start| stream.slice(start..stream.len().min(start + size)))
        .collect()
}

fn tamis(fragments: &[Bytes]) -> (usize, usize) {
    let mut decoder = Decoder::new();
    let (mut count, mut bytes) = (0, 0);
    for fragment in fragments {
        let fragment = fragment.clone();
        let mut events = decoder.feed(&fragment);
        while let Some(event) = events.next().unwrap() {
            if let Event::Message(message) = event {
                count += 1;
                bytes += black_box(message).data().len();
            }
        }
    }
    (count, bytes)
}

fn source(fragments: &[Bytes]) -> impl Stream<Item = Result<Bytes, Infallible>> + Unpin + '_ {
    stream::iter(fragments.iter().cloned().map(Ok))
}

/// Counts events and their data; the streams are ready at once, so no runtime is needed.
fn drain<E>(events: impl Stream<Item = E>, data: impl Fn(E) -> usize) -> (usize, usize) {
    events
        .fold((0, 0), |(count, bytes), event| {
            std::future::ready((count + 1, bytes + data(black_box(event))))
        })
        .now_or_never()
        .unwrap()
}

fn sse_stream(fragments: &[Bytes]) -> (usize, usize) {
    let events = sse_stream::SseByteStream::new(source(fragments));
    drain(events, |event| {
        event.unwrap().data.map_or(0, |data| data.len())
    })
}

fn sseer(fragments: &[Bytes]) -> (usize, usize) {
    let events = sseer::event_stream::EventStream::new(source(fragments));
    drain(events, |event| event.unwrap().data.len())
}

fn eventsource_stream(fragments: &[Bytes]) -> (usize, usize) {
    drain(source(fragments).eventsource(), |event| {
        event.unwrap().data.len()
    })
}

type Subject = (&'static str, fn(&[Bytes]) -> (usize, usize));

const SUBJECTS: [Subject; 4] = [
    ("tamis", tamis),
    ("sse-stream", sse_stream),
    ("sseer", sseer),
    ("eventsource-stream", eventsource_stream),
];

fn decode(criterion: &mut Criterion) {
    let stream = openrouter_stream();
    let mut group = criterion.benchmark_group("sse");
    group.throughput(Throughput::Elements(EVENTS as u64));
    for size in [1400, 128] {
        let fragments = cut(&stream, size);
        let expected = tamis(&fragments);
        assert_eq!(expected.0, EVENTS, "the bench reads every event");
        for (name, subject) in SUBJECTS {
            assert_eq!(
                subject(&fragments),
                expected,
                "{name} reads the same events"
            );
            group.bench_with_input(
                BenchmarkId::new(name, size),
                &fragments,
                |bencher, fragments| {
                    bencher.iter(|| subject(fragments));
                },
            );
        }
    }
    group.finish();
}

criterion_group!(benches, decode);
criterion_main!(benches);
