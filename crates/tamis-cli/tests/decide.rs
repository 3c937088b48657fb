//! `tamis decide`.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use common::{Ran, Tamis};
use serde_json::{Value, json};

/// With every kind of question.
fn all(model: &str) -> Tamis {
    Tamis::new("decide --sim")
        .arg(model)
        .args("--state crushed")
        .args("--yes-no")
        .arg("damaged=Is it damaged?")
        .args("--choice")
        .arg("queue=Which: queue?:shipping, billing,other")
        .args("--score")
        .arg("anger=How angry?:calm,annoyed,furious")
}

#[test]
fn tables() {
    for (name, tamis) in [
        (
            "decided",
            all("sim/decider").args("--locate").arg("dent=the dent"),
        ),
        ("decided_by_a_completion", all("sim/steady")),
        (
            "decided_by_word",
            all("acme/model").args("--via completion"),
        ),
    ] {
        let ran = tamis.run();
        assert_eq!(ran.code, Some(0), "{}", ran.shown());
        insta::assert_snapshot!(name, ran.shown());
    }
}

#[test]
fn json_for_programs() {
    let ran = all("sim/decider")
        .args("--locate")
        .arg("dent=the dent")
        .args("--format json")
        .run();
    assert_eq!(ran.code, Some(0), "{}", ran.shown());
    insta::assert_snapshot!("decided_json", ran.shown());
    let decided = all("sim/steady").args("--format json").run().json();
    assert_eq!(
        (&decided["via"], &decided["known_by"]),
        (&json!("completion"), &json!("catalogue"))
    );
    assert_eq!(decided["decisions"]["queue"]["probabilities"], Value::Null);
    assert_eq!(decided["decisions"]["damaged"]["probability"], Value::Null);
    assert!(decided["decisions"]["damaged"]["yes"].is_boolean());
}

fn ask(args: &[&str], stdin: &str) -> Ran {
    let mut tamis = Tamis::new("decide sim/decider --sim --format json").stdin(stdin);
    for arg in args {
        tamis = tamis.arg(*arg);
    }
    tamis.run()
}

#[test]
fn the_state_and_the_questions_from_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let text = file("mail.txt", b"It arrived crushed.");
    let object = file("mail.json", br#"{"message": "crushed"}"#);
    let photo = file("photo.png", b"\x89PNG\r\n\x1a\n...");
    let page = file("photo.svg", b"<svg/>");
    let questions = file(
        "questions.json",
        br#"{"refund": {"type": "noul", "instructions": "?", "criteria": {"true": "a", "false": "b"}},
            "q": {"type": "score", "instructions": "?", "criteria": ["a", "b"]}}"#,
    );
    let broken = file("broken.json", br#"{"q": {"instructions": "?"}}"#);
    let yes_no = ["--yes-no", "a=b?"];
    for (args, stdin) in [
        (vec!["--state", "-"], "text"),
        (vec!["--state-file", "-"], "text"),
        (vec!["--state-file", &text], ""),
        (vec!["--state-file", &object, "--json"], ""),
        (vec!["--state", "[1, 2]", "--json"], ""),
        (vec!["--image", &photo], ""),
        (
            vec!["--state", "a photo", "--image", &photo, "--image", &photo],
            "",
        ),
    ] {
        let ran = ask(&[&args[..], &yes_no[..]].concat(), stdin);
        assert_eq!(ran.code, Some(0), "{}", ran.shown());
    }
    let ran = ask(
        &[
            "--state",
            "x",
            "--questions",
            &questions,
            "--yes-no",
            "a=b?",
        ],
        "",
    );
    let decisions = &ran.json()["decisions"];
    let ids: Vec<&String> = decisions.as_object().unwrap().keys().collect();
    assert_eq!(ids, ["a", "refund", "q"]);
    for args in [
        &["--state", "x"][..],
        &["--yes-no", "a=b"],
        &["--state", "x", "--yes-no", "no id"],
        &["--state", "x", "--yes-no", "=what?"],
        &["--state", "x", "--yes-no", "a="],
        &["--state", "x", "--yes-no", "a=b", "--yes-no", "a=c"],
        &["--state", "x", "--choice", "a=no options"],
        &["--state", "x", "--choice", "a=one:option"],
        &["--state", "x", "--score", "a=b:low,"],
        &["--state", " ", "--yes-no", "a=b"],
        &["--state", "x", "--json", "--yes-no", "a=b"],
        &["--state", "5", "--json", "--yes-no", "a=b"],
        &["--state", "x", "--state-file", "-", "--yes-no", "a=b"],
        &["--state", "-", "--questions", "-"],
        &["--state", "x", "--questions", &broken],
        &["--state", "x", "--questions", &text],
        &["--state", "x", "--image", &page, "--yes-no", "a=b"],
        &["--state", "x", "--via", "magic", "--yes-no", "a=b"],
    ] {
        let ran = ask(args, "x");
        assert_eq!(ran.code, Some(2), "{}", ran.shown());
        assert_eq!(ran.stdout, "", "{}", ran.shown());
    }
}

#[test]
fn what_went_wrong() {
    for (fault, code) in [
        ("answer-missing", 1),
        ("answer-refused", 1),
        ("probability-out-of-range", 1),
        ("unauthorized", 3),
        ("http-503", 4),
        ("data-missing", 4),
        ("html-success", 4),
        ("connection-reset", 4),
    ] {
        let ran = all("sim/decider")
            .args("--via decisions --retries 0 --header")
            .arg(format!("x-tamis-fault: {fault}"))
            .run();
        assert_eq!(ran.code, Some(code), "{fault} {}", ran.shown());
        assert_eq!(ran.stdout, "", "{fault} {}", ran.shown());
    }
    for (fault, code) in [
        ("refusal", 1),
        ("truncated", 1),
        ("missing-property", 1),
        ("http-503", 4),
    ] {
        let ran = all("sim/steady")
            .args("--via completion --retries 0 --header")
            .arg(format!("x-tamis-fault: {fault}"))
            .run();
        assert_eq!(ran.code, Some(code), "{fault} {}", ran.shown());
        assert_eq!(ran.stdout, "", "{fault} {}", ran.shown());
    }
    let ran = all("sim/decider")
        .args("--header")
        .arg("x-tamis-fault: answer-missing")
        .run();
    insta::assert_snapshot!("no_decision", ran.shown());
    let ran = all("sim/steady").args("--via decisions").run();
    assert_eq!(ran.code, Some(3));
    insta::assert_snapshot!("no_decisions_model", ran.shown());
}
