//! Whether a text is JSON, or was until it was cut, seen without building anything.
//!
//! A vain strict reading costs more than a short text is worth: it builds half a value and an error.

use crate::number::is_plain_number;
use crate::parser::plain_length;

/// What a byte can be outside of strings.
mod class {
    pub(super) const OTHER: u8 = 0;
    pub(super) const SPACE: u8 = 1;
    pub(super) const QUOTE: u8 = 2;
    /// The first byte of a number or a literal.
    pub(super) const SCALAR: u8 = 3;
    pub(super) const COLON: u8 = 4;
    pub(super) const COMMA: u8 = 5;
    pub(super) const OBJECT: u8 = 6;
    pub(super) const ARRAY: u8 = 7;
    pub(super) const OBJECT_END: u8 = 8;
    pub(super) const ARRAY_END: u8 = 9;
}

/// The class of every byte.
const CLASSES: [u8; 256] = classes();

#[expect(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "evaluated at compile time, over all 256 bytes"
)]
const fn classes() -> [u8; 256] {
    let mut classes = [class::OTHER; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b' ' | b'\n' | b'\r' | b'\t' => class::SPACE,
            b'"' => class::QUOTE,
            b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => class::SCALAR,
            b':' => class::COLON,
            b',' => class::COMMA,
            b'{' => class::OBJECT,
            b'[' => class::ARRAY,
            b'}' => class::OBJECT_END,
            b']' => class::ARRAY_END,
            _ => class::OTHER,
        };
        byte += 1;
    }
    classes
}

/// What may come next: a set of classes.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Expected(u16);

impl Expected {
    const NOTHING: Self = Self(0);
    const VALUE: Self = Self::of(&[class::QUOTE, class::SCALAR, class::OBJECT, class::ARRAY]);
    const FIRST_ITEM: Self = Self(Self::VALUE.0 | Self::of(&[class::ARRAY_END]).0);
    const KEY: Self = Self::of(&[class::QUOTE]);
    const FIRST_KEY: Self = Self::of(&[class::QUOTE, class::OBJECT_END]);
    const COLON: Self = Self::of(&[class::COLON]);
    const AFTER_ITEM: Self = Self::of(&[class::COMMA, class::ARRAY_END]);
    const AFTER_MEMBER: Self = Self::of(&[class::COMMA, class::OBJECT_END]);

    const fn of(classes: &[u8]) -> Self {
        let mut set = 0;
        let mut rest = classes;
        while let [first, after @ ..] = rest {
            set |= 1 << *first;
            rest = after;
        }
        Self(set)
    }

    fn has(self, class: u8) -> bool {
        self.0 >> class & 1 == 1
    }
}

/// The open containers, one bit each: set for an object.
#[derive(Clone, Copy)]
struct Open {
    bits: u128,
    depth: u32,
}

impl Open {
    /// What may come after a value here.
    fn after_value(self) -> Expected {
        match (self.depth, self.bits & 1) {
            (0, _) => Expected::NOTHING,
            (_, 0) => Expected::AFTER_ITEM,
            _ => Expected::AFTER_MEMBER,
        }
    }

    fn push(&mut self, object: bool) -> bool {
        self.bits = self.bits << 1 | u128::from(object);
        self.depth += 1;
        self.depth < u128::BITS
    }

    fn pop(&mut self) {
        self.bits >>= 1;
        self.depth -= 1;
    }
}

/// What a text looks like. Escapes by number and keys that come twice are not looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// JSON, without a number that a float may round.
    Whole,
    /// The same, but for its end: a container is open.
    Cut,
    Other,
}

/// The form of a text.
pub(crate) fn form(text: &[u8]) -> Form {
    let mut open = Open { bits: 0, depth: 0 };
    let mut expected = Expected::VALUE;
    let mut rest = text;
    while let [byte, after @ ..] = rest {
        let class = CLASSES.get(usize::from(*byte)).copied().unwrap_or_default();
        if class == class::SPACE {
            rest = after;
            continue;
        }
        if !expected.has(class) {
            return Form::Other;
        }
        if class == class::QUOTE {
            rest = match behind_string(after) {
                Some(behind) => behind,
                None if open.depth > 0 && !has_control(after) => return Form::Cut,
                None => return Form::Other,
            };
            let key = expected == Expected::KEY || expected == Expected::FIRST_KEY;
            expected = if key {
                Expected::COLON
            } else {
                open.after_value()
            };
            continue;
        }
        if class == class::SCALAR {
            rest = match behind_scalar(rest) {
                Some(behind) => behind,
                None => return Form::Other,
            };
            expected = open.after_value();
            continue;
        }
        rest = after;
        expected = if class == class::COLON {
            Expected::VALUE
        } else if class == class::COMMA {
            if open.bits & 1 == 1 {
                Expected::KEY
            } else {
                Expected::VALUE
            }
        } else if class <= class::ARRAY {
            let object = class == class::OBJECT;
            if !open.push(object) {
                return Form::Other;
            }
            if object {
                Expected::FIRST_KEY
            } else {
                Expected::FIRST_ITEM
            }
        } else {
            open.pop();
            open.after_value()
        };
    }
    if expected == Expected::NOTHING {
        Form::Whole
    } else if open.depth > 0 {
        Form::Cut
    } else {
        Form::Other
    }
}

/// What comes behind the number or the literal here.
fn behind_scalar(text: &[u8]) -> Option<&[u8]> {
    let behind = match text {
        [b't', b'r', b'u', b'e', behind @ ..]
        | [b'f', b'a', b'l', b's', b'e', behind @ ..]
        | [b'n', b'u', b'l', b'l', behind @ ..]
        // Most numbers are small.
        | [b'0'..=b'9', behind @ ..] => behind,
        _ => text,
    };
    if behind.len() < text.len() && !behind.first().is_some_and(|b| in_scalar(*b)) {
        return Some(behind);
    }
    let length = text.iter().take_while(|b| in_scalar(**b)).count();
    let (number, behind) = text.split_at_checked(length)?;
    is_plain_number(number).then_some(behind)
}

fn in_scalar(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

fn has_control(text: &[u8]) -> bool {
    text.iter().any(u8::is_ascii_control)
}

/// What comes behind the string that was opened.
fn behind_string(mut rest: &[u8]) -> Option<&[u8]> {
    loop {
        match rest.get(plain_length(rest)..)? {
            [b'"', behind @ ..] => return Some(behind),
            [
                b'\\',
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' | b'u',
                behind @ ..,
            ] => rest = behind,
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

    #[test]
    fn what_is_no_json_is_seen() {
        for text in [
            "",
            "{",
            "[1,]",
            "{,}",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\" 1}",
            "[1 2]",
            "[1}",
            "{\"a\":1]",
            "1 2",
            "tru",
            "nulL",
            "01",
            "-",
            "[\"a\nb\"]",
            "\"a",
            "{a:1}",
            "['a']",
            "{}{}",
            "//",
            "[1]]",
        ] {
            assert_ne!(form(text.as_bytes()), Form::Whole, "{text}");
        }
    }

    #[test]
    fn numbers_that_need_a_closer_look_are_left() {
        for text in ["1234567890123456", "[1e5]", "0.12345678901234567"] {
            assert_ne!(form(text.as_bytes()), Form::Whole, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_json_has_its_form(text in r#"[\[\]{}:, \n"\\u01aeltrufns-]{0,24}"#) {
            let value = serde_json::from_str::<Value>(&text);
            let number = |b: u8| matches!(b, b'e' | b'E' | b'.');
            if value.is_ok() && !text.bytes().any(number) {
                prop_assert_eq!(form(text.as_bytes()), Form::Whole, "{}", text);
            }
        }
    }

    proptest! {
        #[test]
        fn what_has_the_form_is_json(text in r#"[\[\]{}:, "01a-]{0,16}"#) {
            if form(text.as_bytes()) == Form::Whole {
                prop_assert!(serde_json::from_str::<Value>(&text).is_ok(), "{}", text);
            }
        }
    }
}
