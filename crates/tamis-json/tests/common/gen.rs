//! Documents and texts that are nearly documents.

use proptest::prelude::*;
use serde_json::{Map, Value};

/// Any document.
pub(crate) fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1000_i32..1000).prop_map(Value::from),
        any::<f64>()
            .prop_filter("finite", |n| n.is_finite())
            .prop_map(Value::from),
        text().prop_map(Value::String),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            prop::collection::vec((text(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// Texts with what makes trouble in them.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{0,8}",
        ".{0,12}",
        prop::collection::vec(
            prop::sample::select(vec![
                "\"", "\\", "/", "\n", "\t", "{", "}", "[", "]", ":", ",", " ", "```", "'", "é",
                "🙂", "\u{0}", "\u{2028}", "“", "<think>", "//", "a", "key", "1", "true",
                "\u{fffd}",
            ]),
            0..10
        )
        .prop_map(|parts| parts.concat()),
    ]
}

/// A document as text, in one of several layouts.
pub(crate) fn printed() -> impl Strategy<Value = String> {
    (value(), 0_u8..3, any::<bool>()).prop_map(|(value, layout, escaped)| {
        let text = match layout {
            0 => value.to_string(),
            1 => serde_json::to_string_pretty(&value).unwrap(),
            _ => format!(" \n{value}\t\r\n"),
        };
        if escaped {
            escape_non_ascii(&text)
        } else {
            text
        }
    })
}

/// Every character beyond ASCII as `\uXXXX`.
fn escape_non_ascii(text: &str) -> String {
    let mut out = String::new();
    for char in text.chars() {
        if char.is_ascii() {
            out.push(char);
        } else {
            for unit in char.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04X}"));
            }
        }
    }
    out
}

/// Pieces of JSON, of what models write around it, and of what breaks it.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    ":",
    ",",
    "\"",
    "\"",
    "'",
    "`",
    "“",
    "”",
    "‘",
    "\\",
    "\\\"",
    "\\u12",
    "\\ud800",
    "\"a\"",
    "\"key\": ",
    "\"b\": \"text\"",
    "key",
    "true",
    "None",
    "NaN",
    "-Infinity",
    "1",
    "-",
    "0.5",
    "1e",
    "12345678901234567890123",
    "+",
    ";",
    "(",
    ")",
    "f(",
    "...",
    "…",
    " ",
    "\n",
    "\u{a0}",
    "\u{feff}",
    "// c\n",
    "/* c */",
    "/*",
    "# c\n",
    "```",
    "```json\n",
    "```bash\n",
    "~~~",
    "<think>",
    "</think>",
    "<|im_end|>",
    "<|",
    "</s>",
    "words in prose",
    "é",
    "🙂",
    "\u{0}",
    "=",
    "=>",
    "\"\"\"",
    "{\"a\": 1}",
    "[1, 2]",
    "{\"a\": 1}",
    ", ",
    "\": \"",
    "\", \"",
];

/// Text that is nearly JSON, or not at all.
pub(crate) fn nearly() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::collection::vec(prop::sample::select(PIECES), 0..24).prop_map(|parts| parts.concat()),
        (
            printed(),
            prop::collection::vec(
                (
                    any::<prop::sample::Index>(),
                    0_u8..3,
                    prop::sample::select(PIECES)
                ),
                1..4
            )
        )
            .prop_map(|(text, edits)| {
                let mut text = text;
                for (index, edit, piece) in edits {
                    let places: Vec<usize> = text
                        .char_indices()
                        .map(|(i, _)| i)
                        .chain([text.len()])
                        .collect();
                    let at = places[index.index(places.len())];
                    let next = text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
                    match edit {
                        0 => text.replace_range(at..next, ""),
                        1 => text.insert_str(at, piece),
                        _ => text.truncate(at),
                    }
                }
                text
            }),
        ("[a-z ]{0,20}\n?", printed(), "\n?[a-z .]{0,20}")
            .prop_map(|(a, b, c)| format!("{a}{b}{c}")),
        printed().prop_map(|text| format!("```json\n{text}\n```")),
    ]
}

/// Where to cut a text.
pub(crate) fn cuts() -> impl Strategy<Value = Vec<prop::sample::Index>> {
    prop::collection::vec(any::<prop::sample::Index>(), 0..12)
}

/// The bytes, cut there.
pub(crate) fn cut<'a>(bytes: &'a [u8], cuts: &[prop::sample::Index]) -> Vec<&'a [u8]> {
    let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
    places.sort_unstable();
    let mut parts = Vec::new();
    let mut from = 0;
    for place in places {
        parts.push(&bytes[from..place]);
        from = place;
    }
    parts.push(&bytes[from..]);
    parts
}
