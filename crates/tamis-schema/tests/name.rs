//! Names of schemas: what upstreams take and what they do not.

use proptest::prelude::*;
use tamis_schema::{NameErrorKind, check_name};

#[test]
fn names_that_upstreams_take() {
    for name in [
        "a",
        "0",
        "_",
        "-",
        "shipping_info",
        "A-Z_09",
        &"x".repeat(64),
    ] {
        assert_eq!(check_name(name), Ok(()), "{name}");
    }
}

#[test]
fn an_error_names_the_character_by_code_point() {
    for (name, message) in [
        ("", "the schema's name is empty"),
        (
            "name\n",
            "character 5 of the schema's name is U+000A (a line feed), ",
        ),
        (
            "name\r\n",
            "character 5 of the schema's name is U+000D (a carriage return), ",
        ),
        (
            "my name",
            "character 3 of the schema's name is U+0020 (a space), ",
        ),
        ("a.b", "character 2 of the schema's name is U+002E, "),
        (
            "\0",
            "character 1 of the schema's name is U+0000 (a control character), ",
        ),
        (
            "caf\u{e9}",
            "character 4 of the schema's name is U+00E9 (a letter outside ASCII), ",
        ),
        // Looks like an `a`.
        (
            "d\u{430}ta",
            "character 2 of the schema's name is U+0430 (a letter outside ASCII), ",
        ),
        (
            "v\u{661}",
            "character 2 of the schema's name is U+0661 (a digit outside ASCII), ",
        ),
        (
            "v\u{ff11}",
            "character 2 of the schema's name is U+FF11 (a digit outside ASCII), ",
        ),
        (
            "a\u{a0}",
            "character 2 of the schema's name is U+00A0 (a space outside ASCII), ",
        ),
        ("e\u{301}", "character 2 of the schema's name is U+0301, "),
        ("\u{1f378}", "character 1 of the schema's name is U+1F378, "),
        ("\u{feff}a", "character 1 of the schema's name is U+FEFF, "),
        ("a\u{2011}b", "character 2 of the schema's name is U+2011, "),
    ] {
        let error = check_name(name).unwrap_err().to_string();
        assert!(error.starts_with(message), "{name:?}: {error}");
    }
    let long = check_name(&"x".repeat(65)).unwrap_err();
    assert_eq!(long.kind(), NameErrorKind::TooLong { len: 65 });
    assert_eq!(long.offending(), None);
    assert_eq!(
        long.to_string(),
        "the schema's name has 65 characters, and 64 are allowed"
    );
    let both = check_name(&format!("{}\n", "x".repeat(70))).unwrap_err();
    assert_eq!(both.offending(), Some(('\n', 71)));
}

const ALLOWED: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

proptest! {
    #[test]
    fn it_agrees_with_a_list_of_characters(name in "([a-zA-Z0-9_-]{0,70}|[a-z]{0,3}.?[a-z]{0,3}|\\PC{0,5}\n?)") {
        let unfit = name.chars().enumerate().find(|(_, character)| !ALLOWED.contains(*character));
        match check_name(&name) {
            Ok(()) => prop_assert!(unfit.is_none() && (1..=64).contains(&name.len())),
            Err(error) => match unfit {
                Some((index, character)) => {
                    prop_assert_eq!(error.offending(), Some((character, index + 1)));
                    let point = format!("U+{:04X}", u32::from(character));
                    prop_assert!(error.to_string().contains(&point));
                }
                None => prop_assert!(name.is_empty() || name.len() > 64),
            },
        }
    }
}
