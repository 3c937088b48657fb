//! A second chance for a JSON envelope that a strict parser refuses.
//!
//! Some servers send bodies and chunks that are nearly JSON: a lone surrogate where a token was cut
//! inside a character, `-Infinity` for a log probability, a line feed inside a string. Such an
//! envelope holds an answer that was paid for. [`envelope`] changes only what cannot be data, and
//! says where; it never guesses at structure (no commas, no brackets, no quotes). It is not for the
//! model's own text, which has its own repairs.
//!
//! | sent | read as | why it cannot be data |
//! | --- | --- | --- |
//! | bytes that are not UTF-8 | U+FFFD | JSON is UTF-8 |
//! | a lone surrogate escape in a string, `\udcaf` | `\ufffd` | no character has it |
//! | `NaN`, `Infinity`, `-Infinity` outside strings | `null` | JSON has no such number |
//! | a byte order mark at the start | nothing | it is not part of the text |
//! | a control character in a string | its escape | JSON wants it escaped |
//!
//! ```
//! use tamis_wire::mend::{self, NoteKind};
//!
//! let body = br#"{"text":"caf\udcaf","logprob":-Infinity}"#;
//! let mended = mend::envelope(body).unwrap();
//! assert_eq!(mended.bytes, br#"{"text":"caf\ufffd","logprob":null}"#);
//! assert_eq!(mended.notes[0].kind, NoteKind::LoneSurrogate);
//! assert_eq!(mended.notes[0].offset, 12);
//!
//! assert!(mend::envelope(br#"{"text":"fine"}"#).is_none());
//! ```

mod note;
mod scan;

pub use note::{Mended, Note, NoteKind};

/// Changes what cannot be data in a JSON envelope, or returns `None` where there is nothing of the
/// kind. The result may still not be JSON; parse it as strictly as the first time.
///
/// It never changes JSON that `serde_json` accepts. Time and memory are linear in the length.
pub fn envelope(bytes: &[u8]) -> Option<Mended> {
    scan::Scanner::new(bytes).run()
}
