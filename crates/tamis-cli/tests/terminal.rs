//! Readers that go away, and colours.

#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use std::fs::OpenOptions;
use std::process::Stdio;

use common::{Ran, Tamis};

#[test]
fn a_reader_that_is_gone_is_no_panic() {
    for args in [
        "--help",
        "ask --help",
        "sim --list",
        "completions bash",
        "man",
        "check text.json",
        "check --format json text.json json.json",
        "fold stream.sse",
        "heal --diff json.json",
        "ask --sim Hello",
        "ask --sim --stream Hello",
        "smoke --sim -n 1",
    ] {
        let mut child = Tamis::new(args).spawn();
        drop(child.stdout.take());
        let ran = Ran::new(args.to_owned(), child.wait_with_output().unwrap());
        assert!(ran.code.is_some(), "{}", ran.shown());
        for words in ["panicked", "Broken pipe", "error"] {
            assert!(!ran.stderr.contains(words), "{}", ran.shown());
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    for args in [
        "check text.json",
        "fold stream.sse",
        "sim --list",
        "ask --sim Hello",
    ] {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = Tamis::new(args)
            .command()
            .stdout(Stdio::from(full))
            .output()
            .unwrap();
        let ran = Ran::new(args.to_owned(), output);
        assert_eq!(ran.code, Some(2), "{}", ran.shown());
        assert!(ran.stderr.contains("cannot be written"), "{}", ran.shown());
    }
}

#[test]
fn colour_only_where_it_is_wanted() {
    let coloured = |vars: &[(&str, &str)]| {
        let mut tamis = Tamis::new("check text.json missing.json");
        for (name, value) in vars {
            tamis = tamis.var(name, value);
        }
        let ran = tamis.run();
        (ran.stdout.contains('\u{1b}'), ran.stderr.contains('\u{1b}'))
    };
    assert_eq!(coloured(&[]), (false, false));
    assert_eq!(coloured(&[("CLICOLOR_FORCE", "1")]), (true, true));
    assert_eq!(
        coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]),
        (false, false)
    );
}
