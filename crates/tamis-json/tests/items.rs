//! Items of an array, one by one.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::format_push_string,
    reason = "tests may fail loudly, and the generator is shared"
)]

#[path = "common/gen.rs"]
mod generate;

use generate::{cut, cuts, nearly, printed, value};
use proptest::prelude::*;
use serde_json::{Value, json};
use tamis_json::Items;

fn all(parts: &[&[u8]], at: &str) -> Option<Vec<Value>> {
    let mut items = Items::<Value>::at(at.parse().unwrap());
    let mut got = Vec::new();
    for part in parts {
        got.extend(items.push(part).ok()?);
    }
    assert_eq!(items.count(), got.len());
    items.finish().ok()?;
    Some(got)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn each_item_comes_once_and_in_order(list in prop::collection::vec(value(), 0..8), cuts in cuts()) {
        let text = json!({"other": [[1], 2], "the/list": [[], list.clone()]}).to_string();
        let got = all(&cut(text.as_bytes(), &cuts), "/the~1list/1");
        prop_assert_eq!(got, Some(list));
    }

    #[test]
    fn anything_else_has_no_items(text in prop_oneof![printed(), nearly()], cuts in cuts()) {
        let expected = serde_json::from_str::<Value>(&text).ok();
        let got = all(&cut(text.as_bytes(), &cuts), "");
        if let (Some(Value::Array(items)), Some(got)) = (&expected, &got) {
            prop_assert_eq!(items.len(), got.len());
        }
        prop_assert!(expected.is_none() || got.is_some());
    }
}

#[test]
fn an_item_comes_with_its_last_byte() {
    let mut items = Items::<u8>::new();
    assert!(items.push(b"[1, 2").unwrap() == [1]);
    assert!(items.push(b"5").unwrap().is_empty());
    assert!(items.push(b"5 ").unwrap() == [255]);
    let error = items.push(b", 256]").unwrap_err();
    assert_eq!((error.item(), error.parse_error()), (Some(2), None));
    assert_eq!(items.push(b"").unwrap_err(), error);
}

#[test]
fn a_text_that_ends_too_early_is_told() {
    let mut items = Items::<u8>::new();
    items.push(b"[1, 2, ").unwrap();
    assert!(
        items
            .finish()
            .unwrap_err()
            .parse_error()
            .unwrap()
            .is_incomplete()
    );
}
