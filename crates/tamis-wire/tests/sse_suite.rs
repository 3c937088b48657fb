//! Event streams that others test with, where the shared folder has them.
#![expect(
    clippy::unwrap_used,
    reason = "a test may fail loudly and say why it did nothing"
)]

use std::path::PathBuf;

use serde_json::Value;
use tamis_wire::sse::{Decoder, Event};

fn shared() -> Option<PathBuf> {
    let path = std::env::var_os("TAMIS_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    path.join("cases").is_dir().then_some(path)
}

fn base64(text: &str) -> Vec<u8> {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = Vec::new();
    let (mut bits, mut held) = (0_u32, 0);
    for symbol in text.bytes().filter(|&symbol| symbol != b'=') {
        let value = ALPHABET.iter().position(|&known| known == symbol).unwrap();
        bits = bits << 6 | u32::try_from(value).unwrap();
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from(bits >> held & 0xff).unwrap());
        }
    }
    bytes
}

fn read<'a>(fragments: impl IntoIterator<Item = &'a [u8]>) -> (Vec<[String; 3]>, Vec<u64>) {
    let mut decoder = Decoder::new();
    let (mut messages, mut retries) = (Vec::new(), Vec::new());
    for fragment in fragments {
        let mut events = decoder.feed(fragment);
        while let Some(event) = events.next().unwrap() {
            match event {
                Event::Message(message) => messages.push([
                    message.event().to_owned(),
                    message.id().to_owned(),
                    String::from_utf8(message.data().to_vec()).unwrap(),
                ]),
                Event::Retry(milliseconds) => retries.push(milliseconds),
                _ => {}
            }
        }
    }
    (messages, retries)
}

#[test]
fn streams_of_the_suite_read_as_expected() {
    let Some(shared) = shared() else {
        eprintln!("skipped: no shared folder");
        return;
    };
    let rows = std::fs::read_to_string(shared.join("cases/suites/sse.jsonl")).unwrap();
    let mut count = 0;
    for row in rows.lines() {
        let row: Value = serde_json::from_str(row).unwrap();
        let id = row["id"].as_str().unwrap();
        let fragments: Vec<Vec<u8>> = row["chunks_b64"]
            .as_array()
            .unwrap()
            .iter()
            .map(|c| base64(c.as_str().unwrap()))
            .collect();
        let expected: Vec<[String; 3]> = row["expected"]
            .as_array()
            .unwrap()
            .iter()
            .map(|e| ["event", "id", "data"].map(|key| e[key].as_str().unwrap().to_owned()))
            .collect();
        let retries: Vec<u64> = row["expected_retry"]
            .as_array()
            .unwrap()
            .iter()
            .map(|r| r.as_u64().unwrap())
            .collect();

        let whole = fragments.concat();
        let wanted = (expected, retries);
        assert_eq!(
            read(fragments.iter().map(Vec::as_slice)),
            wanted,
            "{id}, as cut"
        );
        assert_eq!(read([whole.as_slice()]), wanted, "{id}, whole");
        for size in 1..8 {
            assert_eq!(
                read(whole.chunks(size)),
                wanted,
                "{id}, {size} bytes at a time"
            );
        }
        count += 1;
    }
    assert!(count > 50, "only {count} rows");
}
