//! Where in a text its values are.

use std::collections::{BTreeMap, BTreeSet};

use crate::pointer::push_escaped;

/// Where the values at these addresses are in a JSON text: of a member its key, of an item the value
/// itself, in bytes from the start.
///
/// An address that is not there is not in the result; of a key that came twice the last one is. What
/// a text that is no JSON gives is not defined, but something.
///
/// ```
/// use std::collections::BTreeSet;
/// use tamis_json::{line_and_column, places};
///
/// let text = "{\n  \"a\": [true, {\"b\": 1}]\n}";
/// let found = places(text, &BTreeSet::from(["/a/1/b", "/a/0", ""]));
/// assert_eq!(found["/a/0"], 10);
/// assert_eq!(line_and_column(text, found["/a/1/b"]), (2, 16));
/// assert_eq!(found[""], 0);
/// ```
pub fn places<'p>(text: &str, wanted: &BTreeSet<&'p str>) -> BTreeMap<&'p str, usize> {
    let mut walk = Walk {
        bytes: text.as_bytes(),
        at: 0,
        wanted: Wanted::new(wanted),
        found: BTreeMap::new(),
    };
    walk.run(text);
    walk.found
}

/// What is looked for, as a tree: a place is compared with it key by key, so that a long key costs no more
/// for each of the places under it.
struct Wanted<'p> {
    /// The number of each place under another, by that one's number and the key.
    below: BTreeMap<(usize, &'p str), usize>,
    /// The address of each place, where it was asked for.
    addresses: Vec<Option<&'p str>>,
}

impl<'p> Wanted<'p> {
    /// The place that all others are under.
    const ROOT: usize = 0;

    fn new(all: &BTreeSet<&'p str>) -> Self {
        let mut wanted = Self {
            below: BTreeMap::new(),
            addresses: vec![None],
        };
        for address in all {
            let mut keys = address.split('/');
            // What does not begin with a slash is nowhere.
            if keys.next() != Some("") {
                continue;
            }
            let mut place = Self::ROOT;
            for key in keys {
                let next = wanted.addresses.len();
                place = *wanted.below.entry((place, key)).or_insert(next);
                if place == next {
                    wanted.addresses.push(None);
                }
            }
            if let Some(slot) = wanted.addresses.get_mut(place) {
                *slot = Some(address);
            }
        }
        wanted
    }

    fn below(&self, place: usize, key: &str) -> Option<usize> {
        self.below.get(&(place, key)).copied()
    }

    fn address(&self, place: usize) -> Option<&'p str> {
        self.addresses.get(place).copied().flatten()
    }
}

struct Walk<'t, 'p> {
    bytes: &'t [u8],
    at: usize,
    wanted: Wanted<'p>,
    found: BTreeMap<&'p str, usize>,
}

/// A container that is open.
struct Open {
    /// Its place in what is looked for; none if nothing in it is.
    place: Option<usize>,
    /// Which item is next; none in an object.
    index: Option<usize>,
}

impl Walk<'_, '_> {
    fn run(&mut self, text: &str) {
        let mut place = Some(Wanted::ROOT);
        let mut open: Vec<Open> = Vec::new();
        self.skip_space();
        self.note(Wanted::ROOT, self.at);
        loop {
            self.skip_space();
            let Some(byte) = self.bytes.get(self.at) else {
                return;
            };
            match byte {
                b'{' | b'[' => {
                    open.push(Open {
                        place,
                        index: (*byte == b'[').then_some(0),
                    });
                    self.at += 1;
                    place = self.enter(text, &open);
                }
                b'}' | b']' => {
                    self.at += 1;
                    place = open.pop().and_then(|closed| closed.place);
                }
                b',' => {
                    self.at += 1;
                    if let Some(top) = open.last_mut() {
                        top.index = top.index.map(|index| index + 1);
                    }
                    place = self.enter(text, &open);
                }
                b'"' => self.skip_string(),
                _ => self.at += 1,
            }
        }
    }

    /// Goes to the next member or item of the innermost container, and says its place.
    fn enter(&mut self, text: &str, open: &[Open]) -> Option<usize> {
        self.skip_space();
        let top = open.last()?;
        let start = self.at;
        let place = match (top.index, self.bytes.get(start)) {
            (_, None | Some(b'}' | b']')) => None,
            (Some(index), _) => self.wanted.below(top.place?, &index.to_string()),
            (None, Some(b'"')) => {
                self.skip_string();
                let above = top.place?;
                let literal = text.get(start..self.at).unwrap_or_default();
                let key: String = serde_json::from_str(literal).unwrap_or_default();
                let mut escaped = String::with_capacity(key.len());
                push_escaped(&mut escaped, &key);
                self.wanted.below(above, &escaped)
            }
            (None, _) => None,
        }?;
        self.note(place, start);
        Some(place)
    }

    fn note(&mut self, place: usize, at: usize) {
        if let Some(address) = self.wanted.address(place) {
            self.found.insert(address, at);
        }
    }

    fn skip_space(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn skip_string(&mut self) {
        self.at += 1;
        while let Some(byte) = self.bytes.get(self.at) {
            self.at += match byte {
                b'"' => {
                    self.at += 1;
                    return;
                }
                b'\\' => 2,
                _ => 1,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use serde_json::Value;

    use super::places;

    #[test]
    fn each_kind_of_place() {
        let text = r#" {"a~/b": {"": [[], {"x": 1}]}, "a\"c": null, "d": 1, "d": 2}"#;
        let wanted = BTreeSet::from([
            "",
            "/a~0~1b",
            "/a~0~1b//1/x",
            "/a\"c",
            "/d",
            "/none",
            "/a~0~1b//0",
        ]);
        let found = places(text, &wanted);
        let at = |pointer: &str| &text[found[pointer]..];
        assert!(at("").starts_with('{'));
        assert!(at("/a~0~1b").starts_with("\"a~/b\""));
        assert!(at("/a~0~1b//0").starts_with("[]"));
        assert!(at("/a~0~1b//1/x").starts_with("\"x\""));
        assert!(at("/a\"c").starts_with("\"a\\\"c\""));
        assert!(at("/d").ends_with("\"d\": 2}"));
        assert!(!found.contains_key("/none"));
    }

    #[test]
    fn a_long_key_does_not_cost_for_each_place_under_it() {
        use std::fmt::Write as _;

        let key = "k".repeat(1_000_000);
        let members = (0..100_000).fold(String::new(), |mut members, number| {
            let _ = write!(members, ",\"p{number}\":0");
            members
        });
        let text = format!("{{\"{key}\":{{\"first\":0{members}}}}}");
        let wanted = [format!("/{key}/p99999"), format!("/{key}/p20000")];
        let start = std::time::Instant::now();
        let found = places(&text, &wanted.iter().map(String::as_str).collect());
        assert_eq!(found.len(), 2);
        // Comparing the whole address of each would be 100 GB and more.
        assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
    }

    fn pointers(value: &Value, at: &str, all: &mut Vec<String>) {
        all.push(at.to_owned());
        match value {
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    pointers(item, &format!("{at}/{index}"), all);
                }
            }
            Value::Object(members) => {
                for (key, member) in members {
                    let key = key.replace('~', "~0").replace('/', "~1");
                    pointers(member, &format!("{at}/{key}"), all);
                }
            }
            _ => {}
        }
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<i32>().prop_map(Value::from),
            ".{0,4}".prop_map(Value::from)
        ];
        leaf.prop_recursive(4, 40, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::btree_map(".{0,3}", inner, 0..5)
                    .prop_map(|map| map.into_iter().collect()),
            ]
        })
    }

    proptest! {
        #[test]
        fn every_value_has_its_place(value in value()) {
            let mut all = Vec::new();
            pointers(&value, "", &mut all);
            let wanted: BTreeSet<&str> = all.iter().map(String::as_str).collect();
            for text in [value.to_string(), serde_json::to_string_pretty(&value).unwrap()] {
                prop_assert_eq!(places(&text, &wanted).len(), wanted.len());
            }
        }

        #[test]
        fn nothing_is_too_odd(text in "[{}\\[\\],:\"\\\\a1 é]{0,40}") {
            places(&text, &BTreeSet::from(["", "/0", "/a"]));
        }
    }
}
