//! What was put right, in words.

use tamis_wire::mend::{Note, NoteKind};
use tamis_wire::{FoldNote, StreamReader};

use super::model::Report;

/// Of more, only the number is told.
const MOST: usize = 20;

#[derive(Debug, Default)]
pub(super) struct Notes {
    words: Vec<String>,
    more: usize,
}

impl Notes {
    fn folded(&mut self, notes: &[FoldNote]) {
        for note in notes {
            self.push(|| note.to_string());
        }
    }

    pub(super) fn mended_body(&mut self, notes: &[Note]) {
        for note in notes {
            self.push(|| format!("body, byte {}: {}", note.offset, words(note.kind)));
        }
    }

    fn mended_events(&mut self, notes: &[(u64, Note)]) {
        for (event, note) in notes {
            self.push(|| format!("event {event}, byte {}: {}", note.offset, words(note.kind)));
        }
    }

    pub(super) fn stream(&mut self, reader: &StreamReader) {
        self.folded(reader.notes());
        self.mended_events(reader.mended());
    }

    pub(super) fn add_to(self, report: &mut Report) {
        report.notes.extend(self.into_words());
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

/// What was put right in a stream before it could be read, in words; of much, the beginning.
pub fn stream_notes(reader: &StreamReader) -> Vec<String> {
    let mut notes = Notes::default();
    notes.stream(reader);
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
