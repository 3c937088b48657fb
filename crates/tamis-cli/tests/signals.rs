//! Ctrl-C.

#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use std::io::Read;
use std::process::{Child, Command};

use common::{Ran, Tamis};

/// Waits for a sign that it is at work, sends the signal, and waits for the end.
fn interrupt(mut child: Child, read: impl FnOnce(&mut Child)) -> Ran {
    read(&mut child);
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(sent.success());
    Ran::new("…".to_owned(), child.wait_with_output().unwrap())
}

fn stdout(child: &mut Child) {
    let mut byte = [0];
    let out = child.stdout.as_mut().unwrap();
    out.read_exact(&mut byte).unwrap();
}

fn stderr(child: &mut Child) {
    let mut bytes = [0; 9];
    let out = child.stderr.as_mut().unwrap();
    out.read_exact(&mut bytes).unwrap();
}

#[test]
fn while_the_answer_is_awaited() {
    for flags in ["", "--stream", "--format json"] {
        let child = Tamis::new("ask --sim --model sim/hang-before-headers Hello")
            .args(flags)
            .spawn();
        let ran = interrupt(child, stderr);
        assert_eq!(ran.code, Some(130), "{}", ran.shown());
        assert!(ran.stderr.ends_with("interrupted\n"), "{}", ran.shown());
        assert_eq!(ran.stdout, "");
    }
}

#[test]
fn while_the_answer_comes() {
    let child = Tamis::new("ask --sim --stream --model sim/hang-mid-stream Hello").spawn();
    let ran = interrupt(child, stdout);
    assert_eq!(ran.code, Some(130), "{}", ran.shown());
}

#[test]
fn while_the_simulator_runs() {
    for format in ["text", "json"] {
        let child = Tamis::new("sim --format").arg(format).spawn();
        let ran = interrupt(child, stdout);
        assert_eq!(ran.code, Some(130), "{}", ran.shown());
        assert!(ran.stdout.contains("127.0.0.1:"), "{}", ran.shown());
        assert_eq!(ran.stdout.lines().count(), 1, "{}", ran.shown());
    }
}
