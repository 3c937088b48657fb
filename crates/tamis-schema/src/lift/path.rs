//! The way to a place in a value, as a JSON Pointer that grows and shrinks.

use std::fmt::Write as _;

#[derive(Debug, Default)]
pub(crate) struct Path(String);

impl Path {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Runs something one step further down.
    pub(crate) fn key(&mut self, key: &str) -> usize {
        let length = self.0.len();
        self.0.push('/');
        if key.contains(['~', '/']) {
            self.0.push_str(&key.replace('~', "~0").replace('/', "~1"));
        } else {
            self.0.push_str(key);
        }
        length
    }

    pub(crate) fn index(&mut self, index: usize) -> usize {
        let length = self.0.len();
        // Writing to a string does not fail.
        let _written = write!(self.0, "/{index}");
        length
    }

    /// Goes back to where `key` or `index` was called.
    pub(crate) fn back(&mut self, length: usize) {
        self.0.truncate(length);
    }
}
