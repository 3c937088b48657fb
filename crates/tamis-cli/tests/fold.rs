//! `tamis fold`.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use common::{Tamis, fixtures};

#[test]
fn every_stream() {
    let mut names: Vec<String> = std::fs::read_dir(fixtures())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("stream"))
        .collect();
    names.sort();
    for name in names {
        let ran = Tamis::new("fold").arg(&name).run();
        assert!(ran.json().is_object());
        let said = matches!(
            name.as_str(),
            "stream.sse"
                | "stream-no-done.sse"
                | "stream-tool-calls.sse"
                | "stream-messages.sse"
                | "stream-responses.sse"
        );
        assert_eq!(ran.code, Some(i32::from(!said)), "{}", ran.shown());
        insta::assert_snapshot!(format!("fold_{name}"), ran.shown());
    }
}

#[test]
fn what_is_folded_is_what_check_says_of_the_stream() {
    for name in ["stream.sse", "stream-messages.sse", "stream-responses.sse"] {
        let folded = Tamis::new("fold").arg(name).run().stdout;
        let of_body = Tamis::new("check --parse --format json")
            .stdin(folded)
            .run();
        let of_stream = Tamis::new("check --parse --format json").arg(name).run();
        assert_eq!(of_body.stdout, of_stream.stdout, "{name}");
        assert!(!of_stream.stdout.is_empty(), "{name}");
    }
}

#[test]
fn what_is_no_stream() {
    for (name, code) in [("nothing.txt", 1), ("text.json", 1), ("missing.sse", 2)] {
        let ran = Tamis::new("fold").arg(name).run();
        assert_eq!(ran.code, Some(code), "{}", ran.shown());
        assert!(!ran.stderr.is_empty());
    }
    insta::assert_snapshot!(Tamis::new("fold text.json").run().shown());
}
