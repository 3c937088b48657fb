//! What encloses a string, and what was found in it so far.

/// How a string was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quotes {
    /// `"`
    Double,
    /// `'`
    Single,
    /// `` ` ``
    Backtick,
    /// `"""`
    Triple,
    /// `\"`, in a document that was escaped once too often.
    Escaped,
    /// A typographic double quotation mark.
    CurlyDouble,
    /// A typographic single quotation mark.
    CurlySingle,
}

/// The delimiter of the string in progress, and what tells an inner quotation mark from its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Delimiter {
    pub(crate) quotes: Quotes,
    /// Whether a backslash is text.
    pub(crate) raw: bool,
    /// Whether the last quotation mark taken as text closes a quotation that nothing opened.
    pub(crate) closed_nothing: bool,
    /// How many quotation marks were taken as part of the text.
    pub(crate) inner: usize,
    /// Brackets opened and not closed in the text, as far as `counted`.
    pub(crate) brackets: i32,
    pub(crate) counted: usize,
}

impl Delimiter {
    pub(crate) const DOUBLE: Self = Self::new(Quotes::Double);

    pub(crate) const fn new(quotes: Quotes) -> Self {
        Self {
            quotes,
            raw: false,
            closed_nothing: false,
            inner: 0,
            brackets: 0,
            counted: 0,
        }
    }

    /// Whether it is JSON's own.
    pub(crate) fn is_plain(&self) -> bool {
        self.quotes == Quotes::Double && !self.raw
    }

    /// Whether a quotation opened in the text is not closed yet.
    pub(crate) fn is_inside(&self) -> bool {
        self.inner % 2 == 1
    }

    /// Counts brackets in what was added to the text.
    pub(crate) fn count(&mut self, text: &str) {
        for byte in text.as_bytes().get(self.counted..).unwrap_or_default() {
            match byte {
                b'{' | b'[' => self.brackets += 1,
                b'}' | b']' => self.brackets = (self.brackets - 1).max(0),
                _ => {}
            }
        }
        self.counted = text.len();
    }
}
