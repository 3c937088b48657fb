//! The text at hand: the fragment just pushed, after what was left of the last one.

use std::cell::Cell;

/// A cursor over it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Input<'a> {
    text: &'a str,
    pub(crate) pos: usize,
    /// The offset of the text in the whole document.
    base: usize,
    /// Whether nothing comes after it.
    pub(crate) end: bool,
    /// Bytes looked at ahead of the cursor, for the tests of linearity.
    pub(crate) looked: &'a Cell<u64>,
}

impl<'a> Input<'a> {
    #[inline]
    pub(crate) fn new(text: &'a str, base: usize, end: bool, looked: &'a Cell<u64>) -> Self {
        Self {
            text,
            pos: 0,
            base,
            end,
            looked,
        }
    }

    #[inline]
    pub(crate) fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.pos).copied()
    }

    #[inline]
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.pos..).unwrap_or_default()
    }

    #[inline]
    pub(crate) fn rest_text(&self) -> &'a str {
        self.text.get(self.pos..).unwrap_or_default()
    }

    /// The rest, up to about so many bytes.
    pub(crate) fn sight(&self, length: usize) -> &'a str {
        let rest = self.rest_text();
        rest.get(..rest.floor_char_boundary(length))
            .unwrap_or_default()
    }

    /// The offset of the cursor in the whole document.
    #[inline]
    pub(crate) fn offset(&self) -> usize {
        self.base + self.pos
    }

    /// The next `length` bytes; empty when they would cut a character.
    #[inline]
    pub(crate) fn ahead(&self, length: usize) -> &'a str {
        self.text
            .get(self.pos..self.pos + length)
            .unwrap_or_default()
    }

    /// The character at the cursor.
    pub(crate) fn char(&self) -> Option<char> {
        self.rest_text().chars().next()
    }

    #[inline]
    pub(crate) fn skip_space(&mut self) {
        // Most documents have at most one space between tokens.
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.byte() {
            self.pos += 1;
        }
    }
}
