//! What was put right, in words.

use tamis_wire::mend::{Note, NoteKind};
use tamis_wire::{Completion, FoldNote, StreamReader};

/// Of more, only the number is told.
const MOST: usize = 20;

#[derive(Debug, Default)]
struct Notes {
    words: Vec<String>,
    more: usize,
}

impl Notes {
    fn folded(&mut self, notes: &[FoldNote]) {
        for note in notes {
            self.push(|| note.to_string());
        }
    }

    fn mended(&mut self, notes: &[(u64, Note)]) {
        for (event, note) in notes {
            let (offset, words) = (note.offset, words(note.kind));
            self.push(|| match event {
                0 => format!("body, byte {offset}: {words}"),
                event => format!("event {event}, byte {offset}: {words}"),
            });
        }
    }

    fn into_words(mut self) -> Vec<String> {
        if self.more > 0 {
            self.words.push(format!("and {} more", self.more));
        }
        self.words
    }

    fn push(&mut self, note: impl FnOnce() -> String) {
        if self.words.len() < MOST {
            self.words.push(note());
        } else {
            self.more += 1;
        }
    }
}

/// What was put right in a completion before it could be read, in words; of much, the beginning.
pub(super) fn completion_notes(completion: &Completion) -> Vec<String> {
    let mut notes = Notes::default();
    notes.folded(completion.fold_notes());
    notes.mended(completion.mended());
    notes.into_words()
}

/// The same of a stream.
pub fn stream_notes(reader: &StreamReader) -> Vec<String> {
    let mut notes = Notes::default();
    notes.folded(reader.notes());
    notes.mended(reader.mended());
    notes.into_words()
}

fn words(kind: NoteKind) -> &'static str {
    match kind {
        NoteKind::ByteOrderMark => "a byte order mark was dropped",
        NoteKind::InvalidUtf8 => "bytes that are not UTF-8 were read as U+FFFD",
        NoteKind::LoneSurrogate => "the escape of a lone surrogate was read as U+FFFD",
        NoteKind::NonFiniteNumber => "a number that JSON does not have was read as null",
        NoteKind::ControlCharacter => "a control character in a string was read as its escape",
        _ => "something that cannot be data was replaced",
    }
}
