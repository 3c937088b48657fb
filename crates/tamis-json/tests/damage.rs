//! JSON, damaged as models and providers damage it: what is called complete is what it was.

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::Value;
use tamis_json::{Ending, Policy, repair};

/// Without numbers: two of them without a comma between them are another number, or a version.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        "[a-zA-Z]{1,8}( [a-zA-Z]{1,8}){0,3}[.!?]?".prop_map(Value::from),
    ];
    let key = "[a-z_]{1,8}";
    let tree = leaf.prop_recursive(3, 20, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(key, inner, 1..4).prop_map(|map| map.into_iter().collect()),
        ]
    });
    tree.prop_filter(
        "an object or an array with something in it",
        |value| match value {
            Value::Object(map) => !map.is_empty(),
            Value::Array(items) => items.len() > 1 && items.iter().any(Value::is_object),
            _ => false,
        },
    )
}

/// One way in which JSON comes broken.
#[derive(Debug, Clone, Copy)]
enum Damage {
    Whole,
    Cut(Index),
    /// One of these characters is missing. Not a closing bracket, which is taken to be missing at the end, nor an
    /// opening one of an array, whose closing one is taken to be too many.
    Lacks(char, Index),
    /// One of these outside of strings comes twice.
    Twice(char, Index),
    SingleQuotes,
    Python,
    TrailingCommas,
    Fenced,
    Prose,
    DoublyEncoded,
}

fn damage() -> impl Strategy<Value = Damage> {
    let index = any::<Index>();
    prop_oneof![
        Just(Damage::Whole),
        index.clone().prop_map(Damage::Cut),
        (prop::sample::select(vec![',', ':', '{']), index.clone())
            .prop_map(|(character, index)| Damage::Lacks(character, index)),
        (prop::sample::select(vec![',', ':', '"']), index)
            .prop_map(|(character, index)| Damage::Twice(character, index)),
        Just(Damage::SingleQuotes),
        Just(Damage::Python),
        Just(Damage::TrailingCommas),
        Just(Damage::Fenced),
        Just(Damage::Prose),
        Just(Damage::DoublyEncoded),
    ]
}

impl Damage {
    fn apply(self, text: &str) -> String {
        let at = |character: char, index: Index| -> Option<usize> {
            let places: Vec<usize> = text.match_indices(character).map(|(at, _)| at).collect();
            (!places.is_empty()).then(|| *index.get(&places))
        };
        match self {
            Self::Whole => text.to_owned(),
            Self::Cut(index) => text[..index.index(text.len())].to_owned(),
            Self::Lacks(character, index) => match at(character, index) {
                Some(at) => format!("{}{}", &text[..at], &text[at + 1..]),
                None => text.to_owned(),
            },
            Self::Twice(character, index) => match at(character, index) {
                Some(at) => format!("{}{}", &text[..=at], &text[at..]),
                None => text.to_owned(),
            },
            Self::SingleQuotes => text.replace('"', "'"),
            Self::Python => text
                .replace(":true", ":True")
                .replace(":false", ":False")
                .replace(":null", ":None"),
            Self::TrailingCommas => text
                .replace('}', ",}")
                .replace(']', ",]")
                .replace("{,}", "{}")
                .replace("[,]", "[]"),
            Self::Fenced => format!("```json\n{text}\n```"),
            Self::Prose => {
                format!("Here is the JSON you asked for:\n\n{text}\n\nLet me know if it helps.")
            }
            Self::DoublyEncoded => Value::from(text).to_string(),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn what_is_complete_is_what_it_was(value in value(), damage in damage(), pretty: bool) {
        let text = if pretty { serde_json::to_string_pretty(&value).unwrap() } else { value.to_string() };
        let broken = damage.apply(&text);
        let cut = matches!(damage, Damage::Cut(_));
        let ending = if cut { Ending::Truncated } else { Ending::Natural };
        let policy = Policy::default().ending(ending).wanting(match value {
            Value::Array(_) => tamis_json::Wanted::Array,
            _ => tamis_json::Wanted::Object,
        });
        if let Ok(repaired) = repair(&broken, &policy) {
            prop_assert!(
                !repaired.complete || repaired.value == value,
                "{damage:?}\n{broken}\n{}", repaired.value
            );
        }
    }
}
