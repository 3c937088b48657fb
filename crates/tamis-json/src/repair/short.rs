//! The short way for a short text that is JSON, and for any that is JSON up to its end, where it was
//! cut: the most common kind of broken text there is.
//!
//! It gives what the mending machine gives, and leaves to it whatever needs a second look; the
//! tests compare the two.

use serde_json::{Map, Value};

use super::policy::{Ending, Policy};
use super::report::{Repair, RepairKind};
use super::{Note, Repaired};
use crate::parser::{number_value, plain_length};

/// Reads a text whose form [`glance`](super::glance) has found to be that of JSON. `None` where
/// something in it needs a closer look.
pub(crate) fn read_whole(text: &str) -> Option<Value> {
    let mut reader = Reader::new(text, Ending::Natural);
    reader.pass_space();
    let value = reader.value()?;
    reader.pass_space();
    (reader.at == text.len() && reader.repairs.is_empty()).then_some(value)
}

/// Reads a text whose form [`glance`](super::glance) has found to be that of a document that was
/// cut. `None` where the machine has to decide.
pub(crate) fn read_cut(text: &str, policy: &Policy) -> Option<Repaired> {
    if !(policy.extraction && policy.syntax && policy.closing) {
        return None;
    }
    let mut reader = Reader::new(text, policy.ending);
    reader.pass_space();
    let value = reader.value()?;
    Some(Repaired {
        value,
        complete: reader.natural && !reader.cut,
        repairs: reader.repairs,
        notes: Vec::<Note>::new(),
    })
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    /// Where the last comma is.
    comma: usize,
    natural: bool,
    /// Whether something was cut, rather than only brackets left out.
    cut: bool,
    repairs: Vec<Repair>,
}

/// A string, and whether its closing quotation mark is there.
struct Text {
    text: String,
    closed: bool,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, ending: Ending) -> Self {
        Self {
            text,
            at: 0,
            comma: 0,
            natural: ending == Ending::Natural,
            cut: false,
            repairs: Vec::new(),
        }
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'t [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    fn pass_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.byte() {
            self.at += 1;
        }
    }

    fn mend(&mut self, kind: RepairKind, start: usize) {
        let length = match kind {
            RepairKind::CutTail => self.text.len() - start,
            _ => 0,
        };
        self.repairs.push(Repair::new(kind, start, length));
    }

    /// What begins at `start` says nothing without what would have come.
    fn cut_from(&mut self, start: usize) {
        self.mend(RepairKind::CutTail, start);
        self.cut = true;
    }

    /// As deep as [`glance`](super::glance) allows.
    fn value(&mut self) -> Option<Value> {
        match self.byte()? {
            b'{' => self.object(),
            b'[' => self.array(),
            b'"' => {
                let text = self.string()?;
                if !text.closed {
                    if self.natural && text.text.trim_end().ends_with(['}', ']', ')']) {
                        return None;
                    }
                    self.mend(RepairKind::ClosedString, self.text.len());
                    self.cut = true;
                }
                Some(Value::String(text.text))
            }
            _ => self.scalar(),
        }
    }

    fn scalar(&mut self) -> Option<Value> {
        let start = self.at;
        while self
            .byte()
            .is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
        {
            self.at += 1;
        }
        match self.text.get(start..self.at)? {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            "null" => Some(Value::Null),
            number => match number_value(number)? {
                (value, None) => Some(value),
                _ => None,
            },
        }
    }

    fn array(&mut self) -> Option<Value> {
        self.at += 1;
        let mut items = Vec::new();
        self.pass_space();
        match self.byte() {
            Some(b']') => {
                self.at += 1;
                return Some(Value::Array(items));
            }
            None => self.cut = true,
            Some(_) => loop {
                items.push(self.value()?);
                self.pass_space();
                match self.byte() {
                    None => break,
                    Some(b']') => {
                        self.at += 1;
                        return Some(Value::Array(items));
                    }
                    Some(b',') => self.pass_comma(),
                    Some(_) => return None,
                }
                if self.byte().is_none() {
                    self.cut_comma();
                    break;
                }
            },
        }
        self.mend(RepairKind::ClosedBracket, self.text.len());
        Some(Value::Array(items))
    }

    fn object(&mut self) -> Option<Value> {
        self.at += 1;
        let mut map = Map::new();
        self.pass_space();
        match self.byte() {
            Some(b'}') => {
                self.at += 1;
                return Some(Value::Object(map));
            }
            None => self.cut = true,
            Some(_) => {
                while self.member(&mut map)? {
                    self.pass_space();
                    match self.byte() {
                        None => break,
                        Some(b'}') => {
                            self.at += 1;
                            return Some(Value::Object(map));
                        }
                        Some(b',') => self.pass_comma(),
                        Some(_) => return None,
                    }
                    if self.byte().is_none() {
                        self.cut_comma();
                        break;
                    }
                }
            }
        }
        self.mend(RepairKind::ClosedBracket, self.text.len());
        Some(Value::Object(map))
    }

    fn pass_comma(&mut self) {
        self.comma = self.at;
        self.at += 1;
        self.pass_space();
    }

    fn cut_comma(&mut self) {
        self.repairs
            .push(Repair::new(RepairKind::CutTail, self.comma, 1));
        self.cut = true;
    }

    /// Reads a member; says whether its value had begun.
    fn member(&mut self, map: &mut Map<String, Value>) -> Option<bool> {
        let start = self.at;
        let key = self.string()?;
        if !key.closed {
            self.cut_from(start);
            return Some(false);
        }
        self.pass_space();
        match self.byte() {
            None => {
                self.cut_from(start);
                return Some(false);
            }
            Some(b':') => self.at += 1,
            Some(_) => return None,
        }
        self.pass_space();
        if self.byte().is_none() {
            self.cut_from(start);
            return Some(false);
        }
        let value = self.value()?;
        map.insert(key.text, value).is_none().then_some(true)
    }

    fn string(&mut self) -> Option<Text> {
        self.at += 1;
        let mut text = String::new();
        loop {
            let length = plain_length(self.rest());
            let plain = self.text.get(self.at..self.at + length)?;
            self.at += length;
            if text.is_empty() {
                plain.clone_into(&mut text);
            } else {
                text.push_str(plain);
            }
            match self.rest() {
                [] => {
                    return Some(Text {
                        text,
                        closed: false,
                    });
                }
                [b'"', ..] => {
                    self.at += 1;
                    return Some(Text { text, closed: true });
                }
                [b'\\', escape, ..] => {
                    text.push(match escape {
                        b'"' => '"',
                        b'\\' => '\\',
                        b'/' => '/',
                        b'n' => '\n',
                        b't' => '\t',
                        b'r' => '\r',
                        b'b' => '\u{8}',
                        b'f' => '\u{c}',
                        // Halves of pairs and broken escapes are for the machine.
                        _ => return None,
                    });
                    self.at += 2;
                }
                _ => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repair::Repairer;
    use crate::repair::glance::{Form, form};
    use proptest::prelude::*;

    fn long_way(text: &str, policy: &Policy) -> Option<Repaired> {
        let mut repairer = Repairer::new(policy.clone());
        repairer.push(text.as_bytes()).ok()?;
        repairer.finish().ok()
    }

    fn agrees(text: &str) -> Result<(), TestCaseError> {
        for policy in [
            Policy::default(),
            Policy::default().ending(Ending::Truncated),
        ] {
            if form(text.as_bytes()) == Form::Cut
                && let Some(short) = read_cut(text, &policy)
            {
                prop_assert_eq!(Some(short), long_way(text, &policy), "{}", text);
            }
        }
        if form(text.as_bytes()) == Form::Whole
            && let Some(short) = read_whole(text)
        {
            let long = long_way(text, &Policy::default());
            prop_assert_eq!(Some(short), long.map(|long| long.value), "{}", text);
        }
        Ok(())
    }

    #[test]
    fn most_short_documents_are_read_here() {
        for text in [
            "1",
            " true\n",
            "\"a\"",
            "{}",
            "[]",
            "{\"a\": [1, -2.5, null, {\"b\": \"c\\n\"}]}",
        ] {
            assert_eq!(form(text.as_bytes()), Form::Whole, "{text}");
            assert_eq!(read_whole(text), serde_json::from_str(text).ok(), "{text}");
        }
        // A key that comes twice, and an escape by number.
        for text in [r#"{"a": 1, "a": 2}"#, r#"["\ud83d\ude00"]"#] {
            assert_eq!(read_whole(text), None, "{text}");
        }
    }

    #[test]
    fn most_cut_texts_are_read_here() {
        for text in [
            "{",
            "[",
            "{\"a\"",
            "{\"a\":",
            "{\"a\":1",
            "{\"a\":1,",
            "{\"a\":[true,{\"b\":\"c",
            "[[1,2],[3",
            "{\"a\\n",
        ] {
            assert_eq!(form(text.as_bytes()), Form::Cut, "{text}");
            let policy = Policy::default();
            let short = read_cut(text, &policy);
            assert!(short.is_some(), "{text}");
            assert_eq!(short, long_way(text, &policy), "{text}");
        }
    }

    fn json() -> impl Strategy<Value = Value> {
        let text = r#"[a-c :,"{}()\[\]\\\n/é]{0,6}"#;
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (-2000..2000_i32).prop_map(Value::from),
            (-20..20_i32).prop_map(|n| Value::from(f64::from(n) / 4.0)),
            text.prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 4, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec((text, inner), 0..4)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

        #[test]
        fn the_machine_gives_the_same(value in json(), pretty in any::<bool>(), share in 0.0..1.0_f64) {
            let text = if pretty {
                serde_json::to_string_pretty(&value).unwrap_or_default()
            } else {
                value.to_string()
            };
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "a share of a short text")]
            let end = text.floor_char_boundary((text.len() as f64 * share) as usize);
            agrees(text.get(..end).unwrap_or_default())?;
        }

        #[test]
        fn on_any_text_of_its_form(text in r#"[\[{][\[\]{}:, \n"\\ea01t.-]{0,16}"#) {
            agrees(&text)?;
        }
    }
}
