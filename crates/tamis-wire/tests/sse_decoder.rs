//! The event-stream decoder, as a caller sees it.
#![expect(
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail loudly"
)]

use proptest::prelude::*;
use tamis_wire::sse::{Decoder, Event, MAX_COMMENT_BYTES, SseErrorKind, Tail, is_done};

/// An event, owned, in a form that a table can hold.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Seen {
    Message(Vec<u8>, String, String),
    Comment(Vec<u8>),
    Retry(u64),
    Error,
}

fn message(data: &str) -> Seen {
    named(data, "message", "")
}

fn named(data: &str, event: &str, id: &str) -> Seen {
    Seen::Message(data.into(), event.into(), id.into())
}

fn comment(text: &str) -> Seen {
    Seen::Comment(text.into())
}

fn read_with<'a>(
    mut decoder: Decoder,
    fragments: impl IntoIterator<Item = &'a [u8]>,
) -> (Vec<Seen>, Option<Tail>) {
    let mut seen = Vec::new();
    for fragment in fragments {
        let mut events = decoder.feed(fragment);
        loop {
            seen.push(match events.next() {
                Ok(None) => break,
                Ok(Some(Event::Message(m))) => {
                    Seen::Message(m.data().into(), m.event().into(), m.id().into())
                }
                Ok(Some(Event::Comment(text))) => Seen::Comment(text.into()),
                Ok(Some(Event::Retry(milliseconds))) => Seen::Retry(milliseconds),
                Ok(Some(other)) => panic!("{other:?}"),
                Err(_) => {
                    seen.push(Seen::Error);
                    return (seen, decoder.finish());
                }
            });
        }
    }
    (seen, decoder.finish())
}

fn read<'a>(fragments: impl IntoIterator<Item = &'a [u8]>) -> (Vec<Seen>, Option<Tail>) {
    read_with(Decoder::new(), fragments)
}

#[test]
fn streams_read_as_the_standard_says() {
    for (stream, expected) in [
        ("", vec![]),
        ("data: a\n\n", vec![message("a")]),
        (
            "data:a\r\rdata: b\r\n\r\ndata:  c\n\n",
            vec![message("a"), message("b"), message(" c")],
        ),
        (
            "data: a\r\n\ndata: b\n\r\n",
            vec![message("a"), message("b")],
        ),
        ("data: a\n\r", vec![message("a")]),
        ("\u{feff}data: a\n\n", vec![message("a")]),
        ("\u{feff}\u{feff}data: a\n\n", vec![]),
        ("data: a\n\n\u{feff}data: b\n\n", vec![message("a")]),
        ("data: a\ndata\ndata:b\n\n", vec![message("a\n\nb")]),
        ("data\n\n", vec![message("")]),
        ("data:\n\n", vec![message("")]),
        ("data\ndata\n\n", vec![message("\n")]),
        ("event: ping\n\ndata: a\n\n", vec![message("a")]),
        (
            "event: ping\ndata: a\n\ndata: b\n\n",
            vec![named("a", "ping", ""), message("b")],
        ),
        ("event: x\nevent:\ndata: a\n\n", vec![message("a")]),
        (
            "id: 7\ndata: a\n\ndata: b\n\nid\ndata: c\n\n",
            vec![
                named("a", "message", "7"),
                named("b", "message", "7"),
                message("c"),
            ],
        ),
        ("id: 7\n\ndata: b\n\n", vec![named("b", "message", "7")]),
        (
            "id: 7\nid: a\0b\ndata: a\n\n",
            vec![named("a", "message", "7")],
        ),
        (": keep\n\n:\n", vec![comment("keep"), comment("")]),
        (
            "data: a\n: c\ndata: b\n\n",
            vec![comment("c"), message("a\nb")],
        ),
        ("data: a\n: c\n\n", vec![comment("c"), message("a")]),
        ("data: : keepalive\n\n", vec![message(": keepalive")]),
        (
            "retry: 3000\ndata: a\n\n",
            vec![Seen::Retry(3000), message("a")],
        ),
        ("data: a\nretry: 1\n\n", vec![Seen::Retry(1), message("a")]),
        ("retry: 3s\nretry\nretry: -1\nretry: 1.5\n", vec![]),
        ("nonsense\nfoo: bar\n Data: x\ndata : y\n\n", vec![]),
        ("{\"error\":\"none of this is a stream\"}\n\n", vec![]),
    ] {
        let bytes = stream.as_bytes();
        assert_eq!(read([bytes]).0, expected, "{stream:?}");
        for size in 1..5 {
            assert_eq!(read(bytes.chunks(size)).0, expected, "{stream:?} by {size}");
        }
    }
}

#[test]
fn a_character_may_be_cut() {
    let stream = "data: {\"a\":\"\u{1f378}\u{e9}\"}\n\n".as_bytes();
    for cut in 0..=stream.len() {
        let (left, right) = stream.split_at(cut);
        assert_eq!(
            read([left, right]).0,
            [message("{\"a\":\"\u{1f378}\u{e9}\"}")]
        );
    }
}

#[test]
fn data_that_is_not_utf8_comes_as_sent() {
    let (seen, _) = read([&b"event: a\xff\ndata: b\xff\n\n"[..]]);
    assert_eq!(
        seen,
        [Seen::Message(
            b"b\xff".to_vec(),
            "a\u{fffd}".into(),
            String::new()
        )]
    );
}

#[test]
fn a_lone_carriage_return_delays_nothing() {
    let mut decoder = Decoder::new();
    {
        let mut events = decoder.feed(b"data: a\r\n\r");
        assert!(matches!(events.next(), Ok(Some(Event::Message(_)))));
        assert_eq!(events.next(), Ok(None));
    }
    let mut events = decoder.feed(b"\ndata: b\r\r");
    let Ok(Some(Event::Message(second))) = events.next() else {
        panic!()
    };
    assert_eq!(second.data(), b"b");
}

#[test]
fn a_whole_event_is_lent_from_its_fragment() {
    let fragment = b": hi\n\nid: 1\ndata: first\n\ndata: sec";
    let mut decoder = Decoder::new();
    {
        let mut events = decoder.feed(fragment);
        let Ok(Some(Event::Comment(text))) = events.next() else {
            panic!()
        };
        assert!(std::ptr::eq(text.as_ptr(), &raw const fragment[2]));
        let Ok(Some(Event::Message(first))) = events.next() else {
            panic!()
        };
        assert_eq!(first.data(), b"first");
        assert!(std::ptr::eq(first.data().as_ptr(), &raw const fragment[18]));
        assert_eq!(events.next(), Ok(None));
    }
    let rest = b"ond\n\n";
    let mut events = decoder.feed(rest);
    let Ok(Some(Event::Message(second))) = events.next() else {
        panic!()
    };
    assert_eq!(second.data(), b"second");
}

#[test]
fn an_unterminated_last_event_is_a_tail() {
    for (stream, data, line_cut) in [
        ("data: a\n\ndata: b", "b", true),
        ("data: b\n", "b", false),
        ("data: b\r", "b", false),
        ("data: b\n: comment\n", "b", false),
        ("data: b\n: comm", "b", true),
        ("data: b\ndata: c", "b\nc", true),
        ("data: b\nda", "b", true),
        ("data: b\ndata", "b", true),
        ("data:", "", true),
    ] {
        for size in [1, 3, 100] {
            let (_, tail) = read(stream.as_bytes().chunks(size));
            let tail = tail.unwrap();
            assert_eq!(
                (tail.data(), tail.is_line_cut()),
                (data.as_bytes(), line_cut),
                "{stream:?}"
            );
        }
    }
    for stream in [
        "",
        "data: a\n\n",
        "data: a\n\n: comm",
        "event: x\n",
        "dat",
        "\u{feff}",
        "id: 4",
    ] {
        for size in [1, 100] {
            assert_eq!(read(stream.as_bytes().chunks(size)).1, None, "{stream:?}");
        }
    }
    let (_, tail) = read([&b"id: 4\nevent: error\ndata: x\nevent: err"[..]]);
    let tail = tail.unwrap();
    assert_eq!((tail.event(), tail.id()), ("error", "4"));
    assert_eq!(read([&b"data: x"[..]]).1.unwrap().event(), "message");
}

#[test]
fn a_finished_decoder_is_as_new() {
    let mut decoder = Decoder::new();
    assert_eq!(decoder.feed(b"id: 1\ndata: lost").next(), Ok(None));
    assert!(decoder.finish().is_some());
    let mut events = decoder.feed(b"\xef\xbb\xbfdata: a\n\n");
    let Ok(Some(Event::Message(first))) = events.next() else {
        panic!()
    };
    assert_eq!((first.data(), first.id()), (&b"a"[..], ""));
}

#[test]
fn an_event_over_the_limit_fails_for_good() {
    let stream = b"data: 12\n\ndata: 1\ndata: 2\n\n";
    for size in [1, 2, 5, 100] {
        let (seen, tail) = read_with(Decoder::with_max_event_bytes(13), stream.chunks(size));
        assert_eq!((seen, tail), (vec![message("12"), Seen::Error], None));
        let (seen, _) = read_with(Decoder::with_max_event_bytes(14), stream.chunks(size));
        assert_eq!(seen, [message("12"), message("1\n2")]);
    }
    let mut decoder = Decoder::with_max_event_bytes(3);
    let error = decoder.feed(b"data").next().unwrap_err();
    assert_eq!(error.kind(), SseErrorKind::EventTooLarge { limit: 3 });
    assert!(error.is_event_too_large());
    assert_eq!(
        error.to_string(),
        "an event of the stream is larger than the limit of 3 bytes"
    );
    assert_eq!(decoder.feed(b"\n\n").next(), Err(error));
}

#[test]
fn a_comment_without_end_costs_nothing() {
    let mut decoder = Decoder::with_max_event_bytes(64);
    assert_eq!(decoder.feed(b":").next(), Ok(None));
    for _ in 0..1000 {
        assert_eq!(decoder.feed(&[b'x'; 1000]).next(), Ok(None));
    }
    let mut events = decoder.feed(b"\r\n");
    let Ok(Some(Event::Comment(text))) = events.next() else {
        panic!()
    };
    assert_eq!(text.len(), MAX_COMMENT_BYTES - 1);
    assert_eq!(events.next(), Ok(None));
}

#[test]
fn unread_events_are_an_error_and_not_a_loss() {
    let mut decoder = Decoder::new();
    assert!(decoder.feed(b"data: [DONE]\n\n").next().unwrap().is_some());
    assert!(
        decoder
            .feed(b"data: a\n\ndata: b\n\n")
            .next()
            .unwrap()
            .is_some()
    );
    let error = decoder.feed(b"data: c\n\n").next().unwrap_err();
    assert_eq!(error.kind(), SseErrorKind::UnreadEvents);
    assert!(!error.is_event_too_large());
    assert_eq!(decoder.finish(), None);
}

#[test]
fn only_the_exact_marker_is_done() {
    for data in ["[DONE]", " [DONE]", "[DONE]\t\r\n"] {
        assert!(is_done(data.as_bytes()), "{data:?}");
    }
    for data in [
        "",
        "[DONE]malicious",
        "[DONE] x",
        "\"[DONE]\"",
        "[Done]",
        "DONE",
        "[DONE][DONE]",
        "\u{a0}[DONE]",
    ] {
        assert!(!is_done(data.as_bytes()), "{data:?}");
    }
}

/// Pieces from which streams are made that touch every rule.
fn stream() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        6 => prop_oneof![Just("\n"), Just("\r"), Just("\r\n")].prop_map(Vec::from),
        4 => prop_oneof![
            Just("data"), Just("data:"), Just("data: "), Just("event: "), Just("event"), Just("id:"),
            Just("retry: "), Just(":"), Just(": "), Just("\u{feff}"), Just("42"), Just("\0"),
        ]
        .prop_map(Vec::from),
        2 => "[a-z \u{e9}\u{1f378}]{0,12}".prop_map(Vec::from),
        1 => proptest::collection::vec(any::<u8>(), 0..4),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// Cuts the bytes at the given places, taken modulo what is left.
fn cut<'a>(bytes: &'a [u8], sizes: &[usize]) -> Vec<&'a [u8]> {
    let (mut rest, mut fragments) = (bytes, Vec::new());
    for size in sizes {
        let (fragment, after) = rest.split_at(size % (rest.len() + 1));
        fragments.push(fragment);
        rest = after;
    }
    fragments.push(rest);
    fragments
}

/// The standard's algorithm over the whole text, in the plainest form.
fn oracle(bytes: &[u8]) -> Vec<Seen> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let (mut lines, mut line, mut previous) = (Vec::new(), Vec::new(), 0);
    for &byte in bytes {
        match byte {
            b'\n' if previous == b'\r' => {}
            b'\n' | b'\r' => lines.push(std::mem::take(&mut line)),
            _ => line.push(byte),
        }
        previous = byte;
    }
    let text = |bytes: &[u8]| {
        bytes.utf8_chunks().fold(String::new(), |text, chunk| {
            text + chunk.valid()
                + if chunk.invalid().is_empty() {
                    ""
                } else {
                    "\u{fffd}"
                }
        })
    };
    let (mut seen, mut data, mut event, mut id) =
        (vec![], None::<Vec<u8>>, String::new(), String::new());
    for line in lines {
        if line.is_empty() {
            let name = std::mem::take(&mut event);
            if let Some(data) = data.take() {
                let name = if name.is_empty() {
                    "message".to_owned()
                } else {
                    name
                };
                seen.push(Seen::Message(data, name, id.clone()));
            }
            continue;
        }
        let colon = line.iter().position(|&byte| byte == b':');
        let name = &line[..colon.unwrap_or(line.len())];
        let value = colon.map_or(&[][..], |colon| &line[colon + 1..]);
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match name {
            b"" => seen.push(Seen::Comment(value.into())),
            b"data" => {
                data = Some(match data {
                    None => value.to_vec(),
                    Some(data) => [&data, &b"\n"[..], value].concat(),
                });
            }
            b"event" => event = text(value),
            b"id" if !value.contains(&0) => id = text(value),
            b"retry" if !value.is_empty() && value.iter().all(u8::is_ascii_digit) => {
                seen.push(Seen::Retry(text(value).parse().unwrap_or(u64::MAX)));
            }
            _ => {}
        }
    }
    seen
}

proptest! {
    #[test]
    fn cutting_changes_nothing(
        bytes in stream(),
        sizes in proptest::collection::vec(0_usize..20, 0..30),
    ) {
        let whole = read([bytes.as_slice()]);
        prop_assert_eq!(&whole.0, &oracle(&bytes));
        prop_assert_eq!(&read(cut(&bytes, &sizes)), &whole);
        prop_assert_eq!(&read(bytes.chunks(1)), &whole);
    }

    #[test]
    fn cutting_changes_nothing_under_a_limit(
        bytes in stream(),
        limit in 0_usize..40,
        sizes in proptest::collection::vec(0_usize..20, 0..30),
    ) {
        let decoder = || Decoder::with_max_event_bytes(limit);
        let whole = read_with(decoder(), [bytes.as_slice()]);
        prop_assert_eq!(&read_with(decoder(), cut(&bytes, &sizes)), &whole);
        prop_assert_eq!(&read_with(decoder(), bytes.chunks(1)), &whole);
    }
}
