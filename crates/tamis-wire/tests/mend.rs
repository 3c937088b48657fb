//! Mending an envelope: what is changed, what is noted, and what is left alone.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may fail loudly"
)]

use proptest::prelude::*;
use serde_json::{Value, json};
use tamis_wire::mend::{self, Mended, Note, NoteKind};

fn mended(text: &[u8]) -> String {
    String::from_utf8(mend::envelope(text).unwrap().bytes).unwrap()
}

#[test]
fn what_cannot_be_data_is_replaced() {
    for (sent, read) in [
        (&b"\xef\xbb\xbf{}"[..], "{}"),
        (b"\xef\xbb\xbf\xef\xbb\xbf{}", "{}"),
        (b"[\"a\xffb\"]", "[\"a\u{fffd}b\"]"),
        (b"[\"\xe2\x82\"]", "[\"\u{fffd}\"]"),
        (b"[\"\xf0\x9f\x8d", "[\"\u{fffd}"),
        (br#"["\udcaf"]"#, r#"["\ufffd"]"#),
        (br#"["\ud83c"]"#, r#"["\ufffd"]"#),
        (br#"["\uD83C\u0041"]"#, r#"["\ufffd\u0041"]"#),
        (br#"["\udf78\ud83c"]"#, r#"["\ufffd\ufffd"]"#),
        (br#"["\ud83c\ud83c\udf78"]"#, r#"["\ufffd\ud83c\udf78"]"#),
        (br#"["\\\udcaf\""]"#, r#"["\\\ufffd\""]"#),
        (b"[NaN,Infinity,-Infinity]", "[null,null,null]"),
        (b"NaN", "null"),
        (b"{\"a\":NaN}", "{\"a\":null}"),
        (
            b"[\"a\nb\r\tc\0\x1f\x7f\"]",
            "[\"a\\nb\\r\\tc\\u0000\\u001f\x7f\"]",
        ),
    ] {
        assert_eq!(mended(sent), read);
        if let Ok(text) = std::str::from_utf8(sent) {
            assert!(serde_json::from_str::<Value>(text).is_err(), "{text}");
        }
    }
}

#[test]
fn what_may_be_data_or_structure_stays() {
    for text in [
        "",
        "{}",
        r#"{"NaN":"Infinity -Infinity NaN \\udcaf"}"#,
        r#""\ud83c\udf78""#,
        "{\"a\": 1,}",
        "{'a': 1}",
        "[\"open",
        "[nan, NAN, +Infinity, NaN1, xNaN, --Infinity, -NaN, Infinity.0, inf, undefined]",
        r#"["\udca","\u","\x","\"#,
        "[1,\n\t2\0]",
        // The backslash would eat the escape.
        "[\"\\\n\"]",
        "[\"a\u{feff}\"]",
        "[\"\u{1f378}\u{7f}\u{85}\"]",
    ] {
        assert_eq!(mend::envelope(text.as_bytes()), None, "{text:?}");
    }
}

#[test]
fn notes_say_where_and_what_kind() {
    let sent = b"\xef\xbb\xbf[\"\xff\\udcaf\n\",NaN]";
    let Mended { notes, .. } = mend::envelope(sent).unwrap();
    let notes: Vec<_> = notes
        .iter()
        .map(|note| (note.kind, note.offset, note.len))
        .collect();
    assert_eq!(
        notes,
        [
            (NoteKind::ByteOrderMark, 0, 3),
            (NoteKind::InvalidUtf8, 5, 1),
            (NoteKind::LoneSurrogate, 6, 6),
            (NoteKind::ControlCharacter, 12, 1),
            (NoteKind::NonFiniteNumber, 15, 3),
        ]
    );
}

/// The original with each note's bytes replaced, and nothing else.
fn replay(sent: &[u8], notes: &[Note]) -> Vec<u8> {
    let (mut read, mut at) = (Vec::new(), 0);
    for note in notes {
        assert!(note.offset >= at, "notes overlap");
        read.extend_from_slice(&sent[at..note.offset]);
        at = note.offset + note.len;
        let replaced = &sent[note.offset..at];
        read.extend_from_slice(&match note.kind {
            NoteKind::InvalidUtf8 => "\u{fffd}".into(),
            NoteKind::LoneSurrogate => b"\\ufffd".to_vec(),
            NoteKind::NonFiniteNumber => b"null".to_vec(),
            NoteKind::ControlCharacter => {
                let escaped = json!(std::str::from_utf8(replaced).unwrap()).to_string();
                // serde_json has short forms for two more.
                match replaced {
                    b"\x08" => b"\\u0008".to_vec(),
                    b"\x0c" => b"\\u000c".to_vec(),
                    _ => escaped.trim_matches('"').into(),
                }
            }
            _ => Vec::new(),
        });
    }
    read.extend_from_slice(&sent[at..]);
    read
}

/// Bytes that look like JSON, and like what goes wrong with it.
fn text() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        3 => Just("\""), 1 => Just("\\"), 1 => Just("\\u"), 1 => Just("\\ud83c"), 1 => Just("\\udf78"),
        1 => Just("NaN"), 1 => Just("-Infinity"), 1 => Just("\u{feff}"), 1 => Just("\n"), 1 => Just("\0"),
        1 => Just("{"), 1 => Just("]"), 1 => Just(","), 1 => Just("1"), 1 => Just("\u{1f378}"),
    ]
    .prop_map(|piece| piece.as_bytes().to_vec());
    let piece = prop_oneof![9 => piece, 1 => proptest::collection::vec(any::<u8>(), 1..3)];
    proptest::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

/// A document as a careless server writes it, and as it should read.
fn document() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    let same = |text: &'static str| Just((text.as_bytes(), text.as_bytes()));
    let piece = prop_oneof![
        same("a \u{e9}\u{1f378}"),
        same("NaN"),
        same(r"\ud83c\udf78"),
        same(r"\\"),
        same("\\\""),
        same(r"\n"),
        Just((&b"\xff"[..], "\u{fffd}".as_bytes())),
        Just((&br"\udcaf"[..], &br"\ufffd"[..])),
        Just((&b"\n"[..], &br"\n"[..])),
        Just((&b"\x01"[..], &br"\u0001"[..])),
    ];
    let string = proptest::collection::vec(piece, 0..6).prop_map(|pieces| {
        let (sent, read): (Vec<_>, Vec<_>) = pieces.into_iter().unzip();
        let quoted = |parts: Vec<&[u8]>| [b"\"", parts.concat().as_slice(), b"\""].concat();
        (quoted(sent), quoted(read))
    });
    let number = prop_oneof![
        same("-1.5e3"),
        same("true"),
        same("null"),
        Just((&b"NaN"[..], &b"null"[..])),
        Just((&b"Infinity"[..], &b"null"[..])),
        Just((&b"-Infinity"[..], &b"null"[..])),
    ]
    .prop_map(|(sent, read)| (sent.to_vec(), read.to_vec()));
    let leaf = prop_oneof![string.clone(), number];
    leaf.prop_recursive(4, 40, 5, move |inner| {
        let array = proptest::collection::vec(inner.clone(), 0..5).prop_map(|items| {
            let (sent, read): (Vec<_>, Vec<_>) = items.into_iter().unzip();
            let list =
                |items: Vec<Vec<u8>>| [b"[", items.join(&b", "[..]).as_slice(), b"]"].concat();
            (list(sent), list(read))
        });
        let member = (string.clone(), inner).prop_map(|((sent_key, read_key), (sent, read))| {
            (
                [b"{", sent_key.as_slice(), b":\n", sent.as_slice(), b"}"].concat(),
                [b"{", read_key.as_slice(), b":\n", read.as_slice(), b"}"].concat(),
            )
        });
        prop_oneof![array, member]
    })
}

proptest! {
    #[test]
    fn only_the_noted_places_differ(sent in text()) {
        if let Some(Mended { bytes, notes }) = mend::envelope(&sent) {
            prop_assert!(!notes.is_empty());
            prop_assert_eq!(&replay(&sent, &notes), &bytes);
            prop_assert!(std::str::from_utf8(&bytes).is_ok());
            prop_assert_eq!(mend::envelope(&bytes), None, "one pass is enough");
        } else {
            prop_assert!(std::str::from_utf8(&sent).is_ok());
        }
    }

    #[test]
    fn json_is_never_changed(sent in text()) {
        if serde_json::from_slice::<Value>(&sent).is_ok() {
            prop_assert_eq!(mend::envelope(&sent), None);
        }
    }

    #[test]
    fn a_careless_document_becomes_json((sent, read) in document()) {
        prop_assert!(serde_json::from_slice::<Value>(&read).is_ok());
        let mended = mend::envelope(&sent).map_or_else(|| sent.clone(), |mended| mended.bytes);
        prop_assert_eq!(mended, read);
    }
}
