//! What a text without quotation marks says: a number or a literal in any spelling, or just text.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde_json::Value;

use super::report::RepairKind;
use crate::note::NoteKind;
use crate::number::is_number;
use crate::parser::{Literal, number_value};

/// What a text without quotation marks says.
#[derive(Debug, PartialEq)]
pub(crate) enum Meaning {
    /// A value, and the repair that made it one.
    Value(Value, Option<RepairKind>),
    /// A number that no number type holds without loss, and what else was done to read it.
    Noted(Value, NoteKind, Option<RepairKind>),
    Text,
}

/// Literals, and what else stands for one.
static LITERALS: [(&str, Option<Literal>, Option<RepairKind>); 26] = {
    use Literal::{False, Null, True};
    use RepairKind::{Literal as Spelling, NotANumber};
    [
        ("true", Some(True), None),
        ("false", Some(False), None),
        ("null", Some(Null), None),
        ("True", Some(True), Some(Spelling)),
        ("False", Some(False), Some(Spelling)),
        ("None", Some(Null), Some(Spelling)),
        ("TRUE", Some(True), Some(Spelling)),
        ("FALSE", Some(False), Some(Spelling)),
        ("NULL", Some(Null), Some(Spelling)),
        ("Null", Some(Null), Some(Spelling)),
        ("nil", Some(Null), Some(Spelling)),
        ("<nil>", Some(Null), Some(Spelling)),
        ("undefined", Some(Null), Some(Spelling)),
        ("NaN", Some(Null), Some(NotANumber)),
        ("nan", Some(Null), Some(NotANumber)),
        ("-NaN", Some(Null), Some(NotANumber)),
        ("Infinity", Some(Null), Some(NotANumber)),
        ("-Infinity", Some(Null), Some(NotANumber)),
        ("+Infinity", Some(Null), Some(NotANumber)),
        ("infinity", Some(Null), Some(NotANumber)),
        ("-infinity", Some(Null), Some(NotANumber)),
        ("inf", Some(Null), Some(NotANumber)),
        ("-inf", Some(Null), Some(NotANumber)),
        ("+inf", Some(Null), Some(NotANumber)),
        ("Inf", Some(Null), Some(NotANumber)),
        ("-Inf", Some(Null), Some(NotANumber)),
    ]
};

/// What a text says.
pub(crate) fn meaning(text: &str) -> Meaning {
    if !has_digit(text) {
        // Most texts are words. What follows is for numbers only.
        return word(text).map_or(Meaning::Text, |(_, literal, repair)| {
            let value = literal.map_or(Value::Null, Literal::value);
            Meaning::Value(value, *repair)
        });
    }
    if let Some((value, note)) = number_value(text) {
        return match note {
            None => Meaning::Value(value, None),
            Some(note) => Meaning::Noted(value, note, None),
        };
    }
    let respelled = Spelling::of(text).and_then(Spelling::in_json);
    match respelled.and_then(|number| number_value(&number)) {
        Some((value, None)) => Meaning::Value(value, Some(RepairKind::NumberSpelling)),
        Some((value, Some(note))) => Meaning::Noted(value, note, Some(RepairKind::NumberSpelling)),
        None if is_long_hex(text) => {
            let value = Value::String(text.to_owned());
            Meaning::Noted(
                value,
                NoteKind::NumberAsText,
                Some(RepairKind::UnquotedText),
            )
        }
        None => Meaning::Text,
    }
}

/// Whether a text is a number or a literal.
pub(crate) fn is_scalar(text: &str) -> bool {
    if !has_digit(text) {
        return word(text).is_some();
    }
    is_number(text)
        || is_long_hex(text)
        || Spelling::of(text).is_some_and(|spelling| match spelling {
            Spelling::Hexadecimal { .. } => true,
            // The rest of the grammar is the same.
            Spelling::Decimal { .. } => spelling.in_json().is_some_and(|number| is_number(&number)),
        })
}

/// Whether a literal begins with this text.
pub(crate) fn begins_literal(text: &str) -> bool {
    !text.is_empty() && LITERALS.iter().any(|(word, ..)| word.starts_with(text))
}

/// A text without the space at its end. Most have none.
pub(super) fn trimmed(text: &str) -> &str {
    match text.as_bytes().last() {
        Some(last) if last.is_ascii_graphic() => text,
        _ => text.trim_end(),
    }
}

fn word(text: &str) -> Option<&'static (&'static str, Option<Literal>, Option<RepairKind>)> {
    const LONGEST: usize = "undefined".len();
    if text.len() > LONGEST {
        return None;
    }
    LITERALS.iter().find(|(word, ..)| *word == text)
}

/// A number in a spelling that JSON does not know.
#[derive(Debug, Clone, Copy)]
enum Spelling<'t> {
    Hexadecimal {
        negative: bool,
        number: u64,
    },
    Decimal {
        negative: bool,
        /// Digits, and what sets off groups of them.
        whole: &'t str,
        fraction: &'t str,
        /// With its letter.
        exponent: &'t str,
    },
}

impl<'t> Spelling<'t> {
    fn of(text: &'t str) -> Option<Self> {
        let (negative, digits) = match text.as_bytes().first()? {
            b'-' => (true, text.get(1..)?),
            b'+' => (false, text.get(1..)?),
            _ => (false, text),
        };
        if !has_digit(digits) {
            return None;
        }
        let hex = digits
            .strip_prefix("0x")
            .or_else(|| digits.strip_prefix("0X"));
        if let Some(hex) = hex {
            let number = u64::from_str_radix(hex, 16).ok()?;
            return Some(Self::Hexadecimal { negative, number });
        }
        let known = |b: u8| {
            matches!(
                b,
                b'0'..=b'9' | b'.' | b',' | b'_' | b'e' | b'E' | b'+' | b'-'
            )
        };
        if !digits.bytes().all(known) {
            return None;
        }
        let (mantissa, exponent) = match digits.bytes().position(|b| matches!(b, b'e' | b'E')) {
            Some(at) => digits.split_at_checked(at)?,
            None => (digits, ""),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let lone_sign = mantissa.len() < 2 && !has_digit(mantissa);
        let apart = |b: u8| matches!(b, b',' | b'_');
        if lone_sign || fraction.bytes().chain(exponent.bytes()).any(apart) || !separated(whole) {
            return None;
        }
        Some(Self::Decimal {
            negative,
            whole,
            fraction,
            exponent,
        })
    }

    /// In the spelling that JSON knows.
    fn in_json(self) -> Option<Cow<'t, str>> {
        if let Self::Decimal {
            negative: false,
            whole,
            fraction: "",
            exponent: "",
        } = self
        {
            // The most common: a plus sign, or zeros in front.
            let digits = whole.trim_start_matches('0');
            if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
                return Some(Cow::Borrowed(digits));
            }
        }
        let mut out = String::new();
        match self {
            Self::Hexadecimal { negative, number } => {
                let sign = if negative { "-" } else { "" };
                write!(out, "{sign}{number}").ok()?;
            }
            Self::Decimal {
                negative,
                whole,
                fraction,
                exponent,
            } => {
                out.reserve(whole.len() + fraction.len() + exponent.len() + 3);
                if negative {
                    out.push('-');
                }
                let digits = whole.trim_start_matches(['0', ',', '_']);
                if has_digit(digits) {
                    out.extend(digits.chars().filter(char::is_ascii_digit));
                } else {
                    out.push('0');
                }
                if !fraction.is_empty() {
                    out.push('.');
                }
                out.push_str(fraction);
                out.push_str(exponent);
            }
        }
        Some(Cow::Owned(out))
    }
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|b| b.is_ascii_digit())
}

/// Whether separators, if any, stand where a reader of numbers puts them.
fn separated(whole: &str) -> bool {
    if whole.bytes().all(|b| b.is_ascii_digit()) {
        return true;
    }
    if whole.contains(',') {
        let mut groups = whole.split(',');
        let first = groups.next().unwrap_or_default();
        return (1..=3).contains(&first.len())
            && first.bytes().all(|b| b.is_ascii_digit())
            && groups.all(|g| g.len() == 3 && g.bytes().all(|b| b.is_ascii_digit()));
    }
    whole
        .split('_')
        .all(|group| group.bytes().all(|b| b.is_ascii_digit()))
        && !whole.starts_with('_')
        && !whole.ends_with('_')
}

/// Whether a text is literals and a number without anything between them.
pub(crate) fn is_literals(text: &str) -> bool {
    let number = |b: char| b.is_ascii_digit() || matches!(b, '-' | '.');
    let mut rest = text.trim_start_matches(number);
    while let Some(after) = ["null", "true", "false"]
        .iter()
        .find_map(|word| rest.strip_prefix(word))
    {
        rest = after;
    }
    rest.len() < text.len() && rest.chars().all(number) && text.contains(char::is_alphabetic)
}

/// Whether a text is a hexadecimal number that no JSON number type holds.
fn is_long_hex(text: &str) -> bool {
    let digits = text.trim_start_matches(['-', '+']);
    let hex = digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"));
    hex.is_some_and(|hex| hex.len() > 16 && hex.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// Whether a text is the beginning of a number, but none.
pub(crate) fn ends_as_no_number(text: &str) -> bool {
    let number = text.strip_prefix('-').unwrap_or(text);
    match number.as_bytes() {
        [] => !text.is_empty(),
        [head @ .., b'.' | b'e' | b'E'] | [head @ .., b'e' | b'E', b'+' | b'-'] => {
            !head.is_empty() && head.iter().all(|b| b.is_ascii_digit() || *b == b'.')
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn numbers_in_other_spellings() {
        for (text, value) in [
            ("+5", json!(5)),
            ("007", json!(7)),
            ("-012", json!(-12)),
            (".5", json!(0.5)),
            ("5.", json!(5)),
            ("1_000", json!(1000)),
            ("1,234.50", json!(1234.5)),
            ("-2,000.00", json!(-2000.0)),
            ("0x1F", json!(31)),
        ] {
            let expected = Meaning::Value(value, Some(RepairKind::NumberSpelling));
            assert_eq!(meaning(text), expected, "{text}");
            assert!(is_scalar(text), "{text}");
        }
        for text in [
            "1.1.1",
            "1/3",
            "2notanumber",
            "-e5",
            "e",
            "05e",
            "1,23",
            "12,3456",
            "-",
            ".",
        ] {
            assert_eq!(meaning(text), Meaning::Text, "{text}");
            assert!(!is_scalar(text), "{text}");
        }
    }

    #[test]
    fn literals_of_other_languages() {
        assert_eq!(
            meaning("True"),
            Meaning::Value(json!(true), Some(RepairKind::Literal))
        );
        assert_eq!(
            meaning("-Infinity"),
            Meaning::Value(json!(null), Some(RepairKind::NotANumber))
        );
        assert_eq!(meaning("null"), Meaning::Value(json!(null), None));
        assert_eq!(meaning("truely"), Meaning::Text);
    }

    proptest! {
        #[test]
        fn what_has_another_meaning_than_text_is_a_scalar(text in "[-+]?(0[xX])?[0-9a-fE._,+-]{0,8}") {
            prop_assert_eq!(is_scalar(&text), meaning(&text) != Meaning::Text, "{}", text);
        }
    }
}
