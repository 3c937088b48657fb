//! JSON Pointer (RFC 6901): the address of one value in a document.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde_json::Value;

/// The address of one value in a document: `/items/0/name`; the empty text is the whole document.
///
/// Kept in its escaped form (`~0` for `~`, `~1` for `/`), so printing it and comparing two of them
/// cost nothing.
///
/// ```
/// use tamis_json::Pointer;
///
/// let mut at = Pointer::root();
/// at.push_key("a/b");
/// at.push_index(3);
/// assert_eq!(at.as_str(), "/a~1b/3");
/// assert_eq!(at, "/a~1b/3".parse()?);
/// # Ok::<(), tamis_json::PointerError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pointer {
    text: String,
}

impl Pointer {
    /// The whole document.
    pub const fn root() -> Self {
        Self {
            text: String::new(),
        }
    }

    /// Reads a pointer in its escaped form.
    ///
    /// # Errors
    /// When it is neither empty nor starts with `/`, or when a `~` is not followed by `0` or `1`.
    pub fn parse(text: &str) -> Result<Self, PointerError> {
        if !text.is_empty() && !text.starts_with('/') {
            return Err(PointerError { offset: 0 });
        }
        for (offset, _) in text.match_indices('~') {
            if !matches!(text.as_bytes().get(offset + 1), Some(b'0' | b'1')) {
                return Err(PointerError { offset });
            }
        }
        Ok(Self {
            text: text.to_owned(),
        })
    }

    /// The escaped form.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether this is the whole document.
    pub fn is_root(&self) -> bool {
        self.text.is_empty()
    }

    /// Goes down to the member with this key, which is given as it is, not escaped.
    pub fn push_key(&mut self, key: &str) {
        self.text.push('/');
        push_escaped(&mut self.text, key);
    }

    /// Goes down to the array item at this index.
    pub fn push_index(&mut self, index: usize) {
        use fmt::Write as _;
        // Writing to a `String` cannot fail.
        let _ = write!(self.text, "/{index}");
    }

    /// Goes up one level and hands out the segment left, unescaped; `None` at the root.
    pub fn pop(&mut self) -> Option<String> {
        let slash = self.text.rfind('/')?;
        let segment = self.text.get(slash + 1..).map(|s| unescape(s).into_owned());
        self.text.truncate(slash);
        segment
    }

    /// The address one level down, leaving this one as it is.
    pub fn child(&self, key: &str) -> Self {
        let mut child = self.clone();
        child.push_key(key);
        child
    }

    /// The segments from the root down, unescaped.
    pub fn segments(&self) -> impl DoubleEndedIterator<Item = Cow<'_, str>> {
        let mut segments = self.text.split('/');
        // Before the first slash there is nothing.
        segments.next();
        segments.map(unescape)
    }

    /// How many segments there are.
    pub fn depth(&self) -> usize {
        self.text.bytes().filter(|b| *b == b'/').count()
    }

    /// Whether the value at `self` holds the one at `other`, or is it.
    pub fn contains(&self, other: &Self) -> bool {
        other
            .text
            .strip_prefix(self.text.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// The value at this address.
    pub fn resolve<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        value.pointer(&self.text)
    }

    /// The value at this address, to change it.
    pub fn resolve_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value> {
        value.pointer_mut(&self.text)
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Pointer {
    type Err = PointerError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

impl AsRef<str> for Pointer {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl serde::Serialize for Pointer {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de> serde::Deserialize<'de> for Pointer {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <Cow<'_, str>>::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

/// A text that is no JSON Pointer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointerError {
    offset: usize,
}

impl PointerError {
    /// Where it stops being one, in bytes.
    pub fn offset(&self) -> usize {
        self.offset
    }
}

impl fmt::Display for PointerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a JSON Pointer, from byte {} on", self.offset)
    }
}

impl std::error::Error for PointerError {}

/// Appends a key in its escaped form.
pub(crate) fn push_escaped(out: &mut String, key: &str) {
    let mut rest = key;
    while let Some(at) = rest.find(['~', '/']) {
        out.push_str(rest.get(..at).unwrap_or_default());
        out.push_str(if rest.as_bytes().get(at) == Some(&b'~') {
            "~0"
        } else {
            "~1"
        });
        rest = rest.get(at + 1..).unwrap_or_default();
    }
    out.push_str(rest);
}

fn unescape(segment: &str) -> Cow<'_, str> {
    if segment.contains('~') {
        Cow::Owned(segment.replace("~1", "/").replace("~0", "~"))
    } else {
        Cow::Borrowed(segment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_examples_of_the_rfc_resolve() {
        let doc = serde_json::json!({
            "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4,
            "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8
        });
        for (text, expected) in [
            ("/foo/0", serde_json::json!("bar")),
            ("/", serde_json::json!(0)),
            ("/a~1b", serde_json::json!(1)),
            ("/ ", serde_json::json!(7)),
            ("/m~0n", serde_json::json!(8)),
        ] {
            assert_eq!(Pointer::parse(text).unwrap().resolve(&doc), Some(&expected));
        }
        assert_eq!(Pointer::root().resolve(&doc), Some(&doc));
    }

    #[test]
    fn a_bad_one_says_where() {
        assert_eq!(Pointer::parse("a").unwrap_err().offset(), 0);
        assert_eq!(Pointer::parse("/ok/~2").unwrap_err().offset(), 4);
        assert_eq!(Pointer::parse("/~").unwrap_err().offset(), 1);
    }

    proptest! {
        #[test]
        fn what_is_pushed_comes_back(keys in prop::collection::vec(".*", 0..6)) {
            let mut at = Pointer::root();
            for key in &keys {
                at.push_key(key);
            }
            prop_assert_eq!(at.segments().map(Cow::into_owned).collect::<Vec<_>>(), keys.clone());
            prop_assert_eq!(at.depth(), keys.len());
            prop_assert_eq!(Pointer::parse(at.as_str()).unwrap(), at.clone());
            for key in keys.iter().rev() {
                let popped = at.pop();
                prop_assert_eq!(popped.as_ref(), Some(key));
            }
            prop_assert!(at.is_root() && at.pop().is_none());
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[/~01a]{0,12}") {
            if let Ok(at) = Pointer::parse(&text) {
                prop_assert_eq!(at.to_string(), text);
            }
        }
    }
}
