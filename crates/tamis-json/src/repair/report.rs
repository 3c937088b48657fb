//! What was mended: [`Repair`].

use std::fmt;

use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};

/// One mend, and where in the text that was given.
///
/// Serialises as `{"kind", "offset", "length", "message"}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Repair {
    /// What was done.
    pub kind: RepairKind,
    /// Where, in bytes from the start of the text.
    pub offset: usize,
    /// How many bytes were taken out or read otherwise; 0 where something was missing.
    pub length: usize,
}

impl Repair {
    pub(crate) fn new(kind: RepairKind, offset: usize, length: usize) -> Self {
        Self {
            kind,
            offset,
            length,
        }
    }

    /// A sentence about it, without any of the text.
    pub fn message(&self) -> &'static str {
        self.kind.message()
    }
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.offset, self.message())
    }
}

impl Serialize for Repair {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Repair", 4)?;
        fields.serialize_field("kind", self.kind.name())?;
        fields.serialize_field("offset", &self.offset)?;
        fields.serialize_field("length", &self.length)?;
        fields.serialize_field("message", self.message())?;
        fields.end()
    }
}

/// The group of [`Policy`](crate::Policy) that a repair belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RepairGroup {
    /// The document was taken out of the text around it.
    Extraction,
    /// Broken syntax was mended.
    Syntax,
    /// What was open at the end was closed.
    Closing,
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident, $name:literal, $group:ident, $message:literal;)*) => {
        /// The kinds of [`Repair`].
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum RepairKind {
            $($(#[$doc])* $kind,)*
        }

        impl RepairKind {
            /// Every kind.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];

            /// Its name in reports.
            pub fn name(self) -> &'static str {
                match self { $(Self::$kind => $name,)* }
            }

            /// The group of the policy that switches it.
            pub fn group(self) -> RepairGroup {
                match self { $(Self::$kind => RepairGroup::$group,)* }
            }

            /// A sentence about it.
            pub fn message(self) -> &'static str {
                match self { $(Self::$kind => $message,)* }
            }
        }
    };
}

kinds! {
    /// A byte order mark before the text.
    ByteOrderMark, "byte_order_mark", Extraction, "A byte order mark was left out.";
    /// The marks of a Markdown fence.
    Fence, "fence", Extraction, "A Markdown fence was taken off.";
    /// Text before or after the document.
    Prose, "prose", Extraction, "Text around the document was left out.";
    /// What a model thought before it answered.
    Thinking, "thinking", Extraction, "A block of thinking was left out.";
    /// A token of the model's own markup, such as `<|im_end|>`.
    SpecialToken, "special_token", Extraction, "A special token was left out.";
    /// A document written as a JSON string.
    Unwrapped, "unwrapped", Extraction, "The document was taken out of a JSON string.";
    /// The same document once more.
    Duplicate, "duplicate", Extraction, "A second copy of the document was left out.";
    /// No comma between two items.
    MissingComma, "missing_comma", Syntax, "A missing comma was added.";
    /// A comma too many.
    ExtraComma, "extra_comma", Syntax, "A comma too many was left out.";
    /// No colon after a key, or another sign in its place.
    MissingColon, "missing_colon", Syntax, "A missing colon was added.";
    /// A colon too many.
    ExtraColon, "extra_colon", Syntax, "A colon too many was left out.";
    /// Another quotation mark than `"`.
    WrongQuote, "wrong_quote", Syntax, "Another quotation mark was read as a double quote.";
    /// A string with one quotation mark only.
    MissingQuote, "missing_quote", Syntax, "A missing quotation mark was added.";
    /// A key without quotation marks.
    UnquotedKey, "unquoted_key", Syntax, "A key without quotation marks was taken as it is.";
    /// A text without quotation marks.
    UnquotedText, "unquoted_text", Syntax, "A text without quotation marks was taken as a string.";
    /// A quotation mark inside a string.
    UnescapedQuote, "unescaped_quote", Syntax, "A quotation mark inside a string was escaped.";
    /// A raw line break, tab or other control character.
    ControlCharacter, "control_character", Syntax, "A raw control character was taken as it is.";
    /// An escape that JSON does not know.
    BadEscape, "bad_escape", Syntax, "An escape that JSON does not know was read as text.";
    /// Two strings joined by a plus.
    Concatenation, "concatenation", Syntax, "Two strings with a plus between them were joined.";
    /// A comment.
    Comment, "comment", Syntax, "A comment was left out.";
    /// `...` in place of items.
    Ellipsis, "ellipsis", Syntax, "An ellipsis was left out.";
    /// A literal in another language's spelling.
    Literal, "literal", Syntax, "A literal of another language was read as JSON's.";
    /// `NaN` or an infinity.
    NotANumber, "not_a_number", Syntax, "NaN or an infinity was replaced by null.";
    /// A number in a spelling that JSON does not know.
    NumberSpelling, "number_spelling", Syntax, "A number was brought into JSON's spelling.";
    /// A space that JSON does not know.
    WrongSpace, "wrong_space", Syntax, "A space that JSON does not know was left out.";
    /// A bracket that closes or opens nothing.
    StrayBracket, "stray_bracket", Syntax, "A bracket that belongs to nothing was left out.";
    /// A bracket of the wrong kind.
    WrongBracket, "wrong_bracket", Syntax, "A bracket of another kind was replaced.";
    /// A bracket missing inside the document.
    MissingBracket, "missing_bracket", Syntax, "A missing bracket was added.";
    /// A function's name around a value.
    Call, "call", Syntax, "A call around a value was taken off.";
    /// A bracket missing at the end of the text.
    ClosedBracket, "closed_bracket", Closing, "A bracket left open at the end was closed.";
    /// A string open at the end of the text.
    ClosedString, "closed_string", Closing, "A string left open at the end was closed.";
    /// A key, number, literal or comma at the end of the text that says nothing without what would
    /// have come after it.
    CutTail, "cut_tail", Closing, "An unfinished end was left out.";
}

/// A set of kinds.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Kinds(u64);

impl Kinds {
    pub(crate) const fn of(kinds: &[RepairKind]) -> Self {
        let mut set = 0;
        let mut rest = kinds;
        while let [first, after @ ..] = rest {
            set |= 1 << *first as u8;
            rest = after;
        }
        Self(set)
    }

    pub(crate) fn add(&mut self, kind: RepairKind) {
        self.0 |= 1 << kind as u8;
    }

    pub(crate) fn contains(self, kind: RepairKind) -> bool {
        self.0 >> kind as u8 & 1 == 1
    }

    /// Whether there is a kind in both.
    pub(crate) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl fmt::Display for RepairKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for RepairKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
