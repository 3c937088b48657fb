//! How much a document may ask for.

/// What a parser accepts at most.
///
/// ```
/// use tamis_json::{Limits, Parser};
///
/// let mut parser = Parser::with_limits(Limits::default().depth(2));
/// assert!(parser.push(b"[[[").is_err_and(|e| e.is_limit()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub(crate) depth: usize,
    pub(crate) bytes: usize,
}

impl Limits {
    /// The deepest nesting that can be asked for. A `serde_json::Value` is dropped, compared and
    /// printed by recursion, so a deeper one could overflow the stack of whoever holds it.
    pub const DEEPEST: usize = 1024;

    /// How many arrays and objects may be open at once: 128 unless set, and
    /// [`DEEPEST`](Self::DEEPEST) at most.
    pub fn depth(mut self, depth: usize) -> Self {
        self.depth = depth.min(Self::DEEPEST);
        self
    }

    /// How many bytes a document may have: 64 MiB unless set.
    pub fn bytes(mut self, bytes: usize) -> Self {
        self.bytes = bytes;
        self
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: 128,
            bytes: 64 << 20,
        }
    }
}
