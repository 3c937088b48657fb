//! Work that does not grow faster than the text: doubled, it takes at most twice the steps.
#![expect(clippy::print_stderr, reason = "tests may fail loudly")]

use tamis_json::{Parser, Partial, Policy, Repairer};

/// Steps of mending a text, in fragments of so many bytes.
fn mending(text: &str, fragment: usize) -> u64 {
    let mut repairer = Repairer::new(Policy::default());
    for part in text.as_bytes().chunks(fragment) {
        // A limit may stop it; what was done so far counts.
        let _ = repairer.push(part);
    }
    let steps = repairer.steps();
    let _ = repairer.finish();
    steps
}

/// Steps of reading a text, with a snapshot after each fragment.
fn reading(text: &str, fragment: usize) -> u64 {
    let mut parser = Parser::new();
    for part in text.as_bytes().chunks(fragment) {
        let _ = parser.push(part);
        parser.snapshot(Partial::TrailingStrings);
    }
    parser.steps()
}

fn assert_linear(name: &str, make: impl Fn(usize) -> String, work: impl Fn(&str) -> u64) {
    let (text, twice) = (make(1_500), make(3_000));
    let (once, double) = (work(&text).max(1), work(&twice));
    let (length, length_twice) = (text.len() as u64, twice.len() as u64);
    eprintln!("{name}: {} steps a byte", double / length_twice);
    // Per byte, at most a tenth more.
    let allowed = once * length_twice / length * 11 / 10 + 4_096;
    assert!(double <= allowed, "{name}: {once} steps, then {double}");
    // And the constant is a constant.
    assert!(
        double <= 200 * length_twice + 4_096,
        "{name}: {double} for {}",
        twice.len()
    );
}

type Family = (&'static str, fn(usize) -> String);

const HOSTILE: &[Family] = &[
    ("nested arrays", |n| "[".repeat(n)),
    ("nested objects", |n| "{\"a\":".repeat(n)),
    ("mixed openers", |n| "[{".repeat(n)),
    ("openers in prose", |n| "see { or [ ".repeat(n)),
    ("closers", |n| "]}".repeat(n)),
    ("quotes", |n| "\"".repeat(n)),
    ("quotes in a string", |n| {
        format!("{{\"a\": \"{}", "\"".repeat(n))
    }),
    ("quotes and letters", |n| {
        format!("{{\"a\": \"{}", "\"x ".repeat(n))
    }),
    ("alternating quotes", |n| format!("[{}", "\"'".repeat(n))),
    ("quotes and commas", |n| {
        format!("{{\"a\": \"{}", "\", ".repeat(n))
    }),
    ("quotes and colons", |n| {
        format!("{{\"a\": \"{}", "\": ".repeat(n))
    }),
    ("quotes and brackets", |n| {
        format!("{{\"a\": \"{}", "x \"y\" {".repeat(n))
    }),
    ("single quotes", |n| {
        format!("{{'a': '{}", "it's ".repeat(n))
    }),
    ("typographic quotes", |n| {
        format!("{{“a”: “{}", "”x “".repeat(n))
    }),
    ("escaped quotes", |n| {
        format!("{{\\\"a\\\": \\\"{}", "\\\"x".repeat(n))
    }),
    ("backslashes", |n| format!("[\"{}", "\\".repeat(n))),
    ("backslashes outside", |n| "\\".repeat(n)),
    ("commas", |n| format!("[{}", ",".repeat(n))),
    ("commas at the top", |n| format!("1{}", ",".repeat(n))),
    ("items without brackets", |n| "1, ".repeat(n)),
    ("colons", |n| format!("{{\"a\"{}", ":".repeat(n))),
    ("near-fences", |n| "``".repeat(n)),
    ("near-fences with space", |n| "`` `".repeat(n)),
    ("fences", |n| "```json\n".repeat(n)),
    ("empty fences", |n| "```\n{}\n```\n".repeat(n)),
    ("candidates that fail", |n| {
        "use {name} or {\"a\": } ".repeat(n)
    }),
    ("candidates that differ", |n| {
        (0..n)
            .map(|i| format!("see {{\"a\": {i}}}"))
            .collect::<Vec<_>>()
            .join(" ")
    }),
    ("candidates alike", |n| "see {\"a\": 1} ".repeat(n)),
    ("asides", |n| "see [1] ".repeat(n)),
    ("unclosed strings", |n| "{\"a\": \"b, ".repeat(n)),
    ("an unclosed string", |n| {
        format!("{{\"a\": \"{}", "word ".repeat(n))
    }),
    ("an unclosed comment", |n| format!("[/*{}", " *".repeat(n))),
    ("comments", |n| format!("[{}", "/**/".repeat(n))),
    ("comments after a quote", |n| {
        format!("{{\"a\": \"{}", "\"/**/".repeat(n))
    }),
    ("line comments", |n| format!("[{}", "//\n".repeat(n))),
    ("unquoted words", |n| format!("{{a: {}", "word ".repeat(n))),
    ("unquoted words and commas", |n| {
        format!("{{a: {}", "word, ".repeat(n))
    }),
    ("numbers without commas", |n| format!("[{}", "1 ".repeat(n))),
    ("a long number", |n| format!("[{}", "1".repeat(n))),
    ("thinking", |n| "<think>".repeat(n)),
    ("thinking ends", |n| "</think>".repeat(n)),
    ("near-tags", |n| "<thin<|".repeat(n)),
    ("calls", |n| format!("[{}", "f(".repeat(n))),
    ("dots", |n| format!("[{}", ".".repeat(n))),
    ("concatenation", |n| {
        format!("[\"a\"{}", " + \"a\"".repeat(n))
    }),
    ("spaces in a string's end", |n| {
        format!("{{\"a\": \"{}", "\"          ".repeat(n))
    }),
    ("line breaks", |n| format!("{{a: b{}", "\n".repeat(n))),
    ("words that may be keys", |n| {
        format!("{{a: b{}", "\n keyword".repeat(n))
    }),
    ("quotes after line breaks", |n| {
        format!("{{\"a\": \"b{}", ",\n\"c".repeat(n))
    }),
    ("brackets in an open string", |n| {
        format!("{}\"x{}", "[".repeat(99), "]".repeat(n))
    }),
];

#[test]
fn hostile_texts_are_mended_in_linear_work() {
    for (name, make) in HOSTILE {
        for fragment in [usize::MAX, 1] {
            assert_linear(&format!("{name}, by {fragment}"), make, |text| {
                mending(text, fragment)
            });
        }
    }
}

#[test]
fn hostile_texts_are_read_in_linear_work() {
    for (name, make) in HOSTILE {
        for fragment in [usize::MAX, 1] {
            assert_linear(&format!("{name}, by {fragment}"), make, |text| {
                reading(text, fragment)
            });
        }
    }
}

/// A list of records, as models write it.
fn ordinary(records: usize) -> String {
    let records: Vec<String> = (0..records / 40)
        .map(|i| {
            format!(
                "{{\"id\": {i}, \"name\": \"Item {i}\", \"tags\": [\"a\", \"b\"], \"ok\": true}}"
            )
        })
        .collect();
    format!("[{}]", records.join(", "))
}

#[test]
fn ordinary_texts_are_read_and_mended_in_linear_work() {
    for fragment in [usize::MAX, 4, 1] {
        assert_linear(&format!("valid, by {fragment}"), ordinary, |text| {
            reading(text, fragment)
        });
        assert_linear(&format!("mended, by {fragment}"), ordinary, |text| {
            mending(text, fragment)
        });
        let broken = |n: usize| {
            ordinary(n)
                .replace("\"name\"", "name")
                .replace("true", "True,")
        };
        assert_linear(&format!("broken, by {fragment}"), broken, |text| {
            mending(text, fragment)
        });
    }
}

#[test]
fn a_long_broken_text_is_mended_at_once() {
    // Quoted words and line breaks in one long string: what makes some repairers cubic.
    let text = format!(
        "{{\"text\": \"{}\"}}",
        "he said \"so\", and \"so\" again:\n- {x}, ".repeat(1_000)
    );
    assert!(text.len() > 35_000);
    let mut repairer = Repairer::new(Policy::default());
    repairer.push(text.as_bytes()).unwrap();
    assert!(repairer.steps() < 40 * text.len() as u64);
}
