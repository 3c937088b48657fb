#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use tamis_json::{NoteKind, Parser};

fuzz_target!(|text: &[u8]| {
    let mut parser = Parser::new();
    let ours = parser.push(text).and_then(|()| parser.finish());
    match (serde_json::from_slice::<Value>(text), ours) {
        (Ok(theirs), Ok(ours)) => {
            if ours.notes.iter().all(|note| note.kind != NoteKind::NumberAsText) {
                assert_eq!(ours.value, theirs);
            }
        }
        (Err(_), Ok(ours)) => assert!(
            // Lone surrogates and numbers out of range; and one level more than serde_json allows.
            !ours.notes.is_empty() || text.iter().filter(|b| matches!(b, b'[' | b'{')).count() >= 128
        ),
        (Ok(_), Err(error)) => panic!("refused: {error}"),
        (Err(_), Err(_)) => {}
    }
});
