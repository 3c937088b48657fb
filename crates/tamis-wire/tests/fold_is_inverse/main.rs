//! Folding is the inverse of streaming: for every completion, and every way to cut it into chunks
//! and bytes, the fold gives the completion back, and never one before it said it was finished.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may fail loudly"
)]

mod generate;
mod stream;

use proptest::prelude::*;
use serde_json::Value;
use stream::{Cuts, Style};
use tamis_wire::sse::{Decoder, Event};
use tamis_wire::{Chunk, Completion, Failure, FinishReason, Item, StreamReader};

fn read(fragments: &[&[u8]]) -> Result<Completion, Failure> {
    let mut reader = StreamReader::new();
    for fragment in fragments {
        reader.feed(fragment, |_| {});
    }
    reader.finish(|_| {})
}

fn completion(body: &Value) -> Completion {
    serde_json::from_str(&body.to_string()).unwrap()
}

/// Neither the failure nor what came may pass for an answer.
fn assert_no_answer(folded: Result<Completion, Failure>) {
    let failure = folded.unwrap_err();
    let partial = failure.completion().unwrap();
    assert!(!partial.is_finished());
    assert!(partial.parse_json().is_err());
    assert!(partial.outcome().is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_fold_gives_the_completion_back(
        body in generate::completion(),
        style in Style::any(),
        seed: u64,
    ) {
        let mut cuts = Cuts::new(seed);
        let chunks = stream::chunks(&body, style, &mut cuts);
        let bytes = stream::bytes(&chunks, style.done, &mut cuts);
        let expected = completion(&body);

        let folded = read(&cuts.fragments(&bytes)).unwrap();
        prop_assert_eq!(&folded, &expected, "{:#?}", chunks);
        prop_assert_eq!(serde_json::to_value(&folded).unwrap(), serde_json::to_value(&expected).unwrap());
        // Reading loses nothing of what it was given either.
        prop_assert_eq!(&serde_json::to_value(&expected).unwrap(), &body);
    }

    /// The reader knows most chunks by their likeness to an earlier one; parsing gives the same.
    #[test]
    fn chunks_are_what_parsing_each_event_gives(
        body in generate::completion(),
        style in Style::any(),
        seed: u64,
        spoils in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
    ) {
        let mut cuts = Cuts::new(seed);
        let chunks = stream::chunks(&body, style, &mut cuts);
        let mut bytes = stream::bytes(&chunks, false, &mut cuts);
        for (place, byte) in spoils {
            let at = place.index(bytes.len());
            bytes[at] = byte;
        }
        let mut decoder = Decoder::new();
        let mut events = decoder.feed(&bytes);
        let mut parsed = Vec::new();
        while let Ok(Some(event)) = events.next() {
            if let Event::Message(message) = event {
                parsed.push(serde_json::from_slice::<Chunk<'_>>(message.data()).ok().map(Chunk::into_owned));
            }
        }
        let mut read = Vec::new();
        StreamReader::new().feed(&bytes, |item| match item {
            Item::Chunk(chunk) => read.push(Some(chunk.into_owned())),
            Item::KeepAlive => {}
            _ => read.push(None),
        });
        for (read, parsed) in read.iter().zip(&parsed) {
            // Mended chunks are read where parsing alone fails.
            prop_assert!(read == parsed || parsed.is_none(), "{:?} {:?}", read, parsed);
        }
    }

    #[test]
    fn nothing_is_finished_before_the_last_finish_reason(
        body in generate::completion(),
        style in Style::any(),
        seed: u64,
    ) {
        let mut cuts = Cuts::new(seed);
        let chunks = stream::chunks(&body, style, &mut cuts);
        let finished = stream::finished_after(&chunks, &body);
        let some = (0..12).map(|_| cuts.below(finished)).chain([0, finished - 1]);
        for length in some.collect::<Vec<_>>() {
            assert_no_answer(read(&[&stream::bytes(&chunks[..length], false, &mut cuts)]));
            // The end marker is no finish reason; only whole tool calls without text pass under it.
            if let Ok(folded) = read(&[&stream::bytes(&chunks[..length], true, &mut cuts)]) {
                let said = stream::finished_choices(&chunks[..length]);
                for choice in &folded.choices {
                    let inferred = !said.contains(&choice.index.unwrap());
                    prop_assert!(!inferred || choice.finish_reason == Some(FinishReason::ToolCalls));
                    let message = choice.message.as_ref().unwrap();
                    prop_assert!(!inferred || message.text().is_none_or(|text| text.trim().is_empty()));
                }
            }
        }
    }

    #[test]
    fn bytes_cut_short_are_never_a_whole_answer(
        body in generate::completion(),
        style in Style::any(),
        seed: u64,
        share in 0.0..1.0_f64,
    ) {
        let mut cuts = Cuts::new(seed);
        let chunks = stream::chunks(&body, style, &mut cuts);
        let finished = stream::finished_after(&chunks, &body);
        let bytes = stream::bytes(&chunks[..finished], false, &mut cuts);
        // Up to the last bracket of the chunk that says so.
        let whole = bytes.trim_ascii_end().len();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "a share of a short length")]
        let end = (whole as f64 * share) as usize;
        assert_no_answer(read(&[&bytes[..end]]));
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400), at in 0..400_usize) {
        let at = at.min(bytes.len());
        let whole = read(&[&bytes]);
        let cut = read(&[&bytes[..at], &bytes[at..]]);
        prop_assert_eq!(describe(&whole), describe(&cut));
        drop(tamis_wire::read_response(200, &bytes));
        drop(tamis_wire::read_response(500, &bytes));
    }

    #[test]
    fn cutting_a_spoilt_stream_changes_nothing(
        body in generate::completion(),
        style in Style::any(),
        seed: u64,
        spoils in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8), 0..6),
    ) {
        let mut cuts = Cuts::new(seed);
        let chunks = stream::chunks(&body, style, &mut cuts);
        let mut bytes = stream::bytes(&chunks, style.done, &mut cuts);
        for (place, byte, how) in spoils {
            let at = place.index(bytes.len());
            match how {
                0 => bytes[at] = byte,
                1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, byte),
                _ => bytes.truncate(at.max(1)),
            }
        }
        let whole = read(&[&bytes]);
        let cut = read(&cuts.fragments(&bytes));
        prop_assert_eq!(describe(&whole), describe(&cut));
    }
}

/// Everything that a caller could tell two results by.
fn describe(result: &Result<Completion, Failure>) -> String {
    match result {
        Ok(completion) => serde_json::to_string(completion).unwrap(),
        Err(failure) => format!(
            "{failure:?} {:?} {}",
            failure.generation_id(),
            serde_json::to_string(&failure.completion()).unwrap()
        ),
    }
}
