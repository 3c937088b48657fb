//! What was put right, in words.

use tamis_wire::FoldNote;
use tamis_wire::mend::{Note, NoteKind};

use super::model::Report;

/// Of more, only the number is told.
const MOST: usize = 20;

#[derive(Debug, Default)]
pub(super) struct Notes {
    words: Vec<String>,
    more: usize,
}

impl Notes {
    pub(super) fn folded(&mut self, notes: &[FoldNote]) {
        for note in notes {
            self.push(|| note.to_string());
        }
    }

    pub(super) fn mended_body(&mut self, notes: &[Note]) {
        for note in notes {
            self.push(|| format!("body, byte {}: {}", note.offset, words(note.kind)));
        }
    }

    pub(super) fn mended_events(&mut self, notes: &[(u64, Note)]) {
        for (event, note) in notes {
            self.push(|| format!("event {event}, byte {}: {}", note.offset, words(note.kind)));
        }
    }

    pub(super) fn add_to(self, report: &mut Report) {
        report.notes.extend(self.words);
        if self.more > 0 {
            report.notes.push(format!("and {} more", self.more));
        }
    }

    fn push(&mut self, note: impl FnOnce() -> String) {
        if self.words.len() < MOST {
            self.words.push(note());
        } else {
            self.more += 1;
        }
    }
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
